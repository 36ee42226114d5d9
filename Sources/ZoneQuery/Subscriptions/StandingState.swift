/// The subscriptions, live queries and listeners of a database: what ``StandingSubscriptions`` keeps under its lock.
///
/// Complexity of firing: that of the index, and constant for each subscription that fires, each zone and database
/// subscription that the commit's zone concerns, and each listener.
struct StandingState: Sendable {
  /// One that waits in the index.
  enum Owner: Sendable {
    case subscription(QueryRegistration)
    case live(LiveQuery)
  }

  private let index: SubscriptionIndex
  private let scope: Database.Scope
  private let options: PredicateOptions
  let saved: SavedSubscriptions
  private var registrations: [SubscriptionKey: (handle: SubscriptionIndex.Handle, content: SubscriptionContent)] = [:]
  private var contents: [SubscriptionContent: SubscriptionKey] = [:]
  private var lives: [ObjectIdentifier: SubscriptionIndex.Handle] = [:]
  /// How many subscriptions go with their first firing, heard or not.
  private var onceCount = 0
  private var owners = StandingOwners()
  /// The types as subscriptions to them were last bound.
  private var types: [ByteKey: RecordType] = [:]
  /// Those of them to which the contents of subscriptions have not been bound yet.
  private var outdated: Set<ByteKey> = []
  private var wholes = WholeSubscriptions()
  var listeners = StandingListeners()
  private var commit: UInt64 = 0
  /// What the commit under way has fired and listeners do not have yet, without gaps: of the type that they take over as it
  /// is.
  private var fired: [FiredNotification?] = []
  /// Whose subscriptions these are.
  private var users = FiredUsers.none
  /// Who is to go on once no lock is held.
  private var woken = Woken()
  /// The record types that the commit under way changed, as far as zone and database subscriptions ask.
  private var changedTypes: [String] = []

  init(index: SubscriptionIndex, saved: SavedSubscriptions, _ configuration: Database.Configuration) {
    self.index = index
    self.saved = saved
    scope = configuration.scope
    options = configuration.predicateOptions
  }

  /// Whether nothing waits for commits.
  var isIdle: Bool { owners.isEmpty && wholes.isEmpty }

  /// Whether a commit changes nothing here and nobody would hear of it.
  var isUnheard: Bool { isIdle || listeners.isEmpty && lives.isEmpty && onceCount == 0 }

  // MARK: Subscriptions

  /// Saves a query subscription in place of the one of its ID.
  ///
  /// - Throws: `duplicateSubscription` where another asks for the same; `limitExceeded` where the index is full.
  mutating func save(
    _ registration: QueryRegistration, _ prepared: SubscriptionIndex.Prepared, _ content: SubscriptionContent
  ) throws(ZoneQueryError) {
    let key = registration.key
    // All are compared as bound to the same fields, which are the most that any was bound to.
    let known = adopt(prepared.recordType)
    var (prepared, content) = (prepared, content)
    if known.fields.count > prepared.recordType.fields.count {
      prepared = try Owner.subscription(registration).prepare(for: known, index)
      content = try SubscriptionContent(
        registration.subscription, of: registration.user, recordType: known, options: options)
    }
    renewContents(of: known)
    if let other = contents[content], other != key {
      throw ZoneQueryError(
        .database, .duplicateSubscription, "subscription is duplicate of '\(SyntaxError.excerpt(other.id.text))'",
        hint: "one subscription serves all who listen to the database")
    }
    let handle = try index.add(prepared)
    release(key)
    saved[key] = .query(registration.subscription)
    registrations[key] = (handle, content)
    contents[content] = key
    if registration.subscription.firesOnce { onceCount += 1 }
    enter(.subscription(registration), handle, prepared.recordType)
  }

  /// Saves a zone or database subscription of a user in place of the one of its ID.
  mutating func save(_ subscription: Subscription, of user: String) {
    let key = SubscriptionKey(subscription.subscriptionID, of: user)
    release(key)
    saved[key] = subscription
    wholes.insert(WholeSubscription(subscription: subscription, user: user))
  }

  /// Removes a subscription; whether it was there.
  mutating func remove(_ key: SubscriptionKey) -> Bool {
    if saved[key] == nil { return false }
    release(key)
    saved[key] = nil
    return true
  }

  /// Takes away what a subscription waits under, if it is there, but for its place among those saved: who reads them
  /// sees one that is replaced all the time.
  private mutating func release(_ key: SubscriptionKey) {
    guard let subscription = saved[key] else { return }
    if let (handle, content) = registrations.removeValue(forKey: key) {
      contents[content] = nil
      // Dictionaries keep the room that they once needed.
      if registrations.isEmpty { (registrations, contents) = ([:], [:]) }
      if case .query(let query) = subscription, query.firesOnce { onceCount -= 1 }
      leave(handle)
    } else {
      wholes.remove(WholeSubscription(subscription: subscription, user: key.user.text))
    }
  }

