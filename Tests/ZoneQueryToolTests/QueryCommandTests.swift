import Foundation
import Testing

@testable import ZoneQueryTool

struct QueryCommandTests {
  private func query(_ arguments: String..., schema: Bool = true) throws -> ToolResult {
    try ToolProcess.run(
      ["query", "--records", ToolProcess.records] + (schema ? ["--schema", ToolProcess.schema] : []) + arguments)
  }

  private func names(_ result: ToolResult) throws -> [String] {
    try result.objects().map { try #require($0["recordName"] as? String) }
  }

  @Test func answersAgreeWithANaiveLoop() throws {
    let samples = try SampleRecords()
    let suva = (latitude: -18.1348, longitude: 178.4232)
    let cases:
      [(type: String, format: String, arguments: String?, dialect: String, expected: (SampleRecords.Plain) -> Bool)] = [
        ("Session", "city = 'Seoul'", nil, "cloudkit", { $0.string("city") == "Seoul" }),
        ("Session", "%K = %@", #"["track", "Maps"]"#, "cloudkit", { $0.string("track") == "Maps" }),
        ("Session", "capacity > 100", nil, "cloudkit", { ($0.number("capacity") ?? 0) > 100 }),
        ("Session", "rating != 4", nil, "cloudkit", { $0.number("rating").map { $0 != 4 } ?? false }),
        (
          "Session", "start > %@", #"[{"value": 1788600000000, "type": "TIMESTAMP"}]"#, "cloudkit",
          { ($0.number("start") ?? 0) > 1_788_600_000_000 }
        ),
        (
          "Session", "start > %@", #"[{"value": "2026-09-05T18:40+09:00", "type": "TIMESTAMP"}]"#, "cloudkit",
          { ($0.number("start") ?? 0) > 1_788_601_200_000 }
        ),
        (
          "Session", "city = %@ AND capacity BETWEEN {40, 90}", #"["Seoul"]"#, "cloudkit",
          { $0.string("city") == "Seoul" && (40...90).contains($0.number("capacity") ?? 0) }
        ),
        ("Session", "tags CONTAINS 'indexes'", nil, "cloudkit", { $0.strings("tags").contains("indexes") }),
        (
          "Session", "NOT (city IN %@)", #"[["Seoul", "Suva"]]"#, "cloudkit",
          { $0.string("city").map { !["Seoul", "Suva"].contains($0) } ?? false }
        ),
        (
          "Session", "title BEGINSWITH 'Workshop'", nil, "cloudkit",
          { $0.string("title")?.hasPrefix("Workshop") ?? false }
        ),
        (
          "Session", "distanceToLocation:fromLocation:(location, %@) < 500000",
          #"[{"value": {"latitude": -18.1348, "longitude": 178.4232}, "type": "LOCATION"}]"#, "cloudkit",
          { $0.place("location").map { SampleRecords.roughDistance(suva, $0) < 500_000 } ?? false }
        ),
        (
          "Session", "city = 'Seoul' OR rating = nil", nil, "extended",
          { $0.string("city") == "Seoul" || $0.number("rating") == nil }
        ),
        ("Venue", "TRUEPREDICATE", nil, "cloudkit", { _ in true }),
      ]
    var checks = 0
    for (number, (type, format, arguments, dialect, expected)) in cases.enumerated() {
      let options = arguments.map { ["--arguments", $0] } ?? []
      // In the short form with a schema or without, in turn.
      let schemas = [[], ["--schema", ToolProcess.schema]]
      for schema in TestAmount.isFull ? schemas : [schemas[number % 2]] {
        let result = try ToolProcess.run(
          ["query", "--records", ToolProcess.records, "--type", type, "--where", format, "--dialect", dialect]
            + ["--format", "jsonl"] + options + schema)
        #expect(result.status == 0 && result.errors.isEmpty, "\(format): \(result.errors)")
        let wanted = samples.names(type, expected)
        #expect(!wanted.isEmpty, "\(format)")
        #expect(try names(result).sorted() == wanted.sorted(), "\(format)")
        checks += 1
      }
    }
    print("query: \(checks) answers checked")
  }

  @Test func tokenSearch() throws {
    let samples = try SampleRecords()
    let result = try query(
      "--type", "Session", "--where", #"ALL tokenize("honest numbers", "Cdl") IN allTokens"#, "--format", "jsonl")
    // These words have no letters in the samples that only folding joins.
    let expected = samples.names("Session") { record in
      let text = ["title", "abstract", "track", "format", "city", "room", "language"]
        .prefix(2).compactMap { record.string($0) }.joined(separator: " ").lowercased()
      let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "'" })
      return words.contains("honest") && words.contains("numbers")
    }
    #expect(!expected.isEmpty)
    #expect(try names(result).sorted() == expected.sorted())
  }

  @Test func sortsAndLimits() throws {
    let samples = try SampleRecords()
    let result = try query(
      "--type", "Session", "--sort", "city:desc", "--sort", "capacity", "--limit", "40", "--format", "jsonl")
    let sessions = samples.all.filter { $0.type == "Session" }
    let expected = sessions.sorted { left, right in
      let cities = (left.string("city") ?? "", right.string("city") ?? "")
      if cities.0 != cities.1 { return cities.0 > cities.1 }
      let seats = (left.number("capacity") ?? -1, right.number("capacity") ?? -1)
      if seats.0 != seats.1 { return seats.0 < seats.1 }
      return left.name < right.name
    }
    #expect(try names(result) == expected.prefix(40).map(\.name))
    #expect(result.errors == "showing 40 of \(sessions.count) matches; raise --limit\n")
  }

  @Test func sortsByDistance() throws {
    let samples = try SampleRecords()
    let place = (latitude: 60.0, longitude: 20.0)
    let result = try query("--type", "Venue", "--near", "location:60,20", "--format", "jsonl")
    let expected = samples.all.filter { $0.type == "Venue" }.sorted { left, right in
      SampleRecords.roughDistance(place, left.place("location") ?? place)
        < SampleRecords.roughDistance(place, right.place("location") ?? place)
    }
    #expect(try names(result) == expected.map(\.name))
    let table = try query("--type", "Venue", "--near", "location:60,20", "--limit", "1", "--keys", "city")
    #expect(table.lines[0].split(separator: " ") == ["recordName", "metres", "city"])
    #expect(table.lines[2].hasPrefix(expected[0].name))
  }

  @Test func parametersByName() throws {
    let city = "city = $city AND level IN $levels"
    let given = try query(
      "--type", "Session", "--where", city, "--arguments", #"{"city": "Seoul", "levels": [1, 2]}"#, "--count")
    let written = try query("--type", "Session", "--where", "city = 'Seoul' AND level IN {1, 2}", "--count")
    #expect(given.status == 0 && given.output == written.output && given.output != "0\n")
    let moment = try query(
      "--type", "Session", "--where", "start > $from", "--count", "--arguments",
      #"{"from": {"value": 1788000000000, "type": "TIMESTAMP"}}"#)
    #expect(moment.status == 0 && moment.output != "0\n")
    for (json, message) in [
      (#"{"town": "Seoul"}"#, "--arguments: the predicate has no parameter $town"),
      (#"{"$city": "Seoul"}"#, "no parameter $$city; names are given without the $"),
      (#"{"city": "Seoul"}"#, "The parameter $levels has no value."),
      (#"{"city": "Seoul"}"#, #"hint: values are given by their names: --arguments '{"levels": …}'"#),
      (#"{"city": {"value": 1, "type": "WRONG"}, "levels": []}"#, "--arguments: city.type: "), ("3", "expected a list"),
    ] {
      let result = try query("--type", "Session", "--where", city, "--arguments", json)
      #expect(result.status != 0 && result.errors.contains(message), "\(result.errors)")
    }
    let conversion = try query("--type", "Session", "--where", "city = %@")
    #expect(conversion.errors.hasSuffix(#"hint: values are given as a list: --arguments '["Seoul", 4]'"# + "\n"))
    // Where no parameter can stand, the engine says so.
    let cast = try query(
      "--type", "Session", "--where", "start > CAST($from, 'NSDate')", "--arguments", #"{"from": 3}"#)
    #expect(cast.status != 0 && !cast.errors.contains("no parameter") && !cast.errors.isEmpty)
  }

  /// What is wrong with a query is told before files are read, where there is a schema.
  @Test func queriesAreCheckedFirst() throws {
    for command in ["query", "explain"] {
      for (more, message) in [
        (["--where", "town = 'Seoul'"], "Did not find field: 'town'"),
        (["--sort", "strat"], "Did not find field: 'strat'"),
        (["--type", "Sesion"], "Did you mean 'Session'?"),
      ] {
        let type = more[0] == "--type" ? [] : ["--type", "Session"]
        let result = try ToolProcess.run(
          [command, "--records", "nowhere.jsonl", "--schema", ToolProcess.schema] + type + more)
        #expect(result.status != 0 && result.errors.contains(message), "\(result.errors)")
        #expect(!result.errors.contains("nowhere.jsonl"))
      }
    }
  }

  @Test func blanksInListsOfNames() throws {
    let close = try query("--type", "Session", "--format", "jsonl", "--keys", "title,city")
    let apart = try query("--type", "Session", "--format", "jsonl", "--keys", " title , city,title, recordName")
    #expect(close.status == 0 && close.output == apart.output && close.output.contains("\"city\""))
  }

  @Test func recordsComeBackAsTheyWere() throws {
    for type in ["Venue", "Speaker", "Session"] {
      let result = try query("--type", type, "--format", "jsonl", schema: false)
      let given = try String(contentsOfFile: ToolProcess.records, encoding: .utf8).split(separator: "\n")
        .map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary) }
        .filter { $0["recordType"] as? String == type }
      let got = try result.objects().map { $0 as NSDictionary }
      #expect(got.count == given.count)
      var byName: [String: NSDictionary] = [:]
      for record in got { byName[record["recordName"] as? String ?? ""] = record }
      for record in given {
        let name = record["recordName"] as? String ?? ""
        let fields = try #require(byName[name]?["fields"] as? NSDictionary)
        #expect(byName[name]?.count == 3, "\(name) has more keys than it came with")
        for (key, value) in try #require(record["fields"] as? [String: NSDictionary]) {
          // A reference may be written with its default action.
          guard !((value["type"] as? String)?.hasPrefix("REFERENCE") ?? false) else { continue }
          #expect(fields[key] as? NSDictionary == value, "\(name).\(key)")
        }
      }
    }
  }

  @Test func tableGolden() throws {
    let result = try query(
      "--type", "Session", "--where", "city = 'Seoul'", "--sort", "start", "--limit", "3", "--keys",
      "title,start,location")
    #expect(result.status == 0)
    #expect(
      result.output == """
        recordName   title                        start                 location
        -----------  ---------------------------  --------------------  -----------------
        session-001  서울에 오신 것을 환영합니다  2026-09-02T00:00:00Z  37.5704, 126.9921
        session-002  Grids on a round planet      2026-09-02T01:00:00Z  37.5704, 126.9921
        session-003  Workshop: honest numbers     2026-09-02T01:00:00Z  37.5704, 126.9921

        """)
    #expect(result.errors.hasPrefix("showing 3 of "))
  }

  @Test func tableIsCutToTheWidth() throws {
    let arguments = ["query", "--records", ToolProcess.records, "--type", "Session"]
    let narrow = try ToolProcess.run(arguments, environment: ["COLUMNS": "70"])
    #expect(narrow.lines.allSatisfy { DisplayWidth.columns(of: $0) <= 70 })
    #expect(narrow.output.contains("…"))
    #expect(narrow.errors.contains("choose columns with --keys"))
    let plain = try ToolProcess.run(arguments)
    #expect(plain.lines.contains { DisplayWidth.columns(of: $0) > 100 })
    #expect(plain.lines.allSatisfy { DisplayWidth.columns(of: $0) <= 120 })
    // A name cut short would name nothing.
    #expect(plain.lines.dropFirst(2).allSatisfy { $0.hasPrefix("session-") && !$0.prefix(11).contains("…") })
  }

  @Test func formatsOfAnEmptyAnswer() throws {
    for (format, expected) in [("table", ""), ("jsonl", ""), ("json", "[]\n")] {
      let result = try query("--type", "Venue", "--where", "city = 'Nowhere'", "--format", format)
      #expect(result.status == 0 && result.output == expected && result.errors == "no record matches\n", "\(format)")
    }
    let count = try query("--type", "Venue", "--where", "city = 'Nowhere'", "--count")
    #expect(count.status == 0 && count.output == "0\n" && count.errors.isEmpty)
  }

  @Test func jsonIsOneArray() throws {
    let result = try query("--type", "Venue", "--format", "json", "--keys", "city")
    let records = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    #expect(records.count == 17)
    #expect(records.allSatisfy { ($0["fields"] as? [String: Any])?.keys.sorted() == ["city"] })
  }

  @Test func countAndSwitches() throws {
    let samples = try SampleRecords()
    #expect(try query("--type", "Session", "-c").output == "193\n")
    let rated = samples.names("Session") { $0.number("rating") == 4 }.count
    let unlike = try query("--type", "Session", "--where", "rating != 4", "--missing", "like-nspredicate", "--count")
    #expect(unlike.output == "\(193 - rated)\n")
    let folded = try query("--type", "Venue", "--where", "city = 'SUVA'", "--string-equality", "case-insensitive", "-c")
    #expect(folded.output == "\(samples.names("Venue") { $0.string("city") == "Suva" }.count)\n")
    #expect(try query("--type", "Venue", "--allow-scan", "--count").output == "17\n")
  }

  @Test func zones() throws {
    let lines = ["a", "b"].map { zone in
      #"{"recordName":"r","recordType":"T","zoneID":{"zoneName":"\#(zone)"},"fields":{"x":{"value":"\#(zone)"}}}"#
    }.joined(separator: "\n")
    func ask(_ more: String...) throws -> ToolResult {
      try ToolProcess.run(["query", "--records", "-", "--type", "T", "--keys", "x"] + more, input: lines)
    }
    #expect(try ask().lines.dropFirst(2).sorted() == ["a/r         a", "b/r         b"])
    #expect(try ask("--zone", "b").lines.last == "b/r         b")
    let missing = try ask("--zone", "c")
    #expect(missing.status == 1 && missing.errors.contains("There is no zone 'c'"))
  }

  @Test func datesOfRecordsAreKept() throws {
    let line =
      #"{"recordName":"r","recordType":"T","recordChangeTag":"7","fields":{},"created":{"timestamp":1000,"userRecordName":"u"}}"#
    let result = try ToolProcess.run(
      ["query", "--records", "-", "--type", "T", "--where", "creationDate < %@", "--format", "jsonl"]
        + ["--arguments", #"[{"value": 2000, "type": "TIMESTAMP"}]"#], input: line)
    let record = try #require(try result.objects().first)
    #expect(record["recordChangeTag"] as? String == "7")
    #expect((record["created"] as? [String: Any])?["timestamp"] as? Int == 1000)
    #expect(record["modified"] == nil)
    // What is asked for is told of where records lack it.
    #expect(!result.errors.contains("of their own"))
    let plain = try query("--type", "Venue", "--limit", "1")
    #expect(!plain.errors.contains("of their own"))
    let sorted = try query("--type", "Venue", "--sort", "___modTime", "--limit", "1")
    #expect(sorted.errors.contains("note: some records of the files have no ___modTime of their own"))
    #expect(try query("--type", "Venue", "--count", "--limit", "2").errors.contains("--limit goes not with --count"))
  }

  /// A file that is compressed is no text, and a line that is too long holds more than one record.
  @Test func filesOfOtherForms() throws {
    let packed = try ToolProcess.run(["query", "--records", "-", "--type", "T"], input: Data([0x1F, 0x8B, 8, 0, 0]))
    #expect(packed.status == 1 && packed.errors.contains("hint: the file is compressed by gzip"))
    let long = Data(repeating: UInt8(ascii: " "), count: 1 << 24) + Data("[]".utf8)
    let result = try ToolProcess.run(["query", "--records", "-", "--type", "T"], input: long)
    #expect(result.status == 1 && result.errors.contains("hint: a file of records has one record dictionary a line"))
  }

  @Test func laterRecordsTakeThePlaceOfEarlier() throws {
    let line = #"{"recordName":"r","recordType":"T","fields":{"n":{"value":"#
    let result = try ToolProcess.run(
      ["query", "--records", "-", "--type", "T"], input: line + "1}}}\r\n\r\n" + line + "2}}}")
    #expect(result.lines.last == "r           2")
    #expect(result.errors.contains("1 of 2 records took the place of earlier ones"))
  }

  @Test func faultsOfQueries() throws {
    let cases: [(arguments: [String], status: Int32, message: String)] = [
      (["--type", "Session", "--where", "city == "], 1, "--where:1:"),
      (["--type", "Session", "--where", "city = 'a' OR city = 'b'"], 1, "--where:1:12: CloudKit's dialect has no OR"),
      (
        ["--type", "Session", "--where", "town = 'a'"], 1, "--where:1:1: Did not find field: 'town' in type: 'Session'"
      ),
      (["--type", "Session", "--where", "start > 5"], 1, "--where:1:"),
      (["--type", "Session", "--where", "capacity = %@"], 1, "--where:1:12:"),
      (["--type", "Session", "--where", "capacity = %@", "--arguments", "[1"], 1, "--arguments:1:3:"),
      (["--type", "Session", "--where", "capacity = %@", "--arguments", "[NaN]"], 1, "--arguments:1:2:"),
      (["--type", "Session", "--where", "capacity = %@", "--arguments", "3"], 1, "--arguments: expected a list"),
      (["--type", "Session", "--sort", "-city"], 64, "--sort: expected"),
      (["--type", "Session", "more.jsonl"], 64, "files of records are given with --records"),
      (["--type", "Session", "--where", "capacity = $n"], 1, "--where:1:12:"),
      (["--type", "Sessions"], 1, "Did not find record type: 'Sessions'"),
      (["--type", "Users"], 1, "Can't query system types"),
      (["--type", "Session", "--sort", "town"], 1, "town"),
      (["--type", "Session", "--sort", "tags"], 1, "tags"),
      (["--type", "Session", "--near", "city:1,2"], 1, "city"),
      (["--type", "Session", "--keys", "town"], 1, "Did not find field: 'town' in type: 'Session'"),
      (
        ["--type", "Session", "--limit", "0"], 64,
        "--limit: expected a whole number from 1 to 9223372036854775807, found '0'"
      ),
      (["--type", "Session", "--limit", "-3"], 64, "--limit: expected"),
      (["--type", "Session", "--sort", "city:up"], 64, "--sort: expected"),
      (["--type", "Session", "--near", "location:91,0"], 64, "--near: expected"),
      (["--type", "Session", "--arguments", "[]"], 64, "--arguments are of use with --where only"),
      (
        ["--type", "Session", "--where", "start > %@", "--arguments", #"[{"value": "today", "type": "TIMESTAMP"}]"#],
        1,
        #"[0]: 'today' is no moment: expected milliseconds since 1970, or a text as "2026-09-01T09:00:00Z""#
      ),
      (["--type", "Session", "--dialect", "sql"], 64, "--dialect: expected cloudkit or extended, found 'sql'"),
      (["--type", "Session", "--format", "csv"], 64, "--format: expected table, jsonl or json, found 'csv'"),
      ([], 64, "--type NAME is needed"),
    ]
    for (arguments, status, message) in cases {
      let result = try ToolProcess.run(
        ["query", "--records", ToolProcess.records, "--schema", ToolProcess.schema] + arguments)
      #expect(result.status == status && result.output.isEmpty, "\(arguments)")
      #expect(result.errors.contains(message), "\(arguments): \(result.errors)")
    }
  }

  @Test func faultsOfFiles() throws {
    let good = #"{"recordName":"a","recordType":"T","fields":{"n":{"value":1,"type":"INT64"}}}"#
    let cases: [(text: String, message: String)] = [
      (good + "\n" + good.dropLast(4), ":2:"),
      (good + "\n\n" + good.replacing(":1,", with: #":"x","#), ":3: record a: fields.n.value: "),
      (good.replacing("INT64", with: "INTEGER"), ":1: record a: fields.n.type: there is no type INTEGER"),
      (good.replacing(":1,", with: ":NaN,"), ":1:"),
      (good.replacing(":1,", with: ":1e999,"), ":1:"),
      (good.replacing(#""n":"#, with: #""n n":"#), ":1: record a: 'n n' is no field name"),
      (good.replacing(#""n":"#, with: #""recordID":"#), ":1: record a: 'recordID' is the name of a system field"),
      (good.replacing(#""a","#, with: #""a\u00e9","#), ":1: record "),
      (good.replacing(#""recordType":"T","#, with: ""), ":1: record a: the key \"recordType\" is missing"),
      (
        good + "\n" + good.replacing(#""a""#, with: #""b""#).replacing("1,\"type\":\"INT64\"", with: "\"s\""),
        ":2: record b: invalid attempt to set value type STRING for field 'n' for type 'T', defined to be: INT64"
      ),
      ("[\n" + good + ",", "one record dictionary a line"),
      ("[\n" + good.replacing(":1,", with: #":"x","#) + "]", ": [0]: record a: fields.n.value: "),
      (
        #"{"records": ["# + good.replacing("recordName", with: "recordname") + "]}",
        ":1: records[0]: a record has no key"
      ),
      (#"{"serverErrorCode": "BAD_REQUEST", "reason": "no"}"#, ":1: CloudKit Web Services answered BAD_REQUEST: no"),
      ("null", ":1: "),
    ]
    for (text, message) in cases {
      try ToolProcess.withFile(text) { path in
        let result = try ToolProcess.run(["query", "--records", path, "--type", "T"])
        #expect(result.status == 1 && result.output.isEmpty, "\(text)")
        #expect(result.errors.hasPrefix(path), "\(result.errors)")
        #expect(result.errors.contains(message), "\(message): \(result.errors)")
      }
    }
    let missing = try ToolProcess.run(["query", "--records", "/nowhere/at.all", "--type", "T"])
    #expect(missing.status == 1 && missing.errors == "/nowhere/at.all: No such file or directory\n")
    let directory = try ToolProcess.run(["query", "--records", "/tmp", "--type", "T"])
    #expect(directory.status == 1 && directory.errors == "/tmp: Is a directory\n")
    let empty = try ToolProcess.run(["query", "--records", "-", "--type", "T"])
    #expect(empty.status == 1 && empty.errors.contains("Did not find record type: 'T'"))
    #expect(empty.errors.hasPrefix("note: the files hold no records\n"))
    let known = try ToolProcess.run(
      ["query", "--records", "-", "--type", "Venue", "--schema", ToolProcess.schema])
    #expect(
      known.status == 0 && known.output.isEmpty
        && known.errors == "note: the files hold no records\nno record matches\n")
  }

  /// Responses of CloudKit's, on a line or over several, and arrays, as the tool itself prints them.
  @Test func responsesAsFiles() throws {
    func record(_ name: String, _ more: String = "") -> String {
      #"{"recordName":"\#(name)","recordType":"T"\#(more),"fields":{"n":{"value":1,"type":"INT64"}}}"#
    }
    let zone = #","zoneID":{"zoneName":"notes","ownerRecordName":"_me","zoneType":"REGULAR_CUSTOM_ZONE"}"#
    let response = """
      {
        "records" : [ \(record("a")), \(record("b", zone)),
        {"recordName": "c", "serverErrorCode": "NOT_FOUND", "reason": "gone"}, {"recordName": "d", "deleted": true} ],
        "continuationMarker" : "x"
      }
      """
    func ask(_ input: String, _ more: [String] = []) throws -> ToolResult {
      try ToolProcess.run(
        ["query", "--records", "-", "--type", "T", "--sort", "n", "--format", "jsonl"] + more, input: input)
    }
    let note =
      "note: standard input: an error in place of records: c: NOT_FOUND: gone; 1 deleted record; "
      + "more records are behind its continuationMarker\n"
    let records = record("a") + "\n" + record("b", #","zoneID":{"zoneName":"notes"}"#) + "\n"
    for text in [response, response.replacing("\n", with: ""), "\u{FEFF}" + response] {
      let result = try ask(text, ["--user", "_me"])
      #expect(result.status == 0 && result.output == records, "\(result.output)")
      #expect(result.errors == note)
    }
    let others = try ask(response)
    #expect(others.status == 1 && others.errors.hasSuffix("hint: --user _me takes that user's zones for your own\n"))
    #expect(try ask(response, ["--user", "é"]).status == 64)
    // As it is printed, and lines of each kind in one file.
    let printed = try ToolProcess.run(
      ["query", "--records", "-", "--type", "T", "--format", "json", "--user", "_me"], input: response)
    #expect(try ask(printed.output).output == records)
    #expect(try ask(printed.output.replacing("\n", with: "")).output == records)
    let mixed = [record("e"), "[" + record("f") + "]", #"{"records":["# + record("g") + "]}"].joined(separator: "\n")
    #expect(try ask(mixed).lines.count == 3)
    #expect(try ask("[]").errors.hasPrefix("note: the files hold no records"))
    for text in [
      "{\"records\":\n[\(record("a"))]}", "[\n\(record("a"))\n,\(record("e"))\n]", "{\"records\"\n:[\(record("a"))]}",
    ] {
      #expect(try ask(text).status == 0, "\(text)")
    }
    // Several documents over several lines, as who asks page by page puts them into one file.
    let pages = [response, response.replacing(#""a""#, with: #""e""#), "[\n\(record("f"))\n]"].joined(separator: "\n")
    #expect(try ask(pages, ["--user", "_me"]).lines.count == 4)
    let spoilt = try ask(pages + "\n\n[\n" + record("g").replacing(":1,", with: #":"x","#) + "]", ["--user", "_me"])
    #expect(spoilt.status == 1 && spoilt.errors.contains("standard input:15: [0]: record g: fields.n.value: "))
    let behind = try ask(pages + "\n]", ["--user", "_me"])
    #expect(behind.status == 1 && behind.errors.contains("standard input:14:1: expected a value, found ']'"))
    let changes = #"{"zones":[{"zoneID":{"zoneName":"Z"},"moreComing":true,"records":[\#(record("a"))]}]}"#
    #expect(
      try ask(changes).errors == "note: standard input: more records of 'Z' are behind its syncToken\n")
    #expect(try ask(response, ["--user", "_me", "--zone", "_me/notes"]).lines.count == 1)
    #expect(try ask(#"{"subscriptions":[]}"#).errors.contains(#"The response: the key "records" is missing"#))
    #expect(
      try ask("{\n\"recordName\": \"h\", \"recordType\": \"T\", \"fields\": {\"n\": {\"value\": 2}}}").lines.count == 1)
    let named = try ToolProcess.run(
      ["match", "recordID = CAST('notes/b', 'CKReference')", "--user", "_me", "--count"], input: response)
    #expect(named.output == "1\n")
    let matched = try ToolProcess.run(["match", "n = 1", "--type", "T"], input: response)
    #expect(matched.status == 0 && matched.output == record("a") + "\n" + record("b", zone) + "\n")
  }

  /// What is printed of a record is its own, not that of one whose place it took; users without dates are, too.
  @Test func datesUsersAndTags() throws {
    let lines = [
      #"{"recordName":"r","recordType":"T","recordChangeTag":"7","created":{"timestamp":1000},"fields":{"n":{"value":1}}}"#,
      #"{"recordName":"r","recordType":"T","fields":{"n":{"value":2}}}"#,
      #"{"recordName":"u","recordType":"T","created":{"userRecordName":"somebody"},"fields":{"n":{"value":3}}}"#,
    ]
    let result = try ToolProcess.run(
      ["query", "--records", "-", "--type", "T", "--sort", "n", "--format", "jsonl"],
      input: lines.joined(separator: "\n"))
    #expect(
      result.lines == [
        #"{"recordName":"r","recordType":"T","fields":{"n":{"value":2,"type":"INT64"}}}"#,
        #"{"recordName":"u","recordType":"T","fields":{"n":{"value":3,"type":"INT64"}},"#
          + #""created":{"userRecordName":"somebody"}}"#,
      ])
  }

  /// Of records with one name the one that does not fit is told.
  @Test func whichRecordIsRefused() throws {
    func line(_ type: String, _ value: String) -> String {
      #"{"recordName":"a","recordType":"\#(type)","fields":{"x":{"value":\#(value)}}}"#
    }
    for (lines, number) in [
      ([line("T", "1"), line("U", "1"), line("T", "1")], 2), ([line("T", "1"), line("T", #""s""#), line("T", "2")], 2),
    ] {
      let result = try ToolProcess.run(
        ["query", "--records", "-", "--type", "T"], input: lines.joined(separator: "\n"))
      #expect(result.status == 1 && result.errors.hasPrefix("standard input:\(number):"), "\(result.errors)")
    }
  }

  @Test func standardInputIsReadOnce() throws {
    for command in [
      ["match", "n = 1", "--schema", "-"], ["match", "n = 1", "-", "--schema", "-"],
      ["query", "--schema", "-", "--records", "-", "--type", "T"],
      ["explain", "--schema", "-", "--records", "-", "--type", "T"],
    ] {
      let result = try ToolProcess.run(command, input: "DEFINE SCHEMA RECORD TYPE T (n INT64);")
      #expect(result.status == 64 && result.errors.contains("standard input can be read once"), "\(command)")
    }
  }

  /// A record that is no dictionary would lose what it holds; a mark that an editor wrote is none of the text.
  @Test func recordsOfOtherForms() throws {
    let asked = ["query", "--records", "-", "--type", "T", "--format", "jsonl"]
    let plain = try ToolProcess.run(asked, input: #"{"recordName":"q","recordType":"T","n":1}"#)
    #expect(plain.status == 1 && plain.errors.contains(#"standard input:1: a record dictionary has no key "n""#))
    let bare = try ToolProcess.run(asked, input: #"{"recordName":"q","recordType":"T","created":{"timestamp":1}}"#)
    #expect(bare.status == 0 && bare.lines.count == 1)
    let marked = try ToolProcess.run(
      asked, input: "\u{FEFF}" + #"{"recordName":"q","recordType":"T","fields":{"n":{"value":1}}}"#)
    #expect(marked.status == 0 && marked.lines.count == 1)
    for sort in ["n,s", "n desc"] {
      let result = try ToolProcess.run(asked + ["--sort", sort], input: "")
      #expect(result.status == 64 && result.errors.contains("--sort: expected FIELD"))
    }
  }

  @Test func schemaIsKept() throws {
    let line = #"{"recordName":"a","recordType":"Venue","fields":{"name":{"value":"x"},"colour":{"value":"red"}}}"#
    let result = try ToolProcess.run(
      ["query", "--records", "-", "--type", "Venue", "--schema", ToolProcess.schema], input: line)
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("standard input:1: record a: Cannot create or modify field 'colour'"))
    try ToolProcess.withFile("DEFINE SCHEMA\n  RECORD TYPE T (\n    name STRNG\n  );\n", named: "x.ckdb") { path in
      let broken = try ToolProcess.run(["query", "--records", "-", "--type", "T", "--schema", path])
      #expect(broken.status == 1 && broken.errors.hasPrefix("\(path):3:10: "), "\(broken.errors)")
    }
  }
}
