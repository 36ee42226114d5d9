/// A word of the language that is no key unless `#` stands before it; letter case does not matter.
///
/// What each is for stands in ``OperatorTable/words``.
public enum ReservedWord: UInt8, Sendable, Hashable, CaseIterable {
  case and, or, not
  case `in`, like, matches, contains, beginsWith, endsWith, between, tokenMatches
  case all, any, someOf, noneOf
  case null, nilValue, selfWord, `true`, yes, `false`, no
  case first, last, size
  case truePredicate, falsePredicate
  case subquery, cast, function, ternary
  case anyKey, caseInsensitive, ci, fetch, apply, union, intersect, intersection, minus
  case utiConformsTo, utiEquals

  /// The word in capitals, as it is printed.
  public var spelling: String { OperatorTable.words[Int(rawValue)].spelling }

  /// What the word is for.
  public var role: OperatorTable.WordRole { OperatorTable.words[Int(rawValue)].role }
}

/// How the members of a collection count, by the word that stands before a comparison.
public enum QuantifierWord: String, Sendable, Hashable, CaseIterable {
  /// At least one member.
  case any = "ANY"
  /// The same as `ANY`.
  case someOf = "SOME"
  /// Every member.
  case all = "ALL"
  /// No member: `NOT (ANY …)`.
  case noneOf = "NONE"
}

/// An operator between predicates, or before one.
public enum LogicalOperator: String, Sendable, Hashable, CaseIterable {
  /// Every part holds.
  case and = "AND"
  /// At least one part holds.
  case or = "OR"
  /// The operand does not hold.
  case not = "NOT"
}
