/// Everything stored in a zone: a table for each record type that has records in it.
///
/// A state points to pages of the zone's heap. It is to be used within ``Zone/read(_:)``, while the ``ZoneSnapshot``
/// lives that it came from, or by the commit that makes it, and not beyond.
struct ZoneState: Sendable {
  private var setting: Setting
  private var isBulk = false
  /// Whether indexes are changed later for what is saved and deleted.
  private var isBatch = false
  private(set) var tables: [Table] = []
  /// The table of the deleted records that are remembered, if there are any (see `ZoneState+Changes.swift`). One word, as
  /// states are copied at each commit.
  private(set) var deletions: [Table] = []
  /// The number of the newest change that is not told any more: tokens from before it have expired.
  private(set) var forgottenChanges: Int64
  /// Counts the saves, from a start that is drawn for each zone; each gives the record it saves its change tag. Where the
  /// zone tracks changes deletions count, too.
  ///
  /// So no tag comes twice: not in a zone that is made again under a name, nor in another process, which may have given tags
  /// to records that nobody knows of any more. That of two zones' numbers, n saves each, any are the same has a likelihood of
  /// n / 2⁶¹.
  private(set) var changeNumber: Int64
  /// How many `.deleteSelf` references the zone's records hold.
  private var cascadingReferences = 0
  /// Whether records of another process are restored, under its numbers.
  private var isRestoring = false
  /// How many of them there are to each record that this commit asked about.
  private var knownCascades: [[UInt8]: Int] = [:]

  /// What hardly a commit changes: so a state is copied for each with few references counted.
  private final class Setting: Sendable {
    let id: ZoneID
    let generation: Int64
    let heap: PageHeap
    /// How many deleted records the zone remembers; nil where it does not track changes.
    let rememberedDeletions: Int?
    /// Which indexes tables have.
    let choice: IndexChoice
    /// Numbers that no change has: between them the zone was restored.
    let gaps: [ClosedRange<Int64>]

    init(
      _ id: ZoneID, _ generation: Int64, _ heap: PageHeap, _ rememberedDeletions: Int?, _ choice: IndexChoice,
      gaps: [ClosedRange<Int64>] = []
    ) {
      (self.id, self.generation, self.heap) = (id, generation, heap)
      (self.rememberedDeletions, self.choice, self.gaps) = (rememberedDeletions, choice, gaps)
    }

    /// The same with another choice of indexes.
    func with(_ choice: IndexChoice) -> Setting {
      Setting(id, generation, heap, rememberedDeletions, choice, gaps: gaps)
    }

    /// The same with other gaps.
    func with(_ gaps: [ClosedRange<Int64>]) -> Setting {
      Setting(id, generation, heap, rememberedDeletions, choice, gaps: gaps)
    }
  }

  init(id: ZoneID, generation: Int64, choice: IndexChoice, rememberedDeletions: Int? = nil, heap: PageHeap) {
    setting = Setting(id, generation, heap, rememberedDeletions, choice)
    changeNumber = .random(in: 1..<1 << 62)
    forgottenChanges = changeNumber
  }

  var id: ZoneID { setting.id }
  /// Tells the zone from every other there was under its name in the database.
  var generation: Int64 { setting.generation }
  private var heap: PageHeap { setting.heap }
  var rememberedDeletions: Int? { setting.rememberedDeletions }
  var tracksChanges: Bool { rememberedDeletions != nil }
  /// Numbers that no change has.
  var gaps: [ClosedRange<Int64>] { setting.gaps }

  /// Begins a commit.
  mutating func beginCommit() {
    for position in tables.indices { tables[position].beginCommit() }
    for position in deletions.indices { deletions[position].beginCommit() }
  }

  /// Ends a commit: what it alone had to know goes.
  mutating func endCommit() { knownCascades = [:] }

  /// Brings the indexes of all tables to a choice.
  mutating func choose(_ choice: IndexChoice) {
    setting = setting.with(choice)
    for position in tables.indices {
      let indexes = choice.beginning(of: tables[position].layout.recordType).indexes
      tables[position].choose(indexes.shapes, heap)
    }
  }

  /// Begins the loading of so many records: where that is much beside what there is, indexes are filled at its end.
  mutating func beginBulk(_ count: Int) {
    let known = tables.reduce(0) { $0 + $1.count }
    guard count >= 64, count >= known / 4 else { return }
    isBulk = true
    if count >= 16_384 { heap.beginLoading() }
    for position in tables.indices { tables[position].beginBulk(heap) }
  }

  /// Ends the loading of records.
  mutating func endBulk() {
    guard isBulk else { return }
    isBulk = false
    heap.givesBack = true
    for position in tables.indices { tables[position].endBulk(heap) }
    heap.gather()
  }

