@testable import ZoneQuery

/// Keeps what it is told, under a lock.
final class Heard: Sendable {
  private let all = Locked<[DeliveredNotification]>([])

  var count: Int { all.withLock { $0.count } }

  func add(_ delivered: DeliveredNotification) { all.withLock { $0.append(delivered) } }
  func take() -> [DeliveredNotification] {
    all.withLock { all in
      defer { all = [] }
      return all
    }
  }
}
