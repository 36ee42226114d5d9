import Foundation
import Testing
import ZoneQuery

/// Texts that were made to have the same hash: what is looked up by one costs no more than a look at each of them.
struct HostileHashTests {
  /// Of each pair, put behind each other in order after `key`, either text leads to the same state of FNV-1a of 64 bits, so
  /// that all 2¹¹ texts have one hash. The pairs were found by reduction of the lattice of sums of powers of its prime.
  private static let pairs = [
    ("20IRYfJGITyc5a", "0qBB6nFCMiD5Wd"), ("lBLCLEdtdlE4TJ", "nOKSAK0zbixTLO"), ("vZ4YNqAq8mQ0rZ", "teqM5SSQ6jTXnW"),
    ("lnS21P2PTmr3Yc", "n1jjDLzNNn5YGd"), ("hnxAZ4rGjdE6sq", "jQ5M9PNCTcBJQl"), ("XVSH86g3rbX8Ev", "ZKXDUR17laMPKy"),
    ("Mz9ML5wSDyDZm6", "K9l9I3IWFtA2o5"), ("iZUgDbolyl65Ri", "kmX7If5fqkOcrv"), ("hztIBFIjbLDVJj", "n91E5NOTdsY6Fg"),
    ("2PS6MwGS3BqSaS", "4SjfHmMOOAJ9gL"), ("s9d68B7AssDd7D", "uvaFUFmAwzA4UC"),
  ]

  private static let texts = pairs.reduce(["key"]) { texts, pair in texts.flatMap { [$0 + pair.0, $0 + pair.1] } }

  @Test func textsHaveOneHash() {
    let hashes = Self.texts.map {
      $0.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    #expect(Set(hashes).count == 1 && Set(Self.texts).count == 2_048)
  }

  @Test func keysOfAnObject() throws {
    func json(_ keys: [String]) -> String {
      let fields = keys.map { "\"\($0)\":{\"value\":1}" }.joined(separator: ",")
      return "{\"recordName\":\"r\",\"recordType\":\"Thing\",\"fields\":{\(fields)}}"
    }
    let time = try threadTime {
      let record = try Record(webServicesJSON: json(Self.texts))
      #expect(record.fieldNames.count == 2_048 && record[Self.texts[777]] == .int64(1))
      #expect(throws: ZoneQueryError.self) { try Record(webServicesJSON: json(Self.texts + [Self.texts[900]])) }
    }
    #expect(time < .seconds(20), "\(time)")
  }

  @Test func membersAndWords() throws {
    let type = RecordType(
      "Thing",
      fields: [
        FieldDefinition("tags", .list(.string), [.queryable, .searchable]), FieldDefinition("age", .int64, .queryable),
        FieldDefinition("name", .string, .queryable),
      ])
    let database = try Database(schema: Schema([type]))
    let records = Self.texts.enumerated().map { index, text in
      var record = Record(recordType: "Thing", recordName: text)
      record["tags"] = .stringList([text, "all"])
      record["name"] = .string(text)
      record["age"] = .int64(Int64(index % 7))
      return record
    }
    var checks = 0
    let time = try threadTime {
      #expect(try database.load(records) == 2_048)
      try database.addIndex(IndexDefinition(recordType: "Thing", keys: ["tags", "age"]))
      for index in stride(from: 5, to: 2_048, by: 97) {
        let text = Self.texts[index]
        for format in [
          "ANY tags = %@", "ANY tags = %@ AND age = \(index % 7)", "name = %@", "ALL tokenize(%@, 'cdl') IN allTokens",
        ] {
          let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: format, text))
          let found = try database.records(matching: query).records.map(\.recordID.recordName)
          #expect(found == [text], "\(format)")
          checks += 1
        }
      }
    }
    print("texts of one hash: \(checks) found")
    #expect(checks == 88 && time < .seconds(20), "\(time)")
  }
}
