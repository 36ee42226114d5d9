import Foundation
import Testing

struct MatchCommandTests {
  private let lines = [
    #"{"recordName":"a","recordType":"T","fields":{"n":{"value":1}}}"#,
    #"{"recordName":"b","recordType":"T","fields":{"n":{"value":2},"s":{"value":"The Café"}}}"#,
    #"{"recordName":"c","recordType":"U","fields":{"n":{"value":3}}}"#,
  ]

  private func match(_ arguments: String...) throws -> ToolResult {
    try ToolProcess.run(["match"] + arguments, input: lines.joined(separator: "\n"))
  }

  @Test func printsWhatMatches() throws {
    let result = try match("n > 1")
    #expect(result.status == 0 && result.lines == Array(lines.dropFirst()) && result.errors.isEmpty)
    #expect(try match("n > 1", "--type", "T").lines == [lines[1]])
    #expect(try match("--where", "n > 1").lines == Array(lines.dropFirst()))
    let both = try ToolProcess.withFile(lines[1]) { path in try match("--where", "n > 1", path, "--records", "-") }
    #expect(both.lines == [lines[1], lines[2], lines[1]])
    #expect(try match("--invert", "n > 1").lines == [lines[0]])
    #expect(try match("self CONTAINS 'cafe'").lines == [lines[1]])
    #expect(try match("n = %@", "--arguments", "[3]").lines == [lines[2]])
    #expect(try match("s = nil", "--dialect", "extended").lines == [lines[0], lines[2]])
    #expect(try match("s != 'x'", "--missing", "like-nspredicate").lines == lines)
  }

  @Test func endsAsGrepDoes() throws {
    let none = try match("n > 9")
    #expect(none.status == 1 && none.output.isEmpty && none.errors.isEmpty)
    let count = try match("-c", "n > 1")
    #expect(count.status == 0 && count.output == "2\n")
    let zero = try match("-c", "n > 9")
    #expect(zero.status == 1 && zero.output == "0\n")
    for options in ["-q", "-qc"] {
      let quiet = try match(options, "n > 1")
      #expect(quiet.status == 0 && quiet.output.isEmpty)
    }
    let fault = try match("n >")
    #expect(fault.status == 2 && fault.errors.hasPrefix("FORMAT:1:"))
    let refused = try match("n = 1 OR n = 2")
    #expect(refused.status == 2 && refused.errors.contains("no OR"))
    let missing = try match("n = 1", "/nowhere")
    #expect(missing.status == 2 && missing.errors == "/nowhere: No such file or directory\n")
    #expect(try match().status == 64)
  }

  /// Without a schema a name that is mistyped is that of a field that records lack, which is told.
  @Test func fieldsThatNoRecordHas() throws {
    let none = try match("m > 1 AND n > 0")
    #expect(none.status == 1 && none.errors == "note: no record has a field 'm'\n")
    #expect(try match("n > 1").errors.isEmpty)
    #expect(try match("-q", "m > 1").errors.isEmpty)
  }

  @Test func whatMatchedBeforeAFaultIsPrinted() throws {
    let result = try ToolProcess.run(["match", "n = 1"], input: lines[0] + "\n{\"recordName\"")
    #expect(result.status == 2 && result.lines == [lines[0]])
    #expect(result.errors.hasPrefix("standard input:2:"))
  }

  @Test func bindsToASchema() throws {
    let samples = try SampleRecords()
    let arguments = ["match", "--schema", ToolProcess.schema, "--type", "Session", "-c"]
    let result = try ToolProcess.run(arguments + ["city = 'Seoul' AND level = 1", ToolProcess.records])
    let expected = samples.names("Session") { $0.string("city") == "Seoul" && $0.number("level") == 1 }
    #expect(result.output == "\(expected.count)\n" && !expected.isEmpty)
    let fault = try ToolProcess.run(arguments + ["town = 'Seoul'", ToolProcess.records])
    #expect(fault.status == 2 && fault.errors.contains("Did not find field: 'town'"))
  }

