internal import PredicateSyntax

extension ComparisonNode {
  /// A comparison without ANY and ALL.
  init(
    _ left: ExpressionNode, _ comparison: ComparisonOperator, options: ComparisonOptions = [], _ right: ExpressionNode
  ) {
    self.init(nil, left, comparison, options: options, right)
  }
}
