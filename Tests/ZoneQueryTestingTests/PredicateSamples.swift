import Foundation
import PredicateSyntax
import ZoneQuery
import ZoneQueryTesting

/// A predicate with closures that mean the same, and others that mean nearly the same.
struct PredicateSample: Sendable, CustomStringConvertible {
  typealias Closure = @Sendable (Record) -> Bool

  let format: String
  var options = PredicateOptions()
  var parameters: [String: ArgumentValue] = [:]
  let right: Closure
  let wrong: [Closure]

  var description: String { format }

  init(
    _ format: String, options: PredicateOptions = PredicateOptions(), parameters: [String: ArgumentValue] = [:],
    right: @escaping Closure, wrong: Closure...
  ) {
    self.format = format
    self.options = options
    self.parameters = parameters
    self.right = right
    self.wrong = wrong
  }

  /// A type with fields of all types.
  static let type: RecordType = {
    let text = """
      DEFINE SCHEMA RECORD TYPE Event (
        title STRING QUERYABLE SEARCHABLE, notes STRING SEARCHABLE, city STRING QUERYABLE SORTABLE,
        seats INT64 QUERYABLE SORTABLE, price DOUBLE QUERYABLE, start TIMESTAMP SORTABLE, place LOCATION QUERYABLE,
        venue REFERENCE QUERYABLE, tags LIST<STRING> QUERYABLE, scores LIST<INT64> QUERYABLE, weights LIST<DOUBLE>,
        days LIST<TIMESTAMP>, stops LIST<LOCATION>, guests LIST<REFERENCE> QUERYABLE, data BYTES, photo ASSET,
        blobs LIST<BYTES>, photos LIST<ASSET>, secret ENCRYPTED STRING
      );
      """
    return (try? Schema(ckdb: text))?.recordTypes.first ?? RecordType("Event")
  }()

  static let extended = PredicateOptions(dialect: .extended)
  static let now = Timestamp(milliseconds: 1_788_000_000_000)
  static let suva = Location(latitude: -18.1348, longitude: 178.4232)

  private static func same(_ left: String?, _ right: String) -> Bool { left?.utf8.elementsEqual(right.utf8) ?? false }

