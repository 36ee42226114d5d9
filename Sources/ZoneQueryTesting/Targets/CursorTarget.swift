internal import ZoneQuery

/// What must hold of cursors from outside: those that a database did not tag it refuses; behind those that it did, whatever
/// they say, come records that match the query they name, each once, and an end.
struct CursorTarget {
  private let database: Database
  /// The bytes of a cursor of each kind before their tags.
  let contents: [[UInt8]]
  private let recordCount: Int

  private static let cursorKey = [UInt8](1...16)
  private static let tagLength = 16
  static let sample = try? CursorTarget()

  /// Pages of a few queries over records that are always the same.
  private init() throws(ZoneQueryError) {
    var configuration = Database.Configuration()
    configuration.cursorKey = CursorTarget.cursorKey
    configuration.clock = { SampleType.now }
    database = try Database(schema: Schema([SampleType.type]), configuration: configuration)
    var random = SeededRandom(seed: 5)
    recordCount = try database.load(RecordGenerator(recordType: SampleType.type).records(60, &random))
    let queries: [(format: String, zone: ZoneID?, sort: [SortKey])] = [
      ("TRUEPREDICATE", nil, []), ("age BETWEEN {0, 3}", ZoneID(zoneName: "A"), []),
      ("TRUEPREDICATE", nil, [.ascending("name")]),
      ("age >= 0", nil, [.descending("price"), .ascending("age")]),
      ("price >= 0", nil, [.distance("Location", from: Location(latitude: 1, longitude: 2))]),
      ("start <= now()", nil, [.descending("owner"), .ascending("recordID")]),
      ("TRUEPREDICATE", ZoneID.default, [.ascending("city"), .descending("creationDate")]),
    ]
    var contents: [[UInt8]] = []
    for query in queries {
      let asked = Query(recordType: "Thing", predicate: try QueryPredicate(format: query.format), sort: query.sort)
      let page = try database.records(matching: asked, inZoneWith: query.zone, resultsLimit: 1)
      if let cursor = page.cursor { contents.append(cursor.data.dropLast(CursorTarget.tagLength)) }
    }
    self.contents = contents
  }

  /// Checks bytes as they are, and under the database's own tag: those that begin like a cursor as its contents, others as
  /// changes of one that the database made.
  static func check(_ bytes: [UInt8]) throws(OracleFailure) {
    guard let sample, !sample.contents.isEmpty else { throw OracleFailure("the records to page through do not load") }
    if let cursor = try? QueryCursor(data: bytes) { try sample.expectRefusal(of: cursor) }
    if let cursor = QueryCursor(String(decoding: bytes, as: UTF8.self)) { try sample.expectRefusal(of: cursor) }
    let content =
      bytes.starts(with: "ZQC".utf8)
      ? bytes
      : FuzzTarget.changed(sample.contents[Int(bytes.first ?? 0) % sample.contents.count], by: bytes.dropFirst())
    if let cursor = QueryCursor(tagging: content, cursorKey: cursorKey) { _ = try sample.walk(cursor) }
  }

  private func expectRefusal(of cursor: QueryCursor) throws(OracleFailure) {
    try FuzzTarget.require(QueryCursor(cursor.description) == cursor, "\(cursor) is another cursor when read")
    do throws(ZoneQueryError) {
      _ = try database.records(continuingMatchFrom: cursor)
    } catch {
      return try FuzzTarget.require(error.code == .invalidCursor, "\(cursor) is refused as \(error.code)")
    }
    throw OracleFailure("\(cursor) is taken, and was not tagged")
  }

  /// Goes on from a cursor to the end; returns how many records came.
  func walk(_ cursor: QueryCursor) throws(OracleFailure) -> Int {
    var matching: Set<RecordID>?
    if let query = cursor.query, !query.predicate.description.contains("now()"),
      let answer = try? database.records(matching: query, resultsLimit: .max)
    {
      matching = Set(answer.records.map(\.recordID))
    }
    var found: Set<RecordID> = []
    var next: QueryCursor? = cursor
    while let cursor = next {
      guard let page = try? database.records(continuingMatchFrom: cursor, resultsLimit: 7) else { return found.count }
      try FuzzTarget.require(page.records.count <= 7, "a page of 7 has \(page.records.count) records")
      for record in page.records {
        let id = record.recordID
        try FuzzTarget.require(found.insert(id).inserted, "\(id) comes twice behind \(cursor)")
        try FuzzTarget.require(matching?.contains(id) ?? true, "\(id) comes behind \(cursor), and does not match")
      }
      next = page.cursor
      try FuzzTarget.require(next == nil || !page.records.isEmpty, "an empty page goes on")
    }
    return found.count
  }

  /// Goes on from the sample's own cursor of a number.
  func walk(_ number: Int) throws(OracleFailure) -> Int {
    guard let cursor = QueryCursor(tagging: contents[number], cursorKey: CursorTarget.cursorKey) else {
      throw OracleFailure("cursor \(number) does not read")
    }
    return try walk(cursor)
  }
}
