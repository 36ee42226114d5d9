/// A filter of CloudKit Web Services: what one condition of a predicate asks.
struct WebServicesFilter {
  let comparator: WebServicesComparator
  /// The key of the field; nil where all searchable texts are searched.
  let key: String?
  let value: FieldValue
  /// In metres, where the comparator takes one.
  let distance: Double?
}

/// Takes a predicate apart into filters: the way back from the native forms that ``WebServicesComparator`` makes.
///
/// The predicate is one that CloudKit's dialect takes, whose parameters have their values. All faults are collected.
struct WebServicesFilters {
  private(set) var filters: [WebServicesFilter] = []
  private(set) var faults: [Diagnostic] = []
  /// Tells the types of fields.
  private let type: RecordType?
  /// The moment `now()` stands for.
  private let now: Timestamp
  private let missingFields: PredicateOptions.MissingFields

  init(
    _ predicate: PredicateNode, of type: RecordType?, now: Timestamp, missingFields: PredicateOptions.MissingFields
  ) {
    (self.type, self.now, self.missingFields) = (type, now, missingFields)
    if case .and(let compound) = predicate {
      for part in compound.parts { add(part) }
    } else {
      add(predicate)
    }
  }

  private mutating func add(_ part: PredicateNode) {
    switch part {
    case .comparison(let comparison): add(comparison, isNegated: false)
    case .not(let not):
      guard case .comparison(let comparison) = not.operand else { return refuse(part.span) }
      add(comparison, isNegated: true)
    case .constant(let constant):
      // All filters must hold, and where there are none all records are asked for.
      if constant.value { return }
      fail("No filter finds nothing, as FALSEPREDICATE does.", constant.span, hint: "There is nothing to ask for.")
    case .and, .or: refuse(part.span)
    }
  }

  private mutating func add(_ comparison: ComparisonNode, isNegated: Bool) {
    let known = faults.count
    guard let left = side(comparison.left), let right = side(comparison.right),
      let conditions = conditions(left, comparison, right, isNegated: isNegated)
    else {
      // What is wrong with a constant is said of it.
      if faults.count == known { refuse(comparison.span) }
      return
    }
    filters += conditions
  }

  // MARK: Conditions

  /// One side of a comparison.
  private enum Side {
    case key(String)
    case constant(Literal, SourceSpan)
    case list([Literal], SourceSpan)
    case words(String)
    case distance(String, Location)
    case selfReference
  }

  /// The filters of one comparison; nil where it is none's form.
  private mutating func conditions(
    _ left: Side, _ comparison: ComparisonNode, _ right: Side, isNegated: Bool
  ) -> [WebServicesFilter]? {
    func filter(_ form: WebServicesComparator.Form, _ key: String?, _ value: FieldValue?, distance: Double? = nil)
      -> WebServicesFilter?
    {
      guard let value, let comparator = comparator(form, isNegated: isNegated) else { return nil }
      return WebServicesFilter(comparator: comparator, key: key, value: value, distance: distance)
    }
    let filters: [WebServicesFilter?]
    switch (comparison.quantifier, left, comparison.comparison, right) {
    case (let quantifier?, .words(let text), .in, _):
      filters = [filter(quantifier == .all ? .allTokens : .anyToken, nil, .string(text))]
    case (nil, .key, .tokenMatches, .constant(.string(let text), _)):
      filters = [filter(.allTokens, nil, .string(text))]
    case (nil, .selfReference, .contains, .constant(.string(let text), _)):
      filters = [filter(.anyToken, nil, .string(text))]
    case (nil, .distance(let key, let place), let relation, .constant(let radius, let span)):
      filters = [filter(.near, key, .location(place), distance: metres(relation, radius, of: key, span))]
    case (nil, .constant(let radius, let span), let relation, .distance(let key, let place)):
      filters = [filter(.near, key, .location(place), distance: metres(relation.mirrored, radius, of: key, span))]
    case (nil, .key(let key), .between, .list(let bounds, let span)) where bounds.count == 2 && !isNegated:
      filters = [
        filter(.comparison(.greaterOrEqual), key, value(bounds[0], of: key, span)),
        filter(.comparison(.lessOrEqual), key, value(bounds[1], of: key, span)),
      ]
    case (nil, .key(let key), .in, .list(let values, let span)),
      (nil, .list(let values, let span), .contains, .key(let key)),
      (.any, .list(let values, let span), .equal, .key(let key)):
      filters = [filter(.isIn, key, list(values, of: key, span))]
    case (nil, .constant(let member, let span), .in, .key(let key)),
      (nil, .key(let key), .contains, .constant(let member, let span)),
      (.any, .key(let key), .equal, .constant(let member, let span)),
      (.any, .constant(let member, let span), .equal, .key(let key)):
      filters = [filter(.contains, key, value(member, of: key, span))]
    case (.any, .key(let key), .in, .list(let values, let span)),
      (.any, .list(let values, let span), .in, .key(let key)):
      filters = [filter(.containsAny, key, list(values, of: key, span))]
    case (.all, .list(let values, let span), .in, .key(let key)):
      filters = [filter(.containsAll, key, list(values, of: key, span, areAllAsked: true))]
    case (nil, .key(let key), .beginsWith, .constant(let prefix, let span)):
      filters = [filter(.hasPrefix, key, value(prefix, of: key, span))]
    case (.any, .key(let key), .beginsWith, .constant(let prefix, let span)):
      filters = [filter(.memberHasPrefix, key, value(prefix, of: key, span))]
    case (nil, .key(let key), let relation, .constant(let literal, let span)):
      filters = [filter(.comparison(relation), key, value(literal, of: key, span))]
    case (nil, .constant(let literal, let span), let relation, .key(let key)):
      filters = [relation.mirrored.flatMap { filter(.comparison($0), key, value(literal, of: key, span)) }]
    default: return nil
    }
    let found = filters.compactMap { $0 }
    return found.count == filters.count ? found : nil
  }

