extension Database {
  // MARK: Saving and deleting

  /// Saves a subscription of the user's, in place of the one of its ID if there is one.
  ///
  /// It hears of every commit that is published from now on, and of none before; `now()` in its predicate is the moment
  /// it is saved.
  ///
  /// ```swift
  /// try database.save(.query(QuerySubscription(
  ///   recordType: "Event", predicate: try QueryPredicate(format: "city = %@", "Seoul"), subscriptionID: "seoul")))
  /// ```
  ///
  /// - Throws: `duplicateSubscription` where another query subscription of the user has the same type, predicate
  ///   (conjuncts in any order), events and zone; `unknownRecordType`; `invalidPredicate` with the first twenty faults' places;
  ///   `zoneNotFound`; `invalidSubscription` for a query subscription in a shared database, one of another kind in a
  ///   public one, an ID without bytes or with more than names may have, no events, more than three desired keys, or keys that
  ///   a notification does not carry; `missingIndex` where the configuration's `indexPolicy` demands indexes that the schema lacks; `limitExceeded`.
  ///
  /// Complexity: linear in the predicate; and where somebody listens, so is each commit in what it fires.
  public func save(_ subscription: Subscription) throws(ZoneQueryError) { try save(subscription, .any) }

  /// Saves a query subscription of the user's: as ``save(_:)-(Subscription)`` with `.query(subscription)`.
  ///
  /// - Throws: What that throws.
  public func save(_ subscription: QuerySubscription) throws(ZoneQueryError) { try save(.query(subscription)) }

  /// Saves a zone subscription of the user's: as ``save(_:)-(Subscription)`` with `.zone(subscription)`.
  ///
  /// - Throws: What that throws.
  public func save(_ subscription: ZoneSubscription) throws(ZoneQueryError) { try save(.zone(subscription)) }

  /// Saves a database subscription of the user's: as ``save(_:)-(Subscription)`` with `.database(subscription)`.
  ///
  /// - Throws: What that throws.
  public func save(_ subscription: DatabaseSubscription) throws(ZoneQueryError) { try save(.database(subscription)) }

  /// Saves a subscription where a rule says that it may be.
  func save(_ subscription: Subscription, _ rule: SubscriptionRule) throws(ZoneQueryError) {
    try telling(DatabaseEvent(.saveSubscription, subscription)) { _ throws(ZoneQueryError) in
      try store(subscription, rule)
    }
  }

  private func store(_ subscription: Subscription, _ rule: SubscriptionRule) throws(ZoneQueryError) {
    try checkName(of: subscription)
    switch subscription {
    case .query(let query): try save(query, rule)
    case .zone(let zone):
      try checkKind("zone")
      _ = try self.zone(zone.zoneID)
      try checkType(zone.recordType)
      try saveWhole(subscription, rule)
    case .database(let database):
      try checkKind("database")
      try checkType(database.recordType)
      try saveWhole(subscription, rule)
    }
  }

  private func save(_ subscription: QuerySubscription, _ rule: SubscriptionRule) throws(ZoneQueryError) {
    if configuration.scope == .shared {
      throw Database.invalid(subscription.subscriptionID, "a shared database has no query subscriptions")
    }
    if subscription.firesOn.isDisjoint(with: .all) {
      throw Database.invalid(
        subscription.subscriptionID, "it fires on nothing", hint: "name at least one kind of change in firesOn")
    }
    if let zoneID = subscription.zoneID { _ = try zone(zoneID) }
    let query = Query(recordType: subscription.recordType, predicate: subscription.predicate)
    let type = try recordType(of: query, subscription.zoneID)
    if let fault = subscription.notificationInfo?.fault(for: type) {
      throw Database.invalid(subscription.subscriptionID, fault)
    }
    let content = try checkingIndexes(of: query, in: type) { () throws(ZoneQueryError) in
      try SubscriptionContent(
        subscription, of: user.recordName, recordType: type, options: configuration.predicateOptions)
    }
    let registration = QueryRegistration(subscription, of: user.recordName, now: configuration.clock())
    learn(of: type)
    let prepared = try standing.index.prepare(
      subscription.predicate, for: type, events: subscription.firesOn, zone: subscription.zoneID,
      now: registration.now)
    let limit = configuration.limits.subscriptions
    try standing.withState { (state: inout StandingState) throws(ZoneQueryError) in
      try state.check(rule, registration.key, limit)
      try state.save(registration, prepared, content)
    }
  }

