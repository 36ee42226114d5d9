internal import Synchronization

/// A record zone: what is stored in it, and the one writer it has at a time.
///
/// Readers hold the published snapshot, whose pages then stay as they are until they let go of it; a writer changes a
/// copy of its state, which shares all pages it does not touch, and publishes it whole. A commit that fails publishes
/// nothing.
final class Zone: Sendable {
  let id: ZoneID
  /// Whether it knows what changed when.
  let tracksChanges: Bool
  private let heap: PageHeap
  private let published: Locked<Published>
  private let writer = Locked(())
  private let deleted = Atomic<Bool>(false)
  private let change = Atomic<UInt64>(0)

  private struct Published: Sendable {
    var snapshot: ZoneSnapshot
    var memory = ZoneMemory()
  }

  /// Creates an empty zone; `generation` tells it from every other zone there was under its name in the database. It tracks
  /// changes where it is to remember deletions, so many.
  init(
    _ id: ZoneID, generation: Int64 = 0, indexes: IndexChoice = IndexChoice(), rememberedDeletions: Int? = nil,
    _ reusable: ReusableMemory = ReusableMemory()
  ) {
    self.id = id
    tracksChanges = rememberedDeletions != nil
    heap = PageHeap(reusable)
    published = Locked(
      Published(
        snapshot: ZoneSnapshot(
          ZoneState(
            id: id, generation: generation, choice: indexes, rememberedDeletions: rememberedDeletions, heap: heap),
          generation: 0)))
  }

  /// Calls `body` with the state as of the last commit, which is not to be used beyond the call. Complexity: constant.
  func read<Result, Failure: Error>(
    _ body: (ZoneState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let snapshot = pinned()
    defer { withExtendedLifetime(snapshot) {} }
    return try body(snapshot.state)
  }

  /// The state as of the last commit, for as long as the snapshot is held. Complexity: constant.
  func pinned() -> ZoneSnapshot {
    published.withLock { $0.snapshot }
  }

  /// Reads what ``pinned()`` begins with, and nothing that changes.
  var approach: Int { published.approach }

  /// The zone's memory as of the last commit.
  var memory: ZoneMemory { published.withLock { $0.memory } }

  /// Whether the zone is no longer one of its database's: what is written to it is to be published no more.
  var isDeleted: Bool { deleted.load(ordering: .acquiring) }

  /// Says that the zone is no longer one of its database's.
  func markDeleted() { deleted.store(true, ordering: .releasing) }

  /// The number of the last change among those of its database's zones (``ChangedZones``).
  var lastChange: UInt64 {
    get { change.load(ordering: .acquiring) }
    set { change.store(newValue, ordering: .releasing) }
  }

  /// Runs one commit: whole, or not at all where `body` throws or nobody publishes it.
  ///
  /// - Parameters:
  ///   - publishing: Called with what `body` returned, the states before and after it, and the publication, which it
  ///     calls once or, where nothing is to stay of the commit, not at all.
  ///   - body: Changes the state.
  /// - Returns: What `body` returned; nil where it was not published.
  /// - Throws: What `body` throws.
  @discardableResult
  func commit<Result, Failure: Error>(
    publishing: (Result, ZoneState, ZoneState, () -> Void) -> Void = { $3() },
    _ body: (inout ZoneState) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try writer.withLock { (_: inout Void) throws(Failure) -> Result? in
      heap.begin()
      defer { tellMemory() }
      let (result, previous): (Result, VersionPins?)
      do throws(Failure) {
        (result, previous) = try replace(publishing: publishing, body)
      } catch {
        heap.rollback()
        throw error
      }
      guard let previous else {
        heap.rollback()
        return nil
      }
      heap.finish(replacing: previous)
      return result
    }
  }

  /// Makes the next version and publishes it; the version that it replaced, nil where nobody published it.
  private func replace<Result, Failure: Error>(
    publishing: (Result, ZoneState, ZoneState, () -> Void) -> Void,
    _ body: (inout ZoneState) throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, previous: VersionPins?) {
    // The replaced snapshot goes with this function, unless somebody reads it.
    let before = pinned()
    var next = before.state
    next.beginCommit()
    let result = try body(&next)
    next.endCommit()
    #if DEBUG
      if next.isWorthChecking, let fault = next.check() { preconditionFailure("a commit leaves \(fault)") }
    #endif
    let after = ZoneSnapshot(next, generation: heap.generation)
    var previous: VersionPins?
    publishing(result, before.state, after.state) {
      previous = before.pins
      published.withLock { $0.snapshot = after }
    }
    return (result, previous)
  }

  /// Takes down what memory there is, for those who are no writers.
  private func tellMemory() {
    let memory = ZoneMemory(
      liveBytes: heap.liveBytes, heldBytes: heap.heldBytes, reusableBytes: heap.freeBytes)
    published.withLock { $0.memory = memory }
  }
}
