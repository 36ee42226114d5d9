/// The user that was named last: most records of an answer were saved by few, whose ID is then made once.
struct KnownUsers {
  fileprivate var bytes: [UInt8] = []
  fileprivate var last: RecordID?
}

/// Records and their values, copied out of a table.
extension Table {
  /// The record in a slot, with the fields in `fields` or all.
  func record(_ slot: Int, fields: [FieldNumber]? = nil) -> Record {
    var users = KnownUsers()
    return record(slot, fields: fields, &users)
  }

  /// The record in a slot, with the fields in `fields` or all, one of many to be read.
  func record(_ slot: Int, fields: [FieldNumber]?, _ users: inout KnownUsers) -> Record {
    let name = withName(slot) { String(copying: $0) }
    let layout = shape.layout
    var record = Record(recordType: layout.recordType.name, recordID: RecordID(recordName: name, zoneID: zoneID))
    record.creationDate = timestamp(.creationDate, slot)
    record.modificationDate = timestamp(.modificationDate, slot)
    record.creatorUserRecordID = user(.creatorUserRecordID, slot, &users)
    record.lastModifiedUserRecordID = user(.lastModifiedUserRecordID, slot, &users)
    record.parent = reference(.parent, slot)
    record.share = reference(.share, slot)
    record.changeTag = ZoneState.changeTag(integer(slot, FieldNumber(.changeTag)))
    record.isPartial = fields != nil
    if let fields {
      for field in fields {
        if let value = value(slot, field) { record.append(value, to: layout.name(of: field)) }
      }
    } else {
      var values: [FieldValue] = []
      values.reserveCapacity(shape.fieldNames.count)
      // A record that has all fields shares their names with every other.
      var names: [String]?
      for position in shape.fieldNames.indices {
        if let value = value(slot, .position(position)) {
          values.append(value)
          names?.append(shape.fieldNames[position])
        } else if names == nil {
          names = Array(shape.fieldNames[..<position])
        }
      }
      record.setFields(names ?? shape.fieldNames, values)
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
    case .name: return .string(group.withName(row) { String(copying: $0) })
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

  /// The user that a field names.
  private func user(_ field: SystemField, _ slot: Int, _ users: inout KnownUsers) -> RecordID? {
    let number = FieldNumber(field)
    let (group, row) = place(slot)
    guard group.isPresent(row, number) else { return nil }
    return group.withStoredBytes(row, number) { bytes in
      if let id = users.last, users.bytes.span.isSame(as: bytes) { return id }
      guard case .reference(let reference)? = value(slot, number) else { return nil }
      (users.last, users.bytes) = (reference.recordID, Array(copying: bytes))
      return reference.recordID
    }
  }

  func timestamp(_ field: SystemField, _ slot: Int) -> Timestamp? {
    if case .timestamp(let moment)? = value(slot, FieldNumber(field)) { moment } else { nil }
  }

  func reference(_ field: SystemField, _ slot: Int) -> Reference? {
    if case .reference(let reference)? = value(slot, FieldNumber(field)) { reference } else { nil }
  }
}
