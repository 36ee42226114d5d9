extension TableRow.Source {
  /// Records as values, with the fields in `fields` or all. `touched` keeps reads that are made for the sake of the cache.
  func records(_ found: [some FoundRow], fields: [FieldNumber]?, touched: inout UInt64) -> [Record] {
    var reader = RecordReader(table, fields: fields)
    var records: [Record] = []
    records.reserveCapacity(found.count)
    reader.append(found, 0..<found.count, to: &records)
    touched = reader.touched
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
}

extension RowGroup {
  func timestamp(_ row: Int, _ field: SystemField) -> Timestamp? {
    let number = FieldNumber(field)
    return isPresent(row, number) ? Timestamp(milliseconds: integer(row, number)) : nil
  }
}

extension TableShape {
  /// The value of a row's field, if it has one.
  func value(_ group: RowGroup, _ row: Int, _ field: FieldNumber) -> FieldValue? {
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