  /// The comparator of a form, or of what is left where it is negated. A comparison and its negation are false alike where
  /// the record lacks the field, so that the opposite operator asks the same; where a missing value is nil, of equality alone.
  private func comparator(_ form: WebServicesComparator.Form, isNegated: Bool) -> WebServicesComparator? {
    guard isNegated, case .comparison(let relation) = form else {
      return WebServicesComparator(form, isNegated: isNegated)
    }
    if missingFields == .likeNSPredicate, relation != .equal, relation != .notEqual { return nil }
    return OperatorTable.facts(of: relation).complement.flatMap { WebServicesComparator(.comparison($0)) }
  }

  // MARK: Sides

  private mutating func side(_ node: ExpressionNode) -> Side? {
    if let literal = constant(node) { return .constant(literal, node.span) }
    switch node {
    case .key(let key): return .key(key.name)
    case .selfReference: return .selfReference
    case .list(let list):
      let literals = list.elements.compactMap { constant($0) }
      return literals.count == list.elements.count ? .list(literals, list.span) : nil
    case .function(let call) where call.function == .tokenize && call.arguments.count == 2:
      guard case .string(let text)? = constant(call.arguments[0]) else { return nil }
      return .words(text)
    case .function(let call) where call.function == .distance && call.arguments.count == 2:
      let (first, second) = (call.arguments[0], call.arguments[1])
      if case .key(let key) = first, let place = location(second) { return .distance(key.name, place) }
      if case .key(let key) = second, let place = location(first) { return .distance(key.name, place) }
      return nil
    default: return nil
    }
  }

  private mutating func constant(_ node: ExpressionNode) -> Literal? {
    switch node {
    case .literal(let literal): return literal.value
    case .function(let call) where call.function == .now: return .date(milliseconds: now.milliseconds)
    case .variable(let variable):
      // Where nothing is known of the fields the binder lets it stand.
      fail(
        "The parameter $\(SyntaxError.excerpt(variable.name)) has no value.", variable.span,
        hint: "Give it one, by its name without the $.", code: Binder.unboundParameter)
      return nil
    default: return nil
    }
  }

  private mutating func location(_ node: ExpressionNode) -> Location? {
    guard case .location(let latitude, let longitude)? = constant(node) else { return nil }
    return Location(latitude: latitude, longitude: longitude)
  }

  // MARK: Values

  /// The metres below which a distance is, as NEAR asks; what is no more than some is below the next number.
  private mutating func metres(
    _ relation: ComparisonOperator?, _ radius: Literal, of key: String, _ span: SourceSpan
  ) -> Double? {
    let metres: Double
    switch radius {
    case .integer(let whole): metres = Double(whole)
    case .double(let number): metres = number
    default: return nil
    }
    switch relation {
    case .less: return finite(metres, of: key, span)
    case .lessOrEqual: return finite(metres.nextUp, of: key, span)
    default: return nil
    }
  }

  private mutating func finite(_ number: Double, of key: String, _ span: SourceSpan) -> Double? {
    if number.isFinite { return number }
    fail("'\(key)': JSON cannot carry the number \(number).", span)
    return nil
  }

