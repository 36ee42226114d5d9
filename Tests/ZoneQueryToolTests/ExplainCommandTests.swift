import Foundation
import Testing

struct ExplainCommandTests {
  private func explain(_ arguments: String...) throws -> ToolResult {
    try ToolProcess.run(
      ["explain", "--records", ToolProcess.records, "--schema", ToolProcess.schema, "--type", "Session"] + arguments)
  }

  @Test func treeAndPaths() throws {
    let result = try explain("--where", "city = 'Seoul'", "--sort", "start", "--limit", "3", "--index", "city,start")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.lines.first?.hasPrefix("Session: 3 records, and there are more; 1 zone of 193 records; ") == true)
    #expect(result.output.contains(#"  index walk (city, start) ascending: city = "Seoul" — "#))
    #expect(result.output.contains("paths, with what they were taken to cost:\n"))
    #expect(result.output.contains(" — chosen\n"))
    #expect(result.output.contains("column scan city == \"Seoul\" → top rows — "))
    // Without the index there are fewer paths.
    let without = try explain("--where", "city = 'Seoul'", "--sort", "start", "--limit", "3")
    #expect(without.status == 0 && !without.output.contains("(city, start)"))
  }

  /// Each path with what the query took by it, and the records that it looked at.
  @Test func measuredPaths() throws {
    let result = try explain("--where", "city = 'Seoul'", "--sort", "start", "--limit", "3", "--measure-paths")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output.contains("paths, with what they were taken to cost, and what they took:\n"))
    #expect(result.output.contains(", 193 examined): column scan city == \"Seoul\" → top rows — "))
    #expect(
      result.output.contains(", 11 entries, 11 examined): index range (city): city = \"Seoul\" → top rows — chosen\n"))
    let counted = try explain("--where", "city = 'Seoul'", "--count", "--measure-paths", "--format", "json")
    let tables = try #require(try counted.objects().first?["tables"] as? [[String: Any]])
    let paths = try #require(tables.first?["paths"] as? [[String: Any]])
    #expect(paths.count >= 2)
    #expect(paths.allSatisfy { ($0["measured"] as? [String: Any])?["nanoseconds"] is Int })
  }

  @Test func missingIndexes() throws {
    let result = try explain("--where", "language != 'en' AND end < now()", "--sort", "room")
    #expect(result.status == 0)
    let scan = try explain("--where", "end < now()")
    #expect(scan.output.hasSuffix("as lines of the schema:\n  end TIMESTAMP QUERYABLE\n"))
    // An index that is gone through from end to end is no better.
    let walk = try explain("--where", "end < now()", "--sort", "start")
    #expect(walk.output.hasSuffix("as lines of the schema:\n  end TIMESTAMP QUERYABLE\n"), "\(walk.output)")
    let first = try explain("--where", "city = 'Seoul'", "--sort", "start")
    #expect(!first.output.contains("as lines of the schema"))
  }

  @Test func json() throws {
    let result = try explain("--where", "city = %@", "--arguments", #"["Seoul"]"#, "--format", "json")
    let object = try #require(try result.objects().first)
    let counted = try explain("--where", "city = 'Seoul'", "--count", "--format", "json")
    #expect(object["rowsReturned"] as? Int == (try counted.objects().first?["rowsReturned"] as? Int))
    #expect(object["predicate"] as? String == #"city == "Seoul""#)
    let tables = try #require(object["tables"] as? [[String: Any]])
    let plan = try #require(tables.first?["plan"] as? [String: Any])
    #expect(tables.count == 1 && plan["operation"] as? String == "indexRange")
    #expect((tables.first?["paths"] as? [[String: Any]])?.first?["isChosen"] as? Bool == true)
  }

  @Test func besideTheAnswer() throws {
    let asked = ["query", "--records", ToolProcess.records, "--type", "Session", "--where", "city = 'Seoul'"]
    let plain = try ToolProcess.run(asked + ["--format", "jsonl"])
    let explained = try ToolProcess.run(asked + ["--format", "jsonl", "--explain"])
    #expect(explained.status == 0 && explained.output == plain.output)
    #expect(explained.errors.hasPrefix("Session: ") && explained.errors.contains("index range (city)"))
    let count = try ToolProcess.run(asked + ["--count", "--explain"])
    #expect(count.output == "\(plain.lines.count)\n" && count.errors.contains("\ncount — "))
    #expect(try ToolProcess.run(asked + ["--sort", "start", "--cursor", "first", "--explain"]).status == 64)
  }

  @Test func misuse() throws {
    for (arguments, status, message) in [
      (["--arguments", "[]"], Int32(64), "explain: --arguments are of use with --where only"),
      (["--format", "table"], 64, "--format: expected text or json, found 'table'"),
      (["--index", ""], 64, "--index: expected names of fields"),
      (["--index", "nope"], 1, "'nope' is no field"), (["--index", "city"], 1, "There is an index"),
      (["--where", "town = 'a'"], 1, "--where:1:1: Did not find field"), (["--sort", "tags"], 1, "tags"),
      (["--limit", "0"], 64, "--limit"), (["more"], 64, "files of records are given with --records"),
    ] {
      let result = try ToolProcess.run(
        ["explain", "--records", ToolProcess.records, "--schema", ToolProcess.schema, "--type", "Session"] + arguments)
      #expect(result.status == status && result.output.isEmpty, "\(arguments)")
      #expect(result.errors.contains(message), "\(arguments): \(result.errors)")
    }
  }
}
