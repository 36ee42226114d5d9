internal import PredicateSyntax
internal import ZoneQuery

extension NaiveEvaluator {
  /// The value of an expression for a record.
  func value(of expression: ExpressionNode, _ record: Record) -> NaiveValue {
    switch expression {
    case .literal(let node): return NaiveValue(node.value)
    case .key(let node): return value(of: node, record)
    case .list(let node):
      let members = node.elements.map { value(of: $0, record) }
      // What a list holds whose member is missing, no rule says.
      return members.contains(where: { $0.isMissing || $0.isUndecided }) ? .undecided : .list(members)
    case .unary(let node):
      guard node.operation == .negate else { return .undecided }
      return arithmetic(.integer(0), .subtract, value(of: node.operand, record))
    case .binary(let node):
      return arithmetic(value(of: node.left, record), node.operation, value(of: node.right, record))
    case .index(let node): return element(node, record)
    case .function(let node): return function(node, record)
    case .ternary(let node):
      let truth = truth(of: node.condition, for: record)
      if truth == .undecided { return .undecided }
      let chosen = value(of: truth == .yes ? node.then : node.otherwise, record)
      return chosen.isNull ? .undecided : chosen
    case .property, .selfReference, .variable, .customFunction, .subquery, .cast, .assignment: return .undecided
    }
  }

  private func value(of key: KeyNode, _ record: Record) -> NaiveValue {
    if let last = key.path.last {
      guard key.path.count == 1, sameBytes(last, "@count") else { return .undecided }
      return count(NaiveValue(record[key.name]))
    }
    for field in SystemField.allCases {
      let names = [field.key, field.schemaName].compactMap { $0 }
      if names.contains(where: { sameBytes($0, key.name) }) { return NaiveValue(record.systemValue(field)) }
    }
    return NaiveValue(record[key.name])
  }

  private func count(_ value: NaiveValue) -> NaiveValue {
    switch value {
    case .list(let members): .integer(Int64(members.count))
    case .missing: .missing
    default: .undecided
    }
  }

  private func element(_ node: IndexNode, _ record: Record) -> NaiveValue {
    let base = value(of: node.base, record)
    guard case .list(let members) = base else { return base.isMissing ? .missing : .undecided }
    switch node.selector {
    case .first: return members.first ?? .missing
    case .last: return members.last ?? .missing
    case .size: return .integer(Int64(members.count))
    case .at(let index):
      guard case .integer(let position) = value(of: index, record) else { return .undecided }
      return position >= 0 && position < members.count ? members[Int(position)] : .missing
    }
  }

  // MARK: Computing

  private static let exactRange: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  /// Sums, differences, products and quotients where their result is beyond doubt: whole numbers that do not
  /// overflow, and doubles of moderate size.
  private func arithmetic(
    _ left: NaiveValue, _ operation: ArithmeticOperator, _ right: NaiveValue
  ) -> NaiveValue {
    if left.isMissing || right.isMissing { return .missing }
    if case .integer(let a) = left, case .integer(let b) = right {
      let result: (partialValue: Int64, overflow: Bool)
      switch operation {
      case .add: result = a.addingReportingOverflow(b)
      case .subtract: result = a.subtractingReportingOverflow(b)
      case .multiply: result = a.multipliedReportingOverflow(by: b)
      case .divide:
        guard b != 0 else { return .missing }
        guard Self.exactRange.contains(a), Self.exactRange.contains(b) else { return .undecided }
        return .double(Double(a) / Double(b))
      case .bitAnd: return .integer(a & b)
      case .bitOr: return .integer(a | b)
      case .bitXor: return .integer(a ^ b)
      case .power: return power(a, b)
      case .shiftLeft: return (0..<32).contains(b) && (0..<1 << 31).contains(a) ? .integer(a << b) : .undecided
      case .shiftRight: return (0..<63).contains(b) && a >= 0 ? .integer(a >> b) : .undecided
      }
      return result.overflow ? .undecided : .integer(result.partialValue)
    }
    guard let a = moderate(left), let b = moderate(right) else { return .undecided }
    switch operation {
    case .add: return .double(a + b)
    case .subtract: return .double(a - b)
    case .multiply: return .double(a * b)
    case .divide: return b == 0 ? .missing : .double(a / b)
    default: return .undecided
    }
  }

