/// What a database does, told to whoever embeds it: for logging and metrics.
///
/// ```swift
/// var configuration = Database.Configuration()
/// configuration.instrumentation = Instrumentation(slowerThan: .milliseconds(5)) { event in
///   logger.notice("\(event)")   // deleteMatching Event where end < now(): 1,204 deleted, 8.1 ms
/// }
/// ```
///
/// The handler is called once for each operation, when it has ended and before its call returns, on the thread that called
/// it; what it takes the caller waits for. Any number of threads may call it at once. No lock is held, so that it may use
/// the database, whose operations are told in their turn: a handler that asks something whatever it is told never ends.
/// One that keeps the database keeps it for good, as the database keeps the handler; it had better refer to it weakly.
///
/// What only tells of what there is, such as schema, zones, subscriptions, memory and explanations, is no operation, nor are
/// preparing a query and the answers of live queries. A body of `forEachRecord` that throws is told as a failure; one that
/// stops the search is not.
///
/// Differs from CloudKit, which has none.
///
/// Complexity: two readings of the clock for each operation, and the making of the event for each that is told of; where a
/// database has no instrumentation, one comparison.
public struct Instrumentation: Sendable {
  /// How long an operation takes, at least, that is told of; those that fail, in whole or in part, are told of however
  /// long they took.
  public var slowerThan: Duration
  private let handler: @Sendable (DatabaseEvent) -> Void

  /// Instrumentation that tells a handler of operations.
  ///
  /// - Parameters:
  ///   - slowerThan: The duration to tell of from; of all where it is left out.
  ///   - handler: Called with each.
  public init(slowerThan: Duration = .zero, _ handler: @escaping @Sendable (DatabaseEvent) -> Void) {
    self.slowerThan = slowerThan
    self.handler = handler
  }

  /// Runs an operation, which says what came of it, and tells of it.
  func observe<Result>(
    _ event: () -> DatabaseEvent, _ operation: (inout DatabaseEvent.Outcome) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result {
    var outcome = DatabaseEvent.Outcome()
    let start = ContinuousClock.now
    do throws(ZoneQueryError) {
      let result = try operation(&outcome)
      tell(event, outcome, start.duration(to: .now))
      return result
    } catch {
      let duration = start.duration(to: .now)
      outcome.error = error
      tell(event, outcome, duration)
      throw error
    }
  }

  private func tell(_ event: () -> DatabaseEvent, _ outcome: DatabaseEvent.Outcome, _ duration: Duration) {
    if duration < slowerThan, outcome.error == nil { return }
    var event = event()
    (event.outcome, event.duration) = (outcome, duration)
    handler(event)
  }
}

extension Database {
  /// Runs an operation, and tells of it where somebody is to be told.
  @inline(__always)
  func telling<Result>(
    _ event: @autoclosure () -> DatabaseEvent,
    _ operation: (inout DatabaseEvent.Outcome) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result {
    if let instrumentation = configuration.instrumentation {
      let user = user.recordName
      return try instrumentation.observe({ event().by(user) }, operation)
    }
    var outcome = DatabaseEvent.Outcome()
    return try operation(&outcome)
  }
}
