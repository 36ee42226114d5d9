extension SortOrder {
  /// The place of a row in the order.
  func position(of row: TableRow) -> SortPosition {
    SortPosition(
      values: values(row), recordName: row.source.table.withName(row.slot) { String(copying: $0) },
      zoneID: row.source.table.zoneID)
  }

  /// Whether a match comes behind a place.
  func isBehind(_ match: Match, _ position: SortPosition) -> Bool {
    for (index, descriptor) in descriptors.enumerated() {
      let order = compare(match.values[index], position.values[index], descriptor)
      if order != 0 { return order > 0 }
    }
    let order = match.row.source.table.withName(match.row.slot) { name in
      withUTF8(of: position.recordName) { name.compare($0) }
    }
    if order != 0 { return order > 0 }
    return match.row.source.table.zoneID.compare(position.zoneID) > 0
  }

  /// Whether a place has values of the types that the descriptors sort by.
  func fits(_ position: SortPosition) -> Bool {
    guard position.values.count == descriptors.count else { return false }
    return zip(position.values, descriptors).allSatisfy { value, descriptor in
      switch (value, descriptor.type) {
      case (.missing, _), (.integer, .int64), (.integer, .timestamp), (.double, .double), (.double, .location),
        (.bytes, .string), (.bytes, .reference):
        true
      default: false
      }
    }
  }
}
