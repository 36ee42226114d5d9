internal import PredicateSyntax
internal import ZoneQuery

extension QueryPredicate {
  /// The predicate with values in the places of its parameters; those without a value stay.
  func replacing(_ parameters: [String: any PredicateArgument]) -> QueryPredicate {
    var values: [ByteKey: ArgumentValue] = [:]
    for (name, value) in parameters { values[ByteKey(name)] = value.predicateArgument }
    return replacing(values)
  }
}
