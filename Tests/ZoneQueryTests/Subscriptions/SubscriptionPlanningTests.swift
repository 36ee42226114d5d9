import Testing

@testable import ZoneQuery

/// When an index plans its subscriptions anew.
struct SubscriptionPlanningTests {
  private static let type = RecordType(
    "Item",
    fields: [FieldDefinition("number", .int64), FieldDefinition("name", .string), FieldDefinition("note", .string)])

  /// Numbers and names that follow no order, from a counter.
  private func record(_ count: inout UInt64, above least: Int64) -> Record {
    count &+= 1
    let mixed = ByteHash.fold(count, 0x9E37_79B9_7F4A_7C15)
    var record = Record(recordType: "Item", recordName: "r\(count)")
    record["number"] = .int64(least + Int64(mixed % 1_000))
    record["name"] = .string("n\(mixed >> 32 % 50)")
    record["note"] = "read by nobody"
    return record
  }

  @Test func whereRecordsComeToLookDifferent() throws {
    let index = SubscriptionIndex()
    var count: UInt64 = 0
    index.learn(from: (0..<600).map { _ in record(&count, above: 0) }, recordType: Self.type)
    for number in 0..<300 {
      _ = try index.add(
        QueryPredicate(format: "number BETWEEN {%@, %@} AND name = %@", number, number + 9, "n\(number % 50)"),
        for: Self.type)
    }
    func isMoving() -> Bool { index.withTable(named: "Item") { $0.isMoving } ?? false }
    var (found, isAnew) = (0, false)
    for _ in 0..<3_000 {
      found += index.matches(created: record(&count, above: 0)).count
      if isMoving() { isAnew = true }
    }
    // Asked after 2,400.
    #expect(!isAnew)
    #expect(found > 50)
    for _ in 0..<7_000 where !isAnew {
      let next = record(&count, above: 400)
      let matches = index.matches(created: next)
      if isMoving() {
        isAnew = true
        #expect(matches == index.matchesByScanning(created: next))
      }
    }
    // Asked again after 9,600, when two thirds of the sample are of the others.
    #expect(isAnew)
  }
}
