/// Which zones of a database changed when, and which were deleted: what change tokens of the database go on from.
///
/// Each change of a zone gets a number, under a lock that is held for little else; zones that are there keep theirs
/// themselves. So whoever asks for the count and then looks at the zones misses no change up to it.
final class ChangedZones: Sendable {
  /// Where somebody stands in the changes of zones.
  struct Position: Sendable, Equatable {
    /// The number of the last change that is known to them, but for what `place` says.
    var since: UInt64
    /// The number of the last zone that they were told of, where they have not been told of all there were at `since`.
    var place: UInt64?
  }

  /// That a zone was deleted.
  struct Deletion: Sendable {
    var id: ZoneID
    var number: UInt64
  }

  /// What there is at a moment.
  struct View: Sendable {
    /// How many changes there were.
    var count: UInt64
    /// The number of the newest deletion that is not told any more.
    var forgotten: UInt64
    /// The first deletions behind a number, in their order, of zones that were not created again.
    var deletions: [Deletion] = []
  }

  private struct State: Sendable {
    var (count, forgotten): (UInt64, UInt64) = (0, 0)
    /// In their order, from `first` on; one counts that `last` has.
    var deletions: [Deletion] = []
    var first = 0
    /// The numbers of the last deletions of the zones that are not there.
    var last: [ZoneID: UInt64] = [:]

    func counts(_ deletion: Deletion) -> Bool { last[deletion.id] == deletion.number }
  }

  private let state = Locked(State())
  /// How many deleted zones are remembered.
  private let mostDeleted: Int

  init(mostDeleted: Int) { self.mostDeleted = mostDeleted }

  /// What there is now, with no more than so many deletions behind a number.
  ///
  /// Complexity: linear in these deletions, and in those since of zones that are there again.
  func view(deletionsBehind since: UInt64, most: Int) -> View {
    state.withLock { state in
      var view = View(count: state.count, forgotten: state.forgotten)
      var (low, high) = (state.first, state.deletions.count)
      while low < high {
        let middle = (low + high) / 2
        if state.deletions[middle].number > since { high = middle } else { low = middle + 1 }
      }
      while low < state.deletions.count, view.deletions.count < most {
        if state.counts(state.deletions[low]) { view.deletions.append(state.deletions[low]) }
        low += 1
      }
      return view
    }
  }

  /// Notes that a zone was created, or that a commit to it was published.
  func note(_ zone: Zone, isNew: Bool = false) {
    state.withLock { state in
      state.count += 1
      zone.lastChange = state.count
      if isNew { state.last[zone.id] = nil }
    }
  }

  /// Notes that a zone was deleted.
  func noteDeletion(of id: ZoneID) {
    state.withLock { state in
      state.count += 1
      state.deletions.append(Deletion(id: id, number: state.count))
      state.last[id] = state.count
      while state.last.count > mostDeleted {
        let oldest = state.deletions[state.first]
        state.first += 1
        if !state.counts(oldest) { continue }
        state.last[oldest.id] = nil
        state.forgotten = oldest.number
      }
      // Each deletion is moved a few times, however many there are.
      if state.deletions.count > 2 * state.last.count + 16 {
        state.deletions = state.deletions.filter { state.counts($0) }
        state.first = 0
      }
    }
  }
}
