internal import ZoneQuery

/// Pages of fifty of 100,000 records in the order of their names, from behind records all over them, with an index on the
/// names. SQLite has its primary key for that, and a row each beside it.
struct NamesSuite {
  static let workload = (
    name: "name-page", summary: "fifty in the order of names, behind some name of 100,000, once a run (ids, records)"
  )
  private static let recordCount = 100_000
  private static let pageSize = 50
  private static let questionCount = 4_096
  private static let type = "Item"

  private let run: BenchmarkRun

  init(_ run: BenchmarkRun) { self.run = run }

  func measure(seed: UInt64) throws {
    guard run.wants(NamesSuite.workload.name) else { return }
    run.note("loading \(Figures.count(NamesSuite.recordCount)) records to be paged by name")
    var random = RandomSource(seed: seed)
    // In no order, as identifiers are.
    let names = (0..<NamesSuite.recordCount).map { "\(String(random.next(), radix: 16))-\($0)" }
    let own = try Own(names)
    let peer = run.options.peer == .none ? nil : try Peer(names)
    let starts = (0..<NamesSuite.questionCount).map { _ in names[Int(random.next() % UInt64(names.count))] }
    let cursors = try own.cursors(behind: starts)
    for variant in Variant.allCases {
      func ours(_ index: Int, _ sink: inout RowSink) throws { try own.page(after: cursors[index], variant, &sink) }
      func theirs(_ index: Int, _ sink: inout RowSink) throws { try peer?.page(behind: starts[index], variant, &sink) }
      var rows = 0
      for index in starts.indices {
        var (found, expected) = (RowSink(.digest), RowSink(.digest))
        try ours(index, &found)
        try theirs(index, &expected)
        rows += found.rows.count
        guard peer == nil || found.rows == expected.rows else {
          throw BenchmarkError(
            "'\(NamesSuite.workload.name)' behind \(starts[index])\n"
              + AnswerComparison.difference(found.rows, expected.rows, names: [ReportResult.ownEngine, "sqlite"]))
        }
      }
      let ways: [(name: String, ask: (Int, inout RowSink) throws -> Void)] =
        [(ReportResult.ownEngine, ours)] + (peer == nil ? [] : [("sqlite", theirs)])
      let competitors = ways.map { way in
        Alternation.Competitor(name: way.name) { range in
          var sink = RowSink(.touch)
          for index in range { try way.ask(index, &sink) }
          blackHole(sink.checksum)
        }
      }
      let timings = try run.alternation(cycle: starts.count).run(competitors)
      let allocations = AllocationCount()
      try competitors[0].run(0..<1)
      run.add(
        ReportResult(
          suite: "query", workload: NamesSuite.workload.name, variant: variant, records: NamesSuite.recordCount,
          timings: zip(competitors, timings).map { (name: $0.name, timing: $1) },
          counters: ["rows": Double(rows) / Double(starts.count), "zonequery.allocations": allocations.since]))
    }
  }

  private static func text(_ name: String) -> String { "what is said of \(name)" }

  private final class Own {
    private let database: Database
    private let prepared: PreparedQuery
    private let text: RecordField

    init(_ names: [String]) throws {
      database = try Database(
        schema: try Schema(
          ckdb: "DEFINE SCHEMA RECORD TYPE \(NamesSuite.type) (\"___recordID\" REFERENCE SORTABLE, text STRING);"))
      try database.load(
        names.lazy.map { name in
          var record = Record(recordType: NamesSuite.type, recordName: name)
          record["text"] = .string(NamesSuite.text(name))
          return record
        })
      prepared = try database.prepare(
        Query(recordType: NamesSuite.type, predicate: .true, sort: [.ascending("recordID")]), inZoneWith: .default)
      text = try database.field("text", ofType: NamesSuite.type)
    }

    /// The cursors of pages that end with some records.
    func cursors(behind names: [String]) throws -> [QueryCursor] {
      let asked = Set(names)
      var cursors: [String: QueryCursor] = [:]
      try prepared.forEachRecord { record throws(ZoneQueryError) in
        let name = record.recordID.recordName
        if asked.contains(name) { cursors[name] = try record.cursor() }
      }
      return try names.map { name in
        guard let cursor = cursors[name] else { throw BenchmarkError("there is no record \(name)") }
        return cursor
      }
    }

    func page(after cursor: QueryCursor, _ variant: Variant, _ sink: inout RowSink) throws {
      try prepared.forEachRecord(resultsLimit: NamesSuite.pageSize, after: cursor) { record in
        record.withRecordName { name in name.withUnsafeBufferPointer { sink.row($0) } }
        if variant == .records { record.withUTF8(text) { text in text.withUnsafeBufferPointer { sink.text($0) } } }
      }
    }
  }

  private final class Peer {
    private let connection: SQLiteConnection
    private let (names, records): (SQLiteStatement, SQLiteStatement)

    init(_ names: [String]) throws {
      let connection = try SQLiteConnection()
      self.connection = connection
      try connection.execute("CREATE TABLE item (name TEXT PRIMARY KEY, text TEXT); BEGIN")
      let insert = try connection.statement("INSERT INTO item VALUES (?1, ?2)")
      for name in names {
        insert.bind(1, copying: name)
        insert.bind(2, copying: NamesSuite.text(name))
        try insert.run()
      }
      try connection.execute("COMMIT; ANALYZE")
      func page(_ columns: String) throws -> SQLiteStatement {
        try connection.statement("SELECT \(columns) FROM item WHERE name > ?1 ORDER BY name LIMIT ?2")
      }
      (self.names, records) = (try page("name"), try page("name, text"))
    }

    func page(behind name: String, _ variant: Variant, _ sink: inout RowSink) throws {
      let statement = variant == .ids ? names : records
      defer { statement.reset() }
      statement.bind(1, copying: name)
      statement.bind(2, Int64(NamesSuite.pageSize))
      while try statement.step() {
        sink.row(statement.text(0))
        if variant == .records { sink.text(statement.text(1)) }
      }
    }
  }
}
