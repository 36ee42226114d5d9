extension Binder {
  /// Whether values of the type can stand before the operator; where not, a fault was recorded unless the scope lets
  /// that count as missing.
  mutating func takesOperator(_ type: FieldType.Scalar, _ field: FieldHandle, _ comparison: Comparison) -> Bool {
    switch type {
    case .bytes, .asset:
      fault(
        "typeNotQueryable", "'\(field.name)' is \(type.rawValue), which no predicate can ask about.", field.span)
      return false
    case .location
    where comparison.relation != .equal && comparison.relation != .notEqual
      && comparison.relation != .in:
      fault(
        "operatorType", "\(comparison.relation.rawValue) does not take LOCATION.", comparison.operatorSpan,
        hint: "Write `distanceToLocation:fromLocation:(\(field.name), %@) < metres`.")
      return false
    case .location where isCloudKit:
      // Without a schema it is the value that does not suit the constant, unless that is a location too.
      if case .shape = scope, !comparison.right.holdsLocation { return false }
      if field.isList {
        refuse(.locationMembership, comparison.operatorSpan)
      } else {
        refuse(.locationEquality, comparison.operatorSpan)
      }
      return false
    default: break
    }
    if comparison.relation.isRelation, comparison.relation != .equal, comparison.relation != .notEqual, !type.isOrdered
    {
      fault(
        "operatorType", "\(comparison.relation.rawValue) does not take \(type.rawValue).", comparison.operatorSpan,
        hint: "\(type.rawValue) fields take =, != and IN.")
      return false
    }
    return true
  }

  /// The typed test of `field relation constant`; nil where a fault was recorded, or where the operand's type does
  /// not fit and the scope lets that count as missing.
  mutating func makeTest(
    _ type: FieldType.Scalar, _ field: FieldHandle, _ comparison: Comparison
  ) -> ValueTest? {
    guard takesOperator(type, field, comparison) else { return nil }
    switch comparison.relation {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return relationTest(type, field, comparison)
    case .between: return betweenTest(type, field, comparison)
    case .beginsWith, .endsWith, .like, .contains: return textTest(type, field, comparison)
    case .in where comparison.isSubstring: return textTest(type, field, comparison)
    case .in: return setTest(type, field, comparison)
    case .matches, .tokenMatches: return nil
    }
  }

  // MARK: Relations

  private mutating func relationTest(
    _ type: FieldType.Scalar, _ field: FieldHandle, _ comparison: Comparison
  ) -> ValueTest? {
    guard let literal = singleConstant(comparison.right, for: comparison) else { return nil }
    if let test = ValueTest(
      comparison.relation, literal, type, folding: comparison.folding, options.stringEquality)
    {
      return test
    }
    if comparison.relation == .equal || comparison.relation == .notEqual {
      return setTest(type, field, [literal], at: comparison.right, comparison)
    }
    return mismatch(type, field, literal, comparison.right)
  }

  // MARK: Ranges

  private mutating func betweenTest(
    _ type: FieldType.Scalar, _ field: FieldHandle, _ comparison: Comparison
  ) -> ValueTest? {
    guard case .list(let bounds, _) = comparison.right, bounds.count == 2 else { return nil }
    guard type.isOrdered else {
      fault("operatorType", "BETWEEN does not take \(type.rawValue).", comparison.operatorSpan)
      return nil
    }
    switch type {
    case .string:
      guard case .string(let lower) = bounds[0] else { return mismatch(type, field, bounds[0], comparison.right) }
      guard case .string(let upper) = bounds[1] else { return mismatch(type, field, bounds[1], comparison.right) }
      return .textRange(
        lower: comparison.folding.fold(Array(lower.utf8)), upper: comparison.folding.fold(Array(upper.utf8)),
        comparison.folding)
    case .int64, .timestamp, .double:
      for bound in bounds where !Binder.fits(bound, type) {
        return mismatch(type, field, bound, comparison.right)
      }
      if type == .double {
        guard let low = ValueTest.doubleRange(.greaterOrEqual, bounds[0]),
          let high = ValueTest.doubleRange(.lessOrEqual, bounds[1]),
          low.lowerBound <= high.upperBound
        else { return ValueTest.none }
        return .doubles(low.lowerBound...high.upperBound)
      }
      guard let low = ValueTest.integerRange(.greaterOrEqual, bounds[0]),
        let high = ValueTest.integerRange(.lessOrEqual, bounds[1]),
        low.lowerBound <= high.upperBound
      else { return ValueTest.none }
      return .integers(low.lowerBound...high.upperBound)
    default: return nil
    }
  }

  // MARK: Sets

  private mutating func setTest(
    _ type: FieldType.Scalar, _ field: FieldHandle, _ comparison: Comparison
  ) -> ValueTest? {
    switch comparison.right {
    case .list(let literals, _): return setTest(type, field, literals, at: comparison.right, comparison)
    case .parameter: return nil
    default:
      fail(
        "inList", "IN needs a list.", operandSpan(comparison.right),
        hint: "Write `\(field.name) IN {a, b}`, or pass an array as an argument.")
      return nil
    }
  }

  /// The test for equality with one of some constants. A number that the field's type cannot hold equals nothing.
  mutating func setTest(
    _ type: FieldType.Scalar, _ field: FieldHandle, _ literals: [Literal], at operand: Operand,
    _ comparison: Comparison
  ) -> ValueTest? {
    var whole: [Int64] = []
    var fractional: [Double] = []
    var texts: [[UInt8]] = []
    var names: [[UInt8]] = []
    var folding = comparison.folding
    if options.stringEquality == .caseInsensitive { folding.insert(.case) }
    for literal in literals {
      switch (type, literal) {
      case (.int64, .integer(let value)), (.timestamp, .date(let value)): whole.append(value)
      case (.int64, .double): break
      case (.double, .integer(let value)):
        if let exact = Double(exactly: value) { fractional.append(exact) }
      case (.double, .double(let value)): fractional.append(value)
      case (.string, .string(let text)): texts.append(folding.fold(Array(text.utf8)))
      case (.reference, .reference(let name, let zone, let owner)):
        let id = RecordID(recordName: name, zoneName: zone, ownerName: owner)
        if let fault = id.encodingFault {
          fail("recordName", fault, operandSpan(operand))
          return nil
        }
        texts.append(id.encoded)
      case (.reference, .string(let name)) where !isCloudKit && isRecordID(field):
        names.append(Array(name.utf8))
      case (.location, .location(let latitude, let longitude)):
        guard literals.count == 1 else {
          fail("locationList", "A location is compared with one place, not with several.", operandSpan(operand))
          return nil
        }
        let place = Location.distinct(latitude: latitude, longitude: longitude)
        return .location(latitude: place.latitude, longitude: place.longitude)
      default: return mismatch(type, field, literal, operand)
      }
    }
    switch type {
    case .int64, .timestamp: return .among(whole)
    case .double: return .among(fractional)
    case .string: return .among(texts, folding)
    case .reference:
      if names.isEmpty { return texts.isEmpty ? ValueTest.none : .referenceSet(ValueTest.sorted(texts)) }
      guard texts.isEmpty else { return mismatch(type, field, literals[0], operand) }
      return .recordNameSet(ValueTest.sorted(names))
    default: return ValueTest.none
    }
  }

  private func isRecordID(_ field: FieldHandle) -> Bool {
    if case .recordType = scope { return field.number == FieldNumber(.recordID) }
    return sameBytes(field.name, SystemField.recordID.key) || sameBytes(field.name, "___recordID")
  }

  // MARK: Parts of texts

  private mutating func textTest(
    _ type: FieldType.Scalar, _ field: FieldHandle, _ comparison: Comparison
  ) -> ValueTest? {
    let name = comparison.relation.rawValue
    guard let literal = singleConstant(comparison.right, for: comparison) else { return nil }
    guard case .string(let text) = literal else {
      fault(
        "typeMismatch", "\(name) needs a text, not \(Binder.describe(literal)).", operandSpan(comparison.right))
      return nil
    }
    guard type == .string else {
      fault(
        "operatorType", "\(name) takes STRING; '\(field.name)' is \(type.rawValue).", comparison.operatorSpan,
        hint: type.isOrdered ? "Compare with =, <, > or BETWEEN." : nil)
      return nil
    }
    // As NSPredicate: no text begins with, ends with or contains the empty text, or what folds to it.
    let relation = comparison.relation.textRelation
    let test = TextTest(relation, Array(text.utf8), folding: comparison.folding)
    if test.operand.isEmpty, relation != .pattern { return ValueTest.none }
    return accepts(test, comparison) ? .text(test) : nil
  }

  /// Whether a test's operand can be one: a pattern has bounded parts.
  mutating func accepts(_ test: TextTest, _ comparison: Comparison) -> Bool {
    if test.relation != .pattern || LikePattern(test.operand) != nil { return true }
    fail(
      "patternTooLong", "A part of the pattern with ? in it and a * on either side is too long.",
      operandSpan(comparison.right),
      hint: "Such a part has at most \(LikePattern.longestOpenPiece) characters; without ? it may be of any length.")
    return false
  }

  // MARK: Operands

  /// The one constant of an operand; a list, or nil, is a fault.
  mutating func singleConstant(_ operand: Operand, for comparison: Comparison) -> Literal? {
    switch operand {
    case .constant(.null, let span):
      if isCloudKit {
        refuse(.nilOperand, span)
      } else {
        fail("nilOperand", "\(comparison.relation.rawValue) does not take nil here.", span)
      }
      return nil
    case .constant(let literal, _): return literal
    default: return nil
    }
  }

  func operandSpan(_ operand: Operand) -> SourceSpan {
    switch operand {
    case .constant(_, let span), .list(_, let span), .mixedList(_, let span), .allTokens(let span),
      .selfReference(let span),
      .tokens(_, let span), .distance(_, _, _, let span), .computed(_, _, let span), .parameter(let span):
      span
    case .field(let field): field.span
    case .failed: .none
    }
  }

  private mutating func mismatch(
    _ type: FieldType.Scalar, _ field: FieldHandle, _ literal: Literal, _ operand: Operand
  ) -> ValueTest? {
    if case .null = literal {
      if isCloudKit {
        refuse(.nilInList, operandSpan(operand))
      } else {
        fail("nilOperand", "nil is not taken here.", operandSpan(operand), hint: "Write `… == nil` beside it.")
      }
      return nil
    }
    fault(
      "typeMismatch",
      "'\(field.name)' is \(type.rawValue) and cannot be compared with \(Binder.describe(literal)).",
      operandSpan(operand), hint: Binder.operandHint(type, literal))
    return nil
  }

  /// A fault that without a schema only means that the value counts as missing.
  private mutating func fault(_ code: String, _ message: String, _ span: SourceSpan, hint: String? = nil) {
    if case .shape = scope { return }
    fail(code, message, span, hint: hint)
  }

  private static func fits(_ literal: Literal, _ type: FieldType.Scalar) -> Bool {
    switch (literal, type) {
    case (.integer, .int64), (.integer, .double), (.double, .int64), (.double, .double), (.date, .timestamp),
      (.string, .string):
      true
    default: false
    }
  }

  static func describe(_ literal: Literal) -> String {
    switch literal {
    case .null: "nil"
    case .integer(let value): "the number \(value)"
    case .double(let value): "the number \(value)"
    case .string(let text): "the text \"\(SyntaxError.excerpt(text))\""
    case .date: "a date"
    case .location: "a location"
    case .reference: "a record ID"
    }
  }

  private static func operandHint(_ type: FieldType.Scalar, _ literal: Literal) -> String? {
    switch (type, literal) {
    case (.string, .integer), (.string, .double): "The field holds texts: write it in quotes, or pass a String."
    case (.string, _): "The field holds texts."
    case (.int64, .string(let text)) where Double(text) != nil, (.double, .string(let text)) where Double(text) != nil:
      "The field holds numbers: write it without quotes, or pass a number."
    case (.int64, _), (.double, _): "The field holds numbers."
    case (.timestamp, _): "Pass a date as an argument for %@, or write CAST(seconds since 2001, \"NSDate\")."
    case (.reference, _):
      "Pass a record ID or a reference as an argument for %@, or write CAST(\"name\", \"CKReference\")."
    case (.location, _): "Pass a location as an argument for %@."
    case (.bytes, _), (.asset, _): nil
    }
  }
}

