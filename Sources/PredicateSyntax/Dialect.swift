/// Which part of the predicate language may be evaluated.
///
/// The parser reads the whole language whatever the dialect; the binder refuses what the chosen dialect does
/// not take and names the construct, its place, the rule and the nearest accepted form.
public enum Dialect: String, Sendable, Hashable, CaseIterable {
  /// What CloudKit documents for `CKQuery` predicates, and three forms of this library: `$name` parameters, `TOKENMATCHES`,
  /// and `CAST` of places, dates and references.
  case cloudKit = "cloudkit"
  /// CloudKit's part and `OR`, free `NOT`, `nil`, substrings, `LIKE`, `[c]` and `[d]`, `ALL`, field against
  /// field, and values computed from the record.
  case extended
}
