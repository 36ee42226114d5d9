import Testing

@testable import ZoneQuery

/// The `records/modify` requests of CloudKit Web Services.
struct WebServicesModifyTests {
  /// The records and error dictionaries of a response.
  private func items(_ response: String) throws -> [JSONValue] {
    try #require(try JSONReader.read(response)["records"]?.array)
  }

  private func modify(_ database: Database, _ operations: [String], _ rest: String = "") throws -> [JSONValue] {
    try items(
      database.webServicesResponse(
        toModify: #"{"operations": [\#(operations.joined(separator: ", "))]\#(rest)}"#))
  }

  private func operation(_ type: String, _ record: String) -> String {
    #"{"operationType": "\#(type)", "record": {\#(record)}}"#
  }

  private func code(_ item: JSONValue) -> String? { item["serverErrorCode"]?.string }

  private func fields(_ item: JSONValue) -> [String] {
    item["fields"]?.object?.members.map { "\($0.key)=\($0.value["value"]?.text ?? "")" } ?? []
  }

  @Test func eachOperation() throws {
    let database = try Database()
    let made = try modify(
      database,
      [
        operation(
          "create", #""recordName": "a", "recordType": "T", "fields": {"x": {"value": 1}, "y": {"value": "s"}}"#),
        operation("create", #""recordType": "T", "fields": {}"#),
        operation("forceUpdate", #""recordName": "b", "recordType": "T", "fields": {"x": {"value": 2}}"#),
        operation("forceReplace", #""recordName": "c", "recordType": "T""#),
        operation("update", #""recordName": "d", "recordChangeTag": "1", "fields": {"x": {"value": []}}"#),
        operation("replace", #""recordName": "f", "recordChangeTag": "1", "recordType": "T""#),
        operation("delete", #""recordName": "e", "recordChangeTag": "1""#),
        operation("forceDelete", #""recordName": "g""#),
      ])
    #expect(
      made.map { code($0) ?? "" } == ["", "", "", "", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"])
    #expect(made[1]["recordName"]?.string?.utf8.count == 36)
    let tag = try #require(made[0]["recordChangeTag"]?.string)
    let again = try modify(database, [operation("create", #""recordName": "a", "recordType": "T""#)])
    #expect(code(again[0]) == "EXISTS" && again[0]["reason"]?.string == "The record 'a' exists already")
    // Of an update the other fields stay; a null goes; the type need not be said.
    let updated = try modify(
      database,
      [
        operation(
          "update",
          #""recordName": "a", "recordChangeTag": "\#(tag)", "fields": {"x": {"value": null}, "z": {"value": 3}}"#)
      ])
    #expect(Set(fields(updated[0])) == ["y=\"s\"", "z=3"])
    let stale = ["update", "replace", "delete"].map {
      operation($0, #""recordName": "a", "recordType": "T", "recordChangeTag": "\#(tag)""#)
    }
    for operation in stale { #expect(try code(modify(database, [operation])[0]) == "CONFLICT") }
    let forced = try modify(
      database, [operation("forceUpdate", #""recordName": "a", "fields": {"x": {"value": 9}}"#)],
      #", "desiredKeys": ["x"], "numbersAsStrings": true"#)
    #expect(fields(forced[0]) == ["x=\"9\""])
    let newest = try #require(forced[0]["recordChangeTag"]?.string)
    let replaced = try modify(
      database,
      [operation("replace", #""recordName": "a", "recordChangeTag": "\#(newest)", "fields": {"w": {"value": 1}}"#)])
    #expect(fields(replaced[0]) == ["w=1"])
    let last = try #require(replaced[0]["recordChangeTag"]?.string)
    let gone = try modify(
      database,
      [
        operation("delete", #""recordName": "a", "recordChangeTag": "\#(last)""#),
        operation("forceDelete", #""recordName": "b""#),
      ])
    #expect(gone.map(\.text) == [#"{"recordName":"a","deleted":true}"#, #"{"recordName":"b","deleted":true}"#])
    #expect(try database.count(recordType: "T") == 2)
  }

  @Test func aParentStaysWhereAnUpdateDoesNotNameIt() throws {
    let database = try Database()
    let parent = #""parent": {"recordName": "p"}"#
    _ = try modify(
      database,
      [
        operation("create", #""recordName": "p", "recordType": "T""#),
        operation("create", #""recordName": "a", "recordType": "T", \#(parent)"#),
      ])
    func parentBehind(_ type: String, _ rest: String) throws -> String? {
      let tag = try #require(try database.record(for: RecordID(recordName: "a")).changeTag)
      let item = try modify(
        database, [operation(type, #""recordName": "a", "recordChangeTag": "\#(tag)"\#(rest)"#)])[0]
      return item["parent"]?["recordName"]?.string
    }
    #expect(try parentBehind("update", "") == "p")
    #expect(try parentBehind("update", #", "parent": null"#) == nil)
    #expect(try parentBehind("forceUpdate", ", \(parent)") == "p")
    #expect(try parentBehind("replace", "") == nil)
  }

  @Test func aCustomZoneTakesAllOrNone() throws {
    let database = try Database()
    try database.createZone(ZoneID(zoneName: "Z"))
    let operations = [
      operation("create", #""recordName": "a", "recordType": "T""#),
      operation("forceDelete", #""recordName": "none""#),
      operation("create", #""recordName": "b", "recordType": "T", "zoneID": {"zoneName": "_defaultZone"}"#),
    ]
    let zone = #", "zoneID": {"zoneName": "Z"}"#
    #expect(try modify(database, operations, zone).map { code($0) ?? "" } == ["ATOMIC_ERROR", "NOT_FOUND", ""])
    #expect(
      try modify(database, operations, zone + #", "atomic": false"#).map { code($0) ?? "" } == [
        "", "NOT_FOUND", "EXISTS",
      ])
    #expect(
      try modify(database, [operations[0]], #", "zoneID": {"zoneName": "No"}"#).map { code($0) ?? "" } == [
        "ZONE_NOT_FOUND"
      ])
    #expect(try database.count(recordType: "T", inZoneWith: ZoneID(zoneName: "Z")) == 1)
  }

  @Test func whatJSONCannotCarryIsLeftOutOfWhatWasSaved() throws {
    let database = try Database()
    var record = Record(recordType: "T", recordName: "a")
    (record["x"], record["y"]) = (.double(.infinity), 1)
    try database.load([record])
    let saved = try modify(database, [operation("forceUpdate", #""recordName": "a", "fields": {"y": {"value": 2}}"#)])[
      0]
    #expect(fields(saved) == ["y=2"])
    #expect(saved["recordChangeTag"]?.string == (try database.record(for: record.recordID).changeTag))
    #expect(try database.record(for: record.recordID)["x"] == .double(.infinity))
  }

  @Test func requestsAreReadWholeBeforeAnythingIsChanged() throws {
    let database = try Database()
    let first = operation("create", #""recordName": "a", "recordType": "T""#)
    func message(_ second: String, _ rest: String = "") throws -> String {
      let error = try #require(throws: ZoneQueryError.self) { try modify(database, [first, second], rest) }
      return error.hint.map { "\(error.message) \($0)" } ?? error.message
    }
    #expect(
      try message(operation("upsert", ""))
        == "The request: operations[1].operationType: there is no operation upsert. There are create, update, forceUpdate, replace, forceReplace, delete, forceDelete."
    )
    #expect(
      try message(operation("forcedelete", "")).hasSuffix("Write forceDelete."))
    #expect(
      try message(operation("update", #""recordName": "a""#))
        == "The request: operations[1].record: the key \"recordChangeTag\" is missing, which update compares. Write the tag that the record was fetched with, or forceUpdate."
    )
    #expect(
      try message(operation("forceUpdate", #""recordName": "n""#))
        == "The request: operations[1].record: the key \"recordType\" is missing, and there is no record 'n' that has one. A record that is made names its type."
    )
    #expect(
      try message(operation("forceDelete", ""))
        == "The request: operations[1].record: the key \"recordName\" is missing.")
    #expect(
      try message(operation("create", #""recordType": "T", "fields": {"x": {"value": 1, "type": "STRING"}}"#))
        == "The request: operations[1].record.fields.x.value: expected a string, found a number.")
    let twice = operation("forceUpdate", #""recordName": "b", "recordType": "T""#)
    #expect(
      try #require(throws: ZoneQueryError.self) {
        try modify(database, [twice, operation("forceDelete", #""recordName": "b""#)])
      }.message == "The request: operations[1].record: an operation before is of the same record.")
    #expect(try message("3") == "The request: operations[1]: expected a dictionary, found a number.")
    #expect(
      try message(operation("create", ""), #", "atomic": 1"#)
        == "The request: atomic: expected a boolean, found a number.")
    #expect(throws: ZoneQueryError.self) { try database.webServicesResponse(toModify: "{}") }
    #expect(try database.count(recordType: "T") == 0)
    let many = Array(repeating: first, count: 201)
    #expect(try #require(throws: ZoneQueryError.self) { try modify(database, many) }.code == .limitExceeded)
  }

  // MARK: Against a model

  private struct Model {
    var fields: [String: Int] = [:]
    var tag = ""
  }

  @Test func operationsAreThoseOfAModel() throws {
    var random = SplitMix(seed: 21)
    let database = try Database()
    let zones = [ZoneID.default, ZoneID(zoneName: "Z")]
    try database.createZone(zones[1])
    var stored: [[String: Model]] = [[:], [:]]
    var (checks, failures, atomic) = (0, 0, 0)
    for _ in 0..<TestAmount.of(4_000) {
      let zone = random.below(2)
      let isAtomic = zone == 1 && random.below(2) == 0
      var after = stored[zone]
      var (operations, expected): ([String], [String]) = ([], [])
      var written: [String] = []
      for name in ["a", "b", "c", "d", "e"].shuffled(using: &random).prefix(1 + random.below(4)) {
        let known = stored[zone][name]
        let type = ["create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete"][
          random.below(7)]
        let tag = random.below(4) == 0 ? "old" : known?.tag ?? "none"
        let field = ["x", "y"][random.below(2)]
        let value = random.below(6) == 0 ? nil : random.below(100)
        operations.append(
          operation(
            type,
            #""recordName": "\#(name)", "recordType": "T", "recordChangeTag": "\#(tag)", "#
              + #""fields": {"\#(field)": {"value": \#(value.map { "\($0)" } ?? "null")}}"#))
        let outcome: String
        switch type {
        case "create": outcome = known == nil ? "" : "EXISTS"
        case "update", "replace", "delete":
          outcome = known == nil ? "NOT_FOUND" : known?.tag == tag ? "" : "CONFLICT"
        case "forceDelete": outcome = known == nil ? "NOT_FOUND" : ""
        default: outcome = ""
        }
        expected.append(outcome)
        written.append(name)
        if !outcome.isEmpty { continue }
        if type.lowercased().hasSuffix("delete") {
          after[name] = nil
        } else {
          var model = type.lowercased().hasSuffix("update") ? known ?? Model() : Model()
          model.fields[field] = value
          after[name] = model
        }
      }
      if isAtomic, expected.contains(where: { !$0.isEmpty }) {
        expected = expected.map { $0.isEmpty ? "ATOMIC_ERROR" : $0 }
        after = stored[zone]
        atomic += 1
      }
      let rest = #", "zoneID": {"zoneName": "\#(zones[zone].zoneName)"}, "atomic": \#(isAtomic)"#
      let found = try modify(database, operations, rest)
      #expect(found.map { code($0) ?? "" } == expected, "\(operations)")
      for (name, item) in zip(written, found) {
        #expect(item["recordName"]?.string == name)
        if let tag = item["recordChangeTag"]?.string { after[name]?.tag = tag }
      }
      stored[zone] = after
      for name in ["a", "b", "c", "d", "e"] {
        let record = try? database.record(for: RecordID(recordName: name, zoneID: zones[zone]))
        let fields = record.map { record in
          Dictionary(uniqueKeysWithValues: record.fieldNames.map { ($0, Int(record.int64($0) ?? -1)) })
        }
        #expect(fields == after[name]?.fields && record?.changeTag == after[name]?.tag, "\(operations)")
      }
      checks += expected.count
      failures += expected.count { !$0.isEmpty }
    }
    print("Web Services operations: \(checks) as the model's, \(failures) of them failures, \(atomic) batches undone")
    #expect(checks >= TestAmount.of(9_000) && failures > checks / 8 && atomic > TestAmount.of(400))
  }
}
