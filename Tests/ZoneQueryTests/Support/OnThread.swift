import Foundation
import Testing

@testable import ZoneQuery

/// What runs on a thread of its own from the moment it is made: beside the caller, however many tests wait for the
/// threads that tasks share.
struct OnThread<Value: Sendable>: Sendable {
  private let result = Locked<Result<Value, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () throws -> Value) {
    Thread { [result, isDone] in
      let found = Result { try body() }
      result.withLock { $0 = found }
      isDone.signal()
    }.start()
  }

  /// What came of it, waited for; to be asked once.
  func value() throws -> Value {
    isDone.wait()
    return try #require(result.withLock { $0 }).get()
  }
}
