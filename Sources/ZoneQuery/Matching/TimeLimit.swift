/// How long a run may take (``Database/Limits/queryDuration``).
///
/// Loops over many rows ask it between parts of these, of some hundred rows where each takes little and of a few where a text
/// may be long: a look at the clock takes some tens of nanoseconds. Where it is over they end, and what was found is no answer.
struct TimeLimit {
  private let limit: Duration?
  private let start: ContinuousClock.Instant?
  private(set) var isOver = false

  /// Of so many rows that are looked at one by one one asks.
  static let rows = 16

  /// A limit from now on; none where it is nil.
  init(_ limit: Duration? = nil) {
    self.limit = limit
    start = limit == nil ? nil : .now
  }

  var isSet: Bool { limit != nil }

  /// Whether it is over by now.
  @inline(__always)
  mutating func check() -> Bool { limit == nil ? false : look() }

  @inline(never)
  private mutating func look() -> Bool {
    if !isOver, let limit, let start { isOver = start.duration(to: .now) >= limit }
    return isOver
  }

  /// The error of a run that did not end in time.
  var error: ZoneQueryError {
    ZoneQueryError(
      .query, .limitExceeded, "The query was not answered within \(limit ?? .zero), which Limits.queryDuration allows.",
      hint: "Ask for less, add an index (explain tells which the schema lacks), or raise the limit.")
  }
}
