import FoundationEssentials
import Testing
import ZoneQuery

/// Foundation's predicates have the tree of the text that says the same, and the same answers.
@Suite("Conversion of #Predicate")
struct FoundationPredicateTests {
  enum Kind: String { case talk, walk }
  struct Venue { var city: String }

  struct Thing {
    var age = 0
    var price = 0.0
    var name = ""
    var isOpen = false
    var nick: String?
    var level: Int?
    var notes: [String]?
    var bytes = Data()
    var key = UUID()
    var tags: [String] = []
    var counts: [Int] = []
    var start = Date(timeIntervalSince1970: 0)
    var kind = Kind.talk.rawValue
    var venue = Venue(city: "")
    var title: String { name }

    var fields: [String: FieldValue] {
      var fields: [String: FieldValue] = [
        "age": .int64(Int64(age)), "price": .double(price), "name": .string(name), "isOpen": .int64(isOpen ? 1 : 0),
        "tags": .stringList(tags), "counts": .int64List(counts.map(Int64.init)), "start": .date(start),
        "kind": .string(kind), "city": .string(venue.city), "title": .string(title),
      ]
      if let nick { fields["nick"] = .string(nick) }
      if let level { fields["level"] = .int64(Int64(level)) }
      if let notes { fields["notes"] = .stringList(notes) }
      return fields
    }
  }

  final class Open { var value = 1 }

  static var fields: [PartialKeyPath<Thing>: String] { [\.venue.city: "city", \.title: "title"] }

  private static func convert(_ predicate: Predicate<Thing>) throws -> QueryPredicate {
    try QueryPredicate(predicate, fields: fields)
  }

