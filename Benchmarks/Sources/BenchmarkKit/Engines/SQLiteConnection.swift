internal import CSQLite

/// A SQLite database in memory, used by one thread.
final class SQLiteConnection {
  let handle: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]

  /// Once, before the first connection: SQLite otherwise counts its memory under a lock at every allocation.
  private static let hasMemoryStatisticsOff = csqlite_disable_memory_statistics() == SQLITE_OK

  init() throws {
    _ = SQLiteConnection.hasMemoryStatisticsOff
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(":memory:", &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      throw BenchmarkError("SQLite cannot open a database in memory: \(code)")
    }
    self.handle = handle
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  static var version: String { String(cString: sqlite3_libversion()) }

  static var compileOptions: [String] {
    var options: [String] = []
    while let option = sqlite3_compileoption_get(CInt(options.count)) { options.append(String(cString: option)) }
    return options
  }

  /// Runs `body`, in which statements fail once so many nanoseconds have passed.
  func within<Result>(nanoseconds: Double, _ body: () throws -> Result) rethrows -> Result {
    // SQLite asks after so many of its machine's steps.
    let steps: CInt = 200
    let deadline = Deadline(nanoseconds)
    return try withExtendedLifetime(deadline) {
      sqlite3_progress_handler(
        handle, steps,
        { deadline in
          guard let deadline else { return 0 }
          return Unmanaged<Deadline>.fromOpaque(deadline).takeUnretainedValue().hasPassed ? 1 : 0
        }, Unmanaged.passUnretained(deadline).toOpaque())
      defer { sqlite3_progress_handler(handle, 0, nil, nil) }
      return try body()
    }
  }

  private final class Deadline {
    private let end: ContinuousClock.Instant
    init(_ nanoseconds: Double) { end = .now + .nanoseconds(Int64(min(nanoseconds, 1e15))) }
    var hasPassed: Bool { ContinuousClock.now >= end }
  }

  /// Runs statements that return nothing.
  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error(sql) }
  }

  /// The statement of a text, prepared once.
  func statement(_ sql: String) throws -> SQLiteStatement {
    if let known = statements[sql] { return known }
    let statement = try SQLiteStatement(self, sql, isLasting: true)
    statements[sql] = statement
    return statement
  }

  func error(_ sql: String) -> BenchmarkError {
    BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(handle))) in: \(sql)")
  }

  /// The first row's text in the first column.
  func text(_ sql: String) throws -> String? {
    let statement = try SQLiteStatement(self, sql, isLasting: false)
    return try statement.step() ? String(decoding: statement.text(0), as: UTF8.self) : nil
  }
}

/// A prepared statement.
final class SQLiteStatement {
  let handle: OpaquePointer
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection, _ sql: String, isLasting: Bool) throws {
    self.connection = connection
    var handle: OpaquePointer?
    let flags = isLasting ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    guard sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil) == SQLITE_OK, let handle else {
      throw connection.error(sql)
    }
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }

  /// The work counted since the last call.
  func takeCounters() -> [String: Double] {
    let kinds = [
      ("vm_steps", SQLITE_STMTSTATUS_VM_STEP), ("fullscan_steps", SQLITE_STMTSTATUS_FULLSCAN_STEP),
      ("sorts", SQLITE_STMTSTATUS_SORT), ("automatic_index_rows", SQLITE_STMTSTATUS_AUTOINDEX),
    ]
    return Dictionary(uniqueKeysWithValues: kinds.map { ($0, Double(sqlite3_stmt_status(handle, $1, 1))) })
  }

  @inline(__always)
  func reset() { sqlite3_reset(handle) }

  /// Whether there is a row.
  @inline(__always)
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw connection.error(String(cString: sqlite3_sql(handle)))
  }

  /// Runs a statement that returns nothing.
  func run() throws {
    while try step() {}
    sqlite3_reset(handle)
  }

  /// Binds text in place: it must stay where it is until the statement has run.
  @inline(__always)
  func bind(_ place: Int, _ text: UnsafeBufferPointer<UInt8>) {
    text.withMemoryRebound(to: CChar.self) { text in
      _ = sqlite3_bind_text(handle, CInt(place), text.baseAddress, CInt(text.count), nil)
    }
  }

  /// Binds text by copying it.
  func bind(_ place: Int, copying text: String) {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(handle, CInt(place), text, CInt(text.utf8.count), transient)
  }

  /// Makes every parameter NULL.
  func clear() { sqlite3_clear_bindings(handle) }

  @inline(__always)
  func bind(_ place: Int, _ value: Int64) { sqlite3_bind_int64(handle, CInt(place), value) }

  @inline(__always)
  func bind(_ place: Int, _ value: Double) { sqlite3_bind_double(handle, CInt(place), value) }

  /// A column's text, in place until the next step.
  @inline(__always)
  func text(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: sqlite3_column_text(handle, CInt(column)), count: Int(sqlite3_column_bytes(handle, CInt(column))))
  }

  @inline(__always)
  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, CInt(column)) }

  @inline(__always)
  func real(_ column: Int) -> Double { sqlite3_column_double(handle, CInt(column)) }
}

/// The parameters of a question in a form that is bound without copying.
final class SQLiteArguments {
  enum Value {
    case text(String)
    case integer(Int64)
    case real(Double)
  }

  private enum Bound {
    case text(UnsafeMutableBufferPointer<UInt8>)
    case integer(Int64)
    case real(Double)
  }

  private let values: [Bound]

  init(_ values: [Value]) {
    self.values = values.map { value in
      switch value {
      case .text(let text):
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        return .text(bytes)
      case .integer(let value): return .integer(value)
      case .real(let value): return .real(value)
      }
    }
  }

  deinit {
    for case .text(let bytes) in values { bytes.deallocate() }
  }

  /// Reads the parameters.
  func approach() -> UInt64 {
    values.reduce(0) { sum, value in
      switch value {
      case .text(let bytes): sum &+ UInt64(bytes.first ?? 0) &+ UInt64(bytes.last ?? 0)
      case .integer(let value): sum &+ UInt64(bitPattern: value)
      case .real(let value): sum &+ value.bitPattern
      }
    }
  }

  @inline(__always)
  func bind(to statement: SQLiteStatement) {
    for index in values.indices {
      switch values[index] {
      case .text(let bytes): statement.bind(index + 1, UnsafeBufferPointer(bytes))
      case .integer(let value): statement.bind(index + 1, value)
      case .real(let value): statement.bind(index + 1, value)
      }
    }
  }
}
