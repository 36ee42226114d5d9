internal import Dispatch
internal import Synchronization

/// One who listens to notifications: those that wait for it, and whoever waits for them.
///
/// Notifications are put in while commits are ordered, so they come in the order of commits; who waits for one goes on when
/// no lock is held any more (``wake()``). A callback is called by one at a time: by a writer's thread after its commit, with
/// what waits by then, and where more has come meanwhile, by threads of Dispatch's that take over from it until nothing waits.
/// A writer that finds another thread at it leaves its own to that.
final class NotificationListener: Sendable {
  private struct Waiting: Awaited {
    var buffer: NotificationBuffer
    var tasks = WaitingTasks<DeliveredNotification>()
    /// Those who are to go on, and with what.
    var served: [(task: WaitingTasks<DeliveredNotification>.Continuation, next: FiredNotification)] = []
    /// Whether nothing comes any more.
    var isEnded = false
    /// Whether a thread is at calling the callback.
    var isCalling = false
  }

  /// Whose subscriptions it hears of; all users' where nil.
  let user: String?
  private let state: Locked<Waiting>
  /// Set under the state's lock, and looked at without it by a caller between two calls.
  private let isClosed = Atomic(false)
  private let callback: (@Sendable (DeliveredNotification) -> Void)?

  init(limit: Int, of user: String?, callback: (@Sendable (DeliveredNotification) -> Void)? = nil) {
    self.user = user
    state = Locked(Waiting(buffer: NotificationBuffer(limit: limit)))
    self.callback = callback
  }

  /// Whether it is called, rather than asked.
  var isCalled: Bool { callback != nil }

  /// Adds the notifications of a commit, without gaps; whether anybody is to be woken to go on with them, or called.
  func add(_ notifications: [FiredNotification?]) -> Bool {
    state.withLock { waiting in
      if isClosed.load(ordering: .acquiring) { return false }
      if waiting.tasks.isEmpty {
        waiting.buffer.add(notifications)
        // Who is still to be let go on is so by whoever comes first, not by a thread that may be at other callbacks.
        return isCalled || !waiting.served.isEmpty
      }
      for case let notification? in notifications {
        waiting.buffer.add(notification)
        if waiting.tasks.isEmpty { continue }
        if let next = waiting.buffer.take() { waiting.served.append((waiting.tasks.removeFirst(), next)) }
      }
      return true
    }
  }

  /// Lets those go on who waited for what has been added, or calls the callback. To be called without any lock: they may go
  /// on at once.
  func wake() {
    if isCalled { return call() }
    let served = state.withLock { waiting in
      let served = waiting.served
      waiting.served = []
      return served
    }
    for (task, next) in served { task.resume(returning: next.delivered) }
  }

  /// The next notification, when there is one; nil where the task is cancelled, or nothing waits and nothing comes any
  /// more.
  func next() async -> DeliveredNotification? {
    await state.wait { (waiting: inout Waiting) -> DeliveredNotification?? in
      if let next = waiting.buffer.take() { return .some(next.delivered) }
      if waiting.isEnded { return .some(nil) }
      return nil
    }
  }

  /// Calls the callback with what waits by now, unless somebody is at it, and leaves to a thread of Dispatch's what comes
  /// meanwhile: Swift's own tasks would wait for those that block the threads they share.
  private func call() {
    guard let callback else { return }
    let count = state.withLock { waiting in
      if waiting.isCalling { return 0 }
      waiting.isCalling = !waiting.buffer.isEmpty
      return waiting.buffer.count
    }
    if count == 0 { return }
    takeTurn(callback, with: count)
  }

  /// Calls the callback with a number of those that wait, and has another thread go on with what waits then.
  private func takeTurn(_ callback: @escaping @Sendable (DeliveredNotification) -> Void, with count: Int) {
    let more = call(callback, with: count)
    if more > 0 { DispatchQueue.global().async { self.takeTurn(callback, with: more) } }
  }

  /// Calls the callback with at most a number of those that wait, the oldest first.
  ///
  /// - Returns: How many wait by now, for the caller to go on with; where none do, nobody is at it any more.
  private func call(_ callback: @Sendable (DeliveredNotification) -> Void, with count: Int) -> Int {
    var left = count
    while true {
      let (batch, waitingCount) = state.withLock { waiting in
        let count = waiting.buffer.count
        let batch = waiting.buffer.takeBatch(atMost: left)
        left -= count - waiting.buffer.count
        if batch.isEmpty { waiting.isCalling = count > 0 }
        return (batch, count)
      }
      if batch.isEmpty { return waitingCount }
      // By index, so that what is delivered is not held a second time.
      for index in batch.indices where !isClosed.load(ordering: .acquiring) {
        if let next = batch[index]?.delivered { callback(next) }
      }
    }
  }

  /// Takes nothing more, drops what waits and lets go of who does.
  func close() {
    state.withLock { waiting in
      isClosed.store(true, ordering: .releasing)
      waiting.buffer = NotificationBuffer(limit: 1)
    }
    end()
  }

  /// Lets go of who waits, now that nothing comes any more; what waits can still be taken.
  func end() {
    let tasks = state.withLock { waiting in
      waiting.isEnded = true
      return waiting.tasks.removeAll()
    }
    for task in tasks { task.resume(returning: nil) }
  }
}
