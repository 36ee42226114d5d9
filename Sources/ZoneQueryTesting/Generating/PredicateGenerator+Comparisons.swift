internal import PredicateSyntax
internal import ZoneQuery

extension PredicateGenerator {
  private func make(
    _ quantifier: Quantifier, _ left: ExpressionNode, _ comparison: ComparisonOperator, _ options: ComparisonOptions,
    _ right: ExpressionNode
  ) -> PredicateNode { .comparison(ComparisonNode(quantifier, left, comparison, options: options, right)) }

  private func make(
    _ quantifier: Quantifier, _ left: ExpressionNode, _ comparison: ComparisonOperator, _ right: ExpressionNode
  ) -> PredicateNode { .comparison(ComparisonNode(quantifier, left, comparison, right)) }

  private func make(
    _ left: ExpressionNode, _ comparison: ComparisonOperator, _ options: ComparisonOptions, _ right: ExpressionNode
  ) -> PredicateNode { .comparison(ComparisonNode(left, comparison, options: options, right)) }

  private func make(
    _ left: ExpressionNode, _ comparison: ComparisonOperator, _ right: ExpressionNode
  ) -> PredicateNode { .comparison(ComparisonNode(left, comparison, right)) }

  /// A comparison of a form with a field; nil where the records or the type offer no second operand.
  func node(
    _ form: PredicateForm, _ name: String, _ type: FieldType, _ comparison: ComparisonOperator,
    _ random: inout SeededRandom
  ) -> PredicateNode? {
    let key = ExpressionNode.key(KeyNode(name))
    let isReference = type.scalar == .reference
    // References have no order.
    let isOrder = comparison != .equal && comparison != .notEqual
    switch form {
    case .relation:
      if isReference, isOrder { return nil }
      let constant = constant(name, type, &random)
      guard random.chance(1, of: 4), let mirrored = OperatorTable.facts(of: comparison).mirrored else {
        return make(key, comparison, constant)
      }
      return make(constant, mirrored, key)
    case .now:
      let now = ExpressionNode.function(FunctionNode(.now, []))
      return make(key, comparison, now)
    case .relationWithOptions: return make(key, comparison, options(&random), constant(name, type, &random))
    case .between:
      var bounds = [constant(name, type, &random), constant(name, type, &random)]
      if case .literal(let low) = bounds[0], case .literal(let high) = bounds[1], random.chance(3, of: 4),
        Self.isGreater(low.value, high.value)
      {
        bounds.reverse()
      }
      return make(key, .between, .list(ListNode(bounds)))
    case .isIn: return make(key, .in, constants(name, type, &random))
    case .inWithNil:
      guard case .list(var list) = constants(name, type, &random) else { return nil }
      list.elements.insert(.literal(LiteralNode(.null)), at: random.below(list.elements.count + 1))
      return make(key, .in, .list(list))
    case .anyOfConstants: return make(.any, constants(name, type, &random), .equal, key)
    case .constantsRelation:
      if isReference, isOrder { return nil }
      guard let quantifier = random.pick(quantifiers(of: form)) else { return nil }
      return make(quantifier, constants(name, type, &random), comparison, key)
    case .listContains:
      return make(
        key, .contains, dialect == .extended && type.scalar == .string ? options(&random) : [],
        constant(name, type, &random))
    case .memberOf: return make(constant(name, type, &random), .in, key)
    case .anyMember: return make(.any, key, .equal, constant(name, type, &random))
    case .anyIn: return make(.any, key, .in, constants(name, type, &random))
    case .allIn: return make(.all, key, .in, constants(name, type, &random))
    case .allOf: return make(.all, constants(name, type, &random), .in, key)
    case .anyOf: return make(.any, constants(name, type, &random), .in, key)
    case .anyRelation, .allRelation:
      if isReference, isOrder { return nil }
      return make(form == .anyRelation ? .any : .all, key, comparison, constant(name, type, &random))
    case .anyPrefix: return make(.any, key, .beginsWith, part(name, type, .beginsWith, &random))
    case .anySubstring: return make(.any, key, comparison, options(&random), part(name, type, comparison, &random))
    case .prefix:
      let options = dialect == .extended ? options(&random) : []
      return make(key, .beginsWith, options, part(name, type, .beginsWith, &random))
    case .suffix: return make(key, .endsWith, options(&random), part(name, type, .endsWith, &random))
    case .substring: return make(key, .contains, options(&random), part(name, type, .contains, &random))
    case .partOf: return make(part(name, type, .contains, &random), .in, options(&random), key)
    case .like: return make(key, .like, options(&random), part(name, type, .like, &random))
    case .isNil:
      let null = ExpressionNode.literal(LiteralNode(.null))
      return random.chance(1, of: 4) ? make(null, comparison, key) : make(key, comparison, null)
    case .within, .outside: return distance(name, comparison, &random)
    case .distanceBetween:
      let (call, radius) = circle(name, &random)
      let low = random.one(of: 0, radius / 2, radius)
      let bounds = [low, random.one(of: radius, radius * 2)].map(Self.number)
      return make(call, .between, .list(ListNode(bounds)))
    case .sameLocation: return make(key, comparison, constant(name, type, &random))
    case .fieldToField:
      let others = fields.filter {
        let numbers: Set<FieldType> = [.int64, .double]
        return $0.type == type || numbers.contains(type) && numbers.contains($0.type)
      }
      guard let other = random.pick(others), !(isReference && isOrder) else { return nil }
      return make(key, comparison, .key(KeyNode(other.name)))
    case .memberField:
      guard let list = random.pick(fields.filter { $0.type == .list(type.scalar) }) else { return nil }
      let other = ExpressionNode.key(KeyNode(list.name))
      return comparison == .in ? make(key, .in, other) : make(other, .contains, key)
    case .arithmetic, .scalarFunction, .listFunction, .element, .ternary:
      return computed(form, name, type, comparison, &random)
    case .allTokens, .anyTokens, .tokenMatches, .selfContains: return nil
    }
  }

