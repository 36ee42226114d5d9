/// Which zones of a database changed when, and which were deleted: what change tokens of the database go on from.
///
/// Each change of a zone gets a number, under a lock that is held for that alone; those that are not deleted keep theirs
/// themselves. So whoever asks for the count and then looks at the zones misses no change up to it.
final class ChangedZones: Sendable {
  /// The changes of zones so far.
  struct State: Sendable {
    var count: UInt64 = 0
    /// The zones that were deleted and not created again, with the numbers of their deletions.
    var deleted: [ZoneID: UInt64] = [:]
    /// The number of the newest deletion that is not told any more.
    var forgotten: UInt64 = 0
  }

  private let state = Locked(State())
  /// How many deleted zones are remembered.
  private let mostDeleted: Int

  init(mostDeleted: Int) { self.mostDeleted = mostDeleted }

  /// What there is now. Complexity: constant.
  var current: State { state.withLock { $0 } }

  /// Notes that a zone was created, or that a commit to it was published.
  func note(_ zone: Zone, isNew: Bool = false) {
    state.withLock { state in
      state.count += 1
      zone.lastChange = state.count
      if isNew { state.deleted[zone.id] = nil }
    }
  }

  /// Notes that a zone was deleted.
  func noteDeletion(of id: ZoneID) {
    state.withLock { state in
      state.count += 1
      state.deleted[id] = state.count
      if state.deleted.count <= mostDeleted { return }
      // Half of them, so that not each deletion looks for the oldest.
      let known = state.deleted.sorted { $0.value < $1.value }
      for (id, number) in known.dropLast(mostDeleted / 2) {
        state.deleted[id] = nil
        state.forgotten = number
      }
    }
  }
}
