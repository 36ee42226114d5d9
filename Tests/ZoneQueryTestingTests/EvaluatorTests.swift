import PredicateSyntax
import Testing
import ZoneQuery

@testable import ZoneQueryTesting

/// The naive evaluator itself, held to the rules by hand: an oracle that agrees with everything proves nothing.
struct EvaluatorTests {
  private static let type = RecordType(
    "Thing",
    fields: [
      FieldDefinition("name", .string, .searchable), FieldDefinition("age", .int64), FieldDefinition("price", .double),
      FieldDefinition("start", .timestamp), FieldDefinition("place", .location), FieldDefinition("owner", .reference),
      FieldDefinition("tags", .list(.string)), FieldDefinition("counts", .list(.int64)),
    ])

  private static let record: Record = {
    var record = Record(recordType: "Thing", recordName: "r")
    record["name"] = "Straße"
    record["age"] = .int64(1 << 53 + 1)
    record["price"] = .double(0x1p63)
    record["start"] = .timestamp(Timestamp(milliseconds: 978_307_200_000))
    record["place"] = .location(Location(latitude: 0, longitude: 0))
    record["tags"] = .stringList(["maps", "Sea"])
    record["counts"] = .int64List([])
    return record
  }()

  private func truth(_ format: String, _ options: PredicateOptions) throws -> Truth {
    NaiveEvaluator(recordType: Self.type, options: options)
      .truth(of: try QueryPredicate(format: format).root, for: Self.record)
  }

  @Test func rules() throws {
    let extended = PredicateOptions(dialect: .extended)
    for (format, expected) in [
      ("age = 9007199254740992.0", Truth.no), ("age > 9007199254740992.0", .yes), ("age = 9007199254740993", .yes),
      ("price > 9223372036854775807", .yes), ("price = 9223372036854775808.0", .yes), ("price < 1e300", .yes),
      ("name = 'STRASSE'", .no), ("name ==[c] 'STRASSE'", .yes), ("name <[c] 'stz'", .yes), ("name BEGINSWITH ''", .no),
      ("name LIKE '?tr*e'", .yes), ("name LIKE 'tr*'", .no), ("name LIKE '*a?e'", .yes),
      ("start = CAST(0, 'NSDate')", .yes), ("start > CAST(0.0006, 'NSDate')", .no),
      ("tags CONTAINS 'maps'", .yes), ("ANY tags BEGINSWITH 'S'", .yes), ("ALL {'maps', 'x'} IN tags", .no),
      ("ANY counts = 1", .no), ("ALL counts = 1", .yes), ("NOT (ALL {} IN counts)", .no),
      ("owner = CAST('a', 'CKReference')", .unknown), ("NOT (owner = CAST('a', 'CKReference'))", .unknown),
      ("owner = nil", .yes), ("owner != nil", .no), ("age = 1 OR owner != CAST('a', 'CKReference')", .unknown),
      ("age = 1 AND owner != CAST('a', 'CKReference')", .no), ("self CONTAINS 'strasse'", .yes),
      ("self CONTAINS 'the'", .no), ("ALL tokenize('STRASSE x', 'cdl') IN allTokens", .no), ("age / 0 = nil", .yes),
      ("distanceToLocation:fromLocation:(place, CAST('0,1', 'CLLocation')) < 111319", .no),
      ("distanceToLocation:fromLocation:(place, CAST('0,1', 'CLLocation')) < 111320", .yes),
      ("distanceToLocation:fromLocation:(place, CAST('0,1', 'CLLocation')) < 111319.4908", .undecided),
      ("distanceToLocation:fromLocation:(place, CAST('0,0', 'CLLocation')) <= 0", .yes),
      ("distanceToLocation:fromLocation:(place, CAST('0,0', 'CLLocation')) < 0", .no),
    ] {
      #expect(try truth(format, extended) == expected, "\(format)")
    }
    let nils = PredicateOptions(missingFields: .likeNSPredicate, stringEquality: .caseInsensitive)
    for (format, expected) in [
      ("owner != CAST('a', 'CKReference')", Truth.yes), ("owner = CAST('a', 'CKReference')", .no),
      ("name = 'STRASSE'", .yes), ("name BEGINSWITH 'STRA'", .no), ("ANY tags = 'sea'", .yes),
    ] {
      #expect(try truth(format, nils) == expected, "\(format)")
    }
  }

  @Test func numbersOrderExactly() {
    let doubles = BoundaryValues.doubles.sorted()
    for (low, high) in zip(doubles, doubles.dropFirst()) where low < high {
      #expect(ExactNumber.order(ExactNumber(low), ExactNumber(high)) < 0, "\(low) \(high)")
      #expect(ExactNumber.order(ExactNumber(high), ExactNumber(low)) > 0, "\(low) \(high)")
    }
    #expect(ExactNumber.order(ExactNumber(-0.0), ExactNumber(0 as Int64)) == 0)
    #expect(ExactNumber.order(ExactNumber(Int64.max), ExactNumber(0x1p63)) < 0)
    #expect(ExactNumber.order(ExactNumber(Int64.min), ExactNumber(-0x1p63)) == 0)
    #expect(ExactNumber.order(ExactNumber(Int64.min), ExactNumber(-Double.infinity)) > 0)
    #expect(ExactNumber.order(ExactNumber(0 as Int64), ExactNumber(Double.leastNonzeroMagnitude)) < 0)
  }
}