  // MARK: Live queries

  mutating func add(_ live: LiveQuery, _ prepared: SubscriptionIndex.Prepared) throws(ZoneQueryError) {
    let known = adopt(prepared.recordType)
    let isOlder = known.fields.count > prepared.recordType.fields.count
    let prepared = isOlder ? try live.prepare(for: known, index) : prepared
    let handle = try index.add(prepared)
    lives[ObjectIdentifier(live)] = handle
    enter(.live(live), handle, prepared.recordType)
  }

  mutating func remove(_ live: LiveQuery) {
    guard let handle = lives.removeValue(forKey: ObjectIdentifier(live)) else { return }
    if lives.isEmpty { lives = [:] }
    leave(handle)
  }

  private mutating func enter(_ owner: Owner, _ handle: SubscriptionIndex.Handle, _ type: RecordType) {
    owners.set(owner, for: handle)
    types[ByteKey(type.name)] = type
  }

  private mutating func leave(_ handle: SubscriptionIndex.Handle) {
    index.remove(handle)
    owners.set(nil, for: handle)
    if owners.isEmpty { (types, outdated) = ([:], []) }
  }

  /// Binds everything that waits for records of a type anew, where the type has got more fields: searches for words look
  /// at new fields too. Returns the type as everything is bound to it now.
  @discardableResult
  mutating func adopt(_ type: RecordType) -> RecordType {
    let key = ByteKey(type.name)
    guard let known = types[key] else { return type }
    if known.fields.count >= type.fields.count { return known }
    types[key] = type
    outdated.insert(key)
    // In the order of handles, so that what fires first does not depend on hashes.
    for (handle, owner) in owners.all(in: index) {
      guard sameBytes(owner.recordType, type.name), let prepared = try? owner.prepare(for: type, index),
        let new = try? index.add(prepared)
      else { continue }
      index.remove(handle)
      owners.set(nil, for: handle)
      owners.set(owner, for: new)
      switch owner {
      case .subscription(let registration):
        registrations[registration.key]?.handle = new
      case .live(let live): lives[ObjectIdentifier(live)] = new
      }
    }
    return type
  }

  /// Binds the contents of the subscriptions to a type anew, where it has got more fields since they were bound.
  private mutating func renewContents(of type: RecordType) {
    guard outdated.remove(ByteKey(type.name)) != nil else { return }
    var renewed: [(key: SubscriptionKey, content: SubscriptionContent)] = []
    for (key, registration) in registrations {
      guard case .query(let subscription)? = saved[key], sameBytes(subscription.recordType, type.name),
        let content = try? SubscriptionContent(
          subscription, of: key.user.text, recordType: type, options: options)
      else { continue }
      contents[registration.content] = nil
      renewed.append((key, content))
    }
    for (key, content) in renewed {
      registrations[key]?.content = content
      contents[content] = key
    }
  }

  // MARK: Firing

  /// Who is to go on with what commits brought, which happens without any lock: they may do so at once, on this thread.
  struct Woken: Sendable {
    var listeners: [ObjectIdentifier: NotificationListener] = [:]
    var signals: [ObjectIdentifier: Signal] = [:]
  }

  /// Takes those who are to go on.
  mutating func takeWoken() -> Woken {
    defer { woken = Woken() }
    return woken
  }

  mutating func beginCommit() { commit += 1 }

  /// Fires what the change of a record concerns.
  mutating func fire(from before: StoredRecord?, to after: StoredRecord?) {
    guard let record = after ?? before else { return }
    let type = record.recordType.name
    if let before, after != nil, !sameBytes(before.recordType.name, type) {
      fire(from: before, to: nil)
      return fire(from: nil, to: after)
    }
    if !wholes.isEmpty, !changedTypes.contains(where: { sameBytes($0, type) }) { changedTypes.append(type) }
    if owners.isEmpty { return }
    guard let before else {
      return tell(index.handles(created: record, type, record.zoneID), .recordCreated, nil, record)
    }
    guard let after else {
      return tell(index.handles(deleted: record, type, record.zoneID), .recordDeleted, nil, record)
    }
    let changes = index.changes(from: before, to: after, type, after.zoneID)
    tell(changes.entered, .recordUpdated, true, after)
    tell(changes.stayed, .recordUpdated, false, after)
    tell(changes.left, .recordLeft, nil, after)
  }

