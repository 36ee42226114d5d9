/// The state of a zone as of one commit, pinned until the snapshot goes.
///
/// What is taken from the state (tables, groups, rows) points into the zone's pages without holding them: whoever uses
/// it keeps the snapshot with `withExtendedLifetime`, since the last use of a variable ends its life.
final class ZoneSnapshot: Sendable {
  let state: ZoneState
  private let pins: VersionPins

  /// Takes over a pin.
  init(_ state: ZoneState, pins: VersionPins) {
    self.state = state
    self.pins = pins
  }

  deinit { pins.unpin() }
}
