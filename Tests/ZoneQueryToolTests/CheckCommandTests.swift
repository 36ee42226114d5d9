import Foundation
import Testing

struct CheckCommandTests {
  private func check(_ queries: String, _ more: [String] = []) throws -> ToolResult {
    try ToolProcess.run(["check", "--schema", ToolProcess.schema] + more, input: queries)
  }

  @Test func servedQueriesAreNotTold() throws {
    let result = try check(
      """
      # what the app asks
      Session | track = $track AND start > now() | start desc
        Session | ALL tokenize("a | b", 'Cdl') IN allTokens || FALSEPREDICATE | capacity:desc, city ASC
      Venue

      Session | capacity BETWEEN {$low, 9} | near location:1,2, title

      """, ["--dialect", "extended"])
    #expect(result.output == "4 queries: 4 served\n" && result.status == 0 && result.errors.isEmpty)
    #expect(try check("").output == "0 queries\n")
  }

  @Test func namesThatNeedQuotes() throws {
    try ToolProcess.withFile("DEFINE SCHEMA RECORD TYPE \"STRING\" (x INT64);", named: "x.ckdb") { path in
      let result = try ToolProcess.run(["check", "--schema", path], input: "STRING | x = 1")
      #expect(result.status == 1 && result.output.contains("RECORD TYPE \"STRING\""), "\(result.output)")
    }
  }

  /// The status is what was found, whether or not anybody reads it to the end.
  @Test func statusWithoutAReader() throws {
    let script = #"echo 'Session | nope = 1' | "$0" check --schema '\#(ToolProcess.schema)' 1>&-"#
    #expect(try ToolProcess.shell(script).status == 1)
  }

