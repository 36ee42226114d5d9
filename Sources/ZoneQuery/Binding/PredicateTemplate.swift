/// A predicate bound once, to be given its parameters' values at each run.
///
/// ```
/// city = $city AND start > 5        →   relation(city, ==, parameter 0)   fixed(start in 6...)
/// ```
///
/// The parts of a conjunction are kept apart: a part without parameters is bound once; `field relation $name` keeps
/// what binding found out, so that a value turns into its test at once; whatever else mentions a parameter or `now()`
/// is bound anew at each run.
struct PredicateTemplate: Sendable {
  enum Part: Sendable {
    case fixed(BoundPredicate)
    case relation(Relation)
    case form(Form, PredicateNode)
    case anew(PredicateNode)
  }

  /// Another comparison of a field with parameters that is common enough to keep what binding found out.
  enum Form: Sendable {
    /// `field BETWEEN {$a, $b}`.
    case between(FieldNumber, FieldType.Scalar, Int, Int)
    /// `field IN $list`, or `ANY list IN $list`, of texts, numbers, moments or references.
    case among(FieldNumber, FieldType.Scalar, Int, isMember: Bool)
    /// `distanceToLocation:fromLocation:(field, $place) < $radius`.
    case circle(FieldNumber, Int, GeodesicRadiusTest.Comparison, Int)
    /// `recordID = $id`.
    case record(Int)
    /// `ALL tokenize($words, 'Cdl') IN allTokens`, or with ANY, as `self CONTAINS $words`.
    case tokens([FieldNumber], Int, requiresAll: Bool)
  }

  /// `field relation $name`, or `list CONTAINS $name`, `$name IN list`, `ANY list = $name`.
  struct Relation: Sendable {
    var field: FieldNumber
    var type: FieldType.Scalar
    var isMember: Bool
    var comparison: ComparisonOperator
    var parameter: Int
    /// What the comparison itself ignores, of a text that equals the parameter or begins with it.
    var folding: TextFolding
    /// The whole comparison, for its faults.
    var node: PredicateNode

    /// What is ignored of texts, as the options for all comparisons say.
    func folding(_ options: PredicateOptions) -> TextFolding {
      if type != .string { return [] }
      let isEquality = isMember || comparison == .equal || comparison == .notEqual
      return options.stringEquality == .caseInsensitive && isEquality ? folding.union(.case) : folding
    }
  }

  let parts: [Part]
  /// Of which part of the predicate as it was written each part is, by number.
  let writtenParts: [Int]
  /// Whether any part depends on the run.
  let isVolatile: Bool
  /// The parts that do, by number.
  let volatileParts: [Int]
  /// Whether any part depends on the moment of the run.
  let asksForNow: Bool
  /// The parameters' names, each once, in the order they are first mentioned.
  let parameters: [String]
  /// The places of the parameters, where they are more than ``fewParameters``.
  private let positions: [ByteKey: Int]
  /// What tells predicates of other parameters apart, while the process runs.
  let parametersHash: Int
  /// How many places mention each of them.
  let mentions: [Int]
  /// What the predicate's own constants take of what it may hold.
  let constantBytes: Int
  private let recordType: RecordType
  let options: PredicateOptions
  private let source: SourceText?

