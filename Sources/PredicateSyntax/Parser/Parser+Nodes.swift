/// Nodes from what has been read, apart from the functions that read it: these call one another as deep as the text
/// nests, and every node they built themselves would make each level dearer.
extension Parser {
  /// A node over subtrees of the given height, counted against the limits.
  mutating func grown<Node>(_ node: Node, over height: Int) throws(Abandoned) -> Built<Node> {
    Built(node: node, height: try grow(over: height))
  }

  func assignmentNode(_ value: ExpressionNode, from first: Int) -> ExpressionNode {
    .assignment(AssignmentNode(variableNode(first), value, span: span(from: first)))
  }

  func variableNode(_ index: Int) -> VariableNode {
    let token = stream.tokens[index]
    return VariableNode(name(token), span: SourceSpan(token.range))
  }

  func binaryNode(
    _ left: ExpressionNode, _ operation: ArithmeticOperator, _ right: ExpressionNode, from first: Int
  ) -> ExpressionNode {
    .binary(BinaryNode(left, operation, right, span: span(from: first)))
  }

  func indexNode(_ base: ExpressionNode, _ selector: IndexSelector, from first: Int) -> ExpressionNode {
    .index(IndexNode(base, selector, span: span(from: first)))
  }

  func ternaryNode(
    _ condition: PredicateNode, _ then: ExpressionNode, _ otherwise: ExpressionNode, from first: Int
  ) -> ExpressionNode {
    .ternary(TernaryNode(condition, then, otherwise, span: span(from: first)))
  }

  func subqueryNode(
    _ collection: ExpressionNode, variableAt variable: Int, _ predicate: PredicateNode, from first: Int
  ) -> ExpressionNode {
    .subquery(SubqueryNode(collection, variableNode(variable), predicate, span: span(from: first)))
  }

  func customFunctionNode(
    _ target: ExpressionNode, _ selector: String, _ arguments: [ExpressionNode], from first: Int
  ) -> ExpressionNode {
    .customFunction(CustomFunctionNode(target, selector, arguments, span: span(from: first)))
  }

  /// A call of a built-in function, its arguments counted; a constant in place of a function there is none of.
  mutating func functionNode(
    _ function: BuiltinFunction?, _ arguments: [ExpressionNode], nameRange: SourceRange, from first: Int
  ) -> ExpressionNode {
    guard let function else { return .literal(LiteralNode(.null, span: span(from: first))) }
    checkArgumentCount(function, arguments.count, range: nameRange)
    return .function(
      FunctionNode(function, arguments, nameSpan: SourceSpan(nameRange), span: span(from: first)))
  }
}
