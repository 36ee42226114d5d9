/// Writes the subscription dictionary of CloudKit Web Services.
struct WebServicesSubscriptionWriter {
  /// Tells the types of fields.
  let schema: Schema?
  /// What a missing value is where the predicate stands.
  var missingFields = PredicateOptions.MissingFields.excluded

  func write(_ subscription: Subscription, to json: inout JSONWriter) {
    json.beginObject()
    json.member("subscriptionID", subscription.subscriptionID)
    switch subscription {
    case .query(let query):
      json.member("subscriptionType", "query")
      write(query, to: &json)
    case .zone(let zone):
      json.member("subscriptionType", "zone")
      json.member("zoneID", zone.zoneID)
      json.member("recordType", zone.recordType)
    case .database(let database):
      json.member("subscriptionType", "database")
      json.member("recordType", database.recordType)
    }
    if let info = subscription.notificationInfo { write(info, to: &json) }
    json.endObject()
  }

  private func write(_ subscription: QuerySubscription, to json: inout JSONWriter) {
    json.key("query")
    do throws(ZoneQueryError) {
      try writeFilters(of: subscription, to: &json)
    } catch {
      // Nothing is written then. CloudKit does not read such a text.
      json.beginObject()
      json.member("recordType", subscription.recordType)
      json.member("predicate", subscription.predicate.description)
      json.endObject()
    }
    json.key("firesOn")
    json.beginArray()
    for (name, event) in WebServicesSubscriptionReader.events where subscription.firesOn.contains(event) {
      json.string(name)
    }
    json.endArray()
    json.member("firesOnce", subscription.firesOnce)
    if let zoneID = subscription.zoneID { json.member("zoneID", zoneID) } else { json.member("zoneWide", true) }
  }

  /// Writes a subscription's query with filters; nothing where it throws.
  ///
  /// - Throws: Where no filters say the same.
  func writeFilters(of subscription: QuerySubscription, to json: inout JSONWriter) throws(ZoneQueryError) {
    let mentions = VariableMentions(subscription.predicate.root)
    if mentions.mentionsNow {
      throw ZoneQueryError(
        .webServices, .invalidPredicate, "now() in a subscription is the moment it is saved, which no filter asks for",
        hint: "write the moment itself")
    }
    try Query(recordType: subscription.recordType, predicate: subscription.predicate)
      .writeWebServices(to: &json, schema, zoneID: subscription.zoneID ?? .default, missingFields: missingFields)
  }

  private func write(_ info: NotificationInfo, to json: inout JSONWriter) {
    json.key("notificationInfo")
    json.beginObject()
    for (key, path) in NotificationInfo.webServicesTexts { json.member(key, info[keyPath: path]) }
    for (key, path) in NotificationInfo.webServicesLists where !info[keyPath: path].isEmpty {
      json.key(key)
      json.beginArray()
      for text in info[keyPath: path] { json.string(text) }
      json.endArray()
    }
    for (key, path) in NotificationInfo.webServicesFlags where info[keyPath: path] { json.member(key, true) }
    json.endObject()
  }
}

extension Subscription {
  /// The subscription dictionary of CloudKit Web Services, on one line: what
  /// ``init(webServicesJSON:schema:userRecordName:)`` reads.
  ///
  /// ```swift
  /// let subscription = Subscription.query(QuerySubscription(
  ///   recordType: "Event", predicate: try QueryPredicate(format: "tags CONTAINS 'sea'"), subscriptionID: "sea"))
  /// try subscription.webServicesJSON()
  /// // {"subscriptionID":"sea","subscriptionType":"query","query":{"recordType":"Event","filterBy":[
  /// //   {"comparator":"LIST_CONTAINS","fieldName":"tags","fieldValue":{"value":"sea","type":"STRING"}}]},
  /// //  "firesOn":["create","update"],"firesOnce":false,"zoneWide":true}
  /// ```
  ///
  /// - Parameters:
  ///   - schema: Where it is given, a query's type, fields and types are checked by it.
  ///   - predicateAsText: Whether a predicate that no filters say is written as the text of its `predicate`, which this library
  ///     reads and CloudKit does not: for files that keep subscriptions. With `now()` it means the moment when the subscription
  ///     is saved again.
  /// - Returns: The dictionary.
  /// - Throws: Where filters alone are to be written, what ``Query/webServicesJSON(schema:zoneID:parameters:now:)`` throws, and
  ///   `invalidPredicate` for a predicate with `now()`, which is the moment the subscription is saved. With `predicateAsText`
  ///   nothing.
  ///
  /// Complexity: linear in the text.
  public func webServicesJSON(
    schema: Schema? = nil, predicateAsText: Bool = false
  ) throws(ZoneQueryError) -> String {
    let writer = WebServicesSubscriptionWriter(schema: schema)
    if !predicateAsText, case .query(let query) = self {
      // What no filters say is an error here, and not the text that stands in a list.
      var filters = JSONWriter()
      try writer.writeFilters(of: query, to: &filters)
    }
    var json = JSONWriter()
    writer.write(self, to: &json)
    return json.text
  }
}
