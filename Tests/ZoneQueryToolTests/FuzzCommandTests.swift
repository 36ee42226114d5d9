import Testing

struct FuzzCommandTests {
  @Test func endsWithTheCount() throws {
    let result = try ToolProcess.run(
      ["fuzz", "--seed", "7", "--seconds", "1", "--oracle", "text", "--oracle", "matcher", "--dialect", "cloudkit"])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.output)\(result.errors)")
    let last = try #require(result.lines.last)
    let words = last.split(separator: " ")
    #expect(last.hasSuffix(" checks, 0 failures, seed 7"))
    let count = try #require(words.first.flatMap { Int($0) })
    #expect(count > 100)
    #expect(result.lines.contains { $0.hasPrefix("text: ") } && !result.lines.contains { $0.hasPrefix("sort: ") })
  }

  @Test func drawsFromASchema() throws {
    // One second is enough for a seed that draws what is looked for early.
    let amount = TestAmount.isFull ? ["--seconds", "3"] : ["--seconds", "1", "--seed", "7"]
    let result = try ToolProcess.run(["fuzz", "--schema", ToolProcess.schema, "--coverage"] + amount)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.lines.last?.contains(" checks, 0 failures, seed ") == true)
    #expect(result.lines.contains { $0.hasPrefix("BEGINSWITH STRING: ") })
  }

  @Test func refusesWrongCommandLines() throws {
    for arguments in [
      ["--oracle", "nothing"], ["--seed", "x"], ["--seconds", "-1"], ["--dialect", "sql"], ["file"],
    ] {
      #expect(try ToolProcess.run(["fuzz"] + arguments).status == 64, "\(arguments)")
    }
    #expect(try ToolProcess.run(["fuzz", "--schema", "/nowhere.ckdb"]).status == 1)
  }
}
