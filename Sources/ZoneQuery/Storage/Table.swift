// An unsafe leaf: the roots of a table's pages.
//
// A table is a value; the pages it points to change as the page heap says.

/// The records of one type in one zone: a slot for each, in groups of 256 rows (``RowGroup``) with a chunk for each
/// field.
///
/// A record keeps its slot while it lives; the slots of deleted records are used again. A table is a value of roots:
/// copying it is a snapshot, and the commit that writes to the copy copies the pages it touches. It points to pages
/// without holding them, so it is to be used while its version is pinned (``Zone/read(_:)``, ``ZoneSnapshot``) or by
/// the commit that makes the next one, and not beyond. Complexity: a record is found by its name in constant time;
/// reading or writing one is linear in the fields of its type.
@safe
struct Table: Sendable {
  private(set) var shape: TableShape
  private(set) var indexes: TableIndexes
  /// The records that hold a `.deleteSelf` reference to each target.
  var cascades = PostingIndex()
  /// The records in the order of their change tags' numbers; nil where the zone does not track changes.
  var changes: OrderedIndex<Key1>?
  /// Whether the indexes wait to be built from all rows at once.
  private(set) var isBulk = false
  /// What is to be put into the indexes and taken out of them later, where many records are saved or deleted in one commit;
  /// none where each is at once. One word, as tables are copied at each commit.
  private var waiting: [WaitingChanges] = []
  private var groups = PageDirectory()
  /// Where the names of each group lie.
  private var groupNames = PageDirectory()
  private var index = NameIndex()
  /// One more than the greatest slot ever used.
  private(set) var slotCount = 0
  /// The slots that published versions may look at.
  private var sealedSlots = 0
  /// The first of the groups with free rows, plus one; 0 where there is none.
  private var firstFree = 0

  init(zoneID: ZoneID, _ fields: TableFields, indexes: TableIndexes, tracksChanges: Bool = false) {
    shape = TableShape(zoneID: zoneID, fields)
    self.indexes = indexes
    if tracksChanges { changes = OrderedIndex(shape: .number) }
  }

  var zoneID: ZoneID { shape.zoneID }
  var layout: FieldLayout { shape.layout }

  /// The number of records.
  var count: Int { index.count }

  /// The number of groups that the slots lie in.
  var groupCount: Int { groups.count }

  /// Takes over the fields of its record type, which has new ones behind those there were.
  mutating func adopt(_ fields: TableFields) { shape = TableShape(zoneID: zoneID, fields) }

  /// Begins a commit: what there is now, published versions look at.
  mutating func beginCommit() { sealedSlots = slotCount }

  // MARK: Slots

  /// The rows of a group before `groupCount`; slot s is row s & 255 of group s >> 8.
  @inline(__always)
  func group(_ number: Int) -> RowGroup { rows.group(number) }

  /// The rows alone.
  @inline(__always)
  var rows: TableRows { TableRows(groups: groups, names: groupNames, slotCount: slotCount) }

  /// The group of a slot, and its row there.
  @inline(__always)
  func place(_ slot: Int) -> (group: RowGroup, row: Int) {
    (group(slot >> RowGroup.shift), slot & (RowGroup.size - 1))
  }

  func isLive(_ slot: Int) -> Bool {
    guard slot >= 0, slot < slotCount else { return false }
    let (group, row) = place(slot)
    return group.isLive(row)
  }

  /// The slots of the records by their names.
  var names: NameIndex { index }

  /// The slot of a record.
  func slot(of recordName: String) -> Int? {
    withUTF8(of: recordName) { slot(of: $0) }
  }

  /// The slot of the record with a name.
  func slot(of recordName: Span<UInt8>) -> Int? { slot(of: recordName, hash: NameIndex.hash(recordName)) }

  /// The slot of the record with a name that has a hash.
  func slot(of recordName: Span<UInt8>, hash: UInt32) -> Int? {
    rows.slot(of: recordName, hash, in: index, approaching: 0)?.slot
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

  /// Takes down where a group's names lie, after something was written to it.
  private mutating func noteNames(_ number: Int, _ heap: PageHeap) {
    let names = unsafe group(number).names
    if unsafe names != groupNames[number] { unsafe groupNames.set(number, names, heap: heap) }
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
      unsafe groupNames.append(nil, heap: heap)
    }
    slotCount += 1
    let editor = edit(number, heap)
    // Half a group's rows unused are little where there are some groups.
    editor.open(row, atOnce: number >= 4)
    return (slotCount - 1, editor)
  }

  // MARK: Records

