/// A function the language knows by name; the raw value is its selector, the spelling that is printed.
///
/// What each takes and which dialect evaluates it stands in ``OperatorTable``.
public enum BuiltinFunction: String, Sendable, Hashable, CaseIterable {
  /// The sum of a list of numbers.
  case sum = "sum:"
  /// How many members a list has.
  case count = "count:"
  /// The least member of a list.
  case min = "min:"
  /// The greatest member of a list.
  case max = "max:"
  /// The arithmetic mean of a list of numbers.
  case average = "average:"
  /// The middle one of a list of numbers, or the mean of both in the middle.
  case median = "median:"
  /// The most frequent member of a list.
  case mode = "mode:"
  /// The standard deviation of a list of numbers.
  case standardDeviation = "stddev:"
  /// The square root of a number.
  case squareRoot = "sqrt:"
  /// The logarithm to the base 10.
  case logarithm = "log:"
  /// The logarithm to the base e.
  case naturalLogarithm = "ln:"
  /// e to the power of a number.
  case exponential = "exp:"
  /// The greatest whole number that is not above a number.
  case floor = "floor:"
  /// The least whole number that is not below a number.
  case ceiling = "ceiling:"
  /// A number without its sign.
  case absolute = "abs:"
  /// A number without its fraction.
  case truncate = "trunc:"
  /// A number by chance. Read and printed, and evaluated by no dialect: an answer depends on nothing but the records.
  case random = "random"
  /// A whole number by chance, below a bound. Evaluated by no dialect, as `random`.
  case randomBelow = "randomn:"
  /// The moment of the query, the same for all its records and pages.
  case now = "now"
  /// A text in capitals.
  case uppercase = "uppercase:"
  /// A text in small letters.
  case lowercase = "lowercase:"
  /// The length of a text.
  case length = "length:"
  /// Its argument, with the wish that no index be used. Read and printed, and evaluated by no dialect: the planner chooses by itself.
  case noIndex = "noindex:"
  /// `a + b`.
  case add = "add:to:"
  /// `a - b`.
  case subtract = "from:subtract:"
  /// `a * b`.
  case multiply = "multiply:by:"
  /// `a / b`.
  case divide = "divide:by:"
  /// The remainder of a division.
  case modulus = "modulus:by:"
  /// `a ** b`.
  case raise = "raise:toPower:"
  /// The bits that both whole numbers have.
  case bitwiseAnd = "bitwiseAnd:with:"
  /// The bits that either whole number has.
  case bitwiseOr = "bitwiseOr:with:"
  /// The bits that one of two whole numbers has.
  case bitwiseXor = "bitwiseXor:with:"
  /// A whole number's bits, moved up.
  case leftShift = "leftshift:by:"
  /// A whole number's bits, moved down.
  case rightShift = "rightshift:by:"
  /// The bits that a whole number lacks.
  case onesComplement = "onesComplement:"
  /// The distance of two places in metres.
  case distance = "distanceToLocation:fromLocation:"
  /// The words of a text or a field, by the options in its second argument.
  case tokenize = "tokenize:using:"
}