  /// Binds what can be bound without values.
  ///
  /// - Throws: `invalidPredicate` with every fault that lies in the predicate whatever its parameters are.
  init(
    _ predicate: QueryPredicate, recordType: RecordType, options: PredicateOptions
  ) throws(ZoneQueryError) {
    var binder = Binder(
      scope: .recordType(recordType), options: options, now: Timestamp(milliseconds: 0), parameters: [:],
      allowsUnbound: true)
    try Binder.checkForm(of: predicate, options)
    let nodes: [PredicateNode] =
      if case .and(let compound) = predicate.root { compound.parts } else { [predicate.root] }
    var mentions = VariableMentions()
    var parts: [Part] = []
    var writtenParts: [Int] = []
    for (number, node) in nodes.enumerated() {
      mentions.isVolatile = false
      mentions.visit(node)
      let bound = binder.bind(node, negated: false)
      if !mentions.isVolatile {
        // What holds for every record is nothing to plan for.
        if case .constant(true) = bound { continue }
        if case .and(let inner) = bound { parts += inner.map { .fixed($0) } } else { parts.append(.fixed(bound)) }
      } else if let relation = PredicateTemplate.relation(node, recordType, mentions) {
        parts.append(.relation(relation))
      } else if let form = Form(node, recordType, mentions) {
        parts.append(.form(form, node))
      } else {
        parts.append(.anew(node))
      }
      while writtenParts.count < parts.count { writtenParts.append(number) }
    }
    guard binder.diagnostics.isEmpty else {
      throw ZoneQueryError(
        .binding, .invalidPredicate, diagnostics: binder.diagnostics, source: predicate.source)
    }
    self.parts = parts
    self.writtenParts = writtenParts
    volatileParts = parts.indices.filter { if case .fixed = parts[$0] { false } else { true } }
    isVolatile = !volatileParts.isEmpty
    asksForNow = mentions.mentionsNow
    parameters = mentions.names.map(\.text)
    positions = mentions.names.count > Self.fewParameters ? mentions.numbers : [:]
    parametersHash = mentions.names.hashValue
    self.mentions = mentions.counts
    constantBytes = predicate.ownConstantBytes
    self.recordType = recordType
    self.options = options
    source = predicate.source
  }

  /// So many names are found sooner by a look at each than by their hash.
  private static let fewParameters = 8

  /// The place of a parameter among the others; nil where there is none of that name.
  func position(of name: String) -> Int? {
    positions.isEmpty ? parameters.firstIndex { sameBytes($0, name) } : positions[ByteKey(name)]
  }

  /// The parameters as errors name them, at most so many.
  var parameterList: String {
    let most = 24
    let more = parameters.count > most ? " and \(parameters.count - most) more" : ""
    return parameters.prefix(most).map { "$\(SyntaxError.excerpt($0))" }.joined(separator: ", ") + more
  }

  /// The parameter that names the one record asked for, where that is all the predicate says.
  var soleRecord: Int? {
    if parts.count == 1, case .form(.record(let parameter), _) = parts[0] { parameter } else { nil }
  }

  /// Whether no run's values take part in what a part asks.
  func isFixed(_ part: Int) -> Bool { if case .fixed = parts[part] { true } else { false } }

  private static func relation(
    _ node: PredicateNode, _ recordType: RecordType, _ mentions: VariableMentions
  ) -> Relation? {
    guard case .comparison(let comparison) = node,
      comparison.options.isSubset(of: [.caseInsensitive, .diacriticInsensitive])
    else { return nil }
    var (left, relation, right) = (comparison.left, comparison.comparison, comparison.right)
    switch (comparison.quantifier, relation) {
    case (nil, .in): (left, relation, right) = (right, .contains, left)
    case (.any?, .equal): relation = .contains
    case (nil, _): break
    default: return nil
    }
    guard case .variable(let variable) = right, let parameter = mentions.numbers[ByteKey(variable.name)],
      let (field, type) = field(left, recordType)
    else { return nil }
    let isMember = relation == .contains
    guard isMember == type.isList, isMember || relation.isRelation || relation == .beginsWith else { return nil }
    let folding = TextFolding(comparison.options)
    let isFoldable = !isMember && type.scalar == .string && (relation == .equal || relation == .beginsWith)
    if !folding.isEmpty, !isFoldable { return nil }
    return Relation(
      field: field, type: type.scalar, isMember: isMember, comparison: relation, parameter: parameter, folding: folding,
      node: node)
  }

