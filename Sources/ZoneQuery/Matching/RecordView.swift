// An unsafe leaf: what is lent of a record in place.
//
// Invariant: who lends records holds the snapshots of their rows, their tables and the answer for as long: a prepared
// query that reads directly by its own variables, `QueryExecution` until it is closed, and who fetches changes the snapshot.
// A view cannot be copied, so it ends before the run does, and spans cannot leave the closures they are lent to. The
// generic parts can be inlined by whoever uses the library: without that each call would go through a table of types.

/// A record of an answer or of a zone's changes, read in place: nothing is copied but what is asked for.
///
/// It cannot be kept: what it reads from stays only as long as the closure that it was given to runs.
///
/// ```swift
/// try prepared.forEachRecord(["city": "Seoul"]) { record in
///   longest = max(longest, record.withUTF8("name") { bytes in bytes.count } ?? 0)
///   total += record.int64("attendees") ?? 0
/// }
/// ```
///
/// A field is named, or given by the ``RecordField`` that ``PreparedQuery/field(_:)`` or ``Database/field(_:ofType:)`` looked
/// up once. Reading a field under another type than its own gives nil, as does one that the record lacks. Complexity:
/// constant for a field, with a look-up where it is named; linear in the bytes of what is copied, or of a list's texts.
@safe
public struct RecordView: ~Copyable {
  /// What all records of a run have in common. It counts no references: who lends records holds what it points to.
  @unsafe @usableFromInline
  struct Run {
    /// The fields that were read, a bit for each of the first 64.
    @usableFromInline var touched: UInt64
    /// The fields that are brought near beside those.
    fileprivate let known: UInt64
    /// The table of the record that is lent, and its number among those of the query.
    @unsafe fileprivate var source: Unmanaged<TableRow.Source>
    fileprivate var table = 0
    /// The number of the type of all of them.
    @usableFromInline let recordType: UInt64
    /// What is said of the answer; nil where the records are none of a query's.
    @unsafe fileprivate let answer: UnsafePointer<PreparedQuery.Answer>?
  }

  // Four words, which go from call to call in registers: a view is made for each record.

  /// Where the record's values lie.
  @usableFromInline let group: RowGroup
  /// Its slot in the table.
  @usableFromInline let slot: Int
  /// Where its name lies.
  @usableFromInline @unsafe let name: UnsafeRawPointer?
  @usableFromInline @unsafe let run: UnsafeMutablePointer<Run>

  @inline(__always)
  private init(_ run: UnsafeMutablePointer<Run>, _ located: TableRows.Located, _ slot: Int) {
    unsafe self.run = unsafe run
    unsafe group = located.group
    unsafe name = located.name
    self.slot = slot
  }

  /// The record's row in its group.
  @inlinable var index: Int { slot & (RowGroup.size - 1) }

  private var row: TableRow { unsafe run.pointee.source._withUnsafeGuaranteedRef { $0.row(slot) } }

  /// Lends the records of an answer one after the other. The fields that `body` reads are learned, and brought near for
  /// some records at a time.
  ///
  /// `source` is the first of the tables, `sources` are all; `fields` are those that were read of the last answers, and then
  /// of this one too.
  static func lend(
    _ rows: [RankedRow], of source: TableRow.Source, among sources: ContiguousArray<TableRow.Source>,
    _ answer: borrowing PreparedQuery.Answer, fields: inout FieldsRead,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) {
    if rows.isEmpty { return }
    try unsafe lending(source, answer, &fields) { run throws(ZoneQueryError) in
      if sources.count < 2 {
        try unsafe rows.withUnsafeBufferPointer { rows throws(ZoneQueryError) in
          try unsafe lend(rows, source.rows, run, body)
        }
      } else {
        var table = -1
        for row in rows {
          if Int(row.table) != table {
            table = Int(row.table)
            unsafe (run.pointee.source, run.pointee.table) = (Unmanaged.passUnretained(sources[table]), table)
          }
          let slot = Int(row.slot)
          try unsafe body(RecordView(run, TableRows.Located(slot, sources[table].rows), slot))
        }
      }
    }
  }

