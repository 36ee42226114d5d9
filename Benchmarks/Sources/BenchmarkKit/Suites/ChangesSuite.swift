internal import PredicateSyntax
internal import ZoneQuery

/// What changed in a zone of 100,000 records since somebody asked: nothing, a hundred records saved and deleted, all of them
/// in pages, read in place; and the hundred as values. The peer keeps a number of the last change with each record, under an
/// index, and a table of what was deleted; that of the values is what reads them in place.
struct ChangesSuite {
  static let workloads = [
    (name: "changes-none", summary: "what changed since a moment, where nothing did"),
    (name: "changes-100", summary: "90 records saved and 10 deleted since a moment"),
    (name: "changes-all", summary: "all 100,000 records of a zone, in pages of 400"),
    (name: valuesWorkload, summary: "changes-100 as values, against reading them in place"),
  ]
  private static let valuesWorkload = "changes-values"
  private static let recordCount = 100_000
  private static let pageSize = 400
  private static let zone = ZoneID(zoneName: "changes")
  private static let type = "Item"

  private let run: BenchmarkRun

  init(_ run: BenchmarkRun) { self.run = run }

  func measure() throws {
    guard ChangesSuite.workloads.contains(where: { run.wants($0.name) }) else { return }
    run.note("loading \(Figures.count(ChangesSuite.recordCount)) records whose changes are tracked")
    let own = try Own()
    let peer = run.options.peer == .none ? nil : try Peer()
    let (first, peersFirst) = (try own.end(), try peer?.end() ?? 0)
    for number in 0..<100 {
      let name = ChangesSuite.name(number * 977)
      try number % 10 == 9 ? own.delete(name) : own.save(name)
      try number % 10 == 9 ? peer?.delete(name) : peer?.save(name)
    }
    let (last, peersLast) = (try own.end(), try peer?.end() ?? 0)
    for variant in Variant.allCases {
      /// Who reads the changes since a moment into a sink.
      func ours(_ token: ChangeToken?) -> Asked {
        Asked(name: ReportResult.ownEngine) { try own.changes(since: token, variant, into: &$0) }
      }
      func sqlite(_ since: Int64?) -> Asked? {
        peer.map { peer in Asked(name: "sqlite") { try peer.changes(since: since, variant, into: &$0) } }
      }
      try measure("changes-none", variant, ours(last), sqlite(peersLast), changes: 0)
      try measure("changes-100", variant, ours(first), sqlite(peersFirst), changes: 100)
      try measure("changes-all", variant, ours(nil), sqlite(nil), changes: ChangesSuite.recordCount - 10)
      let values = Asked(name: ReportResult.ownEngine) { try own.values(since: first, variant, into: &$0) }
      let inPlace = Asked(name: "in-place", read: ours(first).read)
      try measure(ChangesSuite.valuesWorkload, variant, values, inPlace, changes: 100)
    }
    run.addSetup(
      "sqlite changes",
      ["a table of records with the number of the last change, under an index, and a table of deletions by number"])
  }

  /// Who is asked.
  private struct Asked {
    let name: String
    let read: (inout RowSink) throws -> Void

    /// What it tells, whole.
    func rows() throws -> [ResultRow] {
      var sink = RowSink(.digest)
      try read(&sink)
      return sink.rows
    }
  }

  private func measure(
    _ workload: String, _ variant: Variant, _ own: Asked, _ peer: Asked?, changes: Int
  ) throws {
    guard run.wants(workload) else { return }
    let found = try own.rows()
    guard found.count == changes else {
      throw BenchmarkError("'\(workload)' tells \(found.count) changes of \(changes)")
    }
    if let peer, try peer.rows() != found { throw BenchmarkError("'\(workload)' and what \(peer.name) tells differ") }
    let competitors = ([own] + (peer.map { [$0] } ?? [])).map { asked in
      Alternation.Competitor(name: asked.name) { range in
        var sink = RowSink(.touch)
        for _ in range { try asked.read(&sink) }
        blackHole(sink.checksum)
      }
    }
    let timings = try run.alternation(cycle: 1).run(competitors)
    let allocations = AllocationCount()
    try competitors[0].run(0..<1)
    run.add(
      ReportResult(
        suite: "query", workload: workload, variant: variant, records: ChangesSuite.recordCount,
        timings: zip(competitors, timings).map { (name: $0.name, timing: $1) },
        counters: ["rows": Double(changes), "zonequery.allocations": allocations.since]))
  }

  private static func name(_ number: Int) -> String { "item-\(number)" }

  /// A database with one custom zone.
  private final class Own {
    private let database: Database
    private let text: RecordField

    init() throws {
      database = try Database()
      try database.createZone(ChangesSuite.zone)
      try database.load((0..<ChangesSuite.recordCount).lazy.map { Own.record(ChangesSuite.name($0)) })
      text = try database.field("text", ofType: ChangesSuite.type)
    }