  /// The field that an expression is, where values can be compared with it as with any other of its type: a record's own
  /// ID may be given by its name alone.
  static func field(_ node: ExpressionNode, _ recordType: RecordType) -> (number: FieldNumber, type: FieldType)? {
    guard case .key(let key) = node, key.path.isEmpty else { return nil }
    if let position = recordType.position(of: key.name) {
      let definition = recordType.fields[position]
      return definition.isEncrypted ? nil : (.position(position), definition.type)
    }
    guard let field = SystemField(key: key.name), field != .recordID else { return nil }
    return (FieldNumber(field), field.type)
  }

  /// Checks that the values are no more than a predicate may hold, each counted where it is put in.
  func checkSize(of values: [ArgumentValue?]) throws(ZoneQueryError) {
    if let fault = VariableMentions.fault(mentions, values, own: constantBytes) {
      throw ZoneQueryError(.binding, .invalidPredicate, diagnostics: [fault], source: source)
    }
  }

  /// Gives each part its test for the values.
  ///
  /// - Throws: `invalidPredicate` where a value is missing, does not fit, or is too much to be put in so often.
  func bind(
    _ values: [ArgumentValue?], now: Timestamp, into conjuncts: inout [BoundPredicate]
  ) throws(ZoneQueryError) {
    conjuncts.removeAll(keepingCapacity: true)
    try checkSize(of: values)
    var run = Run(values: values, now: now)
    for part in parts { conjuncts.append(try bind(part, &run)) }
  }

  /// The values of a run.
  struct Run {
    let values: [ArgumentValue?]
    let now: Timestamp
    /// The values by their parameters' names, where they were asked for.
    fileprivate var named: [ByteKey: ArgumentValue] = [:]

    init(values: [ArgumentValue?], now: Timestamp) { (self.values, self.now) = (values, now) }
  }

  /// Gives a part its test for the values of a run, whose size was checked.
  ///
  /// - Throws: `invalidPredicate` where a value is missing or does not fit.
  func bind(_ part: Part, _ run: inout Run) throws(ZoneQueryError) -> BoundPredicate {
    switch part {
    case .fixed(let bound): return bound
    case .relation(let relation):
      if case .literal(let literal)? = run.values[relation.parameter], let bound = relation.bind(literal, options) {
        return bound
      }
      return try bind(relation.node, &run)
    case .form(let form, let node):
      if let bound = form.bind(run.values, options) { return .comparison(bound) }
      return try bind(node, &run)
    case .anew(let node): return try bind(node, &run)
    }
  }

  private func bind(_ node: PredicateNode, _ run: inout Run) throws(ZoneQueryError) -> BoundPredicate {
    if run.named.isEmpty {
      for (name, value) in zip(parameters, run.values) { run.named[ByteKey(name)] = value }
    }
    var binder = Binder(scope: .recordType(recordType), options: options, now: run.now, parameters: run.named)
    let bound = binder.bind(node, negated: false)
    guard binder.diagnostics.isEmpty else {
      throw ZoneQueryError(.binding, .invalidPredicate, diagnostics: binder.diagnostics, source: source)
    }
    return bound
  }
}

extension PredicateTemplate.Relation {
  /// The comparison with a value; nil where it has to be looked at more closely.
  func bind(_ literal: Literal, _ options: PredicateOptions) -> BoundPredicate? {
    if literal.fault != nil { return nil }
    let test: ValueTest
    if comparison == .beginsWith {
      guard type == .string, case .string(let text) = literal else { return nil }
      let beginning = TextTest(.prefix, Array(text.utf8), folding: folding)
      if beginning.operand.isEmpty { return nil }
      test = .text(beginning)
    } else {
      guard
        let made = ValueTest(
          isMember ? .equal : comparison, literal, type, folding: folding, options.stringEquality)
      else { return nil }
      test = made
    }
    let isNegated = comparison == .notEqual
    return .comparison(
      BoundComparison(
        condition: isMember ? .anyMember(field, test) : .value(field, test), isNegated: isNegated,
        whenMissing: isNegated && options.missingFields == .likeNSPredicate))
  }
}