  private func computed(
    _ form: PredicateForm, _ name: String, _ type: FieldType, _ comparison: ComparisonOperator,
    _ random: inout SeededRandom
  ) -> PredicateNode? {
    let key = ExpressionNode.key(KeyNode(name))
    let isNumber = type.scalar == .int64 || type.scalar == .double
    let small = Self.number(Double(random.below(9)) - 2)
    let isOrder = comparison != .equal && comparison != .notEqual
    func compare(_ value: ExpressionNode, _ other: ExpressionNode) -> PredicateNode {
      guard operators == nil, comparison == .equal, random.chance(1, of: 3) else {
        return .comparison(ComparisonNode(value, comparison, other))
      }
      var elements = [other]
      if random.chance(1, of: 2) { elements.insert(.literal(LiteralNode(.null)), at: random.below(2)) }
      return .comparison(ComparisonNode(value, .in, .list(ListNode(elements))))
    }
    switch form {
    case .arithmetic:
      let operations: [ArithmeticOperator] =
        type.scalar == .int64
        ? [.add, .subtract, .multiply, .divide, .bitAnd, .bitOr, .bitXor, .power, .shiftLeft, .shiftRight]
        : [.add, .subtract, .multiply, .divide]
      let others = fields.filter { $0.type == type }
      let other =
        random.chance(1, of: 3) ? random.pick(others).map { ExpressionNode.key(KeyNode($0.name)) } ?? small : small
      guard let operation = random.pick(operations) else { return nil }
      let bound = Self.number(Double(random.below(12)) - 3)
      switch random.below(8) {
      case 0: return compare(.unary(UnaryNode(.negate, key)), bound)
      case 1:
        let function: BuiltinFunction = random.one(of: .modulus, .raise, .subtract)
        return compare(.function(FunctionNode(function, [key, other])), bound)
      default: return compare(.binary(BinaryNode(key, operation, other)), bound)
      }
    case .scalarFunction:
      if type.scalar == .string {
        let function: BuiltinFunction = random.one(of: .uppercase, .lowercase, .length)
        let call = ExpressionNode.function(FunctionNode(function, [key]))
        return compare(call, function == .length ? small : constant(name, type, &random))
      }
      // What logarithms come to, to the last bit, no rule says: they are drawn for what they must not do.
      let rare: BuiltinFunction = random.one(of: .logarithm, .naturalLogarithm, .exponential, .onesComplement)
      let function: BuiltinFunction =
        random.chance(1, of: 12) && (type.scalar == .int64 || rare != .onesComplement)
        ? rare : random.one(of: .absolute, .floor, .ceiling, .truncate, .squareRoot)
      return compare(.function(FunctionNode(function, [key])), constant(name, type, &random))
    case .listFunction:
      let function: BuiltinFunction =
        isNumber ? random.one(of: .count, .sum, .min, .max, .average, .median, .mode, .standardDeviation) : .count
      return compare(.function(FunctionNode(function, [key])), small)
    case .element:
      let selector: IndexSelector = random.one(
        of: .first, .last, .size, .at(.literal(LiteralNode(.integer(Int64(random.below(4)))))))
      if case .size = selector { return compare(.index(IndexNode(key, selector)), small) }
      if type.scalar == .reference, isOrder { return nil }
      return compare(.index(IndexNode(key, selector)), constant(name, type, &random))
    case .ternary:
      if type.scalar == .reference, isOrder { return nil }
      guard
        let condition = node(.relation, name, type, random.one(of: .equal, .notEqual), &random)
      else { return nil }
      let value = ExpressionNode.ternary(
        TernaryNode(condition, constant(name, type, &random), constant(name, type, &random)))
      return compare(value, constant(name, type, &random))
    default: return nil
    }
  }

