/// The records of one type in one zone: a slot for each, a column for each field.
///
/// A record keeps its slot while it lives; the slots of deleted records are used again. A table is a value: copying it
/// is a snapshot, and writing to the copy copies the pages it touches. Complexity: a record is found by its name in
/// constant time; reading or writing one is linear in the fields of its type.
struct Table: Sendable {
  let zoneID: ZoneID
  private(set) var layout: FieldLayout
  private var columns: [Column]
  private var names = RaggedColumn<UInt8>()
  private var index = NameIndex()
  private var live = Bitmap()
  private var free: [Int] = []
  /// One more than the greatest slot ever used.
  private(set) var slotCount = 0

  init(zoneID: ZoneID, recordType: RecordType) {
    self.zoneID = zoneID
    layout = FieldLayout(recordType: recordType)
    columns = SystemField.allCases.map { Column($0 == .changeTag ? .int64 : $0.type) }
    columns += recordType.fields.map { Column($0) }
  }

  /// The number of records.
  var count: Int { index.count }

  /// Takes over a record type that has new fields behind those there were.
  mutating func adopt(_ recordType: RecordType) {
    for field in recordType.fields.dropFirst(layout.recordType.fields.count) { columns.append(Column(field)) }
    layout = FieldLayout(recordType: recordType)
  }

  // MARK: Slots

  func isLive(_ slot: Int) -> Bool { live.contains(slot) }

  /// The slot of a record.
  func slot(of recordName: String) -> Int? {
    withUTF8(of: recordName) { name in
      index.slot(NameIndex.hash(name)) { slot in names.withRun(slot) { $0.compare(name) == 0 } }
    }
  }

  /// Gives a record that has none a slot.
  private mutating func makeSlot(for recordName: String) -> Int {
    let slot: Int
    if let used = free.popLast() {
      slot = used
    } else {
      slot = slotCount
      slotCount += 1
    }
    names.set(slot, recordName.utf8)
    live.insert(slot)
    let names = names
    index.insert(names.hash(slot), slot, hashOf: names.hash)
    return slot
  }

  // MARK: Records

  /// Stores a record, all its fields and system fields, in place of the one of its name if there is one. The values
  /// have the types of the layout.
  mutating func store(_ record: Record, changeNumber: Int64) {
    let slot = slot(of: record.recordID.recordName) ?? makeSlot(for: record.recordID.recordName)
    for (position, field) in layout.recordType.fields.enumerated() {
      set(slot, .position(position), record[field.name])
    }
    for field in SystemField.allCases where field != .recordID && field != .changeTag {
      set(slot, FieldNumber(field), record.systemValue(field))
    }
    set(slot, FieldNumber(.changeTag), .int64(changeNumber))
  }

  private mutating func set(_ slot: Int, _ field: FieldNumber, _ value: FieldValue?) {
    if let value { columns[field].set(slot, value) } else { columns[field].clear(slot) }
  }

  /// Deletes a record; whether there was one.
  @discardableResult
  mutating func delete(_ recordName: String) -> Bool {
    guard let slot = slot(of: recordName) else { return false }
    let names = names
    index.remove(names.hash(slot), slot, hashOf: names.hash)
    for column in columns.indices { columns[column].clear(slot) }
    self.names.clear(slot)
    live.remove(slot)
    free.append(slot)
    return true
  }

  /// The record in a slot, with the fields in `fields` or all.
  func record(_ slot: Int, fields: [FieldNumber]? = nil) -> Record {
    let name = names.withRun(slot) { String(copying: $0) }
    var record = Record(recordType: layout.recordType.name, recordID: RecordID(recordName: name, zoneID: zoneID))
    record.creationDate = timestamp(.creationDate, slot)
    record.modificationDate = timestamp(.modificationDate, slot)
    record.creatorUserRecordID = reference(.creatorUserRecordID, slot)?.recordID
    record.lastModifiedUserRecordID = reference(.lastModifiedUserRecordID, slot)?.recordID
    record.parent = reference(.parent, slot)
    record.share = reference(.share, slot)
    record.changeTag = String(columns[FieldNumber(.changeTag)].integer(slot), radix: 36)
    record.isPartial = fields != nil
    for field in fields ?? Array(FieldLayout.systemCount..<layout.count) {
      if let value = columns[field].value(slot) { record.append(value, to: layout.name(of: field)) }
    }
    return record
  }

  private func timestamp(_ field: SystemField, _ slot: Int) -> Timestamp? {
    guard columns[field.rawValue].isPresent(slot) else { return nil }
    return Timestamp(milliseconds: columns[field.rawValue].integer(slot))
  }

  private func reference(_ field: SystemField, _ slot: Int) -> Reference? {
    if case .reference(let reference)? = columns[field.rawValue].value(slot) { reference } else { nil }
  }

  // MARK: Reading in place

  func withName<Result>(_ slot: Int, _ body: (Span<UInt8>) -> Result) -> Result { names.withRun(slot, body) }

  func isPresent(_ slot: Int, _ field: FieldNumber) -> Bool {
    field == FieldNumber(.recordID) || columns[field].isPresent(slot)
  }

  func integer(_ slot: Int, _ field: FieldNumber) -> Int64 { columns[field].integer(slot) }

  func double(_ slot: Int, _ field: FieldNumber) -> Double { columns[field].double(slot) }

  func degrees(_ slot: Int, _ field: FieldNumber) -> (latitude: Double, longitude: Double) {
    columns[field].degrees(slot)
  }

  func position(_ slot: Int, _ field: FieldNumber) -> GeodesicPosition { columns[field].position(slot) }

  func withBytes<Result>(_ slot: Int, _ field: FieldNumber, _ body: (Span<UInt8>) -> Result) -> Result {
    if field == FieldNumber(.recordID) {
      let id = RecordID(recordName: names.withRun(slot) { String(copying: $0) }, zoneID: zoneID)
      return body(id.encoded.span)
    }
    return columns[field].withBytes(slot, body)
  }

  func anyInteger(_ slot: Int, _ field: FieldNumber, where predicate: (Int64) -> Bool) -> Bool {
    columns[field].anyInteger(slot, where: predicate)
  }

  func anyDouble(_ slot: Int, _ field: FieldNumber, where predicate: (Double) -> Bool) -> Bool {
    columns[field].anyDouble(slot, where: predicate)
  }

  func anyDegrees(_ slot: Int, _ field: FieldNumber, where predicate: (Double, Double) -> Bool) -> Bool {
    columns[field].anyDegrees(slot, where: predicate)
  }

  func anyBytes(_ slot: Int, _ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    columns[field].anyBytes(slot, where: predicate)
  }
}

extension RaggedColumn where Element == UInt8 {
  /// The hash of a name.
  func hash(_ slot: Int) -> UInt64 { withRun(slot) { NameIndex.hash($0) } }
}

extension Span where Element == UInt8 {
  /// Negative, 0 or positive as the bytes come before, are, or come after `other`, byte by byte.
  func compare(_ other: Span<UInt8>) -> Int {
    let shared = Swift.min(count, other.count)
    for index in 0..<shared where self[index] != other[index] { return Int(self[index]) - Int(other[index]) }
    return count - other.count
  }
}
