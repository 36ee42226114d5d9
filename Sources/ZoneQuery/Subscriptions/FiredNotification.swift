/// What a commit has fired and nobody has taken yet: the notification is made when it is delivered.
///
/// A commit may fire dozens, and each listener gets them all; so what waits is a few words. They are what of a subscription
/// is told, rather than the subscription, whose reference count would be one more place in memory to be written to.
struct FiredNotification: Sendable {
  enum Content: Sendable {
    case query(FiringSubscription, FiredChange)
    indirect case whole(SubscriptionNotification, user: String)
  }

  let content: Content
  let commit: UInt64
  /// As of ``DeliveredNotification``.
  var coalescedCount = 0
  /// As of ``DeliveredNotification``.
  var lostCount = 0

  init(_ content: Content, commit: UInt64) {
    self.content = content
    self.commit = commit
  }

  var subscriptionID: String {
    switch content {
    case .query(let subscription, _): subscription.subscriptionID
    case .whole(let notification, _): notification.subscriptionID
    }
  }

  /// The record name of the user whose subscription it is.
  var userRecordName: String {
    switch content {
    case .query(let subscription, _): subscription.user
    case .whole(_, let user): user
    }
  }

  /// Names the subscription.
  var key: SubscriptionKey { SubscriptionKey(subscriptionID, of: userRecordName) }

  /// The notification as a listener gets it.
  var delivered: DeliveredNotification {
    let notification: SubscriptionNotification =
      switch content {
      case .query(let subscription, let change): .query(QueryNotification(subscription, change))
      case .whole(let notification, _): notification
      }
    return DeliveredNotification(
      notification: notification, userRecordName: userRecordName, commit: commit, coalescedCount: coalescedCount,
      lostCount: lostCount)
  }
}

/// The change of a record, as the notifications tell of it that it fires for one reason.
final class FiredChange: Sendable {
  let reason: QueryNotification.Reason
  let hasEntered: Bool?
  let recordID: RecordID
  /// The record as the change left it, or as it was where it was deleted, with the fields that notifications show; nil where
  /// none shows any.
  let record: Record?
  let databaseScope: Database.Scope

  init(
    _ reason: QueryNotification.Reason, hasEntered: Bool?, _ recordID: RecordID, _ record: Record?,
    _ databaseScope: Database.Scope
  ) {
    self.reason = reason
    self.hasEntered = hasEntered
    self.recordID = recordID
    self.record = record
    self.databaseScope = databaseScope
  }
}

/// A query subscription that is saved, whose it is, and the moment its `now()` stands for.
final class QueryRegistration: Sendable {
  let subscription: QuerySubscription
  let user: String
  let now: Timestamp

  init(_ subscription: QuerySubscription, of user: String, now: Timestamp) {
    self.subscription = subscription
    self.user = user
    self.now = now
  }

  var key: SubscriptionKey { SubscriptionKey(subscription.subscriptionID, of: user) }
}

/// What firing a query subscription takes of it.
struct FiringSubscription: Sendable {
  let subscriptionID: String
  let user: String
  let info: NotificationInfoBox?
  let firesOnce: Bool

  init(_ registration: QueryRegistration) {
    let subscription = registration.subscription
    user = registration.user
    subscriptionID = subscription.subscriptionID
    info = subscription.notificationInfo.map(NotificationInfoBox.init)
    firesOnce = subscription.firesOnce
  }
}

/// What notifications of a subscription show, behind one reference.
final class NotificationInfoBox: Sendable {
  let info: NotificationInfo
  /// The fields that are shown, or brought along.
  let fields: [ByteKey]

  init(_ info: NotificationInfo) {
    self.info = info
    fields = info.shownFields.map(ByteKey.init)
  }
}

extension QueryNotification {
  /// The notification of a subscription about a change.
  init(_ subscription: FiringSubscription, _ change: FiredChange) {
    self.init(
      subscriptionID: subscription.subscriptionID, reason: change.reason, recordID: change.recordID,
      databaseScope: change.databaseScope)
    hasEntered = change.hasEntered
    guard let info = subscription.info?.info else { return }
    for key in info.desiredKeys { recordFields[key] = change.record?[key] }
    presentation = NotificationPresentation(info, record: change.record)
  }
}
