import FoundationEssentials
import Testing
import ZoneQuery

/// Converted predicates give the answers that Foundation gives.
@Suite("Answers of converted predicates")
struct FoundationPredicateAnswerTests {
  typealias Thing = FoundationPredicateTests.Thing

  /// Values from few enough that each predicate holds for some and not for others.
  static func things(_ count: Int, seed: UInt64) -> [Thing] {
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let texts = ["x", "y", "xy", "yx", "Seoul", "a", "axb"]
    return (0..<count).map { _ in
      var thing = Thing()
      thing.age = next(9) - 3
      thing.price = Double(next(13)) / 4
      thing.name = texts[next(texts.count)]
      thing.isOpen = next(2) == 0
      thing.nick = next(3) == 0 ? nil : texts[next(texts.count)]
      thing.level = next(3) == 0 ? nil : next(5)
      thing.notes = thing.level == 1 ? nil : Array(repeating: "a", count: thing.age & 1)
      thing.tags = (0..<next(4)).map { _ in texts[next(texts.count)] }
      thing.counts = (0..<(1 + next(3))).map { _ in next(7) }
      thing.start = Date(timeIntervalSince1970: Double(next(4)))
      thing.venue.city = texts[next(texts.count)]
      return thing
    }
  }

  static func predicates() -> [Predicate<Thing>] {
    let (ages, words, half, closed) = ([1, 2], Set(["x", "a"]), 1..<4, -1...2)
    let date = Date(timeIntervalSince1970: 2)
    return relations(date) + membership(ages, words, half, closed) + optionals() + computed()
      + constantParts(FoundationPredicateTests.Filter())
  }

  private static func constantParts(_ filter: FoundationPredicateTests.Filter) -> [Predicate<Thing>] {
    let numbers = [0, 2, 4]
    return [
      #Predicate { $0.age > filter.least - 2 }, #Predicate { $0.age + 7 / filter.least > 3 },
      #Predicate { $0.age == -7 % filter.least }, #Predicate { $0.price < filter.budget / 4 - 1 },
      #Predicate { $0.name == (filter.name ?? "x") }, #Predicate { $0.nick == filter.name },
      #Predicate { filter.names.contains($0.name) },
      #Predicate { $0.age == filter.names.count }, #Predicate { $0.nick == filter.names.first },
      #Predicate { filter.ages.contains($0.age) }, #Predicate { filter.isOn && $0.age < 2 },
      #Predicate { thing in filter.names.allSatisfy { thing.name.contains($0) } },
      #Predicate { thing in filter.names.contains { thing.name.contains($0) } },
      #Predicate { thing in filter.names.contains { thing.name.starts(with: $0) && thing.age > 0 } },
      #Predicate { thing in filter.names.contains { thing.tags.contains($0) } },
      #Predicate { thing in filter.names.allSatisfy { !thing.tags.contains($0) } },
      #Predicate { thing in filter.names.contains { "yx".contains($0) || $0 == thing.name } },
      #Predicate { thing in numbers.contains { $0 == thing.age * 2 } },
      #Predicate { thing in numbers.allSatisfy { $0 < thing.age + 3 } },
      #Predicate { $0.name == (filter.inner?.key ?? "x") }, #Predicate { $0.nick == filter.map["a"] },
      #Predicate { !filter.isOn || filter.least == 2 && $0.age < 2 }, #Predicate { filter.isOn && $0.tags.isEmpty },
      #Predicate { filter.isOn ? $0.age == 1 : $0.price < 1 }, #Predicate { $0.counts.contains { $0 == filter.least } },
      #Predicate { $0.counts[filter.least - 2] == 3 }, #Predicate { _ in filter.small - 8 == 242 },
    ]
  }