  // MARK: Operands

  private func options(_ random: inout SeededRandom) -> ComparisonOptions {
    random.one(of: [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive])
  }

  /// A constant that the field's members or values can be compared with.
  private func constant(_ name: String, _ type: FieldType, _ random: inout SeededRandom) -> ExpressionNode {
    .literal(LiteralNode(literal(name, type, &random)))
  }

  private func constants(_ name: String, _ type: FieldType, _ random: inout SeededRandom) -> ExpressionNode {
    let count = random.one(of: 0, 1, 2, 2, 3, 4, 9)
    return .list(ListNode((0..<count).map { _ in constant(name, type, &random) }))
  }

  private func literal(_ name: String, _ type: FieldType, _ random: inout SeededRandom) -> Literal {
    var values: [Literal] = []
    if random.fraction() < selectivity, let record = random.pick(records) {
      let system = SystemField.allCases.first { $0.key == name }
      values = Self.literals(system.map { record.systemValue($0) } ?? record[name])
    }
    let zone = random.pick(records)?.recordID.zoneID ?? .default
    let drawn = Self.literals(ValueGenerator(zoneID: zone).value(of: FieldType(type.scalar), &random))
    guard var literal = random.pick(values) ?? drawn.first else { return .null }
    // Whole numbers that no double holds, for the comparison that must not round them.
    if type.scalar == .double, random.chance(1, of: 6) { literal = .integer(random.pick(BoundaryValues.integers) ?? 0) }
    return random.chance(1, of: 4) ? Self.neighbour(of: literal, &random) : literal
  }

  /// A constant just beside another.
  private static func neighbour(of literal: Literal, _ random: inout SeededRandom) -> Literal {
    switch literal {
    case .integer(let value):
      switch random.below(4) {
      case 0: return .integer(value &+ 1)
      case 1: return .integer(value &- 1)
      case 2: return Literal.number(Double(value)) ?? literal
      default: return Literal.number(Double(value) + 0.5) ?? literal
      }
    case .double(let value): return Literal.number(random.one(of: value.nextUp, value.nextDown, -value)) ?? literal
    case .date(let milliseconds): return .date(milliseconds: random.one(of: milliseconds &+ 1, milliseconds &- 1))
    case .string(let text):
      return .string(random.one(of: text + "a", String(text.unicodeScalars.dropLast()), text.uppercased()))
    default: return literal
    }
  }

  static func literals(_ value: FieldValue?) -> [Literal] {
    switch value {
    case .string(let value)?: [.string(value)]
    case .stringList(let values)?: values.map { .string($0) }
    case .int64(let value)?: [.integer(value)]
    case .int64List(let values)?: values.map { .integer($0) }
    case .double(let value)?: [Literal.number(value)].compactMap { $0 }
    case .doubleList(let values)?: values.compactMap { Literal.number($0) }
    case .timestamp(let value)?: [.date(milliseconds: value.milliseconds)]
    case .timestampList(let values)?: values.map { .date(milliseconds: $0.milliseconds) }
    case .location(let value)?: [.location(latitude: value.latitude, longitude: value.longitude)]
    case .locationList(let values)?: values.map { .location(latitude: $0.latitude, longitude: $0.longitude) }
    case .reference(let value)?: [reference(value)]
    case .referenceList(let values)?: values.map(reference)
    default: []
    }
  }

