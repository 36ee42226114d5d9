/// SQLite as an expert sets it up: prepared once, parameters bound in place, rows read in place.
final class SQLiteEngine: EngineUnderTest {
  let name: String
  let connection: SQLiteConnection
  private let isCovering: Bool
  /// The way chosen for each workload and variant.
  private var choices: [String: Int] = [:]
  /// The radius that a search for the nearest begins with, by limit.
  private var firstRadii: [Int: Double] = [:]
  private var tagIDs: [String: Int64] = [:]
  private var changeTag: Int64 = 0
  /// The statement of each workload for record names, and the plan SQLite made of it.
  private var plans: [String: String] = [:]

  init(covering: Bool = false) throws {
    isCovering = covering
    name = covering ? "sqlite-covering" : "sqlite"
    connection = try SQLiteConnection()
    guard SQLiteConnection.compileOptions.contains("ENABLE_FTS5") else {
      throw BenchmarkError("this SQLite was built without FTS5, which the token questions need")
    }
    guard SQLiteConnection.compileOptions.contains("ENABLE_RTREE") else {
      throw BenchmarkError("this SQLite was built without the R*Tree, which the location questions need")
    }
    for sql in SQLiteLayout.pragmas + SQLiteLayout.tables { try connection.execute(sql) }
  }

  var setup: [String] {
    [
      "SQLite \(SQLiteConnection.version), :memory:, opened without mutexes, memory statistics off",
      "statements prepared once, parameters bound without copying, columns read in place",
    ] + SQLiteLayout.pragmas + SQLiteLayout.tables + SQLiteLayout.indexes(covering: isCovering) + [
      "ANALYZE after the load; FTS5 merged once ('optimize')",
      "bulk load in one transaction, indexes made afterwards",
      "distances as straight lines in space from stored coordinates: no trigonometry in a query",
      "the nearest by a box that grows from the radius that suits most questions, found beforehand",
      "where several statements answer a question, the fastest on the machine, found beforehand",
    ] + plans.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
  }

  // MARK: Loading

  func load(_ source: EventSource) throws {
    try connection.execute("BEGIN")
    let writer = try SQLiteWriter(self)
    while let rows = source.next(SQLiteRow.init) {
      for row in rows { try writer.insert(row) }
    }
    for sql in SQLiteLayout.indexes(covering: isCovering) { try connection.execute(sql) }
    try connection.execute("INSERT INTO words (words) VALUES ('optimize')")
    try connection.execute("COMMIT")
    try connection.execute("ANALYZE")
  }

  func tagID(_ name: String) throws -> Int64 {
    if let known = tagIDs[name] { return known }
    let id = Int64(tagIDs.count + 1)
    let statement = try connection.statement("INSERT INTO tag (id, name) VALUES (?1, ?2)")
    statement.bind(1, id)
    let arguments = SQLiteArguments([.integer(id), .text(name)])
    arguments.bind(to: statement)
    try statement.run()
    tagIDs[name] = id
    return id
  }

  func nextChangeTag() -> Int64 {
    changeTag += 1
    return changeTag
  }

  // MARK: Questions

  func settle(_ workload: Workload, _ variant: Variant, on questions: [Question]) throws {
    guard let first = questions.first else { return }
    if case .nearest(_, let within, let limit) = first { try settleRadius(questions, within: within, limit: limit) }
    let ignoresCase = workload == .equalityNoCase || workload == .prefixNoCase
    try connection.execute(ignoresCase ? SQLiteLayout.noCaseIndex : SQLiteLayout.noNoCaseIndex)
    let ways = SQLiteLayout.statements(first, variant)
    defer { if variant == .ids { plans[workload.rawValue] = plan(of: ways[choices[key(first, variant)] ?? 0]) } }
    guard ways.count > 1 else { return }
    var best = (way: 0, time: Double.infinity)
    for way in ways.indices {
      guard let time = try? time(way, questions.prefix(6), variant, giveUpAt: best.time) else { continue }
      if time < best.time { best = (way, time) }
    }
    choices[key(first, variant)] = best.way
  }

  private func plan(of sql: String) -> String {
    guard let statement = try? SQLiteStatement(connection, "EXPLAIN QUERY PLAN " + sql, isLasting: false) else {
      return sql
    }
    var steps: [String] = []
    while (try? statement.step()) == true { steps.append(String(decoding: statement.text(3), as: UTF8.self)) }
    return sql + " → " + steps.joined(separator: "; ")
  }

  /// What a way takes for some questions; nil once it is clearly slower than the best so far.
  private func time(
    _ way: Int, _ questions: ArraySlice<Question>, _ variant: Variant, giveUpAt limit: Double
  ) throws -> Double? {
    var sink = RowSink(.touch)
    var total = 0.0
    for (number, question) in questions.enumerated() {
      let prepared = try prepare(question, variant, way: way)
      let first = Stopwatch()
      try prepared.run(into: &sink)
      let slow = first.lap().cpu
      if slow > SQLiteEngine.slow {
        // So long that warming up matters little, and that a few questions tell.
        total += slow
      } else {
        let watch = Stopwatch()
        try prepared.run(into: &sink)
        total += watch.lap().cpu
      }
      if total > limit { return nil }
      if slow > SQLiteEngine.slow, number >= 2 { return total * Double(questions.count) / Double(number + 1) }
    }
    return total
  }

  /// What a question takes for which one run tells enough of a way, in nanoseconds.
  private static let slow = 20_000_000.0