  private static func check(
    _ predicate: Predicate<Thing>, _ text: String, _ arguments: (any PredicateArgument)?...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      let converted = try convert(predicate)
      let read = try QueryPredicate(format: text, arguments: arguments)
      #expect(converted == read, "\(converted)", sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(text): \(error)", sourceLocation: sourceLocation)
    }
  }

  @Test func relations() {
    let limit = 5
    let date = Date(timeIntervalSince1970: 725_760_000)
    Self.check(#Predicate { $0.age == limit }, "age == 5")
    Self.check(#Predicate { $0.age != 5 }, "age != 5")
    Self.check(#Predicate { $0.age < 5 }, "age < 5")
    Self.check(#Predicate { $0.age <= 5 }, "age <= 5")
    Self.check(#Predicate { $0.age > 5 }, "age > 5")
    Self.check(#Predicate { 5 >= $0.age }, "5 >= age")
    Self.check(#Predicate { $0.name == "x" && $0.age == 1 && $0.price > 2.5 }, "name = 'x' AND age = 1 AND price > 2.5")
    Self.check(#Predicate { $0.name == "x" || $0.age == 1 }, "name = 'x' OR age = 1")
    Self.check(#Predicate { !($0.name == "x") }, "NOT name = 'x'")
    Self.check(#Predicate { $0.start > date }, "start > %@", date)
    Self.check(#Predicate { $0.isOpen }, "isOpen = 1")
    Self.check(#Predicate { !$0.isOpen && $0.age == 1 }, "NOT isOpen = 1 AND age = 1")
    Self.check(#Predicate { $0.isOpen == true }, "isOpen = 1")
    Self.check(#Predicate { ($0.age == 1) == true }, "age = 1")
    Self.check(#Predicate { ($0.age == 1) != true }, "NOT age = 1")
    Self.check(#Predicate { ($0.age == 1) == $0.isOpen }, "TERNARY(age = 1, 1, 0) = isOpen")
    Self.check(#Predicate { _ in true }, "TRUEPREDICATE")
    Self.check(#Predicate { _ in false }, "FALSEPREDICATE")
    Self.check(#Predicate { $0.venue.city == "x" }, "city = 'x'")
    Self.check(#Predicate { $0.title == "x" }, "title = 'x'")
  }

  @Test func membership() {
    let (ages, words, half, closed) = ([1, 2], Set(["b", "a"]), 1..<4, 1...4)
    let (low, high) = (1, 4)
    Self.check(#Predicate { ages.contains($0.age) }, "age IN {1, 2}")
    Self.check(#Predicate { words.contains($0.name) }, "name IN {'a', 'b'}")
    Self.check(#Predicate { half.contains($0.age) }, "age >= 1 AND age < 4")
    Self.check(#Predicate { closed.contains($0.age) }, "age BETWEEN {1, 4}")
    Self.check(#Predicate { (low..<high).contains($0.age) }, "age >= 1 AND age < 4")
    Self.check(#Predicate { (low...high).contains($0.age) }, "age BETWEEN {1, 4}")
    Self.check(#Predicate { (1...$0.counts.count).contains($0.age) }, "age >= 1 AND age <= count(counts)")
    Self.check(#Predicate { $0.tags.contains("x") }, "tags CONTAINS 'x'")
    Self.check(#Predicate { $0.tags.contains { $0 == "x" } }, "ANY tags = 'x'")
    Self.check(#Predicate { $0.tags.contains { "x" == $0 } }, "ANY tags = 'x'")
    Self.check(#Predicate { $0.tags.contains { $0.starts(with: "x") } }, "ANY tags BEGINSWITH 'x'")
    Self.check(#Predicate { $0.tags.contains { words.contains($0) } }, "ANY tags IN {'a', 'b'}")
    Self.check(#Predicate { $0.tags.contains { !($0 == "x") } }, "NOT ALL tags = 'x'")
    Self.check(#Predicate { $0.tags.contains { $0 == "x" || $0 == "y" } }, "ANY tags = 'x' OR ANY tags = 'y'")
    Self.check(#Predicate { $0.counts.contains { 5 < $0 } }, "ANY counts > 5")
    Self.check(#Predicate { $0.counts.contains { $0 >= 1 && $0 <= 2 } }, "ANY counts BETWEEN {1, 2}")
    Self.check(#Predicate { $0.counts.contains { closed.contains($0) } }, "ANY counts BETWEEN {1, 4}")
    Self.check(#Predicate { $0.counts.contains { $0 <= 2 && 1 <= $0 } }, "ANY counts BETWEEN {1, 2}")
    Self.check(#Predicate { $0.counts.allSatisfy { $0 > 1 && $0 != 3 } }, "ALL counts > 1 AND ALL counts != 3")
    Self.check(#Predicate { thing in ages.contains { $0 == thing.age } }, "ANY {1, 2} = age")
    Self.check(#Predicate { $0.tags.isEmpty }, "count(tags) = 0")
    Self.check(#Predicate { $0.tags.count > 1 }, "count(tags) > 1")
    Self.check(#Predicate { $0.tags.first == "x" }, "tags[FIRST] = 'x'")
    Self.check(#Predicate { $0.tags.last == "x" }, "tags[LAST] = 'x'")
    Self.check(#Predicate { $0.tags[0] == "x" }, "tags[0] = 'x'")
  }

  @Test func texts() {
    Self.check(#Predicate { $0.name.contains("x") }, "name CONTAINS 'x'")
    Self.check(#Predicate { $0.name.starts(with: "x") }, "name BEGINSWITH 'x'")
    Self.check(#Predicate { $0.name.isEmpty }, "name = ''")
    Self.check(#Predicate { "abc".contains($0.name) }, "'abc' CONTAINS name")
    Self.check(#Predicate { $0.kind == "talk" }, "kind = 'talk'")
  }

  @Test func optionals() {
    Self.check(#Predicate { $0.nick == "x" }, "nick = 'x'")
    Self.check(#Predicate { $0.nick == nil }, "nick = nil")
    Self.check(#Predicate { $0.nick != nil }, "nick != nil")
    Self.check(#Predicate { $0.nick! == "x" }, "nick = 'x'")
    Self.check(#Predicate { ($0.nick ?? "z") == "x" }, "TERNARY(nick = nil, 'z', nick) = 'x'")
    Self.check(#Predicate { $0.nick?.contains("x") ?? false }, "nick CONTAINS 'x'")
    Self.check(#Predicate { $0.nick?.contains("x") == true }, "nick CONTAINS 'x'")
    Self.check(#Predicate { $0.nick?.contains("x") ?? true }, "nick = nil OR nick CONTAINS 'x'")
    Self.check(#Predicate { $0.nick?.contains("x") == false }, "nick != nil AND NOT nick CONTAINS 'x'")
    Self.check(#Predicate { $0.nick?.contains("x") != true }, "nick = nil OR NOT nick CONTAINS 'x'")
    Self.check(#Predicate { $0.nick?.contains("x") == nil }, "nick = nil")
    Self.check(#Predicate { if let nick = $0.nick { nick != "x" } else { false } }, "nick != nil AND nick != 'x'")
    Self.check(#Predicate { $0.level.flatMap { $0 + 1 } == 3 }, "TERNARY(level = nil, nil, level + 1) = 3")
    Self.check(
      #Predicate { thing in
        if let nick = thing.nick, let level = thing.level { nick == "x" && level > 1 } else { false }
      },
      "TERNARY(nick = nil, nil, level) != nil AND nick = 'x' AND level > 1")
    Self.check(#Predicate { $0.notes?.count == 1 }, "TERNARY(notes = nil, nil, count:(notes)) = 1")
    Self.check(#Predicate { $0.notes?.isEmpty ?? true }, "notes = nil OR count:(notes) = 0")
    Self.check(#Predicate { $0.notes!.isEmpty }, "count:(notes) = 0")
    Self.check(#Predicate { $0.nick?.isEmpty == true }, "nick = ''")
    let (none, some): (Int?, Int?) = (nil, 5)
    Self.check(#Predicate { none == nil || $0.age > none! }, "TRUEPREDICATE")
    Self.check(#Predicate { some == nil || $0.age > some! }, "age > 5")
    Self.check(#Predicate { none != nil && $0.age > none! }, "FALSEPREDICATE")
    Self.check(#Predicate { some != nil && $0.age > some! }, "age > 5")
    Self.check(#Predicate { thing in if let none { thing.age > none } else { true } }, "TRUEPREDICATE")
    Self.check(#Predicate { $0.age > none ?? 3 }, "age > 3")
    Self.check(#Predicate { $0.age > some ?? 3 }, "age > 5")
    // Another property is not missing where the optional value is.
    Self.check(
      #Predicate { thing in thing.level.flatMap { _ in thing.nick } == "x" }, "TERNARY(level = nil, nil, nick) = 'x'")
  }

  @Test func computedValues() {
    Self.check(#Predicate { $0.age * 2 - 1 > 3 }, "age * 2 - 1 > 3")
    Self.check(#Predicate { $0.age + $0.counts.count == 3 }, "age + count(counts) = 3")
    Self.check(#Predicate { $0.age / 2 == 3 }, "trunc(age / 2) = 3")
    Self.check(#Predicate { $0.age % 2 == 1 }, "modulus:by:(age, 2) = 1")
    Self.check(#Predicate { $0.price / 2 > 1 }, "price / 2 > 1")
    Self.check(#Predicate { -$0.age == -3 }, "-age = -3")
    Self.check(#Predicate { ($0.age > 1 ? 2 : 3) == 3 }, "TERNARY(age > 1, 2, 3) = 3")
    Self.check(
      #Predicate { if $0.age > 1 { $0.isOpen } else { $0.price > 1 } },
      "TERNARY(age > 1, isOpen, TERNARY(price > 1, 1, 0)) = 1")
    Self.check(#Predicate { $0.counts.max() == 3 }, "max(counts) = 3")
    Self.check(#Predicate { $0.counts.min() == 3 }, "min(counts) = 3")
  }

  struct Filter: Codable {
    var least = 2
    var budget = 10.5
    var small: UInt8 = 250
    var name: String?
    var names = ["x", "y"]
    var isOn = true
    var ages = 1...4
    var inner: Inner? = Inner()
    var none: Inner?
    var inners = [Inner(), Inner(key: "k")]
    var map = ["a": "x"]
  }

  struct Inner: Codable {
    var isOn = true
    var key: String?
  }

  /// What needs no record is computed in Swift, in Swift's own types.
  @Test func constantParts() {
    let filter = Filter()
    let (zero, greatest, least, some, none): (Int, Int, Int, Int?, Int?) = (0, .max, .min, 5, nil)
    Self.check(#Predicate { $0.age > filter.least }, "age > 2")
    Self.check(#Predicate { $0.age > filter.least * 3 - 1 }, "age > 5")
    Self.check(#Predicate { $0.age == filter.least / 4 }, "age = 0")
    Self.check(#Predicate { $0.age == -7 / filter.least }, "age = -3")
    Self.check(#Predicate { $0.age == -7 % filter.least }, "age = -1")
    Self.check(#Predicate { $0.price < filter.budget / 2 + 0.25 }, "price < 5.5")
    Self.check(#Predicate { $0.price < -filter.budget }, "price < -10.5")
    Self.check(#Predicate { $0.age + filter.least * 2 > 3 }, "age + 4 > 3")
    Self.check(#Predicate { $0.age > (some ?? 1) + 1 }, "age > 6")
    Self.check(#Predicate { $0.age > (none ?? 1) + 1 }, "age > 2")
    Self.check(#Predicate { $0.age > some! + 1 }, "age > 6")
    Self.check(#Predicate { $0.name == (filter.name ?? "z") }, "name = 'z'")
    Self.check(#Predicate { $0.nick == filter.name }, "nick = nil")
    Self.check(#Predicate { filter.name == nil || $0.name == filter.name! }, "TRUEPREDICATE")
    Self.check(#Predicate { filter.names.contains($0.name) }, "name IN {'x', 'y'}")
    Self.check(#Predicate { $0.age == filter.names.count }, "age = 2")
    Self.check(#Predicate { $0.nick == filter.names.first }, "nick = 'x'")
    Self.check(#Predicate { filter.ages.contains($0.age) }, "age BETWEEN {1, 4}")
    Self.check(#Predicate { !filter.isOn || $0.age == 1 }, "age = 1")
    Self.check(#Predicate { $0.age == 1 || !filter.isOn }, "age = 1")
    Self.check(#Predicate { $0.age == 1 && !filter.isOn }, "FALSEPREDICATE")
    Self.check(#Predicate { filter.least == 0 || $0.age > filter.least }, "age > 2")
    Self.check(#Predicate { !(filter.least > 1 && filter.isOn) || $0.age == 1 }, "age = 1")
    Self.check(#Predicate { filter.name != nil && $0.name == filter.name! }, "FALSEPREDICATE")
    Self.check(#Predicate { !(filter.name == nil) && $0.name == filter.name! }, "FALSEPREDICATE")
    Self.check(#Predicate { filter.names.isEmpty || filter.names.contains($0.name) }, "name IN {'x', 'y'}")
    Self.check(#Predicate { filter.names.contains("x") && $0.age == 1 }, "age = 1")
    Self.check(#Predicate { filter.names.count == 0 || $0.age == 1 }, "age = 1")
    Self.check(#Predicate { filter.ages.contains(7) || $0.age == 1 }, "age = 1")
    Self.check(#Predicate { "abc".contains("b") && "abc".starts(with: "a") && $0.age == 1 }, "age = 1")
    Self.check(#Predicate { $0.age == filter.names.count + (filter.isOn ? 1 : 2) }, "age = 3")
    Self.check(#Predicate { (filter.isOn == true) == $0.isOpen }, "1 = isOpen")
    Self.check(#Predicate { filter.isOn && $0.age == 1 }, "age = 1")
    Self.check(#Predicate { filter.isOn ? $0.age == 1 : $0.age == 2 }, "age = 1")
    Self.check(#Predicate { $0.age == (filter.isOn ? 1 : 2) }, "age = 1")
    Self.check(#Predicate { $0.age < (filter.name?.count ?? 7) }, "age < 7")
    Self.check(#Predicate { filter.inner?.isOn == true && $0.age == 1 }, "age = 1")
    Self.check(#Predicate { filter.none?.isOn == true || $0.age == 1 }, "age = 1")
    Self.check(#Predicate { $0.name == (filter.inner?.key ?? "q") }, "name = 'q'")
    Self.check(#Predicate { $0.nick == filter.inners[1].key }, "nick = 'k'")
    Self.check(#Predicate { $0.name == filter.names[filter.least - 1] }, "name = 'y'")
    Self.check(#Predicate { $0.name == filter.names[7] }, "name = {'x', 'y'}[7]")
    Self.check(#Predicate { $0.nick == filter.map["a"] }, "nick = 'x'")
    Self.check(#Predicate { $0.nick == filter.map["b"] }, "nick = nil")
    Self.check(#Predicate { $0.name == filter.map["b", default: "z"] }, "name = 'z'")
    Self.check(#Predicate { thing in if let some { thing.age > some } else { true } }, "age > 5")
    Self.check(#Predicate { thing in if let some { thing.age > some + 1 } else { false } }, "age > 6")
    Self.check(#Predicate { thing in some.flatMap { thing.age > $0 } == nil }, "FALSEPREDICATE")
    Self.check(#Predicate { thing in some.flatMap { _ in thing.nick } == "x" }, "nick = 'x'")
    Self.check(#Predicate { filter.names.contains { $0 == "x" } && $0.age == 1 }, "age = 1")
    Self.check(#Predicate { filter.names.allSatisfy { $0.isEmpty } || $0.age == 1 }, "age = 1")
    // What Swift would stop at is left to the language.
    Self.check(#Predicate { $0.age == filter.least / zero }, "age = trunc(2 / 0)")
    Self.check(#Predicate { $0.age == filter.least % zero }, "age = modulus:by:(2, 0)")
    Self.check(#Predicate { $0.age == greatest + 1 }, "age = 9223372036854775807 + 1")
    Self.check(#Predicate { $0.age == least - 1 }, "age = -9223372036854775808 - 1")
    Self.check(#Predicate { $0.age == least / -1 }, "age = trunc(-9223372036854775808 / -1)")
    Self.check(#Predicate { $0.age == -least }, "age = -(-9223372036854775808)")
    Self.check(#Predicate { _ in filter.small * 2 == 244 }, "250 * 2 = 244")
  }

  /// A test of each constant of a list.
  @Test func eachConstant() {
    let (words, ages) = (["x", "y"], [1, 2])
    Self.check(
      #Predicate { thing in words.allSatisfy { thing.name.contains($0) } }, "name CONTAINS 'x' AND name CONTAINS 'y'")
    Self.check(
      #Predicate { thing in words.contains { thing.name.contains($0) } }, "name CONTAINS 'x' OR name CONTAINS 'y'")
    Self.check(
      #Predicate { thing in words.contains { thing.name.starts(with: $0) } },
      "name BEGINSWITH 'x' OR name BEGINSWITH 'y'")
    Self.check(
      #Predicate { thing in words.contains { $0.contains(thing.name) } }, "'x' CONTAINS name OR 'y' CONTAINS name")
    Self.check(
      #Predicate { thing in ages.contains { $0 + 1 == thing.age && thing.price > 1 } },
      "1 + 1 = age AND price > 1 OR 2 + 1 = age AND price > 1")
    Self.check(#Predicate { thing in words.contains { thing.tags.contains($0) } }, "ANY {'x', 'y'} IN tags")
    let none: [String] = []
    Self.check(#Predicate { thing in none.contains { thing.name.contains($0) } }, "FALSEPREDICATE")
    Self.check(#Predicate { thing in none.allSatisfy { thing.name.contains($0) } }, "TRUEPREDICATE")
  }

  struct Visit {
    var time: Timestamp
    var place: Location
    var host: Reference
    var room: RecordID
    var rooms: [RecordID]
  }

  /// What a record holds is captured too.
  @Test func values() throws {
    let time = Timestamp(milliseconds: 5)
    let place = Location(latitude: 1, longitude: 2)
    let room = RecordID(recordName: "r", zoneID: ZoneID(zoneName: "z"))
    let host = Reference(room, action: .deleteSelf)
    let rooms = [room, RecordID(recordName: "s")]
    let predicates: [(Predicate<Visit>, QueryPredicate)] = [
      (#Predicate { $0.time > time }, Field("time") > time),
      (#Predicate { $0.place == place }, Field("place") == place),
      (#Predicate { $0.host == host }, Field("host") == host),
      (
        #Predicate { $0.room == room && $0.rooms.contains(room) },
        Field("room") == room && Field("rooms").contains(room)
      ),
      (#Predicate { rooms.contains($0.room) }, Field("room").isIn(rooms)),
      (#Predicate { $0.host.recordID == host.recordID }, Field("host") == room),
    ]
    for (predicate, wanted) in predicates {
      let converted = try QueryPredicate(predicate, fields: [\Visit.host.recordID: "host"])
      #expect(converted == wanted, "\(converted)")
    }
  }

  @Test func fieldNames() throws {
    let byFunction = try QueryPredicate(#Predicate<Thing> { $0.title == "x" && $0.age == 1 }) { path in
      path == \Thing.title ? "caption" : nil
    }
    #expect(byFunction == (Field("caption") == "x" && Field("age") == 1))
    let renamed = try QueryPredicate(
      #Predicate<Thing> { $0.age == 1 && $0.tags.count == 2 }, fields: [\.age: "in", \.tags.count: "tagCount"])
    #expect(renamed == (Field("in") == 1 && Field("tagCount") == 2))
  }

  private static func refusal<Root>(
    _ predicate: Predicate<Root>, _ code: String, says text: String, fields: [PartialKeyPath<Root>: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      let converted = try QueryPredicate(predicate, fields: fields)
      Issue.record("converted to \(converted)", sourceLocation: sourceLocation)
    } catch {
      #expect(error.diagnostics.first?.code == code, "\(error)", sourceLocation: sourceLocation)
      #expect(error.message.contains(text), "\(error)", sourceLocation: sourceLocation)
      #expect(
        error.stage == .binding && (error.hint != nil || code == "unsupportedArgument" || code == "invalidKey"),
        "\(error)", sourceLocation: sourceLocation)
    }
  }

  @Test func refusals() {
    let id = UUID()
    let noNumber = 0.0 / Double(id.uuid.0 & 0)
    let map = ["a": 1]
    Self.refusal(#Predicate<Thing> { $0.title == "x" }, "unknownProperty", says: "property")
    Self.refusal(#Predicate<Thing> { $0.venue.city == "x" }, "unknownProperty", says: "venue.city")
    Self.refusal(#Predicate<Open> { $0.value == 1 }, "unknownProperty", says: "property")
    Self.refusal(#Predicate<Thing> { $0.age == 1 }, "invalidKey", says: "'a b'", fields: [\.age: "a b"])
    Self.refusal(#Predicate<Thing> { $0.tags.filter { $0 == "x" }.count == 1 }, "unsupportedExpression", says: "Filter")
    Self.refusal(#Predicate<Thing> { ($0.age as Any) is Int }, "unsupportedExpression", says: "TypeCheck")
    Self.refusal(#Predicate<Thing> { map[$0.name] == 1 }, "unsupportedExpression", says: "DictionaryKeySubscript")
    Self.refusal(#Predicate<Thing> { $0.name.count == 1 }, "unsupportedExpression", says: "characters")
    Self.refusal(#Predicate<Thing> { $0.tags.contains { $0 == "x" && $0 != "y" } }, "unsupportedExpression", says: "&&")
    Self.refusal(
      #Predicate<Thing> { $0.tags.allSatisfy { $0 == "x" || $0 == "y" } }, "unsupportedExpression", says: "||")
    Self.refusal(#Predicate<Thing> { $0.counts.contains { $0 + 1 == 2 } }, "unsupportedExpression", says: "one side")
    Self.refusal(#Predicate<Thing> { $0.counts.contains { $0 == $0 } }, "unsupportedExpression", says: "one side")
    Self.refusal(
      #Predicate<Thing> { $0.tags.allSatisfy { "xyz".contains($0) } }, "unsupportedExpression",
      says: "looked for in a text")
    let bytes = Data([1, 2])
    Self.refusal(#Predicate<Thing> { $0.bytes == bytes }, "unsupportedArgument", says: "Data has no literal")
    Self.refusal(
      #Predicate<Thing> { thing in thing.counts.contains { $0 < thing.age } }, "unsupportedExpression",
      says: "what the record holds")
    Self.refusal(
      #Predicate<Thing> { thing in (thing.notes ?? thing.tags).contains { $0 == "a" } }, "unsupportedExpression",
      says: "no field of the record")
    Self.refusal(#Predicate<Thing> { $0.key == id }, "unsupportedArgument", says: "UUID")
    Self.refusal(#Predicate<Thing> { $0.price == noNumber }, "unsupportedArgument", says: "NaN")
  }

  @Test func nestedConditionsStayWithinLimits() throws {
    let predicate = #Predicate<Thing> { $0.level.flatMap { $0 + 1 }.flatMap { $0 + 1 } == 4 }
    var thing = Thing()
    thing.level = 2
    let converted = try QueryPredicate(predicate)
    #expect(try Matcher(converted, options: PredicateOptions(dialect: .extended)).matches(thing.fields))
  }
}