  /// Lends records of one table, given by their slots; `fields` as above.
  static func lend(
    _ slots: [UInt32], of source: TableRow.Source, _ answer: borrowing PreparedQuery.Answer, fields: inout FieldsRead,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) {
    if slots.isEmpty { return }
    try unsafe slots.withUnsafeBufferPointer { slots throws(ZoneQueryError) in
      try unsafe lending(source, answer, &fields) { run throws(ZoneQueryError) in
        try unsafe lend(slots, source.rows, run, body)
      }
    }
  }

  /// Lends records of one table that are none of a query's answer; `fields` as above.
  static func lend(
    _ slots: [UInt32], of source: TableRow.Source, fields: inout FieldsRead,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) {
    try unsafe slots.withUnsafeBufferPointer { slots throws(ZoneQueryError) in
      try unsafe lending(source, answer: nil, &fields) { run throws(ZoneQueryError) in
        try unsafe lend(slots, source.rows, run, body)
      }
    }
  }

  /// Lends one record; `found` has its slot, and what approaching its fields gave; `fields` as above.
  @inline(__always)
  static func lend(
    _ found: (slot: Int, approached: UInt64), of source: TableRow.Source, _ answer: borrowing PreparedQuery.Answer,
    fields: inout FieldsRead,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) {
    try unsafe lending(source, answer, &fields) { run throws(ZoneQueryError) in
      try unsafe body(RecordView(run, TableRows.Located(found.slot, source.rows), found.slot))
      unsafe believe(found.approached, run)
    }
  }

  /// Calls `body` with a run over a table of an answer's.
  @inline(__always)
  private static func lending(
    _ source: TableRow.Source, _ answer: borrowing PreparedQuery.Answer, _ fields: inout FieldsRead,
    _ body: (UnsafeMutablePointer<Run>) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) {
    try unsafe withUnsafePointer(to: answer) { answer throws(ZoneQueryError) in
      try unsafe lending(source, answer: answer, &fields, body)
    }
  }

  /// Calls `body` with a run over a table.
  @inline(__always)
  private static func lending(
    _ source: TableRow.Source, answer: UnsafePointer<PreparedQuery.Answer>?, _ fields: inout FieldsRead,
    _ body: (UnsafeMutablePointer<Run>) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) {
    var run = unsafe Run(
      touched: fields.lately, known: fields.known, source: Unmanaged.passUnretained(source),
      recordType: source.fields.recordType, answer: answer)
    defer {
      fields.lately = unsafe run.touched
      fields.endAnswer()
    }
    try unsafe withUnsafeMutablePointer(to: &run) { run throws(ZoneQueryError) in try unsafe body(run) }
  }

  /// The optimiser has to believe that what was read is needed.
  @inline(__always)
  private static func believe(_ approached: UInt64, _ run: UnsafeMutablePointer<Run>) {
    if approached == .max { unsafe run.pointee.touched |= 1 << 63 }
  }

  /// Lends records of one table. The rows are those of an array that the caller holds: an array would be counted.
  @inline(__always)
  private static func lend<Row: FoundRow>(
    _ rows: UnsafeBufferPointer<Row>, _ table: TableRows, _ run: UnsafeMutablePointer<Run>,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) {
    try unsafe withUnsafeTemporaryAllocation(of: TableRows.Located.self, capacity: TableRows.approachLimit) {
      located throws(ZoneQueryError) in
      var position = 0
      var approached: UInt64 = 0
      while position < rows.count {
        let fields = unsafe run.pointee.known | run.pointee.touched
        if unsafe RowPrefetch.isWorthwhile(rows.count - position, fields: fields.nonzeroBitCount) {
          let numbers = position..<min(position + RowGroup.size, rows.count)
          try unsafe lendInTurn(numbers, of: rows, table, fields, run, &approached, body)
          position = numbers.upperBound
          continue
        }
        let first = position
        let next = min(position + TableRows.together(fields.nonzeroBitCount), rows.count)
        unsafe approached &+= table.approach(position..<next, fields: fields, into: located) { unsafe rows[$0].slot }
        while position < next {
          try unsafe body(RecordView(run, located[position &- first], Int(rows[position].slot)))
          position += 1
        }
      }
      unsafe believe(approached, run)
    }
  }