  /// Begins the saving and deleting of so many records: where they are some, indexes are changed for them together.
  mutating func beginBatch(_ count: Int) {
    guard count >= ZoneState.leastTogether, !isBulk else { return }
    isBatch = true
    for position in tables.indices { tables[position].beginBatch() }
  }

  /// Ends the saving and deleting of records.
  mutating func endBatch() {
    guard isBatch else { return }
    isBatch = false
    for position in tables.indices { tables[position].endBatch(heap) }
  }

  /// As many records as it takes for changing the indexes together to be sooner.
  private static var leastTogether: Int { 32 }

  /// The position of a type's table.
  func position(of recordType: String) -> Int? {
    // By number: a table handed to a closure is copied.
    for position in tables.indices where sameBytes(tables[position].layout.recordType.name, recordType) {
      return position
    }
    return nil
  }

  func table(_ recordType: String) -> Table? { position(of: recordType).map { tables[$0] } }

  /// Where the record of a name lies, if there is one.
  struct Place {
    /// The hash of the name.
    var hash: UInt32
    /// The position of its table; -1 where there is no such record.
    var table = -1
    var slot = -1

    var isFound: Bool { table >= 0 }
  }

  /// The place of a record, whatever its type. Complexity: linear in the number of types.
  func place(of recordName: String) -> Place { place(of: recordName, approaching: nil) }

  /// The place of a record that is about to be changed. What its values begin with is read together with its name: memory
  /// that is rarely near, waited for at once.
  func placeToChange(of recordName: String) -> Place { place(of: recordName, approaching: heap) }

  private func place(of recordName: String, approaching heap: PageHeap?) -> Place {
    withUTF8(of: recordName) { name in
      var place = Place(hash: NameIndex.hash(name))
      for position in tables.indices {
        // Of the table what is needed alone: a copy of it counts a reference for each of its parts.
        let (rows, names) = (tables[position].rows, tables[position].names)
        let found = rows.slot(of: name, place.hash, in: names, approaching: heap == nil ? 0 : .max)
        guard let (slot, approached) = found else { continue }
        heap?.note(approached)
        (place.table, place.slot) = (position, slot)
        break
      }
      return place
    }
  }

  /// The record of a name where it lies.
  func stored(_ recordName: String) -> StoredRecord? {
    let place = place(of: recordName)
    return place.isFound ? StoredRecord(table: tables[place.table], slot: place.slot) : nil
  }

  /// Where a record lies: the position of its table, and its slot.
  struct Position: Hashable {
    var table: Int32
    var slot: Int32
  }

  func stored(at position: Position) -> StoredRecord {
    StoredRecord(table: tables[Int(position.table)], slot: Int(position.slot))
  }

  /// The record of a name, with the fields named or all.
  func record(_ recordName: String, desiredKeys: [String]? = nil) -> Record? {
    let place = place(of: recordName)
    return place.isFound ? record(at: place, desiredKeys: desiredKeys) : nil
  }

  /// The record at a place that has one.
  func record(at place: Place, desiredKeys: [String]? = nil) -> Record {
    let fields = desiredKeys.map { keys in
      Set(keys.compactMap { tables[place.table].layout.recordType.position(of: $0) }).sorted().map {
        FieldNumber.position($0)
      }
    }
    return tables[place.table].record(place.slot, fields: fields)
  }

  func contains(_ recordName: String) -> Bool { place(of: recordName).isFound }

  /// The position of the table of a record type, with all fields of the type.
  mutating func table(for recordType: RecordType) -> Int {
    if let position = position(of: recordType.name) {
      if tables[position].layout.recordType.fields.count < recordType.fields.count {
        let (fields, indexes) = setting.choice.beginning(of: recordType)
        tables[position].adopt(fields)
        tables[position].choose(indexes.shapes, heap)
      }
      return position
    }
    let (fields, indexes) = setting.choice.beginning(of: recordType)
    tables.append(Table(zoneID: id, fields, indexes: indexes, tracksChanges: tracksChanges))
    if isBulk { tables[tables.count - 1].beginBulk(heap) }
    if isBatch { tables[tables.count - 1].beginBatch() }
    return tables.count - 1
  }

  /// Takes over the fields that the types of the zone's records have gained in other zones.
  mutating func adoptFields(of schema: Schema) {
    for name in tables.map(\.layout.recordType.name) {
      if let type = schema[name] { _ = table(for: type) }
    }
  }

  /// Stores a record in place of the one of its name, under a new change tag, and returns it as stored.
  mutating func store(_ record: Record, as recordType: RecordType) -> Record {
    let table = table(for: recordType)
    store(record, recordType.positions(of: record), in: table, at: place(of: record.recordName))
    var record = record
    record.changeTag = ZoneState.changeTag(changeNumber)
    return record
  }

