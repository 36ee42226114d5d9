extension RecordID {
  /// The order-preserving encoding of a reference: zone name, owner and record name with a zero byte between them,
  /// so that bytes compare by zone and then by name. Names hold no zero byte (``nameFault(_:)``).
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      zoneID.zoneName.utf8.count + zoneID.ownerName.utf8.count + recordName.utf8.count + 2)
    bytes += zoneID.zoneName.utf8
    bytes.append(0)
    bytes += zoneID.ownerName.utf8
    bytes.append(0)
    bytes += recordName.utf8
    return bytes
  }

  /// The ID of an encoding.
  init?(encoded bytes: some Collection<UInt8>) {
    let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    self.init(
      recordName: String(decoding: parts[2], as: UTF8.self),
      zoneID: ZoneID(
        zoneName: String(decoding: parts[0], as: UTF8.self),
        ownerName: String(decoding: parts[1], as: UTF8.self)))
  }

  /// Why a name cannot be a record's or a zone's, if it cannot: CloudKit's limit is 255 ASCII characters. A leading
  /// underscore marks the names that the server itself gives.
  static func nameFault(_ name: String, limit: Int = 255, mayBeServerGiven: Bool = false) -> String? {
    withUTF8(of: name) { name in
      if name.isEmpty { return "a name must not be empty" }
      if name.count > limit { return "a name has at most \(limit) characters; this one has \(name.count)" }
      for index in name.indices where name[index] < 0x20 || name[index] > 0x7E {
        return name[index] > 0x7F ? "a name has ASCII characters only" : "a name has no control characters"
      }
      if !mayBeServerGiven, name[0] == UInt8(ascii: "_") { return "a name does not begin with an underscore" }
      return nil
    }
  }

  /// Why the parts of a reference cannot be compared, if they cannot.
  var encodingFault: String? {
    for name in [recordName, zoneID.zoneName, zoneID.ownerName] {
      if name.utf8.contains(0) { return "a record ID's names hold no zero byte" }
      if name.utf8.isEmpty { return "a record ID's names are not empty" }
    }
    return nil
  }
}
