/// The state of a zone as of one commit, which stays as it is until the snapshot goes.
///
/// A commit makes one, and all readers of its version share it: while any of them holds it, the version's pages stay.
/// What is taken from the state (tables, groups, rows) points into the zone's pages without holding them: whoever uses
/// it keeps the snapshot with `withExtendedLifetime`, since the last use of a variable ends its life.
final class ZoneSnapshot: Sendable {
  let state: ZoneState
  /// The state's tables, in its order, ready to be read from.
  let sources: ContiguousArray<TableRow.Source>
  let pins: VersionPins

  init(_ state: consuming ZoneState, generation: UInt64) {
    let (count, zoneGeneration) = (state.tables.count, state.generation)
    // Most zones have records of one type: room for one is made at once.
    if count == 1 {
      sources = [TableRow.Source(state.tables[0], generation: zoneGeneration)]
    } else {
      sources = ContiguousArray(state.tables.lazy.map { TableRow.Source($0, generation: zoneGeneration) })
    }
    self.state = state
    pins = VersionPins(generation: generation)
    pins.pin()
  }

  deinit { pins.unpin() }
}
