/// A value put in for a conversion (`%@`, `%K`, `%d` …), reduced to what the language has literals for.
public enum ArgumentValue: Sendable, Hashable {
  /// A single constant. For `%K` a `string` is read as a key path.
  case literal(Literal)
  /// A collection; it becomes a list literal. Lists within lists nest no deeper than `SyntaxLimits.nesting` in a predicate;
  /// comparing, hashing and letting go of one goes down its levels on the stack.
  case list([ArgumentValue])
  /// A value that no predicate can hold, with the reason in words: "bytes cannot be compared".
  case unsupported(String)
}

/// A Swift value that a format string takes as an argument.
///
/// The standard library's integers, floating-point numbers, `Bool`, `String`, `Optional`, arrays and sets conform
/// here; dates, locations, record IDs and references conform in `ZoneQuery`.
public protocol PredicateArgument: Sendable {
  /// The value, as the language sees it.
  var predicateArgument: ArgumentValue { get }
}
