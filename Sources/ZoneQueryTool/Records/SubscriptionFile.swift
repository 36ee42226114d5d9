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
  /// not name theirs; `user` is whose zones are their own.
  static func read(
    _ path: String, _ schema: Schema, user: String?, _ console: Console
  ) throws(Stop) -> [Entry] {
    var lines = try ObjectLines(path)
    var entries: [Entry] = []
    var lineOfID: [ByteKey: Int] = [:]
    while let line = try lines.next() {
      let subscription: Subscription
      let predicate: PredicateText?
      do throws(ObjectFault) {
        let reader = ObjectReader(try line.content.get())
        (subscription, predicate) = try self.subscription(reader, "line-\(line.number)", schema, user)
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

  /// A subscription, and the text of its predicate where it has one, which is not read yet.
  private static func subscription(
    _ reader: ObjectReader, _ defaultID: String, _ schema: Schema, _ user: String?
  ) throws(ObjectFault) -> (Subscription, PredicateText?) {
    let query = try reader.reader("query")
    try checkKeys(reader, query)
    let predicate = try query.map { query throws(ObjectFault) in try self.predicate(query) } ?? nil
    if predicate != nil, query?.value("filterBy") != nil {
      throw ObjectFault(
        "the query has a predicate and filters", hint: "write one of \(predicateKey) and \(filtersKey)")
    }
    // The predicate has arguments, too, which are this file's own.
    var object = reader.object
    if var query = query?.object {
      (query["predicate"], query["arguments"]) = (nil, nil)
      object["query"] = .object(query)
    }
    do throws(ZoneQueryError) {
      let subscription = try Subscription(
        webServices: object, schema: schema, defaultID: defaultID, userRecordName: user)
      return (subscription, predicate)
    } catch {
      throw ObjectFault(EngineMessage.message(error, dropping: "The subscription: "), hint: error.hint)
    }
  }

  /// A key that is none of a subscription's is a slip.
  private static func checkKeys(_ reader: ObjectReader, _ query: ObjectReader?) throws(ObjectFault) {
    let common = ["subscriptionID", "subscriptionType", "notificationInfo"]
    switch reader.value("subscriptionType")?.string {
    case "zone": try reader.allow(common + ["zoneID", "recordType"])
    case "database": try reader.allow(common + ["recordType"])
    default:
      try reader.allow(common + ["query", "firesOn", "firesOnce", "zoneID", "zoneWide"])
      try query?.allow(["recordType", "predicate", "arguments", "filterBy"])
    }
    try reader.reader("notificationInfo")?.allow(NotificationInfo.webServicesKeys + ignoredInfo)
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
}

extension Subscription {
  /// The subscription with a predicate, where it is one to a query and there is one.
  fileprivate func asking(_ predicate: QueryPredicate?) -> Subscription {
    guard case .query(var subscription) = self, let predicate else { return self }
    subscription.predicate = predicate
    return .query(subscription)
  }
}
