/// Writes the query dictionary of CloudKit Web Services, of filters and a sort that JSON can carry.
struct WebServicesQueryWriter {
  let query: Query
  let filters: [WebServicesFilter]
  /// Tells which names are fields' own.
  let type: RecordType?
  /// Writes values, and knows which zone references need not name.
  let values: WebServicesValueWriter

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("recordType", query.recordType)
    if !filters.isEmpty {
      json.key("filterBy")
      json.beginArray()
      for filter in filters { write(filter, to: &json) }
      json.endArray()
    }
    if !query.sort.isEmpty {
      json.key("sortBy")
      json.beginArray()
      for key in query.sort { write(key, to: &json) }
      json.endArray()
    }
    json.endObject()
  }

  private func write(_ filter: WebServicesFilter, to json: inout JSONWriter) {
    json.beginObject()
    json.member("comparator", filter.comparator.name)
    if let key = filter.key { write(name: key, to: &json) }
    json.key("fieldValue")
    var values = values
    // As it is read.
    if let key = filter.key, type?.field(key) == nil, SystemField(key: key)?.isUser == true { values.zoneID = .default }
    values.write(field: filter.value, to: &json)
    if let distance = filter.distance {
      json.key("distance")
      json.double(distance)
    }
    json.endObject()
  }

  private func write(_ key: SortKey, to json: inout JSONWriter) {
    json.beginObject()
    write(name: key.key, to: &json)
    if let origin = key.origin {
      json.key("relativeLocation")
      values.write(origin, to: &json)
    } else {
      json.key("ascending")
      json.bool(key.order == .ascending)
    }
    json.endObject()
  }

  /// A field's name, or a system field's under the key of these.
  private func write(name: String, to json: inout JSONWriter) {
    if type?.field(name) == nil, let system = SystemField(key: name)?.webServicesName {
      json.member("systemFieldName", system)
    } else {
      json.member("fieldName", name)
    }
  }
}

extension Query {
  /// The query dictionary of CloudKit Web Services' `records/query`, for a request to it: what
  /// ``init(webServicesJSON:schema:zoneID:userRecordName:)`` reads.
  ///
  /// ```swift
  /// let query = Query(
  ///   recordType: "Event", predicate: try QueryPredicate(format: "city = %@ AND price BETWEEN {1, 9}", "Seoul"),
  ///   sort: [.descending("start")])
  /// try query.webServicesJSON()
  /// // {"recordType":"Event","filterBy":[
  /// //   {"comparator":"EQUALS","fieldName":"city","fieldValue":{"value":"Seoul","type":"STRING"}},
  /// //   {"comparator":"GREATER_THAN_OR_EQUALS","fieldName":"price","fieldValue":{"value":1,"type":"INT64"}},
  /// //   {"comparator":"LESS_THAN_OR_EQUALS","fieldName":"price","fieldValue":{"value":9,"type":"INT64"}}],
  /// //  "sortBy":[{"fieldName":"start","ascending":false}]}
  /// ```
  ///
  /// Each condition of the predicate becomes a filter, BETWEEN two, and a negated comparison the opposite one, which asks the
  /// same where a comparison with a missing value is false and so is its negation. A distance of no more than some metres is
  /// written as one below the next number, since NEAR has no other. Values have the types of their constants; beside a field
  /// that the schema knows as DOUBLE a whole number has that one.
  ///
  /// - Parameters:
  ///   - schema: Where it is given, type, fields, types and the sort are checked by it.
  ///   - zoneID: The zone that references need not name.
  ///   - parameters: The values of `$name` parameters of the predicate; others are passed over.
  ///   - now: The moment that `now()` stands for; that of the call where nil.
  /// - Returns: The dictionary, on one line: the value of the request's key `query`.
  /// - Throws: `invalidPredicate` with the first twenty faults' places where CloudKit's dialect or the schema refuse the
  ///   predicate or a parameter has no value, and for what no filter asks: `FALSEPREDICATE`, an infinite number, an empty list of a field
  ///   whose type is not known. `unknownRecordType` and `invalidQuery` by the schema, or for an origin with an infinite
  ///   number.
  ///
  /// Complexity: linear in the query and the text.
  ///
  /// Source: CloudKit Web Services Reference, "Fetching Records Using a Query (records/query)" and "Types and Dictionaries".
  public func webServicesJSON(
    schema: Schema? = nil, zoneID: ZoneID = .default, parameters: [String: any PredicateArgument] = [:],
    now: Timestamp? = nil
  ) throws(ZoneQueryError) -> String {
    var json = JSONWriter()
    try writeWebServices(to: &json, schema, zoneID: zoneID, parameters, now: now)
    return json.text
  }

  /// Writes the query dictionary as a part of a text; nothing where it throws.
  package func writeWebServices(
    to json: inout JSONWriter, _ schema: Schema?, zoneID: ZoneID = .default,
    _ parameters: [String: any PredicateArgument] = [:], now: Timestamp? = nil,
    missingFields: PredicateOptions.MissingFields = .excluded
  ) throws(ZoneQueryError) {
    let type = try schema.map { (schema) throws(ZoneQueryError) in try recordType(in: schema) }
    let now = now ?? Database.systemClock()
    let values = Dictionary(
      parameters.map { (ByteKey($0.key), $0.value.predicateArgument) }, uniquingKeysWith: { $1 })
    _ = try Binder.bind(
      predicate, scope: type.map { .recordType($0) } ?? .open(ofRecords: true), options: PredicateOptions(), now: now,
      parameters: values, offersExtended: false)
    let conditions = WebServicesFilters(
      predicate.replacing(values).root, of: type, now: now, missingFields: missingFields)
    if !conditions.faults.isEmpty {
      throw ZoneQueryError(
        .webServices, .invalidPredicate, diagnostics: conditions.faults, source: predicate.source)
    }
    if let type { _ = try SortOrder(sort, type) }
    for key in sort {
      if let fault = key.origin.flatMap({ WebServicesValueWriter.fault(of: .location($0)) }) {
        throw ZoneQueryError(.webServices, .invalidQuery, "The sort by \(key): \(fault.message)")
      }
    }
    WebServicesQueryWriter(
      query: self, filters: conditions.filters, type: type, values: WebServicesValueWriter(zoneID: zoneID)
    ).write(to: &json)
  }
}
