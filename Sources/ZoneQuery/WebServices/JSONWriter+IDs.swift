extension JSONWriter {
  /// Writes the members that name a record: its zone where that is not the default one.
  package mutating func members(of id: RecordID) {
    member("recordName", id.recordName)
    if !id.zoneID.isDefault { member("zoneID", id.zoneID) }
  }

  /// Writes a member whose value is a zone's dictionary.
  package mutating func member(_ key: String, _ zone: ZoneID) {
    self.key(key)
    beginObject()
    member("zoneName", zone.zoneName)
    if !sameBytes(zone.ownerName, ZoneID.currentUserName) { member("ownerRecordName", zone.ownerName) }
    endObject()
  }
}
