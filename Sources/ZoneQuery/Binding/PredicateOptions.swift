/// The switches that decide what a predicate may say and what it means.
public struct PredicateOptions: Sendable, Hashable {
  /// What a comparison says of a record that lacks its field.
  public enum MissingFields: String, Sendable, Hashable, CaseIterable {
    /// Nothing: the comparison is false and so is its negation. `x != 1` and `NOT (x = 1)` do not find records
    /// without `x`. A list that holds fields is compared by each of them: `NOT (x BETWEEN {low, 5})` finds a record with 9
    /// for `x` that lacks `low`, since `x <= 5` alone is decided, and false.
    case excluded
    /// What `NSPredicate` says in memory, where a missing value is nil: `x = 1` is false and so `x != 1` and
    /// `NOT (x = 1)` are true.
    case likeNSPredicate
  }

  /// How `=`, `!=`, `IN` and list membership compare text. Order, `BETWEEN`, `BEGINSWITH` and sorting are exact
  /// always.
  public enum StringEquality: String, Sendable, Hashable, CaseIterable {
    /// By Unicode code points.
    case exact
    /// By Unicode's full case folding, as the option `[c]` asks for one comparison. An index on a text answers it as it
    /// does exact equality, by the spellings that are stored; an index on a list, by the members that it knows.
    case caseInsensitive
  }

  /// Which part of the language is taken.
  public var dialect: Dialect
  /// What a comparison says of a record that lacks its field.
  public var missingFields: MissingFields
  /// How equality compares text.
  public var stringEquality: StringEquality

  /// Creates the options; the defaults are CloudKit's dialect, `.excluded` and `.exact`.
  public init(
    dialect: Dialect = .cloudKit, missingFields: MissingFields = .excluded,
    stringEquality: StringEquality = .exact
  ) {
    self.dialect = dialect
    self.missingFields = missingFields
    self.stringEquality = stringEquality
  }
}
