extension Database {
  /// The zone as of now, or all zones, in the order of their names.
  func snapshots(_ zoneID: ZoneID?) throws(ZoneQueryError) -> [ZoneSnapshot] {
    try zones(zoneID).map { $0.pinned() }
  }
}