  private static func relations(_ date: Date) -> [Predicate<Thing>] {
    [
      #Predicate { $0.age == 1 }, #Predicate { $0.age != 1 }, #Predicate { $0.age < 2 }, #Predicate { 2 <= $0.age },
      #Predicate { $0.price > 1.5 }, #Predicate { $0.name == "x" && $0.age > 0 }, #Predicate { $0.name < "b" },
      #Predicate { $0.name == "x" || !($0.age > 0) }, #Predicate { !($0.name == "x" && $0.isOpen) },
      #Predicate { $0.isOpen }, #Predicate { !$0.isOpen }, #Predicate { ($0.age > 1) == $0.isOpen },
      #Predicate { ($0.age > 1) != true }, #Predicate { $0.start >= date }, #Predicate { $0.venue.city == "Seoul" },
      #Predicate { $0.title == $0.name }, #Predicate { $0.name == $0.venue.city },
    ]
  }

  private static func membership(
    _ ages: [Int], _ words: Set<String>, _ half: Range<Int>, _ closed: ClosedRange<Int>
  ) -> [Predicate<Thing>] {
    [
      #Predicate { ages.contains($0.age) }, #Predicate { words.contains($0.name) },
      #Predicate { half.contains($0.age) },
      #Predicate { closed.contains($0.age) }, #Predicate { !closed.contains($0.age) },
      #Predicate { $0.tags.contains("x") },
      #Predicate { $0.tags.contains { $0 == "x" || $0 == "a" } }, #Predicate { $0.tags.contains { !($0 == "x") } },
      #Predicate { $0.tags.allSatisfy { $0 != "x" && $0 != "y" } }, #Predicate { !$0.tags.allSatisfy { $0 == "x" } },
      #Predicate { $0.tags.contains { $0.starts(with: "x") } }, #Predicate { $0.tags.contains { words.contains($0) } },
      #Predicate { $0.counts.contains { $0 >= 1 && $0 <= 2 } }, #Predicate { $0.counts.allSatisfy { 1 < $0 } },
      #Predicate { thing in ages.contains { $0 == thing.age } }, #Predicate { $0.tags.isEmpty },
      #Predicate { $0.tags.count > 1 }, #Predicate { $0.tags.first == "x" },
      #Predicate { $0.tags.last != "x" && !$0.tags.isEmpty },
      #Predicate { $0.counts[0] == 3 }, #Predicate { $0.name.contains("x") }, #Predicate { $0.name.starts(with: "x") },
      #Predicate { !$0.name.contains("x") }, #Predicate { "Seoul axb".contains($0.name) },
      #Predicate { $0.name.isEmpty },
    ]
  }

