/// Reads the subscription dictionary of CloudKit Web Services.
struct WebServicesSubscriptionReader {
  /// Tells the types of values in filters that do not name theirs.
  let schema: Schema?
  private let values: WebServicesValueReader

  init(_ schema: Schema?, _ values: WebServicesValueReader = WebServicesValueReader()) {
    (self.schema, self.values) = (schema, values)
  }

  private enum Kind: String, CaseIterable {
    case query, zone, database
  }

  /// The events and their names.
  static let events: [(name: String, event: QuerySubscription.Events)] = [
    ("create", .creation), ("update", .update), ("delete", .deletion), ("leave", .leaving),
  ]

  /// A subscription; `defaultID` is the ID of one that names none.
  func subscription(
    _ object: JSONObject, defaultID: () -> String? = { nil }
  ) throws(WebServicesFault) -> Subscription {
    let kind = try object.read("subscriptionType") { json throws(WebServicesFault) in
      try values.word(json, "subscription type", among: Kind.allCases) { $0.rawValue }
    }
    guard let id = try object.read("subscriptionID", values.string) ?? defaultID() else {
      throw WebServicesFault("the key \"subscriptionID\" is missing")
    }
    let info = try object.read("notificationInfo", notificationInfo)
    switch kind ?? .query {
    case .query: return .query(try query(object, id, info))
    case .zone:
      return .zone(
        ZoneSubscription(
          zoneID: try object.require("zoneID", values.zoneID), subscriptionID: id,
          recordType: try object.read("recordType", values.string), notificationInfo: info))
    case .database:
      return .database(
        DatabaseSubscription(
          subscriptionID: id, recordType: try object.read("recordType", values.string), notificationInfo: info))
    }
  }

  private func query(
    _ object: JSONObject, _ id: String, _ info: NotificationInfo?
  ) throws(WebServicesFault) -> QuerySubscription {
    var zoneID = try object.read("zoneID", values.zoneID)
    switch try object.read("zoneWide", values.boolean) {
    case true? where zoneID != nil:
      throw WebServicesFault("\"zoneWide\" is of all zones, and \"zoneID\" of one", hint: "Leave one out.")
    case false? where zoneID == nil: zoneID = .default
    default: break
    }
    var values = values
    values.zoneID = zoneID ?? .default
    let query = try object.require("query", WebServicesQueryReader(schema, values).query)
    let events = try object.read("firesOn") { json throws(WebServicesFault) in
      guard let members = json.array else { throw .expected("an array of events", json) }
      return try WebServicesFault.each(members) { member throws(WebServicesFault) in
        try values.word(member, "event", among: Self.events) { $0.name }.event
      }
    }
    return QuerySubscription(
      recordType: query.recordType, predicate: query.predicate, subscriptionID: id,
      firesOn: events?.reduce(into: []) { $0.formUnion($1) } ?? [.creation, .update],
      firesOnce: try object.read("firesOnce", values.boolean) ?? false, zoneID: zoneID, notificationInfo: info)
  }

  private func notificationInfo(_ json: JSONValue) throws(WebServicesFault) -> NotificationInfo {
    guard let object = json.object else { throw .expected("a dictionary of what notifications show", json) }
    var info = NotificationInfo()
    for (key, path) in NotificationInfo.webServicesTexts { info[keyPath: path] = try object.read(key, values.string) }
    for (key, path) in NotificationInfo.webServicesLists {
      info[keyPath: path] = try object.read(key, WebServicesRequest.names) ?? []
    }
    for (key, path) in NotificationInfo.webServicesFlags {
      info[keyPath: path] = try object.read(key, values.boolean) ?? false
    }
    return info
  }
}

extension NotificationInfo {
  /// The keys of its dictionary, in the order in which they are written.
  static var webServicesTexts: [(key: String, path: WritableKeyPath<NotificationInfo, String?>)] {
    [
      ("alertBody", \.alertBody), ("alertLocalizationKey", \.alertLocalizationKey), ("title", \.title),
      ("titleLocalizationKey", \.titleLocalizationKey), ("soundName", \.soundName), ("category", \.category),
    ]
  }