  /// A power by multiplication, of small numbers.
  private func power(_ base: Int64, _ exponent: Int64) -> NaiveValue {
    guard (-30...30).contains(base), (0...9).contains(exponent) else { return .undecided }
    return .integer((0..<exponent).reduce(1) { power, _ in power * base })
  }

  private func moderate(_ value: NaiveValue) -> Double? {
    switch value {
    case .integer(let value) where Self.exactRange.contains(value): Double(value)
    case .double(let value) where abs(value) < 1e100 && (value == 0 || abs(value) > 1e-100): value
    default: nil
    }
  }

  private func function(_ node: FunctionNode, _ record: Record) -> NaiveValue {
    let arguments = node.arguments.map { value(of: $0, record) }
    if arguments.contains(where: \.isUndecided) { return .undecided }
    if node.function == .now { return .moment(now.milliseconds) }
    if node.function == .distance, arguments.count == 2 {
      if case .place(let a) = arguments[0], case .place(let b) = arguments[1] {
        return .distance(ReferenceDistance.bounds(a, b))
      }
      return arguments.contains(where: \.isMissing) ? .missing : .undecided
    }
    if arguments.count == 2 { return function(node.function, arguments[0], arguments[1]) }
    guard arguments.count == 1, let argument = arguments.first else { return .undecided }
    if argument.isMissing { return .missing }
    switch (node.function, argument) {
    case (.count, _): return count(argument)
    case (.absolute, .integer(let value)): return value == .min ? .undecided : .integer(abs(value))
    case (.absolute, .double(let value)): return .double(abs(value))
    case (.length, .text(let text)):
      return text.utf8.allSatisfy { $0 < 128 } ? .integer(Int64(text.utf8.count)) : .undecided
    case (.uppercase, .text(let text)): return mapped(text) { $0.uppercaseMapping }
    case (.lowercase, .text(let text)): return mapped(text) { $0.lowercaseMapping }
    case (.floor, .integer), (.ceiling, .integer), (.truncate, .integer): return argument
    case (.floor, .double(let value)): return .double(value.rounded(.down))
    case (.ceiling, .double(let value)): return .double(value.rounded(.up))
    case (.truncate, .double(let value)): return .double(value.rounded(.towardZero))
    case (.squareRoot, .integer), (.squareRoot, .double):
      guard let number = moderate(argument), number >= 0 else { return .undecided }
      return .double(number.squareRoot())
    case (.onesComplement, .integer(let value)): return .integer(-1 - value)
    case (.sum, .list(let members)): return sum(members)
    case (.average, .list(let members)):
      return members.isEmpty ? .missing : arithmetic(sum(members), .divide, .integer(Int64(members.count)))
    case (.median, .list(let members)): return median(members)
    case (.mode, .list(let members)): return mode(members)
    case (.min, .list(let members)): return extreme(members, .less)
    case (.max, .list(let members)): return extreme(members, .greater)
    default: return .undecided
    }
  }

  /// The functions of two numbers that are not operators alone.
  private func function(_ function: BuiltinFunction, _ left: NaiveValue, _ right: NaiveValue) -> NaiveValue {
    let operation: ArithmeticOperator? =
      switch function {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      case .divide: .divide
      case .raise: .power
      case .bitwiseAnd: .bitAnd
      case .bitwiseOr: .bitOr
      case .bitwiseXor: .bitXor
      case .leftShift: .shiftLeft
      case .rightShift: .shiftRight
      default: nil
      }
    if let operation { return arithmetic(left, operation, right) }
    if left.isMissing || right.isMissing { return .missing }
    guard function == .modulus, case .integer(let a) = left, case .integer(let b) = right else { return .undecided }
    if b == 0 { return .missing }
    // What is left of a number below nothing is below nothing, too, as C has it.
    guard a > .min, b > .min else { return .undecided }
    let rest = abs(a) - abs(a) / abs(b) * abs(b)
    return .integer(a < 0 ? -rest : rest)
  }

