// An unsafe leaf: the roots of a table's pages.
//
// Proof of Sendable: a table is a value; the pages it points to change as the page heap says.

/// The records of one type in one zone: a slot for each, in groups of 256 rows (``RowGroup``) with a chunk for each
/// field.
///
/// A record keeps its slot while it lives; the slots of deleted records are used again. A table is a value of roots:
/// copying it is a snapshot, and the commit that writes to the copy copies the pages it touches. It points to pages
/// without holding them, so it is to be used while its version is pinned (``Zone/read(_:)``, ``ZoneSnapshot``) or by
/// the commit that makes the next one, and not beyond. Complexity: a record is found by its name in constant time;
/// reading or writing one is linear in the fields of its type.
@safe
struct Table: @unchecked Sendable {
  private(set) var shape: TableShape
  private(set) var indexes: TableIndexes
  /// Whether the indexes wait to be built from all rows at once.
  private(set) var isBulk = false
  private var groups = PageDirectory()
  private var index = NameIndex()
  /// One more than the greatest slot ever used.
  private(set) var slotCount = 0
  /// The slots that published versions may look at.
  private var sealedSlots = 0
  /// The first of the groups with free rows, plus one; 0 where there is none.
  private var firstFree = 0

  init(zoneID: ZoneID, recordType: RecordType, indexes: [IndexShape] = []) {
    shape = TableShape(zoneID: zoneID, recordType: recordType)
    self.indexes = TableIndexes(indexes, shape.layout)
  }

  var zoneID: ZoneID { shape.zoneID }
  var layout: FieldLayout { shape.layout }

  /// The number of records.
  var count: Int { index.count }

  /// The number of groups that the slots lie in.
  var groupCount: Int { groups.count }

  /// Takes over a record type that has new fields behind those there were.
  mutating func adopt(_ recordType: RecordType) {
    shape = TableShape(zoneID: zoneID, recordType: recordType)
  }

  /// Begins a commit: what there is now, published versions look at.
  mutating func beginCommit() { sealedSlots = slotCount }

  // MARK: Slots

  /// The rows of a group before `groupCount`; slot s is row s & 255 of group s >> 8.
  @inline(__always)
  func group(_ number: Int) -> RowGroup { rows.group(number) }

  /// The rows alone.
  @inline(__always)
  var rows: TableRows { TableRows(groups: groups, slotCount: slotCount) }

  @inline(__always)
  private func place(_ slot: Int) -> (group: RowGroup, row: Int) {
    (group(slot >> RowGroup.shift), slot & (RowGroup.size - 1))
  }

  func isLive(_ slot: Int) -> Bool {
    guard slot >= 0, slot < slotCount else { return false }
    let (group, row) = place(slot)
    return group.isLive(row)
  }

  /// The slot of a record.
  func slot(of recordName: String) -> Int? {
    withUTF8(of: recordName) { slot(of: $0) }
  }

  /// The slot of the record with a name.
  func slot(of recordName: Span<UInt8>) -> Int? { slot(of: recordName, NameIndex.hash(recordName)) }

  /// The slot of the record with a name whose hash is known.
  func slot(of recordName: Span<UInt8>, _ hash: UInt32) -> Int? {
    index.slot(hash) { slot in withName(slot) { $0.isSame(as: recordName) } }
  }

  private mutating func edit(_ number: Int, _ heap: PageHeap) -> GroupEditor {
    let rows = min(RowGroup.size, slotCount - number << RowGroup.shift)
    guard let old = unsafe groups[number] else { preconditionFailure("a group without a page") }
    var page = unsafe old
    let columns = group(number).columnCount
    if columns < shape.kinds.count {
      unsafe heap.move(
        &page, used: RowGroup.headerSize(columns: columns), bytes: RowGroup.headerSize(columns: shape.kinds.count))
      unsafe GroupEditor.addColumns(shape.kinds, to: page)
    } else {
      unsafe heap.writable(&page, used: RowGroup.headerSize(columns: columns))
    }
    if unsafe page != old { unsafe groups.set(number, page, heap: heap) }
    return unsafe GroupEditor(page, rows: rows, sealedRows: sealedSlots - number << RowGroup.shift, heap: heap)
  }

  /// Gives a new record a slot.
  private mutating func makeSlot(_ heap: PageHeap) -> (slot: Int, editor: GroupEditor) {
    if firstFree > 0 {
      let number = firstFree - 1
      let editor = edit(number, heap)
      if let row = editor.firstDeadRow {
        editor.open(row, atOnce: false)
        if editor.firstDeadRow == nil {
          firstFree = editor.nextFree
          editor.isListed = false
        }
        return (number << RowGroup.shift + row, editor)
      }
    }
    let (number, row) = (slotCount >> RowGroup.shift, slotCount & (RowGroup.size - 1))
    if number == groups.count {
      unsafe groups.append(GroupEditor.makeHeader(shape.kinds, heap: heap), heap: heap)
    }
    slotCount += 1
    let editor = edit(number, heap)
    // Half a group's rows unused are little where there are some groups.
    editor.open(row, atOnce: number >= 4)
    return (slotCount - 1, editor)
  }

