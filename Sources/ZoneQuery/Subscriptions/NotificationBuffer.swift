/// Notifications that wait for a listener: at most a number of them, and what was dropped is counted.
///
/// A full buffer drops what a newer one says again: the last waiting notification of the same subscription gives way, and
/// the new one counts it. Where none waits, the oldest goes that is not the last of its subscription, which counts it;
/// where all are, the oldest of all, and the buffer counts it until the next is taken.
///
/// Invariant: `entries` holds what waits, oldest first, with gaps, `waiting` of them no gaps; `places` is nil, or says of
/// each place that is no gap, counted from the first there ever was, whether it is the last of its subscription or an
/// earlier one, which it stays until it goes. It is made when the buffer is full and dropped when it is empty, so that
/// listeners who keep up do not pay for it; gaps are closed when they are as many as the entries. Complexity: adding and
/// taking are amortised constant, but where subscriptions have several entries in a buffer that has been full: amortised
/// logarithmic in the limit.
struct NotificationBuffer: Sendable {
  private let limit: Int
  /// The part of the limit that a batch has at most.
  private static let batchPart = 16
  private var entries: [FiredNotification?] = []
  private var head = 0
  private var base = 0
  private var waiting = 0
  private var places: Places?
  private var lostCount = 0

  /// The places of what waits.
  private struct Places {
    /// Those of each subscription's last entry.
    var last: [SubscriptionKey: Int] = [:]
    /// All others.
    var earlier = MinimumHeap<Int>()
  }

  init(limit: Int) { self.limit = max(1, limit) }

  var isEmpty: Bool { waiting == 0 }
  var count: Int { waiting }

  mutating func add(_ notification: FiredNotification) {
    if waiting == limit {
      addToFull(notification)
    } else {
      append(notification)
    }
    waiting += 1
    compact()
  }

  /// Adds what a commit fired, without gaps: to an empty buffer as it is, which copies nothing.
  mutating func add(_ notifications: [FiredNotification?]) {
    guard places == nil, waiting + notifications.count <= limit else {
      for case let notification? in notifications { add(notification) }
      return
    }
    if entries.isEmpty { entries = notifications } else { entries.append(contentsOf: notifications) }
    waiting += notifications.count
  }

  private mutating func addToFull(_ notification: FiredNotification) {
    if places == nil { places = entryPlaces }
    let key = notification.key
    var notification = notification
    if let place = places?.last.removeValue(forKey: key), let old = entries[place - base] {
      notification.coalescedCount += old.coalescedCount + 1
      entries[place - base] = nil
      waiting -= 1
    } else {
      drop()
    }
    append(notification)
  }

  /// Puts one behind all others, which makes an earlier one of what was the last of its subscription.
  private mutating func append(_ notification: FiredNotification) {
    let place = base + entries.count
    entries.append(notification)
    if let earlier = places?.last.updateValue(place, forKey: notification.key) {
      places?.earlier.insert(earlier)
    }
  }

  /// The places of the entries. Complexity: linear in them.
  private var entryPlaces: Places {
    var last: [SubscriptionKey: Int] = [:]
    var earlier: [Int] = []
    // From the newest on, so that the first of a subscription that is met is its last.
    for index in entries.indices[head...].reversed() {
      guard let entry = entries[index] else { continue }
      let key = entry.key
      if last[key] == nil { last[key] = base + index } else { earlier.append(base + index) }
    }
    return Places(last: last, earlier: MinimumHeap(ascending: earlier.reversed()))
  }

  /// Takes the oldest.
  mutating func take() -> FiredNotification? {
    guard var first = removeFirst() else { return nil }
    first.lostCount = lostCount
    lostCount = 0
    return first
  }

  /// Takes the oldest, with gaps, for one who calls for each of at most a number: all, where they are a small part of the
  /// limit, so that what waits in the batch is little beside what may wait here, and else one.
  mutating func takeBatch(atMost most: Int) -> [FiredNotification?] {
    if most <= 0 || waiting == 0 { return [] }
    guard places == nil, lostCount == 0, waiting <= most, entries.count <= limit / Self.batchPart else {
      return take().map { [$0] } ?? []
    }
    var batch: [FiredNotification?] = []
    swap(&batch, &entries)
    base += batch.count
    (head, waiting) = (0, 0)
    return batch
  }

  private mutating func drop() {
    guard let place = places?.earlier.removeMinimum(), let entry = entries[place - base] else {
      if let oldest = removeFirst() { lostCount += oldest.coalescedCount + 1 }
      return
    }
    entries[place - base] = nil
    waiting -= 1
    guard let last = places?.last[entry.key] else { return }
    entries[last - base]?.coalescedCount += entry.coalescedCount + 1
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

  /// Forgets the place of the oldest, which is the least.
  private mutating func forget(_ entry: FiredNotification, at place: Int) {
    if places?.earlier.minimum == place {
      places?.earlier.removeMinimum()
    } else {
      places?.last[entry.key] = nil
    }
  }

  /// Closes the gaps where they are as many as the entries.
  private mutating func compact() {
    if waiting == 0 {
      base += entries.count
      entries.removeAll(keepingCapacity: entries.count <= 1_024)
      head = 0
      places = nil
    } else if entries.count >= 32, entries.count >= 2 * waiting {
      base += entries.count
      entries.removeAll { $0 == nil }
      head = 0
      if places != nil { places = entryPlaces }
    }
  }
}
