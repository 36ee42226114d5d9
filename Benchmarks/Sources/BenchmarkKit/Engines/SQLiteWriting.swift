internal import CSQLite

/// A record in the form SQLite takes: all text in one piece of memory, so that it can be bound without copying.
struct SQLiteRow {
  let event: Event
  private let bytes: [UInt8]
  private let ends: [Int]

  init(_ event: Event) {
    self.event = event
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for text in [event.recordName, event.name, event.city, event.owner, event.title, event.body, Event.savedBy] {
      bytes.append(contentsOf: text.utf8)
      ends.append(bytes.count)
    }
    for (index, tag) in event.tags.enumerated() {
      if index > 0 { bytes.append(Event.tagSeparator) }
      bytes.append(contentsOf: tag.utf8)
    }
    ends.append(bytes.count)
    self.bytes = bytes
    self.ends = ends
  }

  enum Text: Int {
    case recordName, name, city, owner, title, body, savedBy, tags
  }

  @inline(__always)
  func withTexts(_ body: ((Text) -> UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    try bytes.withUnsafeBufferPointer { all in
      try body { text in
        let start = text.rawValue == 0 ? 0 : ends[text.rawValue - 1]
        return UnsafeBufferPointer(rebasing: all[start..<ends[text.rawValue]])
      }
    }
  }
}

/// Writes records into all tables, with statements prepared once.
final class SQLiteWriter {
  private let engine: SQLiteEngine
  private let insertEvent: SQLiteStatement
  private let insertTag: SQLiteStatement
  private let insertPlace: SQLiteStatement
  private let insertWords: SQLiteStatement
  private let find: SQLiteStatement
  private let findID: SQLiteStatement
  private var updateEvent: [IndexedFields: SQLiteStatement] = [:]
  private let updateTag: SQLiteStatement
  private let updatePlace: SQLiteStatement
  private let deleteEvent: SQLiteStatement
  private let deleteTag: SQLiteStatement
  private let deletePlace: SQLiteStatement
  private let deleteWords: SQLiteStatement

  init(_ engine: SQLiteEngine) throws {
    self.engine = engine
    let connection = engine.connection
    insertEvent = try connection.statement(
      """
      INSERT INTO event (record_name, name, city, start, attendees, price, rating, tags, latitude, longitude, title, \
      body, owner, created, modified, created_by, modified_by, change_tag) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
      """)
    insertTag = try connection.statement("INSERT INTO event_tag (tag, event, start) VALUES (?1, ?2, ?3)")
    insertPlace = try connection.statement("INSERT INTO place VALUES (?1, ?2, ?2, ?3, ?3, ?4, ?5, ?6)")
    insertWords = try connection.statement("INSERT INTO words (rowid, title, body) VALUES (?1, ?2, ?3)")
    find = try connection.statement("SELECT id, title, body FROM event WHERE record_name = ?1")
    findID = try connection.statement("SELECT id FROM event WHERE record_name = ?1")
    updateTag = try connection.statement("UPDATE event_tag SET start = ?3 WHERE tag = ?1 AND event = ?2")
    updatePlace = try connection.statement(
      "UPDATE place SET south = ?2, north = ?2, west = ?3, east = ?3, x = ?4, y = ?5, z = ?6 WHERE id = ?1")
    deleteEvent = try connection.statement("DELETE FROM event WHERE id = ?1")
    deleteTag = try connection.statement("DELETE FROM event_tag WHERE tag = ?1 AND event = ?2")
    deletePlace = try connection.statement("DELETE FROM place WHERE id = ?1")
    deleteWords = try connection.statement(
      "INSERT INTO words (words, rowid, title, body) VALUES ('delete', ?1, ?2, ?3)")
  }

  func insert(_ row: SQLiteRow) throws {
    let event = row.event
    try row.withTexts { text in
      insertEvent.bind(1, text(.recordName))
      insertEvent.bind(2, text(.name))
      insertEvent.bind(3, text(.city))
      insertEvent.bind(4, event.start)
      insertEvent.bind(5, event.attendees)
      insertEvent.bind(6, event.price)
      insertEvent.bind(7, event.rating)
      insertEvent.bind(8, text(.tags))
      insertEvent.bind(9, event.place.latitude)
      insertEvent.bind(10, event.place.longitude)
      insertEvent.bind(11, text(.title))
      insertEvent.bind(12, text(.body))
      insertEvent.bind(13, text(.owner))
      insertEvent.bind(14, Event.savedAt)
      insertEvent.bind(15, Event.savedAt)
      insertEvent.bind(16, text(.savedBy))
      insertEvent.bind(17, text(.savedBy))
      insertEvent.bind(18, engine.nextChangeTag())
      try insertEvent.run()
      let id = sqlite3_last_insert_rowid(engine.connection.handle)
      for tag in event.tags { try insert(tag: try engine.tagID(tag), id, event.start) }
      try place(event.place, id, insertPlace)
      try insertWords(text, id)
    }
  }

