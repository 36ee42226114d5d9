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
/// it and with no lock held: it may use the database, whose operations are told in their turn. What it takes the caller
/// waits for. Any number of threads may call it at once. What only tells of what there is, such as schema, zones,
/// subscriptions, memory and explanations, is no operation; nor is a call with values for parameters that a prepared query
/// does not have.
///
/// Differs from CloudKit, which has none.
///
/// Complexity: two readings of the clock and the making of the event for each operation; where a database has no
/// instrumentation, one comparison.
public struct Instrumentation: Sendable {
  /// The duration that an operation is told of from; those that fail, in whole or in part, are told of however long they
  /// took.
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
    _ event: DatabaseEvent, _ operation: (inout DatabaseEvent.Outcome) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result {
    var event = event
    let start = ContinuousClock.now
    do throws(ZoneQueryError) {
      let result = try operation(&event.outcome)
      event.duration = start.duration(to: .now)
      if event.duration >= slowerThan || event.outcome.error != nil { handler(event) }
      return result
    } catch {
      event.duration = start.duration(to: .now)
      event.outcome.error = error
      handler(event)
      throw error
    }
  }
}

extension Database {
  /// Runs an operation, and tells of it where somebody is to be told.
  @inline(__always)
  func telling<Result>(
    _ event: @autoclosure () -> DatabaseEvent,
    _ operation: (inout DatabaseEvent.Outcome) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result {
    if let instrumentation = configuration.instrumentation { return try instrumentation.observe(event(), operation) }
    var outcome = DatabaseEvent.Outcome()
    return try operation(&outcome)
  }
}