  /// Stores a record under a new change tag, which ``changeNumber`` tells, or under that of a given number.
  ///
  /// - Parameters:
  ///   - record: The record; its values have the types of its fields.
  ///   - positions: The position of each of its fields in the record type.
  ///   - table: The position of the table of its type, which has all these fields.
  ///   - place: Where the record of its name is.
  ///   - others: What becomes of the stored fields that the record lacks.
  ///   - number: The number of its change tag, a new one where nil.
  /// - Returns: Where it lies.
  @discardableResult
  mutating func store(
    _ record: Record, _ positions: [Int32], in table: Int, at place: Place, others: OtherFields = .gone,
    tagged number: Int64? = nil
  ) -> Position {
    let known = place.table == table ? place.slot : nil
    if number == nil { changeNumber += 1 }
    if tracksChanges { noteSave(of: record.recordName, at: place, isTagged: number != nil) }
    let number = number ?? changeNumber
    let hasReferences = !tables[table].shape.references.isEmpty
    if hasReferences, let known { countCascades(of: known, in: table, by: -1) }
    let slot = tables[table].store(
      record, positions, in: known, hash: place.hash, others: others, changeNumber: number, heap: heap)
    if hasReferences { countCascades(of: slot, in: table, by: 1) }
    return Position(table: Int32(table), slot: Int32(slot))
  }

  /// Counts the `.deleteSelf` references of a record that is stored now, or goes.
  private mutating func countCascades(of slot: Int, in table: Int, by sign: Int) {
    if sign < 0, cascadingReferences == 0 { return }
    if knownCascades.isEmpty {
      cascadingReferences += sign * tables[table].cascadingReferences(slot)
      return
    }
    tables[table].forEachCascadingReference(slot) { target in
      cascadingReferences += sign
      let target = [UInt8](copying: target)
      if let known = knownCascades[target] { knownCascades[target] = known + sign }
    }
  }

  /// The change tag that a number makes: the number in base 36.
  static func changeTag(_ number: Int64) -> String { String(base36: UInt64(bitPattern: number)) }

  /// The number that makes a change tag; nil where none does, or one that the zone may give to another save.
  func changeNumber(of tag: String) -> Int64? {
    guard let number = Int64(tag, radix: 36), number > 0, sameBytes(ZoneState.changeTag(number), tag) else {
      return nil
    }
    return 1...1 << 48 ~= number.subtractingReportingOverflow(changeNumber).partialValue ? nil : number
  }

  /// Deletes a record and all that refer to it by `.deleteSelf`, those that refer to these, and so on; the IDs of all.
  ///
  /// Complexity: constant for each record deleted while no record of the zone holds such a reference; else linear in those
  /// that refer to it so, and logarithmic in the zone's.
  mutating func delete(_ recordName: String) -> [RecordID] {
    if cascadingReferences == 0 {
      return delete(recordName, at: placeToChange(of: recordName)) ? [RecordID(recordName: recordName, zoneID: id)] : []
    }
    var deleted: [RecordID] = []
    var pending = [recordName]
    while let name = pending.popLast() {
      let place = placeToChange(of: name)
      if place.isFound, cascadingReferences > 0 {
        countCascades(of: place.slot, in: place.table, by: -1)
        pending += referrers(to: name)
      }
      if delete(name, at: place) { deleted.append(RecordID(recordName: name, zoneID: id)) }
    }
    return deleted
  }

  /// Deletes the record of a name at a place; false where there is none.
  private mutating func delete(_ recordName: String, at place: Place) -> Bool {
    guard place.isFound else { return false }
    if tracksChanges { noteDeletion(of: recordName, at: place) }
    tables[place.table].delete(place.slot, hash: place.hash, heap: heap)
    return true
  }

  // MARK: Changes

  /// Notes that a record is about to be stored at its place, under a tag of its own or the next number.
  private mutating func noteSave(of recordName: String, at place: Place, isTagged: Bool) {
    if !place.isFound, !deletions.isEmpty,
      let slot = withUTF8(of: recordName, { deletions[0].slot(of: $0, hash: place.hash) })
    {
      deletions[0].delete(slot, hash: place.hash, heap: heap)
    }
    if isTagged, !isRestoring {
      changeNumber += 1
      forgottenChanges = changeNumber
    }
  }

  /// Notes that the record of a name, at its place, is about to be deleted.
  private mutating func noteDeletion(of recordName: String, at place: Place) {
    changeNumber += 1
    remember(recordName, place.hash, ofTable: place.table, changeNumber)
  }