  private static func optionals() -> [Predicate<Thing>] {
    [
      #Predicate { $0.nick == "x" }, #Predicate { $0.nick != "x" }, #Predicate { !($0.nick == "x") },
      #Predicate { $0.nick == nil }, #Predicate { $0.nick != nil }, #Predicate { ($0.nick ?? "x") == "x" },
      #Predicate { $0.nick?.contains("x") ?? false }, #Predicate { $0.nick?.contains("x") ?? true },
      #Predicate { $0.nick?.contains("x") == false }, #Predicate { $0.nick?.contains("x") != true },
      #Predicate { $0.nick?.contains("x") != false }, #Predicate { !($0.nick?.contains("x") ?? false) },
      #Predicate { if let nick = $0.nick { nick != "x" } else { false } }, #Predicate { ($0.level ?? 2) > 1 },
      #Predicate { !(($0.level ?? 2) > 1) }, #Predicate { $0.level.flatMap { $0 + 1 } == 3 },
      #Predicate { thing in if let nick = thing.nick, let level = thing.level { nick == "x" && level > 1 } else { true }
      },
      #Predicate { thing in
        if let nick = thing.nick, let level = thing.level { nick == "x" || level > 1 } else { false }
      },
      #Predicate { thing in thing.level.flatMap { level in thing.nick.flatMap { nick in level < 9 } } == nil },
      #Predicate { thing in thing.level.flatMap { level in thing.nick.flatMap { nick in nick == "x" } } == false },
      #Predicate { thing in thing.level.flatMap { _ in thing.nick } == "x" },
      #Predicate { thing in thing.counts.contains { $0 == thing.age } },
      #Predicate { thing in !thing.tags.contains { $0 == thing.name } },
      #Predicate { thing in thing.level.flatMap { _ in thing.nick } != "x" },
      #Predicate { $0.notes?.count == 1 }, #Predicate { $0.notes?.count != 1 },
      #Predicate { $0.notes?.isEmpty == true },
      #Predicate { $0.notes?.isEmpty != true }, #Predicate { $0.notes?.first == "a" },
      #Predicate { if let notes = $0.notes { notes.isEmpty } else { false } }, #Predicate { $0.nick?.isEmpty == false },
      #Predicate { ($0.nick?.contains("x") ?? $0.isOpen) },
    ]
  }

  private static func computed() -> [Predicate<Thing>] {
    [
      #Predicate { $0.age * 2 - 1 > 3 }, #Predicate { $0.age / 2 == 1 }, #Predicate { $0.age / 2 == 0 },
      #Predicate { $0.age % 2 == -1 }, #Predicate { $0.price / 2 > 1 }, #Predicate { -$0.age > 1 },
      #Predicate { ($0.age > 1 ? 2 : 3) == 3 }, #Predicate { if $0.age > 1 { $0.isOpen } else { $0.price > 1 } },
      #Predicate { $0.counts.max() == 3 }, #Predicate { ($0.counts.min() ?? 9) < 2 },
      #Predicate { $0.age + $0.counts.count > 2 },
    ]
  }

  @Test func answersAgree() throws {
    // Swift's nil equals nil and differs from all else.
    let options = PredicateOptions(dialect: .extended, missingFields: .likeNSPredicate)
    let things = Self.things(120, seed: 20_260_101)
    var checks = 0
    var holding = 0
    for predicate in Self.predicates() {
      let converted = try QueryPredicate(predicate, fields: FoundationPredicateTests.fields)
      let matcher = try Matcher(converted, options: options)
      for thing in things {
        let expected = try predicate.evaluate(thing)
        let found = try matcher.matches(thing.fields)
        #expect(found == expected, "\(converted) for \(thing)")
        checks += 1
        if expected { holding += 1 }
      }
    }
    print("converted predicates: \(checks) answers compared, \(holding) of them true")
    #expect(checks >= 5_000 && holding >= 1_500 && checks - holding >= 1_500)
  }

  /// Whole numbers divide in converted predicates as they do in Swift, beyond what a double holds, too.
  @Test func wholeNumbersDivideAsInSwift() throws {
    var random = SplitMix(seed: 3)
    var checks = 0
    for _ in 0..<TestAmount.of(2_000) {
      var thing = FoundationPredicateTests.Thing()
      thing.age = Int(truncatingIfNeeded: random.next()) >> Int(random.next() % 32)
      let divisor = Int(truncatingIfNeeded: random.next()) >> Int(32 + random.next() % 31)
      if divisor == 0 || divisor == -1 { continue }
      let (quotient, multiple) = (thing.age / divisor, thing.age / divisor * divisor)
      for (index, predicate) in [
        #Predicate<Thing> { $0.age / divisor == quotient }, #Predicate<Thing> { $0.age / divisor > quotient },
        #Predicate<Thing> { $0.age / divisor * divisor == multiple },
        #Predicate<Thing> { $0.age / divisor * divisor + $0.age % divisor == $0.age },
      ].enumerated() {
        let converted = try QueryPredicate(predicate, fields: FoundationPredicateTests.fields)
        let found = try Matcher(converted, options: PredicateOptions(dialect: .extended)).matches(thing.fields)
        #expect(found == (index != 1), "\(converted) for \(thing.age)")
        #expect(try predicate.evaluate(thing) == found)
        checks += 1
      }
    }
    #expect(checks >= TestAmount.of(7_000))
  }
}
