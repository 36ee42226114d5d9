/// Writes the subscription dictionary of CloudKit Web Services.
struct WebServicesSubscriptionWriter {
  /// Tells the types of fields.
  let schema: Schema?
  /// What the predicate means where it stands.
  let options: PredicateOptions

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
    write(
      Query(recordType: subscription.recordType, predicate: subscription.predicate),
      zoneID: subscription.zoneID ?? .default, to: &json)
    json.key("firesOn")
    json.beginArray()
    for (name, event) in WebServicesSubscriptionReader.events where subscription.firesOn.contains(event) {
      json.string(name)
    }
    json.endArray()
    json.member("firesOnce", subscription.firesOnce)
    if let zoneID = subscription.zoneID { json.member("zoneID", zoneID) } else { json.member("zoneWide", true) }
  }

  /// The query with filters; with its predicate's text where there are none that say the same.
  private func write(_ query: Query, zoneID: ZoneID, to json: inout JSONWriter) {
    var mentions = VariableMentions()
    mentions.visit(query.predicate.root)
    // The moment of `now()` is that of the saving, and a negated comparison is not the opposite one where nil is a value.
    if !mentions.mentionsNow, options.missingFields == .excluded {
      do throws(ZoneQueryError) {
        return try query.writeWebServices(to: &json, schema, zoneID: zoneID)
      } catch {
        // Nothing is written then.
      }
    }
    json.beginObject()
    json.member("recordType", query.recordType)
    json.member("predicate", query.predicate.description)
    json.endObject()
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
  /// The subscription dictionary of CloudKit Web Services, on one line: what ``init(webServicesJSON:schema:)`` reads.
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
  /// A predicate that no filters say, one with `now()` among these, stands there as text, under the query's key `predicate`.
  ///
  /// - Parameter schema: Tells the types of fields: what ``Query/webServicesJSON(schema:zoneID:parameters:now:)`` refuses by
  ///   it is written as text.
  /// - Returns: The dictionary.
  /// - Throws: `invalidPredicate` for a predicate with ``QueryPredicate/faults``.
  ///
  /// Complexity: linear in the text.
  public func webServicesJSON(schema: Schema? = nil) throws(ZoneQueryError) -> String {
    if case .query(let query) = self, !query.predicate.faults.isEmpty {
      throw ZoneQueryError(.binding, .invalidPredicate, diagnostics: query.predicate.faults, source: nil)
    }
    var json = JSONWriter()
    WebServicesSubscriptionWriter(schema: schema, options: PredicateOptions()).write(self, to: &json)
    return json.text
  }
}