  private func sum(_ members: [NaiveValue]) -> NaiveValue {
    members.reduce(.integer(0)) { $0.isUndecided ? $0 : arithmetic($0, .add, $1) }
  }

  /// How many members compare so with one.
  private func count(_ members: [NaiveValue], _ comparison: ComparisonOperator, _ one: NaiveValue) -> Int {
    members.count { compare($0, comparison, [], one) == .yes }
  }

  /// The member that as many are below as above, or what is half way between two.
  private func median(_ members: [NaiveValue]) -> NaiveValue {
    guard members.allSatisfy({ moderate($0) != nil }) else { return .undecided }
    if members.isEmpty { return .missing }
    func ranked(_ rank: Int) -> NaiveValue {
      members.first { one in
        let below = count(members, .less, one)
        return below <= rank && rank < below + count(members, .equal, one)
      } ?? .undecided
    }
    let upper = ranked(members.count / 2)
    if members.count % 2 == 1 { return upper }
    return arithmetic(arithmetic(ranked(members.count / 2 - 1), .add, upper), .divide, .integer(2))
  }

  /// The value of the most members, the least where there are several.
  private func mode(_ members: [NaiveValue]) -> NaiveValue {
    let most = members.map { count(members, .equal, $0) }.max() ?? 0
    if most == 0 { return members.isEmpty ? .missing : .undecided }
    return extreme(members.filter { count(members, .equal, $0) == most }, .less)
  }

  /// The member that compares so with every other; which of nothing, no rule says.
  private func extreme(_ members: [NaiveValue], _ comparison: ComparisonOperator) -> NaiveValue {
    guard var best = members.first else { return .undecided }
    for member in members where compare(member, comparison, [], best) == .yes { best = member }
    return best
  }

  /// A sigma is lowercased by what stands round it, which this does not look at.
  private func mapped(_ text: String, _ map: (Unicode.Scalar.Properties) -> String) -> NaiveValue {
    if text.unicodeScalars.contains("\u{3A3}") { return .undecided }
    return .text(text.unicodeScalars.map { map($0.properties) }.joined())
  }

  // MARK: Token search

  /// What a token search says; nil where the comparison is none.
  func tokenSearch(_ node: ComparisonNode, _ record: Record) -> Truth? {
    let needle: ExpressionNode
    let wantsAll: Bool
    switch (node.left, node.comparison, node.right) {
    case (.function(let call), .in, .key(let key)) where call.function == .tokenize && sameBytes(key.name, "allTokens"):
      guard let text = call.arguments.first else { return .undecided }
      needle = text
      wantsAll = node.quantifier == .all
    case (.key(let key), .tokenMatches, let text) where sameBytes(key.name, "allTokens"):
      needle = text
      wantsAll = true
    case (.selfReference, .contains, let text):
      needle = text
      wantsAll = false
    default: return nil
    }
    guard case .text(let text) = value(of: needle, record), let wanted = NaiveText(text).tokens() else {
      return .undecided
    }
    var texts: [String] = []
    var hasField = false
    for field in recordType.fields where field.indexes.contains(.searchable) {
      switch record[field.name] {
      case .string(let text)?: texts.append(text)
      case .stringList(let members)?: texts += members
      default: continue
      }
      hasField = true
    }
    guard hasField else { return absent }
    if wanted.isEmpty { return .no }
    var present: Set<[UInt32]> = []
    for text in texts {
      guard let tokens = NaiveText(text).tokens() else { return .undecided }
      present.formUnion(tokens)
    }
    return Truth(wantsAll ? wanted.isSubset(of: present) : !wanted.isDisjoint(with: present))
  }
}
