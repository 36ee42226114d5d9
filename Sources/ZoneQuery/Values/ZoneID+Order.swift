extension ZoneID {
  /// Negative, 0 or positive as the zone comes before, is, or comes after another: by name, then by owner.
  func compare(_ other: ZoneID) -> Int {
    let order = ZoneID.compare(zoneName, other.zoneName)
    return order != 0 ? order : ZoneID.compare(ownerName, other.ownerName)
  }

  /// Whether the zone comes before another by owner, then by name.
  func precedesByOwner(_ other: ZoneID) -> Bool {
    let order = ZoneID.compare(ownerName, other.ownerName)
    return order != 0 ? order < 0 : ZoneID.compare(zoneName, other.zoneName) < 0
  }

  private static func compare(_ left: String, _ right: String) -> Int {
    if sameBytes(left, right) { return 0 }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
  }
}
