extension Record {
  /// The names and values of fields.
  private typealias Fields = (names: [String], values: [FieldValue])

  /// Writes the record dictionary of CloudKit Web Services, or nothing where it throws. It has `zoneID` only where the zone is
  /// not the default one.
  ///
  /// - Throws: `invalidJSON` where a DOUBLE is infinite or NaN, which JSON cannot carry.
  package func write(
    webServicesTo json: inout JSONWriter, numbersAsStrings: Bool = false
  ) throws(ZoneQueryError) {
    write(try carriedFields(), WebServicesValueWriter(zoneID: zoneID, numbersAsStrings: numbersAsStrings), to: &json)
  }

  /// Writes the record dictionary without the fields that JSON cannot carry.
  func write(webServicesCarriedTo json: inout JSONWriter, numbersAsStrings: Bool) {
    let (names, values) = (content.fieldNames, content.fieldValues)
    let carried = values.indices.filter { WebServicesValueWriter.fault(of: values[$0]) == nil }
    write(
      (carried.map { names[$0] }, carried.map { values[$0] }),
      WebServicesValueWriter(zoneID: zoneID, numbersAsStrings: numbersAsStrings), to: &json)
  }

  private func write(_ fields: Fields, _ writer: WebServicesValueWriter, to json: inout JSONWriter) {
    json.beginObject()
    json.member("recordName", recordName)
    json.member("recordType", recordType)
    json.member("recordChangeTag", changeTag)
    if !zoneID.isDefault { json.member("zoneID", zoneID) }
    json.key("fields")
    write(fieldsOf: fields, writer, to: &json)
    writer.write("created", creationDate, creatorUserRecordID, to: &json)
    writer.write("modified", modificationDate, lastModifiedUserRecordID, to: &json)
    if let parent {
      json.key("parent")
      writer.write(relation: parent, to: &json)
    } else if removed.hasParent {
      json.key("parent")
      json.null()
    }
    if let share {
      json.key("share")
      writer.write(relation: share, to: &json)
    }
    json.endObject()
  }

  /// Writes the dictionary of the record's fields alone, or nothing where it throws.
  ///
  /// - Throws: As ``write(webServicesTo:numbersAsStrings:)``.
  package func write(webServicesFieldsTo json: inout JSONWriter) throws(ZoneQueryError) {
    write(fieldsOf: try carriedFields(), WebServicesValueWriter(zoneID: zoneID), to: &json)
  }

  /// The names and values of the fields, which JSON can carry.
  private func carriedFields() throws(ZoneQueryError) -> Fields {
    let (names, values) = (content.fieldNames, content.fieldValues)
    for index in names.indices {
      if let fault = WebServicesValueWriter.fault(of: values[index]) {
        throw fault.inside(names[index]).inside("fields").error(
          in: "The record '\(SyntaxError.excerpt(recordName))'", recordID: recordID)
      }
    }
    return (names, values)
  }

  private func write(fieldsOf fields: Fields, _ writer: WebServicesValueWriter, to json: inout JSONWriter) {
    json.beginObject()
    for index in fields.names.indices {
      json.key(fields.names[index])
      writer.write(field: fields.values[index], to: &json)
    }
    // Those set to nil, which no order is known of.
    for name in removedKeys {
      json.key(name)
      json.beginObject()
      json.key("value")
      json.null()
      json.endObject()
    }
    json.endObject()
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
  /// ``init(webServicesJSON:schema:zoneID:recordType:userRecordName:)`` reads the same record from it, the zones of the
  /// users who created and changed the record apart: user records lie in the default zone. A dictionary does not say that a record
  /// was fetched in part; what is read from one and saved takes the stored record's place, unless it is saved by
  /// `changedKeys`.
  ///
  /// - Throws: `invalidJSON` where a DOUBLE is infinite or NaN, which JSON cannot carry.
  /// - Complexity: linear in the length of the text.
  public var webServicesJSON: String {
    get throws(ZoneQueryError) {
      var json = JSONWriter()
      try write(webServicesTo: &json)
      return json.text
    }
  }
}
