/// How much of a generated check is done: a tenth, so that all suites together take few minutes, or, where
/// `ZONEQUERY_CHECKS=full` or the long form is asked for, all of it. What differs is how often a kind of case is met,
/// not which kinds are.
enum TestAmount {
  static let isLong = RepositoryFiles.isSet("ZONEQUERY_LONG")
  static let isFull = isLong || RepositoryFiles.value(of: "ZONEQUERY_CHECKS") == "full"

  /// The share of an amount that is done, rounded up.
  static func of(_ full: Int) -> Int { isFull ? full : (full + 9) / 10 }

  /// The same, with an amount for the long form.
  static func of(_ full: Int, long: Int) -> Int { isLong ? long : of(full) }
}
