import Testing
import ZoneQuery

/// What is wrong with a predicate built in Swift is told where it is used, and traps nowhere.
@Suite("Faults of predicates built in Swift")
struct BuilderFaultTests {
  /// The code of the error that using the predicate gives.
  static func code(_ predicate: QueryPredicate) -> String? {
    do {
      try predicate.check(PredicateOptions(dialect: .extended))
      return nil
    } catch {
      #expect(error.stage == .binding && error.code == .invalidPredicate && !error.message.isEmpty)
      return error.diagnostics.first?.code
    }
  }

  @Test func names() {
    for name in [
      "", " ", "first name", "a-b", "1a", "a.", ".a", "a..b", "a b", "#in", "$a", "a'", "a\u{0}", "@", "a\n", "ä b",
      String(repeating: "a", count: 5_000),
    ] {
      let predicate = Field(name) == 1
      #expect(predicate.faults.first?.code == "invalidKey", "\(name)")
      #expect(Self.code(predicate) == "invalidKey")
      #expect(predicate.root == .false && predicate.description.hasPrefix("<"))
      #expect((try? QueryPredicate(format: predicate.description)) == nil)
    }
    for name in ["", "a b", "a.b", "@count", "1", "$a"] {
      #expect(Self.code(Field("a") == .parameter(name)) == "invalidParameter", "\(name)")
    }
  }

  @Test func values() {
    #expect(Self.code(Field("a") == Double.nan) == "unsupportedArgument")
    #expect(Self.code(Field("a") == -Double.nan) == "unsupportedArgument")
    #expect(Self.code(Field("a") == Float.signalingNaN) == "unsupportedArgument")
    #expect(Self.code(Field("a").isIn([1.5, .nan])) == "unsupportedArgument")
    #expect(Self.code(Field("a").isBetween(1, and: Double.nan)) == "unsupportedArgument")
    #expect(Self.code(Field("a").any < Double.nan) == "unsupportedArgument")
    #expect(Self.code(Field("a") == UInt64.max) == "unsupportedArgument")
    #expect(Self.code(Field("a") == Literal.double(.nan)) == "unsupportedArgument")
    #expect(Self.code(Field("a").distance(to: Location(latitude: 91, longitude: 0)) < 1) == "unsupportedArgument")
    #expect(Self.code(Field("a") == RecordID(recordName: "")) == "unsupportedArgument")
    #expect(Self.code(Field("a") == String(repeating: "x", count: (1 << 20) + 1)) == "unsupportedArgument")
    #expect(Self.code(Field("a").isIn(0..<Int.max)) == "listTooLong")
    #expect(Self.code(Field("a").isIn(0..<65_536)) == nil)
    #expect(Self.code(Field("a").comparing(.between, to: [1, 2], options: .caseInsensitive)) == "optionsNotAllowed")
  }

  @Test func everyFaultIsCarried() throws {
    let predicate = !(Field("a b") == 1 && (Field("c") == Double.nan || Field("d") + Field("e f") == 2))
    #expect(predicate.faults.map(\.code) == ["invalidKey", "unsupportedArgument", "invalidKey"])
    #expect(predicate != .false && predicate == predicate)
    let error = #expect(throws: ZoneQueryError.self) { try Matcher(predicate) }
    #expect(error?.diagnostics.count == 3)
    #expect(error?.description.contains("'a b' is no key") == true)
    let database = try Database(schema: Schema([Subject.type]))
    let query = Query(recordType: "Thing", predicate: predicate)
    #expect(throws: ZoneQueryError.self) { try database.records(matching: query) }
    #expect(throws: ZoneQueryError.self) { try database.count(matching: query) }
  }

  @Test func manyFaultsStayFew() {
    let predicate = QueryPredicate.all(of: (0..<10_000).map { Field("a \($0)") == 1 })
    #expect(predicate.faults.count == 20)
  }

  @Test func chainsOfNot() {
    var predicate = Field("a") == 1
    var taken = 0
    for count in 1...100_000 {
      predicate = !predicate
      if predicate.faults.isEmpty { taken = count }
    }
    // 128 levels: the comparison has two.
    #expect(taken == 126)
    #expect(Self.code(predicate) == "nestingTooDeep")
  }

