/// What a query subscription of a user asks for, whatever its name: equal for duplicates.
///
/// Predicates are compared as they are bound, conjuncts in any order, before `now()` is read: they are bound twice, at
/// two moments, so that a `now()` equals another but no date that happens to be written.
struct SubscriptionContent: Hashable, Sendable {
  private let user: ByteKey
  private let recordType: ByteKey
  private let conjuncts: [Set<BoundPredicate>]
  private let events: QuerySubscription.Events
  private let zoneID: ZoneID?

  private static let moments = [Timestamp(milliseconds: 1_234_567_890_123), Timestamp(milliseconds: 2_345_678_901_234)]

  /// The content of a subscription to records of a type.
  ///
  /// - Throws: `invalidPredicate` with the first twenty faults' places.
  init(
    _ subscription: QuerySubscription, of user: String, recordType type: RecordType, options: PredicateOptions
  ) throws(ZoneQueryError) {
    self.user = ByteKey(user)
    recordType = ByteKey(type.name)
    events = subscription.firesOn
    zoneID = subscription.zoneID
    var conjuncts: [Set<BoundPredicate>] = []
    for moment in SubscriptionContent.moments {
      let bound = try Binder.bind(subscription.predicate, scope: .recordType(type), options: options, now: moment)
      if case .and(let parts) = bound { conjuncts.append(Set(parts)) } else { conjuncts.append([bound]) }
    }
    self.conjuncts = conjuncts
  }
}
