/// The notifications of a database's subscriptions from the moment it was asked for on, in the order of commits.
///
/// Made by ``Database/notifications(ofAllUsers:bufferingLimit:)``. Iterators of one sequence share what comes; each
/// notification
/// goes to one of them. The sequence does not keep the database: once that is released, it gives what waits and ends.
public struct Notifications: AsyncSequence, Sendable {
  /// A notification and what was dropped.
  public typealias Element = DeliveredNotification
  /// Waiting never fails.
  public typealias Failure = Never

  let observer: NotificationObserver

  /// What goes through the sequence.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let observer: NotificationObserver

    /// The next notification; nil once the task is cancelled, or the database is released and nothing waits.
    public mutating func next() async -> DeliveredNotification? { await observer.listener.next() }

    /// The next notification; nil once the task is cancelled, or the database is released and nothing waits.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> DeliveredNotification? {
      await observer.listener.next()
    }
  }

  /// An iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observer: observer) }
}

/// Keeps a callback for notifications, as long as somebody keeps this.
public final class NotificationObserver: Sendable {
  let listener: NotificationListener
  private let standing: StandingSubscriptions

  init(_ listener: NotificationListener, in standing: StandingSubscriptions) {
    self.listener = listener
    self.standing = standing
    standing.add(listener)
  }

  deinit { cancel() }

  /// Ends the delivery. A call that another thread is in the middle of may still end after this one.
  public func cancel() {
    standing.remove(listener)
    listener.close()
  }
}
