import Foundation

/// How much of a generated check is done: a tenth, so that all suites together take few minutes, or, where
/// `ZONEQUERY_CHECKS=full` or the long form is asked for, all of it. What differs is how often a kind of case is met,
/// not which kinds are.
enum TestAmount {
  static let isLong = ProcessInfo.processInfo.environment["ZONEQUERY_LONG"] != nil
  static let isFull = isLong || ProcessInfo.processInfo.environment["ZONEQUERY_CHECKS"] == "full"

  /// The share of an amount that is done, rounded up.
  static func of(_ full: Int) -> Int { isFull ? full : (full + 9) / 10 }

  /// The same, with an amount for the long form.
  static func of(_ full: Int, long: Int) -> Int { isLong ? long : of(full) }

  /// Whether one of numbered cases is done: all or, in the short form, each fourth. Where cases combine several choices,
  /// the number is the sum of theirs, so that each choice of four or fewer meets each other one.
  static func takes(_ number: Int) -> Bool { isFull || number % 4 == 0 }

  /// How many of so many numbered cases are done where each number comes equally often.
  static func taken(_ full: Int) -> Int { isFull ? full : full / 4 }
}
