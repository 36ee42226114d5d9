/// A look at the subscriptions of one type and at the work of the index, for tests and benchmarks.
package struct SubscriptionTableView {
  let box: SubscriptionTableBox

  /// The bytes taken for programs and index.
  package var reservedBytes: Int { box.table.reservedBytes }
  /// Whether subscriptions are on their way to what newer statistics choose.
  package var isMoving: Bool { box.table.previous != nil }

  /// Encodes a record, for `match` and `scan`.
  package func encode(_ value: some KeyedFields) { box.table.encodeAfter(KeyedSource(value)) }

  /// How many keys the encoded record asks for, and how many subscriptions are asked whether it matches.
  package var work: (keys: Int, candidates: Int) { (box.table.current.recordKeys.count, box.table.candidates.count) }

  /// The handles' values of those that the encoded record matches, by the index.
  package func match(zone: ZoneID? = nil) -> [UInt64] {
    box.table.matches(.after, event: SubscriptionTable.Event.creation, zone: box.table.zoneNumber(zone))
  }

  /// The same by asking each subscription.
  package func scan(zone: ZoneID? = nil, events: SubscriptionIndex.Events = .creation) -> [UInt64] {
    box.table.scan(.after, event: UInt64(events.rawValue), zone: box.table.zoneNumber(zone))
  }
}