  // MARK: Records

  /// Stores a record, all its fields and system fields, in place of the one of its name if there is one, and returns
  /// its slot. The values have the types of the layout.
  @discardableResult
  mutating func store(_ record: Record, changeNumber: Int64, heap: PageHeap) -> Int {
    let (slot, editor, isNew) = withUTF8(of: record.recordID.recordName) { name -> (Int, GroupEditor, Bool) in
      let hash = NameIndex.hash(name)
      if let known = self.slot(of: name, hash) {
        return (known, edit(known >> RowGroup.shift, heap), false)
      }
      let (slot, editor) = makeSlot(heap)
      editor.setName(slot & (RowGroup.size - 1), name)
      index.insert(hash, slot, heap: heap)
      return (slot, editor, true)
    }
    let row = slot & (RowGroup.size - 1)
    var scratch: [UInt8] = []
    var hint = 0
    var changed = FieldSet()
    let fields = shape.layout.recordType.fields
    func forEachValue(_ body: (FieldNumber, FieldValue?) -> Void) {
      for position in fields.indices {
        body(.position(position), record.value(of: fields[position].name, near: &hint))
      }
      for field in SystemField.allCases where field != .recordID && field != .changeTag {
        body(FieldNumber(field), record.systemValue(field))
      }
    }
    if isNew || isBulk {
      forEachValue { editor.set(row, $0, $1, &scratch) }
    } else {
      let group = group(slot >> RowGroup.shift)
      forEachValue { if !group.holds(row, $0, $1, &scratch) { changed.insert($0) } }
      let old = unindex(slot, changed, heap)
      hint = 0
      forEachValue { if changed.contains($0) { editor.set(row, $0, $1, &scratch) } }
      reindex(slot, changed, old, heap)
    }
    editor.set(row, FieldNumber(.changeTag), .int64(changeNumber), &scratch)
    if isNew, !isBulk { reindex(slot, .all, [], heap) }
    if isNew, slot == slotCount - 1, row == RowGroup.size - 1 { editor.trim() }
    return slot
  }

  /// Deletes a record; whether there was one.
  @discardableResult
  mutating func delete(_ recordName: String, heap: PageHeap) -> Bool {
    let found = withUTF8(of: recordName) { name -> (hash: UInt32, slot: Int)? in
      let hash = NameIndex.hash(name)
      return slot(of: name, hash).map { (hash, $0) }
    }
    guard let (hash, slot) = found else { return false }
    if !isBulk {
      let old = unindex(slot, .all, heap)
      forgetTerms(slot, old, heap)
    }
    index.remove(hash, slot, heap: heap)
    let number = slot >> RowGroup.shift
    let editor = edit(number, heap)
    editor.close(slot & (RowGroup.size - 1))
    if !editor.isListed {
      editor.nextFree = firstFree
      editor.isListed = true
      firstFree = number + 1
    }
    return true
  }

  // MARK: Indexes

  /// Takes a row out of the ordered indexes on fields that are about to change; the terms it has in the others.
  private mutating func unindex(_ slot: Int, _ changed: FieldSet, _ heap: PageHeap) -> [TermScratch?] {
    var old: [TermScratch?] = []
    let row = IndexedRow(group: group(slot >> RowGroup.shift), row: slot & (RowGroup.size - 1))
    for number in indexes.indices where indexes[number].shape.isOn(changed) {
      if case .postings = indexes[number].entries {
        var terms = TermScratch()
        indexes[number].terms(row, &terms)
        while old.count <= number { old.append(nil) }
        old[number] = terms
      } else {
        let table = self
        indexes[number].removeKeys(row, slot: UInt32(truncatingIfNeeded: slot), table: table, heap: heap)
      }
    }
    return old
  }

  /// Puts a row into the indexes on fields that changed.
  private mutating func reindex(_ slot: Int, _ changed: FieldSet, _ old: [TermScratch?], _ heap: PageHeap) {
    let row = IndexedRow(group: group(slot >> RowGroup.shift), row: slot & (RowGroup.size - 1))
    var terms = TermScratch()
    for number in indexes.indices where indexes[number].shape.isOn(changed) {
      if case .postings = indexes[number].entries {
        indexes[number].terms(row, &terms)
        let before = number < old.count ? old[number] : nil
        indexes[number].replaceTerms(before ?? TermScratch(), terms, slot: UInt32(truncatingIfNeeded: slot), heap: heap)
      } else {
        let table = self
        indexes[number].insertKeys(row, slot: UInt32(truncatingIfNeeded: slot), table: table, heap: heap)
      }
    }
  }

