extension Database {
  /// Answers a `subscriptions/list` request of CloudKit Web Services, which has no body, with the JSON of the response.
  ///
  /// ```swift
  /// database.webServicesResponseToSubscriptionList()
  /// // {"subscriptions":[{"subscriptionID":"sea","subscriptionType":"query","query":{"recordType":"Event", …}, …}]}
  /// ```
  ///
  /// The subscriptions come in the order of their IDs, each as ``Subscription/webServicesJSON(schema:predicateAsText:)`` has it. A predicate
  /// that no filters say, one with `now()` among these, stands there as text, under the query's key `predicate`, which
  /// CloudKit has not. Complexity: linear in the text; they are sorted.
  public func webServicesResponseToSubscriptionList() -> String {
    var response = WebServicesResponse()
    response.write(subscriptions().map { ($0.subscriptionID, .success($0)) }, subscriptionWriter)
    return response.text()
  }

  /// Answers a `subscriptions/lookup` request of CloudKit Web Services, the JSON of its body, with the JSON of the response.
  ///
  /// ```swift
  /// try database.webServicesResponse(toSubscriptionLookup: #"{"subscriptions": [{"subscriptionID": "gone"}]}"#)
  /// // {"subscriptions":[{"subscriptionID":"gone","reason":"There is no subscription 'gone'",
  /// //                    "serverErrorCode":"NOT_FOUND",…}]}
  /// ```
  ///
  /// The request's key is `subscriptions`, an array of dictionaries with a `subscriptionID`. The response has a dictionary
  /// for each.
  ///
  /// - Throws: `invalidJSON` with the path to what is wrong; `limitExceeded` where there are more than
  ///   ``Limits/itemsPerRequest``.
  ///
  /// Complexity: linear in both texts.
  public func webServicesResponse(toSubscriptionLookup text: String) throws(ZoneQueryError) -> String {
    let request = try WebServicesRequest.SubscriptionLookup(
      text, zonesOf: zoneOwnerName, most: configuration.limits.itemsPerRequest)
    var response = WebServicesResponse()
    response.write(
      request.ids.map { id in
        (id, Result { () throws(ZoneQueryError) -> Subscription? in try subscription(for: id) })
      }, subscriptionWriter)
    return response.text()
  }

  /// Answers a `subscriptions/modify` request of CloudKit Web Services, the JSON of its body, with the JSON of the response.
  ///
  /// ```swift
  /// try database.webServicesResponse(toSubscriptionModify: """
  ///   {"operations": [
  ///     {"operationType": "create", "subscription": {"subscriptionID": "sea", "query": {"recordType": "Event"}}},
  ///     {"operationType": "delete", "subscription": {"subscriptionID": "old"}}]}
  ///   """)
  /// // {"subscriptions":[{"subscriptionID":"sea","subscriptionType":"query", …},{"subscriptionID":"old","deleted":true}]}
  /// ```
  ///
  /// The request's key is `operations`. Each creates a subscription (`EXISTS` where there is one of its ID, or, to a query,
  /// one that asks the same), updates one, which takes the place of that with its ID, of whatever kind, or deletes one
  /// (`NOT_FOUND` where there is none), in the order given. The dictionaries are those that
  /// ``Subscription/init(webServicesJSON:schema:userRecordName:)`` reads; one that is created and names no ID has a fresh UUID, and
  /// of one that is deleted the `subscriptionID` alone is read. No two operations are of one subscription. The response has
  /// a dictionary for each: the subscription, that it was `deleted`, or an error.
  ///
  /// - Throws: `invalidJSON` with the path to what is wrong, and then nothing is changed; `limitExceeded` where there are
  ///   more operations than ``Limits/itemsPerRequest``.
  ///
  /// Complexity: as ``save(_:)-(Subscription)`` and ``deleteSubscription(withID:)``, and linear in both texts.
  public func webServicesResponse(toSubscriptionModify text: String) throws(ZoneQueryError) -> String {
    let request = try WebServicesRequest.SubscriptionModify(
      text, zonesOf: zoneOwnerName, schema, most: configuration.limits.itemsPerRequest)
    var response = WebServicesResponse()
    response.write(
      request.changes.map { change in
        let result = Result { () throws(ZoneQueryError) -> Subscription? in
          switch change {
          case .save(let subscription, let rule):
            try save(subscription, rule)
            return subscription
          case .delete(let id):
            try deleteSubscription(withID: id)
            return nil
          }
        }
        return (change.subscriptionID, result)
      }, subscriptionWriter)
    return response.text()
  }

  private var subscriptionWriter: WebServicesSubscriptionWriter {
    WebServicesSubscriptionWriter(schema: schema, missingFields: configuration.predicateOptions.missingFields)
  }
}