  /// Remembers that the record of a name was deleted, and forgets the oldest deletion where these are too many.
  mutating func remember(_ recordName: String, _ hash: UInt32, ofTable table: Int, _ number: Int64) {
    if deletions.isEmpty {
      let fields = ZoneState.deletionFields
      deletions = [Table(zoneID: id, fields, indexes: TableIndexes([], fields.layout), tracksChanges: true)]
    }
    var deletion = Record(recordType: "", recordID: RecordID(recordName: recordName, zoneID: id))
    deletion["table"] = .int64(Int64(table))
    _ = deletions[0].store(deletion, [0], in: nil, hash: hash, others: .gone, changeNumber: number, heap: heap)
    let most = rememberedDeletions ?? 0
    while deletions[0].count > most, let oldest = deletions[0].firstChange {
      let slot = Int(oldest.slot)
      deletions[0].delete(slot, hash: deletions[0].withName(slot) { NameIndex.hash($0) }, heap: heap)
      forgottenChanges = max(forgottenChanges, Int64(bitPattern: oldest.number))
    }
  }

  /// Whether the record of a name, which is not there, is among the remembered deletions.
  func isRemembered(_ recordName: String, _ place: Place) -> Bool {
    withUTF8(of: recordName) { name in deletions.contains { $0.slot(of: name, hash: place.hash) != nil } }
  }

  /// Begins the counting of changes at a number, while records are restored under numbers of their own.
  mutating func begin(at number: Int64, forgotten: Int64, gaps: [ClosedRange<Int64>]) {
    setting = setting.with(gaps)
    (changeNumber, forgottenChanges, isRestoring) = (number, forgotten, true)
  }

  /// Ends the restoring of records.
  mutating func end(forgotten: Int64) { (forgottenChanges, isRestoring) = (forgotten, false) }

  /// What is known of a deleted record: beside its name the position of the table that it was in.
  private static let deletionFields = TableFields(RecordType("", fields: [FieldDefinition("table", .int64)]))

  // MARK: References

  /// The names of the records that refer to one by `.deleteSelf`. Complexity: as ``Table/referrers(to:)`` for each type.
  func referrers(to recordName: String) -> [String] {
    tables.flatMap { $0.referrers(to: recordName) }
  }

  /// No fewer than the zone's `.deleteSelf` references to the record of an encoded ID, as far as ``Table/cascades`` tell; all
  /// that the zone has where they do not. Complexity: logarithmic for each record type.
  func mostCascadingReferences(to target: [UInt8]) -> Int {
    guard let (records, repeats) = cascadingRecords(to: target) else { return cascadingReferences }
    return records == 0 ? 0 : min(records + repeats, cascadingReferences)
  }

  /// How many records refer to the one of an encoded ID by `.deleteSelf`, and how many such references there are in the whole
  /// zone beside another of the same record to the same one; nil during a bulk load.
  private func cascadingRecords(to target: [UInt8]) -> (records: Int, repeats: Int)? {
    if cascadingReferences == 0 { return (0, 0) }
    var (records, postings) = (0, 0)
    for table in tables {
      guard let count = table.recordsReferring(to: target) else { return nil }
      records += count
      postings += table.cascades.postings
    }
    return (records, cascadingReferences - postings)
  }

  /// Counts the zone's `.deleteSelf` references to some records, which are then known until the commit ends.
  ///
  /// Complexity: logarithmic for each; where any record refers to another more than once, linear in the references of all
  /// records that hold one to any of those not known yet, each looked at once.
  mutating func learnCascadingReferences(to targets: [[UInt8]: Int]) {
    var unknown = targets.filter { knownCascades[$0.key] == nil }
    for target in unknown.keys {
      if let (records, repeats) = cascadingRecords(to: target), repeats == 0 {
        knownCascades[target] = records
        unknown[target] = nil
      }
    }
    if unknown.isEmpty { return }
    for table in tables { table.countCascadingReferences(to: &unknown) }
    knownCascades.merge(unknown) { known, _ in known }
  }

  /// How many `.deleteSelf` references there are to a record that was asked about.
  func cascadingReferences(to target: [UInt8]) -> Int { knownCascades[target] ?? 0 }

  // MARK: Checking

  /// Whether a check costs little beside the commit it follows, or one is due.
  var isWorthChecking: Bool {
    (tables + deletions).allSatisfy { $0.slotCount <= 64 } || heap.generation & 4095 == 0
  }

  /// What is wrong with the zone's pages, nil where nothing is. Complexity: linear in all there is.
  func check() -> String? {
    for table in tables {
      if let fault = table.check() { return "the table of '\(table.layout.recordType.name)': \(fault)" }
    }
    if let fault = deletionsFault { return fault }
    if !heap.check() { return "the heap's accounts" }
    var reached = 0
    for table in tables + deletions { unsafe table.forEachPage { unsafe reached += PageHeap.size(of: $0) } }
    return reached == heap.newBytes ? nil : "\(reached) bytes reached of \(heap.newBytes)"
  }
}
