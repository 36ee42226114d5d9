import Testing
import ZoneQuery

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The value of the one field of a record, read from the field's dictionary.
private func field(_ json: String, _ type: FieldType? = nil, numbersAsStrings: Bool = false) throws -> FieldValue? {
  let schema = type.map { Schema([RecordType("T", fields: [FieldDefinition("f", $0)])]) }
  let text = #"{"recordName": "r", "recordType": "T", "fields": {"f": \#(json)}}"#
  return try Record(webServices: try JSONReader.read(text), schema: schema, numbersAsStrings: numbersAsStrings)["f"]
}

@Suite("Record dictionaries")
struct RecordDictionaryTests {
  @Test("Every part of a record is read")
  func parts() throws {
    let record = try Record(
      webServicesJSON: """
        {"recordName": "keynote", "recordType": "Event", "recordChangeTag": "7x", "extra": [1],
         "zoneID": {"zoneName": "Plans", "ownerRecordName": "_owner", "zoneType": "REGULAR_CUSTOM_ZONE"},
         "created": {"timestamp": 1000, "userRecordName": "_ada", "deviceID": "d"},
         "modified": {"timestamp": 2000, "userRecordName": "_bob"}, "deleted": false,
         "parent": {"recordName": "conference"}, "share": {"recordName": "s", "zoneID": {"zoneName": "Other"}},
         "fields": {"capacity": {"value": 120}, "gone": {"value": null, "type": "STRING"}, "none": null}}
        """)
    let zone = ZoneID(zoneName: "Plans", ownerName: "_owner")
    #expect(record.recordID == RecordID(recordName: "keynote", zoneID: zone))
    #expect(record.recordType == "Event")
    #expect(record.changeTag == "7x")
    #expect(record.creationDate == Timestamp(milliseconds: 1000))
    #expect(record.creatorUserRecordID == RecordID(recordName: "_ada"))
    #expect(record.modificationDate == Timestamp(milliseconds: 2000))
    #expect(record.lastModifiedUserRecordID == RecordID(recordName: "_bob"))
    #expect(record.parent == Reference(RecordID(recordName: "conference", zoneID: zone)))
    #expect(record.share == Reference(RecordID(recordName: "s", zoneID: ZoneID(zoneName: "Other"))))
    #expect(record.fieldNames == ["capacity"])
    #expect(
      try record.webServicesJSON == """
        {"recordName":"keynote","recordType":"Event","recordChangeTag":"7x",\
        "zoneID":{"zoneName":"Plans","ownerRecordName":"_owner"},\
        "fields":{"capacity":{"value":120,"type":"INT64"},"gone":{"value":null},"none":{"value":null}},\
        "created":{"timestamp":1000,"userRecordName":"_ada"},"modified":{"timestamp":2000,"userRecordName":"_bob"},\
        "parent":{"recordName":"conference"},"share":{"recordName":"s","zoneID":{"zoneName":"Other"}}}
        """)
  }

  @Test("Null takes away what it stands for, where the record is saved")
  func null() throws {
    let database = try Database()
    try database.save(Record(recordType: "T", recordName: "parent"))
    var record = Record(recordType: "T", recordName: "a")
    (record["a"], record["b"], record["c"]) = (1, 2, 3)
    record.parent = Reference(RecordID(recordName: "parent"), action: .none)
    try database.save(record)
    func update(_ rest: String) throws -> Record {
      let json = "{\"recordName\": \"a\", \"recordType\": \"T\", \(rest)}"
      return try database.save(Record(webServicesJSON: json), policy: .changedKeys)
    }
    var saved = try update(#""fields": {"a": {"value": null}, "b": {"value": 5}}"#)
    #expect(saved.fieldNames.sorted() == ["b", "c"] && saved["b"] == 5 && saved.parent == record.parent)
    saved = try update(#""fields": {"c": null, "unknown": {"value": null, "type": "STRING"}}, "parent": null"#)
    #expect(saved.fieldNames == ["b"] && saved.parent == nil)
    #expect(try database.record(for: record.recordID) == saved)
  }

  @Test("The zone and the type of a request stand for those that a dictionary leaves out")
  func requests() throws {
    let zone = ZoneID(zoneName: "Trip")
    func read(_ json: String) throws -> Record { try Record(webServicesJSON: json, zoneID: zone, recordType: "T") }
    let record = try read(
      #"{"recordName": "a", "recordChangeTag": "7", "fields": {"to": {"value": {"recordName": "b"}}}}"#)
    #expect(record.recordID == RecordID(recordName: "a", zoneID: zone) && record.recordType == "T")
    #expect(record.changeTag == "7" && record["to"] == .reference(Reference(RecordID(recordName: "b", zoneID: zone))))
    let other = try read(#"{"recordType": "U", "zoneID": {"zoneName": "Other"}}"#)
    #expect(other.recordID.zoneID == ZoneID(zoneName: "Other") && other.recordType == "U")
  }

  @Test("What a dictionary leaves out")
  func defaults() throws {
    let json = try JSONReader.read(#"{"fields": {}}"#)
    let zone = ZoneID(zoneName: "Z")
    let record = try Record(webServices: json, defaultType: "Event", zoneID: zone)
    #expect(record.recordType == "Event")
    #expect(record.recordID.zoneID == zone)
    #expect(record.recordID.recordName.utf8.count == 36)
    #expect(try Record(webServicesJSON: #"{"recordType": "T"}"#).fieldCount == 0)
  }

  @Test(
    "A value of every type is read",
    arguments: [
      (#"{"value": "x", "type": "STRING"}"#, FieldValue.string("x")),
      (#"{"value": 3, "type": "INT64"}"#, .int64(3)), (#"{"value": 3.0, "type": "INT64"}"#, .int64(3)),
      (#"{"value": true, "type": "INT64"}"#, .int64(1)), (#"{"value": 3, "type": "DOUBLE"}"#, .double(3)),
      (#"{"value": -9223372036854775808, "type": "INT64"}"#, .int64(.min)),
      (#"{"value": "aGk=", "type": "BYTES"}"#, .bytes([0x68, 0x69])), (#"{"value": "", "type": "BYTES"}"#, .bytes([])),
      (#"{"value": 1500, "type": "TIMESTAMP"}"#, .timestamp(Timestamp(milliseconds: 1500))),
      (#"{"value": 1500.6, "type": "TIMESTAMP"}"#, .timestamp(Timestamp(milliseconds: 1501))),
      (#"{"value": 1500.5, "type": "TIMESTAMP"}"#, .timestamp(Timestamp(milliseconds: 1501))),
      (#"{"value": -1.5, "type": "TIMESTAMP"}"#, .timestamp(Timestamp(milliseconds: -1))),
      (#"{"value": -0.5, "type": "TIMESTAMP"}"#, .timestamp(Timestamp(milliseconds: 0))),
      (
        #"{"value": {"latitude": 90, "longitude": -180.0, "altitude": null}}"#,
        .location(Location(latitude: 90, longitude: -180))
      ),
      (
        #"{"value": {"recordName": "a", "action": "DELETE_SELF"}}"#,
        .reference(Reference(RecordID(recordName: "a"), action: .deleteSelf))
      ),
      (#"{"value": {"fileChecksum": "c", "size": 4}, "type": "ASSETID"}"#, .asset(Asset(fileChecksum: "c", size: 4))),
      (#"{"value": ["a", "b"], "type": "STRING_LIST"}"#, .stringList(["a", "b"])),
      (#"{"value": [], "type": "BYTES_LIST"}"#, .bytesList([])),
      (#"{"value": [1, 2.0, false]}"#, .int64List([1, 2, 0])), (#"{"value": [1.5, 2]}"#, .doubleList([1.5, 2])),
      (#"{"value": [1, 2.5]}"#, .doubleList([1, 2.5])),
      (#"{"value": ["a"]}"#, .stringList(["a"])),
      (#"{"value": [{"recordName": "a"}]}"#, .referenceList([Reference(RecordID(recordName: "a"))])),
      (#"{"value": [5], "type": "TIMESTAMP_LIST"}"#, .timestampList([Timestamp(milliseconds: 5)])),
      (#"{"value": "x"}"#, .string("x")), (#"{"value": 3}"#, .int64(3)), (#"{"value": 3.0}"#, .double(3)),
      (#"{"value": false}"#, .int64(0)), (#"{"value": -0.0}"#, .double(-0.0)),
      (#"{"value": 1, "type": null}"#, .int64(1)),
    ])
  func values(json: String, value: FieldValue) throws {
    #expect(try field(json) == value)
  }

  @Test("The details of a location are read and written")
  func location() throws {
    let json = """
      {"value":{"latitude":1.0,"longitude":2.0,"altitude":3.0,"horizontalAccuracy":4.0,"verticalAccuracy":5.0,\
      "course":6.0,"speed":7.5,"timestamp":8},"type":"LOCATION"}
      """
    guard case .location(let location)? = try field(json) else {
      Issue.record("no location")
      return
    }
    var details = Location.Details()
    details.altitude = 3
    details.horizontalAccuracy = 4
    details.verticalAccuracy = 5
    details.course = 6
    details.speed = 7.5
    details.timestamp = Timestamp(milliseconds: 8)
    #expect(location == Location(latitude: 1, longitude: 2, details: details))
    var record = Record(recordType: "T", recordName: "r")
    record["f"] = .location(location)
    #expect(try record.webServicesJSON.contains(json))
  }

  @Test(
    "The schema decides what a number is, and what an untyped value is",
    arguments: [
      (#"{"value": 3}"#, FieldType.double, FieldValue.double(3)), (#"{"value": 3.0}"#, .int64, .int64(3)),
      (#"{"value": 3, "type": "INT64"}"#, .double, .double(3)),
      (#"{"value": 3.0, "type": "DOUBLE"}"#, .int64, .int64(3)),
      (#"{"value": 3.5, "type": "DOUBLE"}"#, .int64, .double(3.5)),
      (#"{"value": "x", "type": "STRING"}"#, .int64, .string("x")),
      (#"{"value": 3}"#, .timestamp, .timestamp(Timestamp(milliseconds: 3))),
      (#"{"value": "aGk="}"#, .bytes, .bytes([0x68, 0x69])),
      (#"{"value": []}"#, .list(.reference), .referenceList([])),
      (#"{"value": [3]}"#, .list(.double), .doubleList([3])),
      (#"{"value": [3], "type": "INT64_LIST"}"#, .list(.double), .doubleList([3])),
    ])
  func schemaTypes(json: String, type: FieldType, value: FieldValue) throws {
    #expect(try field(json, type) == value)
  }

  @Test("Numbers as strings are written and read where asked for")
  func numbersAsStrings() throws {
    var record = Record(recordType: "T", recordName: "r")
    record["a"] = 3
    record["b"] = 2.0
    record["c"] = .int64List([1, -2])
    record["d"] = .timestamp(Timestamp(milliseconds: 4))
    var writer = JSONWriter()
    try record.write(webServicesTo: &writer, numbersAsStrings: true)
    let json = try JSONReader.read(writer.text)
    #expect(json["fields"]?["a"]?["value"] == "3")
    #expect(json["fields"]?["b"]?["value"] == "2.0")
    #expect(json["fields"]?["c"]?["value"] == ["1", "-2"])
    #expect(json["fields"]?["d"]?["value"] == 4)
    #expect(try Record(webServices: json, numbersAsStrings: true) == record)
    #expect(throws: ZoneQueryError.self) { try Record(webServices: json) }
    #expect(throws: ZoneQueryError.self) { try field(#"{"value": "3x", "type": "INT64"}"#, numbersAsStrings: true) }
  }

  @Test(
    "A fault is told with its path",
    arguments: [
      (#""x""#, "fields.f: expected a dictionary of a field, found a string."),
      (#"{"type": "STRING"}"#, "fields.f: the key \"value\" is missing."),
      (#"{"value": 3, "type": "STRING"}"#, "fields.f.value: expected a string, found a number."),
      (#"{"value": "3", "type": "INT64"}"#, "fields.f.value: expected a whole number for INT64, found a string."),
      (#"{"value": 3.5, "type": "INT64"}"#, "fields.f.value: the number is not whole, as an INT64 is."),
      (#"{"value": 1e-400, "type": "INT64"}"#, "fields.f.value: the number is not whole, as an INT64 is."),
      (#"{"value": 9223372036854775808, "type": "INT64"}"#, "fields.f.value: the number is beyond the range of INT64."),
      (#"{"value": 9223372036854775808}"#, "fields.f.value: the number is beyond the range of INT64."),
      (#"{"value": 1e300, "type": "INT64"}"#, "fields.f.value: the number is beyond the range of INT64."),
      (#"{"value": true, "type": "DOUBLE"}"#, "fields.f.value: expected a number for DOUBLE, found a boolean."),
      (
        #"{"value": "x", "type": "TIMESTAMP"}"#,
        "fields.f.value: expected milliseconds since 1970 for TIMESTAMP, found a string."
      ),
      (
        #"{"value": -9223372036854775809, "type": "TIMESTAMP"}"#,
        "fields.f.value: the moment is beyond the range of 64-bit milliseconds."
      ),
      (
        #"{"value": 1e30, "type": "TIMESTAMP"}"#,
        "fields.f.value: the moment is beyond the range of 64-bit milliseconds."
      ),
      (#"{"value": 5, "type": "BYTES"}"#, "fields.f.value: expected a Base64 string for BYTES, found a number."),
      (
        #"{"value": "aGk", "type": "BYTES"}"#,
        "fields.f.value: Base64 comes in fours of characters, padded with =; this text has 3."
      ),
      (
        #"{"value": "aG k", "type": "BYTES"}"#,
        "fields.f.value: the character at offset 2 is not of the Base64 alphabet."
      ),
      (
        #"{"value": "a===", "type": "BYTES"}"#,
        "fields.f.value: the character at offset 1 is not of the Base64 alphabet."
      ),
      (
        #"{"value": "aGl=", "type": "BYTES"}"#,
        "fields.f.value: the last character of the Base64 text has bits that belong to no byte."
      ),
      (
        #"{"value": {"latitude": 90.5, "longitude": 0}}"#,
        "fields.f.value.latitude: 90.5 degrees are not within -90 to 90."
      ),
      (
        #"{"value": {"latitude": 0, "longitude": -180.5}}"#,
        "fields.f.value.longitude: -180.5 degrees are not within -180 to 180."
      ),
      (#"{"value": {"latitude": 0}}"#, "fields.f.value: the key \"longitude\" is missing."),
      (#"{"value": {"latitude": "0", "longitude": 0}}"#, "fields.f.value.latitude: expected a number, found a string."),
      (
        #"{"value": "1,2", "type": "LOCATION"}"#,
        "fields.f.value: expected a location dictionary for LOCATION, found a string."
      ),
      (
        #"{"value": "r", "type": "REFERENCE"}"#,
        "fields.f.value: expected a reference dictionary for REFERENCE, found a string."
      ),
      (#"{"value": {"recordName": 3}}"#, "fields.f.value.recordName: expected a string, found a number."),
      (
        #"{"value": {"recordName": "a", "action": "DELETE"}}"#,
        "fields.f.value.action: there is no action DELETE of a reference."
      ),
      (#"{"value": {"recordName": "a", "zoneID": {}}}"#, "fields.f.value.zoneID: the key \"zoneName\" is missing."),
      (
        #"{"value": {"fileChecksum": "a", "size": -1}}"#,
        "fields.f.value.size: a file has no fewer than 0 bytes; this one has -1."
      ),
      (
        #"{"value": {"recordName": "a", "zoneID": "Z"}}"#,
        "fields.f.value.zoneID: expected a zone dictionary, found a string."
      ),
      (
        #"{"value": "a", "type": "ASSETID"}"#,
        "fields.f.value: expected an asset dictionary for ASSETID, found a string."
      ),
      (#"{"value": {"fileChecksum": "a"}}"#, "fields.f.value: the key \"size\" is missing."),
      (#"{"value": {}}"#, "fields.f.value: the object does not show its type."),
      (#"{"value": []}"#, "fields.f.value: an empty list does not show its type."),
      (#"{"value": [null]}"#, "fields.f.value[0]: a list has no null."),
      (#"{"value": [[]]}"#, "fields.f.value[0]: a list has no lists for members."),
      (#"{"value": ["a", 3]}"#, "fields.f.value[1]: expected a string, found a number."),
      (#"{"value": [3, "a"]}"#, "fields.f.value[1]: expected a whole number for INT64, found a string."),
      (#"{"value": [1, 2.5], "type": "INT64_LIST"}"#, "fields.f.value[1]: the number is not whole, as an INT64 is."),
      (#"{"value": ["a", null], "type": "STRING_LIST"}"#, "fields.f.value[1]: expected a string, found null."),
      (#"{"value": "a", "type": "STRING_LIST"}"#, "fields.f.value: expected an array for STRING_LIST, found a string."),
      (#"{"value": ["a"], "type": "STRING"}"#, "fields.f.value: expected a string, found an array."),
      (#"{"value": 3, "type": "STRNG"}"#, "fields.f.type: there is no type STRNG."),
      (#"{"value": 3, "type": 3}"#, "fields.f.type: expected a string, found a number."),
    ])
  func faults(json: String, message: String) throws {
    let error = try #require(throws: ZoneQueryError.self) { try field(json) }
    #expect(error.message == "The record 'r': " + message)
    #expect(error.stage == .webServices)
    #expect(error.code == .invalidJSON)
    #expect(error.recordID == RecordID(recordName: "r"))
  }

  @Test(
    "A fault outside the fields",
    arguments: [
      ("[]", "A record: expected a record dictionary, found an array."),
      ("{}", "A record without a name: the key \"recordType\" is missing."),
      (
        #"{"recordName": 3, "recordType": "T"}"#,
        "A record without a name: recordName: expected a string, found a number."
      ),
      (#"{"recordName": "a\tb", "recordType": 3}"#, "The record 'a b': recordType: expected a string, found a number."),
      (
        #"{"recordName": "a", "recordType": "T", "fields": []}"#,
        "The record 'a': fields: expected a dictionary of fields, found an array."
      ),
      (
        #"{"recordName": "a", "recordType": "T", "created": {"timestamp": "x"}}"#,
        "The record 'a': created.timestamp: expected milliseconds since 1970 for TIMESTAMP, found a string."
      ),
      (
        #"{"recordName": "a", "recordType": "T", "parent": "b"}"#,
        "The record 'a': parent: expected a reference dictionary for REFERENCE, found a string."
      ),
      (
        #"{"recordName": "a", "recordType": "T", "deleted": true}"#,
        "The record 'a': the dictionary tells of a deleted record, which has no fields."
      ),
      (
        #"{"recordName": "a", "serverErrorCode": "NOT_FOUND"}"#,
        "The record 'a': the dictionary is an error, NOT_FOUND, and no record."
      ),
      (#"{"recordName": "a" 3"#, "line 1, column 20: expected ',' or '}' after a member of an object, found '3'"),
    ])
  func recordFaults(json: String, message: String) throws {
    let error = try #require(throws: ZoneQueryError.self) { try Record(webServicesJSON: json) }
    #expect(error.message == message)
  }

  @Test("Misspelled types and hints")
  func hints() {
    func hint(_ json: String) -> String? { #expect(throws: ZoneQueryError.self) { try field(json) }?.hint }
    #expect(hint(#"{"value": 3, "type": "strng_list"}"#) == "Write STRING_LIST.")
    #expect(hint(#"{"value": 3, "type": "ASSETS"}"#) == "Write ASSETID.")
    #expect(hint(#"{"value": 3.5, "type": "INT64"}"#) == #"Write "type": "DOUBLE" where the field is one."#)
    #expect(hint(#"{"value": []}"#) == #"Write its type, such as "type": "STRING_LIST"."#)
  }

  @Test("JSON cannot carry what is no number")
  func infinities() throws {
    var record = Record(recordType: "T", recordName: "r")
    record["a"] = .doubleList([1, .infinity])
    let error = try #require(throws: ZoneQueryError.self) { try record.webServicesJSON }
    #expect(error.message == "The record 'r': fields.a.value[1]: JSON cannot carry the number inf.")
    var location = Location(latitude: 1, longitude: 2)
    location.details.speed = .nan
    record["a"] = .location(location)
    let other = try #require(throws: ZoneQueryError.self) { try record.webServicesJSON }
    #expect(other.message == "The record 'r': fields.a.value.speed: JSON cannot carry the number nan.")
  }

  @Test("Generated records survive writing and reading")
  func roundTrip() throws {
    var generator = RecordTestGenerator(seed: 3)
    var checks = 0
    var types: Set<FieldType> = []
    for _ in 0..<TestAmount.of(5_500) {
      let record = generator.record()
      for field in record.fields { types.insert(field.value.type) }
      let text = try record.webServicesJSON
      let read = try Record(webServicesJSON: text)
      let isSame = try read == record && read.webServicesJSON == text && read.fieldNames.count == record.fieldCount
      #expect(isSame, "\(text)")
      checks += 1
    }
    print("record round trips: \(checks), of \(types.count) types of fields")
    #expect(checks >= TestAmount.of(5_000))
    #expect(types.count == 16)
  }

  @Test("Changed bytes end in a record or in an error")
  func mutations() throws {
    var generator = RecordTestGenerator(seed: 4)
    var records = 0
    var checks = 0
    for _ in 0..<TestAmount.of(400) {
      let bytes = Array(try generator.record().webServicesJSON.utf8)
      for _ in 0..<15 {
        var changed = bytes
        let place = generator.below(changed.count)
        switch generator.below(3) {
        case 0: changed[place] = UInt8(generator.below(0x80))
        case 1: changed.remove(at: place)
        default: changed.insert(UInt8(generator.below(0x80)), at: place)
        }
        if let record = try? Record(webServicesJSON: String(decoding: changed, as: UTF8.self)) {
          records += 1
          #expect((try? record.webServicesJSON) != nil)
        }
        checks += 1
      }
    }
    print("record mutations: \(checks), of which \(records) still records")
    #expect(checks >= TestAmount.of(6_000))
    #expect(records > TestAmount.of(500))
  }

  @Test("The sample records and their schema agree, and are written as they were read")
  func samples() throws {
    let here = URL(filePath: #filePath)
    let tests = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    func bytes(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: tests.appending(path: "Samples/\(name)")))
    }
    let schema = try Schema(ckdb: String(decoding: try bytes("conference.ckdb"), as: UTF8.self))
    var lines = JSONLines(try bytes("conference.jsonl"))
    var count = 0
    while let line = try lines.next() {
      let record = try Record(webServices: try line.read(), schema: schema)
      for field in record.fields {
        #expect(schema[record.recordType]?.field(field.name)?.type == field.value.type)
      }
      let isSame = try record.webServicesJSON == String(decoding: line.bytes, as: UTF8.self)
      #expect(isSame)
      count += 1
    }
    #expect(count == 274)
  }
}

@Suite("Arguments as JSON")
struct ArgumentJSONTests {
  private func arguments(_ json: String) throws -> [ArgumentValue] {
    try ArgumentValue.list(webServices: try JSONReader.read(json))
  }

  @Test("Every form is read")
  func forms() throws {
    #expect(
      try arguments(
        """
        ["a", 3, 2.5, 3.0, 1e19, true, null, ["a", 1, {"value": 5, "type": "TIMESTAMP"}], {"value": 4, "type": "DOUBLE"},
         {"value": 1000, "type": "TIMESTAMP"}, {"value": {"latitude": 1, "longitude": 2}},
         {"value": {"recordName": "r"}}, {"value": ["x"], "type": "STRING_LIST"}, {"value": null, "type": "STRING"}]
        """) == [
          .literal(.string("a")), .literal(.integer(3)), .literal(.double(2.5)), .literal(.integer(3)),
          .literal(.double(1e19)), .literal(.integer(1)), .literal(.null),
          .list([.literal(.string("a")), .literal(.integer(1)), .literal(.date(milliseconds: 5))]),
          .literal(.integer(4)), .literal(.date(milliseconds: 1000)), .literal(.location(latitude: 1, longitude: 2)),
          .literal(.reference(recordName: "r", zoneName: nil, ownerName: nil)), .list([.literal(.string("x"))]),
          .literal(.null),
        ])
    #expect(try arguments("[]") == [])
  }

  @Test(
    "Faults are told with their place",
    arguments: [
      ("{}", "The arguments: expected a list of arguments, found an object."),
      (#"[1, {"latitude": 1}]"#, "The arguments: [1]: an object stands for an argument only as a field's dictionary."),
      (#"[[1, [2]]]"#, "The arguments: [0][1]: a list has no lists for members."),
      ("[1, 9223372036854775808]", "The arguments: [1]: the number is beyond the range of INT64."),
      ("[[1, -9223372036854775809]]", "The arguments: [0][1]: the number is beyond the range of INT64."),
      (
        #"[{"value": "aGk=", "type": "BYTES"}]"#,
        "The arguments: [0]: BYTES cannot be compared, so no predicate takes them."
      ),
      (
        #"[{"value": {"fileChecksum": "a", "size": 1}}]"#,
        "The arguments: [0]: an ASSET cannot be compared, so no predicate takes one."
      ),
      (
        #"[{"value": {"latitude": 91, "longitude": 0}}]"#,
        "The arguments: [0].value.latitude: 91.0 degrees are not within -90 to 90."
      ),
    ])
  func faults(json: String, message: String) throws {
    let error = try #require(throws: ZoneQueryError.self) { try arguments(json) }
    #expect(error.message == message)
  }

  @Test("Base64 is RFC 4648's")
  func base64() throws {
    // The vectors of RFC 4648 §10.
    let vectors = [
      ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ]
    for (text, encoded) in vectors {
      #expect(try field(#"{"value": "\#(encoded)", "type": "BYTES"}"#) == .bytes(Array(text.utf8)))
      var record = Record(recordType: "T", recordName: "r")
      record["f"] = .bytes(Array(text.utf8))
      #expect(try record.webServicesJSON.contains(#""f":{"value":"\#(encoded)","type":"BYTES"}"#))
    }
    for bad in ["Zg=", "Z===", "====", "Zg==Zg==", "Zh==", "Zm9=", "Zm9v\\n", "Zm-_", "=Zg=", " Zg=", "Zm9é"] {
      #expect(throws: ZoneQueryError.self) { try field(#"{"value": "\#(bad)", "type": "BYTES"}"#) }
    }
  }

  /// What is taken away from a record goes from the stored one behind its dictionary too.
  @Test func removalsAreWritten() throws {
    let database = try Database()
    var record = Record(recordType: "T", recordName: "r")
    (record["x"], record["y"]) = (1, 2)
    record.parent = Reference(try database.save(Record(recordType: "T", recordName: "p")).recordID)
    var fetched = try database.save(record)
    (fetched["x"], fetched.parent) = (nil, nil)
    let text = try fetched.webServicesJSON
    #expect(text.contains(#""x":{"value":null}"#) && text.contains(#""parent":null"#), "\(text)")
    try database.save(try Record(webServicesJSON: text), policy: .changedKeys)
    let stored = try database.record(for: record.recordID)
    #expect(stored.fieldNames == ["y"] && stored.parent == nil)
    #expect(try !stored.webServicesJSON.contains("null"))
  }

}