  /// Puts a place where a statement says.
  private func place(_ place: Place, _ id: Int64, _ statement: SQLiteStatement) throws {
    let point = place.cartesian
    statement.bind(1, id)
    statement.bind(2, place.latitude)
    statement.bind(3, place.longitude)
    statement.bind(4, point.x)
    statement.bind(5, point.y)
    statement.bind(6, point.z)
    try statement.run()
  }

  private func insertWords(_ text: (SQLiteRow.Text) -> UnsafeBufferPointer<UInt8>, _ id: Int64) throws {
    insertWords.bind(1, id)
    insertWords.bind(2, text(.title))
    insertWords.bind(3, text(.body))
    try insertWords.run()
  }

  /// Finds the row of a record name; FTS5 without its own text is told the old one, which is read from the row, to
  /// remove its words.
  private func removeWords(_ recordName: UnsafeBufferPointer<UInt8>, _ event: Event) throws -> Int64 {
    find.bind(1, recordName)
    guard try find.step() else { throw BenchmarkError("SQLite lost the record \(event.recordName)") }
    let id = find.integer(0)
    deleteWords.bind(1, id)
    deleteWords.bind(2, find.text(1))
    deleteWords.bind(3, find.text(2))
    try deleteWords.run()
    find.reset()
    return id
  }

  /// A row and how some of its fields are changed.
  struct Update {
    fileprivate let row: SQLiteRow
    fileprivate let fields: IndexedFields
    fileprivate let statement: SQLiteStatement
    /// The tags that stay, those that go and those that come, without a look into the tables.
    fileprivate let kept: [Int64]
    fileprivate let removed: [Int64]
    fileprivate let added: [Int64]
  }

  func update(_ standing: Event, to event: Event, _ fields: IndexedFields) throws -> Update {
    let (old, new) = (standing.tags, event.tags)
    return Update(
      row: SQLiteRow(event), fields: fields, statement: try updateStatement(fields),
      kept: try new.filter(old.contains).map { try engine.tagID($0) },
      removed: try old.filter { !new.contains($0) }.map { try engine.tagID($0) },
      added: try new.filter { !old.contains($0) }.map { try engine.tagID($0) })
  }

  private func updateStatement(_ fields: IndexedFields) throws -> SQLiteStatement {
    if let known = updateEvent[fields] { return known }
    let columns: [(IndexedFields, String)] = [
      (.name, "name = ?2"), (.city, "city = ?3"), (.start, "start = ?4"), (.price, "price = ?5"), (.tags, "tags = ?9"),
      (.location, "latitude = ?10, longitude = ?11"), (.title, "title = ?12"), (.body, "body = ?13"),
    ]
    let changed = columns.filter { fields.contains($0.0) }.map { $0.1 + ", " }.joined()
    let statement = try engine.connection.statement(
      """
      UPDATE event SET \(changed)modified = ?6, modified_by = ?7, change_tag = ?8 \
      WHERE \(SQLiteWriter.isInOtherTables(fields) ? "id" : "record_name") = ?1
      """)
    updateEvent[fields] = statement
    return statement
  }

  /// Whether more tables than that of the events hold one of the fields. Then the row's number is found first: sooner
  /// than by RETURNING.
  private static func isInOtherTables(_ fields: IndexedFields) -> Bool {
    !fields.isDisjoint(with: [.start, .tags, .location, .title, .body])
  }

