/// The dictionary that carries a notification to a device: `aps`, which the system shows, and `ck`, which tells of the
/// change.
///
/// ```
/// {"aps":{"alert":{"body":"News"},"content-available":1},
///  "ck":{"ce":2,"cid":"iCloud.example","qry":{"rid":"keynote","fo":1,"zid":"_defaultZone","zoid":"__defaultOwner__",
///        "dbs":2,"sid":"news","af":{"title":{"value":"Maps","type":"STRING"}}}}}
/// ```
///
/// `qry`, `fet` and `met` stand for query, zone and database notifications; `fo` is 1, 2 and 3 for created, updated and
/// deleted, `dbs` 1, 2 and 3 for the public, private and shared database. **Ours**: `fo` 4 for a record that left, `ent`
/// for one that entered, and fields in `af` with their types.
enum PushPayload {
  private static let scopes: [Database.Scope] = [.public, .private, .shared]
  private static let reasons: [QueryNotification.Reason] = [
    .recordCreated, .recordUpdated, .recordDeleted, .recordLeft,
  ]

  // MARK: Writing

  static func write(_ notification: SubscriptionNotification, containerID: String?) -> JSONValue {
    var change = JSONObject()
    let key: String
    var isPruned = false
    switch notification {
    case .query(let query):
      key = "qry"
      change.append("rid", .string(query.recordID.recordName))
      if let reason = reasons.firstIndex(of: query.reason) { change.append("fo", .integer(Int64(reason + 1))) }
      if let hasEntered = query.hasEntered { change.append("ent", .bool(hasEntered)) }
      append(query.recordID.zoneID, to: &change)
      append(query.databaseScope, query.subscriptionID, to: &change)
      isPruned = query.isPruned
      let writer = WebServicesValueWriter(zoneID: query.recordID.zoneID)
      var fields = JSONObject()
      for (name, value) in query.recordFields.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        if let field = try? writer.field(value) { fields.append(name, field) } else { isPruned = true }
      }
      if !fields.isEmpty { change.append("af", .object(fields)) }
    case .zone(let zone):
      key = "fet"
      append(zone.zoneID, to: &change)
      append(zone.databaseScope, zone.subscriptionID, to: &change)
    case .database(let database):
      key = "met"
      append(database.databaseScope, database.subscriptionID, to: &change)
    }
    var ck = JSONObject([("ce", .integer(2))])
    if let containerID { ck.append("cid", .string(containerID)) }
    if isPruned { ck.append("p", .integer(1)) }
    ck.append(key, .object(change))
    return .object(JSONObject([("aps", write(notification.presentation)), ("ck", .object(ck))]))
  }

  private static func append(_ zone: ZoneID, to change: inout JSONObject) {
    change.append("zid", .string(zone.zoneName))
    change.append("zoid", .string(zone.ownerName))
  }

  private static func append(_ scope: Database.Scope, _ subscriptionID: String, to change: inout JSONObject) {
    if let number = scopes.firstIndex(of: scope) { change.append("dbs", .integer(Int64(number + 1))) }
    change.append("sid", .string(subscriptionID))
  }

  private static func write(_ presentation: NotificationPresentation) -> JSONValue {
    var alert = JSONObject()
    for (key, text) in [
      ("title", presentation.title), ("title-loc-key", presentation.titleLocalizationKey),
      ("body", presentation.alertBody), ("loc-key", presentation.alertLocalizationKey),
    ] {
      if let text { alert.append(key, .string(text)) }
    }
    for (key, arguments) in [
      ("title-loc-args", presentation.titleLocalizationArguments),
      ("loc-args", presentation.alertLocalizationArguments),
    ] where !arguments.isEmpty {
      alert.append(key, .array(arguments.map { .string($0) }))
    }
    var aps = JSONObject()
    if !alert.isEmpty { aps.append("alert", .object(alert)) }
    if let badge = presentation.badge { aps.append("badge", .integer(Int64(badge))) }
    if let sound = presentation.soundName { aps.append("sound", .string(sound)) }
    if let category = presentation.category { aps.append("category", .string(category)) }
    if presentation.isContentAvailable { aps.append("content-available", .integer(1)) }
    return .object(aps)
  }

  // MARK: Reading

  static func read(_ payload: JSONValue) throws(WebServicesFault) -> SubscriptionNotification {
    guard let ck = payload["ck"] else {
      throw WebServicesFault("there is no 'ck'", hint: "only CloudKit's payloads are read")
    }
    let presentation = try payload["aps"].map(presentation) ?? NotificationPresentation()
    if let change = ck["qry"] {
      let reason = try number(change, "fo", of: reasons.count)
      let zoneID = try zone(change) ?? .default
      var query = QueryNotification(
        subscriptionID: try text(change, "sid"), reason: reasons[reason],
        recordID: RecordID(recordName: try text(change, "rid"), zoneID: zoneID), databaseScope: try scope(change))
      query.hasEntered = change["ent"]?.bool
      query.isPruned = ck["p"].map { $0.number?.integer != 0 && $0.bool != false } ?? false
      query.presentation = presentation
      let reader = WebServicesValueReader(zoneID: zoneID)
      let fields = change["af"] ?? .object(JSONObject())
      guard let members = fields.object?.members else {
        throw WebServicesFault.expected("an object of fields", fields).inside("af").inside("qry").inside("ck")
      }
      for (name, field) in members {
        do throws(WebServicesFault) {
          // As fields are named; Swift compares no other text by its bytes.
          if name.utf8.count > 255 || !name.utf8.allSatisfy({ $0 < 0x80 }) {
            throw WebServicesFault("a field's name is at most 255 ASCII characters")
          }
          query.recordFields[name] = try reader.field(field, schemaType: nil)
        } catch {
          throw error.inside(name).inside("af").inside("qry").inside("ck")
        }
      }
      return .query(query)
    }
    if let change = ck["fet"] {
      var notification = ZoneNotification(
        subscriptionID: try text(change, "sid"), zoneID: try zone(change) ?? .default, databaseScope: try scope(change))
      notification.presentation = presentation
      return .zone(notification)
    }
    if let change = ck["met"] {
      var notification = DatabaseNotification(subscriptionID: try text(change, "sid"), databaseScope: try scope(change))
      notification.presentation = presentation
      return .database(notification)
    }
    throw WebServicesFault("'ck' tells of no query, zone or database")
  }

  private static func text(_ json: JSONValue, _ key: String) throws(WebServicesFault) -> String {
    guard let text = json[key]?.string, !text.isEmpty else {
      throw WebServicesFault("'\(key)' must be a string that is not empty")
    }
    return text
  }

  private static func number(_ json: JSONValue, _ key: String, of count: Int) throws(WebServicesFault) -> Int {
    for number in 0..<count where json[key]?.number?.integer == Int64(number + 1) { return number }
    throw WebServicesFault("'\(key)' must be a number from 1 to \(count)")
  }

  private static func scope(_ json: JSONValue) throws(WebServicesFault) -> Database.Scope {
    scopes[try number(json, "dbs", of: scopes.count)]
  }

  private static func zone(_ json: JSONValue) throws(WebServicesFault) -> ZoneID? {
    guard json["zid"] != nil else { return nil }
    let owner = json["zoid"] == nil ? ZoneID.currentUserName : try text(json, "zoid")
    return ZoneID(zoneName: try text(json, "zid"), ownerName: owner)
  }

  /// The arguments of a text; nothing is left out of them, since the text tells them by their places.
  private static func arguments(_ alert: JSONValue?, _ key: String) throws(WebServicesFault) -> [String] {
    guard let value = alert?[key] else { return [] }
    guard let members = value.array, members.allSatisfy({ $0.string != nil }) else {
      throw WebServicesFault("'\(key)' must be an array of strings")
    }
    return members.compactMap(\.string)
  }

  private static func presentation(_ aps: JSONValue) throws(WebServicesFault) -> NotificationPresentation {
    var presentation = NotificationPresentation()
    let alert = aps["alert"]
    presentation.alertBody = alert?.string ?? alert?["body"]?.string
    presentation.alertLocalizationKey = alert?["loc-key"]?.string
    presentation.alertLocalizationArguments = try arguments(alert, "loc-args")
    presentation.title = alert?["title"]?.string
    presentation.titleLocalizationKey = alert?["title-loc-key"]?.string
    presentation.titleLocalizationArguments = try arguments(alert, "title-loc-args")
    presentation.soundName = aps["sound"]?.string
    presentation.category = aps["category"]?.string
    presentation.isContentAvailable = aps["content-available"]?.number?.integer == 1
    presentation.badge = aps["badge"]?.number?.integer.flatMap { Int(exactly: $0) }
    return presentation
  }
}

extension SubscriptionNotification {
  /// The notification as the text of its push payload.
  ///
  /// - Parameter containerID: The container's name, which goes into the payload where it is given.
  /// - Returns: JSON on one line.
  ///
  /// Complexity: linear in its size.
  public func pushPayloadJSON(containerID: String? = nil) -> String {
    PushPayload.write(self, containerID: containerID).text
  }

  /// The notification of a push payload.
  ///
  /// - Throws: `invalidJSON` where the text is no JSON or no such payload.
  ///
  /// Complexity: linear in the text.
  public init(pushPayloadJSON text: String) throws(ZoneQueryError) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONReader.read(text)
    } catch {
      throw ZoneQueryError(.webServices, .invalidJSON, "The push payload is no JSON: \(error.description)")
    }
    do throws(WebServicesFault) {
      self = try PushPayload.read(json)
    } catch {
      throw error.error(in: "The push payload")
    }
  }
}