  /// The type of a field's values, or of its members, where it is known.
  private func scalar(of key: String) -> FieldType.Scalar? {
    (type?.field(key)?.type ?? SystemField(key: key)?.type)?.scalar
  }

  /// A constant as a value of its own type; a whole number as a DOUBLE where it has a place in one: beside a field of that
  /// type, or as `asDouble` says.
  private mutating func value(
    _ literal: Literal, of key: String, _ span: SourceSpan, asDouble: Bool? = nil
  ) -> FieldValue? {
    switch literal {
    case .null: return nil
    case .integer(let whole):
      if asDouble ?? (scalar(of: key) == .double), let number = Double(exactly: whole) { return .double(number) }
      return .int64(whole)
    case .double(let number): return finite(number, of: key, span).map { .double($0) }
    case .string(let text): return .string(text)
    case .date(let milliseconds): return .timestamp(Timestamp(milliseconds: milliseconds))
    case .location(let latitude, let longitude):
      return .location(Location(latitude: latitude, longitude: longitude))
    case .reference(let recordName, let zoneName, let ownerName):
      return .reference(
        Reference(RecordID(recordName: recordName, zoneName: zoneName, ownerName: ownerName)))
    }
  }

  /// Constants of one kind as a list. Numbers are of one type: DOUBLE where one has a fraction, or the field is one that all
  /// of them have a place in.
  private mutating func list(
    _ literals: [Literal], of key: String, _ span: SourceSpan, areAllAsked: Bool = false
  ) -> FieldValue? {
    let hasFraction = literals.contains { if case .double = $0 { true } else { false } }
    let areExact = literals.allSatisfy {
      if case .integer(let whole) = $0 { Double(exactly: whole) != nil } else { true }
    }
    let asDouble = hasFraction || areExact && scalar(of: key) == .double
    var values: [FieldValue] = []
    values.reserveCapacity(literals.count)
    for literal in literals {
      guard let value = value(literal, of: key, span, asDouble: asDouble) else { return nil }
      values.append(value)
    }
    guard let scalar = values.first?.type.scalar ?? scalar(of: key) else {
      fail(
        "'\(key)': an empty list does not show its type, which a filter names.", span,
        hint: "Give the schema: it knows the field.")
      return nil
    }
    if let list = FieldValue(values, listOf: scalar) { return list }
    fail(
      "'\(key)': numbers with a fraction and one that no DOUBLE can hold do not go into one list.", span,
      hint: areAllAsked ? "No list holds all of them." : Self.equalsNone(self.scalar(of: key)))
    return nil
  }

  /// Which of some numbers, all of which no type holds, can be left out, since no value of a field's type equals them.
  private static func equalsNone(_ type: FieldType.Scalar?) -> String {
    switch type {
    case .int64: "Leave out the fractions: no INT64 equals one."
    case .double: "Leave out the whole numbers that no DOUBLE can hold: none equals them."
    default: "Beside an INT64 leave out the fractions, beside a DOUBLE the whole numbers that it cannot hold."
    }
  }

  // MARK: Faults

  private mutating func refuse(_ span: SourceSpan) {
    fail("No filter of CloudKit Web Services asks this.", span)
  }

  private mutating func fail(_ message: String, _ span: SourceSpan, hint: String? = nil, code: String = "noFilter") {
    faults.append(Diagnostic(stage: .binder, code: code, message: message, range: span.range, hint: hint))
  }
}

extension FieldValue {
  /// The list of some values of one scalar type; nil where one is of another.
  fileprivate init?(_ values: [FieldValue], listOf scalar: FieldType.Scalar) {
    func all<Member>(_ member: (FieldValue) -> Member?) -> [Member]? {
      let members = values.compactMap(member)
      return members.count == values.count ? members : nil
    }
    let list: FieldValue? =
      switch scalar {
      case .string: all { if case .string(let text) = $0 { text } else { nil } }.map { .stringList($0) }
      case .int64: all { if case .int64(let whole) = $0 { whole } else { nil } }.map { .int64List($0) }
      case .double: all { if case .double(let number) = $0 { number } else { nil } }.map { .doubleList($0) }
      case .timestamp: all { if case .timestamp(let moment) = $0 { moment } else { nil } }.map { .timestampList($0) }
      case .location: all { if case .location(let place) = $0 { place } else { nil } }.map { .locationList($0) }
      case .reference: all { if case .reference(let target) = $0 { target } else { nil } }.map { .referenceList($0) }
      // No predicate holds a constant of these.
      case .bytes: values.isEmpty ? .bytesList([]) : nil
      case .asset: values.isEmpty ? .assetList([]) : nil
      }
    guard let list else { return nil }
    self = list
  }
}
