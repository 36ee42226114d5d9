extension Database {
  /// Answers a `changes/zone` request of CloudKit Web Services, the JSON of its body, with the JSON of the response.
  ///
  /// ```swift
  /// try database.webServicesResponse(toZoneChanges: #"{"zones": [{"zoneID": {"zoneName": "notes"}}]}"#)
  /// // {"zones":[{"zoneID":{"zoneName":"notes"},"syncToken":"…","moreComing":false,"records":[{"recordName":"todo", …}]}]}
  /// ```
  ///
  /// The request's keys are `zones`, dictionaries with a `zoneID`, and with the `syncToken` of the response before; and
  /// `resultsLimit`, `desiredKeys`, `desiredRecordTypes` and `numbersAsStrings`, which a zone's dictionary may have too, for
  /// itself. No two dictionaries are of one zone. The response has a dictionary for each zone: its `records`, those that were
  /// deleted behind the others, with `deleted` and their `recordType`; the `syncToken` to go on from; and whether there is
  /// `moreComing`. What is asked of the default zone, of one that is not there or with a token that cannot be used has an error
  /// dictionary in its place.
  ///
  /// A `reason` that begins with `syncToken:` says that the token cannot be used, as it has expired or is another's: then
  /// everything is to be fetched, without one. (CloudKit has no code of its own for it; both are `BAD_REQUEST`.) A record that
  /// was deleted and is there again under a type that is not among the `desiredRecordTypes` is not told.
  ///
  /// No more records than ``Limits/itemsPerRequest`` are returned for all zones together. A zone that there is no room for
  /// has none, the token that it was given, if it was, and `moreComing`, and is not looked at, whether or not it is there. Changes in the `reverse` order are refused.
  ///
  /// - Throws: `invalidJSON` with the path to what is wrong; `limitExceeded` where there are more zones than
  ///   ``Limits/itemsPerRequest``.
  ///
  /// Complexity: as ``recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)`` for each zone, and linear in both texts.
  public func webServicesResponse(toZoneChanges text: String) throws(ZoneQueryError) -> String {
    let request = try WebServicesRequest.ZoneChanges(
      text, zonesOf: zoneOwnerName, most: configuration.limits.itemsPerRequest)
    let soleZone = request.zones.count == 1 ? request.zones[0].zoneID : nil
    return try telling(DatabaseEvent(.fetchChanges, zoneID: soleZone)) { outcome throws(ZoneQueryError) in
      var room = configuration.limits.itemsPerRequest
      let zones = request.zones.map { zone in
        let result = Result { () throws(ZoneQueryError) -> RecordZoneChanges? in
          try withSyncToken(zone.syncToken) { (token) throws(ZoneQueryError) -> RecordZoneChanges? in
            if room == 0 { return nil }
            return try changes(
              zone.zoneID, since: token, zone.desiredKeys, limit: min(zone.resultsLimit, room),
              of: zone.desiredRecordTypes)
          }
        }
        if case .success(let changes?) = result { room -= changes.count }
        return (zone, result)
      }
      outcome.note(zones.map(\.1))
      outcome.returned = configuration.limits.itemsPerRequest - room
      var response = WebServicesResponse()
      response.write(zones)
      return response.text()
    }
  }

  /// Answers a `changes/database` request of CloudKit Web Services, the JSON of its body, with the JSON of the response.
  ///
  /// ```swift
  /// try database.webServicesResponse(toDatabaseChanges: "{}")
  /// // {"zones":[{"zoneID":{"zoneName":"notes"}}],"syncToken":"…","moreComing":false}
  /// ```
  ///
  /// The request's keys are `syncToken`, the one of the response before, and `resultsLimit`, ``Limits/itemsPerRequest`` at
  /// most. The response has the zones that changed since; those that were deleted have `deleted`.
  ///
  /// - Throws: `invalidJSON` with the path to what is wrong, and what ``databaseChanges(since:resultsLimit:)`` throws.
  ///
  /// Complexity: as ``databaseChanges(since:resultsLimit:)``, and linear in both texts.
  public func webServicesResponse(toDatabaseChanges text: String) throws(ZoneQueryError) -> String {
    let request = try WebServicesRequest.DatabaseChanges(text, zonesOf: zoneOwnerName)
    let most = configuration.limits.itemsPerRequest
    if most < 1 { throw WebServicesRequest.surplus(1, "zones", most: most) }
    return try telling(DatabaseEvent(.fetchChanges)) { outcome throws(ZoneQueryError) in
      let changes = try withSyncToken(request.syncToken) { (token) throws(ZoneQueryError) -> DatabaseChanges in
        try self.changes(behind: token, limit: min(request.resultsLimit ?? most, most))
      }
      outcome.returned = changes.count
      var response = WebServicesResponse()
      response.write(changes)
      return response.text()
    }
  }

  /// Calls `body` with the token of a request; what is wrong with it is said in the request's words.
  private func withSyncToken<Result>(
    _ text: String?, _ body: (ChangeToken?) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result {
    do throws(ZoneQueryError) {
      return try body(try text.map { (text: String) throws(ZoneQueryError) in try ChangeToken(text: text) })
    } catch {
      guard error.code == .invalidChangeToken || error.code == .changeTokenExpired else { throw error }
      throw ZoneQueryError(
        .webServices, error.code, "syncToken: \(error.message)",
        hint: "Leave it out to fetch everything.")
    }
  }
}
