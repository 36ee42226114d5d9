/// Notifications that wait for a listener: at most a number of them, and what was dropped is counted.
///
/// A full buffer drops what a newer one says again: the last waiting notification of the same subscription gives way, and
/// the new one counts it. Where none waits, the oldest goes that is not the last of its subscription, which counts it;
/// where all are, the oldest of all, and the buffer counts it until the next is taken.
///
/// Invariant: `entries` holds what waits, oldest first, with gaps, `waiting` of them no gaps; `last` is nil, or gives for
/// each subscription that waits the place of its last entry, counted from the first there ever was. It is made when the
/// buffer is full and dropped when it is empty, so that listeners who keep up do not pay for it; gaps are closed when
/// they are as many as the entries. Complexity: adding and taking are amortised constant, but for adding the first of a
/// subscription to a full buffer that others have several entries in: linear in the limit.
struct NotificationBuffer: Sendable {
  private let limit: Int
  /// The part of the limit that a batch has at most.
  private static let batchPart = 16
  private var entries: [FiredNotification?] = []
  private var head = 0
  private var base = 0
  private var waiting = 0
  private var last: [ByteKey: Int]?
  private var lostCount = 0

  init(limit: Int) { self.limit = max(1, limit) }

  var isEmpty: Bool { waiting == 0 }
  var count: Int { waiting }

  mutating func add(_ notification: FiredNotification) {
    if waiting == limit {
      addToFull(notification)
    } else {
      last?[ByteKey(notification.subscriptionID)] = base + entries.count
      entries.append(notification)
    }
    waiting += 1
    compact()
  }

  /// Adds what a commit fired, without gaps: to an empty buffer as it is, which copies nothing.
  mutating func add(_ notifications: [FiredNotification?]) {
    guard last == nil, waiting + notifications.count <= limit else {
      for case let notification? in notifications { add(notification) }
      return
    }
    if entries.isEmpty { entries = notifications } else { entries.append(contentsOf: notifications) }
    waiting += notifications.count
  }

  private mutating func addToFull(_ notification: FiredNotification) {
    if last == nil { last = lastPlaces }
    let key = ByteKey(notification.subscriptionID)
    var notification = notification
    if let place = last?[key], let old = entries[place - base] {
      notification.coalescedCount += old.coalescedCount + 1
      entries[place - base] = nil
      waiting -= 1
    } else {
      drop()
    }
    last?[key] = base + entries.count
    entries.append(notification)
  }

  /// The place of each subscription's last entry. Complexity: linear in the entries.
  private var lastPlaces: [ByteKey: Int] {
    var places: [ByteKey: Int] = [:]
    for index in head..<entries.count {
      if let entry = entries[index] { places[ByteKey(entry.subscriptionID)] = base + index }
    }
    return places
  }

  /// Takes the oldest.
  mutating func take() -> FiredNotification? {
    guard var first = removeFirst() else { return nil }
    first.lostCount = lostCount
    lostCount = 0
    return first
  }

  /// Takes the oldest, with gaps, for one who calls for each: all, where they are a small part of the limit, so that what
  /// waits in the batch is little beside what may wait here, and else one.
  mutating func takeBatch() -> [FiredNotification?] {
    guard last == nil, lostCount == 0, entries.count <= limit / Self.batchPart else { return take().map { [$0] } ?? [] }
    if waiting == 0 { return [] }
    var batch: [FiredNotification?] = []
    swap(&batch, &entries)
    base += batch.count
    (head, waiting) = (0, 0)
    return batch
  }

  private mutating func drop() {
    guard waiting > last?.count ?? 0 else {
      if let oldest = removeFirst() { lostCount += oldest.coalescedCount + 1 }
      return
    }
    for index in head..<entries.count {
      guard let entry = entries[index],
        let place = last?[ByteKey(entry.subscriptionID)], place != base + index
      else { continue }
      entries[place - base]?.coalescedCount += entry.coalescedCount + 1
      entries[index] = nil
      waiting -= 1
      return
    }
  }

  private mutating func removeFirst() -> FiredNotification? {
    while head < entries.count {
      let entry = entries[head]
      entries[head] = nil
      head += 1
      guard let entry else { continue }
      waiting -= 1
      forget(entry, at: base + head - 1)
      compact()
      return entry
    }
    return nil
  }

  private mutating func forget(_ entry: FiredNotification, at place: Int) {
    guard last != nil else { return }
    let key = ByteKey(entry.subscriptionID)
    if last?[key] == place { last?[key] = nil }
  }

  /// Closes the gaps where they are as many as the entries.
  private mutating func compact() {
    if waiting == 0 {
      base += entries.count
      entries.removeAll(keepingCapacity: entries.count <= 1_024)
      head = 0
      last = nil
    } else if entries.count >= 32, entries.count >= 2 * waiting {
      base += entries.count
      entries.removeAll { $0 == nil }
      head = 0
      if last != nil { last = lastPlaces }
    }
  }
}
