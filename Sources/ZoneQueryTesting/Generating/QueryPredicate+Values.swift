internal import PredicateSyntax
internal import ZoneQuery

extension QueryPredicate {
  /// The predicate with values in the places of its parameters; those without a value stay.
  func replacing(_ parameters: [String: any PredicateArgument]) -> QueryPredicate {
    replacing([ByteKey: ArgumentValue](parameters: parameters))
  }
}