extension ValueTest {
  /// The test of `value relation constant` for one of the six relations, where the constant is a number, a date or a
  /// text that values of the type can be compared with; the complement's for `!=`.
  init?(
    _ relation: ComparisonOperator, _ literal: Literal, _ type: FieldType.Scalar, folding: TextFolding,
    _ equality: PredicateOptions.StringEquality
  ) {
    switch (type, literal) {
    case (.int64, .integer), (.int64, .double), (.timestamp, .date):
      self = ValueTest.integerRange(relation.numericRelation, literal).map { .integers($0) } ?? .none
    case (.double, .integer), (.double, .double):
      self = ValueTest.doubleRange(relation.numericRelation, literal).map { .doubles($0) } ?? .none
    case (.string, .string(let text)):
      var folding = folding
      if equality == .caseInsensitive, relation == .equal || relation == .notEqual { folding.insert(.case) }
      self = .text(TextTest(relation.textRelation, Array(text.utf8), folding: folding))
    default: return nil
    }
  }

  fileprivate static func integerRange(_ relation: NumericOrder.Relation, _ literal: Literal) -> ClosedRange<Int64>? {
    switch literal {
    case .integer(let bound), .date(let bound):
      switch relation {
      case .equal: bound...bound
      case .less: bound == .min ? nil : Int64.min...(bound - 1)
      case .lessOrEqual: Int64.min...bound
      case .greater: bound == .max ? nil : (bound + 1)...Int64.max
      case .greaterOrEqual: bound...Int64.max
      }
    case .double(let bound): NumericOrder.wholeNumbers(relation, bound)
    default: nil
    }
  }

