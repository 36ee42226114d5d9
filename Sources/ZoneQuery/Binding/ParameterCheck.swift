/// Finds comparisons with parameters that no values can make right: `city LIKE $pattern` in CloudKit's dialect.
///
/// Binding leaves a comparison alone as long as one of its parameters has no value. So values of each kind are tried until
/// the comparison takes one; where it takes none, what is wrong with one of them is reported. They are tried with lists
/// of a few elements in place of long ones, which are taken and refused alike.
struct ParameterCheck {
  let scope: BindingScope
  let options: PredicateOptions

  /// What is wrong with a part of a predicate whatever its parameters are; empty where some values fit, and where parameters
  /// stand in what is computed, whose values no few stand for.
  func faults(of node: PredicateNode) -> [Diagnostic] {
    switch node {
    case .constant: []
    // What NOT may stand before is a rule of its own.
    case .not(let not):
      if case .comparison(let comparison) = not.operand {
        faults(of: comparison, in: node)
      } else {
        faults(of: not.operand)
      }
    case .and(let compound), .or(let compound): compound.parts.flatMap { faults(of: $0) }
    case .comparison(let comparison): faults(of: comparison, in: node)
    }
  }

  private func faults(of comparison: ComparisonNode, in node: PredicateNode) -> [Diagnostic] {
    var operands = Operands()
    guard operands.visit(comparison.left), operands.visit(comparison.right), !operands.names.isEmpty else { return [] }
    let few = comparison.withFewElements
    let short: PredicateNode =
      if case .not(let not) = node { .not(NotNode(.comparison(few), span: not.span)) } else { .comparison(few) }
    let kinds = kinds(besideKeys: operands.keys, listsFirst: comparison.asksListOfParameter)
    var told: [ArgumentValue]?
    var isOfValue = true
    func faults(_ values: [ArgumentValue], isTrial: Bool) -> [Diagnostic] {
      var binder = Binder(
        scope: scope, options: options, now: Timestamp(milliseconds: 0),
        parameters: Dictionary(uniqueKeysWithValues: zip(operands.names, values)))
      binder.isTrial = isTrial
      _ = binder.bind(isTrial ? short : node, negated: false)
      return binder.diagnostics
    }
    func fits(_ values: [ArgumentValue]) -> Bool {
      let faults = faults(values, isTrial: true)
      // A fault of the comparison itself is told rather than one of a value, which nobody gave.
      let isOfThis = faults.contains { $0.range.map { operands.ranges.contains($0) } ?? false }
      if told == nil || isOfValue && !isOfThis { (told, isOfValue) = (values, isOfThis) }
      return faults.isEmpty
    }
    for kind in kinds where fits(Array(repeating: kind, count: operands.names.count)) { return [] }
    if operands.names.count == 2 {
      for one in kinds { for other in kinds where fits([one, other]) { return [] } }
    } else if operands.names.count > 2 {
      // Of more than two that are not elements of one list, not all kinds can be tried beside each other.
      guard operands.areElements else { return [] }
    }
    return told.map { faults($0, isTrial: false) } ?? []
  }

  /// A value of each kind, first of those that the fields beside the parameters have.
  private func kinds(besideKeys keys: [String], listsFirst: Bool) -> [ArgumentValue] {
    let singles: [FieldType.Scalar: ArgumentValue] = [
      .string: "a".predicateArgument, .int64: 1.predicateArgument, .double: 0.5.predicateArgument,
      .timestamp: Timestamp(milliseconds: 0).predicateArgument,
      .location: Location(latitude: 0, longitude: 0).predicateArgument,
      .reference: Reference(RecordID(recordName: "a")).predicateArgument,
    ]
    var order = FieldType.Scalar.allCases
    if case .recordType(let recordType) = scope {
      let types = keys.compactMap { key in
        (recordType.field(key)?.type ?? SystemField(key: key)?.type)?.scalar
      }
      order = types + order
    }
    let values: [ArgumentValue] = order.compactMap { singles[$0] }
    // BETWEEN asks for two values, some others for one.
    let lists: [ArgumentValue] = values.map { .list([$0]) } + values.map { .list([$0, $0]) }
    // The options of a search for words are a text of its own.
    let others: [ArgumentValue] =
      values.map { .list([.list([$0])]) } + [
        .list([]), .literal(.null), .list([.literal(.null)]), "Cdl".predicateArgument,
      ]
    return (listsFirst ? lists + values : values + lists) + others
  }

  /// What a comparison's operands are made of.
  private struct Operands {
    /// The names of the parameters.
    private(set) var names: [ByteKey] = []
    private var known: Set<ByteKey> = []
    /// Where they stand.
    private(set) var ranges: Set<SourceRange> = []
    /// The fields.
    private(set) var keys: [String] = []
    /// Whether all parameters are elements of one list.
    private(set) var areElements = true
    private var lists = 0

    /// Whether parameters stand only where a constant may in CloudKit's dialect.
    mutating func visit(_ node: ExpressionNode) -> Bool {
      switch node {
      case .variable(let variable):
        areElements = false
        add(variable)
        return true
      case .list(let list):
        lists += 1
        for element in list.elements {
          if case .variable(let variable) = element {
            add(variable)
          } else if !visit(element) {
            return false
          }
        }
        areElements = areElements && lists == 1
        return true
      case .function(let call) where [.distance, .tokenize].contains(call.function):
        return call.arguments.allSatisfy { visit($0) }
      case .key(let key):
        keys.append(key.name)
        return true
      case .literal, .selfReference: return true
      default:
        var mentions = VariableMentions()
        mentions.visit(node)
        return mentions.names.isEmpty
      }
    }

    private mutating func add(_ variable: VariableNode) {
      let name = ByteKey(variable.name)
      if known.insert(name).inserted { names.append(name) }
      if let range = variable.span.range { ranges.insert(range) }
    }
  }
}

extension ComparisonNode {
  /// Whether a parameter stands where a list does: `field IN $p`, `$p CONTAINS field`.
  fileprivate var asksListOfParameter: Bool {
    switch (comparison, left, right) {
    case (.in, _, .variable), (.contains, .variable, _): true
    default: false
    }
  }
}

extension Binder {
  /// Checks a predicate whose parameters have no values yet.
  ///
  /// - Throws: An error of stage `binding` with every fault that it has whatever the values are.
  static func check(
    _ predicate: QueryPredicate, scope: BindingScope, options: PredicateOptions
  ) throws(ZoneQueryError) {
    try checkForm(of: predicate, options)
    var binder = Binder(
      scope: scope, options: options, now: Timestamp(milliseconds: 0), parameters: [:], allowsUnbound: true)
    let parts: [PredicateNode] =
      if case .and(let compound) = predicate.root { compound.parts } else { [predicate.root] }
    for part in parts {
      let known = binder.diagnostics.count
      _ = binder.bind(part, negated: false)
      // More than so many are not kept.
      if binder.diagnostics.count == known, known < Diagnostic.most {
        binder.diagnostics += ParameterCheck(scope: scope, options: options).faults(of: part)
      }
    }
    if !binder.diagnostics.isEmpty {
      throw ZoneQueryError(
        .binding, .invalidPredicate, diagnostics: binder.diagnostics, source: predicate.source)
    }
  }
}