  private static func begins(_ text: String?, _ prefix: String) -> Bool {
    text?.utf8.starts(with: prefix.utf8) ?? false
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  private static func words(_ record: Record, _ names: [String] = ["title", "notes"]) -> [String] {
    names.compactMap { record.string($0) }.flatMap { folded($0).split { !$0.isLetter && !$0.isNumber } }.map(
      String.init)
  }

  private static func names(_ record: Record) -> [String] {
    record.referenceList("guests")?.filter { $0.recordID.zoneID.isDefault }.map(\.recordID.recordName) ?? []
  }

  static let texts = [
    PredicateSample(
      "city = 'Suva'", right: { same($0.string("city"), "Suva") },
      wrong: { $0.string("city")?.lowercased() == "suva" }, { $0.string("city")?.hasPrefix("Suva") == true },
      { $0.string("city").map { same($0, "Suva") } ?? true }),
    // Swift takes a letter with a mark and the letter before the mark for the same.
    PredicateSample(
      "city = 'Caf\u{E9}'", right: { same($0.string("city"), "Caf\u{E9}") }, wrong: { $0.string("city") == "Caf\u{E9}" }
    ),
    PredicateSample(
      "city != 'Suva'", right: { $0.string("city").map { !same($0, "Suva") } ?? false },
      wrong: { !same($0.string("city"), "Suva") }),
    PredicateSample(
      "city IN {'Suva', 'Nadi'}", right: { same($0.string("city"), "Suva") || same($0.string("city"), "Nadi") },
      wrong: { same($0.string("city"), "Suva") }),
    PredicateSample(
      "city BEGINSWITH 'Caf'", right: { begins($0.string("city"), "Caf") },
      wrong: { $0.string("city")?.contains("Caf") == true }, { begins($0.string("city")?.lowercased(), "caf") }),
    // The letter that a mark follows is no prefix of the character to Swift.
    PredicateSample(
      "city BEGINSWITH 'Cafe'", right: { begins($0.string("city"), "Cafe") },
      wrong: { $0.string("city")?.hasPrefix("Cafe") == true }),
    PredicateSample(
      "city > 'Suva'",
      right: { $0.string("city").map { "Suva".utf8.lexicographicallyPrecedes($0.utf8) } ?? false },
      wrong: { $0.string("city").map { !$0.utf8.lexicographicallyPrecedes("Suva".utf8) } ?? false }),
    PredicateSample(
      "city = 'Suva'", options: PredicateOptions(stringEquality: .caseInsensitive),
      right: { $0.string("city").map { same($0.lowercased(), "suva") } ?? false },
      wrong: { same($0.string("city"), "Suva") }),
    PredicateSample(
      "city LIKE 'S?va*'", options: extended,
      right: { record in
        let scalars = (record.string("city") ?? "").unicodeScalars.map(\.value)
        return scalars.count >= 4 && scalars[0] == 0x53 && scalars[2] == 0x76 && scalars[3] == 0x61
      },
      wrong: { same($0.string("city"), "Suva") }, { begins($0.string("city"), "Suva") },
      {
        $0.string("city").map { begins($0, "S") && $0.utf8.dropFirst(2).starts(with: "va".utf8) && $0.utf8.count == 4 }
          ?? false
      }),
    PredicateSample(
      "city CONTAINS[cd] 'cafe'", options: extended,
      right: { $0.string("city").map { folded($0).contains("cafe") } ?? false },
      wrong: { $0.string("city")?.contains("cafe") == true },
      { $0.string("city")?.lowercased().contains("cafe") == true }),
    PredicateSample(
      "city ENDSWITH 'va'", options: extended,
      right: { $0.string("city").map { $0.utf8.reversed().starts(with: "va".utf8.reversed()) } ?? false },
      wrong: { $0.string("city")?.contains("va") == true }),
    PredicateSample(
      "city = title", options: extended,
      right: { record in record.string("title").map { same(record.string("city"), $0) } ?? false },
      wrong: { record in record.string("title")?.lowercased() == record.string("city")?.lowercased() }),
    PredicateSample(
      "city = nil", options: extended, right: { $0["city"] == nil }, wrong: { $0.string("city")?.isEmpty ?? true }),
    PredicateSample(
      "city = 'Suva' OR seats > 3", options: extended,
      right: { same($0.string("city"), "Suva") || $0.int64("seats") ?? 0 > 3 },
      wrong: { same($0.string("city"), "Suva") && $0.int64("seats") ?? 0 > 3 }, { same($0.string("city"), "Suva") }),
    PredicateSample(
      "city IN $cities AND seats >= $least",
      parameters: ["cities": ["Suva", "Nadi"].predicateArgument, "least": 3.predicateArgument],
      right: { record in
        ["Suva", "Nadi"].contains { same(record.string("city"), $0) } && record.int64("seats") ?? 0 >= 3
      },
      wrong: { record in
        ["Suva", "Nadi"].contains { same(record.string("city"), $0) } && record.int64("seats") ?? 0 > 3
      }),
    PredicateSample(
      "ALL tokenize('night sky', 'Cdl') IN allTokens",
      right: { words($0).contains("night") && words($0).contains("sky") },
      wrong: { words($0).contains("night") }, { words($0).contains("night") || words($0).contains("sky") },
      { words($0, ["title"]).contains("night") && words($0, ["title"]).contains("sky") },
      { record in
        let text = folded((record.string("title") ?? "") + " " + (record.string("notes") ?? ""))
        return text.contains("night") && text.contains("sky")
      }),
    PredicateSample(
      "self CONTAINS 'night sky'", right: { words($0).contains("night") || words($0).contains("sky") },
      wrong: { words($0).contains("night") && words($0).contains("sky") }),
  ]

  static let numbers = [
    PredicateSample(
      "seats IN {1, 4, 9}", right: { [1, 4, 9].contains($0.int64("seats")) },
      wrong: { [1, 4].contains($0.int64("seats")) }, { (1...9).contains($0.int64("seats") ?? 0) }),
    PredicateSample(
      "seats BETWEEN {3, 70}", right: { (3...70).contains($0.int64("seats") ?? 0) },
      wrong: { (3..<70).contains($0.int64("seats") ?? 0) }, { (4...70).contains($0.int64("seats") ?? 0) }),
    PredicateSample(
      "seats > 3 AND seats <= 10", right: { (4...10).contains($0.int64("seats") ?? 0) },
      wrong: { (3...10).contains($0.int64("seats") ?? 0) }, { (4..<10).contains($0.int64("seats") ?? 0) }),
    PredicateSample(
      "NOT (seats = 3)", right: { $0.int64("seats").map { $0 != 3 } ?? false }, wrong: { $0.int64("seats") != 3 }),
    PredicateSample(
      "seats != 3", options: PredicateOptions(missingFields: .likeNSPredicate), right: { $0.int64("seats") != 3 },
      wrong: { $0.int64("seats").map { $0 != 3 } ?? false }),
    PredicateSample(
      "NOT (seats IN {1, 4} OR price > 2.5)", options: extended,
      right: { record in
        guard let seats = record.int64("seats"), let price = record.double("price") else { return false }
        return seats != 1 && seats != 4 && price <= 2.5
      },
      wrong: { record in
        guard let seats = record.int64("seats"), let price = record.double("price") else { return false }
        return seats != 1 && seats != 4 && price < 2.5
      }, { record in !([1, 4].contains(record.int64("seats")) || record.double("price") ?? 0 > 2.5) }),
    // What no double holds.
    PredicateSample(
      "seats = 9007199254740993", right: { $0.int64("seats") == 9_007_199_254_740_993 },
      wrong: { $0.int64("seats").map { Double($0) == 9_007_199_254_740_993.0 } ?? false }),
    PredicateSample(
      "price < 2.5", right: { $0.double("price").map { $0 < 2.5 } ?? false },
      wrong: { $0.double("price").map { $0 <= 2.5 } ?? false }, { $0.double("price") ?? 0 < 2.5 }),
    PredicateSample(
      "seats * 2 + 1 = 21", options: extended, right: { $0.int64("seats") == 10 }, wrong: { $0.int64("seats") == 11 },
      { (9...10).contains($0.int64("seats") ?? 0) }),
    PredicateSample(
      "start >= now()", right: { $0.timestamp("start").map { $0 >= now } ?? false },
      wrong: { $0.timestamp("start").map { $0 > now } ?? false }),
    PredicateSample(
      "start BETWEEN {CAST(800000000, 'NSDate'), CAST(800086400, 'NSDate')}",
      right: { (1_778_307_200_000...1_778_393_600_000).contains($0.timestamp("start")?.milliseconds ?? 0) },
      wrong: { (1_778_307_200_000..<1_778_393_600_000).contains($0.timestamp("start")?.milliseconds ?? 0) },
      { (1_778_307_200_001...1_778_393_600_000).contains($0.timestamp("start")?.milliseconds ?? 0) }),
    PredicateSample(
      "creationDate < CAST(0, 'NSDate')",
      right: { $0.creationDate.map { $0.milliseconds < 978_307_200_000 } ?? false },
      wrong: { $0.creationDate.map { $0.milliseconds <= 978_307_200_000 } ?? false }),
    PredicateSample(
      "distanceToLocation:fromLocation:(place, CAST('-18.1348,178.4232', 'CLLocation')) < 200000",
      right: { $0.location("place").map { $0.distance(to: suva) < 200_000 } ?? false },
      wrong: { $0.location("place").map { $0.distance(to: suva) < 201_000 } ?? false },
      // Degrees on a plane, which the antimeridian cuts.
      { $0.location("place").map { hypot($0.latitude - suva.latitude, $0.longitude - suva.longitude) < 1.8 } ?? false },
      { $0.location("place").map { $0.distance(to: suva) > 0 && $0.distance(to: suva) < 200_000 } ?? false }),
    PredicateSample(
      "distanceToLocation:fromLocation:(place, CAST('-18.1348,178.4232', 'CLLocation')) > 500", options: extended,
      right: { $0.location("place").map { $0.distance(to: suva) > 500 } ?? false },
      wrong: { $0.location("place").map { $0.distance(to: suva) > 499 } ?? false }),
  ]

  static let listsAndReferences = [
    PredicateSample(
      "tags CONTAINS 'maps'", right: { $0.stringList("tags")?.contains { same($0, "maps") } ?? false },
      wrong: { same($0.stringList("tags")?.first, "maps") },
      { $0.stringList("tags")?.joined().contains("maps") ?? false }),
    PredicateSample(
      "ANY tags IN {'maps', 'sea'}",
      right: { $0.stringList("tags")?.contains { same($0, "maps") || same($0, "sea") } ?? false },
      wrong: { $0.stringList("tags")?.allSatisfy { same($0, "maps") || same($0, "sea") } ?? false },
      { $0.stringList("tags")?.contains { same($0, "maps") } ?? false }),
    PredicateSample(
      "ALL {3, 5} IN scores", right: { Set($0.int64List("scores") ?? []).isSuperset(of: [3, 5]) },
      wrong: { !Set($0.int64List("scores") ?? []).isDisjoint(with: [3, 5]) }, { $0.int64List("scores") == [3, 5] }),
    PredicateSample(
      "ANY tags BEGINSWITH 'ma'", right: { $0.stringList("tags")?.contains { begins($0, "ma") } ?? false },
      wrong: { $0.stringList("tags")?.contains { $0.contains("ma") } ?? false }),
    PredicateSample(
      "NOT (tags CONTAINS 'maps')",
      right: { $0.stringList("tags").map { !$0.contains { same($0, "maps") } } ?? false },
      wrong: { !($0.stringList("tags") ?? []).contains { same($0, "maps") } }),
    PredicateSample(
      "tags[SIZE] = 3", options: extended, right: { $0.stringList("tags")?.count == 3 },
      wrong: { $0.stringList("tags")?.count ?? 0 >= 3 }),
    PredicateSample(
      "days CONTAINS CAST(0, 'NSDate') AND weights CONTAINS 2.5",
      right: { record in
        record.doubleList("weights")?.contains(2.5) ?? false
          && record.timestampList("days")?.contains(Timestamp(milliseconds: 978_307_200_000)) ?? false
      },
      wrong: { record in record.doubleList("weights")?.contains(2.5) ?? false }),
    PredicateSample(
      "venue = CAST('hall', 'CKReference')",
      right: { $0.reference("venue")?.recordID == RecordID(recordName: "hall") },
      wrong: { $0.reference("venue")?.recordID.recordName == "hall" },
      { $0.reference("venue")?.recordID.recordName.hasPrefix("hall") == true }),
    PredicateSample(
      "venue IN {CAST('A/hall', 'CKReference'), CAST('A/stage', 'CKReference')}",
      right: { record in
        ["hall", "stage"].contains { name in
          record.reference("venue")?.recordID == RecordID(recordName: name, zoneID: ZoneID(zoneName: "A"))
        }
      },
      wrong: { record in
        record.reference("venue")?.recordID == RecordID(recordName: "hall", zoneID: ZoneID(zoneName: "A"))
      }),
    PredicateSample(
      "guests CONTAINS CAST('anna', 'CKReference')", right: { names($0).contains("anna") },
      wrong: { names($0).first == "anna" }),
    PredicateSample(
      "parent = CAST('hall', 'CKReference')", right: { $0.parent?.recordID == RecordID(recordName: "hall") },
      wrong: { $0.parent != nil }),
    PredicateSample(
      "recordID = CAST('keynote', 'CKReference')", right: { $0.recordID == RecordID(recordName: "keynote") },
      wrong: { _ in false }),
    PredicateSample(
      "creatorUserRecordID = CAST('_anna', 'CKReference')",
      right: { $0.creatorUserRecordID == RecordID(recordName: "_anna") }, wrong: { _ in true }),
  ]

  static let all = texts + numbers + listsAndReferences
}