  private mutating func forgetTerms(_ slot: Int, _ old: [TermScratch?], _ heap: PageHeap) {
    for number in old.indices {
      guard let terms = old[number] else { continue }
      indexes[number].replaceTerms(terms, TermScratch(), slot: UInt32(truncatingIfNeeded: slot), heap: heap)
    }
  }

  /// Begins a bulk load: the indexes are emptied, and filled when it ends.
  mutating func beginBulk(_ heap: PageHeap) {
    if isBulk { return }
    isBulk = true
    for number in indexes.indices { indexes[number].removeAll(heap: heap) }
  }

  /// Ends a bulk load.
  mutating func endBulk(_ heap: PageHeap) {
    guard isBulk else { return }
    isBulk = false
    let table = self
    for number in indexes.indices { indexes[number].build(table, heap: heap) }
  }

  /// Brings the indexes to the shapes wanted: those that are there stay as they are.
  mutating func choose(_ shapes: [IndexShape], _ heap: PageHeap) {
    for number in indexes.indices.reversed() {
      let shape = indexes[number].shape
      if !shapes.contains(where: { sameBytes($0.name, shape.name) }) {
        indexes[number].removeAll(heap: heap)
        indexes.remove(at: number, layout)
      }
    }
    for shape in shapes {
      if let known = indexes.position(named: shape.name) {
        // New fields may have words too; no record has any yet.
        indexes[known].shape = shape
      } else {
        var index = TableIndex(shape)
        if !isBulk { index.build(self, heap: heap) }
        indexes.append(index, layout)
      }
    }
  }

  /// The number of the index on a field alone.
  func indexNumber(of field: FieldNumber, _ kind: IndexShape.Kind) -> Int? { indexes.number(of: field, kind) }

  /// The number of the index of words.
  var tokenIndex: Int? { indexes.tokens }

  /// The record in a slot, with the fields in `fields` or all.
  func record(_ slot: Int, fields: [FieldNumber]? = nil) -> Record {
    let name = withName(slot) { String(copying: $0) }
    let layout = shape.layout
    var record = Record(recordType: layout.recordType.name, recordID: RecordID(recordName: name, zoneID: zoneID))
    record.creationDate = timestamp(.creationDate, slot)
    record.modificationDate = timestamp(.modificationDate, slot)
    record.creatorUserRecordID = reference(.creatorUserRecordID, slot)?.recordID
    record.lastModifiedUserRecordID = reference(.lastModifiedUserRecordID, slot)?.recordID
    record.parent = reference(.parent, slot)
    record.share = reference(.share, slot)
    record.changeTag = String(integer(slot, FieldNumber(.changeTag)), radix: 36)
    record.isPartial = fields != nil
    if let fields {
      for field in fields {
        if let value = value(slot, field) { record.append(value, to: layout.name(of: field)) }
      }
    } else {
      let (group, _) = place(slot)
      for field in FieldLayout.systemCount..<min(layout.count, group.columnCount) {
        if let value = value(slot, field) { record.append(value, to: layout.name(of: field)) }
      }
    }
    return record
  }

  /// The value of a slot's field, if it has one; of the record ID and the change tag, what is stored for them.
  func value(_ slot: Int, _ field: FieldNumber) -> FieldValue? {
    let (group, row) = place(slot)
    guard group.isPresent(row, field) else { return nil }
    let type = shape.layout.type(of: field)
    let kind = shape.kinds[field]
    switch kind {
    case .integer:
      let number = group.integer(row, field)
      return type.scalar == .timestamp ? .timestamp(Timestamp(milliseconds: number)) : .int64(number)
    case .double: return .double(group.double(row, field))
    case .location:
      let (latitude, longitude) = group.degrees(row, field)
      return .location(
        Location(latitude: latitude, longitude: longitude, details: details(group, row, field)))
    case .locationList where group.planes(field) > kind.planes:
      return group.withStoredBytes(row, field) { bytes in
        group.withStoredBytes(row, field, plane: kind.planes) { details in
          FieldValue(type, bytes: bytes, details: details, zoneID: zoneID)
        }
      }
    case .bytes, .reference, .list, .locationList, .referenceList:
      return group.withStoredBytes(row, field) { bytes in
        FieldValue(type, bytes: bytes, details: bytes.extracting(0..<0), zoneID: zoneID)
      }
    }
  }