  private static func reference(_ value: Reference) -> Literal {
    let zone = value.recordID.zoneID
    let isOwn = sameBytes(zone.ownerName, ZoneID.currentUserName)
    return .reference(
      recordName: value.recordID.recordName, zoneName: zone.isDefault ? nil : zone.zoneName,
      ownerName: isOwn ? nil : zone.ownerName)
  }

  private static func isGreater(_ left: Literal, _ right: Literal) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a > b
    case (.double(let a), .double(let b)): a > b
    case (.double(let a), .integer(let b)): a > Double(b)
    case (.integer(let a), .double(let b)): Double(a) > b
    case (.date(let a), .date(let b)): a > b
    case (.string(let a), .string(let b)): b.utf8.lexicographicallyPrecedes(a.utf8)
    default: false
    }
  }

  static func number(_ value: Double) -> ExpressionNode { .literal(LiteralNode(Literal.number(value) ?? .integer(0))) }

  /// A piece of a text, or a pattern that it may match.
  private func part(
    _ name: String, _ type: FieldType, _ comparison: ComparisonOperator, _ random: inout SeededRandom
  ) -> ExpressionNode {
    guard case .string(let text) = literal(name, type, &random) else { return .literal(LiteralNode(.string("a"))) }
    let scalars = Array(text.unicodeScalars)
    let length = random.one(of: scalars.count, scalars.count - 1, scalars.count / 2, 1, 2)
    var piece = String.UnicodeScalarView()
    switch comparison {
    case .beginsWith: piece.append(contentsOf: scalars.prefix(max(0, length)))
    case .endsWith: piece.append(contentsOf: scalars.suffix(max(0, length)))
    case .contains: piece.append(contentsOf: scalars.dropFirst(random.below(scalars.count)).prefix(max(0, length)))
    default:
      for scalar in scalars {
        let isSpecial = scalar == "*" || scalar == "?" || scalar == "\\"
        if isSpecial { piece.append("\\") }
        switch random.below(5) {
        case 0 where !isSpecial: piece.append("?")
        case 1 where !isSpecial: piece.append("*")
        case 2 where !isSpecial: piece.append(contentsOf: ["\\", scalar])
        default: piece.append(scalar)
        }
      }
      if random.chance(1, of: 3) { piece.append("*") }
    }
    return .literal(LiteralNode(.string(String(piece))))
  }

  // MARK: Distance

  private func distance(
    _ name: String, _ comparison: ComparisonOperator, _ random: inout SeededRandom
  ) -> PredicateNode {
    let (call, radius) = circle(name, &random)
    let number = Self.number(radius)
    guard random.chance(1, of: 4), let mirrored = OperatorTable.facts(of: comparison).mirrored else {
      return .comparison(ComparisonNode(call, comparison, number))
    }
    return .comparison(ComparisonNode(number, mirrored, call))
  }

  /// A distance from a place, and a radius: at a record's rim, at one of the ends, or anywhere.
  private func circle(_ name: String, _ random: inout SeededRandom) -> (call: ExpressionNode, radius: Double) {
    let places = records.compactMap { record -> Location? in
      if case .location(let place)? = record[name] { place } else { nil }
    }
    var centre = ValueGenerator().place(&random)
    if random.chance(1, of: 4) { centre = random.pick(places) ?? centre }
    let constant = ExpressionNode.literal(
      LiteralNode(.location(latitude: centre.latitude, longitude: centre.longitude)))
    let key = ExpressionNode.key(KeyNode(name))
    let call = ExpressionNode.function(
      FunctionNode(.distance, random.chance(1, of: 2) ? [key, constant] : [constant, key]))
    switch random.below(6) {
    case 0: return (call, random.one(of: 0, -1, 1, 1e-3, 2e7, 1e9, .infinity, 19_950_000, 20_003_931.5))
    case 1, 2: return (call, random.fraction() * 2e7)
    default:
      let bounds = random.pick(places).map { ReferenceDistance.bounds(centre, $0) } ?? 0...0
      return (call, random.one(of: bounds.lowerBound, bounds.upperBound + 0.002, max(0, bounds.lowerBound - 0.002)))
    }
  }
}
