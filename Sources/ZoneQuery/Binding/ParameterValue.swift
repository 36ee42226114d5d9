/// What a parameter's value is to a predicate: constants, in the tree's normal form, or nothing that it can hold.
enum ParameterValue {
  case constant(Literal)
  case list([Literal])
  /// What is wrong, in the words that follow the parameter's name.
  case refused(String)

  /// Complexity: linear in the value.
  init(_ value: ArgumentValue) {
    switch value {
    case .literal(let literal):
      self = literal.fault.map { .refused("cannot be used: \($0)") } ?? .constant(literal.normalized)
    case .unsupported(let reason): self = .refused("cannot be used: \(reason)")
    case .list(let values):
      var literals: [Literal] = []
      literals.reserveCapacity(values.count)
      for value in values {
        switch value {
        case .literal(let literal):
          if let fault = literal.fault {
            self = .refused("cannot be used: \(fault)")
            return
          }
          literals.append(literal.normalized)
        case .unsupported(let reason):
          self = .refused("cannot be used: \(reason)")
          return
        case .list:
          self = .refused("holds a list within a list")
          return
        }
      }
      self = .list(literals)
    }
  }
}