  private func details(_ group: RowGroup, _ row: Int, _ field: FieldNumber) -> Location.Details {
    let plane = ColumnKind.location.planes
    if group.planes(field) <= plane { return Location.Details() }
    return group.withStoredBytes(row, field, plane: plane) { bytes in
      var position = 0
      return Location.Details(bytes, &position)
    }
  }

  private func timestamp(_ field: SystemField, _ slot: Int) -> Timestamp? {
    if case .timestamp(let moment)? = value(slot, FieldNumber(field)) { moment } else { nil }
  }

  private func reference(_ field: SystemField, _ slot: Int) -> Reference? {
    if case .reference(let reference)? = value(slot, FieldNumber(field)) { reference } else { nil }
  }

  // MARK: Reading in place

  /// Calls `body` with the name of a slot's record; with nothing where the slot has none.
  @inline(__always)
  func withName<Result>(_ slot: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let (group, row) = place(slot)
    return group.withBytes(row, FieldNumber(.recordID), body)
  }

  func isPresent(_ slot: Int, _ field: FieldNumber) -> Bool {
    let (group, row) = place(slot)
    return group.isPresent(row, field)
  }

  /// The number of a slot that has one.
  func integer(_ slot: Int, _ field: FieldNumber) -> Int64 {
    let (group, row) = place(slot)
    return group.integer(row, field)
  }

  /// The number of a slot that has one.
  func double(_ slot: Int, _ field: FieldNumber) -> Double {
    let (group, row) = place(slot)
    return group.double(row, field)
  }

  /// The place of a slot that has one.
  func degrees(_ slot: Int, _ field: FieldNumber) -> (latitude: Double, longitude: Double) {
    let (group, row) = place(slot)
    return group.degrees(row, field)
  }

  /// The UTF-8 of a text, the encoding of a reference or of the record's ID.
  func withBytes<Result>(_ slot: Int, _ field: FieldNumber, _ body: (Span<UInt8>) -> Result) -> Result {
    let (group, row) = place(slot)
    return group.withBytes(row, field) { bytes in
      field == FieldNumber(.recordID) ? shape.withEncodedID(bytes, body) : body(bytes)
    }
  }

  func anyInteger(_ slot: Int, _ field: FieldNumber, where predicate: (Int64) -> Bool) -> Bool {
    let (group, row) = place(slot)
    return group.anyInteger(row, field, where: predicate)
  }

  func anyDouble(_ slot: Int, _ field: FieldNumber, where predicate: (Double) -> Bool) -> Bool {
    let (group, row) = place(slot)
    return group.anyDouble(row, field, where: predicate)
  }

  func anyDegrees(_ slot: Int, _ field: FieldNumber, where predicate: (Double, Double) -> Bool) -> Bool {
    let (group, row) = place(slot)
    return group.anyDegrees(row, field, where: predicate)
  }

  func anyBytes(_ slot: Int, _ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    let (group, row) = place(slot)
    return group.anyBytes(row, field, where: predicate)
  }
}

// MARK: Checking

extension Table {
  /// Calls `body` with every page the table reaches: for checks.
  func forEachPage(_ body: (UnsafeMutableRawPointer) -> Void) {
    unsafe index.forEachPage(body)
    for index in indexes.all { unsafe index.forEachPage(body) }
    unsafe groups.forEachOwnPage(body)
    for number in 0..<groups.count {
      if let page = unsafe groups[number] { unsafe body(page) }
      unsafe group(number).forEachPage(body)
    }
  }

  /// What is wrong with the table, nil where nothing is: for tests, and for the end of a commit in debug builds.
  func check() -> String? {
    var live = 0
    var groupsWithDeadRows = 0
    for number in 0..<groups.count {
      let group = group(number)
      if let fault = group.check(shape.kinds) { return "group \(number): \(fault)" }
      live += group.liveCount
      if group.liveCount < group.rowCount { groupsWithDeadRows += 1 }
      if group.isListed != (group.liveCount < group.rowCount) {
        return "group \(number): free rows and the list differ"
      }
    }
    if live != count { return "\(live) rows are live, \(count) are counted" }
    var (listed, next) = (0, firstFree)
    while next > 0, listed <= groups.count {
      listed += 1
      next = group(next - 1).nextFree
    }
    if listed != groupsWithDeadRows { return "\(listed) groups are listed, \(groupsWithDeadRows) have free rows" }
    for index in indexes.all where !isBulk {
      if let fault = index.fault(self) { return "the index of \(index.shape.name): \(fault)" }
    }
    return index.fault { slot in isLive(slot) ? withName(slot) { NameIndex.hash($0) } : nil }
  }
}
