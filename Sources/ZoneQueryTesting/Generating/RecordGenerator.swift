public import ZoneQuery

/// Draws records of a type: values that repeat, values at boundaries, missing values, several zones.
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// let records = RecordGenerator(recordType: type).records(20, &random)
/// ```
public struct RecordGenerator: Sendable {
  /// The type of the records.
  public let recordType: RecordType
  /// The zones they lie in.
  public var zones = [ZoneID.default, ZoneID(zoneName: "A"), ZoneID(zoneName: "B")]
  /// How many values of a hundred are missing.
  public var missingPercentage = 20

  /// Creates a generator of records of a type.
  public init(recordType: RecordType) { self.recordType = recordType }

  /// So many records with names of their own in each zone.
  public func records(_ count: Int, _ random: inout SeededRandom) -> [Record] {
    var records: [Record] = []
    for index in 0..<max(0, count) {
      let zone = random.pick(zones) ?? .default
      // Records of two zones may share a name; those of one may not.
      var name = random.chance(1, of: 4) ? random.pick(BoundaryValues.names) ?? "r" : "r\(index)"
      if records.contains(where: { $0.recordID == RecordID(recordName: name, zoneID: zone) }) { name = "n\(index)" }
      var record = Record(recordType: recordType.name, recordID: RecordID(recordName: name, zoneID: zone))
      fill(&record, among: records, &random)
      records.append(record)
    }
    return records
  }

  private func fill(_ record: inout Record, among others: [Record], _ random: inout SeededRandom) {
    let values = ValueGenerator(zoneID: record.recordID.zoneID)
    for field in recordType.fields where !random.chance(missingPercentage, of: 100) {
      // A value of another record makes ties, for sorts and for equality.
      let shared = random.chance(1, of: 4) ? random.pick(others)?[field.name] : nil
      record[field.name] = field.type.scalar == .reference ? nil : shared
      if record[field.name] == nil { record[field.name] = values.value(of: field.type, &random) }
    }
    record.creationDate = values.moment(&random)
    record.modificationDate = values.moment(&random)
    record.creatorUserRecordID = RecordID(recordName: random.one(of: "_anna", "_ben"))
    record.lastModifiedUserRecordID = RecordID(recordName: random.one(of: "_anna", "_ben"))
    let siblings = others.filter { $0.recordID.zoneID == record.recordID.zoneID }
    if random.chance(1, of: 4), let parent = random.pick(siblings) { record.parent = Reference(parent.recordID) }
  }
}
