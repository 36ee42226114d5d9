/// A notification as a listener gets it, and what it did not get.
public struct DeliveredNotification: Sendable, Hashable {
  /// What the subscription tells.
  public let notification: SubscriptionNotification
  /// The record name of the user whose subscription it is: who is to be told. See ``Database/acting(as:)``.
  public let userRecordName: String
  /// The number of the commit that it tells of: commits of a database are counted as they are published.
  public let commit: UInt64
  /// How many notifications of the same subscription were dropped for this one since the last that was delivered, as the
  /// listener's buffer was full.
  public let coalescedCount: Int
  /// How many notifications of other subscriptions were dropped, and nothing kept of them, since the last delivery: where
  /// it is not 0, whoever keeps a copy of the data fetches all of it.
  public let lostCount: Int
}
