extension QueryPredicate {
  /// The predicate with values in the places of its parameters; parameters without a value, or with one that no
  /// predicate can hold, stay for the binder to tell of. Complexity: linear in the tree and the values.
  package func replacing(_ parameters: [ByteKey: ArgumentValue]) -> QueryPredicate {
    if parameters.isEmpty || !faults.isEmpty { return self }
    return QueryPredicate(ParameterReplacement(parameters: parameters).replaced(root), source: source)
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

/// Puts the values of parameters into a tree. What it puts in has the place of the parameter, so that faults point there.
private struct ParameterReplacement {
  let parameters: [ByteKey: ArgumentValue]

  func replaced(_ node: PredicateNode) -> PredicateNode {
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

  private func replaced(_ compound: CompoundNode) -> CompoundNode {
    let spans = compound.operatorSpans
    return CompoundNode(
      parts: compound.parts.map(replaced), firstOperatorSpan: spans.first ?? .none,
      laterOperatorSpans: Array(spans.dropFirst()), span: compound.span)
  }

  private func replaced(_ node: ExpressionNode) -> ExpressionNode {
    switch node {
    case .variable(let variable): return value(of: variable) ?? node
    case .list(var list):
      list.elements = list.elements.map(replaced)
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
      call.arguments = call.arguments.map(replaced)
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

  private func value(of variable: VariableNode) -> ExpressionNode? {
    switch parameters[ByteKey(variable.name)] {
    case .literal(let literal)?: return literal.fault != nil ? nil : .literal(LiteralNode(literal, span: variable.span))
    case .list(let values)?:
      var elements: [ExpressionNode] = []
      for value in values {
        guard case .literal(let literal) = value, literal.fault == nil else { return nil }
        elements.append(.literal(LiteralNode(literal, span: variable.span)))
      }
      return .list(ListNode(elements, span: variable.span))
    case .unsupported?, nil: return nil
    }
  }
}
