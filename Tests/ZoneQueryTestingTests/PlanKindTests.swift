import Testing
import ZoneQuery

@testable import ZoneQueryTesting

/// The oracle over plans has all kinds of plans to choose from.
struct PlanKindTests {
  @Test func everyKindOfPlanIsConsidered() throws {
    // Some kinds are rare: of some seeds these have them early.
    var random = SeededRandom(seed: 9)
    var kinds: Set<String> = []
    var queries = 0
    let rounds = TestAmount.isFull ? 220 : 55
    for round in 0..<rounds {
      let type = SchemaGenerator().recordType("Thing", &random)
      let records = RecordGenerator(recordType: type).records(1 + random.below(20), &random)
      var generator = PredicateGenerator(recordType: type, records: records)
      generator.dialect = round % 2 == 0 ? .extended : .cloudKit
      let options = PredicateOptions(dialect: generator.dialect)
      var testCase = FuzzCase(recordType: type, records: records, predicate: .true, options: options)
      let world = try RoundaboutDatabase(testCase, &random)
      for _ in 0..<10 {
        testCase.predicate = generator.predicate(&random)
        let keys = random.chance(1, of: 2) ? [] : NaiveOrder.random(for: testCase, &random).keys
        let query = Query(recordType: "Thing", predicate: QueryPredicate(testCase.predicate), sort: keys)
        kinds.formUnion(try world.database.prepare(query).answer(forcing: .scan).notes.kinds)
        queries += 1
      }
    }
    print("plans: \(queries) queries, \(kinds.count) kinds: \(kinds.sorted().joined(separator: "; "))")
    for kind in [
      "scan", "slots", "span", "spans", "list", "any list", "all lists", "circle", "union", "nothing", "walk",
      "sorted walk", "walk with missing",
    ] {
      #expect(kinds.contains { $0 == kind || $0.hasPrefix(kind + ", ") }, "\(kind)")
    }
    #expect(kinds.contains { $0.hasSuffix("residual") } && kinds.contains { $0.hasSuffix("probes") })
    #expect(kinds.contains { $0.contains("tested") })
    #expect(queries == 10 * rounds)
  }

  /// Some databases hold so many records that posting lists, kept in blocks, are intersected.
  @Test func someListsAreLong() throws {
    var random = SeededRandom(seed: 6)
    var (throngs, intersected, asked, databases) = (0, 0, 0, 0)
    while throngs < 2, databases < 20 {
      let type = SchemaGenerator().recordType("Thing", &random)
      let records = RecordGenerator(recordType: type).records(20, &random)
      let world = try RoundaboutDatabase(
        FuzzCase(recordType: type, records: records, predicate: .true), &random, throngs: (1, 1))
      databases += 1
      guard world.isThrong else { continue }
      throngs += 1
      #expect(world.records.count >= 400)
      for predicate in world.pairsOfMembers(&random) {
        let query = Query(recordType: "Thing", predicate: QueryPredicate(predicate))
        let answer = try world.database.prepare(query).answer(forcing: .scan)
        asked += 1
        if answer.notes.kinds.contains("all lists"), !answer.ids.isEmpty { intersected += 1 }
      }
    }
    print(
      "long lists: \(throngs) of \(databases) databases, lists intersected for \(intersected) of \(asked) predicates")
    #expect(throngs == 2 && intersected >= 4)
  }

  /// Lists hold texts that an index of lists with other fields tells apart by no more than a beginning and half a hash.
  @Test func listsHoldTextsThatHashAlike() {
    func half(_ text: String) -> UInt64 {
      text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } >> 32
    }
    let alike = BoundaryValues.alike
    #expect(alike.allSatisfy { $0.utf8.count > 7 && $0.utf8.prefix(3).elementsEqual(alike[0].utf8.prefix(3)) })
    #expect(Set(alike.map(half)).count == 4 && alike.count == 7)
    var random = SeededRandom(seed: 4)
    var pairs = 0
    for _ in 0..<400 {
      let lists = (0..<10).compactMap { _ in ValueGenerator().value(of: .list(.string), &random).texts }
      let members = Set(lists.joined()).filter { alike.contains($0) }
      if Set(members.map(half)).count < members.count { pairs += 1 }
    }
    print("of 400 draws of ten lists, \(pairs) hold two texts that hash alike")
    #expect(pairs > 100)
  }
}

extension FieldValue {
  fileprivate var texts: [String]? { if case .stringList(let texts) = self { texts } else { nil } }
}
