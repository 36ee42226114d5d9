extension Record {
  /// The record dictionary of CloudKit Web Services.
  ///
  /// - Parameters:
  ///   - desiredKeys: the names of the fields to write, `nil` for all of them.
  ///   - numbersAsStrings: whether INT64 and DOUBLE are written as strings.
  /// - Returns: an object. It has `zoneID` only where the zone is not the default one.
  /// - Throws: ``ZoneQueryError`` where a DOUBLE is infinite or NaN, which JSON cannot carry.
  package func webServicesDictionary(
    desiredKeys: [String]? = nil, numbersAsStrings: Bool = false
  ) throws(ZoneQueryError) -> JSONValue {
    let writer = WebServicesValueWriter(zoneID: recordID.zoneID, numbersAsStrings: numbersAsStrings)
    var object = JSONObject()
    object.append("recordName", .string(recordID.recordName))
    object.append("recordType", .string(recordType))
    if let changeTag { object.append("recordChangeTag", .string(changeTag)) }
    if !recordID.zoneID.isDefault { object.append("zoneID", writer.zone(recordID.zoneID)) }
    let keys = desiredKeys.map { Set($0.map { ByteKey($0) }) }
    do throws(WebServicesFault) {
      object.append("fields", try writer.fields(of: self, keys))
    } catch {
      throw error.error(in: "The record '\(SyntaxError.excerpt(recordID.recordName))'", recordID: recordID)
    }
    if let moment = writer.moment(creationDate, creatorUserRecordID) { object.append("created", moment) }
    if let moment = writer.moment(modificationDate, lastModifiedUserRecordID) { object.append("modified", moment) }
    if let parent {
      object.append("parent", writer.relation(parent))
    } else if removed.hasParent {
      object.append("parent", .null)
    }
    if let share { object.append("share", writer.relation(share)) }
    return .object(object)
  }

  /// The dictionary that tells of a deleted record.
  package static func webServicesDeletion(_ recordID: RecordID, recordType: String? = nil) -> JSONValue {
    var object = JSONObject()
    object.append("recordName", .string(recordID.recordName))
    if let recordType { object.append("recordType", .string(recordType)) }
    if !recordID.zoneID.isDefault {
      object.append("zoneID", WebServicesValueWriter(zoneID: recordID.zoneID).zone(recordID.zoneID))
    }
    object.append("deleted", true)
    return .object(object)
  }

  /// The record as the text of its CloudKit Web Services dictionary, on one line.
  ///
  /// ```swift
  /// var record = Record(recordType: "Event", recordName: "keynote")
  /// record["capacity"] = 120
  /// try record.webServicesJSON
  /// // {"recordName":"keynote","recordType":"Event","fields":{"capacity":{"value":120,"type":"INT64"}}}
  /// ```
  ///
  /// A field that was set to nil is written with a value of null, and a parent that was taken away as null, so that both go
  /// where the record is saved that is read from it.
  ///
  /// ``init(webServicesJSON:schema:zoneID:recordType:)`` reads the same record from it, the zones of the users who
  /// created and changed the record apart: user records lie in the default zone. A dictionary does not say that a record
  /// was fetched in part; what is read from one and saved takes the stored record's place, unless it is saved by
  /// `changedKeys`.
  ///
  /// - Throws: ``ZoneQueryError`` of the stage `webServices` where a DOUBLE is infinite or NaN, which JSON cannot carry.
  /// - Complexity: linear in the length of the text.
  public var webServicesJSON: String {
    get throws(ZoneQueryError) { try webServicesDictionary().text }
  }
}