  /// Lends records of which many fields are read, each while what comes behind it is asked for. They are few enough for the
  /// fields that are read to be looked at again behind them.
  @inline(never)
  private static func lendInTurn<Row: FoundRow>(
    _ numbers: Range<Int>, of rows: UnsafeBufferPointer<Row>, _ table: TableRows, _ fields: UInt64,
    _ run: UnsafeMutablePointer<Run>, _ approached: inout UInt64,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) {
    let kinds = unsafe run.pointee.source._withUnsafeGuaranteedRef { $0.table.shape.kinds }
    try unsafe RowPrefetch.with(table, fields, kinds) { prefetch throws(ZoneQueryError) in
      unsafe approached &+= prefetch.begin(numbers) { unsafe rows[$0].slot }
      for number in numbers {
        unsafe prefetch.next(number, of: numbers) { unsafe rows[$0].slot }
        let slot = unsafe Int(rows[number].slot)
        try unsafe body(RecordView(run, TableRows.Located(slot, table), slot))
      }
    }
  }

  @inlinable
  @inline(__always)
  func touch(_ bit: UInt64) {
    // Mostly it is known: what is not written is not waited for by the next.
    if unsafe run.pointee.touched & bit == 0 { unsafe run.pointee.touched |= bit }
  }

  // MARK: The record itself

