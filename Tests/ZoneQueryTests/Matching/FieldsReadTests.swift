import Testing

@testable import ZoneQuery

@Suite struct FieldsReadTests {
  /// What an answer is read of is known from the next one on, and forgotten once many answers were read of other fields.
  @Test func followsTheReader() {
    var fields = FieldsRead()
    #expect(fields.known == 0)
    fields.lately |= 0b101
    fields.endAnswer()
    #expect(fields.known == 0b101)
    var answers = 0
    while fields.known & 0b100 != 0, answers < 1_000 {
      fields.lately |= 0b1
      fields.endAnswer()
      #expect(fields.known & 0b1 != 0)
      answers += 1
    }
    #expect(answers >= FieldsRead.memory && answers <= 2 * FieldsRead.memory)
    #expect(fields.known == 0b1)
  }

  /// A field that is read now and then stays known; where nothing is read, nothing is before long.
  @Test func rememberRareReads() {
    var fields = FieldsRead()
    for answer in 0..<1_000 {
      fields.lately |= answer % (FieldsRead.memory / 2) == 0 ? 0b11 : 0b1
      fields.endAnswer()
      #expect(fields.known == 0b11)
    }
    for answer in 0..<2 * FieldsRead.memory {
      #expect(answer >= FieldsRead.memory - 1 || fields.known == 0b11)
      fields.endAnswer()
    }
    #expect(fields.known == 0)
  }

  /// A prepared query learns what is read of its answers, and unlearns it.
  @Test func preparedQueries() throws {
    let schema = try Schema(ckdb: "DEFINE SCHEMA\n RECORD TYPE T (n INT64 QUERYABLE SORTABLE, s STRING);")
    let database = try Database(schema: schema)
    for n in 0..<50 {
      var record = Record(recordType: "T", recordName: "r\(n)")
      (record["n"], record["s"]) = (.int64(Int64(n)), .string("text \(n)"))
      try database.save(record)
    }
    let query = try database.prepare(
      Query(recordType: "T", predicate: try QueryPredicate(format: "n > $n"), sort: [.ascending("n")]),
      inZoneWith: .default)
    let text = try query.field("s")
    for round in 0..<3 * FieldsRead.memory {
      var sum = 0
      try query.forEachRecord(["n": 10], resultsLimit: 20) { record in
        sum += record.withUTF8(text) { $0.count } ?? 0
      }
      #expect(sum == 20 * 7, "\(round)")
    }
    let textAlone = try #require(query.fieldsKnown)
    #expect(textAlone.nonzeroBitCount == 1 && textAlone != 1)
    // Answers without records tell nothing of what is read.
    for _ in 0..<3 * FieldsRead.memory { try query.forEachRecord(["n": 100], resultsLimit: 20) { _ in } }
    #expect(query.fieldsKnown == textAlone)
    for _ in 0..<3 * FieldsRead.memory {
      try query.forEachRecord(["n": 10], resultsLimit: 20) { record in _ = record.withRecordName { $0.count } }
    }
    #expect(query.fieldsKnown == 1)
    for _ in 0..<3 * FieldsRead.memory {
      try query.forEachRecord(["n": 10], resultsLimit: 20) { record in _ = record.value(text) }
    }
    #expect(query.fieldsKnown == textAlone)
    for _ in 0..<3 * FieldsRead.memory {
      try query.forEachRecord(["n": 10], resultsLimit: 20) { record in _ = record.recordID }
    }
    #expect(query.fieldsKnown == 1)
    for _ in 0..<3 * FieldsRead.memory {
      try query.forEachRecord(["n": 10], resultsLimit: 20) { record in _ = record.creationDate }
    }
    #expect(query.fieldsKnown == 1 << UInt64(FieldNumber(.creationDate)))
  }
}