  /// A value that says of itself that it is of another type than the schema's field is told of, as it is where it is loaded.
  @Test func valuesFitTheSchema() throws {
    let record = #"{"recordName":"a","recordType":"Session","fields":{"capacity":{"value":"abc","type":"STRING"}}}"#
    let result = try ToolProcess.run(["match", "--schema", ToolProcess.schema, "city = 'Seoul'"], input: record)
    #expect(result.status == 2 && result.output.isEmpty)
    let expected = "standard input:1: record a: invalid attempt to set value type STRING for field 'capacity'"
    #expect(result.errors.hasPrefix(expected), "\(result.errors)")
    let whole = record.replacing(#""abc","type":"STRING""#, with: #"3.0,"type":"DOUBLE""#)
    let converted = try ToolProcess.run(["match", "-c", "--schema", ToolProcess.schema, "capacity = 3"], input: whole)
    #expect(converted.output == "1\n", "\(converted.errors)")
  }

  /// A key that was most likely meant for one that is missing is no key of somebody else's.
  @Test func slipsInKeys() throws {
    let lines = [
      #"{"id":1,"format":"a > 1","feilds":{"a":{"value":4}}}"#,
      #"{"id":2,"format":"a > %@","argments":[1],"fields":{}}"#,
      #"{"id":3,"format":"a > 1","fields":{"a":{"value":4}},"note":"x","field":1}"#,
    ]
    let answers = try ToolProcess.run(["match", "--batch"], input: lines.joined(separator: "\n")).objects()
    #expect(answers.count == 3)
    #expect(answers[0]["error"] as? String == #"the key "feilds" is not known (fields is one)"#)
    #expect(answers[1]["error"] as? String == #"the key "argments" is not known (arguments is one)"#)
    #expect(answers[2]["match"] as? Bool == true)
    let record = try ToolProcess.run(
      ["query", "--records", "-", "--type", "T"],
      input: #"{"recordName":"a","recordType":"T","feilds":{"n":{"value":1}}}"#)
    #expect(record.status == 1)
    #expect(record.errors == "standard input:1: a record has no key \"feilds\"\nhint: fields is one\n")
  }

  @Test func batch() throws {
    let input = [
      #"{"id": 1, "format": "n > %@", "arguments": [1], "fields": {"n": {"value": 2, "type": "INT64"}}}"#,
      #"{"id": "two", "format": "n > 5", "fields": {"n": {"value": 2}}}"#,
      #"{"id": 3, "format": "a = 1 OR n = 2", "fields": {"n": {"value": 2}}}"#,
      #"{"id": 4, "format": "a = 1 OR n = 2", "fields": {"n": {"value": 2}}, "dialect": "extended"}"#,
      #"{"id": 5, "format": "ALL tokenize('after session', 'Cdl') IN allTokens", "fields": {"x": {"value": "Session"}, "y": {"value": ["the after"]}}}"#,
      #"{"id": 6, "format": "n ="}"#,
      #"{"id": 7, "fields": {}}"#,
      #"{"id": 8, "format": "n = 1", "fields": {"n": {"value": "x", "type": "INT64"}}}"#,
      #"{"id": 9, "format": "n = 1", "fie"#,
      "not json",
      "[1]",
      #"{"id": {"k": [1]}, "format": "recordID = %@", "arguments": [{"value": {"recordName": "record"}, "type": "REFERENCE"}], "fields": {}}"#,
      #"{"id": 13, "format": "n = 1", "dialect": "sql"}"#,
      #"{"id": 14, "format": "n = 1", "fields": {}}"#,
      #"{"id": 15, "format": "n > $least", "arguments": {"least": 1}, "fields": {"n": {"value": 2}}}"#,
      #"{"id": 16, "format": "n > $least", "arguments": {"most": 1}, "fields": {"n": {"value": 2}}}"#,
    ]
    let result = try ToolProcess.run(["match", "--batch"], input: input.joined(separator: "\r\n") + "\n")
    #expect(result.status == 0 && result.errors.isEmpty)
    let answers = try result.objects()
    try #require(answers.count == input.count)
    #expect(result.lines[0] == #"{"id":1,"match":true}"#)
    #expect(result.lines[1] == #"{"id":"two","match":false}"#)
    for (index, match) in [(3, true), (4, true), (11, false), (13, false), (14, true)] {
      #expect(answers[index]["match"] as? Bool == match, "\(index)")
    }
    for index in [2, 5, 6, 7, 8, 9, 10, 12, 15] {
      #expect((answers[index]["error"] as? String)?.isEmpty == false, "\(index)")
      #expect(answers[index]["match"] == nil)
    }
    #expect(answers[8]["id"] as? Int == 9)
    #expect(answers[15]["error"] as? String == "arguments: the predicate has no parameter $most")
    #expect(answers[9]["id"] is NSNull && answers[10]["id"] is NSNull)
    #expect((answers[9]["error"] as? String)?.hasPrefix("line 10, column 2: ") == true)
    #expect((answers[10]["error"] as? String)?.hasPrefix("line 11, column 1: a line of a batch is an object") == true)
    #expect((answers[11]["id"] as? [String: [Int]]) == ["k": [1]])
    #expect((answers[7]["error"] as? String)?.hasPrefix("fields.n.value: ") == true)
    let diagnostics = try #require(answers[2]["diagnostics"] as? [[String: Any]])
    #expect(diagnostics.first?["line"] as? Int == 1 && diagnostics.first?["column"] as? Int == 7)
  }
}