  /// Calls `body` with the UTF-8 of the record's name.
  @inlinable
  public func withRecordName<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    // The first of the system fields, which every record has.
    touch(1)
    return unsafe body(Span(_unsafeBytes: group.name(at: name)))
  }

  /// The record's ID.
  public var recordID: RecordID {
    touch(1)
    return RecordID(recordName: row.withName { String(copying: $0) }, zoneID: row.zoneID)
  }

  /// The record as a value, with the fields of the keys, or all.
  public func record(desiredKeys: [String]? = nil) -> Record {
    let layout = row.layout
    return row.record(
      fields: desiredKeys.map { keys in
        Set(keys.compactMap { layout.recordType.position(of: $0).map { FieldNumber.position($0) } }).sorted()
      })
  }

  /// The name of the record's type.
  public var recordType: String { row.layout.recordType.name }

  /// The cursor that goes on behind this record.
  ///
  /// - Throws: `limitExceeded` where the query's text is too long for one, or nests deeper than `SyntaxLimits.nesting` does by
  ///   default; `invalidCursor` for a record of a zone's changes, which no query found.
  public func cursor() throws(ZoneQueryError) -> QueryCursor {
    guard let answer = unsafe run.pointee.answer else {
      throw ZoneQueryError(
        .query, .invalidCursor, "There is no cursor behind a record of a zone's changes, which no query found",
        hint: "go on from the change token that is returned behind the last")
    }
    return try unsafe answer.pointee.cursor(behind: row, run.pointee.table)
  }

  /// When it was first saved.
  public var creationDate: Timestamp? { timestamp(FieldNumber(.creationDate)) }
  /// When it was last saved.
  public var modificationDate: Timestamp? { timestamp(FieldNumber(.modificationDate)) }
  /// The number its change tag is made of: another at every save. It says nothing of order: a load keeps the tags of other
  /// databases.
  @inlinable
  public var changeNumber: Int64 {
    touch(RecordField.bit(RecordView.changeTag))
    guard let cell = unsafe group.presentCell(index, RecordView.changeTag) else { return 0 }
    return unsafe cell.load(as: Int64.self)
  }

  /// The number of the change tag among the fields, `FieldNumber(.changeTag)`.
  @inlinable static var changeTag: Int { 7 }

  // MARK: Fields

  private func number(_ name: String) -> FieldNumber? { row.layout.number(of: name) }

  /// A named field, which is the record's own.
  private func field(_ name: String) -> RecordField? { number(name).map { RecordField($0, row.layout, of: nil) } }

  /// Whether a field is one of the record's type.
  @inlinable
  @inline(__always)
  func has(_ field: RecordField) -> Bool {
    unsafe field.recordType == run.pointee.recordType || field.recordType == RecordField.anyType
  }

  /// Whether the record has a value of a field.
  @inlinable
  public func isPresent(_ field: RecordField) -> Bool {
    unsafe has(field) && group.presentCell(index, field.number) != nil
  }

  /// Calls `body` with the UTF-8 of a STRING, or with the encoding (zone, owner and name, zero bytes between) of a
  /// REFERENCE; nil where the record lacks the field.
  @inlinable
  public func withUTF8<Result>(_ field: RecordField, _ body: (Span<UInt8>) -> Result) -> Result? {
    guard let bytes = unsafe bytes(field) else { return nil }
    return unsafe body(Span(_unsafeBytes: bytes))
  }

  @inlinable
  @inline(__always)
  func bytes(_ field: RecordField) -> UnsafeRawBufferPointer? {
    touch(field.bit)
    guard field.reading == .text || field.reading == .reference, has(field),
      let bytes = unsafe group.presentBytes(index, field.number, kind: field.kind)
    else { return nil }
    // The action stands before a reference's encoding.
    return unsafe field.reading == .reference && bytes.count > 0 ? UnsafeRawBufferPointer(rebasing: bytes[1...]) : bytes
  }

  /// The value of an INT64.
  @inlinable
  @inline(__always)
  public func int64(_ field: RecordField) -> Int64? {
    touch(field.bit)
    guard field.reading == .integer, has(field),
      let cell = unsafe group.presentCell(index, field.number, kind: field.kind)
    else { return nil }
    return unsafe cell.load(as: Int64.self)
  }

  /// The value of a DOUBLE.
  @inlinable
  @inline(__always)
  public func double(_ field: RecordField) -> Double? {
    touch(field.bit)
    guard field.reading == .double, has(field),
      let cell = unsafe group.presentCell(index, field.number, kind: field.kind)
    else { return nil }
    return unsafe cell.load(as: Double.self)
  }

  /// The value of a TIMESTAMP.
  @inlinable
  @inline(__always)
  public func timestamp(_ field: RecordField) -> Timestamp? {
    touch(field.bit)
    guard field.reading == .timestamp, has(field),
      let cell = unsafe group.presentCell(index, field.number, kind: field.kind)
    else { return nil }
    return unsafe Timestamp(milliseconds: cell.load(as: Int64.self))
  }

  private func timestamp(_ number: FieldNumber) -> Timestamp? {
    touch(RecordField.bit(number))
    return row.isPresent(number) ? Timestamp(milliseconds: row.integer(number)) : nil
  }

  /// The degrees of a LOCATION.
  @inlinable
  @inline(__always)
  public func degrees(_ field: RecordField) -> (latitude: Double, longitude: Double)? {
    touch(field.bit)
    guard field.reading == .location, has(field),
      let cell = unsafe group.presentCell(index, field.number, kind: field.kind)
    else { return nil }
    return unsafe (cell.load(as: Double.self), cell.load(fromByteOffset: group.capacity << 3, as: Double.self))
  }

  /// Calls `body` with the UTF-8 of each member of a LIST of STRING, in order.
  @inlinable
  public func forEachText(_ field: RecordField, _ body: (Span<UInt8>) -> Void) {
    guard let bytes = unsafe listBytes(field) else { return }
    var position = 0
    while position < bytes.count {
      // Each member behind its length, in seven-bit groups, the lowest first.
      var (length, shift) = (0, 0)
      while position < bytes.count {
        let byte = unsafe bytes[position]
        position += 1
        length |= Int(byte & 0x7F) << shift
        shift += 7
        if byte & 0x80 == 0 { break }
      }
      // A list of numbers, which a field of another query may be taken for, has other bytes.
      if length < 0 || length > bytes.count - position { return }
      let end = position + length
      unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[position..<end])))
      position = end
    }
  }

  @inlinable
  @inline(__always)
  func listBytes(_ field: RecordField) -> UnsafeRawBufferPointer? {
    touch(field.bit)
    guard field.reading == .texts, has(field) else { return nil }
    return unsafe group.presentBytes(index, field.number, kind: field.kind)
  }

  /// The value of a field, copied.
  public func value(_ field: RecordField) -> FieldValue? { has(field) ? value(number: field.number) : nil }

  /// The value of a named field, copied.
  public func value(_ name: String) -> FieldValue? { number(name).flatMap { value(number: $0) } }

  private func value(number: FieldNumber) -> FieldValue? {
    touch(RecordField.bit(number))
    return row.value(number)
  }

  /// The value of a STRING, copied.
  public func string(_ field: RecordField) -> String? {
    field.reading == .text ? withUTF8(field) { String(copying: $0) } : nil
  }

  /// The value of a named STRING, copied.
  public func string(_ name: String) -> String? { field(name).flatMap { string($0) } }

  /// Calls `body` with the UTF-8 of a named STRING, or with the encoding of a named REFERENCE; nil where the record lacks it.
  public func withUTF8<Result>(_ name: String, _ body: (Span<UInt8>) -> Result) -> Result? {
    field(name).flatMap { withUTF8($0, body) }
  }

  /// Whether the record has a value of a named field.
  public func isPresent(_ name: String) -> Bool {
    field(name).map { isPresent($0) } ?? false
  }

  /// The degrees of a named LOCATION.
  public func degrees(_ name: String) -> (latitude: Double, longitude: Double)? {
    field(name).flatMap { degrees($0) }
  }

  /// Calls `body` with the UTF-8 of each member of a named LIST of STRING, in order.
  public func forEachText(_ name: String, _ body: (Span<UInt8>) -> Void) {
    if let field = field(name) { forEachText(field, body) }
  }

  /// The value of a named INT64.
  public func int64(_ name: String) -> Int64? { field(name).flatMap { int64($0) } }
  /// The value of a named DOUBLE.
  public func double(_ name: String) -> Double? { field(name).flatMap { double($0) } }
  /// The value of a named TIMESTAMP.
  public func timestamp(_ name: String) -> Timestamp? { field(name).flatMap { timestamp($0) } }
}

