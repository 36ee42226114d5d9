/// The place of a parameter among a prepared query's arguments.
public struct QueryParameter: Sendable, Hashable {
  let position: Int
  /// Of the parameters that it is one of.
  let parametersHash: Int
}

/// The values of a prepared query's parameters for a run.
public struct QueryArguments: Sendable {
  private(set) var values: [ArgumentValue?]
  /// That of the parameters; of no query's where another's parameter was given a value.
  private(set) var parametersHash: Int
  /// Whether a parameter of a query with other parameters was given a value.
  private(set) var hasForeign = false

  init(_ values: [ArgumentValue?], of template: PredicateTemplate) {
    self.values = values
    parametersHash = template.parametersHash
  }

  /// The value of a parameter, as the language reads it (an `ArgumentValue`); nil until it is set. A run with a
  /// value that was set for a parameter of a query whose parameters have other names, or another order, ends in
  /// `invalidQuery`.
  public subscript(parameter: QueryParameter) -> (any PredicateArgument)? {
    get { self[value: parameter] }
    set { self[value: parameter] = newValue?.predicateArgument }
  }

  /// The value of a parameter as the language sees it: of one that is set again and again, made once.
  ///
  /// ```swift
  /// let seoul = "Seoul".predicateArgument
  /// arguments[value: city] = seoul
  /// ```
  public subscript(value parameter: QueryParameter) -> ArgumentValue? {
    get { has(parameter) ? values[parameter.position] : nil }
    set {
      if has(parameter) {
        values[parameter.position] = newValue
      } else if !hasForeign {
        (hasForeign, parametersHash) = (true, ~parametersHash)
      }
    }
  }

  /// Whether a parameter is one of those that the values are of.
  private func has(_ parameter: QueryParameter) -> Bool {
    parameter.parametersHash == parametersHash && parameter.position < values.count
  }
}
