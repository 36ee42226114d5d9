import Foundation
import Synchronization
import Testing
import ZoneQuery

/// Hostile inputs that go all the way to an answer; `HostileInputs.md` tells which test holds which.
struct HostileInputTests {
  private static let type = RecordType(
    "Thing",
    fields: [
      FieldDefinition("name", .string, .searchable), FieldDefinition("age", .int64), FieldDefinition("price", .double),
      FieldDefinition("start", .timestamp), FieldDefinition("place", .location),
      FieldDefinition("tags", .list(.string)),
      FieldDefinition("counts", .list(.int64)),
    ])
  private static let extended = PredicateOptions(dialect: .extended)

  private func record(_ fields: [(String, FieldValue)] = []) -> Record {
    var record = Record(recordType: "Thing", recordName: "r")
    for (name, value) in fields { record[name] = value }
    return record
  }

  private func matches(_ predicate: QueryPredicate, _ record: Record) throws -> Bool {
    try Matcher(predicate, for: Self.type, options: Self.extended).matches(record)
  }

  private func matches(
    _ format: String, _ arguments: [(any PredicateArgument)?] = [], _ fields: [(String, FieldValue)]
  ) throws -> Bool {
    try matches(QueryPredicate(format: format, arguments: arguments), record(fields))
  }

  /// Generous, so that only more than linear time breaks it: a debug build is slow, and this thread's time alone counts.
  private func expectQuick(_ what: String, _ body: () throws -> Void) {
    do {
      let time = try threadTime(of: body)
      #expect(time < .seconds(20), "\(what) took \(time)")
    } catch {
      Issue.record("\(what): \(error)")
    }
  }

  @Test func nestingThatExpands() throws {
    // Alternating AND and OR this deep would be 2ⁿ parts in a normal form.
    var text = "age = 0"
    for level in 1...55 { text = "((\(text) OR age = \(level)) AND (name = 'x' OR age < \(100 + level)))" }
    for negation in ["", "NOT ", "NOT NOT "] {
      expectQuick("nested AND and OR") { () throws in
        #expect(try matches(negation + text, [], [("age", 3)]) == (negation != "NOT "))
      }
    }
  }

  @Test func manyTerms() throws {
    let terms = try (0..<10_000).map { try QueryPredicate(format: "age = \($0)").root }
    expectQuick("10,000 terms of OR") { () throws in
      #expect(try matches(QueryPredicate(.any(of: terms)), record([("age", 9_999)])))
      #expect(try !matches(QueryPredicate(.all(of: terms)), record([("age", 0)])))
    }
  }

  @Test func longLists() throws {
    let numbers = (0..<65_536).map { Int64($0) }
    let texts = (0..<65_536).map { "t\($0)" }
    expectQuick("IN with 65,536 members") { () throws in
      #expect(try matches("age IN %@", [numbers], [("age", 65_535)]))
      #expect(try !matches("age IN %@", [numbers], [("age", 65_536)]))
      #expect(try matches("name IN[c] %@", [texts], [("name", "T65535")]))
    }
    let members = (0..<20_000).map { Int64($0) &+ 100_000 }
    expectQuick("a long list against a long list") { () throws in
      #expect(try !matches("ANY counts IN %@", [numbers], [("counts", .int64List(members))]))
      #expect(try !matches("ALL %@ IN counts", [Array(numbers.prefix(4_000))], [("counts", .int64List(members))]))
      #expect(try !matches("ANY %@ IN counts", [Array(numbers.prefix(4_000))], [("counts", .int64List(members))]))
    }
  }