    private static func record(_ name: String) -> Record {
      var record = Record(recordType: ChangesSuite.type, recordName: name, zoneID: ChangesSuite.zone)
      record["text"] = .string("what is said of \(name)")
      return record
    }

    func save(_ name: String) throws { try database.save(Own.record(name), policy: .replace) }

    func delete(_ name: String) throws {
      try database.deleteRecord(withID: RecordID(recordName: name, zoneID: ChangesSuite.zone))
    }

    func end() throws -> ChangeToken {
      try database.recordZoneChanges(inZoneWith: ChangesSuite.zone, resultsLimit: .max).changeToken
    }

    func changes(since token: ChangeToken?, _ variant: Variant, into sink: inout RowSink) throws {
      var token = token
      while true {
        let end = try database.forEachRecordZoneChange(
          inZoneWith: ChangesSuite.zone, since: token, resultsLimit: ChangesSuite.pageSize
        ) { record in
          record.withRecordName { name in name.withUnsafeBufferPointer { sink.row($0) } }
          if variant == .records {
            record.withUTF8(text) { text in text.withUnsafeBufferPointer { sink.text($0) } }
          }
        } deleted: { deletion in
          Own.add(deletion.recordID, to: &sink)
        }
        if !end.moreComing { return }
        token = end.changeToken
      }
    }

    /// The same as values.
    func values(since token: ChangeToken?, _ variant: Variant, into sink: inout RowSink) throws {
      let changes = try database.recordZoneChanges(
        inZoneWith: ChangesSuite.zone, since: token, desiredKeys: variant == .ids ? [] : nil,
        resultsLimit: ChangesSuite.pageSize)
      for record in changes.records {
        Own.add(record.recordID, to: &sink)
        if variant == .records, var text = record.string("text") { text.withUTF8 { sink.text($0) } }
      }
      for deletion in changes.deletions { Own.add(deletion.recordID, to: &sink) }
    }

    private static func add(_ id: RecordID, to sink: inout RowSink) {
      var name = id.recordName
      name.withUTF8 { sink.row($0) }
    }
  }

  /// The same in SQLite.
  private final class Peer {
    private let connection: SQLiteConnection
    private var number: Int64 = 0
    /// What changed behind a number: names, whole records, and what was deleted.
    private let (names, records, gone): (SQLiteStatement, SQLiteStatement, SQLiteStatement)

    init() throws {
      let connection = try SQLiteConnection()
      self.connection = connection
      try connection.execute(
        "CREATE TABLE item (name TEXT PRIMARY KEY, text TEXT, change INTEGER); CREATE INDEX byChange ON item (change);"
          + "CREATE TABLE gone (change INTEGER PRIMARY KEY, name TEXT)")
      func changes(_ columns: String, of table: String) throws -> SQLiteStatement {
        try connection.statement("SELECT \(columns) FROM \(table) WHERE change > ?1 ORDER BY change LIMIT ?2")
      }
      names = try changes("name, change", of: "item")
      records = try changes("name, change, text", of: "item")
      gone = try changes("name, change", of: "gone")
      try connection.execute("BEGIN")
      for number in 0..<ChangesSuite.recordCount { try save(ChangesSuite.name(number)) }
      try connection.execute("COMMIT")
    }

    func save(_ name: String) throws {
      number += 1
      let statement = try connection.statement("INSERT OR REPLACE INTO item VALUES (?1, ?2, ?3)")
      statement.bind(1, copying: name)
      statement.bind(2, copying: "what is said of \(name)")
      statement.bind(3, number)
      try statement.run()
    }

    func delete(_ name: String) throws {
      number += 1
      for sql in ["DELETE FROM item WHERE name = ?1", "INSERT INTO gone VALUES (?2, ?1)"] {
        let statement = try connection.statement(sql)
        statement.bind(1, copying: name)
        if sql.hasPrefix("INSERT") { statement.bind(2, number) }
        try statement.run()
      }
    }

    func end() throws -> Int64 { number }

    /// Without a number all records and no deletions, as the other tells it.
    func changes(since: Int64?, _ variant: Variant, into sink: inout RowSink) throws {
      var last = since ?? 0
      var isFull = true
      while isFull {
        let start = sink.count
        try read(variant == .ids ? names : records, from: &last, into: &sink, hasText: variant == .records)
        isFull = sink.count - start == ChangesSuite.pageSize
      }
      guard var last = since else { return }
      try read(gone, from: &last, into: &sink)
    }

    private func read(
      _ statement: SQLiteStatement, from last: inout Int64, into sink: inout RowSink, hasText: Bool = false
    ) throws {
      defer { statement.reset() }
      statement.bind(1, last)
      statement.bind(2, Int64(ChangesSuite.pageSize))
      while try statement.step() {
        sink.row(statement.text(0))
        if hasText { sink.text(statement.text(2)) }
        last = statement.integer(1)
      }
    }
  }
}
