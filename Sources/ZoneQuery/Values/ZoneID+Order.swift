extension ZoneID {
  /// Negative, 0 or positive as the zone comes before, is, or comes after another: by name, then by owner.
  func compare(_ other: ZoneID) -> Int {
    let order = ZoneID.compare(zoneName, other.zoneName)
    return order != 0 ? order : ZoneID.compare(ownerName, other.ownerName)
  }

  private static func compare(_ left: String, _ right: String) -> Int {
    if sameBytes(left, right) { return 0 }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
  }
}