  @Test func longTexts() throws {
    let long = String(repeating: "a", count: 400_000)
    expectQuick("patterns and searches") { () throws in
      #expect(try !matches("name LIKE %@", [String(repeating: "*a", count: 60) + "*b"], [("name", .string(long))]))
      #expect(try !matches("name LIKE %@", [String(repeating: "a?", count: 500) + "*b"], [("name", .string(long))]))
      #expect(
        try !matches("name CONTAINS %@", [String(repeating: "a", count: 50_000) + "b"], [("name", .string(long))]))
      #expect(try matches("name = %@", [long], [("name", .string(long))]))
      #expect(try matches("name ENDSWITH[cd] %@", [long], [("name", .string("b" + long))]))
    }
  }

  @Test func combiningMarks() throws {
    let forwards = "e" + String(repeating: "\u{301}\u{327}", count: 50_000)
    let backwards = "e" + String(repeating: "\u{327}\u{301}", count: 50_000)
    let fields: [(String, FieldValue)] = [("name", .string(forwards)), ("tags", .stringList([forwards, backwards]))]
    expectQuick("combining marks") { () throws in
      // Canonically equivalent, but other code points.
      #expect(try !matches("name = %@", [backwards], fields))
      #expect(try matches("name = %@", [forwards], fields))
      #expect(try matches("name ==[cd] %@", [backwards], fields))
      #expect(try matches("ANY tags IN %@", [[backwards, "x"]], fields))
      #expect(try matches("self CONTAINS %@", [backwards], fields))
      let database = try Database(schema: Schema([Self.type]))
      try database.save(record(fields))
      let query = Query(
        recordType: "Thing", predicate: try QueryPredicate(format: "name = %@", forwards), sort: [.ascending("name")])
      #expect(try database.records(matching: query, resultsLimit: .max).records.count == 1)
      // Letters of options, keys and constants, asked often enough to be taken for a query that is known.
      for format in ["ALL tokenize('a', 'cdl\(forwards)') IN allTokens", "\(forwards) = 1", "name = '\(forwards)'"] {
        guard let predicate = try? QueryPredicate(format: format) else { continue }
        for _ in 0..<4 { _ = try? database.count(matching: Query(recordType: "Thing", predicate: predicate)) }
      }
    }
  }

  @Test func scripts() throws {
    for (text, other, isEqual) in [
      ("\u{130}", "i\u{307}", true), ("I", "\u{131}", false), ("\u{DF}", "\u{1E9E}", true), ("\u{FB01}", "FI", true),
      ("\u{1100}\u{1161}", "\u{AC00}", false), ("\u{212B}", "\u{E5}", true),
      ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}", false),
      ("a\u{0}b", "A\u{0}B", true), ("\u{FEFF}a", "a", false), ("\u{202E}a", "a", false),
      ("\u{10FFFF}", "\u{10FFFF}", true), ("\u{2FFFE}", "\u{2FFFF}", false), ("a\u{AD}b", "ab", false),
      ("a\u{200B}", "a", false), ("\u{E0041}", "\u{E0061}", false), ("\u{378}", "\u{378}", true),
      ("\u{3A3}", "\u{3C2}", true),
    ] {
      #expect(try matches("name ==[c] %@", [other], [("name", .string(text))]) == isEqual, "\(text) \(other)")
      #expect(try matches("name = %@", [text], [("name", .string(text))]), "\(text)")
    }
    // NFC and NFD are two texts for `=`, one where marks are ignored.
    #expect(try !matches("name = %@", ["\u{E9}"], [("name", "e\u{301}")]))
    #expect(try matches("name ==[d] %@", ["\u{E9}"], [("name", "e\u{301}")]))
  }

  @Test func numbers() throws {
    for bits in [UInt64(0x7FF8_0000_0000_0000), 0xFFF8_0000_0000_0000, 0x7FF0_0000_0000_0001, 0x7FFF_FFFF_FFFF_FFFF] {
      let nan = Double(bitPattern: bits)
      #expect(throws: ZoneQueryError.self) { try QueryPredicate(format: "price = %@", nan) }
      let database = try Database(schema: Schema([Self.type]))
      #expect(throws: ZoneQueryError.self) { try database.save(record([("price", .double(nan))])) }
      #expect(throws: ZoneQueryError.self) { try database.load([record([("price", .double(nan))])]) }
    }
    for text in [
      "price = 1e999", "price = 0x1p3", "price = 1_000", "price = +1", "price = \u{FF11}", "age = 9223372036854775808",
    ] {
      #expect(throws: ZoneQueryError.self, "\(text)") { try QueryPredicate(format: text) }
    }
    for text in ["price = nan", "price = inf", "price = infinity"] {
      let predicate = try QueryPredicate(format: text)
      #expect(throws: ZoneQueryError.self, "\(text) names a field that is not there") {
        try matches(predicate, record())
      }
    }
    #expect(try matches("age = -9223372036854775808", [], [("age", .int64(.min))]))
    #expect(try matches("price > 0", [], [("price", .double(.leastNonzeroMagnitude))]))
    #expect(try matches("age + 1 > 9223372036854775807", [], [("age", .int64(.max))]))
    for operation in [
      "-age", "~age", "abs(age)", "age * age", "age - 1", "age << 63", "age >> -1", "age << 1000", "age ** 99",
    ] {
      _ = try matches("\(operation) = 1", [], [("age", .int64(.min))])
    }
    for operation in [
      "price / 0", "price ** 0.5", "sqrt(price)", "ln(price)", "modulus:by:(price, 0)", "floor(price)", "price & 3",
    ] {
      for value in [-Double.infinity, .infinity, -1, 0x1p63, .greatestFiniteMagnitude] {
        _ = try matches("\(operation) = 1", [], [("price", .double(value))])
      }
    }
    for index in ["9223372036854775807", "-9223372036854775808", "1.5", "1e300"] {
      #expect(try !matches("counts[\(index)] = 1", [], [("counts", .int64List([1]))]))
    }
  }

  @Test func dates() throws {
    for milliseconds in [Int64.min, .max, 0, -1] {
      let moment = Timestamp(milliseconds: milliseconds)
      let predicate = try QueryPredicate(format: "start = %@", ArgumentValue.literal(.date(milliseconds: milliseconds)))
      #expect(try matches(predicate, record([("start", .timestamp(moment))])))
      #expect(try QueryPredicate(format: predicate.description) == predicate)
    }
    for date in [Date.distantPast, .distantFuture] {
      #expect(try matches("start = %@", [date], [("start", .date(date))]))
    }
    for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
      #expect(throws: ZoneQueryError.self) {
        try QueryPredicate(format: "start = %@", Date(timeIntervalSince1970: seconds))
      }
    }
    // Dates are numbers; a calendar's hours, leap seconds and offsets are nowhere read.
    for text in ["2016-12-31T23:59:60Z", "2020-01-01T24:00:00Z", "2020-01-01T00:00:00+14:00", "-0", "nan", "infinity"] {
      #expect(throws: ZoneQueryError.self, "\(text)") { try matches("start = CAST('\(text)', 'NSDate')", [], []) }
    }
    for sum in ["start + 1", "start - 1", "start * 2", "start - start"] {
      for milliseconds in [Int64.min, .max] {
        _ = try? matches("\(sum) > 0", [], [("start", .timestamp(Timestamp(milliseconds: milliseconds)))])
      }
    }
    for text in ["9223372036854775807", "1e300", "-9223372036854775"] {
      let predicate = try? QueryPredicate(format: "start > CAST(\(text), 'NSDate')")
      if let predicate { _ = try matches(predicate, record([("start", .timestamp(Timestamp(milliseconds: 0)))])) }
    }
  }

  @Test func places() throws {
    let database = try Database(schema: Schema([Self.type]))
    for (latitude, longitude) in [(90.0000001, 0), (0, 180.0000001), (0, 540), (Double.nan, 0), (0, -.infinity)] {
      let place = Location(latitude: latitude, longitude: longitude)
      #expect(throws: ZoneQueryError.self) { try database.save(record([("place", .location(place))])) }
      #expect(throws: ZoneQueryError.self) {
        try QueryPredicate(format: "distanceToLocation:fromLocation:(place, %@) < 1", place)
      }
    }
    func within(_ radius: String, _ from: Location, _ to: Location) throws -> Bool {
      try matches("distanceToLocation:fromLocation:(place, %@) \(radius)", [from], [("place", .location(to))])
    }
    let pole = Location(latitude: 90, longitude: 12)
    #expect(try within("<= 0", pole, Location(latitude: 90, longitude: -170)))
    #expect(try within("<= 0", Location(latitude: 5, longitude: 180), Location(latitude: 5, longitude: -180)))
    #expect(try !within("< 0", pole, pole))
    #expect(try !within("< -1", pole, pole))
    #expect(try within(">= -1", pole, pole))
    let other = Location(latitude: -90, longitude: 0)
    #expect(try within("< 20003932", pole, other))
    #expect(try !within("< 20003931", pole, other))
    #expect(try within("< 1e300", pole, other))
    #expect(try within("< CAST('infinity', 'NSNumber')", pole, other))
    #expect(try !within("< CAST('-infinity', 'NSNumber')", pole, other))
    let near = Location(latitude: 0, longitude: 179.9999)
    #expect(try within("< 30", near, Location(latitude: 0, longitude: -179.9999)))
    #expect(throws: ZoneQueryError.self) {
      try QueryPredicate(format: "distanceToLocation:fromLocation:(place, %@) < %@", pole, Double.nan)
    }
  }

  @Test func limitsOfQueries() throws {
    let database = try Database(schema: Schema([Self.type]))
    try database.save(record())
    let query = Query(recordType: "Thing", sort: [.ascending("age")])
    for limit in [Int.min, -1, 0] {
      #expect(throws: ZoneQueryError.self) { try database.records(matching: query, resultsLimit: limit) }
    }
    #expect(try database.records(matching: query, resultsLimit: .max).records.count == 1)
    let sorts = [SortKey](repeating: .ascending("age"), count: 5_000)
    expectQuick("5,000 sort keys") { () throws in
      #expect(try database.records(matching: Query(recordType: "Thing", sort: sorts)).records.count == 1)
    }
    #expect(throws: ZoneQueryError.self) {
      try database.records(matching: query, desiredKeys: [String(repeating: "\u{301}", count: 100_000)])
    }
    for name in ["", "_x", "\u{E9}", String(repeating: "n", count: 256), "a\u{0}"] {
      #expect(throws: ZoneQueryError.self, "\(name)") {
        try database.save(Record(recordType: "Thing", recordName: name))
      }
    }
  }

  @Test func aClockThatGoesBack() throws {
    let times = Mutex<[Int64]>([.max, 1_000, 999, 0, -5, .min, .min, .max, 3])
    var configuration = Database.Configuration()
    configuration.clock = { Timestamp(milliseconds: times.withLock { $0.isEmpty ? 0 : $0.removeFirst() }) }
    let database = try Database(schema: Schema([Self.type]), configuration: configuration)
    var tags: Set<String> = []
    for age in 0..<12 {
      var saved = record([("age", .int64(Int64(age)))])
      if age > 0 { saved = try database.record(for: saved.recordID) }
      saved["age"] = .int64(Int64(age))
      if let tag = try database.save(saved).changeTag { tags.insert(tag) }
    }
    #expect(tags.count == 12)
    for format in ["creationDate <= now()", "modificationDate > now()", "age = 11"] {
      _ = try database.count(matching: Query(recordType: "Thing", predicate: try QueryPredicate(format: format)))
    }
  }

  @Test func patternsThatAreExpressions() {
    for text in ["name MATCHES '(a+)+b'", "name MATCHES[cd] '.*'", "NOT (name MATCHES 'a')"] {
      #expect(throws: ZoneQueryError.self, "\(text)") {
        try matches(text, [], [("name", .string(String(repeating: "a", count: 100)))])
      }
    }
  }

  @Test func textThatIsNoUTF8() throws {
    // Swift repairs such bytes to U+FFFD where a String is made; neither reading nor storing may trap on that.
    for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]] {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(throws: ZoneQueryError.self) { try QueryPredicate(format: text) }
      #expect(try matches("name = %@", [text], [("name", .string(text))]))
      #expect(throws: ZoneQueryError.self) { try Schema(ckdb: text) }
      #expect(throws: ZoneQueryError.self) { try Record(webServicesJSON: text) }
    }
  }
}