  /// Stores a record, its fields and all system fields, and returns its slot. Its values have the types of the layout.
  ///
  /// `positions` are those of its fields in the record type, negative for none; `known` is the slot of the record of its
  /// name, if there is one, and `hash` that name's hash. `others` says what becomes of the fields that the record lacks.
  mutating func store(
    _ record: Record, _ positions: [Int32], in known: Int?, hash: UInt32, others: OtherFields, changeNumber: Int64,
    heap: PageHeap
  ) -> Int {
    let lent = heap.scratch
    var scratch = lent.takeBytes()
    defer { lent.put(scratch) }
    guard let slot = known else {
      let (slot, editor) = makeSlot(heap)
      let row = slot & (RowGroup.size - 1)
      withUTF8(of: record.recordName) { editor.setName(row, $0) }
      index.insert(hash, slot, heap: heap)
      for index in positions.indices where positions[index] >= 0 {
        editor.set(row, .position(Int(positions[index])), record.value(at: index), &scratch)
      }
      for field in Table.writtenSystemFields {
        if let value = record.systemValue(field) { editor.set(row, FieldNumber(field), value, &scratch) }
      }
      editor.set(row, FieldNumber(.changeTag), .int64(changeNumber), &scratch)
      noteNames(slot >> RowGroup.shift, heap)
      if isBatch { putOff(slot, nil, heap) } else if !isBulk { insertIntoIndexes(slot, heap) }
      insertCascades(slot, heap)
      insertChange(slot, changeNumber, heap)
      if slot == slotCount - 1, row == RowGroup.size - 1 { editor.trim() }
      return slot
    }
    if isBatch, waiting[0].contains(slot) { makeWaiting(heap) }
    let row = slot & (RowGroup.size - 1)
    let editor = edit(slot >> RowGroup.shift, heap)
    let group = group(slot >> RowGroup.shift)
    var (changed, given) = (FieldSet(), FieldSet())
    for index in positions.indices where positions[index] >= 0 {
      let field = FieldNumber.position(Int(positions[index]))
      given.insert(field)
      if !group.holds(row, field, record.value(at: index), &scratch) { changed.insert(field) }
    }
    switch others {
    case .gone:
      for field in FieldLayout.systemCount..<layout.count where group.isPresent(row, field) && !given.contains(field) {
        changed.insert(field)
      }
    case .kept(let lost):
      for position in lost where group.isPresent(row, .position(Int(position))) {
        changed.insert(.position(Int(position)))
      }
    }
    for field in Table.writtenSystemFields where !group.holds(row, field, of: record) {
      changed.insert(FieldNumber(field))
    }
    if !isBulk {
      prefetchChunks(of: changed, group)
      takeFromIndexes(slot, changed, heap)
    }
    let cascadesBefore = cascadesBefore(slot, changed, heap)
    for index in positions.indices where positions[index] >= 0 {
      let field = FieldNumber.position(Int(positions[index]))
      if changed.contains(field) { editor.set(row, field, record.value(at: index), &scratch) }
    }
    if others.mayGo {
      for field in FieldLayout.systemCount..<layout.count where changed.contains(field) && !given.contains(field) {
        editor.clear(row, field)
      }
    }
    for field in Table.writtenSystemFields where changed.contains(FieldNumber(field)) {
      editor.set(row, FieldNumber(field), record.systemValue(field), &scratch)
    }
    // Making room for longer values may have moved long names.
    noteNames(slot >> RowGroup.shift, heap)
    if !isBulk { putIntoIndexes(slot, changed, heap) }
    if let cascadesBefore { replaceCascades(cascadesBefore, slot, heap) }
    removeChange(slot, heap)
    editor.set(row, FieldNumber(.changeTag), .int64(changeNumber), &scratch)
    insertChange(slot, changeNumber, heap)
    return slot
  }

  /// Asks for the chunks of some fields, of which most are about to be copied.
  private func prefetchChunks(of changed: FieldSet, _ group: RowGroup) {
    var count = 0
    for field in 0..<group.columnCount where changed.contains(field) && !group.isConstant(field) {
      guard let chunk = unsafe group.chunk(field) else { continue }
      if count == Table.mostChunksNear { return }
      unsafe PageHeap.prefetch(chunk, group.planes(field) * group.capacity << 3)
      count += 1
    }
  }

  /// The most chunks that are asked for together.
  private static var mostChunksNear: Int { 16 }

  /// Those that a record brings along.
  private static let writtenSystemFields: [SystemField] = SystemField.allCases.filter {
    $0 != .recordID && $0 != .changeTag
  }

  /// Deletes the record in a slot, whose name has a hash.
  mutating func delete(_ slot: Int, hash: UInt32, heap: PageHeap) {
    if isBatch, waiting[0].contains(slot) { makeWaiting(heap) }
    if !isBulk { takeFromIndexes(slot, nil, heap) }
    removeCascades(slot, heap)
    removeChange(slot, heap)
    index.remove(hash, slot, heap: heap)
    let number = slot >> RowGroup.shift
    let editor = edit(number, heap)
    editor.close(slot & (RowGroup.size - 1))
    noteNames(number, heap)
    if !editor.isListed {
      editor.nextFree = firstFree
      editor.isListed = true
      firstFree = number + 1
    }
    if isBatch, waiting[0].isFull { makeWaiting(heap) }
  }

