/// A subscription to every change in one zone.
public struct ZoneSubscription: Sendable, Hashable {
  /// The name of the subscription, unique in its database.
  public let subscriptionID: String
  /// The zone.
  public var zoneID: ZoneID
  /// The name of the type of record to hear of; nil for all types, and to hear of the deletion of zones that have
  /// no records.
  public var recordType: String?
  /// What notifications show. A zone's notification brings no fields along.
  public var notificationInfo: NotificationInfo?

  /// Creates a subscription. Where no name is given it has a fresh random UUID for one.
  public init(
    zoneID: ZoneID, subscriptionID: String? = nil, recordType: String? = nil, notificationInfo: NotificationInfo? = nil
  ) {
    self.subscriptionID = subscriptionID ?? uniqueName()
    self.zoneID = zoneID
    self.recordType = recordType
    self.notificationInfo = notificationInfo
  }

  /// Whether all parts are the same.
  public static func == (left: ZoneSubscription, right: ZoneSubscription) -> Bool {
    sameBytes(left.subscriptionID, right.subscriptionID) && left.zoneID == right.zoneID
      && sameBytes(left.recordType, right.recordType) && left.notificationInfo == right.notificationInfo
  }

  /// Feeds the name.
  public func hash(into hasher: inout Hasher) { hashBytes(subscriptionID, into: &hasher) }
}
