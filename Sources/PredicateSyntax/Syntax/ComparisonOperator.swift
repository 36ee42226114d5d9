/// An operator between two expressions, under its canonical spelling.
///
/// The facts of each (spellings, mirror, options, dialects) stand in ``OperatorTable``.
public enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
  /// `==`, also written `=`.
  case equal = "=="
  /// `!=`, also written `<>`.
  case notEqual = "!="
  /// `<`.
  case less = "<"
  /// `<=`, also written `=<`.
  case lessOrEqual = "<="
  /// `>`.
  case greater = ">"
  /// `>=`, also written `=>`.
  case greaterOrEqual = ">="
  /// The left side lies within the two bounds of the right, both included.
  case between = "BETWEEN"
  /// The left side is a member, or a substring, of the right.
  case `in` = "IN"
  /// The right side is a member, or a substring, of the left.
  case contains = "CONTAINS"
  /// The left side begins with the right.
  case beginsWith = "BEGINSWITH"
  /// The left side ends with the right.
  case endsWith = "ENDSWITH"
  /// The left side matches a pattern of `?` (one character) and `*` (any run of them).
  case like = "LIKE"
  /// The left side matches a regular expression; no dialect evaluates it.
  case matches = "MATCHES"
  /// The left side holds every token of the right.
  case tokenMatches = "TOKENMATCHES"
}

/// The letters in brackets after an operator.
public struct ComparisonOptions: OptionSet, Sendable, Hashable {
  /// One bit a letter.
  public let rawValue: UInt8

  /// Creates the set with the given bits; those that stand for no letter are left out.
  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

  /// `c`: letter case is ignored.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `d`: combining marks are ignored.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// `l`: compared as the locale would; part of the token forms alone.
  public static let localeSensitive = ComparisonOptions(rawValue: 4)
  /// `n`: the text is already normalised.
  public static let normalized = ComparisonOptions(rawValue: 8)
}

/// An operator between two numbers (or two sets, as `|` and `&` are on Apple's platforms).
public enum ArithmeticOperator: String, Sendable, Hashable, CaseIterable {
  /// `+`.
  case add = "+"
  /// `-`.
  case subtract = "-"
  /// `*`.
  case multiply = "*"
  /// `/`.
  case divide = "/"
  /// `**`.
  case power = "**"
  /// `&`.
  case bitAnd = "&"
  /// `|`.
  case bitOr = "|"
  /// `^`.
  case bitXor = "^"
  /// `<<`.
  case shiftLeft = "<<"
  /// `>>`.
  case shiftRight = ">>"
}

/// An operator before one number.
public enum UnaryOperator: String, Sendable, Hashable, CaseIterable {
  /// `-`.
  case negate = "-"
  /// `~`.
  case complement = "~"
}