  private func settleRadius(_ questions: [Question], within: Double, limit: Int) throws {
    // Record names and whole records are found by the same search.
    guard firstRadii[limit] == nil else { return }
    var distances: [Double] = []
    firstRadii[limit] = within
    for question in questions.prefix(EventGenerator.circlesPerRadius) {
      let arguments = SQLiteArguments(SQLiteLayout.arguments(question))
      let sql =
        "SELECT \(SQLiteLayout.squaredChord) AS chord FROM place p WHERE \(SQLiteLayout.inBox) "
        + "AND chord < ?8 ORDER BY chord LIMIT ?9"
      let statement = try SQLiteStatement(connection, sql, isLasting: false)
      arguments.bind(to: statement)
      var last = within
      var count = 0
      while try statement.step() {
        last = statement.real(0).squareRoot()
        count += 1
      }
      distances.append(count < limit ? within : last)
    }
    firstRadii[limit] = min(within, Quartiles(distances).q3 * 1.05)
  }

  func prepare(_ question: Question, _ variant: Variant) throws -> any PreparedQuestion {
    try prepare(question, variant, way: choices[key(question, variant)] ?? 0)
  }

  private func prepare(_ question: Question, _ variant: Variant, way: Int) throws -> any PreparedQuestion {
    let statement = try connection.statement(SQLiteLayout.statements(question, variant)[way])
    let reading: SQLiteQuestion.Reading = question.isCount ? .count : variant == .ids ? .names : .records
    if case .nearest(let centre, let within, let limit) = question {
      var attempts: [SQLiteArguments] = []
      var radius = firstRadii[limit] ?? within
      while true {
        let arguments = SQLiteLayout.circle(centre, min(radius, within)) + [.integer(Int64(limit))]
        attempts.append(SQLiteArguments(arguments))
        if radius >= within { break }
        radius *= 2
      }
      return SQLiteQuestion(statement, attempts, wanted: limit, reading)
    }
    return SQLiteQuestion(statement, [SQLiteArguments(SQLiteLayout.arguments(question))], wanted: 0, reading)
  }

  /// Questions of one shape share their choice.
  private func key(_ question: Question, _ variant: Variant) -> String {
    SQLiteLayout.statements(question, variant)[0]
  }

  func plan(_ question: Question) throws -> any PlannedQuestion {
    SQLitePlanning(connection, SQLiteLayout.statements(question, .ids)[choices[key(question, .ids)] ?? 0])
  }

  // MARK: Changes

  func prepareChanges(_ changes: Changes) throws -> any PreparedChanges {
    try connection.execute(SQLiteLayout.noNoCaseIndex)
    return try SQLiteChanges(self, changes)
  }

  func addIndex() throws -> (() throws -> Void)? {
    { [connection] in try connection.execute("CREATE INDEX event_rating ON event (rating)") }
  }

  func removeIndex() throws { try connection.execute("DROP INDEX event_rating") }
}

/// A prepared statement with its parameters.
final class SQLiteQuestion: PreparedQuestion {
  enum Reading {
    case names
    case records
    case count
  }

  private let statement: SQLiteStatement
  /// One set of parameters; for the nearest, sets with growing boxes, tried until enough records are found.
  private let attempts: [SQLiteArguments]
  private let wanted: Int
  private let reading: Reading

  init(_ statement: SQLiteStatement, _ attempts: [SQLiteArguments], wanted: Int, _ reading: Reading) {
    self.statement = statement
    self.attempts = attempts
    self.wanted = wanted
    self.reading = reading
  }

  func counters() throws -> [String: Double] {
    _ = statement.takeCounters()
    var sink = RowSink(.touch)
    try run(into: &sink)
    return statement.takeCounters()
  }

  func approach() -> UInt64 { attempts.reduce(0) { $0 &+ $1.approach() } }

  func run(into sink: inout RowSink) throws {
    for index in attempts.indices {
      attempts[index].bind(to: statement)
      if index + 1 == attempts.count {
        try read(into: &sink)
        statement.reset()
      } else {
        let before = sink
        try read(into: &sink)
        statement.reset()
        if sink.count - before.count >= wanted { return }
        sink = before
      }
    }
  }

  private func read(into sink: inout RowSink) throws {
    switch reading {
    case .names:
      while try statement.step() { sink.row(statement.text(0)) }
    case .count:
      while try statement.step() { sink.number(Int(statement.integer(0))) }
    case .records:
      while try statement.step() {
        sink.row(statement.text(0))
        sink.text(statement.text(1))
        sink.text(statement.text(2))
        sink.integer(statement.integer(3))
        sink.integer(statement.integer(4))
        sink.real(statement.real(5))
        sink.real(statement.real(6))
        sink.text(statement.text(7))
        sink.real(statement.real(8))
        sink.real(statement.real(9))
        sink.text(statement.text(10))
        sink.text(statement.text(11))
        sink.text(statement.text(12))
        sink.integer(statement.integer(13))
        sink.integer(statement.integer(14))
        sink.text(statement.text(15))
        sink.text(statement.text(16))
        sink.change(statement.integer(17))
      }
    }
  }
}

/// A statement prepared anew each time.
final class SQLitePlanning: PlannedQuestion {
  private let connection: SQLiteConnection
  private let sql: String

  init(_ connection: SQLiteConnection, _ sql: String) {
    self.connection = connection
    self.sql = sql
  }

  func plan() throws { _ = try SQLiteStatement(connection, sql, isLasting: false) }
}
