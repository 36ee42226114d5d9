/// A subscription to every change in a database's custom zones.
public struct DatabaseSubscription: Sendable, Hashable {
  /// The name of the subscription, unique in its database.
  public let subscriptionID: String
  /// The name of the type of record to hear of; nil for all types, and to hear of the deletion of zones that have
  /// no records.
  public var recordType: String?
  /// What notifications show. A database's notification brings no fields along.
  public var notificationInfo: NotificationInfo?

  /// Creates a subscription. Where no name is given it has a fresh random UUID for one.
  public init(
    subscriptionID: String? = nil, recordType: String? = nil, notificationInfo: NotificationInfo? = nil
  ) {
    self.subscriptionID = subscriptionID ?? uniqueName()
    self.recordType = recordType
    self.notificationInfo = notificationInfo
  }

  /// Whether all parts are the same.
  public static func == (left: DatabaseSubscription, right: DatabaseSubscription) -> Bool {
    sameBytes(left.subscriptionID, right.subscriptionID) && sameBytes(left.recordType, right.recordType)
      && left.notificationInfo == right.notificationInfo
  }

  /// Feeds the name.
  public func hash(into hasher: inout Hasher) { hashBytes(subscriptionID, into: &hasher) }
}
