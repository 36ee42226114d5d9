extension PredicateTemplate.Form {
  /// The form of a comparison; nil where it is none of these.
  init?(_ node: PredicateNode, _ recordType: RecordType, _ mentions: VariableMentions) {
    guard case .comparison(let comparison) = node, comparison.options.isEmpty else { return nil }
    func parameter(_ node: ExpressionNode) -> Int? {
      if case .variable(let variable) = node { mentions.numbers[ByteKey(variable.name)] } else { nil }
    }
    func field(_ node: ExpressionNode) -> (number: FieldNumber, type: FieldType)? {
      PredicateTemplate.field(node, recordType)
    }
    switch (comparison.comparison, comparison.left, comparison.right) {
    case (.between, let left, .list(let list)):
      guard comparison.quantifier == nil, let (number, type) = field(left), !type.isList,
        list.elements.count == 2, let lower = parameter(list.elements[0]), let upper = parameter(list.elements[1])
      else { return nil }
      self = .between(number, type.scalar, lower, upper)
    case (.in, .function(let call), .key(let key)):
      guard call.function == .tokenize, key.isAllTokens, let quantifier = comparison.quantifier,
        call.arguments.count == 2, let words = parameter(call.arguments[0]),
        case .literal = call.arguments[1]
      else { return nil }
      let fields = FieldLayout(recordType: recordType).searchable
      if fields.isEmpty { return nil }
      self = .tokens(fields, words, requiresAll: quantifier == .all)
    case (.equal, .key(let key), let right):
      guard comparison.quantifier == nil, key.path.isEmpty, recordType.position(of: key.name) == nil,
        SystemField(key: key.name) == .recordID, let record = parameter(right)
      else { return nil }
      self = .record(record)
    case (.contains, .selfReference, let right):
      guard comparison.quantifier == nil, let words = parameter(right) else { return nil }
      let fields = FieldLayout(recordType: recordType).searchable
      if fields.isEmpty { return nil }
      self = .tokens(fields, words, requiresAll: false)
    case (.in, let left, let right):
      guard let (number, type) = field(left), comparison.quantifier == (type.isList ? .any : nil),
        type.scalar.isOrdered || type.scalar == .reference, let list = parameter(right)
      else { return nil }
      self = .among(number, type.scalar, list, isMember: type.isList)
    case (let relation, .function(let call), let right):
      guard call.function == .distance, call.arguments.count == 2, comparison.quantifier == nil,
        let (number, type) = field(call.arguments[0]), type == .location,
        let place = parameter(call.arguments[1]), let radius = parameter(right)
      else { return nil }
      switch relation {
      case .less: self = .circle(number, place, .lessThan, radius)
      case .lessOrEqual: self = .circle(number, place, .lessThanOrEqual, radius)
      default: return nil
      }
    default: return nil
    }
  }

  /// The comparison with the values; nil where it has to be looked at more closely.
  func bind(_ values: [ArgumentValue?], _ options: PredicateOptions) -> BoundComparison? {
    func literal(_ parameter: Int) -> Literal? {
      if case .literal(let literal)? = values[parameter], literal.fault == nil { literal } else { nil }
    }
    func comparison(_ condition: BoundComparison.Condition) -> BoundComparison {
      BoundComparison(condition: condition, isNegated: false, whenMissing: false)
    }
    switch self {
    case .between(let field, let type, let lower, let upper):
      guard let lower = literal(lower), let upper = literal(upper) else { return nil }
      if type == .string {
        guard case .string(let first) = lower, case .string(let last) = upper else { return nil }
        return comparison(.value(field, .textRange(lower: Array(first.utf8), upper: Array(last.utf8), [])))
      }
      let least = ValueTest(.greaterOrEqual, lower, type, folding: [], options.stringEquality)
      let most = ValueTest(.lessOrEqual, upper, type, folding: [], options.stringEquality)
      switch (least, most) {
      case (.integers(let first)?, .integers(let last)?) where first.lowerBound <= last.upperBound:
        return comparison(.value(field, .integers(first.lowerBound...last.upperBound)))
      case (.doubles(let first)?, .doubles(let last)?) where first.lowerBound <= last.upperBound:
        return comparison(.value(field, .doubles(first.lowerBound...last.upperBound)))
      default: return nil
      }
    case .among(let field, let type, let list, let isMember):
      guard case .list(let members)? = values[list], !members.isEmpty,
        let test = ValueTest(amongMembers: members, type, options.stringEquality)
      else { return nil }
      return comparison(isMember ? .anyMember(field, test) : .value(field, test))
    case .circle(let field, let place, let relation, let radius):
      guard case .location(let latitude, let longitude)? = literal(place) else { return nil }
      let metres: Double
      switch literal(radius) {
      case .integer(let number)?: metres = Double(number)
      case .double(let number)?: metres = number
      default: return nil
      }
      return comparison(
        .value(
          field, .distance(CircleTest(latitude: latitude, longitude: longitude, radius: metres, relation: relation))))
    case .record(let record):
      guard case .reference(let name, let zone, let owner)? = literal(record) else { return nil }
      let id = RecordID(recordName: name, zoneName: zone, ownerName: owner)
      if id.encodingFault != nil { return nil }
      return comparison(.value(FieldNumber(.recordID), .referenceSet([id.encoded])))
    case .tokens(let fields, let words, let requiresAll):
      guard case .string(let text)? = literal(words) else { return nil }
      return comparison(
        .tokens(TokenSearch(fields: fields, tokens: Binder.tokens(of: text), requiresAll: requiresAll)))
    }
  }
}

extension ValueTest {
  /// Whether a value is one of some; nil where one has to be looked at more closely.
  fileprivate init?(
    amongMembers members: [ArgumentValue], _ type: FieldType.Scalar, _ equality: PredicateOptions.StringEquality
  ) {
    func values<Value>(_ value: (Literal) -> Value?) -> [Value]? {
      var values: [Value] = []
      values.reserveCapacity(members.count)
      for member in members {
        guard case .literal(let literal) = member, let value = value(literal) else { return nil }
        values.append(value)
      }
      return values
    }
    switch type {
    case .int64, .timestamp:
      guard let numbers = values({ $0.wholeNumber(type) }) else { return nil }
      self = .among(numbers)
    case .double:
      guard let numbers = values({ $0.floatingNumber }) else { return nil }
      self = .among(numbers)
    case .string:
      guard equality == .exact, let texts = values({ $0.bytes(.string) }) else { return nil }
      self = .among(texts, [])
    case .reference:
      guard let encodings = values({ $0.bytes(.reference) }) else { return nil }
      self = .referenceSet(ValueTest.sorted(encodings))
    default: return nil
    }
  }
}
