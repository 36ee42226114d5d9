/// Everything stored in a zone: a table for each record type that has records in it.
///
/// A state points to pages of the zone's heap. It is to be used within ``Zone/read(_:)``, while the ``ZoneSnapshot``
/// lives that it came from, or by the commit that makes it, and not beyond.
struct ZoneState: Sendable {
  let id: ZoneID
  /// Tells the zone from every other there was under its name in the database.
  let generation: Int64
  private let heap: PageHeap
  /// Which indexes tables have.
  private var choice = IndexChoice()
  private var isBulk = false
  private(set) var tables: [Table] = []
  /// Counts the saves, from a start of the zone's own; each gives the record it saves its change tag.
  private var changeNumber: Int64
  /// How many `.deleteSelf` references the zone's records hold.
  private var cascadingReferences = 0

  init(id: ZoneID, generation: Int64, choice: IndexChoice, heap: PageHeap) {
    self.id = id
    self.generation = generation
    self.choice = choice
    self.heap = heap
    changeNumber = generation &<< 36
  }

  /// Begins a commit.
  mutating func beginCommit() {
    for position in tables.indices { tables[position].beginCommit() }
  }

  /// Brings the indexes of all tables to a choice.
  mutating func choose(_ choice: IndexChoice) {
    self.choice = choice
    for position in tables.indices { tables[position].choose(choice.shapes(tables[position].layout), heap) }
  }

  /// Begins the loading of so many records: where that is much beside what there is, indexes are filled at its end.
  mutating func beginBulk(_ count: Int) {
    let known = tables.reduce(0) { $0 + $1.count }
    guard count >= 64, count >= known / 4 else { return }
    isBulk = true
    for position in tables.indices { tables[position].beginBulk(heap) }
  }

  /// Ends the loading of records.
  mutating func endBulk() {
    isBulk = false
    for position in tables.indices { tables[position].endBulk(heap) }
  }

  /// The position of a type's table.
  private func position(of recordType: String) -> Int? {
    tables.firstIndex { sameBytes($0.layout.recordType.name, recordType) }
  }

  func table(_ recordType: String) -> Table? { position(of: recordType).map { tables[$0] } }

  /// The table and slot of a record, whatever its type. Complexity: linear in the number of types.
  private func place(of recordName: String) -> (table: Int, slot: Int)? {
    withUTF8(of: recordName) { name in
      let hash = NameIndex.hash(name)
      for position in tables.indices {
        if let slot = tables[position].slot(of: name, hash) { return (position, slot) }
      }
      return nil
    }
  }

  /// The record of a name, with the fields named or all.
  func record(_ recordName: String, desiredKeys: [String]? = nil) -> Record? {
    guard let (table, slot) = place(of: recordName) else { return nil }
    let fields = desiredKeys.map { keys in
      Set(keys.compactMap { tables[table].layout.recordType.position(of: $0) }).sorted().map {
        FieldNumber.position($0)
      }
    }
    return tables[table].record(slot, fields: fields)
  }

  func contains(_ recordName: String) -> Bool { place(of: recordName) != nil }

  /// Stores a record in place of the one of its name, under a new change tag, and returns it as stored.
  mutating func store(_ record: Record, as recordType: RecordType) -> Record {
    var record = record
    if cascadingReferences > 0, let old = self.record(record.recordID.recordName) {
      cascadingReferences -= old.cascadingTargets.count
    }
    cascadingReferences += record.cascadingTargets.count
    let position: Int
    if let known = self.position(of: record.recordType) {
      position = known
      if tables[position].layout.recordType.fields.count < recordType.fields.count {
        tables[position].adopt(recordType)
        tables[position].choose(choice.shapes(tables[position].layout), heap)
      }
    } else {
      position = tables.count
      tables.append(
        Table(zoneID: id, recordType: recordType, indexes: choice.shapes(FieldLayout(recordType: recordType))))
      if isBulk { tables[position].beginBulk(heap) }
    }
    changeNumber += 1
    tables[position].store(record, changeNumber: changeNumber, heap: heap)
    record.changeTag = String(changeNumber, radix: 36)
    return record
  }

  /// Deletes a record and all that refer to it by `.deleteSelf`, those that refer to these, and so on; the IDs of all.
  ///
  /// Complexity: constant while no record of the zone holds such a reference; else linear in the zone's records for
  /// each record deleted.
  mutating func delete(_ recordName: String) -> [RecordID] {
    var deleted: [RecordID] = []
    var pending = [recordName]
    while let name = pending.popLast() {
      guard let (position, slot) = place(of: name) else { continue }
      if cascadingReferences > 0 {
        cascadingReferences -= tables[position].record(slot).cascadingTargets.count
        pending += referrers(to: name)
      }
      tables[position].delete(name, heap: heap)
      deleted.append(RecordID(recordName: name, zoneID: id))
    }
    return deleted
  }

  /// The names of the records that refer to one by `.deleteSelf`.
  func referrers(to recordName: String) -> [String] {
    var names: [String] = []
    for table in tables {
      for slot in 0..<table.slotCount where table.isLive(slot) {
        let record = table.record(slot)
        if record.cascadingTargets.contains(where: { sameBytes($0.recordName, recordName) }) {
          names.append(record.recordID.recordName)
        }
      }
    }
    return names
  }

  var holdsCascadingReferences: Bool { cascadingReferences > 0 }

  // MARK: Checking

  /// Whether a check costs little beside the commit it follows, or one is due.
  var isWorthChecking: Bool {
    tables.allSatisfy { $0.slotCount <= 64 } || heap.generation & 4095 == 0
  }

  /// What is wrong with the zone's pages, nil where nothing is. Complexity: linear in all there is.
  func check() -> String? {
    for table in tables {
      if let fault = table.check() { return "the table of '\(table.layout.recordType.name)': \(fault)" }
    }
    if !heap.check() { return "the heap's accounts" }
    var reached = 0
    for table in tables { unsafe table.forEachPage { unsafe reached += PageHeap.size(of: $0) } }
    return reached == heap.newBytes ? nil : "\(reached) bytes reached of \(heap.newBytes)"
  }
}

extension Record {
  /// The records whose deletion deletes this one.
  var cascadingTargets: [RecordID] {
    fields.flatMap { field -> [RecordID] in
      switch field.value {
      case .reference(let reference): reference.action == .deleteSelf ? [reference.recordID] : []
      case .referenceList(let references):
        references.filter { $0.action == .deleteSelf }.map(\.recordID)
      default: []
      }
    }
  }
}
