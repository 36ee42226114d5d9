@testable import ZoneQuery

/// A record with a number, if any, of a type that is learned.
func note(_ name: String, _ zone: ZoneID = .default, n: Int64? = nil, type: String = "T") -> Record {
  var record = Record(recordType: type, recordID: RecordID(recordName: name, zoneID: zone))
  if let n { record["n"] = .int64(n) }
  return record
}