  /// Shows the index some of the records there are, evenly drawn, before the first subscription to a type, so that it
  /// chooses well from the start.
  func learn(of type: RecordType) {
    guard standing.index.wantsSample(of: type.name) else { return }
    let limit = AccessSampler.capacity
    var records: [Record] = []
    for id in zoneIDs where records.count < limit {
      guard let zone = try? zone(id) else { continue }
      zone.read { state in
        guard let table = state.table(type.name) else { return }
        let slotCount = table.rows.slotCount
        for slot in stride(from: 0, to: slotCount, by: max(1, slotCount / limit)) where table.isLive(slot) {
          records.append(table.record(slot))
        }
      }
    }
    if !records.isEmpty { standing.index.learn(from: records, recordType: type) }
  }

  private func saveWhole(_ subscription: Subscription, _ rule: SubscriptionRule) throws(ZoneQueryError) {
    let limit = configuration.limits.subscriptions
    try standing.withState { (state: inout StandingState) throws(ZoneQueryError) in
      try state.check(rule, key(subscription.subscriptionID), limit)
      state.save(subscription, of: user.recordName)
    }
  }

  /// Deletes a subscription of the user's: it hears of no commit from now on.
  ///
  /// - Throws: `unknownItem` where there is none of that ID.
  ///
  /// Complexity: constant on average; of a zone or database subscription linear in those of the same zone, or of the
  /// database.
  public func deleteSubscription(withID id: String) throws(ZoneQueryError) {
    try telling(DatabaseEvent(.deleteSubscription, subscriptionID: id)) { _ throws(ZoneQueryError) in
      if !standing.delete(key(id)) { throw Database.unknownSubscription(id) }
    }
  }

  // MARK: Fetching

  /// The user's subscription of an ID.
  ///
  /// - Throws: `unknownItem` where there is none: perhaps it fired once.
  public func subscription(for id: String) throws(ZoneQueryError) -> Subscription {
    guard let subscription = standing.saved[key(id)] else { throw Database.unknownSubscription(id) }
    return subscription
  }

  /// All subscriptions of the user, in the order of their IDs. Complexity: linear in their number, times its logarithm.
  public func subscriptions() -> [Subscription] { standing.saved.sorted(of: user.recordName) }

  /// All subscriptions of all users, in the order of the users' names and of their IDs: for a file that keeps them, or to see
  /// who subscribes to what.
  ///
  /// ```swift
  /// for (user, subscription) in database.subscriptionsOfAllUsers() {
  ///   try write("\(user) \(subscription.webServicesJSON(predicateAsText: true))")
  /// }
  /// ```
  ///
  /// Beyond CloudKit. Complexity: linear in their number, times its logarithm.
  public func subscriptionsOfAllUsers() -> [(userRecordName: String, subscription: Subscription)] {
    standing.saved.sorted().flatMap { user, subscriptions in subscriptions.map { (user, $0) } }
  }

  /// What names a subscription of the database's user.
  private func key(_ id: String) -> SubscriptionKey { SubscriptionKey(id, of: user.recordName) }

  // MARK: Listening

  /// The notifications of the user's subscriptions, from now on.
  ///
  /// ```swift
  /// let notifications = database.notifications()
  /// for await delivered in notifications {
  ///   print(delivered.notification.subscriptionID, delivered.coalescedCount)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - ofAllUsers: Whether to hear of the subscriptions of all users (``acting(as:)``): each notification says whose it is.
  ///   - bufferingLimit: The most that wait to be taken, at least 1. What comes beyond takes the place of what waits, and
  ///     every notification says how many were dropped.
  /// - Returns: The sequence, which takes them from now on, asked or not, until it goes; it ends when the database is
  ///   released and what waits has been taken.
  public func notifications(ofAllUsers: Bool = false, bufferingLimit: Int = 1_024) -> Notifications {
    let listener = NotificationListener(limit: bufferingLimit, of: ofAllUsers ? nil : user.recordName)
    return Notifications(observer: NotificationObserver(listener, in: standing))
  }

  /// Calls a function with every notification of the user's subscriptions from now on, for as long as the observer that is
  /// returned is kept: in a property, say; one that is let go of (`_ = …`) ends at once.
  ///
  /// The function is called holding no lock, one call at a time and in the order of commits; it may use the database. It
  /// is called by the thread that writes, after the commit, before the save or deletion returns: with what waits by then,
  /// so that one who writes alone has been told of everything when a save returns. What is written while it runs, by
  /// others or by itself, is left to another thread (of Dispatch's global queue), and so is what is written until that has
  /// called with all that waits: those saves return without waiting for it.
  ///
  /// - Parameters:
  ///   - ofAllUsers: Whether to hear of the subscriptions of all users; see ``notifications(ofAllUsers:bufferingLimit:)``.
  ///   - bufferingLimit: The most that wait for a call that takes long, as they do for a sequence. A thread that calls takes
  ///     up to a sixteenth as many more at a time.
  ///   - body: Takes the notifications.
  /// - Returns: What is to be kept, and can be cancelled.
  public func onNotification(
    ofAllUsers: Bool = false, bufferingLimit: Int = 1_024, _ body: @escaping @Sendable (DeliveredNotification) -> Void
  ) -> NotificationObserver {
    let listener = NotificationListener(
      limit: bufferingLimit, of: ofAllUsers ? nil : user.recordName, callback: body)
    return NotificationObserver(listener, in: standing)
  }

