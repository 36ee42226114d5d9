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
  /// The request's keys are `query` (see ``Query/init(webServicesJSON:schema:zoneID:userRecordName:)``), `zoneID`, or `zoneWide` for all
  /// zones (the default zone where neither is given), `resultsLimit` (100 where it is not given, and no more than
  /// ``Limits/itemsPerRequest``), `desiredKeys`, `numbersAsStrings` and `continuationMarker`, the one of the response
  /// before, which goes on where the rest of the request is the same. Other keys are passed over. A record that JSON cannot
  /// carry, as it holds a number that is infinite or NaN, has an error dictionary in its place.
  ///
  /// - Throws: `invalidJSON` with the path to what is wrong, and what
  ///   ``records(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)`` and
  ///   ``records(continuingMatchFrom:desiredKeys:resultsLimit:)`` throw; ``ZoneQueryError/webServicesJSON`` is the response to
  ///   it. `invalidCursor` too where the marker is of another query.
  ///
  /// Complexity: as these, and linear in both texts.
  public func webServicesResponse(toQuery text: String) throws(ZoneQueryError) -> String {
    let request = try WebServicesRequest.Query(text, zonesOf: zoneOwnerName, schema)
    let most = configuration.limits.itemsPerRequest
    if most < 1 { throw WebServicesRequest.surplus(1, "records", most: most) }
    let limit = min(request.resultsLimit, most)
    let page: QueryPage
    if let marker = request.continuationMarker {
      page = try records(
        continuingMatchFrom: cursor(marker, of: request), desiredKeys: request.desiredKeys, resultsLimit: limit)
    } else {
      page = try records(
        matching: request.query, inZoneWith: request.zoneID, desiredKeys: request.desiredKeys, resultsLimit: limit)
    }
    var response = WebServicesResponse(numbersAsStrings: request.numbersAsStrings)
    response.write(page.records.lazy.map { .success(.record($0)) })
    return response.text(continuationMarker: page.cursor?.description)
  }

  /// The cursor that a marker is, of the request's query and zones.
  private func cursor(_ marker: String, of request: WebServicesRequest.Query) throws(ZoneQueryError) -> QueryCursor {
    do throws(ZoneQueryError) {
      let cursor = try QueryCursor(text: marker)
      let content = try content(of: cursor)
      if content.zoneID == request.zoneID, try content.queryAsWritten() == request.query { return cursor }
      throw QueryCursor.invalid("it is of another query, or of other zones")
    } catch {
      throw ZoneQueryError(
        .webServices, error.code, "The request: continuationMarker: \(error.message)",
        hint: "Send it with the query and the zones of the request before, or leave it out to begin again.")
    }
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
  ///   ``Limits/itemsPerRequest`` or ``Limits/itemsPerOperation``.
  ///
  /// Complexity: as ``records(for:desiredKeys:)``, and linear in both texts.
  public func webServicesResponse(toLookup text: String) throws(ZoneQueryError) -> String {
    let request = try WebServicesRequest.Lookup(
      text, zonesOf: zoneOwnerName, most: configuration.limits.itemsPerRequest)
    // Of one moment are all that are fetched together; what each one wants of its fields is left of it then.
    let areAlike = request.records.allSatisfy { areSame($0.desiredKeys, request.records.first?.desiredKeys) }
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
    response.write(found.lazy.map { $0.map { .record($0) } })
    return response.text()
  }

  /// Whether keys are the same, by their bytes.
  private func areSame(_ left: [String]?, _ right: [String]?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.elementsEqual(right, by: sameBytes)
  }

  /// Answers a `records/modify` request of CloudKit Web Services, the JSON of its body, with the JSON of the response.
  ///
  /// ```swift
  /// try database.webServicesResponse(toModify: """
  ///   {"operations": [
  ///     {"operationType": "forceUpdate",
  ///      "record": {"recordName": "keynote", "recordType": "Event", "fields": {"city": {"value": "Suva"}}}},
  ///     {"operationType": "delete", "record": {"recordName": "old", "recordChangeTag": "kc2n0001"}}]}
  ///   """)
  /// // {"records":[{"recordName":"keynote", …},{"recordName":"old","deleted":true}]}
  /// ```
  ///
  /// | `operationType` | what is done |
  /// | --- | --- |
  /// | `create` | The record is saved as a new one; `EXISTS` where it is there, of the same type. |
  /// | `update` | The fields given are written, others stay; `CONFLICT` where the `recordChangeTag` is an older one, `NOT_FOUND` where there is no record. |
  /// | `forceUpdate` | The same whatever the tag; a record that is not there is made. |
  /// | `replace` | The record takes the stored one's place, fields that it lacks go; `CONFLICT` and `NOT_FOUND` as for `update`. |
  /// | `forceReplace` | The same whatever the tag; a record that is not there is made. |
  /// | `delete` | The record is deleted; `CONFLICT` where the tag is an older one, `NOT_FOUND` where there is none. |
  /// | `forceDelete` | The same whatever the tag. |
  ///
  /// `update`, `replace` and `delete` need the record's `recordChangeTag`. A record that is there need not name its type. A
  /// field with a value of null goes. What is saved is saved before anything is deleted, so that it may be gone with what it
  /// refers to; what goes with another record is deleted, whatever its tag. No two operations are of one record. The
  /// request's other keys are `zoneID`, of records that name no zone, `atomic` (a custom zone takes all or none, unless it is
  /// false; the default zone takes each for itself), `desiredKeys`, of the records returned, and `numbersAsStrings`. The
  /// response has a dictionary for each operation: the record as it is stored, that it
  /// was deleted, or an error. Of a record that was saved, numbers are left out that JSON cannot carry, infinite ones.
  ///
  /// - Throws: `invalidJSON` with the path to what is wrong, and then nothing is changed; `limitExceeded` where there are
  ///   more operations than ``Limits/itemsPerRequest`` or ``Limits/itemsPerOperation``.
  ///
  /// Complexity: as ``modify(saving:deleting:policy:atomically:desiredKeys:)``, and linear in both texts.
  public func webServicesResponse(toModify text: String) throws(ZoneQueryError) -> String {
    let request = try WebServicesRequest.Modify(
      text, zonesOf: zoneOwnerName, most: configuration.limits.itemsPerRequest, schema, storedType: storedType)
    let results = try modify(request.modification)
    var response = WebServicesResponse(numbersAsStrings: request.numbersAsStrings)
    response.write(
      request.changes.map { change -> Result<WebServicesResponse.Item, ZoneQueryError> in
        switch change {
        case .save(let index): results.saves[index].map { .saved($0) }
        case .delete(let index): results.deletions[index].map { _ in .deleted(request.modification.deleting[index]) }
        }
      })
    return response.text()
  }

  /// The type of a stored record, of which nobody is told.
  private func storedType(_ id: RecordID) -> String? {
    (try? zone(id.zoneID))?.read { state in
      let place = state.place(of: id.recordName)
      return place.isFound ? state.tables[place.table].layout.recordType.name : nil
    }
  }
}
