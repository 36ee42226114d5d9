/// A standing subscription of any kind.
public enum Subscription: Sendable, Hashable {
  /// To records that match a predicate.
  case query(QuerySubscription)
  /// To every change in a zone.
  case zone(ZoneSubscription)
  /// To every change in the custom zones.
  case database(DatabaseSubscription)

  /// The name of the subscription, unique in its database.
  public var subscriptionID: String {
    switch self {
    case .query(let subscription): subscription.subscriptionID
    case .zone(let subscription): subscription.subscriptionID
    case .database(let subscription): subscription.subscriptionID
    }
  }

  /// What notifications show.
  public var notificationInfo: NotificationInfo? {
    switch self {
    case .query(let subscription): subscription.notificationInfo
    case .zone(let subscription): subscription.notificationInfo
    case .database(let subscription): subscription.notificationInfo
    }
  }
}
