internal import ZoneQuery

/// A database filled from files.
struct RecordBase {
  let database: Database
  /// What records as read carry of their own: dates, users, a change tag.
  private let origins: [RecordID: Origin]
  /// The types with records that lack a date of their own, and have the time of this run for it, by the date.
  private let undatedTypes: [SystemField: Set<ByteKey>]
  /// The types with records that lack a name of their own, and have one that was drawn in this run.
  let unnamedTypes: Set<ByteKey>

  private struct Origin {
    let created: Timestamp?
    let creator: RecordID?
    let modified: Timestamp?
    let modifier: RecordID?
    let changeTag: String?

    init(_ record: Record) {
      (created, creator) = (record.creationDate, record.creatorUserRecordID)
      (modified, modifier) = (record.modificationDate, record.lastModifiedUserRecordID)
      changeTag = record.changeTag
    }

    var isEmpty: Bool { created == nil && creator == nil && modified == nil && modifier == nil && changeTag == nil }
  }

  /// Reads all files and stores their records; `user` is whose zones are their own. Without a schema the types are learned
  /// from them; with one `check` is called before, with the database as yet empty, so that nobody waits for the files to be
  /// told what is wrong with a query.
  init(
    recordFiles: [String], schema: Schema?, user: String?, options: PredicateOptions, console: Console,
    check: (Database) throws(Stop) -> Void = { _ in }
  ) throws(Stop) {
    var configuration = Database.Configuration()
    configuration.predicateOptions = options
    if let user { configuration.userRecordName = user }
    // Every run of the tool must take what another printed; its cursors keep no one out.
    configuration.cursorKey = Array("zonequery cursor".utf8)
    do throws(ZoneQueryError) {
      database = try Database(schema: schema, configuration: configuration)
    } catch {
      if error.code == .invalidConfiguration { throw .misuse(EngineMessage.text(error, at: "--user"), hint: nil) }
      throw .failed(EngineMessage.text(error, at: "--schema"))
    }
    if schema != nil { try check(database) }
    var records: [Record] = []
    var places: [RecordLines.Place] = []
    var origins: [RecordID: Origin] = [:]
    var (undated, unnamed): ([SystemField: Set<ByteKey>], Set<ByteKey>) = ([:], [])
    let lines = RecordLines(paths: recordFiles, schema: schema, userRecordName: user, console: console)
    try lines.forEach { entry throws(Stop) in
      let record = entry.record
      records.append(record)
      places.append(entry.place)
      let origin = Origin(record)
      // One that is stored in the place of another has nothing of that.
      origins[record.recordID] = origin.isEmpty ? nil : origin
      if origin.created == nil { undated[.creationDate, default: []].insert(ByteKey(record.recordType)) }
      if origin.modified == nil { undated[.modificationDate, default: []].insert(ByteKey(record.recordType)) }
      if !entry.isNamed { unnamed.insert(ByteKey(record.recordType)) }
      return true
    }
    (self.origins, undatedTypes, unnamedTypes) = (origins, undated, unnamed)
    do throws(ZoneQueryError) {
      console.show(progress: "storing \(records.count) records")
      try database.load(records)
      console.hideProgress()
    } catch {
      let index = Self.position(of: error, in: records, schema, configuration)
      let file = RecordLines.name(of: recordFiles[places[index].file])
      throw .failed(
        EngineMessage.text(error, at: places[index].text(file), record: records[index].recordID)
          + Self.hint(records[index].recordID.zoneID, user))
    }
    if records.isEmpty, !recordFiles.isEmpty { try console.note("note: the files hold no records") }
    let stored = (try? database.schema.recordTypes.reduce(0) { try $0 + database.count(recordType: $1.name) }) ?? 0
    if stored < records.count {
      try console.note(
        "note: \(records.count - stored) of \(records.count) records took the place of earlier ones of the same name")
    }
  }

  /// Whether a key is that of a date which some records of a type lack.
  func isUndated(_ key: String, ofType recordType: String) -> Bool {
    SystemField(key: key).flatMap { undatedTypes[$0] }?.contains(ByteKey(recordType)) == true
  }

  /// What is to be said of a record in another user's zone: whose zones CloudKit names by their owner.
  private static func hint(_ zoneID: ZoneID, _ user: String?) -> String {
    if Spelling.isSame(zoneID.ownerName, ZoneID.currentUserName) || user != nil { return "" }
    return "\nhint: --user \(Printable.excerpt(zoneID.ownerName)) takes that user's zones for your own"
  }

  /// The position of the record that a load refused. Where several have its ID, loading one after the other tells which.
  private static func position(
    of error: ZoneQueryError, in records: [Record], _ schema: Schema?, _ configuration: Database.Configuration
  ) -> Int {
    guard let id = error.recordID else { return 0 }
    let candidates = records.indices.filter { records[$0].recordID == id }
    if candidates.count > 1, let database = try? Database(schema: schema, configuration: configuration) {
      // Others may not fit either: zones are loaded one after the other, and the first of one was told of.
      for (position, record) in records.enumerated()
      where (try? database.load([record])) == nil && record.recordID == id { return position }
    }
    return candidates.last ?? 0
  }

  /// A stored record as its file has it: without the dates, users and change tag that the load gave it.
  func asRead(_ stored: Record) -> Record {
    var record = stored
    let origin = origins[stored.recordID]
    record.creationDate = origin?.created
    record.creatorUserRecordID = origin?.creator
    record.modificationDate = origin?.modified
    record.lastModifiedUserRecordID = origin?.modifier
    record.changeTag = origin?.changeTag
    return record
  }
}
