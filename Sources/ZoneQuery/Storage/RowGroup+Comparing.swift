extension RowGroup {
  /// Whether a row has just this value of a field, or none where it is nil. `scratch` is used on the way.
  func holds(_ row: Int, _ field: FieldNumber, _ value: FieldValue?, _ scratch: inout [UInt8]) -> Bool {
    guard let value else { return !isPresent(row, field) }
    guard isPresent(row, field) else { return false }
    switch (kind(field), value) {
    case (.integer, .int64(let number)): return integer(row, field) == number
    case (.integer, .timestamp(let moment)): return integer(row, field) == moment.milliseconds
    case (.double, .double(let number)): return word(row, field) == number.bitPattern
    case (.location, .location(let place)):
      return word(row, field) == place.latitude.bitPattern
        && word(row, field, plane: 1) == place.longitude.bitPattern && holdsDetails(row, field, value, &scratch)
    case (.integer, _), (.double, _), (.location, _): return false
    case (.reference, .reference(let reference)): return holds(row, field, reference.recordID, reference.action)
    case (.bytes, .string(let text)):
      return withUTF8(of: text) { text in withStoredBytes(row, field) { $0.isSame(as: text) } }
    default:
      scratch.removeAll(keepingCapacity: true)
      value.encode(into: &scratch)
      let encoded = scratch
      if !withStoredBytes(row, field, { $0.isSame(as: encoded.span) }) { return false }
      return kind(field) != .locationList || holdsDetails(row, field, value, &scratch)
    }
  }

  /// Whether a row has just this reference, or none where it is nil.
  func holds(_ row: Int, _ field: FieldNumber, _ id: RecordID?, _ action: Reference.Action = .none) -> Bool {
    guard let id else { return !isPresent(row, field) }
    return isPresent(row, field) && withStoredBytes(row, field) { $0.isReference(to: id, action) }
  }

  /// Whether a row has just this moment, or none where it is nil.
  func holds(_ row: Int, _ field: FieldNumber, _ moment: Timestamp?) -> Bool {
    guard let moment else { return !isPresent(row, field) }
    return isPresent(row, field) && integer(row, field) == moment.milliseconds
  }

  /// Whether a row has just what a record has in a system field that it brings along.
  func holds(_ row: Int, _ field: SystemField, of record: Record) -> Bool {
    let number = FieldNumber(field)
    return switch field {
    case .creationDate: holds(row, number, record.creationDate)
    case .modificationDate: holds(row, number, record.modificationDate)
    case .creatorUserRecordID: holds(row, number, record.creatorUserRecordID)
    case .lastModifiedUserRecordID: holds(row, number, record.lastModifiedUserRecordID)
    case .parent: holds(row, number, record.parent?.recordID, record.parent?.action ?? .none)
    case .share: holds(row, number, record.share?.recordID, record.share?.action ?? .none)
    case .recordID, .changeTag: false
    }
  }

  private func holdsDetails(
    _ row: Int, _ field: FieldNumber, _ value: FieldValue, _ scratch: inout [UInt8]
  ) -> Bool {
    scratch.removeAll(keepingCapacity: true)
    value.encodeDetails(into: &scratch)
    let plane = kind(field).planes
    if planes(field) <= plane { return scratch.isEmpty }
    let encoded = scratch
    return withStoredBytes(row, field, plane: plane) { $0.isSame(as: encoded.span) }
  }
}
