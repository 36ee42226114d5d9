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

  static func write(_ notification: SubscriptionNotification, containerID: String?, to json: inout JSONWriter) {
    json.beginObject()
    json.key("aps")
    write(notification.presentation, to: &json)
    json.key("ck")
    json.beginObject()
    json.member("ce", 2)
    json.member("cid", containerID)
    switch notification {
    case .query(let query): write(query, to: &json)
    case .zone(let zone):
      json.key("fet")
      json.beginObject()
      write(zone.zoneID, to: &json)
      write(zone.databaseScope, zone.subscriptionID, to: &json)
      json.endObject()
    case .database(let database):
      json.key("met")
      json.beginObject()
      write(database.databaseScope, database.subscriptionID, to: &json)
      json.endObject()
    }
    json.endObject()
    json.endObject()
  }

  private static func write(_ query: QueryNotification, to json: inout JSONWriter) {
    let fields = query.recordFields.filter { WebServicesValueWriter.fault(of: $0.value) == nil }
    if query.isPruned || fields.count < query.recordFields.count { json.member("p", 1) }
    json.key("qry")
    json.beginObject()
    json.member("rid", query.recordID.recordName)
    json.member("fo", reasons.firstIndex(of: query.reason).map { Int64($0 + 1) })
    json.member("ent", query.hasEntered)
    write(query.recordID.zoneID, to: &json)
    write(query.databaseScope, query.subscriptionID, to: &json)
    if !fields.isEmpty {
      let writer = WebServicesValueWriter(zoneID: query.recordID.zoneID)
      json.key("af")
      json.beginObject()
      for (name, value) in fields.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        json.key(name)
        writer.write(field: value, to: &json)
      }
      json.endObject()
    }
    json.endObject()
  }

  private static func write(_ zone: ZoneID, to json: inout JSONWriter) {
    json.member("zid", zone.zoneName)
    json.member("zoid", zone.ownerName)
  }

  private static func write(_ scope: Database.Scope, _ subscriptionID: String, to json: inout JSONWriter) {
    json.member("dbs", scopes.firstIndex(of: scope).map { Int64($0 + 1) })
    json.member("sid", subscriptionID)
  }

  private static func write(_ presentation: NotificationPresentation, to json: inout JSONWriter) {
    json.beginObject()
    let texts = [
      ("title", presentation.title), ("title-loc-key", presentation.titleLocalizationKey),
      ("body", presentation.alertBody), ("loc-key", presentation.alertLocalizationKey),
    ]
    let lists = [
      ("title-loc-args", presentation.titleLocalizationArguments),
      ("loc-args", presentation.alertLocalizationArguments),
    ]
    if texts.contains(where: { $0.1 != nil }) || lists.contains(where: { !$0.1.isEmpty }) {
      json.key("alert")
      json.beginObject()
      for (key, text) in texts { json.member(key, text) }
      for (key, arguments) in lists where !arguments.isEmpty {
        json.key(key)
        json.beginArray()
        for argument in arguments { json.string(argument) }
        json.endArray()
      }
      json.endObject()
    }
    json.member("badge", presentation.badge.map(Int64.init))
    json.member("sound", presentation.soundName)
    json.member("category", presentation.category)
    if presentation.isContentAvailable { json.member("content-available", 1) }
    json.endObject()
  }

  // MARK: Reading

  static func read(
    _ payload: JSONValue, userRecordName: String?
  ) throws(WebServicesFault) -> SubscriptionNotification {
    guard let ck = payload["ck"] else {
      throw WebServicesFault("there is no 'ck'", hint: "only CloudKit's payloads are read")
    }
    let presentation = try payload["aps"].map(presentation) ?? NotificationPresentation()
    if let change = ck["qry"] {
      let reason = try number(change, "fo", of: reasons.count)
      let zoneID = try zone(change, userRecordName) ?? .default
      var query = QueryNotification(
        subscriptionID: try text(change, "sid"), reason: reasons[reason],
        recordID: RecordID(recordName: try text(change, "rid"), zoneID: zoneID), databaseScope: try scope(change))
      query.hasEntered = change["ent"]?.bool
      query.isPruned = ck["p"].map { !$0.isNull && $0.number?.integer != 0 && $0.bool != false } ?? false
      query.presentation = presentation
      let reader = WebServicesValueReader(zoneID: zoneID, userRecordName: userRecordName)
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
        subscriptionID: try text(change, "sid"), zoneID: try zone(change, userRecordName) ?? .default,
        databaseScope: try scope(change))
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

  private static func zone(_ json: JSONValue, _ user: String?) throws(WebServicesFault) -> ZoneID? {
    guard json["zid"] != nil else { return nil }
    let owner = json["zoid"] == nil ? nil : try text(json, "zoid")
    return ZoneID(webServicesName: try text(json, "zid"), owner: owner, user: user)
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
    var json = JSONWriter()
    PushPayload.write(self, containerID: containerID, to: &json)
    return json.text
  }

  /// The notification of a push payload.
  ///
  /// - Parameters:
  ///   - text: The payload: a dictionary with `ck` and, where something is shown, `aps`.
  ///   - userRecordName: The record name of the user whose own zones CloudKit names by it; those are read as the current
  ///     user's.
  /// - Throws: `invalidJSON` where the text is no JSON or no such payload.
  ///
  /// Complexity: linear in the text.
  public init(pushPayloadJSON text: String, userRecordName: String? = nil) throws(ZoneQueryError) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONReader.read(text)
    } catch {
      throw ZoneQueryError(.webServices, .invalidJSON, "The push payload is no JSON: \(error.description)")
    }
    do throws(WebServicesFault) {
      self = try PushPayload.read(json, userRecordName: userRecordName)
    } catch {
      throw error.error(in: "The push payload")
    }
  }
}
