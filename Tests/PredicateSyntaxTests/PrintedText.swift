import PredicateSyntax

/// What a text reads as, printed back.
func printed(_ text: String, _ arguments: (any PredicateArgument)?...) -> String {
  do {
    return try PredicateParser().parse(text, arguments: arguments).root.predicateFormat
  } catch {
    return error.diagnostics.map { "\($0.code)@\($0.range.map { "\($0.lowerBound)" } ?? "-")" }
      .joined(separator: " ")
  }
}