  @Test func missingIndexesAreToldWithTheLinesToAdd() throws {
    let result = try check(
      """
      Session | abstract = 'x' | end
      Session | end > now()
      Speaker | TRUEPREDICATE | modificationDate desc
      """)
    #expect(
      result.output == """
        standard input:1:11: Field 'abstract' is not marked queryable: a filter needs QUERYABLE
          Session | abstract = 'x' | end
                    ^^^^^^^^
        hint: the schema needs: abstract STRING QUERYABLE SEARCHABLE
        standard input:1: Field 'end' is not marked sortable: a sort needs SORTABLE
        hint: the schema needs: end TIMESTAMP SORTABLE
        standard input:2:11: Field 'end' is not marked queryable: a range filter needs QUERYABLE or SORTABLE
          Session | end > now()
                    ^^^
        hint: the schema needs: end TIMESTAMP QUERYABLE
        standard input:3: Field '___modTime' is not marked sortable: a sort needs SORTABLE
        hint: the schema needs: "___modTime" TIMESTAMP SORTABLE

        RECORD TYPE Session
            abstract STRING QUERYABLE SEARCHABLE,  // was abstract STRING SEARCHABLE
            end TIMESTAMP SORTABLE,                // was end TIMESTAMP
        RECORD TYPE Speaker
            "___modTime" TIMESTAMP SORTABLE,  // was "___modTime" TIMESTAMP

        3 queries: 3 unindexed

        """)
    #expect(result.status == 1 && result.errors.isEmpty)
    // A schema with these lines serves the queries.
    var schema = try String(contentsOfFile: ToolProcess.schema, encoding: .utf8)
    for (old, new) in [
      ("abstract        STRING SEARCHABLE", "abstract STRING QUERYABLE SEARCHABLE"),
      ("end             TIMESTAMP,", "end TIMESTAMP SORTABLE,  // was end TIMESTAMP\n"),
      ("\"___modTime\"    TIMESTAMP", "\"___modTime\" TIMESTAMP SORTABLE"),
    ] {
      schema = schema.replacingOccurrences(of: old, with: new)
    }
    try ToolProcess.withFile(schema, named: "better.ckdb") { path in
      let queries = "Session | abstract = 'x' | end\nSession | end > now()\nSpeaker || | modificationDate desc\n"
      let better = try ToolProcess.run(
        ["check", "--schema", path], input: queries.replacingOccurrences(of: "||", with: "|"))
      #expect(better.output == "3 queries: 3 served\n" && better.status == 0)
    }
  }

  @Test func faultsHaveTheirPlaceInTheLine() throws {
    let faults: [(line: String, place: String, message: String)] = [
      ("Session | citty = 'x'", ":11: ", "Did not find field: 'citty' in type: 'Session'"),
      ("Session | room = 'a' || level = 3", ":22: ", "CloudKit's dialect has no OR"),
      ("Session | level > 'a'", ":19: ", "'level' is INT64 and cannot be compared"),
      ("Session | title = 'x' | nope", ": ", "Did not find field: 'nope' in type: 'Session'"),
      ("Session | title = 'x' | tags desc", ": ", "'tags' is LIST<STRING>, which cannot be sorted by"),
      ("Session | title = 'x' | title descc", ":25: ", "'title descc' is no sort."),
      ("Session | title = 'x' | near location:north", ":25: ", "'near location:north' is no sort."),
      ("Session | title = 'x' | title,", ":31: ", "'' is no sort."),
      ("Nope | a = 1", ": ", "Did not find record type: 'Nope'"), ("Users", ": ", "Can't query system types"),
      ("Venue | name = 'a | seats", ":16: ", "The text that begins here has no closing '."),
      ("Venue | a | b | c", ":15: ", "A line has three parts at most"),
      (" | a = 1", ":2: ", "The record type is missing."),
      ("Session | title = %@", ":19: ", ""), ("Séssion | title = 1 x", ":21: ", ""),
      ("Session | length(title) = $n", ":11: ", "CloudKit's dialect has the functions"),
    ]
    for (line, place, message) in faults {
      let result = try check("\n" + line + "\r\n")
      #expect(result.status == 1 && result.output.hasPrefix("standard input:2\(place)\(message)"), "\(result.output)")
      #expect(result.lines.last == "1 query: 1 refused", "\(line)")
    }
    #expect(faults.count == 16)
  }

  @Test func noIndexIsToldForUsers() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ckdb").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "DEFINE SCHEMA RECORD TYPE Users (roles LIST<INT64>);".write(toFile: path, atomically: true, encoding: .utf8)
    let result = try ToolProcess.run(["check", "--schema", path], input: "Users | roles CONTAINS 1")
    #expect(result.output == "standard input:1: Can't query system types\n\n1 query: 1 refused\n")
  }

  @Test func objectsForPrograms() throws {
    let result = try check(
      "Session | abstract = $a | end\n# no query\nNope\nVenue\nSession | a ==", ["--format", "jsonl"])
    let objects = try result.objects()
    #expect(
      result.status == 1 && objects.map { $0["status"] as? String } == ["unindexed", "refused", "served", "refused"])
    #expect(objects.map { $0["line"] as? Int } == [1, 3, 4, 5])
    #expect(objects[0]["predicate"] as? String == "abstract == $a" && objects[3]["predicate"] is NSNull)
    let missing = try #require(objects[0]["missing"] as? [[String: Any]])
    #expect(missing.map { $0["index"] as? String } == ["QUERYABLE", "SORTABLE"])
    #expect(missing[0]["item"] as? String == "abstract STRING QUERYABLE SEARCHABLE")
    let fault = try #require((objects[3]["diagnostics"] as? [[String: Any]])?.first)
    #expect(fault["line"] as? Int == 5 && fault["column"] as? Int == 15)
  }

  @Test func commandLine() throws {
    #expect(try ToolProcess.run(["check"]).status == 64)
    #expect(try ToolProcess.run(["check", "--schema", "-"]).status == 64)
    #expect(try ToolProcess.run(["check", "--schema", "/nowhere.ckdb"]).status == 1)
    #expect(try ToolProcess.run(["check", "--schema", ToolProcess.schema, "/nowhere.txt"]).status == 1)
  }
}
