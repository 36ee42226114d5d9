internal import Synchronization

/// How many readers read a version.
///
/// A reader is counted while its version is the newest, under the lock that publishes versions, and counted off, with
/// release, when it has read; the writer asks, with acquire, after the version was replaced. From then on the count only
/// falls, so a version that nobody reads stays so. A zone's readers share one ``ZoneSnapshot``, which is counted once.
final class VersionPins: Sendable {
  /// The number of the commit that made the version.
  let generation: UInt64
  private let count = Atomic<Int>(0)

  init(generation: UInt64) { self.generation = generation }

  var isPinned: Bool { count.load(ordering: .acquiring) > 0 }

  func pin() { count.add(1, ordering: .relaxed) }
  func unpin() { count.subtract(1, ordering: .releasing) }
}
