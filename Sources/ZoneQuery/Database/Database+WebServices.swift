extension Database {
  /// Answers a `records/query` request of CloudKit Web Services, the JSON of its body, with the JSON of the response.
  ///
  /// ```swift
  /// try database.webServicesResponse(toQuery: """
  ///   {"query": {"recordType": "Event",
  ///              "filterBy": [{"fieldName": "city", "comparator": "EQUALS", "fieldValue": {"value": "Seoul"}}]},
  ///    "resultsLimit": 1, "desiredKeys": ["city"]}
  ///   """)
  /// // {"records":[{"recordName":"keynote", … "fields":{"city":{"value":"Seoul","type":"STRING"}}}],
  /// //  "continuationMarker":"…"}
  /// ```
  ///
  /// The request's keys are `query` (see ``Query/init(webServicesJSON:schema:zoneID:)``), `zoneID`, or `zoneWide` for all
  /// zones (the default zone where neither is given), `resultsLimit` (100 where it is not given, and no more than
  /// ``Limits/recordsPerResponse``), `desiredKeys`, `numbersAsStrings` and `continuationMarker`, the one of the response
  /// before, which goes on where the rest of the request is the same. Other keys are passed over. A record that JSON cannot
  /// carry, as it holds a number that is infinite or NaN, has an error dictionary in its place.
  ///
  /// - Throws: `invalidJSON` with the path to what is wrong, and what ``records(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)``
  ///   and ``records(continuingMatchFrom:desiredKeys:resultsLimit:)`` throw; ``ZoneQueryError/webServicesJSON`` is the
  ///   response to it. `invalidCursor` too where the marker is of another query.
  ///
  /// Complexity: as these, and linear in both texts.
  public func webServicesResponse(toQuery text: String) throws(ZoneQueryError) -> String {
    let request: WebServicesRequest.Query
    let json = try JSONValue(webServices: text)
    do throws(WebServicesFault) {
      request = try WebServicesRequest.Query(json, schema)
    } catch {
      throw error.error(in: "The request")
    }
    let limit = min(request.resultsLimit, configuration.limits.recordsPerResponse)
    let page: QueryPage
    if let marker = request.continuationMarker {
      let cursor = try QueryCursor(text: marker)
      let content = try content(of: cursor)
      guard content.zoneID == request.zoneID, try content.queryAsWritten() == request.query else {
        throw QueryCursor.invalid("it is of another query, or of other zones")
      }
      page = try records(continuingMatchFrom: cursor, desiredKeys: request.desiredKeys, resultsLimit: limit)
    } else {
      page = try records(
        matching: request.query, inZoneWith: request.zoneID, desiredKeys: request.desiredKeys, resultsLimit: limit)
    }
    var response = WebServicesResponse(numbersAsStrings: request.numbersAsStrings)
    response.write(page.records.lazy.map { .success($0) })
    return response.text(continuationMarker: page.cursor?.description)
  }

  /// Answers a `records/lookup` request of CloudKit Web Services, the JSON of its body, with the JSON of the response.
  ///
  /// ```swift
  /// try database.webServicesResponse(toLookup: #"{"records": [{"recordName": "keynote"}, {"recordName": "gone"}]}"#)
  /// // {"records":[{"recordName":"keynote", …},
  /// //             {"recordName":"gone","reason":"There is no record 'gone'","serverErrorCode":"NOT_FOUND","uuid":"…"}]}
  /// ```
  ///
  /// The request's keys are `records`, dictionaries with a `recordName`, and with a `zoneID` and `desiredKeys` where these
  /// are other than the request's own `zoneID` and `desiredKeys`; and `numbersAsStrings`. What is not found has an error
  /// dictionary in its place.
  ///
  /// - Throws: `invalidJSON` with the path to what is wrong; `limitExceeded` where there are more records than
  ///   ``Limits/recordsPerResponse``.
  ///
  /// Complexity: as ``records(for:desiredKeys:)``, and linear in both texts.
  public func webServicesResponse(toLookup text: String) throws(ZoneQueryError) -> String {
    let request: WebServicesRequest.Lookup
    let json = try JSONValue(webServices: text)
    do throws(WebServicesFault) {
      request = try WebServicesRequest.Lookup(json)
    } catch {
      throw error.error(in: "The request")
    }
    let most = configuration.limits.recordsPerResponse
    if request.records.count > most {
      throw ZoneQueryError(
        .database, .limitExceeded, "\(request.records.count) records are more than the \(most) that one response has",
        hint: "split them, or raise Limits.recordsPerResponse")
    }
    // Of one moment are all that are fetched together; what each one wants of its fields is left of it then.
    let areAlike = request.records.allSatisfy { $0.desiredKeys == request.records.first?.desiredKeys }
    var found = try records(
      for: request.records.map(\.id), desiredKeys: areAlike ? request.records.first?.desiredKeys : nil)
    if !areAlike {
      for (index, record) in request.records.enumerated() {
        guard let keys = record.desiredKeys, case .success(var whole) = found[index] else { continue }
        whole.keepFields(keys)
        found[index] = .success(whole)
      }
    }
    var response = WebServicesResponse(numbersAsStrings: request.numbersAsStrings)
    response.write(found)
    return response.text()
  }
}

