/// Makes records of rows of one table, as values.
struct RecordReader {
  private let shape: TableShape
  private let rows: TableRows
  /// The fields that are wanted, if not all, and the names of those that are.
  private let fields: [FieldNumber]?
  private let names: [String]
  private var creator = KnownUser()
  private var lastModifier = KnownUser()

  /// The user that a field named last: most records of an answer were saved by few, whose ID is then made once.
  private struct KnownUser {
    var bytes: [UInt8] = []
    var id: RecordID?
  }

  /// Reads records with the fields in `fields`, or with all.
  init(_ table: Table, fields: [FieldNumber]? = nil) {
    shape = table.shape
    rows = table.rows
    self.fields = fields
    let layout = shape.layout
    names = fields.map { $0.map(layout.name(of:)) } ?? shape.fieldNames
  }

  /// The record in a slot.
  mutating func record(_ slot: Int) -> Record {
    let (group, row) = (rows.group(slot >> RowGroup.shift), slot & (RowGroup.size - 1))
    func field(_ position: Int) -> FieldNumber { fields?[position] ?? .position(position) }
    var values: [FieldValue] = []
    values.reserveCapacity(names.indices.count { group.isPresent(row, field($0)) })
    // A record that has all fields shares their names with every other.
    var present: [String]?
    for position in names.indices {
      if let value = shape.value(group, row, field(position)) {
        values.append(value)
        present?.append(names[position])
      } else if present == nil {
        present = Array(names[..<position])
      }
    }
    let (created, modified) = (FieldNumber(.creatorUserRecordID), FieldNumber(.lastModifiedUserRecordID))
    // Made at once: what is changed afterwards is copied, with all it refers to.
    return Record(
      recordType: shape.layout.recordType.name,
      recordID: RecordID(recordName: group.withName(row) { String(copying: $0) }, zoneID: shape.zoneID),
      names: present ?? names, values: values, isPartial: fields != nil,
      creationDate: group.timestamp(row, .creationDate), modificationDate: group.timestamp(row, .modificationDate),
      creatorUserRecordID: RecordReader.user(group, row, created, shape, &creator),
      lastModifiedUserRecordID: RecordReader.user(group, row, modified, shape, &lastModifier),
      changeTag: ZoneState.changeTag(group.integer(row, FieldNumber(.changeTag))),
      parent: shape.reference(group, row, .parent), share: shape.reference(group, row, .share))
  }

  /// The user that a field names.
  private static func user(
    _ group: RowGroup, _ row: Int, _ field: FieldNumber, _ shape: TableShape, _ known: inout KnownUser
  ) -> RecordID? {
    guard group.isPresent(row, field) else { return nil }
    return group.withStoredBytes(row, field) { bytes in
      if let id = known.id, known.bytes.span.isSame(as: bytes) { return id }
      guard case .reference(let reference)? = shape.value(group, row, field) else { return nil }
      known = KnownUser(bytes: Array(copying: bytes), id: reference.recordID)
      return reference.recordID
    }
  }
}

extension TableRow.Source {
  /// Records as values, with the fields in `fields` or all. `touched` keeps reads that are made for the sake of the cache.
  func records(_ found: [some FoundRow], fields: [FieldNumber]?, touched: inout UInt64) -> [Record] {
    var reader = RecordReader(table, fields: fields)
    var wanted = UInt64.max >> UInt64(64 - FieldLayout.systemCount)
    for field in fields ?? Array(0..<min(shape.layout.count, 64)) where field < 64 { wanted |= 1 << UInt64(field) }
    let together = TableRows.togetherWhole(wanted.nonzeroBitCount)
    var records: [Record] = []
    records.reserveCapacity(found.count)
    for position in found.indices {
      if position % together == 0 {
        let next = min(position + together, found.count)
        touched = rows.approach(position..<next, fields: wanted, isWhole: true) { found[$0].slot }
      }
      records.append(reader.record(Int(found[position].slot)))
    }
    return records
  }
}

extension Table {
  /// The record in a slot, with the fields in `fields` or all.
  func record(_ slot: Int, fields: [FieldNumber]? = nil) -> Record {
    var reader = RecordReader(self, fields: fields)
    return reader.record(slot)
  }

  /// The value of a slot's field, if it has one; of the record ID and the change tag, what is stored for them.
  func value(_ slot: Int, _ field: FieldNumber) -> FieldValue? {
    let (group, row) = place(slot)
    return shape.value(group, row, field)
  }

  /// The user that a slot's field names, which most likely is a known one.
  func user(_ field: SystemField, _ slot: Int, known: RecordID) -> RecordID? {
    let (group, row) = place(slot)
    if group.holds(row, FieldNumber(field), known) { return known }
    return shape.reference(group, row, field)?.recordID
  }

  func timestamp(_ field: SystemField, _ slot: Int) -> Timestamp? {
    let (group, row) = place(slot)
    return group.timestamp(row, field)
  }

  func reference(_ field: SystemField, _ slot: Int) -> Reference? {
    let (group, row) = place(slot)
    return shape.reference(group, row, field)
  }
}

extension RowGroup {
  fileprivate func timestamp(_ row: Int, _ field: SystemField) -> Timestamp? {
    let number = FieldNumber(field)
    return isPresent(row, number) ? Timestamp(milliseconds: integer(row, number)) : nil
  }
}

extension TableShape {
  fileprivate func reference(_ group: RowGroup, _ row: Int, _ field: SystemField) -> Reference? {
    if case .reference(let reference)? = value(group, row, FieldNumber(field)) { reference } else { nil }
  }

  /// The value of a row's field, if it has one.
  fileprivate func value(_ group: RowGroup, _ row: Int, _ field: FieldNumber) -> FieldValue? {
    guard group.isPresent(row, field) else { return nil }
    let (type, kind) = (types[field], kinds[field])
    switch kind {
    case .name: return .string(group.withName(row) { String(copying: $0) })
    case .integer:
      let number = group.integer(row, field)
      return type.scalar == .timestamp ? .timestamp(Timestamp(milliseconds: number)) : .int64(number)
    case .double: return .double(group.double(row, field))
    case .location:
      let (latitude, longitude) = group.degrees(row, field)
      return .location(Location(latitude: latitude, longitude: longitude, details: details(group, row, field)))
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
}
