extension Record {
  /// Creates a record without fields. Where no name is given the record has a fresh random UUID for one.
  public init(recordType: String, recordName: String? = nil, zoneID: ZoneID = .default) {
    self.init(recordType: recordType, recordID: RecordID(recordName: recordName ?? uniqueName(), zoneID: zoneID))
  }
}
