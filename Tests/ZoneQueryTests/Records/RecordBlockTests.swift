import Testing

@testable import ZoneQuery

/// Records of answers, which lie together as they are stored, against the records that were saved.
struct RecordBlockTests {
  /// A database of one type, with records by name.
  private struct Sample {
    let database: Database
    var records: [String: Record] = [:]

    init(_ type: RecordType, count: Int, seed: UInt64, _ fill: (inout StorageSamples, Int) -> Record) throws {
      database = try Database(schema: Schema([type]))
      var samples = StorageSamples(random: SplitMix(seed: seed))
      for number in 0..<count {
        var record = fill(&samples, number)
        record.parent = nil
        for (name, value) in record.fields where value.fault != nil { record[name] = nil }
        records[record.recordID.recordName] = record
      }
      try database.load(records.values.sorted { $0.recordID.recordName < $1.recordID.recordName })
    }

    func page(_ type: String, keys: [String]? = nil, limit: Int = 10_000) throws -> [Record] {
      try database.records(
        matching: Query(recordType: type, sort: [.ascending("modificationDate")]), desiredKeys: keys,
        resultsLimit: limit
      ).records
    }
  }

  /// A type of more fields than a word has bits, of which records have some.
  private static let wide = RecordType("W", fields: (0..<150).map { FieldDefinition("f\($0)", .string) })

  @Test func valuesAreThoseSaved() throws {
    let sample = try Sample(StorageSamples.type, count: 700, seed: 1) { samples, number in
      samples.record("r\(number)", zoneID: .default, filled: number % 7)
    }
    var checks = 0
    for record in try sample.page("T") {
      let saved = try #require(sample.records[record.recordID.recordName])
      #expect(record.fieldCount == saved.fieldCount)
      #expect(Set(record.fieldNames) == Set(saved.fieldNames))
      for (name, value) in saved.fields {
        #expect(record[name] == value, "\(record.recordID): \(name)")
        checks += 1
      }
      for (name, value) in record.fields { #expect(saved[name] == value) }
      #expect(record.hasSameFields(as: saved) && saved.hasSameFields(as: record))
      #expect(record["nothing"] == nil)
      #expect(record == (try sample.database.record(for: record.recordID)))
      checks += record.fieldCount + 6
    }
    print("records of answers: \(checks) checks")
    #expect(checks > 14_000)
  }

  @Test func manyFields() throws {
    let sample = try Sample(RecordBlockTests.wide, count: 300, seed: 2) { samples, number in
      var record = Record(recordType: "W", recordName: "w\(number)")
      for field in 0..<150 where samples.below(number % 20 + 2) == 0 {
        record["f\(field)"] = .string("\(number) \(field)")
      }
      return record
    }
    for record in try sample.page("W") {
      #expect(record.hasSameFields(as: try #require(sample.records[record.recordID.recordName])))
    }
    for record in try sample.page("W", keys: ["f3", "f149"]) {
      let saved = try #require(sample.records[record.recordID.recordName])
      #expect(record["f3"] == saved["f3"] && record["f149"] == saved["f149"] && record["f4"] == nil)
      #expect(record.fieldCount == ["f3", "f149"].count { saved[$0] != nil })
    }
  }

  /// A copy that is changed leaves the other copies, and the records beside it, as they are.
  @Test func copiesAreIndependent() throws {
    let sample = try Sample(StorageSamples.type, count: 40, seed: 3) { samples, number in
      var record = samples.record("r\(number)", zoneID: .default)
      if number % 2 == 0 {
        for (name, value) in record.fields where value.type.scalar == .reference { record[name] = nil }
        record.share = nil
      }
      return record
    }
    let records = try sample.page("T")
    let before = records
    var changed = records[3]
    changed["f_INT64"] = 4
    changed["f_STRING"] = nil
    #expect(changed["f_INT64"] == 4 && changed.string("f_STRING") == nil)
    #expect(records == before)
    #expect(changed.recordID == records[3].recordID && changed.changeTag == records[3].changeTag)
    #expect(changed.creatorUserRecordID == records[3].creatorUserRecordID)
    #expect(changed.creationDate == records[3].creationDate)
    var again = changed
    again["f_INT64"] = 5
    #expect(changed["f_INT64"] == 4 && again["f_INT64"] == 5)
    again["f_INT64"] = 4
    #expect(again == changed && again.hashValue == changed.hashValue)
    // What was made of its parts equals what lies in a block.
    var parts = records[3]
    parts.parent = records[3].parent
    #expect(parts == records[3] && records[3] == parts && parts.hashValue == records[3].hashValue)
    // Saved again it is the same record.
    let sound = try #require(records.first { !$0.holdsReferences })
    let saved = try sample.database.save(sound, policy: .allKeys)
    #expect(saved.hasSameFields(as: sound) && saved != sound)
  }

  @Test func valuesUnderTheirType() throws {
    let database = try Database()
    var record = Record(recordType: "T", recordName: "a")
    record["text"] = "A longer text than would have room in a word or two"
    record["whole"] = 7
    record["number"] = 7.5
    record["moment"] = .timestamp(Timestamp(milliseconds: 5))
    record["place"] = .location(Location(latitude: 1, longitude: 2))
    record["other"] = .reference(Reference(RecordID(recordName: "b")))
    record["texts"] = .stringList(["a", "b"])
    try database.save(record)
    let fetched = try #require(
      try database.records(matching: Query(recordType: "T")).records.first)
    for record in [record, fetched] {
      #expect(record.string("text") == "A longer text than would have room in a word or two")
      #expect(record.int64("whole") == 7 && record.double("number") == 7.5)
      #expect(record.timestamp("moment") == Timestamp(milliseconds: 5))
      #expect(record.location("place") == Location(latitude: 1, longitude: 2))
      #expect(record.reference("other")?.recordID == RecordID(recordName: "b"))
      #expect(record.stringList("texts") == ["a", "b"])
      #expect(record.string("whole") == nil && record.int64("number") == nil && record.double("whole") == nil)
      #expect(record.timestamp("whole") == nil && record.int64("moment") == nil && record.stringList("text") == nil)
      #expect(record.string("nothing") == nil && record.location("text") == nil && record.reference("text") == nil)
    }
  }

  /// An answer takes far fewer pieces of memory than it has records.
  @Test func recordsShareBlocks() throws {
    let sample = try Sample(StorageSamples.type, count: 64, seed: 4) { samples, number in
      samples.record("r\(number)", zoneID: .default)
    }
    let records = try sample.page("T")
    let blocks = Set(records.map { ObjectIdentifier($0.content.block) })
    #expect(blocks.count >= 64 / RecordReader.blockLimit && blocks.count <= 32)
  }
}
