/// The fields that a bound predicate reads.
struct FieldReads {
  private(set) var fields: Set<FieldNumber> = []
  private(set) var searchesWords = false

  mutating func visit(_ predicate: BoundPredicate) {
    switch predicate {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { visit(part) }
    case .comparison(let comparison):
      switch comparison.condition {
      case .value(let field, _), .anyMember(let field, _), .allMembers(let field, _), .holdsAll(let field, _):
        fields.insert(field)
      case .tokens(let search):
        fields.formUnion(search.fields)
        searchesWords = true
      case .computed(let left, _, let right):
        visit(left)
        visit(right)
      }
    }
  }

  private mutating func visit(_ expression: BoundExpression) {
    switch expression {
    case .constant: break
    case .field(let field, _), .distance(let field, _, _): fields.insert(field)
    case .arithmetic(_, let left, let right):
      visit(left)
      visit(right)
    case .negated(let operand), .complement(let operand), .count(let operand): visit(operand)
    case .function(_, let arguments): for argument in arguments { visit(argument) }
    case .ternary(let condition, let then, let otherwise):
      visit(condition.predicate)
      visit(then)
      visit(otherwise)
    case .element(let list, let element):
      visit(list)
      if case .at(let position) = element { visit(position) }
    }
  }
}
