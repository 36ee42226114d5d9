internal import ZoneQuery

/// Reads files of subscriptions: a dictionary a line, as CloudKit Web Services has them; the predicate may stand in the query
/// as text, too.
///
///     {"subscriptionID": "sea", "query": {"recordType": "Session", "predicate": "tags CONTAINS 'sea'"},
///      "firesOn": ["create", "update"], "notificationInfo": {"alertBody": "News", "additionalFields": ["title"]}}
struct SubscriptionFile {
  /// A subscription and where it was read.
  struct Entry {
    let subscription: Subscription
    /// File and line, as messages have them.
    let place: String
    /// Where the predicate stands.
    let predicateKey: String
  }

  /// All subscriptions of a file; each must have an ID of its own. The schema tells the types of values in filters that do
  /// not name theirs.
  static func read(_ path: String, _ schema: Schema, _ console: Console) throws(Stop) -> [Entry] {
    var lines = try ObjectLines(path)
    var entries: [Entry] = []
    var lineOfID: [ByteKey: Int] = [:]
    while let line = try lines.next() {
      let subscription: Subscription
      let predicate: PredicateText?
      do throws(ObjectFault) {
        let reader = ObjectReader(try line.content.get())
        (subscription, predicate) = try self.subscription(reader, "line-\(line.number)", schema)
        if let other = lineOfID.updateValue(line.number, forKey: ByteKey(subscription.subscriptionID)) {
          let id = Printable.excerpt(subscription.subscriptionID)
          throw ObjectFault("the subscriptionID '\(id)' is that of line \(other) too")
        }
      } catch {
        throw .failed(error.text(at: line.place))
      }
      let read = try predicate?.parse(
        "\(line.place): \(predicateKey)", arguments: "\(line.place): \(argumentsKey)", console)
      entries.append(
        Entry(
          subscription: subscription.asking(read), place: line.place,
          predicateKey: predicate == nil ? filtersKey : predicateKey))
    }
    if entries.isEmpty { throw .failed("\(lines.fileName): there is no subscription in the file") }
    return entries
  }

  /// Where a subscription's predicate stands, and where the values of it.
  static let predicateKey = "query.predicate"
  static let filtersKey = "query.filterBy"
  static let argumentsKey = "query.arguments"

  private enum Kind {
    case query, zone, database
  }

  private static let kinds: [(name: String, value: Kind)] = [
    ("query", .query), ("zone", .zone), ("database", .database),
  ]

  private static let events: [(name: String, value: QuerySubscription.Events)] = [
    ("create", .creation), ("update", .update), ("delete", .deletion), ("leave", .leaving),
  ]

  /// A subscription, and the text of its predicate, which is not read yet.
  private static func subscription(
    _ reader: ObjectReader, _ defaultID: String, _ schema: Schema
  ) throws(ObjectFault) -> (Subscription, PredicateText?) {
    let kind = try reader.choice("subscriptionType", kinds) ?? .query
    let id = try reader.text("subscriptionID") ?? defaultID
    let common = ["subscriptionID", "subscriptionType", "notificationInfo"]
    let info = try reader.reader("notificationInfo").map { reader throws(ObjectFault) in try self.info(reader) }
    switch kind {
    case .query:
      try reader.allow(common + ["query", "firesOn", "firesOnce", "zoneID", "zoneWide"])
      guard let query = try reader.reader("query") else { throw ObjectFault("the key query is missing") }
      try query.allow(["recordType", "predicate", "arguments", "filterBy"])
      guard let type = try query.text("recordType") else { throw ObjectFault("the key query.recordType is missing") }
      let events = try reader.choices("firesOn", events)?.reduce(into: QuerySubscription.Events()) { $0.formUnion($1) }
      let zone = try reader.zone("zoneID")
      if zone != nil, try reader.flag("zoneWide") { throw ObjectFault("zoneWide is of all zones, zoneID of one") }
      let subscription = QuerySubscription(
        recordType: type, predicate: try filters(query, zone, schema), subscriptionID: id,
        firesOn: events ?? [.creation, .update],
        firesOnce: try reader.flag("firesOnce"), zoneID: zone, notificationInfo: info)
      return (.query(subscription), try predicate(query))
    case .zone:
      try reader.allow(common + ["zoneID", "recordType"])
      guard let zone = try reader.zone("zoneID") else { throw ObjectFault("the key zoneID is missing") }
      let type = try reader.text("recordType")
      return (
        .zone(ZoneSubscription(zoneID: zone, subscriptionID: id, recordType: type, notificationInfo: info)), nil
      )
    case .database:
      try reader.allow(common + ["recordType"])
      let type = try reader.text("recordType")
      return (.database(DatabaseSubscription(subscriptionID: id, recordType: type, notificationInfo: info)), nil)
    }
  }

