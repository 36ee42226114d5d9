/// The requests of CloudKit Web Services that a database answers, by what their paths end with.
package enum WebServicesPath: String, Sendable, CaseIterable {
  case query = "records/query"
  case lookup = "records/lookup"
  case modify = "records/modify"
  case zoneChanges = "changes/zone"
  case databaseChanges = "changes/database"
  case zoneList = "zones/list"
  case zoneLookup = "zones/lookup"
  case zoneModify = "zones/modify"
  case subscriptionList = "subscriptions/list"
  case subscriptionLookup = "subscriptions/lookup"
  case subscriptionModify = "subscriptions/modify"
  case caller = "users/caller"
  case currentUser = "users/current"

  /// Whether it has a body.
  package var hasBody: Bool {
    switch self {
    case .zoneList, .subscriptionList, .caller, .currentUser: false
    case .query, .lookup, .modify, .zoneChanges, .databaseChanges, .zoneLookup, .zoneModify, .subscriptionLookup,
      .subscriptionModify:
      true
    }
  }
}

extension Database {
  /// Answers a request of CloudKit Web Services, the JSON of its body, with the JSON of the response.
  ///
  /// ```swift
  /// try database.webServicesResponse(to: "/database/1/iCloud.com.example/production/private/records/lookup",
  ///   body: #"{"records": [{"recordName": "keynote"}]}"#)   // {"records":[{"recordName":"keynote", …}]}
  /// ```
  ///
  /// What the path ends with says which request it is: `records/query`, `records/lookup` or `records/modify`, `changes/zone`
  /// or `changes/database`, `zones/list`, which has no body, `zones/lookup` or `zones/modify`, `subscriptions/list`, which
  /// has none either, `subscriptions/lookup` or `subscriptions/modify`, `users/caller` or `users/current`, which have none.
  /// What stands before it, the container and the database, is passed over, and so is a query behind `?`: whoever serves
  /// several chooses among them. Whose request it is ``acting(as:)`` says.
  ///
  /// - Throws: `invalidQuery` where the path ends with none of them; what the method of the request throws, such as
  ///   ``webServicesResponse(toQuery:)``. ``ZoneQueryError/webServicesJSON`` is the response to it.
  ///
  /// Complexity: that of the request.
  public func webServicesResponse(to path: String, body: String = "") throws(ZoneQueryError) -> String {
    switch try WebServicesPath(endOf: path) {
    case .query: try webServicesResponse(toQuery: body)
    case .lookup: try webServicesResponse(toLookup: body)
    case .modify: try webServicesResponse(toModify: body)
    case .zoneChanges: try webServicesResponse(toZoneChanges: body)
    case .databaseChanges: try webServicesResponse(toDatabaseChanges: body)
    case .zoneList: webServicesResponseToZoneList()
    case .zoneLookup: try webServicesResponse(toZoneLookup: body)
    case .zoneModify: try webServicesResponse(toZoneModify: body)
    case .subscriptionList: webServicesResponseToSubscriptionList()
    case .subscriptionLookup: try webServicesResponse(toSubscriptionLookup: body)
    case .subscriptionModify: try webServicesResponse(toSubscriptionModify: body)
    case .caller: webServicesResponseToCaller()
    case .currentUser: webServicesResponseToCurrentUser()
    }
  }
}

extension WebServicesPath {
  /// The request that a path ends with.
  ///
  /// - Throws: `invalidQuery` where it ends with none.
  fileprivate init(endOf path: String) throws(ZoneQueryError) {
    let bytes = path.utf8.prefix { $0 != UInt8(ascii: "?") }
    let parts = bytes.split(separator: UInt8(ascii: "/")).suffix(2)
    let end = parts.joined(separator: CollectionOfOne(UInt8(ascii: "/")))
    guard let request = WebServicesPath.allCases.first(where: { end.elementsEqual($0.rawValue.utf8) }) else {
      throw ZoneQueryError(
        .webServices, .invalidQuery, "There is no request '\(SyntaxError.excerpt(path))'",
        hint: "The path ends with \(WebServicesPath.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    self = request
  }
}
