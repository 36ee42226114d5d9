/// A moment, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// CloudKit keeps dates to the millisecond (semantics: TIMESTAMP), so a comparison with a finer date rounds it to
/// the nearest millisecond.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
  public var milliseconds: Int64

  /// Creates the moment so many milliseconds after 1970-01-01T00:00:00Z.
  @inlinable
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Creates the moment nearest to a number of seconds since 1970-01-01T00:00:00Z, the later of two that are as near; `nil`
  /// where that is no number or lies beyond what 64 bits of milliseconds hold.
  public init?(secondsSince1970 seconds: Double) {
    guard let milliseconds = Int64(exactly: CastLiteral.nearest(seconds * 1000)) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Whether `left` is the earlier.
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
