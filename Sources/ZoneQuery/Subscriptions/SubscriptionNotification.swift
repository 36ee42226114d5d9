/// What a fired subscription tells.
///
/// Notifications may be merged where nobody takes them in time: they are a reason to fetch, not a log.
public enum SubscriptionNotification: Sendable, Hashable {
  /// Of a ``QuerySubscription``.
  case query(QueryNotification)
  /// Of a ``ZoneSubscription``.
  case zone(ZoneNotification)
  /// Of a ``DatabaseSubscription``.
  case database(DatabaseNotification)

  /// The name of the subscription that fired.
  public var subscriptionID: String {
    switch self {
    case .query(let notification): notification.subscriptionID
    case .zone(let notification): notification.subscriptionID
    case .database(let notification): notification.subscriptionID
    }
  }

  /// What it shows.
  public var presentation: NotificationPresentation {
    switch self {
    case .query(let notification): notification.presentation
    case .zone(let notification): notification.presentation
    case .database(let notification): notification.presentation
    }
  }
}

/// Tells of a change of a record that a query subscription matched.
public struct QueryNotification: Sendable, Hashable {
  /// Why it fired.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The record was created.
    case recordCreated
    /// The record was changed and matches.
    case recordUpdated
    /// The record was deleted.
    case recordDeleted
    /// The record was changed and does not match any more. Beyond CloudKit.
    case recordLeft
  }

  /// The name of the subscription that fired.
  public var subscriptionID: String
  /// Why it fired.
  public var reason: Reason
  /// Of an update, whether the record did not match before; nil where that is not told. Beyond CloudKit.
  public var hasEntered: Bool?
  /// The record's ID.
  public var recordID: RecordID
  /// The desired fields that the record has.
  public var recordFields: [String: FieldValue] = [:]
  /// The database the record lies in.
  public var databaseScope: Database.Scope
  /// What it shows.
  public var presentation: NotificationPresentation {
    get { shown.presentation }
    set { shown = ShownPresentation(newValue) }
  }
  /// Whether a payload that was read says that something was left out: a server for want of room, ours because it cannot be
  /// written. Ours has no limit of its size.
  public var isPruned = false
  private var shown = ShownPresentation()

  /// Creates a notification.
  public init(subscriptionID: String, reason: Reason, recordID: RecordID, databaseScope: Database.Scope) {
    self.subscriptionID = subscriptionID
    self.reason = reason
    self.recordID = recordID
    self.databaseScope = databaseScope
  }

  /// Whether all parts are the same, names by their bytes.
  public static func == (left: QueryNotification, right: QueryNotification) -> Bool {
    sameBytes(left.subscriptionID, right.subscriptionID) && left.reason == right.reason
      && left.hasEntered == right.hasEntered && left.recordID == right.recordID
      && left.databaseScope == right.databaseScope && left.recordFields == right.recordFields
      && left.isPruned == right.isPruned && left.shown == right.shown
  }

  /// Feeds the subscription's name.
  public func hash(into hasher: inout Hasher) { hashBytes(subscriptionID, into: &hasher) }
}

/// Tells of changes in a zone.
public struct ZoneNotification: Sendable, Hashable {
  /// The name of the subscription that fired.
  public var subscriptionID: String
  /// The zone.
  public var zoneID: ZoneID
  /// The database the zone lies in.
  public var databaseScope: Database.Scope
  /// What it shows.
  public var presentation: NotificationPresentation {
    get { shown.presentation }
    set { shown = ShownPresentation(newValue) }
  }
  private var shown = ShownPresentation()

  /// Creates a notification.
  public init(subscriptionID: String, zoneID: ZoneID, databaseScope: Database.Scope) {
    self.subscriptionID = subscriptionID
    self.zoneID = zoneID
    self.databaseScope = databaseScope
  }

  /// Whether all parts are the same, names by their bytes.
  public static func == (left: ZoneNotification, right: ZoneNotification) -> Bool {
    sameBytes(left.subscriptionID, right.subscriptionID) && left.zoneID == right.zoneID
      && left.databaseScope == right.databaseScope && left.shown == right.shown
  }

  /// Feeds the subscription's name.
  public func hash(into hasher: inout Hasher) { hashBytes(subscriptionID, into: &hasher) }
}

/// Tells of changes in the custom zones of a database.
public struct DatabaseNotification: Sendable, Hashable {
  /// The name of the subscription that fired.
  public var subscriptionID: String
  /// The database.
  public var databaseScope: Database.Scope
  /// What it shows.
  public var presentation: NotificationPresentation {
    get { shown.presentation }
    set { shown = ShownPresentation(newValue) }
  }
  private var shown = ShownPresentation()

  /// Creates a notification.
  public init(subscriptionID: String, databaseScope: Database.Scope) {
    self.subscriptionID = subscriptionID
    self.databaseScope = databaseScope
  }

  /// Whether all parts are the same, names by their bytes.
  public static func == (left: DatabaseNotification, right: DatabaseNotification) -> Bool {
    sameBytes(left.subscriptionID, right.subscriptionID) && left.databaseScope == right.databaseScope
      && left.shown == right.shown
  }

  /// Feeds the subscription's name.
  public func hash(into hasher: inout Hasher) { hashBytes(subscriptionID, into: &hasher) }
}

/// What a notification shows, behind one reference, which is nil where that is nothing, as it mostly is: a notification is
/// copied on its way to each listener.
struct ShownPresentation: Sendable, Hashable {
  private final class Box: Sendable {
    let presentation: NotificationPresentation

    init(_ presentation: NotificationPresentation) { self.presentation = presentation }
  }

  private let box: Box?

  init() { box = nil }

  init(_ presentation: NotificationPresentation) {
    box = presentation == NotificationPresentation() ? nil : Box(presentation)
  }

  var presentation: NotificationPresentation { box?.presentation ?? NotificationPresentation() }

  static func == (left: ShownPresentation, right: ShownPresentation) -> Bool {
    left.box === right.box || left.presentation == right.presentation
  }

  func hash(into hasher: inout Hasher) { hasher.combine(presentation) }
}

extension ShownPresentation: CustomStringConvertible {
  var description: String { box.map { "\($0.presentation)" } ?? "nothing" }
}
