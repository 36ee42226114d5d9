/// Tasks that wait to be given something, each under a number of its own, and those that were cancelled before they waited.
struct WaitingTasks<Given: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Given?, Never>

  private var waiting: [(number: Int, continuation: Continuation)] = []
  private var cancelled: Set<Int> = []
  private var lastNumber = 0

  var isEmpty: Bool { waiting.isEmpty }

  /// Takes out the one that has waited longest.
  mutating func removeFirst() -> Continuation { waiting.removeFirst().continuation }

  /// Takes out all.
  mutating func removeAll() -> [Continuation] {
    defer { waiting = [] }
    return waiting.map(\.continuation)
  }

  fileprivate mutating func makeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  fileprivate func isCancelled(_ number: Int) -> Bool { cancelled.contains(number) }

  fileprivate mutating func add(_ number: Int, _ continuation: Continuation) { waiting.append((number, continuation)) }

  /// Takes out one that is cancelled; nil where it does not wait, or not yet.
  fileprivate mutating func cancel(_ number: Int) -> Continuation? {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else {
      cancelled.insert(number)
      return nil
    }
    return waiting.remove(at: index).continuation
  }

  fileprivate mutating func forget(_ number: Int) { cancelled.remove(number) }
}

/// What tasks wait for, to be kept under a lock.
protocol Awaited: Sendable {
  associatedtype Given: Sendable
  var tasks: WaitingTasks<Given> { get set }
}

extension Locked where Value: Awaited {
  /// What `ready` finds, or whoever takes the task out gives it later; nil where that is nothing, or the task is cancelled.
  /// `ready` looks for what is there already, under the lock: it gives `.some(nil)` where nothing will come, and nil where the
  /// task is to wait.
  func wait(_ ready: @Sendable (inout Value) -> Value.Given??) async -> Value.Given? {
    let number = withLock { $0.tasks.makeNumber() }
    let given = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = withLock { value -> Value.Given?? in
          if value.tasks.isCancelled(number) { return .some(nil) }
          if let found = ready(&value) { return found }
          value.tasks.add(number, continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      withLock { $0.tasks.cancel(number) }?.resume(returning: nil)
    }
    withLock { $0.tasks.forget(number) }
    return given
  }
}