/// The parameters that a predicate mentions.
struct VariableMentions {
  private(set) var names: [ByteKey] = []
  private(set) var numbers: [ByteKey: Int] = [:]
  /// How many places mention each.
  private(set) var counts: [Int] = []
  /// Whether what was visited depends on the run: on a parameter, or on the time.
  var isVolatile = false
  /// Whether anything visited asks for the time.
  private(set) var mentionsNow = false

  init() {}

  init(_ root: PredicateNode) { visit(root) }

  mutating func visit(_ node: PredicateNode) {
    switch node {
    case .constant: break
    case .not(let not): visit(not.operand)
    case .and(let compound), .or(let compound): for part in compound.parts { visit(part) }
    case .comparison(let comparison):
      visit(comparison.left)
      visit(comparison.right)
    }
  }

  mutating func visit(_ node: ExpressionNode) {
    switch node {
    case .literal, .key, .selfReference: break
    case .variable(let variable):
      isVolatile = true
      let name = ByteKey(variable.name)
      if let number = numbers[name] {
        counts[number] += 1
      } else {
        numbers[name] = names.count
        names.append(name)
        counts.append(1)
      }
    case .list(let list): for element in list.elements { visit(element) }
    case .unary(let unary): visit(unary.operand)
    case .binary(let binary):
      visit(binary.left)
      visit(binary.right)
    case .property(let property): visit(property.base)
    case .index(let index):
      visit(index.base)
      if case .at(let position) = index.selector { visit(position) }
    case .function(let call):
      if call.function == .now { (isVolatile, mentionsNow) = (true, true) }
      for argument in call.arguments { visit(argument) }
    case .ternary(let ternary):
      visit(ternary.condition)
      visit(ternary.then)
      visit(ternary.otherwise)
    // No dialect evaluates these; the binder says so.
    case .customFunction, .subquery, .cast, .assignment: break
    }
  }

  /// How many mentions small values are never too much for beside ``mostOwn`` bytes, wherever they are put in: each of them
  /// takes less than 1.1 MiB.
  static let mostOfSmall = 16
  static let mostOwn = 1 << 23

  /// Whether values are so small that ``mostOfSmall`` of them are no more than a predicate may hold.
  @inline(__always)
  static func areSmall(_ values: [ArgumentValue?]) -> Bool {
    var number = 0
    while number < values.count {
      switch values[number] {
      case .literal(.string(let text))?: if text.utf8.count > 1 << 20 { return false }
      case .list(let members)?: if !areSmall(members) { return false }
      default: break
      }
      number += 1
    }
    return true
  }

  private static func areSmall(_ members: [ArgumentValue]) -> Bool {
    if members.count > 256 { return false }
    for member in members {
      if case .literal(.string(let text)) = member, text.utf8.count > 1 << 12 { return false }
    }
    return true
  }

  /// What is wrong with values that are put in so many times each, if with the predicate's own constants they are more
  /// than a predicate may hold. Complexity: linear in the values.
  static func fault(_ counts: [Int], _ values: [ArgumentValue?], own: @autoclosure () -> Int) -> Diagnostic? {
    if counts.isEmpty { return nil }
    let most = TreeSize.limits.constantBytes
    var bytes = own()
    for (count, value) in zip(counts, values) {
      let weight =
        switch value {
        case .literal(let literal)?: literal.weight
        case .list(let members)?:
          // A list within a list is refused, whatever is in it.
          members.reduce(0) { if case .literal(let literal) = $1 { $0 + literal.weight } else { $0 } }
        case .unsupported?, nil: 0
        }
      let (all, overflows) = weight.multipliedReportingOverflow(by: count)
      if overflows || all > most - bytes { return .tooManyConstants }
      bytes += all
    }
    return nil
  }
}

extension QueryPredicate {
  /// What its constants take of what a predicate may hold by default; nothing where they were let be more, which says
  /// that no more is to be said of them.
  var ownConstantBytes: Int {
    let bytes = measured.size.constantBytes
    return bytes > TreeSize.limits.constantBytes ? 0 : bytes
  }
}