  private mutating func tell(
    _ handles: [SubscriptionIndex.Handle], _ reason: QueryNotification.Reason, _ hasEntered: Bool?,
    _ record: StoredRecord
  ) {
    if handles.isEmpty { return }
    let needs = owners.needs(of: handles)
    var change: FiredChange?
    if !listeners.isEmpty, needs.contains(.notification) {
      // Of a record that waits with notifications no more waits than they show.
      let shown = needs.contains(.fields) ? record.record(withFields: owners.shownFields(of: handles)) : nil
      change = FiredChange(reason, hasEntered: hasEntered, record.recordID, shown, scope)
    }
    var ended: [SubscriptionKey] = []
    do {
      // A second reference, which has to go before one of them is let go.
      let (owners, commit) = (owners, commit)
      if change != nil, fired.isEmpty { fired.reserveCapacity(handles.count) }
      owners.forEach(of: handles) { subscription in
        if let change {
          fired.append(FiredNotification(.query(subscription, change), commit: commit))
          users.add(subscription.user)
        }
        if subscription.firesOnce { ended.append(SubscriptionKey(subscription.subscriptionID, of: subscription.user)) }
      } live: { query in
        woken.signals[ObjectIdentifier(query.signal)] = query.signal
      }
    }
    for key in ended { _ = remove(key) }
    // A commit of many records may fire far more than listeners keep.
    if fired.count >= StandingState.mostFired { deliver() }
  }

  /// How many notifications of one commit wait at most before a record's are added.
  private static let mostFired = 8_192

  /// Fires the zone and database subscriptions that the commit concerns, each once.
  mutating func endCommit(of zone: ZoneID) {
    if !changedTypes.isEmpty, !listeners.isEmpty {
      for whole in wholes.concerned(by: zone) {
        if let type = whole.recordType, !changedTypes.contains(where: { sameBytes($0, type) }) { continue }
        tell(whole, of: zone)
      }
    }
    changedTypes.removeAll(keepingCapacity: true)
    deliver()
  }

  /// Tells that a zone is gone with all that was in it as of its last state.
  mutating func endDeletion(of zone: ZoneID, _ last: ZoneState) {
    for whole in wholes.concerned(by: zone) {
      if let type = whole.recordType, last.table(type)?.count ?? 0 == 0 { continue }
      tell(whole, of: zone)
    }
    if owners.liveCount > 0 {
      for (_, owner) in owners.all(in: index) {
        if case .live(let live) = owner { woken.signals[ObjectIdentifier(live.signal)] = live.signal }
      }
    }
    deliver()
  }

  private mutating func tell(_ whole: WholeSubscription, of zone: ZoneID) {
    users.add(whole.user)
    switch whole.subscription {
    case .query: break
    case .zone(let subscription):
      var notification = ZoneNotification(
        subscriptionID: subscription.subscriptionID, zoneID: zone, databaseScope: scope)
      if let info = subscription.notificationInfo {
        notification.presentation = NotificationPresentation(info, record: nil)
      }
      fired.append(FiredNotification(.whole(.zone(notification), user: whole.user), commit: commit))
    case .database(let subscription):
      var notification = DatabaseNotification(subscriptionID: subscription.subscriptionID, databaseScope: scope)
      if let info = subscription.notificationInfo {
        notification.presentation = NotificationPresentation(info, record: nil)
      }
      fired.append(FiredNotification(.whole(.database(notification), user: whole.user), commit: commit))
    }
  }

  /// Hands what the commit fired to the listeners.
  private mutating func deliver() {
    if fired.isEmpty { return }
    for listener in listeners.deliver(fired, of: users) { woken.listeners[ObjectIdentifier(listener)] = listener }
    // Listeners have it now.
    (fired, users) = ([], .none)
  }
}

extension StandingState.Owner {
  fileprivate var recordType: String {
    switch self {
    case .subscription(let registration): registration.subscription.recordType
    case .live(let live): live.query.recordType
    }
  }

  fileprivate func prepare(
    for type: RecordType, _ index: SubscriptionIndex
  ) throws(ZoneQueryError) -> SubscriptionIndex.Prepared {
    switch self {
    case .subscription(let registration):
      let subscription = registration.subscription
      return try index.prepare(
        subscription.predicate, for: type, events: subscription.firesOn, zone: subscription.zoneID,
        now: registration.now)
    case .live(let live): return try live.prepare(for: type, index)
    }
  }
}

extension WholeSubscription {
  /// The record type that it keeps to.
  fileprivate var recordType: String? {
    switch subscription {
    case .query: nil
    case .zone(let subscription): subscription.recordType
    case .database(let subscription): subscription.recordType
    }
  }
}
