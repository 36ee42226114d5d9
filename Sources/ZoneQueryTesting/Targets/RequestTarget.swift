internal import PredicateSyntax
internal import ZoneQuery

/// Requests of CloudKit Web Services, as a byte fuzzer changes them.
enum RequestTarget {
  static func check(_ bytes: [UInt8]) throws(OracleFailure) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try? WebServicesRecords(webServicesJSON: text)
    guard let database = try? database() else { throw OracleFailure("the sample database cannot be made") }
    let found = try answer("query", text) { () throws(ZoneQueryError) in try database.webServicesResponse(toQuery: text)
    }
    if let found { try compare(found, with: text) }
    _ = try answer("lookup", text) { () throws(ZoneQueryError) in try database.webServicesResponse(toLookup: text) }
    _ = try answer("zone changes", text, "zones") { () throws(ZoneQueryError) in
      try database.webServicesResponse(toZoneChanges: text)
    }
    _ = try answer("database changes", text, "zones") { () throws(ZoneQueryError) in
      try database.webServicesResponse(toDatabaseChanges: text)
    }
    _ = try answer("zone lookup", text, "zones") { () throws(ZoneQueryError) in
      try database.webServicesResponse(toZoneLookup: text)
    }
    _ = try answer("zone modify", text, "zones") { () throws(ZoneQueryError) in
      try database.webServicesResponse(toZoneModify: text)
    }
    _ = try answer("subscription lookup", text, "subscriptions") { () throws(ZoneQueryError) in
      try database.webServicesResponse(toSubscriptionLookup: text)
    }
    if try answer(
      "subscription modify", text, "subscriptions",
      { () throws(ZoneQueryError) in
        try database.webServicesResponse(toSubscriptionModify: text)
      }) != nil
    {
      try readAgain(database)
    }
    _ = try answer("modify", text) { () throws(ZoneQueryError) in try database.webServicesResponse(toModify: text) }
  }

  private static func database() throws(ZoneQueryError) -> Database {
    var configuration = Database.Configuration()
    configuration.clock = { SampleType.now }
    let database = try Database(schema: Schema([SampleType.type]), configuration: configuration)
    try database.load(SampleType.records)
    return database
  }

  /// The response's JSON, which has an array under a key; nil where the request is refused.
  private static func answer(
    _ what: String, _ text: String, _ key: String = "records", _ body: () throws(ZoneQueryError) -> String
  ) throws(OracleFailure) -> JSONValue? {
    let response: String
    do throws(ZoneQueryError) {
      response = try body()
    } catch {
      try FuzzTarget.require(!error.message.utf8.isEmpty, "an error without words")
      let json = try? JSONReader.read(error.webServicesJSON)
      try FuzzTarget.require(json?["serverErrorCode"]?.string != nil, "the error is no JSON: \(error.webServicesJSON)")
      return nil
    }
    guard let json = try? JSONReader.read(response), let items = json[key]?.array else {
      throw OracleFailure("the response to the \(what) is no JSON, or has no \(key): \(response)")
    }
    try FuzzTarget.require(items.count <= 200, "the response to the \(what) has \(items.count) \(key)")
    if key != "subscriptions" { try readAgain(response) }
    return json
  }

  /// A response reads as what it tells.
  private static func readAgain(_ response: String) throws(OracleFailure) {
    do throws(ZoneQueryError) {
      _ = try WebServicesRecords(webServicesJSON: response, schema: Schema([SampleType.type]))
    } catch {
      throw OracleFailure("\(response) does not read: \(error)")
    }
  }

  /// What is listed of the subscriptions reads as subscriptions that are listed so.
  private static func readAgain(_ database: Database) throws(OracleFailure) {
    let list = try? JSONReader.read(database.webServicesResponseToSubscriptionList())
    guard let items = list?["subscriptions"]?.array else { throw OracleFailure("the list of subscriptions is no JSON") }
    for item in items {
      let written: String
      do throws(ZoneQueryError) {
        let read = try Subscription(webServicesJSON: item.text, schema: database.schema)
        written = try read.webServicesJSON(schema: database.schema)
      } catch {
        throw OracleFailure("\(item.text) does not read: \(error)")
      }
      try FuzzTarget.require(written.utf8.elementsEqual(item.text.utf8), "\(item.text) became \(written)")
    }
  }

  /// A query that was answered is written as one that reads as it.
  private static func writeAgain(_ query: Query) throws(OracleFailure) {
    let (json, read): (String, Query)
    do throws(ZoneQueryError) {
      json = try query.webServicesJSON(schema: Schema([SampleType.type]))
      read = try Query(webServicesJSON: json, schema: Schema([SampleType.type]))
    } catch {
      // No one type holds all of a list's numbers.
      let isMixed = error.diagnostics.contains { $0.message.utf8.contains("numbers with a fraction".utf8) }
      return try FuzzTarget.require(isMixed, "\(query.predicate) does not go into filters and back: \(error)")
    }
    try FuzzTarget.require(read == query, "\(query) became \(read) by \(json)")
  }

  /// Compares the records of a response with those that the naive evaluator says its query is about.
  private static func compare(_ response: JSONValue, with text: String) throws(OracleFailure) {
    // A zone is that of the filters' references too, and numbers in strings are the request's own.
    guard let request = try? JSONReader.read(text), request["zoneID"]?.isNull != false,
      request["numbersAsStrings"]?.bool != true
    else { return }
    guard let json = request["query"],
      let query = try? Query(webServicesJSON: json.text, schema: Schema([SampleType.type]))
    else { throw OracleFailure("the query was answered, and does not read by itself: \(text)") }
    try writeAgain(query)
    let predicate = query.predicate
    let found = response["records"]?.array?.compactMap { $0["recordName"]?.string } ?? []
    let evaluator = NaiveEvaluator(recordType: SampleType.type, options: PredicateOptions(), now: SampleType.now)
    let isAll = response["continuationMarker"] == nil && request["continuationMarker"] == nil
    let isWide = request["zoneWide"]?.bool == true
    for record in SampleType.records {
      let isFound = found.contains { sameBytes($0, record.recordID.recordName) }
      let truth = evaluator.truth(of: predicate.root, for: record)
      let isAsked = isWide || record.recordID.zoneID.isDefault
      if isFound {
        try FuzzTarget.require(truth == .yes || truth == .undecided, "\(predicate) finds \(record.recordID)")
      }
      if !isFound, isAll, isAsked {
        try FuzzTarget.require(truth != .yes, "\(predicate) misses \(record.recordID)")
      }
    }
  }
}