  fileprivate static func doubleRange(_ relation: NumericOrder.Relation, _ literal: Literal) -> ClosedRange<Double>? {
    switch literal {
    case .integer(let bound): NumericOrder.doubles(relation, bound)
    case .double(let bound): NumericOrder.doubles(relation, bound)
    default: nil
    }
  }

  static func among(_ values: [Int64]) -> ValueTest {
    let distinct = distinctSorted(values, by: <)
    return switch distinct.count {
    case 0: .none
    case 1: .integers(distinct[0]...distinct[0])
    default: .integerSet(distinct)
    }
  }

  static func among(_ values: [Double]) -> ValueTest {
    let distinct = distinctSorted(values, by: <)
    return switch distinct.count {
    case 0: .none
    case 1: .doubles(distinct[0]...distinct[0])
    default: .doubleSet(distinct)
    }
  }

  static func among(_ texts: [[UInt8]], _ folding: TextFolding) -> ValueTest {
    let distinct = sorted(texts)
    return switch distinct.count {
    case 0: .none
    case 1: .text(TextTest(.equal, distinct[0], folding: folding))
    default: .textSet(distinct, folding)
    }
  }

  static func sorted(_ texts: [[UInt8]]) -> [[UInt8]] {
    distinctSorted(texts) { $0.lexicographicallyPrecedes($1) }
  }

  private static func distinctSorted<Value: Equatable>(
    _ values: [Value], by precedes: (Value, Value) -> Bool
  ) -> [Value] {
    var distinct: [Value] = []
    distinct.reserveCapacity(values.count)
    for value in values.sorted(by: precedes) where distinct.last != value { distinct.append(value) }
    return distinct
  }
}

extension ComparisonOperator {
  var numericRelation: NumericOrder.Relation {
    switch self {
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: .equal
    }
  }

  var textRelation: TextTest.Relation {
    switch self {
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .beginsWith: .prefix
    case .endsWith: .suffix
    case .contains, .in: .substring
    case .like: .pattern
    default: .equal
    }
  }
}

extension ComparisonOperator {
  /// The operator that says the same with its sides exchanged.
  var mirrored: ComparisonOperator? { OperatorTable.facts(of: self).mirrored }
}
