import Foundation
import Testing

@testable import ZoneQueryTool

/// Input with random damage, the same for a seed: nothing may stop a batch or end the process by a signal.
struct MutatedInputTests {
  private static let seeds = [
    #"{"id": 7, "format": "n > %@ AND ANY tags BEGINSWITH 'a'", "arguments": [{"value": 1, "type": "INT64"}], "fields": {"n": {"value": 2, "type": "INT64"}, "tags": {"value": ["a", "b"], "type": "STRING_LIST"}}}"#,
    #"{"id": "é", "format": "distanceToLocation:fromLocation:(p, CAST(\"1,2\", \"CLLocation\")) < 5e3", "fields": {"p": {"value": {"latitude": 1.0, "longitude": 2.01}, "type": "LOCATION"}}}"#,
    #"{"id": null, "format": "ALL tokenize('Straße café', 'cdl') IN allTokens", "fields": {"s": {"value": "STRASSE cafe\u0301"}}, "dialect": "extended"}"#,
    #"{"id": -1, "format": "NOT (a.@count BETWEEN {1, 2 + 3}) OR b = nil OR c LIKE 'x*?'", "fields": {"t": {"value": 1e3, "type": "TIMESTAMP"}}, "dialect": "extended"}"#,
  ]

  private static let pieces = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "(", ")", "'", "null", "NaN", "-0", "1e999", "9223372036854775808", "%@",
    "\u{0}", "\u{1B}[2J", "\u{FEFF}", "\u{301}", "AND", "NOT ", "IN", "==", "$x", "CAST", "\"type\":", "DOUBLE", "12",
  ]

  private static func mutated(_ text: String, _ random: inout RandomSource) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0...random.below(4) {
      let place = random.below(bytes.count + 1)
      switch random.below(5) {
      case 0: bytes.removeSubrange(place..<min(bytes.count, place + random.below(6)))
      case 1: bytes.insert(contentsOf: Array(pieces[random.below(pieces.count)].utf8), at: place)
      case 2: bytes.insert(UInt8(random.below(256)), at: place)
      case 3: bytes = Array(bytes[..<place])
      default: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.below(8)) }
      }
    }
    // One line stays one line, and no line is blank.
    return bytes.map { $0 == 0x0A ? 0x20 : $0 } + [UInt8(ascii: "}")]
  }

  @Test func batchesAnswerEveryLine() throws {
    var random = RandomSource(seed: 20_260_901)
    var input: [UInt8] = []
    let count = 3_000
    for _ in 0..<count { input += Self.mutated(Self.seeds[random.below(Self.seeds.count)], &random) + [0x0A] }
    for command in ["match", "parse"] {
      let result = try ToolProcess.run([command, "--batch"], input: Data(input))
      #expect(result.status == 0 && result.errors.isEmpty, "\(command): \(result.errors.prefix(300))")
      let answers = try result.objects()
      #expect(answers.count == count)
      let keys = command == "match" ? ["match", "error"] : ["cloudKit"]
      #expect(answers.allSatisfy { answer in answer["id"] != nil && keys.contains { answer[$0] != nil } })
    }
    print("mutated batches: \(2 * count) lines checked")
  }

  @Test func watchGoesOnBehindADamagedChange() throws {
    let seeds = [
      #"{"operationType": "forceUpdate", "record": {"recordName": "session-004", "fields": {"capacity": {"value": 410}}}}"#,
      #"{"recordName": "x\u00e9", "recordType": "Session", "zoneID": {"zoneName": "a"}, "fields": {"tags": {"value": ["a"]}}}"#,
      #"{"operationType": "delete", "record": {"recordName": "session-002", "deleted": true}}"#,
    ]
    var random = RandomSource(seed: 20_261_121)
    var input: [UInt8] = []
    let count = 2_000
    for index in 0..<count {
      let seed = seeds[random.below(seeds.count)]
      // Damage hides from damage: some lines stay whole.
      input += index % 4 == 0 ? Array(seed.utf8) : Self.mutated(seed, &random).dropLast()
      input.append(0x0A)
    }
    // The last line tells that all before it were read.
    input += #"{"recordName": "end", "recordType": "Session"}"#.utf8
    let result = try ToolProcess.run(
      ["watch", "--subscriptions", ToolProcess.samples + "/subscriptions.jsonl", "--records", ToolProcess.records],
      input: Data(input))
    #expect(result.status == 1, "\(result.errors.suffix(300))")
    let notifications = try result.objects()
    #expect(notifications.allSatisfy { $0["subscriptionID"] is String })
    let told = result.errors.split(separator: "\n").filter { $0.hasPrefix("standard input:") }.count
    print("mutated changes: \(count) lines, \(told) told, \(result.lines.count) notifications")
    #expect(told > count / 4 && result.lines.count > 100)
    try ToolProcess.withDirectory { directory in
      let file = directory.appending(path: "s.jsonl")
      let lines = try String(contentsOfFile: ToolProcess.samples + "/subscriptions.jsonl", encoding: .utf8)
        .split(separator: "\n").map(String.init)
      for _ in 0..<TestAmount.of(80) {
        try Data(Self.mutated(lines[random.below(lines.count)], &random).dropLast()).write(to: file)
        let result = try ToolProcess.run(
          ["watch", "--subscriptions", file.path, "--schema", ToolProcess.schema], input: "")
        #expect([0, 1].contains(result.status) && result.output.isEmpty && !result.errors.isEmpty)
      }
    }
  }

  @Test func filesEndInAnAnswerOrAnError() throws {
    var random = RandomSource(seed: 7)
    let records = try String(contentsOfFile: ToolProcess.records, encoding: .utf8).split(separator: "\n")
    let schema = try String(contentsOfFile: ToolProcess.schema, encoding: .utf8)
    var checks = 0
    try ToolProcess.withDirectory { directory in
      let recordFile = directory.appending(path: "r.jsonl")
      let schemaFile = directory.appending(path: "s.ckdb")
      for _ in 0..<TestAmount.of(80) {
        let line = String(records[random.below(records.count)])
        try Data(Self.mutated(line, &random).dropLast()).write(to: recordFile)
        try Data(Self.mutated(schema, &random).dropLast()).write(to: schemaFile)
        for arguments in [
          ["query", "--records", recordFile.path, "--type", "Session", "--sort", "city"], ["schema", schemaFile.path],
        ] {
          let result = try ToolProcess.run(arguments)
          checks += 1
          #expect([0, 1].contains(result.status), "\(arguments): \(result.status) \(result.errors.prefix(300))")
          if result.status == 1 { #expect(!result.errors.isEmpty && result.output.isEmpty) }
        }
      }
    }
    print("mutated files: \(checks) runs checked")
    #expect(checks >= TestAmount.of(160))
  }
}
