import Foundation
import Testing

struct AnswerCommandTests {
  private func answer(_ request: String, _ more: [String] = [], input: String = "") throws -> ToolResult {
    try ToolProcess.run(
      ["answer", request, "--records", ToolProcess.records, "--schema", ToolProcess.schema] + more, input: input)
  }

  private func names(_ line: some StringProtocol) throws -> [String] {
    let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return (json?["records"] as? [[String: Any]])?.compactMap { $0["recordName"] as? String } ?? []
  }

  @Test func queriesAreAnsweredAsByQuery() throws {
    let request = #"""
      {"query": {"recordType": "Session",
                 "filterBy": [{"fieldName": "track", "comparator": "EQUALS", "fieldValue": {"value": "Maps"}},
                              {"fieldName": "capacity", "comparator": "GREATER_THAN_OR_EQUALS", "fieldValue": {"value": 100}}],
                 "sortBy": [{"fieldName": "start"}]}, "resultsLimit": 5, "desiredKeys": []}
      """#
    let result = try answer("records/query", input: request)
    #expect(result.status == 0 && result.errors.isEmpty)
    // Those that README shows.
    #expect(
      try names(result.output) == ["session-002", "session-007", "session-013", "session-040", "session-056"])
  }

  @Test func requestsSeeWhatThoseBeforeChanged() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "answer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let requests = [
      #"{"operations": [{"operationType": "forceDelete", "record": {"recordName": "session-002"}}]}"#,
      #"{"operations": [{"operationType": "forceDelete", "record": {"recordName": "session-002"}}]}"#, "{",
    ]
    let paths = try requests.enumerated().map { index, request in
      let path = folder.appending(path: "\(index).json").path
      try request.write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    let result = try answer("records/modify", paths)
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 1 && lines.count == 3)
    #expect(lines[0] == #"{"records":[{"recordName":"session-002","deleted":true}]}"#)
    #expect(lines[1].contains(#""serverErrorCode":"NOT_FOUND""#))
    #expect(lines[2].hasPrefix(#"{"reason":"#) && lines[2].contains(#""serverErrorCode":"BAD_REQUEST""#))
    let lookup = try answer("records/lookup", input: #"{"records": [{"recordName": "session-002"}]}"#)
    #expect(try names(lookup.output) == ["session-002"])
  }

  /// Requests of several kinds, one behind the other: a zone is made, written to, and asked what changed.
  @Test func severalKinds() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "answer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let trip = #""zoneID": {"zoneName": "trip"}"#
    let bodies = [
      "make": #"{"operations": [{"operationType": "create", "zone": {\#(trip)}}]}"#,
      "save":
        #"{\#(trip), "operations": [{"operationType": "create", "record": {"recordName": "a", "recordType": "Venue"}}]}"#,
      "asked": #"{"zones": [{\#(trip)}]}"#,
    ]
    for (name, body) in bodies {
      try body.write(toFile: folder.appending(path: name).path, atomically: true, encoding: .utf8)
    }
    func path(_ name: String) -> String { folder.appending(path: name).path }
    let result = try answer(
      "zones/list",
      [
        "zones/modify", path("make"), "records/modify", path("save"), "changes/zone", path("asked"), "changes/database",
      ],
      input: "{}")
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 0 && lines.count == 5)
    #expect(lines[0] == #"{"zones":[{"zoneID":{"zoneName":"_defaultZone"},"atomic":false}]}"#)
    #expect(lines[1].hasPrefix(#"{"zones":[{"zoneID":{"zoneName":"trip"},"syncToken":"#))
    #expect(try names(lines[2]) == ["a"])
    #expect(lines[3].contains(#""records":[{"recordName":"a""#))
    #expect(lines[4].hasPrefix(#"{"zones":[{"zoneID":{"zoneName":"trip"}}],"syncToken":"#))
  }

  @Test func requestsAreTheUsers() throws {
    let record = #"{"recordName": "a", "recordType": "Venue"}"#
    let result = try answer(
      "users/caller", ["users/current", "records/modify", "--user", "_alice"],
      input: #"{"operations": [{"operationType": "create", "record": \#(record)}]}"#)
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 0 && lines.count == 3)
    #expect(lines[0] == #"{"users":[{"userRecordName":"_alice"}]}"# && lines[1] == #"{"userRecordName":"_alice"}"#)
    #expect(lines[2].contains(#""userRecordName":"_alice""#))
    #expect(try answer("users/caller").output == #"{"users":[{"userRecordName":"__defaultOwner__"}]}"# + "\n")
    let refused = try answer("users/caller", ["--user", "é"])
    #expect(refused.status == 64 && refused.errors.contains("--user: The user cannot be named so"))
  }

  /// Without records the database is empty at first.
  @Test func emptyAtFirst() throws {
    let asked = try ToolProcess.run(["answer", "users/current", "--user", "_bob"])
    #expect(asked.output == #"{"userRecordName":"_bob"}"# + "\n")
    let record = #"{"recordName": "a", "recordType": "Venue"}"#
    let saved = #"{"operations": [{"operationType": "create", "record": \#(record)}]}"#
    try ToolProcess.withFile(#"{"query": {"recordType": "Venue"}}"#) { path in
      let result = try ToolProcess.run(["answer", "records/modify", "-", "records/query", path], input: saved)
      let lines = result.output.split(separator: "\n")
      #expect(result.status == 0 && result.errors.isEmpty && lines.count == 2)
      #expect(try names(lines[0]) == ["a"] && names(lines[1]) == ["a"])
    }
  }

  /// Dates that each run gives are nothing to page by.
  @Test func pagesByDates() throws {
    func page(_ input: String, _ sort: String = "creationDate") throws -> ToolResult {
      try ToolProcess.run(
        ["query", "--records", "-", "--type", "T", "--sort", sort, "--limit", "1", "--cursor", "first"], input: input)
    }
    let date = #"{"timestamp": 1, "userRecordName": "_a"}"#
    let dated = ["a", "b"].map {
      #"{"recordName": "\#($0)", "recordType": "T", "created": \#(date), "modified": \#(date), "fields": {}}"#
    }
    let undated = #"{"recordName": "c", "recordType": "T", "fields": {"n": {"value": 1}}}"#
    #expect(try page(dated.joined(separator: "\n")).errors.contains("next page: --cursor "))
    let lines = (dated + [undated]).joined(separator: "\n")
    for sort in ["creationDate", "___modTime:desc"] {
      let refused = try page(lines, sort)
      #expect(
        refused.status == 1 && refused.output.isEmpty && refused.errors.contains("of their own"), "\(refused.errors)")
    }
    #expect(try page(lines, "n").status == 0 && page(undated).status == 0)
  }

  @Test func wrongCommandLines() throws {
    #expect(try answer("zones/list", [ToolProcess.schema]).status == 64)
    #expect(try answer("records/query", ["records/lookup"]).status == 64)
    #expect(try answer("records/find").status == 64)
    #expect(try answer("records/query", ["-", "-"]).status == 64)
    #expect(try answer("records/query", ["/nowhere.json"]).status == 1)
    #expect(try ToolProcess.run(["answer"]).status == 64)
  }
}