  // MARK: Indexes

  /// Puts a row into the ordered indexes on some fields, or into all where these are nil; with a `step` of -1 in place of 1
  /// takes it out of them. What is to be copied is rarely near: while one change is made, the leaf of the next comes, and
  /// the node above that of the next but one.
  private mutating func changeKeys(
    of row: IndexedRow, _ slot: UInt32, _ changed: FieldSet?, step: Int, _ heap: PageHeap
  ) {
    let rows = rows
    // Each question for it counts a reference.
    let scratch = heap.scratch
    var changes = scratch.takeChanges()
    for number in indexes.ordered {
      if let changed, !indexes[number].isOn(changed) { continue }
      indexes[number].prepare(row, slot: slot, number: number, rows: rows, step: step, &changes)
    }
    let near = min(changes.count, Table.mostLeavesNear)
    for place in 0..<near { indexes[changes[place].index].findLeaf(of: &changes[place], slot: slot, rows: rows) }
    for place in -2..<changes.count {
      let (leafAhead, nodeAhead) = (place + 1, place + 2)
      if leafAhead >= 0, leafAhead < near {
        indexes[changes[leafAhead].index].entries.prefetchLeaf(changes[leafAhead].way)
      }
      if nodeAhead < near { indexes[changes[nodeAhead].index].entries.prefetchNode(above: changes[nodeAhead].way) }
      if place < 0 { continue }
      let number = changes[place].index
      // Behind the first change of an index its leaves are no longer where they were.
      let isFirst = place == 0 || changes[place - 1].index != number
      let leaf = place < near && isFirst ? changes[place].way : nil
      if step > 0 {
        indexes[number].insert(changes[place], in: leaf, slot: slot, rows: rows, heap: heap)
      } else {
        indexes[number].remove(changes[place], in: leaf, slot: slot, rows: rows, heap: heap)
      }
    }
    changes.removeAll(keepingCapacity: true)
    scratch.put(changes)
  }

  /// The most leaves whose ways are found beforehand: what a cache of 256 KB has room for.
  static var mostLeavesNear: Int { 64 }

  /// Adds a new row to all indexes.
  private mutating func insertIntoIndexes(_ slot: Int, _ heap: PageHeap) {
    let row = IndexedRow(group: group(slot >> RowGroup.shift), row: slot & (RowGroup.size - 1))
    let place = UInt32(truncatingIfNeeded: slot)
    changeKeys(of: row, place, nil, step: 1, heap)
    let scratch = heap.scratch
    var terms = scratch.takeTerms()
    for number in indexes.ofPostings {
      indexes[number].terms(row, &terms)
      indexes[number].insert(terms, slot: place, heap: heap)
    }
    scratch.put(terms)
  }

  /// Takes a row, before it changes, out of the ordered indexes on some fields, and keeps the terms it has in the others;
  /// where the fields are nil, takes it out of all indexes.
  private mutating func takeFromIndexes(_ slot: Int, _ changed: FieldSet?, _ heap: PageHeap) {
    let row = IndexedRow(group: group(slot >> RowGroup.shift), row: slot & (RowGroup.size - 1))
    let place = UInt32(truncatingIfNeeded: slot)
    if isBatch {
      putOffKeys(of: row, place, changed, heap)
    } else {
      changeKeys(of: row, place, changed, step: -1, heap)
    }
    let scratch = heap.scratch
    for number in indexes.ofPostings {
      if let changed, !indexes[number].isOn(changed) { continue }
      var terms = scratch.takeTerms()
      indexes[number].terms(row, &terms)
      if changed == nil {
        if isBatch {
          waiting[0].remove(terms.terms, place, from: number)
        } else {
          indexes[number].remove(terms, slot: place, heap: heap)
        }
        scratch.put(terms)
      } else {
        scratch.keepOld(terms, of: number)
      }
    }
  }

  /// Puts a row, after it changed, into the indexes on some fields.
  private mutating func putIntoIndexes(_ slot: Int, _ changed: FieldSet, _ heap: PageHeap) {
    let row = IndexedRow(group: group(slot >> RowGroup.shift), row: slot & (RowGroup.size - 1))
    let place = UInt32(truncatingIfNeeded: slot)
    if isBatch { putOff(slot, changed, heap) } else { changeKeys(of: row, place, changed, step: 1, heap) }
    let scratch = heap.scratch
    while let (number, old) = scratch.takeOld() {
      var terms = scratch.takeTerms()
      indexes[number].terms(row, &terms)
      indexes[number].replaceTerms(old, terms, slot: place, heap: heap)
      scratch.put(terms)
      scratch.put(old)
    }
  }