  /// The predicate of a query's filters, that of all records where it has none.
  private static func filters(
    _ query: ObjectReader, _ zone: ZoneID?, _ schema: Schema
  ) throws(ObjectFault) -> QueryPredicate {
    if query.value("filterBy") == nil { return .true }
    if query.value("predicate") != nil {
      throw ObjectFault(
        "the query has a predicate and filters", hint: "write one of \(predicateKey) and \(filtersKey)")
    }
    do throws(ZoneQueryError) {
      let text = JSONValue.object(query.object).text
      return try Query(webServicesJSON: text, schema: schema, zoneID: zone ?? .default).predicate
    } catch {
      throw ObjectFault(EngineMessage.text(error, at: "query", dropping: "The query: "))
    }
  }

  private static func predicate(_ query: ObjectReader) throws(ObjectFault) -> PredicateText? {
    guard let format = try query.text("predicate") else {
      if query.value("arguments") != nil { throw ObjectFault("\(argumentsKey) are of use with \(predicateKey) only") }
      return nil
    }
    guard let arguments = query.value("arguments") else { return PredicateText(format, FormatArguments()) }
    do throws(ZoneQueryError) {
      return PredicateText(format, try FormatArguments(webServices: arguments))
    } catch {
      throw ObjectFault(EngineMessage.text(error, at: argumentsKey, dropping: "The arguments: "))
    }
  }

  /// The keys of a notification's info that say nothing here: those of an app's own files.
  private static let ignoredInfo = ["alertActionLocalizationKey", "alertLaunchImage"]

  private static func info(_ reader: ObjectReader) throws(ObjectFault) -> NotificationInfo {
    var info = NotificationInfo()
    info.alertBody = try reader.text("alertBody")
    info.alertLocalizationKey = try reader.text("alertLocalizationKey")
    info.alertLocalizationArguments = try reader.texts("alertLocalizationArgs") ?? []
    info.title = try reader.text("title")
    info.titleLocalizationKey = try reader.text("titleLocalizationKey")
    info.titleLocalizationArguments = try reader.texts("titleLocalizationArgs") ?? []
    info.soundName = try reader.text("soundName")
    info.shouldBadge = try reader.flag("shouldBadge")
    info.shouldSendContentAvailable = try reader.flag("shouldSendContentAvailable")
    info.category = try reader.text("category")
    info.desiredKeys = try reader.texts("additionalFields") ?? []
    try reader.allow(
      [
        "alertBody", "alertLocalizationKey", "alertLocalizationArgs", "title", "titleLocalizationKey",
        "titleLocalizationArgs", "soundName", "shouldBadge", "shouldSendContentAvailable", "category",
        "additionalFields",
      ] + ignoredInfo)
    return info
  }
}

extension Subscription {
  /// The subscription with a predicate, where it is one to a query and there is one.
  fileprivate func asking(_ predicate: QueryPredicate?) -> Subscription {
    guard case .query(var subscription) = self, let predicate else { return self }
    subscription.predicate = predicate
    return .query(subscription)
  }
}
