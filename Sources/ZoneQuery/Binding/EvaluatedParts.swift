/// How many parts of a predicate are evaluated for a record at most.
///
/// A value that is computed and stands before `BETWEEN {a, b}`, or before IN with a list in which fields or nil stand, is
/// computed for each of the list's elements. Where such a comparison is the condition of a TERNARY that stands there itself,
/// the numbers multiply at each level, so that a short text could keep a thread busy for ever. Complexity: linear in the
/// tree.
enum EvaluatedParts {
  /// The most there may be: twice what a tree that was made node by node may have without any being counted twice.
  static let most = 2 * TreeSize.most

  /// What is wrong with a predicate that stands for too many, if one does.
  static func fault(of root: PredicateNode) -> Diagnostic? {
    if count(root) <= most { return nil }
    return Diagnostic(
      stage: .binder, code: "tooManyNodes",
      message: "More than \(most) parts of the predicate would be evaluated for each record.", range: root.span.range,
      hint: "What is computed before BETWEEN and IN is computed for each element of the list: nest fewer of these.")
  }

  /// The number of parts; some number above ``most`` where there are more.
  private static func count(_ node: PredicateNode) -> Int {
    switch node {
    case .constant: 1
    case .not(let not): count(not.operand)
    case .and(let compound), .or(let compound): compound.parts.reduce(1) { sum($0, count($1)) }
    case .comparison(let comparison): count(comparison)
    }
  }

  private static func count(_ comparison: ComparisonNode) -> Int {
    let (left, right) = (count(comparison.left), count(comparison.right))
    let times =
      switch comparison.comparison {
      case .between: 2
      case .in: times(comparison.right)
      default: 1
      }
    let timesOfRight = comparison.comparison == .contains ? self.times(comparison.left) : 1
    return sum(product(left, times), product(right, timesOfRight))
  }

  /// How often what stands beside a list is computed.
  private static func times(_ list: ExpressionNode) -> Int {
    switch list {
    case .list(let list):
      let areConstants = list.elements.allSatisfy {
        if case .literal(let node) = $0 { node.value != .null } else { false }
      }
      return areConstants ? 1 : max(2, list.elements.count)
    // Its value may have nil in it.
    case .variable: return 2
    default: return 1
    }
  }

  private static func count(_ node: ExpressionNode) -> Int {
    let own = node.operands.reduce(1) { parts, operand in
      // A list's constants are held against a value together.
      if case .list = node, case .literal = operand { return parts }
      return sum(parts, count(operand))
    }
    return switch node {
    case .ternary(let ternary): sum(own, count(ternary.condition))
    case .subquery(let subquery): sum(own, count(subquery.predicate))
    default: own
    }
  }

  // Neither grows beyond what two numbers of up to `most` make.

  private static func sum(_ left: Int, _ right: Int) -> Int { min(left + right, most + 1) }

  private static func product(_ left: Int, _ right: Int) -> Int { min(left * right, most + 1) }
}
