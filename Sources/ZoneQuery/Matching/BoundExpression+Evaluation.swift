// The arithmetic is mathematical (the project's own rule, where the language's documents are silent): of whole numbers
// the sum, difference, product and quotient is a whole number where it is one and fits 64 bits, else the nearest double;
// 7 / 2 is 3.5. Where one of two numbers is a double, so is the other. What has no result (a division by zero, the
// square root of −1, an index past the end) is missing.

extension BoundExpression {
  /// Whether no field takes part.
  var isConstant: Bool {
    switch self {
    case .constant: true
    case .field, .distance: false
    case .arithmetic(_, let left, let right): left.isConstant && right.isConstant
    case .negated(let operand), .complement(let operand), .count(let operand): operand.isConstant
    case .function(_, let arguments): arguments.allSatisfy(\.isConstant)
    case .ternary: false
    case .element(let list, .at(let position)): list.isConstant && position.isConstant
    case .element(let list, _): list.isConstant
    }
  }

  /// The expression's value for a record. Complexity: linear in the expression and the lists and texts it reads.
  func evaluate<Row: ProgramRow>(_ row: Row) -> ComputedValue {
    switch self {
    case .constant(let value): return value
    case .field(let field, let type): return row.isPresent(field) ? row.computedValue(field, type) : .missing
    case .arithmetic(let operation, let left, let right):
      return Arithmetic.apply(operation, left.evaluate(row), right.evaluate(row))
    case .negated(let operand): return Arithmetic.apply(.subtract, .integer(0), operand.evaluate(row))
    case .complement(let operand):
      guard let bits = operand.evaluate(row).wholeNumber else { return .missing }
      return .integer(~bits)
    case .function(let function, let arguments):
      return function.apply(arguments.map { $0.evaluate(row) })
    case .ternary(let condition, let then, let otherwise):
      return condition.program.matches(row) ? then.evaluate(row) : otherwise.evaluate(row)
    case .count(.field(let field, let type)) where type.isList:
      guard row.isPresent(field) else { return .missing }
      var count: Int64 = 0
      row.forEachMember(field, type) { _ in
        count += 1
        return true
      }
      return .integer(count)
    case .count(let list):
      guard case .list(let members) = list.evaluate(row) else { return .missing }
      return .integer(Int64(members.count))
    case .element(.field(let field, let type), let element) where type.isList:
      return row.isPresent(field) ? row.member(field, type, element) : .missing
    case .element(let list, let element):
      guard case .list(let members) = list.evaluate(row) else { return .missing }
      switch element {
      case .first: return members.first ?? .missing
      case .last: return members.last ?? .missing
      case .at(let position):
        guard let index = position.evaluate(row).wholeNumber.flatMap({ Int(exactly: $0) }),
          members.indices.contains(index)
        else { return .missing }
        return members[index]
      }
    case .distance(let field, let latitude, let longitude):
      guard row.isPresent(field) else { return .missing }
      let place = row.degrees(field)
      return .number(
        Geodesic.distance(
          latitude1: place.latitude, longitude1: place.longitude, latitude2: latitude, longitude2: longitude))
    }
  }
}

extension ProgramRow {
  /// The value of a field that is present.
  func computedValue(_ field: FieldNumber, _ type: FieldType) -> ComputedValue {
    if type.isList {
      var members: [ComputedValue] = []
      forEachMember(field, type) {
        members.append($0())
        return true
      }
      return .list(members)
    }
    switch type.scalar {
    case .int64: return .integer(integer(field))
    case .timestamp: return .timestamp(integer(field))
    case .double: return .number(double(field))
    case .string: return withBytes(field) { .text(Array(copying: $0)) }
    case .reference: return withBytes(field) { .reference(Array(copying: $0)) }
    case .location:
      let (latitude, longitude) = degrees(field)
      return .place(latitude, longitude)
    case .bytes, .asset: return .missing
    }
  }
}

extension ProgramRow {
  /// Calls `body` with each member of a list that is present, to be made only where it is asked for, until it returns
  /// false.
  func forEachMember(_ field: FieldNumber, _ type: FieldType, _ body: (() -> ComputedValue) -> Bool) {
    switch type.scalar {
    case .int64: _ = anyInteger(field) { value in !body { .integer(value) } }
    case .timestamp: _ = anyInteger(field) { value in !body { .timestamp(value) } }
    case .double: _ = anyDouble(field) { value in !body { .number(value) } }
    case .string: _ = anyBytes(field) { text in !body { .text(Array(copying: text)) } }
    case .reference: _ = anyBytes(field) { encoding in !body { .reference(Array(copying: encoding)) } }
    case .location:
      _ = anyDegrees(field) { latitude, longitude in !body { .place(latitude, longitude) } }
    case .bytes, .asset: break
    }
  }

