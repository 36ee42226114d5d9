/// A standing query: whenever a record that matches is created, changed or deleted, a notification tells of it.
///
/// ```swift
/// let subscription = QuerySubscription(
///   recordType: "Event", predicate: try QueryPredicate(format: "city = %@", "Seoul"), subscriptionID: "seoul",
///   firesOn: [.creation, .update])
/// ```
///
/// A created or updated record must match as it is afterwards, a deleted one as it was. The deletion of a whole zone is told
/// by zone and database subscriptions alone. Differs from
/// `CKQuerySubscription`: an update says whether the record entered the set or stayed in it, and ``Events/leaving`` tells
/// of those that left it.
public struct QuerySubscription: Sendable, Hashable {
  /// The kinds of changes a subscription hears of.
  public struct Events: OptionSet, Sendable, Hashable {
    /// One bit a kind.
    public let rawValue: UInt8

    /// Creates the set with the given bits; those that stand for nothing are left out.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 15 }

    /// A record that matches was created.
    public static let creation = Events(rawValue: 1)
    /// A record was changed and matches now, whether it did before or not.
    public static let update = Events(rawValue: 2)
    /// A record that matched was deleted.
    public static let deletion = Events(rawValue: 4)
    /// A record that matched was changed and does not match any more. Beyond CloudKit.
    public static let leaving = Events(rawValue: 8)
    /// All of them.
    public static let all: Events = [.creation, .update, .deletion, .leaving]
  }

  /// The name of the subscription, unique in its database.
  public let subscriptionID: String
  /// The name of the records' type.
  public var recordType: String
  /// What a record must satisfy.
  public var predicate: QueryPredicate
  /// The changes to hear of: at least one kind.
  public var firesOn: Events
  /// Whether the first firing deletes the subscription.
  public var firesOnce: Bool
  /// The zone the records must lie in; nil for every zone of the database.
  public var zoneID: ZoneID?
  /// What notifications show and bring along.
  public var notificationInfo: NotificationInfo?

  /// Creates a subscription. Where no name is given it has a fresh random UUID for one.
  public init(
    recordType: String, predicate: QueryPredicate = .true, subscriptionID: String? = nil,
    firesOn events: Events = [.creation, .update], firesOnce: Bool = false, zoneID: ZoneID? = nil,
    notificationInfo: NotificationInfo? = nil
  ) {
    self.subscriptionID = subscriptionID ?? uniqueName()
    self.recordType = recordType
    self.predicate = predicate
    self.firesOn = events
    self.firesOnce = firesOnce
    self.zoneID = zoneID
    self.notificationInfo = notificationInfo
  }

  /// Whether all parts are the same.
  public static func == (left: QuerySubscription, right: QuerySubscription) -> Bool {
    sameBytes(left.subscriptionID, right.subscriptionID) && sameBytes(left.recordType, right.recordType)
      && left.predicate == right.predicate && left.firesOn == right.firesOn && left.firesOnce == right.firesOnce
      && left.zoneID == right.zoneID && left.notificationInfo == right.notificationInfo
  }

  /// Feeds the name.
  public func hash(into hasher: inout Hasher) { hashBytes(subscriptionID, into: &hasher) }
}
