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
    let layout = shape.layout
    var names = shape.fieldNames
    var values: [FieldValue] = []
    if let fields {
      names = []
      for field in fields {
        guard let value = value(slot, field) else { continue }
        names.append(layout.name(of: field))
        values.append(value)
      }
    } else {
      values.reserveCapacity(names.count)
      // A record that has all fields shares their names with every other.
      var isWhole = true
      for position in shape.fieldNames.indices {
        if let value = value(slot, .position(position)) {
          values.append(value)
          if !isWhole { names.append(shape.fieldNames[position]) }
        } else if isWhole {
          isWhole = false
          names = Array(shape.fieldNames[..<position])
        }
      }
    }
    // Made at once: what is changed afterwards is copied, with all it refers to.
    return Record(
      recordType: layout.recordType.name,
      recordID: RecordID(recordName: withName(slot) { String(copying: $0) }, zoneID: zoneID), names: names,
      values: values, isPartial: fields != nil, creationDate: timestamp(.creationDate, slot),
      modificationDate: timestamp(.modificationDate, slot),
      creatorUserRecordID: user(.creatorUserRecordID, slot, &users),
      lastModifiedUserRecordID: user(.lastModifiedUserRecordID, slot, &users),
      changeTag: ZoneState.changeTag(integer(slot, FieldNumber(.changeTag))), parent: reference(.parent, slot),
      share: reference(.share, slot))
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
