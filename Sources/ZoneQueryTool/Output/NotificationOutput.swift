internal import ZoneQuery

/// How notifications are written.
enum NotificationFormat: Sendable {
  case jsonl
  case payload
}

/// Writes notifications, one object a line.
struct NotificationOutput {
  let format: NotificationFormat

  /// The line of a notification: `line` is that of the change it tells of, `file` the change's where there are several.
  func line(_ notification: SubscriptionNotification, ofLine line: Int, file: String?) throws(Stop) -> String {
    switch format {
    case .payload: return notification.pushPayloadJSON()
    case .jsonl:
      var object = JSONObject()
      if let file { object.append("file", .string(file)) }
      object.append("line", .integer(Int64(line)))
      object.append("subscriptionID", .string(notification.subscriptionID))
      switch notification {
      case .query(let query): try append(query, to: &object)
      case .zone(let zone):
        object.append("subscriptionType", "zone")
        object.append("zoneID", Self.zone(zone.zoneID))
      case .database: object.append("subscriptionType", "database")
      }
      Self.append(notification.presentation, to: &object)
      return JSONValue.object(object).text
    }
  }

  private func append(_ query: QueryNotification, to object: inout JSONObject) throws(Stop) {
    object.append("subscriptionType", "query")
    object.append("reason", .string(query.reason.rawValue))
    if let hasEntered = query.hasEntered { object.append("hasEntered", .bool(hasEntered)) }
    object.append("recordName", .string(query.recordID.recordName))
    if !query.recordID.zoneID.isDefault { object.append("zoneID", Self.zone(query.recordID.zoneID)) }
    if query.recordFields.isEmpty { return }
    var record = Record(recordType: "Record", recordID: query.recordID)
    for (name, value) in query.recordFields.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      record[name] = value
    }
    do throws(ZoneQueryError) {
      object.append("recordFields", try record.webServicesDictionary()["fields"] ?? .null)
    } catch {
      throw .failed(EngineMessage.text(error, at: "zonequery", record: query.recordID))
    }
  }

  private static func zone(_ id: ZoneID) -> JSONValue {
    var object = JSONObject([("zoneName", .string(id.zoneName))])
    if !Spelling.isSame(id.ownerName, ZoneID.currentUserName) {
      object.append("ownerRecordName", .string(id.ownerName))
    }
    return .object(object)
  }

  /// What is shown, under the names of a subscription's notificationInfo.
  private static func append(_ presentation: NotificationPresentation, to object: inout JSONObject) {
    func append(_ key: String, _ text: String?) { if let text { object.append(key, .string(text)) } }
    func append(_ key: String, _ texts: [String]) {
      if !texts.isEmpty { object.append(key, .array(texts.map { .string($0) })) }
    }
    append("title", presentation.title)
    append("titleLocalizationKey", presentation.titleLocalizationKey)
    append("titleLocalizationArgs", presentation.titleLocalizationArguments)
    append("alertBody", presentation.alertBody)
    append("alertLocalizationKey", presentation.alertLocalizationKey)
    append("alertLocalizationArgs", presentation.alertLocalizationArguments)
    append("soundName", presentation.soundName)
    append("category", presentation.category)
    if let badge = presentation.badge { object.append("badge", .integer(Int64(badge))) }
    if presentation.isContentAvailable { object.append("contentAvailable", true) }
  }
}
