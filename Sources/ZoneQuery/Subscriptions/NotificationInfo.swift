/// What a notification of a subscription is to show, and which fields it brings along.
///
/// ```swift
/// var info = NotificationInfo()
/// info.alertLocalizationKey = "NEW_EVENT"          // "%@ in %@" in the app's strings
/// info.alertLocalizationArguments = ["title", "city"]
/// info.desiredKeys = ["start"]
/// ```
///
/// Differs from `CKSubscription.NotificationInfo`: a value type; arguments are taken from the record as it is at the
/// moment of the change, and a field that is missing gives an empty text.
public struct NotificationInfo: Sendable, Hashable {
  /// The text to show.
  public var alertBody: String?
  /// The key of a text in the app's strings, in place of ``alertBody``.
  public var alertLocalizationKey: String?
  /// The fields whose values stand in that text, in order.
  public var alertLocalizationArguments: [String] = []
  /// The title.
  public var title: String?
  /// The key of a title in the app's strings.
  public var titleLocalizationKey: String?
  /// The fields whose values stand in the title.
  public var titleLocalizationArguments: [String] = []
  /// The name of a sound, `default` for the system's.
  public var soundName: String?
  /// Whether the notification carries a badge; its number is always 1, since a database does not know what the app shows.
  public var shouldBadge = false
  /// Whether the app is woken to fetch.
  public var shouldSendContentAvailable = false
  /// The category of actions to offer.
  public var category: String?
  /// The fields whose values the notification brings along: at most three, of a text, a number, a date, a location or a
  /// reference.
  public var desiredKeys: [String] = []

  /// The most fields that a notification brings along.
  public static let desiredKeyLimit = 3

  /// Creates an info that shows nothing.
  public init() {}

  /// Whether all parts are the same bytes.
  public static func == (left: NotificationInfo, right: NotificationInfo) -> Bool {
    left.texts.elementsEqual(right.texts) { sameBytes($0, $1) } && left.shouldBadge == right.shouldBadge
      && left.shouldSendContentAvailable == right.shouldSendContentAvailable
      && left.lists.elementsEqual(right.lists) { $0.elementsEqual($1, by: sameBytes) }
  }

  /// Feeds the texts.
  public func hash(into hasher: inout Hasher) {
    for text in texts { if let text { hashBytes(text, into: &hasher) } }
  }

  private var texts: [String?] {
    [alertBody, alertLocalizationKey, title, titleLocalizationKey, soundName, category]
  }

  private var lists: [[String]] { [alertLocalizationArguments, titleLocalizationArguments, desiredKeys] }

  /// The fields that it shows, or brings along.
  var shownFields: [String] { desiredKeys + alertLocalizationArguments + titleLocalizationArguments }

  /// What of the info a record type cannot give, if something.
  func fault(for recordType: RecordType) -> String? {
    if desiredKeys.count > NotificationInfo.desiredKeyLimit {
      return
        "a notification brings along at most \(NotificationInfo.desiredKeyLimit) fields; these are \(desiredKeys.count)"
    }
    for key in shownFields {
      guard let field = recordType.field(key) else {
        if SystemField.allCases.contains(where: { sameBytes($0.key, key) || sameBytes($0.schemaName, key) }) {
          return "'\(key)' is a system field, which a notification does not carry"
        }
        let hint = Binder.suggestion(for: key, in: recordType, allowsSystemFields: false)
        return "type '\(recordType.name)' has no field '\(SyntaxError.excerpt(key))'" + (hint.map { " (\($0))" } ?? "")
      }
      // What CloudKit encrypts its servers cannot read, and a push payload is read by whoever carries it.
      if field.isEncrypted { return "'\(key)' is encrypted, which a notification does not carry" }
      if field.type.isList || !field.type.isQueryable {
        return "'\(key)' is \(field.type), which a notification does not carry"
      }
    }
    return nil
  }
}