/// A field of a record type of a database, looked up once to be read from many records. Of another type's records it reads
/// nothing, but for the system fields, which all have; of another database's it may be taken for the field that has its place
/// there.
public struct RecordField: Sendable, Hashable {
  @usableFromInline let number: Int
  /// The type's number, or that of any.
  @usableFromInline let recordType: UInt64
  /// The bit that stands for it where fields are brought near, of the first 64.
  @usableFromInline let bit: UInt64
  /// The kind of its column: a record of another database has another field under the number.
  @usableFromInline let kind: UInt8
  @usableFromInline let reading: Reading

  /// How the field's value is read in place.
  @usableFromInline
  enum Reading: UInt8, Sendable {
    case integer, double, timestamp, location, text, reference, texts, copied
  }

  /// The field of a name.
  ///
  /// - Throws: `invalidQuery` where the type has none.
  init(_ name: String, of recordType: RecordType) throws(ZoneQueryError) {
    let layout = FieldLayout(recordType: recordType)
    guard let number = layout.number(of: name) else {
      throw ZoneQueryError(
        .query, .invalidQuery, "Did not find field: '\(SyntaxError.excerpt(name))' in type: '\(recordType.name)'",
        hint: Binder.suggestion(for: name, in: recordType))
    }
    self.init(number, layout, of: number < FieldNumber.position(0) ? nil : recordType)
  }

  /// The field of a number in the layout of the records that it is read from, which are of a type, or of any.
  fileprivate init(_ number: FieldNumber, _ layout: FieldLayout, of recordType: RecordType?) {
    self.number = number
    self.recordType = recordType.map(TableFields.number) ?? RecordField.anyType
    bit = RecordField.bit(number)
    let type = layout.type(of: number)
    kind = ColumnKind(type).rawValue
    reading =
      switch (type.scalar, type.isList) {
      case _ where number == FieldNumber(.recordID): .copied
      // What is stored for it is a number.
      case _ where number == FieldNumber(.changeTag): .copied
      case (.int64, false): .integer
      case (.double, false): .double
      case (.timestamp, false): .timestamp
      case (.location, false): .location
      case (.string, false): .text
      case (.reference, false): .reference
      case (.string, true): .texts
      default: .copied
      }
  }

  @inlinable static var anyType: UInt64 { 0 }

  /// The bit of a field's number.
  @inlinable
  static func bit(_ number: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: number) }
}