  @Test func deepestTreesReadBack() throws {
    var predicate = Field("a") == 1
    for _ in 0..<126 { predicate = !predicate }
    #expect(try QueryPredicate(format: predicate.description) == predicate)
    #expect(.all(of: [predicate]) == predicate && .any(of: [predicate]) == predicate)
    #expect(Self.code(.all(of: [predicate, predicate])) == "nestingTooDeep")
    try predicate.check(PredicateOptions(dialect: .extended))
  }

  @Test func chainsOfAnd() {
    var predicate = Field("a") == 0
    var parts = 0
    for number in 1...100_000 {
      predicate = predicate && Field("a") != number
      if predicate.faults.isEmpty { parts = number }
    }
    #expect(parts == 1364)
    #expect(Self.code(predicate) == "tooManyNodes")
    #expect(Self.code(.any(of: (0..<100_000).lazy.map { Field("a") == $0 })) == "tooManyNodes")
  }

  @Test func constantsCountWhereverTheyStand() {
    let list = Field("a").isIn(0..<65_536)
    #expect(Self.code(.any(of: Array(repeating: list, count: 8))) == nil)
    #expect(Self.code(.any(of: Array(repeating: list, count: 9))) == "tooManyConstants")
    let text = Field.value(String(repeating: "x", count: 1 << 20))
    #expect(Self.code(.any(of: Array(repeating: Field("a") == text, count: 31))) == nil)
    #expect(Self.code(.any(of: Array(repeating: Field("a") == text, count: 32))) == "tooManyConstants")
    #expect(Self.code(.all(of: Array(repeating: list || list || list || list || list, count: 2))) == "tooManyConstants")
    // A tree made node by node, which holds one list many times.
    let node = ListNode((0..<65_536).map { .literal(LiteralNode(.integer($0))) })
    let comparison = PredicateNode.comparison(ComparisonNode(nil, .key(KeyNode("a")), .in, .list(node)))
    #expect(Self.code(QueryPredicate(.any(of: Array(repeating: comparison, count: 8)))) == nil)
    #expect(Self.code(QueryPredicate(.any(of: Array(repeating: comparison, count: 4_000)))) == "tooManyConstants")
    var shared = ExpressionNode.list(node)
    for _ in 0..<30 { shared = .list(ListNode([shared, shared])) }
    #expect(
      Self.code(QueryPredicate(.comparison(ComparisonNode(nil, .key(KeyNode("a")), .in, shared)))) == "tooManyNodes")
  }

  @Test func chainsThatAlternate() {
    var predicate = Field("a") == 0
    for number in 1...100_000 {
      predicate = number % 2 == 0 ? predicate && Field("b") == number : predicate || Field("c") == number
    }
    #expect(Self.code(predicate) == "nestingTooDeep")
  }

  @Test func chainsOfArithmetic() {
    var field = Field("a")
    for _ in 1...100_000 { field = field + 1 }
    #expect(Self.code(field == 1) == "nestingTooDeep")
    var negated = Field("a")
    for _ in 1...100_000 { negated = -negated }
    #expect(Self.code(negated == 1) == "nestingTooDeep")
    var chosen = Field("a")
    for _ in 1...1_000 { chosen = .choice(chosen == 1, chosen, chosen) }
    #expect(Self.code(chosen == 1) != nil)
  }

  @Test func treesFromOutside() {
    var node = (Field("a") == 1).root
    for _ in 0..<2_000 { node = .not(NotNode(node)) }
    #expect(Self.code(QueryPredicate(node)) == "nestingTooDeep")
    #expect(Self.code(!QueryPredicate(node) && Field("b") == 1) == "nestingTooDeep")
    var expression = ExpressionNode.key(KeyNode("a"))
    for _ in 0..<2_000 { expression = .list(ListNode([expression])) }
    #expect(
      Self.code(QueryPredicate(.comparison(ComparisonNode(nil, expression, .equal, expression)))) == "nestingTooDeep")
  }
}
