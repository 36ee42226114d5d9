import Testing

@testable import ZoneQuery

/// Subscriptions whose blocks are the shortest there are lie within their index's memory, however many there are: what looks
/// at a block for the sake of the cache looks at no word behind it. Tells of it under the address sanitizer.
struct CandidateListTests {
  private static let type = RecordType("T", fields: [FieldDefinition("n", .int64), FieldDefinition("s", .string)])

  @Test(arguments: ["TRUEPREDICATE", "n != nil", "n > 2", "s BEGINSWITH 'a'"])
  func shortestBlocks(format: String) throws {
    let index = SubscriptionIndex(options: PredicateOptions(dialect: .extended))
    var record = Record(recordType: "T", recordName: "r")
    record["n"] = .int64(5)
    record["s"] = .string("abc")
    let prepared = try index.prepare(QueryPredicate(format: format), for: Self.type)
    for count in 1...700 {
      _ = try index.add(prepared)
      #expect(index.matches(created: record).count == count)
    }
  }
}
