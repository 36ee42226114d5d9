import Testing

struct FuzzCommandTests {
  @Test func endsWithTheCount() throws {
    let command = [
      "fuzz", "--seed", "7", "--predicates", "200", "--oracle", "text", "--oracle", "matcher", "--dialect", "cloudkit",
    ]
    let result = try ToolProcess.run(command)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.output)\(result.errors)")
    let last = try #require(result.lines.last)
    let words = last.split(separator: " ")
    #expect(last.hasSuffix(" checks, 0 failures, seed 7"))
    let count = try #require(words.first.flatMap { Int($0) })
    #expect(count > 100)
    #expect(result.lines.contains { $0.hasPrefix("text: ") } && !result.lines.contains { $0.hasPrefix("sort: ") })
    // A seed and a number of predicates are the same run again, but for its speed.
    #expect(result.lines.contains { $0.hasPrefix("200 predicates, ") })
    #expect(try ToolProcess.run(command + ["--seconds", "3600"]).lines.last == last)
  }

  @Test func drawsFromASchema() throws {
    // As many as that draw what is looked for, by this seed; a fresh one where much is drawn.
    let amount = TestAmount.isFull ? ["--predicates", "2000"] : ["--predicates", "25", "--seed", "2"]
    let result = try ToolProcess.run(["fuzz", "--schema", ToolProcess.schema, "--coverage"] + amount)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.lines.last?.contains(" checks, 0 failures, seed ") == true)
    #expect(result.lines.contains { $0.hasPrefix("BEGINSWITH STRING: ") })
    let ended = try ToolProcess.run(["fuzz", "--seconds", "0", "--predicates", "1000000", "--oracle", "text"])
    #expect(ended.status == 0 && ended.lines.contains { $0.hasPrefix("25 predicates, ") })
  }

  @Test func refusesWrongCommandLines() throws {
    for arguments in [
      ["--oracle", "nothing"], ["--seed", "x"], ["--seconds", "-1"], ["--predicates", "0"], ["--dialect", "sql"],
      ["file"],
    ] {
      #expect(try ToolProcess.run(["fuzz"] + arguments).status == 64, "\(arguments)")
    }
    #expect(try ToolProcess.run(["fuzz", "--schema", "/nowhere.ckdb"]).status == 1)
  }
}
