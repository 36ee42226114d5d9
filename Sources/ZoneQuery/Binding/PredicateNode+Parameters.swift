extension QueryPredicate {
  /// The predicate with values in the places of its parameters; parameters without a value, or with one that no
  /// predicate can hold, stay for the binder to tell of. Complexity: linear in the tree and the values.
  package func replacing(_ parameters: [ByteKey: ArgumentValue]) -> QueryPredicate {
    if parameters.isEmpty || !faults.isEmpty { return self }
    var replacement = ParameterReplacement(parameters: parameters)
    return QueryPredicate(replacement.replaced(root), source: source)
  }

  /// The predicate with values in the places of its parameters (`$city`), as `NSPredicate` has it: a subscription, for one,
  /// holds no parameters. Parameters without a value stay; values for names that it does not mention are passed over.
  ///
  /// ```swift
  /// let template = try QueryPredicate(format: "city = $city AND start > $day")
  /// template.parameterNames                                        // ["city", "day"]
  /// try template.withSubstitutionVariables(["city": "Seoul"])      // city == "Seoul" AND start > $day
  /// ```
  ///
  /// Differs from `NSPredicate`: a value that no predicate can hold is refused here, with the place of its parameter. Whether
  /// it fits the fields it stands beside is checked where the predicate is used.
  ///
  /// - Parameter values: The values, by names without the `$`.
  /// - Returns: The predicate with the values in it.
  /// - Throws: `invalidPredicate` for values that no predicate can hold (bytes, a list within a list), and where the values,
  ///   each counted as often as the predicate mentions it, are more than a predicate may hold.
  ///
  /// Complexity: linear in the predicate and the values.
  public func withSubstitutionVariables(
    _ values: [String: any PredicateArgument]
  ) throws(ZoneQueryError) -> QueryPredicate {
    if !faults.isEmpty { return self }
    let mentions = VariableMentions(root)
    let parameters = [ByteKey: ArgumentValue](parameters: values)
    let given = mentions.names.map { parameters[$0] }
    if let fault = VariableMentions.fault(mentions.counts, given, own: ownConstantBytes) {
      throw ZoneQueryError(.binding, .invalidPredicate, diagnostics: [fault], source: source)
    }
    var replacement = ParameterReplacement(parameters: parameters)
    let predicate = QueryPredicate(replacement.replaced(root), source: source)
    if replacement.faults.isEmpty { return predicate }
    throw ZoneQueryError(.binding, .invalidPredicate, diagnostics: replacement.faults, source: source)
  }

  /// The same with the values of some names, in their order.
  func replacing(_ names: [String], by values: [ArgumentValue?]) -> QueryPredicate {
    if names.isEmpty { return self }
    var parameters: [ByteKey: ArgumentValue] = [:]
    for (name, value) in zip(names, values) { parameters[ByteKey(name)] = value }
    return replacing(parameters)
  }

  private init(_ root: PredicateNode, source: SourceText?) {
    self.root = root
    self.source = source
    self.faults = []
    self.warnings = []
    self.knownSize = nil
  }
}

extension [ByteKey: ArgumentValue] {
  /// The values of parameters, by the bytes of their names.
  package init(parameters: [String: any PredicateArgument]) {
    self.init(minimumCapacity: parameters.count)
    for (name, value) in parameters { self[ByteKey(name)] = value.predicateArgument }
  }
}

/// Puts the values of parameters into a tree. What it puts in has the place of the parameter, so that faults point there.
private struct ParameterReplacement {
  let parameters: [ByteKey: ArgumentValue]
  /// What is wrong with values that could not be put in, at each place of theirs.
  private(set) var faults: [Diagnostic] = []

  init(parameters: [ByteKey: ArgumentValue]) { self.parameters = parameters }

  mutating func replaced(_ node: PredicateNode) -> PredicateNode {
    switch node {
    case .constant: return node
    case .comparison(var comparison):
      comparison.left = replaced(comparison.left)
      comparison.right = replaced(comparison.right)
      return .comparison(comparison)
    case .not(var not):
      not.operand = replaced(not.operand)
      return .not(not)
    case .and(let compound): return .and(replaced(compound))
    case .or(let compound): return .or(replaced(compound))
    }
  }

  private mutating func replaced(_ compound: CompoundNode) -> CompoundNode {
    let spans = compound.operatorSpans
    return CompoundNode(
      parts: compound.parts.map { replaced($0) }, firstOperatorSpan: spans.first ?? .none,
      laterOperatorSpans: Array(spans.dropFirst()), span: compound.span)
  }

  private mutating func replaced(_ node: ExpressionNode) -> ExpressionNode {
    switch node {
    case .variable(let variable): return value(of: variable) ?? node
    case .list(var list):
      list.elements = list.elements.map { replaced($0) }
      return .list(list)
    case .unary(let unary):
      let operand = replaced(unary.operand)
      return unary.operation == .negate
        ? .negated(operand, span: unary.span) : .complemented(operand, span: unary.span)
    case .binary(var binary):
      binary.left = replaced(binary.left)
      binary.right = replaced(binary.right)
      return .binary(binary)
    case .property(let property): return .path(from: replaced(property.base), property.components, span: property.span)
    case .index(var index):
      index.base = replaced(index.base)
      if case .at(let position) = index.selector { index.selector = .at(replaced(position)) }
      return .index(index)
    case .function(var call):
      call.arguments = call.arguments.map { replaced($0) }
      return .function(call)
    case .ternary(var ternary):
      ternary.condition = replaced(ternary.condition)
      ternary.then = replaced(ternary.then)
      ternary.otherwise = replaced(ternary.otherwise)
      return .ternary(ternary)
    // No dialect evaluates the latter four; the binder says so.
    case .literal, .key, .selfReference, .customFunction, .subquery, .cast, .assignment: return node
    }
  }

  private mutating func value(of variable: VariableNode) -> ExpressionNode? {
    func node(_ literal: Literal) -> ExpressionNode { .literal(LiteralNode(literal, span: variable.span)) }
    guard let value = parameters[ByteKey(variable.name)] else { return nil }
    switch ParameterValue(value) {
    case .constant(let literal): return node(literal)
    case .list(let literals): return .list(ListNode(literals.map(node), span: variable.span))
    case .refused(let fault):
      faults.append(.parameter(variable, fault))
      return nil
    }
  }
}

extension Diagnostic {
  /// What is wrong with the value of a parameter, in the words that follow its name.
  static func parameter(_ variable: VariableNode, _ fault: String) -> Diagnostic {
    Diagnostic(
      stage: .binder, code: "parameterValue", message: "The parameter $\(SyntaxError.excerpt(variable.name)) \(fault).",
      range: variable.span.range)
  }
}
