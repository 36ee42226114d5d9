/// What stands in a database to hear of its changes, and the order of its commits.
///
/// Every commit of every zone is published under one lock, which saving and deleting subscriptions take too: so a
/// subscription hears of exactly the commits that are published after it was saved, in their order. What a commit changed
/// is read from the states before and after it, and only where somebody stands to hear.
///
/// Lock order: a zone's writer, this, the catalogue of zones, a zone's published state, the changed zones, the index, the saved
/// ones or a listener. But for the clock, which a save asks, nothing of the caller's is called under any of them, and no task
/// is let go on, which an executor of the caller's may do at once.
final class StandingSubscriptions: Sendable {
  private let state: Locked<StandingState>
  /// Read without waiting for what a commit fires.
  let saved = SavedSubscriptions()
  let index: SubscriptionIndex
  /// What changed, for those who ask.
  let changedZones: ChangedZones

  init(_ configuration: Database.Configuration) {
    index = SubscriptionIndex(options: configuration.predicateOptions)
    state = Locked(StandingState(index: index, saved: saved, configuration))
    changedZones = ChangedZones(mostDeleted: configuration.limits.rememberedDeletions)
  }

  /// Publishes a commit and fires whatever it concerns; nothing where its zone has been deleted meanwhile.
  ///
  /// - Parameters:
  ///   - names: The records it may have changed, each once; asked for only where somebody stands to hear.
  ///   - zone: The zone.
  ///   - before: Its state before the commit.
  ///   - after: The one to be published.
  ///   - publish: Publishes it, and says whether it did.
  func publish(
    _ names: @autoclosure () -> [String], of zone: Zone, from before: ZoneState, to after: ZoneState,
    _ publish: () -> Bool
  ) {
    state.withLock { state in
      guard !zone.isDeleted, publish() else { return }
      if zone.tracksChanges, after.changeNumber != before.changeNumber { changedZones.note(zone) }
      state.beginCommit()
      if state.isUnheard { return }
      for name in names() {
        let (old, new) = (before.stored(name), after.stored(name))
        if let record = new ?? old { state.adopt(record.recordType) }
        state.fire(from: old, to: new)
      }
      state.endCommit(of: zone.id)
    }
  }

  /// Publishes that a zone is gone, where it was there.
  func publishDeletion(_ delete: () -> Zone?) -> Bool {
    state.withLock { state in
      guard let zone = delete() else { return false }
      state.beginCommit()
      if !state.isUnheard { zone.read { state.endDeletion(of: zone.id, $0) } }
      return true
    }
  }

  /// Lets those go on who wait for what commits brought, and calls the callbacks. To be called without any lock.
  func deliver() {
    let woken = state.withLock { $0.takeWoken() }
    for signal in woken.signals.values { signal.raise() }
    // Callbacks last: what they do may take long, or wait for what those who only are let go on do.
    for listener in woken.listeners.values where !listener.isCalled { listener.wake() }
    for listener in woken.listeners.values where listener.isCalled { listener.wake() }
  }

  /// Tells all who wait to hear of commits that there will be none any more.
  func end() { for listener in state.withLock({ $0.listeners.all }) { listener.end() } }

  // MARK: Subscriptions

  func withState<Result: Sendable>(
    _ body: (inout StandingState) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result {
    try state.withLock(body)
  }

  var isIdle: Bool { state.withLock { $0.isIdle } }

  func delete(_ key: SubscriptionKey) -> Bool { state.withLock { $0.remove(key) } }

  func remove(_ live: LiveQuery) { state.withLock { $0.remove(live) } }

  // MARK: Listeners

  func add(_ listener: NotificationListener) { state.withLock { $0.listeners.add(listener) } }

  func remove(_ listener: NotificationListener) { state.withLock { $0.listeners.remove(listener) } }
}