  /// Changes a row; the start stands beside each tag too.
  func update(_ update: Update) throws {
    let (fields, statement, event) = (update.fields, update.statement, update.row.event)
    let changesWords = !fields.isDisjoint(with: .texts)
    try update.row.withTexts { text in
      var id: Int64 = 0
      if SQLiteWriter.isInOtherTables(fields) {
        id = try changesWords ? removeWords(text(.recordName), event) : number(text(.recordName), event)
        statement.bind(1, id)
      } else {
        statement.bind(1, text(.recordName))
      }
      if fields.contains(.name) { statement.bind(2, text(.name)) }
      if fields.contains(.city) { statement.bind(3, text(.city)) }
      if fields.contains(.start) { statement.bind(4, event.start) }
      if fields.contains(.price) { statement.bind(5, event.price) }
      statement.bind(6, Event.savedAt)
      statement.bind(7, text(.savedBy))
      statement.bind(8, engine.nextChangeTag())
      if fields.contains(.tags) { statement.bind(9, text(.tags)) }
      if fields.contains(.location) {
        statement.bind(10, event.place.latitude)
        statement.bind(11, event.place.longitude)
      }
      if fields.contains(.title) { statement.bind(12, text(.title)) }
      if fields.contains(.body) { statement.bind(13, text(.body)) }
      try statement.run()
      if changesWords { try insertWords(text, id) }
      if fields.contains(.location) { try place(event.place, id, updatePlace) }
      for tag in update.removed { try remove(tag: tag, id) }
      for tag in update.added { try insert(tag: tag, id, event.start) }
      guard fields.contains(.start) else { return }
      for tag in update.kept {
        updateTag.bind(1, tag)
        updateTag.bind(2, id)
        updateTag.bind(3, event.start)
        try updateTag.run()
      }
    }
  }

  /// The number of a record name's row.
  private func number(_ recordName: UnsafeBufferPointer<UInt8>, _ event: Event) throws -> Int64 {
    findID.bind(1, recordName)
    guard try findID.step() else { throw BenchmarkError("SQLite lost the record \(event.recordName)") }
    defer { findID.reset() }
    return findID.integer(0)
  }

  private func insert(tag: Int64, _ id: Int64, _ start: Int64) throws {
    insertTag.bind(1, tag)
    insertTag.bind(2, id)
    insertTag.bind(3, start)
    try insertTag.run()
  }

  private func remove(tag: Int64, _ id: Int64) throws {
    deleteTag.bind(1, tag)
    deleteTag.bind(2, id)
    try deleteTag.run()
  }

  /// Deletes a record.
  func delete(_ row: SQLiteRow) throws {
    try row.withTexts { text in
      let id = try removeWords(text(.recordName), row.event)
      for tag in row.event.tags { try remove(tag: try engine.tagID(tag), id) }
      deletePlace.bind(1, id)
      try deletePlace.run()
      deleteEvent.bind(1, id)
      try deleteEvent.run()
    }
  }
}

/// Records ready to be written.
final class SQLiteChanges: PreparedChanges {
  private let writer: SQLiteWriter
  private let begin: SQLiteStatement
  private let commit: SQLiteStatement
  private let inserted: [SQLiteRow]
  /// By the kind of update.
  private let standing: [[SQLiteWriter.Update]]
  private let updated: [[SQLiteWriter.Update]]
  private let deleted: [SQLiteRow]

  init(_ engine: SQLiteEngine, _ changes: Changes) throws {
    let writer = try SQLiteWriter(engine)
    self.writer = writer
    begin = try engine.connection.statement("BEGIN IMMEDIATE")
    commit = try engine.connection.statement("COMMIT")
    (inserted, deleted) = (changes.inserted.map(SQLiteRow.init), changes.deleted.map(SQLiteRow.init))
    standing = try changes.updates.map { try $0.map { try writer.update($0.updated, to: $0.standing, $0.fields) } }
    updated = try changes.updates.map { try $0.map { try writer.update($0.standing, to: $0.updated, $0.fields) } }
  }

  func insert(_ range: Range<Int>) throws { try transaction(range) { try writer.insert(inserted[$0]) } }
  func undoInsert(_ range: Range<Int>) throws { try transaction(range) { try writer.delete(inserted[$0]) } }
  func update(_ range: Range<Int>, _ kind: UpdateKind) throws {
    try transaction(range) { try writer.update(updated[kind.rawValue][$0]) }
  }
  func undoUpdate(_ range: Range<Int>, _ kind: UpdateKind) throws {
    try transaction(range) { try writer.update(standing[kind.rawValue][$0]) }
  }
  func delete(_ range: Range<Int>) throws { try transaction(range) { try writer.delete(deleted[$0]) } }
  func undoDelete(_ range: Range<Int>) throws { try transaction(range) { try writer.insert(deleted[$0]) } }

  /// A transaction is needed even for one record, which lies in several tables.
  private func transaction(_ range: Range<Int>, _ body: (Int) throws -> Void) throws {
    try begin.run()
    for index in range { try body(index) }
    try commit.run()
  }
}