  /// One member of a list that is present. Complexity: linear in its position; in the list's length for the last.
  func member(_ field: FieldNumber, _ type: FieldType, _ element: BoundExpression.Element) -> ComputedValue {
    var wanted = 0
    switch element {
    case .first: break
    case .last:
      forEachMember(field, type) { _ in
        wanted += 1
        return true
      }
      wanted -= 1
    case .at(let position):
      guard let index = position.evaluate(self).wholeNumber.flatMap({ Int(exactly: $0) }) else { return .missing }
      wanted = index
    }
    var found = ComputedValue.missing
    if wanted < 0 { return found }
    var index = 0
    forEachMember(field, type) { member in
      if index == wanted { found = member() }
      index += 1
      return index <= wanted
    }
    return found
  }
}

extension ComputedValue {
  /// The value of a number: whole where the number is, missing where it is none.
  static func number(_ value: Double) -> ComputedValue {
    if value.isNaN { return .missing }
    return Int64(exactly: value).map { .integer($0) } ?? .double(value)
  }

  /// The number, if it is whole and fits 64 bits.
  var wholeNumber: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// The nearest double of a number.
  var approximation: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// Negative, 0 or positive as the value comes before, equals, or comes after another of its kind; nil where the
  /// two cannot be ordered.
  func compare(_ other: ComputedValue) -> Int? {
    switch (self, other) {
    case (.integer(let a), .integer(let b)), (.timestamp(let a), .timestamp(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.double(let a), .double(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.integer(let a), .double(let b)): NumericOrder.compare(a, b)
    case (.double(let a), .integer(let b)): -NumericOrder.compare(b, a)
    case (.text(let a), .text(let b)): a.span.compare(b)
    default: nil
    }
  }
}

extension ComputedRelation {
  /// Whether the relation holds; nil where a side is missing and that decides nothing.
  func holds(_ left: ComputedValue, _ right: ComputedValue, matcher: TextMatcher?) -> Bool? {
    if kind == .present { return left == .missing ? nil : true }
    if left == .missing || right == .missing {
      return missingEqualsMissing && left == right ? true : nil
    }
    switch kind {
    case .present: return true
    case .equal: return isEqual(left, right)
    case .member:
      guard case .list(let members) = right else { return nil }
      guard case .text(let text) = left, !folding.isEmpty else { return members.contains { isEqual(left, $0) } }
      let folded = folding.fold(text)
      return members.contains { if case .text(let member) = $0 { folding.fold(member) == folded } else { false } }
    case .less: return ordered(left, right).map { $0 < 0 }
    case .lessOrEqual: return ordered(left, right).map { $0 <= 0 }
    case .greater: return ordered(left, right).map { $0 > 0 }
    case .greaterOrEqual: return ordered(left, right).map { $0 >= 0 }
    case .text(let relation):
      guard case .text(let text) = left, case .text(let operand) = right else { return nil }
      if let matcher { return matcher.matches(text.span) }
      return TextMatcher(TextTest(relation, operand, folding: folding)).matches(text.span)
    }
  }

  private func isEqual(_ left: ComputedValue, _ right: ComputedValue) -> Bool {
    switch (left, right) {
    case (.text(let a), .text(let b)): folding.isEmpty ? a == b : folding.fold(a) == folding.fold(b)
    case (.integer, .double), (.double, .integer): left.compare(right) == 0
    default: left == right
    }
  }

  private func ordered(_ left: ComputedValue, _ right: ComputedValue) -> Int? {
    if case .text(let a) = left, case .text(let b) = right, !folding.isEmpty {
      return folding.fold(a).span.compare(folding.fold(b))
    }
    return left.compare(right)
  }

  /// The relation to a constant text, made ready once.
  func matcher(for operand: BoundExpression) -> TextMatcher? {
    guard case .text(let relation) = kind, case .constant(.text(let bytes)) = operand,
      !bytes.isEmpty || relation == .pattern
    else { return nil }
    return TextMatcher(TextTest(relation, bytes, folding: folding))
  }
}
