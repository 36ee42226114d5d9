// The requests about zones, and about what changed in them.

extension WebServicesRequest {
  /// A `changes/zone` request.
  struct ZoneChanges {
    struct Zone {
      let zoneID: ZoneID
      let syncToken: String?
      let resultsLimit: Int
      let desiredKeys: Set<ByteKey>?
      let desiredRecordTypes: Set<ByteKey>?
      let numbersAsStrings: Bool
    }

    let zones: [Zone]

    /// Reads a request of so many zones, and so many records, at most.
    init(_ text: String, zonesOf user: String, most: Int) throws(ZoneQueryError) {
      self = try WebServicesRequest.read(text, zonesOf: user, most: most, of: "zones") {
        object, common throws(WebServicesFault) in
        try ZoneChanges(object, common, most)
      }
    }

    private init(_ object: JSONObject, _ common: Common, _ most: Int) throws(WebServicesFault) {
      let values = common.values()
      let limit = try object.read("resultsLimit", WebServicesRequest.limit) ?? most
      let types = try object.read("desiredRecordTypes", ZoneChanges.names)
      // Those of the request are the same set for all zones.
      let keys = common.desiredKeys.map { Set($0.map(ByteKey.init)) }
      try ZoneChanges.checkOrder(object)
      var named: Set<ZoneID> = []
      zones = try object.require("zones") { json throws(WebServicesFault) in
        try WebServicesQueryReader.each(json, "an array of zones") { zone throws(WebServicesFault) in
          try ZoneChanges.checkOrder(zone)
          let zoneID = try zone.require("zoneID", values.zoneID)
          if !named.insert(zoneID).inserted {
            throw WebServicesFault("an entry before is of the same zone", hint: "Ask for each zone once.")
          }
          return Zone(
            zoneID: zoneID,
            syncToken: try zone.read("syncToken", values.string),
            resultsLimit: try zone.read("resultsLimit", WebServicesRequest.limit) ?? limit,
            desiredKeys: try zone.read("desiredKeys", ZoneChanges.names) ?? keys,
            desiredRecordTypes: try zone.read("desiredRecordTypes", ZoneChanges.names) ?? types,
            numbersAsStrings: try zone.read("numbersAsStrings", values.boolean) ?? common.numbersAsStrings)
        }
      }
    }

    private static func names(_ json: JSONValue) throws(WebServicesFault) -> Set<ByteKey> {
      Set(try WebServicesRequest.names(json).map(ByteKey.init))
    }

    private static func checkOrder(_ object: JSONObject) throws(WebServicesFault) {
      if try object.read("reverse", WebServicesValueReader().boolean) == true {
        throw WebServicesFault(
          "changes come in their own order, the oldest first", hint: "Leave out \"reverse\", or write false.")
      }
    }
  }

  /// A `changes/database` request.
  struct DatabaseChanges {
    let syncToken: String?
    let resultsLimit: Int?

    init(_ text: String, zonesOf user: String) throws(ZoneQueryError) {
      self = try WebServicesRequest.read(text, zonesOf: user) { object, _ throws(WebServicesFault) in
        try DatabaseChanges(object)
      }
    }

    private init(_ object: JSONObject) throws(WebServicesFault) {
      syncToken = try object.read("syncToken", WebServicesValueReader().string)
      resultsLimit = try object.read("resultsLimit", WebServicesRequest.limit)
    }
  }

  /// A `zones/lookup` request.
  struct ZoneLookup {
    let zones: [ZoneID]

    /// Reads a request of so many zones at most.
    init(_ text: String, zonesOf user: String, most: Int) throws(ZoneQueryError) {
      zones = try WebServicesRequest.read(text, zonesOf: user, most: most, of: "zones") {
        object, common throws(WebServicesFault) in
        try object.require("zones") { json throws(WebServicesFault) in
          guard let members = json.array else { throw .expected("an array of zones", json) }
          return try WebServicesFault.each(members, common.values().zoneID)
        }
      }
    }
  }

  /// A `zones/modify` request.
  struct ZoneModify {
    enum Operation: String, CaseIterable {
      case create, delete
    }

    let changes: [(operation: Operation, zoneID: ZoneID)]

    /// Reads a request of so many operations at most.
    init(_ text: String, zonesOf user: String, most: Int) throws(ZoneQueryError) {
      changes = try WebServicesRequest.operations(text, zonesOf: user, most: most, on: "zone") {
        (operation: Operation, zone, values) throws(WebServicesFault) in
        let zoneID = try zone.require("zoneID", values.zoneID)
        return (zoneID, (operation, zoneID))
      }
    }
  }
}
