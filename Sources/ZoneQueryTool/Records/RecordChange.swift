internal import ZoneQuery

/// A change of a record: an operation as `records/modify` of CloudKit Web Services has them, or a record that is saved.
///
///     {"operationType": "update", "record": {"recordName": "keynote", "fields": {"room": {"value": "Big Shed"}}}}
///     {"recordName": "keynote", "recordType": "Session", "fields": {"room": {"value": "Big Shed"}}}
///     {"recordName": "keynote", "deleted": true}
///
/// Change tags are not looked at: nobody else changes the records, and those of a file are another database's.
struct RecordChange {
  private enum Operation: String, CaseIterable {
    case create, update, forceUpdate, replace, forceReplace, delete, forceDelete
  }

  private let operation: Operation
  private let dictionary: JSONObject

  init(_ object: JSONObject) throws(ObjectFault) {
    let reader = ObjectReader(object)
    if reader.value("operations") != nil {
      throw ObjectFault(
        "a line holds one operation; this has a list", hint: "write each operation on a line of its own")
    }
    guard reader.value("operationType") != nil || reader.value("record") != nil else {
      dictionary = object
      operation = try reader.flag("deleted") ? .forceDelete : .forceReplace
      return
    }
    let names = Operation.allCases.map { (name: $0.rawValue, value: $0) }
    guard let named = try reader.choice("operationType", names) else {
      throw ObjectFault("the key operationType is missing", hint: "a record that is to be saved may stand alone")
    }
    guard let record = try reader.reader("record") else { throw ObjectFault("the key record is missing") }
    operation = named
    dictionary = record.object
  }

  /// Makes the change: one commit.
  func apply(to database: Database) throws(ZoneQueryError) {
    let user = database.configuration.userRecordName
    let id = try recordID(user)
    let stored = try? database.record(for: id)
    switch operation {
    case .create where stored != nil:
      throw ZoneQueryError(
        .database, .serverRecordChanged, "there is one already", hint: "forceReplace and a record alone take its place",
        recordID: id)
    case .update where stored == nil, .replace where stored == nil, .delete where stored == nil:
      throw ZoneQueryError(.database, .unknownItem, "there is none", recordID: id)
    case .delete, .forceDelete: if stored != nil { try database.deleteRecord(withID: id) }
    case .create, .replace, .forceReplace: try save(over: stored, isWhole: true, in: database)
    case .update, .forceUpdate: try save(over: stored, isWhole: false, in: database)
    }
  }

  /// The ID alone, which is all that a deletion has.
  private func recordID(_ user: String) throws(ZoneQueryError) -> RecordID {
    var named = JSONObject()
    for key in ["recordName", "zoneID"] { if let value = dictionary[key] { named.append(key, value) } }
    guard dictionary["recordName"]?.isNull == false || operation == .create || operation == .forceReplace else {
      throw ZoneQueryError(.webServices, .invalidJSON, "A record without a name: the key \"recordName\" is missing.")
    }
    return try Record(webServices: .object(named), defaultType: "Record", userRecordName: user).recordID
  }

  private func save(over stored: Record?, isWhole: Bool, in database: Database) throws(ZoneQueryError) {
    var record = try Record(
      webServices: .object(dictionary), schema: database.schema, defaultType: stored?.recordType,
      userRecordName: database.configuration.userRecordName)
    if let stored {
      if !isWhole {
        // A field of null goes; one that is not named stays.
        let named = dictionary["fields"]?.object
        for (name, value) in stored.fields where named?[name] == nil { record[name] = value }
        if dictionary["parent"] == nil { record.parent = stored.parent }
        record.share = record.share ?? stored.share
      }
      record.creationDate = record.creationDate ?? stored.creationDate
      record.creatorUserRecordID = record.creatorUserRecordID ?? stored.creatorUserRecordID
    }
    // Zones come into being with their first record, and names that only a server gives are taken, as for files.
    try database.load(CollectionOfOne(record))
  }
}
