import Testing

@testable import ZoneQuery

/// What the article "Running a database" does and says.
struct RunningADatabaseTests {
  private static let text = """
    DEFINE SCHEMA RECORD TYPE Session (
      "___recordID" REFERENCE QUERYABLE, title STRING SEARCHABLE, city STRING QUERYABLE SORTABLE,
      start TIMESTAMP QUERYABLE SORTABLE);
    """

  @Test func theArticle() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    configuration.indexPolicy = .required
    let lines = Locked<[String]>([])
    configuration.instrumentation = Instrumentation(slowerThan: .zero) { event in
      lines.withLock { $0.append("\(event.operation) \(event.outcome.error?.code.description ?? "")") }
    }
    let database = try Database(schema: try Schema(ckdb: Self.text), configuration: configuration)
    let trip = ZoneID(zoneName: "Trip")
    try database.createZone(trip)
    var session = Record(recordType: "Session", recordName: "keynote", zoneID: trip)
    session["title"] = "Maps of the sea"
    let first = session
    session = try database.save(session)
    session["title"] = "Maps of all seas"
    session = try database.save(session)
    #expect(session.changeTag != nil && session.string("title") == "Maps of all seas")
    expectFailure(.serverRecordChanged) { try database.save(first) }

    var records = (0..<30).map { number in
      var record = Record(recordType: "Session", recordName: "r\(number)", zoneID: trip)
      record["city"] = number % 2 == 0 ? "Suva" : "Oslo"
      record["start"] = .timestamp(Timestamp(milliseconds: Int64(number) * 1_000))
      return record
    }
    records.append(first)
    #expect(try database.save(records).allSatisfy { if case .failure = $0 { true } else { false } })
    #expect(throws: ZoneQueryError.self) { try database.save(records).map { try $0.get() } }
    #expect(try database.count(recordType: "Session") == 1)
    let texts = try records.dropLast().map { try $0.webServicesJSON }
    let read = try texts.map { line in try Record(webServicesJSON: line, schema: database.schema) }
    #expect(try database.load(read) == 30)
    #expect(database.memory.liveBytes > 1_000 && database.memory.heldBytes == 0)

    let query = Query(
      recordType: "Session", predicate: try QueryPredicate(format: "city = 'Suva' OR city = 'Oslo'"),
      sort: [.ascending("start")])
    var page = try database.records(matching: query, resultsLimit: 20)
    var count = page.records.count
    while let cursor = page.cursor {
      page = try database.records(continuingMatchFrom: cursor, resultsLimit: 20)
      count += page.records.count
    }
    #expect(count == 30)

    let prepared = try database.prepare(
      Query(
        recordType: "Session", predicate: try QueryPredicate(format: "city = $city"), sort: [.descending("start")]))
    let city = try prepared.field("city")
    var bytes = 0
    try prepared.forEachRecord(["city": "Suva"], resultsLimit: 50) { record in
      record.withUTF8(city) { bytes += $0.count }
    }
    #expect(bytes == 15 * 4)

    try database.addIndex(IndexDefinition(recordType: "Session", keys: ["city", "start"]))
    let narrow = Query(
      recordType: "Session", predicate: try QueryPredicate(format: "city = 'Suva'"), sort: [.ascending("start")])
    #expect(try database.explain(narrow, resultsLimit: 20).description.contains("index walk (city, start)"))
    #expect(!query.predicate.description.isEmpty)
    #expect(
      Set(lines.withLock { $0 }) == [
        "createZone ", "modify ", "modify serverRecordChanged", "load ", "query ", "addIndex ",
      ])
  }

  @Test func placesAndOrdersAreReadable() {
    let here = Location(latitude: -18.1348, longitude: 178.4232)
    #expect("\(here)" == "-18.1348,178.4232")
    let keys: [SortKey] = [.descending("start"), .distance("place", from: here)]
    #expect("\(keys)" == "[start descending, place by distance from -18.1348,178.4232]")
  }

  /// Slips are told by what was meant.
  @Test func slipsAreTold() throws {
    let database = try Database(schema: try Schema(ckdb: Self.text))
    func hint(_ body: () throws -> Void) -> String? {
      do {
        try body()
        return "no error"
      } catch {
        return (error as? ZoneQueryError)?.hint
      }
    }
    let all = try QueryPredicate(format: "TRUEPREDICATE")
    #expect(
      hint { _ = try database.count(matching: Query(recordType: "Sesion", predicate: all)) }
        == "Did you mean 'Session'?")
    #expect(
      hint { try database.addIndex(IndexDefinition(recordType: "Session", keys: ["cty"])) } == "Did you mean 'city'?")
    #expect(
      hint { try database.addIndex(IndexDefinition(recordType: "Event", keys: ["city"])) }
        == "the record types are Session")
    var record = Record(recordType: "Session", recordName: "r")
    record["tittle"] = "Maps"
    #expect(hint { try database.save(record) } == "Did you mean 'title'?")
    #expect(hint { try database.save(Record(recordType: "session", recordName: "r")) } == "Did you mean 'Session'?")
    // System fields can stand in an index.
    for (key, said) in [
      ("id", "Did you mean 'recordID'?"), ("creationdate", "Names are case-sensitive; did you mean 'creationDate'?"),
    ] { #expect(hint { try database.addIndex(IndexDefinition(recordType: "Session", keys: [key])) } == said) }
    try database.addIndex(IndexDefinition(recordType: "Session", keys: ["recordID"]))
    var own = record
    own["creationDate"] = 3
    #expect(throws: ZoneQueryError.self) { try database.save(own) }
    // What cannot stand there is not proposed.
    for key in ["created", "id"] {
      var record = Record(recordType: "Session", recordName: "r")
      record[key] = 3
      #expect(hint { try database.save(record) } == "Its fields are title, city, start.")
    }
    let query = Query(recordType: "Session", predicate: try QueryPredicate(format: "city = $c"))
    do {
      _ = try database.records(matching: query, parameters: ["$c": "Suva"])
      Issue.record("taken")
    } catch {
      #expect(error.description.contains("by its name without the $"))
    }
    // What searches nothing is not found by its negation.
    try database.save(Record(recordType: "Session", recordName: "silent"))
    let search = try QueryPredicate(format: "NOT (allTokens TOKENMATCHES[cdl] 'sea')")
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    for missing in [PredicateOptions.MissingFields.excluded, .likeNSPredicate] {
      configuration.predicateOptions.missingFields = missing
      let other = try Database(schema: try Schema(ckdb: Self.text), configuration: configuration)
      try other.save(Record(recordType: "Session", recordName: "silent"))
      let count = try other.count(matching: Query(recordType: "Session", predicate: search))
      #expect(count == (missing == .excluded ? 0 : 1))
    }
  }
}
