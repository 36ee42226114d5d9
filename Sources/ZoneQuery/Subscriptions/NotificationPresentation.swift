/// What a notification shows, its arguments taken from the record.
public struct NotificationPresentation: Sendable, Hashable {
  /// The text to show.
  public var alertBody: String?
  /// The key of a text in the app's strings.
  public var alertLocalizationKey: String?
  /// What stands in that text.
  public var alertLocalizationArguments: [String] = []
  /// The title.
  public var title: String?
  /// The key of a title in the app's strings.
  public var titleLocalizationKey: String?
  /// What stands in the title.
  public var titleLocalizationArguments: [String] = []
  /// The name of a sound.
  public var soundName: String?
  /// The number for the app's badge.
  public var badge: Int?
  /// Whether the app is woken to fetch.
  public var isContentAvailable = false
  /// The category of actions to offer.
  public var category: String?

  /// Creates a presentation that shows nothing.
  public init() {}

  /// What an info asks for, with a record's values where there is one.
  init(_ info: NotificationInfo, record: Record?) {
    func arguments(_ keys: [String]) -> [String] {
      keys.map { key in record?.fieldValue(forKey: key).map(NotificationPresentation.text) ?? "" }
    }
    alertBody = info.alertBody
    alertLocalizationKey = info.alertLocalizationKey
    alertLocalizationArguments = arguments(info.alertLocalizationArguments)
    title = info.title
    titleLocalizationKey = info.titleLocalizationKey
    titleLocalizationArguments = arguments(info.titleLocalizationArguments)
    soundName = info.soundName
    badge = info.shouldBadge ? 1 : nil
    isContentAvailable = info.shouldSendContentAvailable
    category = info.category
  }

  /// Whether all parts are the same bytes.
  public static func == (left: NotificationPresentation, right: NotificationPresentation) -> Bool {
    left.texts.elementsEqual(right.texts) { sameBytes($0, $1) } && left.badge == right.badge
      && left.isContentAvailable == right.isContentAvailable
      && left.alertLocalizationArguments.elementsEqual(right.alertLocalizationArguments, by: sameBytes)
      && left.titleLocalizationArguments.elementsEqual(right.titleLocalizationArguments, by: sameBytes)
  }

  /// Feeds the texts.
  public func hash(into hasher: inout Hasher) {
    for text in texts { if let text { hashBytes(text, into: &hasher) } }
  }

  private var texts: [String?] {
    [alertBody, alertLocalizationKey, title, titleLocalizationKey, soundName, category]
  }

  /// A value as an argument of a text: numbers in digits, dates in milliseconds, places in degrees.
  private static func text(_ value: FieldValue) -> String {
    switch value {
    case .string(let text): text
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .timestamp(let moment): "\(moment.milliseconds)"
    case .location(let place): "\(place.latitude),\(place.longitude)"
    case .reference(let reference): reference.recordID.recordName
    default: ""
    }
  }
}
