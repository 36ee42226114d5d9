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
      var json = JSONWriter()
      json.beginObject()
      json.member("file", file)
      json.member("line", Int64(line))
      json.member("subscriptionID", notification.subscriptionID)
      switch notification {
      case .query(let query): try Self.write(query, to: &json)
      case .zone(let zone):
        json.member("subscriptionType", "zone")
        json.member("zoneID", zone.zoneID)
      case .database: json.member("subscriptionType", "database")
      }
      Self.write(notification.presentation, to: &json)
      json.endObject()
      return json.text
    }
  }

  private static func write(_ query: QueryNotification, to json: inout JSONWriter) throws(Stop) {
    json.member("subscriptionType", "query")
    json.member("reason", query.reason.rawValue)
    json.member("hasEntered", query.hasEntered)
    json.members(of: query.recordID)
    if query.recordFields.isEmpty { return }
    var record = Record(recordType: "Record", recordID: query.recordID)
    for (name, value) in query.recordFields.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      record[name] = value
    }
    json.key("recordFields")
    do throws(ZoneQueryError) {
      try record.write(webServicesFieldsTo: &json)
    } catch {
      throw .failed(EngineMessage.text(error, at: "zonequery", record: query.recordID))
    }
  }

  /// What is shown, under the names of a subscription's notificationInfo.
  private static func write(_ presentation: NotificationPresentation, to json: inout JSONWriter) {
    func write(_ key: String, _ texts: [String]) {
      if texts.isEmpty { return }
      json.key(key)
      json.beginArray()
      for text in texts { json.string(text) }
      json.endArray()
    }
    json.member("title", presentation.title)
    json.member("titleLocalizationKey", presentation.titleLocalizationKey)
    write("titleLocalizationArgs", presentation.titleLocalizationArguments)
    json.member("alertBody", presentation.alertBody)
    json.member("alertLocalizationKey", presentation.alertLocalizationKey)
    write("alertLocalizationArgs", presentation.alertLocalizationArguments)
    json.member("soundName", presentation.soundName)
    json.member("category", presentation.category)
    json.member("badge", presentation.badge.map(Int64.init))
    if presentation.isContentAvailable { json.member("contentAvailable", true) }
  }
}
