extension Database {
  /// Answers a `zones/list` request of CloudKit Web Services, which has no body, with the JSON of the response.
  ///
  /// ```swift
  /// database.webServicesResponseToZoneList()
  /// // {"zones":[{"zoneID":{"zoneName":"_defaultZone"},"atomic":false},
  /// //           {"zoneID":{"zoneName":"notes"},"syncToken":"…","atomic":true}]}
  /// ```
  ///
  /// Each zone's dictionary has whether the zone takes all of a batch or none, and, of a custom one, the `syncToken` that
  /// changes from now on come behind. Complexity: linear in the zones, which are sorted.
  public func webServicesResponseToZoneList() -> String {
    var response = WebServicesResponse()
    let zones = zones.sorted { $0.id.precedesByOwner($1.id) }
    response.write(zones.map { ($0.id, .success(item(of: $0))) })
    return response.text()
  }

  /// Answers a `zones/lookup` request of CloudKit Web Services, the JSON of its body, with the JSON of the response.
  ///
  /// ```swift
  /// try database.webServicesResponse(toZoneLookup: #"{"zones": [{"zoneName": "notes"}, {"zoneName": "gone"}]}"#)
  /// // {"zones":[{"zoneID":{"zoneName":"notes"},"syncToken":"…","atomic":true},
  /// //           {"zoneID":{"zoneName":"gone"},"reason":"There is no zone 'gone'","serverErrorCode":"ZONE_NOT_FOUND",…}]}
  /// ```
  ///
  /// The request's key is `zones`, an array of dictionaries with a `zoneName`, and an `ownerRecordName` where the owner is
  /// another user. The response has a dictionary for each: see ``webServicesResponseToZoneList()``.
  ///
  /// - Throws: `invalidJSON` with the path to what is wrong; `limitExceeded` where there are more zones than
  ///   ``Limits/itemsPerRequest``.
  ///
  /// Complexity: linear in both texts.
  public func webServicesResponse(toZoneLookup text: String) throws(ZoneQueryError) -> String {
    let request = try WebServicesRequest.ZoneLookup(
      text, zonesOf: zoneOwnerName, most: configuration.limits.itemsPerRequest)
    var response = WebServicesResponse()
    response.write(
      request.zones.map { id in
        (id, Result { () throws(ZoneQueryError) in item(of: try zone(id)) })
      })
    return response.text()
  }

  private func item(of zone: Zone) -> WebServicesResponse.ZoneItem {
    .zone(zone.read { $0.tracksChanges ? token(of: $0) : nil }, isAtomic: !zone.id.isDefault)
  }

  /// Answers a `zones/modify` request of CloudKit Web Services, the JSON of its body, with the JSON of the response.
  ///
  /// ```swift
  /// try database.webServicesResponse(toZoneModify: """
  ///   {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "notes"}}},
  ///                   {"operationType": "delete", "zone": {"zoneID": {"zoneName": "drafts"}}}]}
  ///   """)
  /// // {"zones":[{"zoneID":{"zoneName":"notes"},"syncToken":"…","atomic":true},
  /// //           {"zoneID":{"zoneName":"drafts"},"deleted":true}]}
  /// ```
  ///
  /// The request's key is `operations`; each creates a zone, or deletes one with all its records, in the order given. One that
  /// is created and there already is left as it is, as `CKModifyRecordZonesOperation` has it. No two operations are of one
  /// zone. The response has a dictionary for each: the zone (see ``webServicesResponseToZoneList()``), that it was `deleted`, or
  /// an error.
  ///
  /// - Throws: `invalidJSON` with the path to what is wrong, and then nothing is changed; `limitExceeded` where there are more
  ///   operations than ``Limits/itemsPerRequest``.
  ///
  /// Complexity: as ``createZone(_:)`` and ``deleteZone(_:)``, and linear in both texts.
  public func webServicesResponse(toZoneModify text: String) throws(ZoneQueryError) -> String {
    let request = try WebServicesRequest.ZoneModify(
      text, zonesOf: zoneOwnerName, most: configuration.limits.itemsPerRequest)
    var response = WebServicesResponse()
    response.write(
      request.changes.map { (operation, id) in
        let result = Result { () throws(ZoneQueryError) -> WebServicesResponse.ZoneItem in
          switch operation {
          case .create:
            if id.isDefault { return item(of: try zone(id)) }
            return try telling(DatabaseEvent(.createZone, zoneID: id)) { _ throws(ZoneQueryError) in
              item(of: try makeZone(id).zone)
            }
          case .delete:
            try deleteZone(id)
            return .deleted
          }
        }
        return (id, result)
      })
    return response.text()
  }
}