  // MARK: Many at once

  /// Begins the saving and deleting of many records, for which the indexes are changed together: at its end, and before a row
  /// changes again. Where the type has references they are changed at once, since saving and deleting asks them.
  mutating func beginBatch() {
    if !isBulk, shape.references.isEmpty { waiting = [WaitingChanges(indexes: indexes.indices.count)] }
  }

  /// Ends the saving and deleting of many records.
  mutating func endBatch(_ heap: PageHeap) {
    makeWaiting(heap)
    waiting = []
  }

  /// Whether changes of the indexes wait, to be made together.
  private var isBatch: Bool { !waiting.isEmpty }

  /// Has a row wait to be put into the indexes.
  private mutating func putOff(_ slot: Int, _ changed: FieldSet?, _ heap: PageHeap) {
    let bytes = stored(slot).mostBytes
    waiting[0].append(UInt32(truncatingIfNeeded: slot), changed, bytes: bytes)
    if waiting[0].isFull { makeWaiting(heap) }
  }

  /// Has the keys of a row, before it changes, wait to be taken out of the ordered indexes on some fields, or out of all.
  private mutating func putOffKeys(of row: IndexedRow, _ slot: UInt32, _ changed: FieldSet?, _ heap: PageHeap) {
    guard var changes = waiting.popLast() else { return }
    let rows = rows
    for number in indexes.ordered {
      if let changed, !indexes[number].isOn(changed) { continue }
      indexes[number].remove(row, slot: slot, number: number, rows: rows, &changes, heap: heap)
    }
    waiting.append(changes)
  }

  /// Makes the changes that wait.
  private mutating func makeWaiting(_ heap: PageHeap) {
    guard let changes = waiting.first, !changes.isEmpty else { return }
    let rows = rows
    for number in indexes.indices { indexes[number].change(changes, number: number, of: rows, heap: heap) }
    waiting = [WaitingChanges(indexes: indexes.indices.count)]
  }

  /// Begins a bulk load: the indexes are emptied, and filled when it ends.
  mutating func beginBulk(_ heap: PageHeap) {
    if isBulk { return }
    isBulk = true
    for number in indexes.indices { indexes[number].removeAll(heap: heap) }
    cascades.removeAll(heap: heap)
    changes?.removeAll(heap: heap)
  }

  /// Ends a bulk load.
  mutating func endBulk(_ heap: PageHeap) {
    guard isBulk else { return }
    isBulk = false
    let table = self
    for number in indexes.indices { indexes[number].build(table, heap: heap) }
    buildCascades(heap)
    buildChanges(heap)
  }

  /// Brings the indexes to the shapes wanted: those that are there stay as they are.
  mutating func choose(_ shapes: [IndexShape], _ heap: PageHeap) {
    let wasBatch = isBatch
    endBatch(heap)
    for number in indexes.indices where !shapes.contains(where: { $0.isSameIndex(as: indexes.shapes[number]) }) {
      indexes[number].removeAll(heap: heap)
    }
    let table = self
    // What stays may have new fields with words; no record has any yet.
    indexes.choose(shapes, layout) { if !isBulk { $0.build(table, heap: heap) } }
    if wasBatch { beginBatch() }
  }

  /// The number of the index on a field alone.
  func indexNumber(of field: FieldNumber, _ kind: IndexShape.Kind) -> Int? { indexes.number(of: field, kind) }

  /// The number of the index of words.
  var tokenIndex: Int? { indexes.tokens }

  // MARK: Reading in place

  /// Calls `body` with the name of a live slot's record.
  @inline(__always)
  func withName<Result>(_ slot: Int, _ body: (Span<UInt8>) -> Result) -> Result { rows.withName(slot, body) }

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
    unsafe cascades.forEachPage(body)
    unsafe changes?.forEachPage(body)
    unsafe groups.forEachOwnPage(body)
    unsafe groupNames.forEachOwnPage(body)
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
      let rowCount = rows.rowCount(number)
      if let fault = group.check(shape.kinds, rowCount: rowCount) { return "group \(number): \(fault)" }
      if unsafe group.names != groupNames[number] {
        return "group \(number): its names are not where they are said to be"
      }
      live += group.liveCount
      if group.liveCount < rowCount { groupsWithDeadRows += 1 }
      if group.isListed != (group.liveCount < rowCount) {
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
    if let fault = indexes.fault { return fault }
    for index in indexes.all where !isBulk {
      if let fault = index.fault(self) { return "the index of \(index.shape.name): \(fault)" }
    }
    if let fault = cascadesFault ?? changesFault { return fault }
    return index.fault { slot in isLive(slot) ? withName(slot) { NameIndex.hash($0) } : nil }
  }
}
