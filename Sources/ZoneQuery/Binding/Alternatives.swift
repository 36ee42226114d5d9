/// Comparisons of which one must hold, that are values of one field: `city = "a"` or `city IN {"b", "c"}` is
/// `city IN {"a", "b", "c"}`, and so of members of a list.
struct Alternatives {
  private let key: ExpressionNode
  private let areMembers: Bool
  private var values: [ExpressionNode]

  /// Nil where a part is anything else.
  init?(_ parts: [PredicateNode]) {
    var all: Alternatives?
    for part in parts {
      guard case .comparison(let comparison) = part, let one = Alternatives(comparison) else { return nil }
      if let others = all {
        guard others.key == one.key, others.areMembers == one.areMembers else { return nil }
        all?.values += one.values
      } else {
        all = one
      }
    }
    guard let all else { return nil }
    self = all
  }

  private init?(_ comparison: ComparisonNode) {
    guard comparison.options.isEmpty else { return nil }
    let (left, right) = (comparison.left, comparison.right)
    switch (comparison.quantifier, left, comparison.comparison, right) {
    case (nil, .key, .equal, _): (key, areMembers, values) = (left, false, [right])
    case (nil, _, .equal, .key): (key, areMembers, values) = (right, false, [left])
    case (nil, .key, .in, .list(let list)): (key, areMembers, values) = (left, false, list.elements)
    case (nil, .list(let list), .contains, .key), (.any, .list(let list), .equal, .key):
      (key, areMembers, values) = (right, false, list.elements)
    case (nil, .key, .contains, _), (.any, .key, .equal, _): (key, areMembers, values) = (left, true, [right])
    case (nil, _, .in, .key), (.any, _, .equal, .key): (key, areMembers, values) = (right, true, [left])
    case (.any, .key, .in, .list(let list)): (key, areMembers, values) = (left, true, list.elements)
    case (.any, .list(let list), .in, .key): (key, areMembers, values) = (right, true, list.elements)
    default: return nil
    }
  }

  var predicate: PredicateNode {
    .comparison(ComparisonNode(areMembers ? .any : nil, key, .in, .list(ListNode(values))))
  }
}