/// The requests of CloudKit Web Services, as read from their JSON.
private enum WebServicesRequest {
  struct Query {
    let query: ZoneQuery.Query
    let zoneID: ZoneID?
    let resultsLimit: Int
    let desiredKeys: [String]?
    let continuationMarker: String?
    let numbersAsStrings: Bool

    init(_ json: JSONValue, _ schema: Schema) throws(WebServicesFault) {
      let (object, common) = try WebServicesRequest.read(json)
      let isZoneWide = try object.read("zoneWide", WebServicesValueReader().boolean) ?? false
      zoneID = common.zoneID ?? (isZoneWide ? nil : .default)
      (desiredKeys, numbersAsStrings) = (common.desiredKeys, common.numbersAsStrings)
      continuationMarker = try object.read("continuationMarker", WebServicesValueReader().string)
      resultsLimit = try object.read("resultsLimit", WebServicesRequest.limit) ?? 100
      let reader = WebServicesQueryReader(
        schema, zoneID: zoneID ?? .default, numbersAsStrings: common.numbersAsStrings)
      query = try object.require("query", reader.query)
    }
  }

  struct Lookup {
    let records: [(id: RecordID, desiredKeys: [String]?)]
    let numbersAsStrings: Bool

    init(_ json: JSONValue) throws(WebServicesFault) {
      let (object, common) = try WebServicesRequest.read(json)
      numbersAsStrings = common.numbersAsStrings
      let values = WebServicesValueReader()
      records = try object.require("records") { json throws(WebServicesFault) in
        try WebServicesQueryReader.each(json, "an array of records") { record throws(WebServicesFault) in
          let zoneID = try record.read("zoneID", values.zoneID) ?? common.zoneID ?? .default
          let id = RecordID(recordName: try record.require("recordName", values.string), zoneID: zoneID)
          return (id, try record.read("desiredKeys", WebServicesRequest.keys) ?? common.desiredKeys)
        }
      }
    }
  }

  /// What all requests have.
  private static func read(
    _ json: JSONValue
  ) throws(WebServicesFault) -> (
    object: JSONObject, common: (zoneID: ZoneID?, desiredKeys: [String]?, numbersAsStrings: Bool)
  ) {
    guard let object = json.object else { throw .expected("a request dictionary", json) }
    let values = WebServicesValueReader()
    return (
      object,
      (
        try object.read("zoneID", values.zoneID), try object.read("desiredKeys", keys),
        try object.read("numbersAsStrings", values.boolean) ?? false
      )
    )
  }

  private static func keys(_ json: JSONValue) throws(WebServicesFault) -> [String] {
    guard let members = json.array else { throw .expected("an array of field names", json) }
    return try WebServicesFault.each(members, WebServicesValueReader().string)
  }

  private static func limit(_ json: JSONValue) throws(WebServicesFault) -> Int {
    guard let limit = json.number?.exactInteger.flatMap({ Int(exactly: $0) }), limit >= 1 else {
      throw .expected("a whole number from 1", json)
    }
    return limit
  }
}

/// A response of CloudKit Web Services, as it is written.
private struct WebServicesResponse {
  private var json = JSONWriter()
  private let numbersAsStrings: Bool

  init(numbersAsStrings: Bool) {
    self.numbersAsStrings = numbersAsStrings
    json.beginObject()
  }

  /// Writes the records, and error dictionaries in place of those that there are none of.
  mutating func write(_ records: some Sequence<Result<Record, ZoneQueryError>>) {
    json.key("records")
    json.beginArray()
    for result in records {
      do throws(ZoneQueryError) {
        try result.get().write(webServicesTo: &json, numbersAsStrings: numbersAsStrings)
      } catch {
        error.write(webServicesTo: &json)
      }
    }
    json.endArray()
  }

  /// The whole text.
  mutating func text(continuationMarker: String? = nil) -> String {
    json.member("continuationMarker", continuationMarker)
    json.endObject()
    return json.text
  }
}