  static var webServicesLists: [(key: String, path: WritableKeyPath<NotificationInfo, [String]>)] {
    [
      ("alertLocalizationArgs", \.alertLocalizationArguments), ("titleLocalizationArgs", \.titleLocalizationArguments),
      ("additionalFields", \.desiredKeys),
    ]
  }

  /// All keys of its dictionary.
  package static var webServicesKeys: [String] {
    webServicesTexts.map(\.key) + webServicesLists.map(\.key) + webServicesFlags.map(\.key)
  }

  static var webServicesFlags: [(key: String, path: WritableKeyPath<NotificationInfo, Bool>)] {
    [("shouldBadge", \.shouldBadge), ("shouldSendContentAvailable", \.shouldSendContentAvailable)]
  }
}

extension Subscription {
  /// Reads the subscription dictionary of CloudKit Web Services.
  ///
  /// ```swift
  /// let subscription = try Subscription(webServicesJSON: """
  ///   {"subscriptionID": "sea", "subscriptionType": "query", "firesOn": ["create"], "firesOnce": false,
  ///    "query": {"recordType": "Event", "filterBy": [
  ///      {"fieldName": "tags", "comparator": "LIST_CONTAINS", "fieldValue": {"value": "sea", "type": "STRING"}}]},
  ///    "notificationInfo": {"alertBody": "News of the sea"}}
  ///   """)
  /// ```
  ///
  /// Beyond CloudKit: the event `leave`, the type `database`, `recordType` of a zone's or a database's subscription, and the
  /// `predicate` of a query as text in place of `filterBy`. A query's subscription that names no `zoneID` is to all zones, as
  /// one that is `zoneWide`, or to the default zone where `zoneWide` is false; it fires on `create` and `update` where
  /// `firesOn` does not say. Other keys are passed over.
  ///
  /// | Key of `notificationInfo` | ``NotificationInfo`` |
  /// | --- | --- |
  /// | `alertBody` | ``NotificationInfo/alertBody`` |
  /// | `alertLocalizationKey`, `alertLocalizationArgs` | ``NotificationInfo/alertLocalizationKey``, ``NotificationInfo/alertLocalizationArguments`` |
  /// | `title`, `titleLocalizationKey`, `titleLocalizationArgs` | ``NotificationInfo/title``, ``NotificationInfo/titleLocalizationKey``, ``NotificationInfo/titleLocalizationArguments`` |
  /// | `soundName`, `category` | ``NotificationInfo/soundName``, ``NotificationInfo/category`` |
  /// | `shouldBadge`, `shouldSendContentAvailable` | ``NotificationInfo/shouldBadge``, ``NotificationInfo/shouldSendContentAvailable`` |
  /// | `additionalFields` | ``NotificationInfo/desiredKeys``: the fields that notifications bring along |
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - schema: Tells the types of values that do not name theirs.
  ///   - userRecordName: The record name of the user whose own zones are named by it.
  /// - Throws: ``ZoneQueryError`` of the stage `webServices` and the code `invalidJSON`, naming line and column, or the path
  ///   to what is wrong: `query.filterBy[0].comparator`.
  ///
  /// Complexity: linear in the length of the text.
  public init(
    webServicesJSON text: String, schema: Schema? = nil, userRecordName: String? = nil
  ) throws(ZoneQueryError) {
    let json = try JSONValue(webServices: text)
    let values = WebServicesValueReader(userRecordName: userRecordName)
    do throws(WebServicesFault) {
      guard let object = json.object else { throw WebServicesFault.expected("a subscription dictionary", json) }
      self = try WebServicesSubscriptionReader(schema, values).subscription(object)
    } catch {
      throw error.error(in: "The subscription")
    }
  }

  /// Reads the dictionary of a line of a file; `defaultID` is the ID of one that names none.
  package init(
    webServices object: JSONObject, schema: Schema?, defaultID: String, userRecordName: String?
  ) throws(ZoneQueryError) {
    let values = WebServicesValueReader(userRecordName: userRecordName)
    do throws(WebServicesFault) {
      self = try WebServicesSubscriptionReader(schema, values).subscription(object) { defaultID }
    } catch {
      throw error.error(in: "The subscription")
    }
  }
}
