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
