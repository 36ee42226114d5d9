import Foundation
import Testing

@testable import ZoneQueryTool

struct WatchCommandTests {
  private func watch(
    _ subscriptions: String, _ more: [String] = [], schema: String? = ToolProcess.schema, changes: String = ""
  ) throws -> ToolResult {
    try ToolProcess.withFile(subscriptions, named: "subscriptions.jsonl") { path in
      try ToolProcess.run(
        ["watch", "--subscriptions", path] + (schema.map { ["--schema", $0] } ?? []) + more, input: changes)
    }
  }

  /// The README's command.
  @Test func samples() throws {
    let samples = ToolProcess.samples
    let arguments = [
      "watch", "--subscriptions", samples + "/subscriptions.jsonl", "--schema", ToolProcess.schema, "--records",
      ToolProcess.records,
    ]
    let result = try ToolProcess.run(arguments + [samples + "/changes.jsonl"])
    #expect(
      result.output == #"""
        {"line":1,"subscriptionID":"full-house","subscriptionType":"query","reason":"recordUpdated","hasEntered":true,"recordName":"session-004","recordFields":{"capacity":{"value":410,"type":"INT64"},"room":{"value":"Lantern Hall","type":"STRING"}},"title":"A hall is needed","alertLocalizationKey":"HALL_FOR","alertLocalizationArgs":["Notifications that arrive once","Seoul"]}
        {"line":2,"subscriptionID":"full-house","subscriptionType":"query","reason":"recordLeft","recordName":"session-004","recordFields":{"capacity":{"value":60,"type":"INT64"}},"title":"A hall is needed","alertLocalizationKey":"HALL_FOR","alertLocalizationArgs":["Notifications that arrive once","Seoul"]}
        {"line":3,"subscriptionID":"fiji","subscriptionType":"query","reason":"recordDeleted","recordName":"session-013","recordFields":{"city":{"value":"Suva","type":"STRING"}}}
        {"line":4,"subscriptionID":"sea","subscriptionType":"query","reason":"recordCreated","recordName":"session-013","alertBody":"A talk about the sea","soundName":"default","badge":1}
        {"line":4,"subscriptionID":"first-workshop","subscriptionType":"query","reason":"recordCreated","recordName":"session-013"}
        {"line":5,"subscriptionID":"sea","subscriptionType":"query","reason":"recordCreated","recordName":"idea","zoneID":{"zoneName":"drafts"},"alertBody":"A talk about the sea","soundName":"default","badge":1}
        {"line":5,"subscriptionID":"drafts","subscriptionType":"zone","zoneID":{"zoneName":"drafts"},"contentAvailable":true}
        {"line":6,"subscriptionID":"drafts","subscriptionType":"zone","zoneID":{"zoneName":"drafts"},"contentAvailable":true}

        """#)
    #expect(result.status == 0 && result.errors.isEmpty)
    // The same from standard input, as push payloads, and from two files.
    let changes = try String(contentsOfFile: samples + "/changes.jsonl", encoding: .utf8)
    let payloads = try ToolProcess.run(arguments + ["--format", "payload"], input: changes)
    #expect(payloads.status == 0 && payloads.lines.count == result.lines.count)
    for (payload, plain) in zip(try payloads.objects(), try result.objects()) {
      let ck = try #require(payload["ck"] as? [String: Any])
      let change = try #require((ck["qry"] ?? ck["fet"]) as? [String: Any])
      #expect(change["sid"] as? String == plain["subscriptionID"] as? String)
      #expect(change["rid"] as? String == plain["recordName"] as? String)
    }
    let files = [samples + "/changes.jsonl", "-"]
    let twice = try ToolProcess.run(arguments + files, input: #"{"recordName":"session-002","deleted":true}"#)
    let told = try twice.objects()
    #expect(told.map { $0["file"] as? String } == Array(repeating: files[0], count: 8))
    #expect(twice.status == 0)
  }

  /// Every record of the sample file as a change, against filters written here.
  @Test func recordsAsChanges() throws {
    let samples = try SampleRecords()
    let records = try String(contentsOfFile: ToolProcess.records, encoding: .utf8)
    let expected: [(id: String, names: [String])] = [
      ("seoul", samples.names("Session") { $0.string("city") == "Seoul" }),
      ("large", samples.names("Session") { $0.number("capacity") ?? 0 > 250 && $0.number("level") == 1 }),
      ("maps", samples.names("Session") { $0.strings("tags").contains("maps") }),
      (
        "filters",
        samples.names("Session") { $0.number("capacity") ?? 0 > 100 && $0.strings("tags").contains("maps") }
      ),
      (
        "near",
        samples.names("Venue") { venue in
          venue.place("location").map { SampleRecords.roughDistance($0, (-18, 178)) < 1_000_000 } == true
        }
      ),
      ("all", samples.names("Speaker") { _ in true }),
    ]
    let result = try watch(
      """
      {"subscriptionID":"seoul","query":{"recordType":"Session","predicate":"city = %@","arguments":["Seoul"]}}
      {"subscriptionID":"large","query":{"recordType":"Session","predicate":"capacity > $least AND level = 1","arguments":{"least":250}}}

      {"subscriptionID":"maps","query":{"recordType":"Session","predicate":"tags CONTAINS 'maps'"},"firesOn":["create"]}
      {"subscriptionID":"filters","query":{"recordType":"Session","filterBy":[{"comparator":"GREATER_THAN","fieldName":"capacity","fieldValue":{"value":100}},{"comparator":"LIST_CONTAINS","fieldName":"tags","fieldValue":{"value":"maps"}}]}}
      {"subscriptionID":"near","query":{"recordType":"Venue","predicate":"distanceToLocation:fromLocation:(location, CAST('-18,178', 'CLLocation')) < 1e6"}}
      {"subscriptionID":"all","query":{"recordType":"Speaker"}}
      {"query":{"recordType":"Session"},"firesOn":["update","delete"]}
      """, changes: records)
    #expect(result.status == 0)
    var found: [String: [String]] = [:]
    for object in try result.objects() {
      let line = try #require(object["line"] as? Int)
      let name = try #require(object["recordName"] as? String)
      #expect(samples.all[line - 1].name == name)
      found[try #require(object["subscriptionID"] as? String), default: []].append(name)
    }
    #expect(found.count == expected.count && expected.allSatisfy { !$0.names.isEmpty })
    for (id, names) in expected { #expect(found[id] == names, "\(id)") }
  }

  /// Without a schema filters are read by the types that were learned.
  @Test func filtersOfLearnedTypes() throws {
    let record =
      #"{"recordName":"a","recordType":"T","fields":{"t":{"value":5,"type":"TIMESTAMP"},"tags":{"value":["a"]}}}"#
    try ToolProcess.withFile(record, named: "records.jsonl") { path in
      func filter(_ rest: String) -> String {
        #"{"subscriptionID":"s","query":{"recordType":"T","filterBy":[{\#(rest)}]}}"#
      }
      let result = try watch(
        filter(#""comparator":"GREATER_THAN","fieldName":"t","fieldValue":{"value":1}"#), ["--records", path],
        schema: nil,
        changes: record)
      #expect(result.status == 0 && result.output.contains(#""recordName":"a""#), "\(result.errors)")
      let wrong = try watch(
        filter(#""comparator":"EQUALS","fieldName":"tags","fieldValue":{"value":"a"}"#), ["--records", path],
        schema: nil)
      #expect(wrong.status == 1 && wrong.errors.contains("Write LIST_CONTAINS."), "\(wrong.errors)")
    }
  }

  /// A parent stays where an update does not name it, and goes where it is null.
  @Test func parentsOfUpdates() throws {
    let kids =
      #"{"subscriptionID":"kids","query":{"recordType":"Session","predicate":"parent = CAST('p', 'CKReference')"},"firesOn":["create","update","leave"]}"#
    let result = try watch(
      kids,
      changes: #"""
        {"recordName":"p","recordType":"Session"}
        {"recordName":"a","recordType":"Session","parent":{"recordName":"p"}}
        {"operationType":"update","record":{"recordName":"a","fields":{"title":{"value":"x"}}}}
        {"operationType":"update","record":{"recordName":"a","parent":null}}
        """#)
    #expect(
      try result.objects().map { $0["reason"] as? String } == ["recordCreated", "recordUpdated", "recordLeft"])
  }

  /// Changes drawn by chance, against a dictionary that is changed by hand.
  @Test func changesAgainstAModel() throws {
    struct Model {
      var records: [String: [String: Int]] = [:]
      var expected: [String] = []
      var refused = 0

      mutating func change(_ line: Int, _ name: String, _ next: [String: Int]?) {
        let before = records[name]
        records[name] = next
        func matches(_ record: [String: Int]?) -> Bool { record?["a"].map { $0 > 4 } ?? false }
        func tell(_ reason: String) { expected.append("\(line) \(name) \(reason)") }
        guard let next else {
          if matches(before) { tell("recordDeleted") }
          return
        }
        if before == nil {
          if matches(next) { tell("recordCreated") }
        } else if matches(next) {
          tell("recordUpdated \(!matches(before))")
        } else if matches(before) {
          tell("recordLeft")
        }
      }
    }
    var random = RandomSource(seed: 41)
    var model = Model()
    var changes = ""
    let count = 1_500
    for line in 1...count {
      let name = "r\(random.below(12))"
      let known = model.records[name]
      var fields: [String: Int?] = [:]
      for key in ["a", "b"] where random.below(3) > 0 {
        fields.updateValue(random.below(4) == 0 ? nil : random.below(10), forKey: key)
      }
      let written = fields.keys.sorted().map { key in
        "\"\(key)\":"
          + ((fields[key] ?? nil).map { "{\"value\":\($0)}" } ?? (line % 2 == 0 ? "null" : "{\"value\":null}"))
      }
      let whole = fields.compactMapValues { $0 }
      var merged = known ?? [:]
      for (key, value) in fields { merged[key] = value }
      let record = #"{"recordName":"\#(name)","recordType":"T","fields":{\#(written.joined(separator: ","))}}"#
      let operation = ["create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete", "", "-"][
        random.below(9)]
      switch operation {
      case "": changes += record + "\n"
      case "-": changes += #"{"recordName":"\#(name)","deleted":true}"# + "\n"
      default: changes += #"{"operationType":"\#(operation)","record":\#(record)}"# + "\n"
      }
      switch (operation, known) {
      case ("create", _?), ("update", nil), ("replace", nil), ("delete", nil): model.refused += 1
      case ("update", _), ("forceUpdate", _): model.change(line, name, merged)
      case ("delete", _), ("forceDelete", nil), ("forceDelete", _?), ("-", _):
        if known != nil { model.change(line, name, nil) }
      default: model.change(line, name, whole)
      }
    }
    let schema = "DEFINE SCHEMA RECORD TYPE T (a INT64 QUERYABLE, b INT64);"
    let result = try ToolProcess.withFile(schema, named: "t.ckdb") { path in
      try watch(
        #"{"query":{"recordType":"T","predicate":"a > 4"},"firesOn":["create","update","delete","leave"]}"#,
        schema: path, changes: changes)
    }
    let found = try result.objects().map { object in
      let entered = object["hasEntered"].map { " \($0 as? Bool == true)" } ?? ""
      return "\(object["line"] ?? 0) \(object["recordName"] ?? "") \(object["reason"] ?? "")\(entered)"
    }
    #expect(found == model.expected)
    #expect(
      result.status == 1
        && result.errors.split(separator: "\n").filter { $0.contains("record r") }.count == model.refused)
    print("watched changes: \(count) against a model, \(found.count) notifications, \(model.refused) refused")
    #expect(found.count > 300 && model.refused > 200)
  }

  @Test func subscriptionsThatCannotBe() throws {
    let faults: [(line: String, message: String)] = [
      (
        #"{"query":{"recordType":"Session","predicate":"citty = 'x'"}}"#,
        "1: query.predicate:1:1: Did not find field: 'citty' in type: 'Session'\n  citty = 'x'\n  ^^^^^\n"
      ),
      (#"{"query":{"recordType":"Session","predicate":"city = "}}"#, "1: query.predicate:1:8: A key or a value must"),
      (#"{"query":{"recordType":"Session","predicate":"city = 'a' OR level = 1"}}"#, "CloudKit's dialect has no OR"),
      (
        #"{"query":{"recordType":"Session","predicate":"city = %@","arguments":[[[]]]}}"#,
        "1: query.arguments: [0][0]: a list has no lists"
      ),
      (
        #"{"query":{"recordType":"Session","predicate":"city = $city","arguments":{"town":"x"}}}"#,
        "1: query.arguments: the predicate has no parameter $town"
      ),
      (#"{"query":{"recordType":"Session","arguments":[]}}"#, "are of use with query.predicate only"),
      (
        #"{"query":{"recordType":"Session","filterBy":[],"predicate":"level = 1"}}"#,
        "1: the query has a predicate and filters"
      ),
      (
        #"{"query":{"recordType":"Session","filterBy":[{"comparator":"EQUAL"}]}}"#,
        "1: query.filterBy[0].comparator: there is no comparator EQUAL.\nhint: Write EQUALS."
      ),
      (#"{"query":{"recordType":"Session"},"firesOnn":[]}"#, "1: there is no key firesOnn\nhint: firesOn is one\n"),
      (
        #"{"query":{"recordType":"Session"},"firesOn":["creat"]}"#,
        "1: firesOn[0]: there is no event creat.\nhint: Write create."
      ),
      (#"{"query":{"recordType":"Session"},"firesOn":[]}"#, "it fires on nothing"),
      (
        #"{"query":{"recordType":"Sesion"}}"#,
        "1: Did not find record type: 'Sesion'\nhint: Did you mean 'Session'?"
      ),
      (
        #"{"query":{"recordType":"Session"},"zoneID":{"zoneName":"a"},"zoneWide":true}"#,
        #""zoneWide" is of all zones, and "zoneID" of one"#
      ),
      (
        #"{"query":{"recordType":"Session"},"notificationInfo":{"shouldBadge":1}}"#,
        "1: notificationInfo.shouldBadge: expected a boolean, found a number"
      ),
      (
        #"{"query":{"recordType":"Session"},"notificationInfo":{"additionalFields":["tags"]}}"#,
        "'tags' is LIST<STRING>"
      ),
      (
        #"{"query":{"recordType":"Session"},"notificationInfo":{"alert":"x"}}"#,
        "there is no key notificationInfo.alert"
      ),
      (#"{"subscriptionID":"","query":{"recordType":"Session"}}"#, "a subscription's ID has 1 to 255 bytes"),
      (#"{"subscriptionType":"zone"}"#, #"1: the key "zoneID" is missing"#),
      (#"{"query":1}"#, "1: query: expected an object"),
      (#"{"subscriptionType":"zone","zoneID":{"zone":1}}"#, #"1: zoneID: the key "zoneName" is missing"#),
      (#"{"subscriptionType":"zone","zoneID":{"zoneName":"a"},"firesOnce":true}"#, "1: there is no key firesOnce"),
      (#"{"subscriptionType":"database","recordType":"Nope"}"#, "1: Did not find record type: 'Nope'"),
      ("{}", #"1: the key "query" is missing"#), ("{", "1:2: expected a key"), ("3", "1: a line holds an object"),
      ("", "there is no subscription in the file"), ("\n{\"query\":{}}", #"2: query: the key "recordType" is missing"#),
      (
        #"{"subscriptionID":"a","query":{"recordType":"Venue"}}"# + "\n"
          + #"{"subscriptionID":"a","query":{"recordType":"Session"}}"#,
        "2: the subscriptionID 'a' is that of line 1 too"
      ),
      (
        #"{"query":{"recordType":"Venue"}}"# + "\n" + #"{"query":{"recordType":"Venue"}}"#,
        "2: subscription is duplicate of"
      ),
    ]
    for (line, message) in faults {
      let result = try watch(line)
      #expect(result.status == 1 && result.output.isEmpty, "\(line)")
      #expect(result.errors.contains("subscriptions.jsonl:") && result.errors.contains(message), "\(result.errors)")
    }
    #expect(faults.count == 29)
    let learned = try watch(#"{"query":{"recordType":"Session"}}"#, schema: nil)
    #expect(learned.status == 1 && learned.errors.contains("hint: without --schema the types are those of the records"))
    let read = try watch(#"{"query":{"recordType":"Session"}}"#, ["--records", ToolProcess.records], schema: nil)
    #expect(read.status == 0 && read.output.isEmpty && read.errors == "no subscription fired\n")
  }

  @Test func changesThatCannotBe() throws {
    let faults: [(line: String, message: String)] = [
      (
        #"{"operationType":"create","record":{"recordName":"v","recordType":"Venue"}}"#,
        ": record v: there is one already\nhint: forceReplace and a record alone take its place\n"
      ),
      (#"{"operationType":"update","record":{"recordName":"w","fields":{}}}"#, ": record w: there is none\n"),
      (#"{"operationType":"delete","record":{"recordName":"w"}}"#, ": record w: there is none\n"),
      (
        #"{"operationType":"remove","record":{"recordName":"v"}}"#,
        ": operationType: expected create, update, forceUpdate"
      ),
      (#"{"operationType":"delete"}"#, ": the key record is missing\n"),
      (#"{"record":{"recordName":"v"}}"#, ": the key operationType is missing\n"),
      (#"{"operationType":"delete","record":{}}"#, ": A record without a name"),
      (#"{"operations":[]}"#, ": a line holds one operation; this has a list\n"),
      (#"{"recordName":"w"}"#, "the key \"recordType\" is missing"),
      (#"{"recordName":"v","recordType":"Session"}"#, "of type 'Venue'"),
      (
        #"{"recordName":"v","recordType":"Venue","fields":{"seats":{"value":"many"}}}"#,
        ": record v: fields.seats.value:"
      ),
      (
        #"{"recordName":"v","recordType":"Venue","fields":{"seat":{"value":1}}}"#,
        "Cannot create or modify field 'seat'"
      ),
      (#"{"recordName":"v" "recordType""#, ":19: expected"), ("[]", ": a line holds an object; this is an array\n"),
      (#"{"recordName":"v","recordType":"Venue","zoneID":{"zoneName":"_a"}}"#, "cannot be named so"),
    ]
    var changes = #"{"recordName":"v","recordType":"Venue"}"# + "\n"
    for fault in faults { changes += fault.line + "\n" }
    changes += #"{"operationType":"forceDelete","record":{"recordName":"w"}}"# + "\n"
    changes += #"{"recordName":"v","deleted":true}"#
    let result = try watch(#"{"query":{"recordType":"Venue"},"firesOn":["create","delete"]}"#, changes: changes)
    #expect(result.status == 1)
    let told = try result.objects()
    #expect(told.map { $0["line"] as? Int } == [1, faults.count + 3])
    for (index, fault) in faults.enumerated() {
      let rest = result.errors.range(of: "standard input:\(index + 2):").map { result.errors[$0.lowerBound...] }
      let end = "standard input:\(index + 3):"
      let own = rest.map { rest in rest.range(of: end).map { rest[..<$0.lowerBound] } ?? rest }
      #expect(own?.contains(fault.message) == true, "\(fault.line): \(own ?? "")")
    }
    #expect(faults.count == 15)
  }

  /// Notifications come before the tool waits for more, for programs that hold both ends of the pipe.
  @Test func answersBeforeItWaits() throws {
    try ToolProcess.withFile(#"{"query":{"recordType":"Venue"}}"#) { path in
      let script = """
        dir=$(mktemp -d); mkfifo "$dir/in"; "$0" watch --subscriptions '\(path)' --schema '\(ToolProcess.schema)' \
        < "$dir/in" > "$dir/out" & exec 3> "$dir/in"; echo '{"recordName":"v","recordType":"Venue"}' >&3
        for i in $(seq 3000); do
          if [ -s "$dir/out" ]; then cat "$dir/out"; break; fi; sleep 0.2
        done; exec 3>&-; wait; rm -r "$dir"
        """
      let result = try ToolProcess.shell(script)
      #expect(result.output.contains(#""recordName":"v""#))
    }
  }

  @Test func commandLine() throws {
    #expect(try ToolProcess.run(["watch"]).errors.contains("watch: --subscriptions FILE is needed"))
    let twice = try ToolProcess.run(["watch", "--subscriptions", "-"])
    #expect(twice.status == 64 && twice.errors.contains("hint: the changes are read from it"))
    #expect(try ToolProcess.run(["watch", "--subscriptions", "/nowhere"]).status == 1)
    #expect(try ToolProcess.run(["watch", "--subscriptions", "x", "--format", "table"]).status == 64)
    let missing = try watch(#"{"query":{"recordType":"Venue"}}"#, ["/nowhere.jsonl"])
    #expect(missing.status == 1 && missing.errors.hasPrefix("/nowhere.jsonl: "))
  }
}