  /// A query's answer, and every answer that differs from the one before.
  ///
  /// - Parameters:
  ///   - query: The record type, the predicate and the order. `now()` is the moment an iterator begins.
  ///   - zoneID: The zone to look in; every zone of the database where nil, which the shared database refuses.
  ///   - desiredKeys: The fields wanted; all where nil, none but the system's where empty.
  ///   - resultsLimit: The most records of an answer, at least 1.
  ///   - parameters: The values of `$name` parameters of the predicate.
  /// - Returns: The sequence of answers, which keeps the database.
  /// - Throws: what ``records(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)`` throws.
  ///
  /// Complexity: an update costs what the query costs; commits that do not concern it cost it nothing.
  public func liveRecords(
    matching query: Query, inZoneWith zoneID: ZoneID? = nil, desiredKeys: [String]? = nil, resultsLimit: Int = 100,
    parameters: [String: any PredicateArgument] = [:]
  ) throws(ZoneQueryError) -> LiveRecords {
    // What is wrong with the query is said here.
    let prepared = try PreparedQuery(self, query, zoneID)
    if let desiredKeys { _ = try Database.fields(desiredKeys, of: prepared.recordType) }
    try Database.check(resultsLimit: resultsLimit)
    prepared.finish(try prepared.open(prepared.arguments(known: parameters), isTimed: false))
    return LiveRecords(
      database: self, query: query, zoneID: zoneID, desiredKeys: desiredKeys, resultsLimit: resultsLimit,
      parameters: [ByteKey: ArgumentValue](parameters: parameters))
  }

  // MARK: Checking

  private func checkName(of subscription: Subscription) throws(ZoneQueryError) {
    let length = subscription.subscriptionID.utf8.count
    if length == 0 || length > configuration.limits.nameLength {
      throw Database.invalid(
        subscription.subscriptionID, "a subscription's ID has 1 to \(configuration.limits.nameLength) bytes")
    }
    let limit = NotificationInfo.desiredKeyLimit
    if let info = subscription.notificationInfo, info.desiredKeys.count > limit {
      throw Database.invalid(
        subscription.subscriptionID,
        "a notification brings along at most \(limit) fields; these are \(info.desiredKeys.count)")
    }
  }

  private func checkKind(_ kind: String) throws(ZoneQueryError) {
    if configuration.scope == .public {
      throw ZoneQueryError(.database, .invalidSubscription, "A public database has no \(kind) subscriptions")
    }
  }

  private func checkType(_ recordType: String?) throws(ZoneQueryError) {
    if let recordType { _ = try schema.recordType(recordType, for: .database) }
  }

  private static func invalid(_ id: String, _ message: String, hint: String? = nil) -> ZoneQueryError {
    ZoneQueryError(
      .database, .invalidSubscription, "The subscription '\(SyntaxError.excerpt(id))' cannot be: \(message)", hint: hint
    )
  }

  fileprivate static func unknownSubscription(_ id: String) -> ZoneQueryError {
    ZoneQueryError(.database, .unknownItem, "There is no subscription '\(SyntaxError.excerpt(id))'")
  }
}

/// Whether a subscription may be saved where there is one of its ID, and where there is none.
enum SubscriptionRule: Sendable {
  case any, new, existing
}

extension StandingState {
  /// - Throws: `duplicateSubscription` and `unknownItem` where a rule says that a subscription may not be saved;
  ///   `limitExceeded` where it is one too many.
  func check(_ rule: SubscriptionRule, _ key: SubscriptionKey, _ limit: Int) throws(ZoneQueryError) {
    let exists = saved[key] != nil
    let id = key.id.text
    if exists, rule == .new {
      throw ZoneQueryError(
        .database, .duplicateSubscription, "There is a subscription '\(SyntaxError.excerpt(id))' already",
        hint: "update it, or give another subscriptionID")
    }
    if !exists, rule == .existing { throw Database.unknownSubscription(id) }
    if saved.count >= limit, !exists {
      throw ZoneQueryError(
        .database, .limitExceeded, "A database has at most \(limit) subscriptions",
        hint: "delete one, or raise Limits.subscriptions")
    }
  }
}
