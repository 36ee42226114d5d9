@testable import PredicateSyntax

/// SplitMix64: small, seeded, the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// Makes trees of every kind, by the constructors a program in Swift would use.
struct TreeGenerator {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let names = [
    "a", "b", "name", "start", "in", "IN", "size", "self", "SELF", "not", "sum", "now", "true", "NONE", "x1",
    "_y", "UTI", "e", "名前", "é", "e\u{301}", "Int64", "first", "TRUEPREDICATE", "nil", "cast", "order",
  ]

  static let texts = [
    "", "a", "it's", "a\"b", "\\", "a AND b == 1", "%@ %K", "\n\r\n\t", "\u{0}", "\u{7F}\u{1}", "é",
    "e\u{301}",
    "😀", "$x", "{0}", "\u{2028}", "CAST(1, \"NSDate\")", "\\u0041", "'", "\u{202E}abc", "ß",
  ]

  mutating func name() -> String { random.pick(Self.names) }

  mutating func component() -> String { random.below(8) == 0 ? "@" + name() : name() }

  mutating func components() -> [String] { (0...random.below(3)).map { _ in component() } }

  mutating func integer() -> Int64 {
    switch random.below(6) {
    case 0: random.pick([Int64.min, .max, -1, 0, 1, 1 << 53, (1 << 53) + 1, .min + 1])
    case 1: Int64(bitPattern: random.next())
    default: Int64(random.below(200)) - 100
    }
  }

  mutating func double() -> Double {
    switch random.below(5) {
    case 0:
      random.pick([
        .infinity, -.infinity, .leastNonzeroMagnitude, 1e300, -1e300, 1e-5, 0.1, -0.0,
        9.223372036854775808e18, 1.5e16,
        .greatestFiniteMagnitude, 123456789.125, 1e15 + 0.5,
      ])
    case 1:
      Double(bitPattern: random.next())
    default: Double(random.below(20000) - 10000) / 100
    }
  }

  mutating func literal() -> Literal {
    switch random.below(10) {
    case 0: return .null
    case 1, 2: return .integer(integer())
    case 3: return Literal.number(double()) ?? .null
    case 4, 5: return .string(random.pick(Self.texts) + (random.below(3) == 0 ? random.pick(Self.texts) : ""))
    case 6: return .date(milliseconds: integer())
    case 7:
      return .location(
        latitude: Double(random.below(1_800_000) - 900_000) / 10000,
        longitude: Double(random.below(3_600_000) - 1_800_000) / 10000)
    default:
      let record = random.pick(["r", "a/b", "/", "%", "r r\"", "é/é/é"])
      let zone: String? = random.pick([nil, nil, "zone", "z/z", "%41", "_defaultZone"])
      let owner: String? = random.pick([nil, nil, "owner", "o/o", "%2F", "o%"])
      return .reference(recordName: record, zoneName: zone, ownerName: owner)
    }
  }

  mutating func expression(_ depth: Int) -> ExpressionNode {
    if depth <= 1 {
      switch random.below(6) {
      case 0: return .selfReference(SelfNode())
      case 1: return .variable(VariableNode(name()))
      case 2, 3: return .key(KeyNode(components: components()))
      default: return .literal(LiteralNode(literal()))
      }
    }
    switch random.below(16) {
    case 0: return .list(ListNode(list(depth)))
    case 1: return .negated(expression(depth - 1))
    case 2: return .complemented(expression(depth - 1))
    case 3, 4, 5:
      let operation = random.pick(ArithmeticOperator.allCases)
      return .binary(BinaryNode(expression(depth - 1), operation, expression(depth - 1)))
    case 6: return .path(from: expression(depth - 1), components())
    case 7, 8:
      let selector: IndexSelector =
        switch random.below(4) {
        case 0: .first
        case 1: .last
        case 2: .size
        default: .at(expression(depth - 1))
        }
      return .index(IndexNode(expression(depth - 1), selector))
    case 9, 10:
      let function = random.pick(BuiltinFunction.allCases)
      let count = OperatorTable.facts(of: function).argumentCount.lowerBound
      return .function(FunctionNode(function, (0..<count).map { _ in expression(depth - 1) }))
    case 11:
      return .customFunction(
        CustomFunctionNode(expression(depth - 1), random.pick(Self.texts), list(depth)))
    case 12:
      return .subquery(
        SubqueryNode(expression(depth - 1), VariableNode(name()), predicate(depth - 1)))
    case 13:
      return .ternary(TernaryNode(predicate(depth - 1), expression(depth - 1), expression(depth - 1)))
    case 14:
      let type = random.pick(["NSDate", "NSString", "CLLocation", "", "CKReference", "NSNumber"])
      return .casting(expression(depth - 1), as: type) ?? .key(KeyNode("c"))
    default: return .assignment(AssignmentNode(VariableNode(name()), expression(depth - 1)))
    }
  }

  private mutating func list(_ depth: Int) -> [ExpressionNode] {
    (0..<random.below(4)).map { _ in expression(depth - 1) }
  }

  mutating func predicate(_ depth: Int) -> PredicateNode {
    if depth > 1 {
      switch random.below(8) {
      case 0: return .not(NotNode(predicate(depth - 1)))
      case 1, 2: return .all(of: (0..<random.below(4)).map { _ in predicate(depth - 1) })
      case 3: return .any(of: (0..<random.below(4)).map { _ in predicate(depth - 1) })
      default: break
      }
    }
    if random.below(12) == 0 { return random.below(2) == 0 ? .true : .false }
    let comparison = random.pick(ComparisonOperator.allCases)
    let takesOptions = OperatorTable.facts(of: comparison).takesOptions && random.below(4) == 0
    return .comparison(
      ComparisonNode(
        random.pick([nil, nil, .any, .all]), expression(depth - 1), comparison,
        options: takesOptions ? ComparisonOptions(rawValue: UInt8(random.below(16))) : [],
        expression(depth - 1)))
  }
}
