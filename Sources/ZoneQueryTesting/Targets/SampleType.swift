internal import ZoneQuery

/// A record type with a field of every type, and a few records of it.
enum SampleType {
  static let now = Timestamp(milliseconds: 1_000_000_000_000)

  static let type = RecordType(
    "Thing",
    fields: [
      FieldDefinition("name", .string, [.queryable, .sortable, .searchable]),
      FieldDefinition("city", .string, .queryable),
      FieldDefinition("age", .int64, .queryable), FieldDefinition("depth", .int64, .queryable),
      FieldDefinition("price", .double, .queryable), FieldDefinition("start", .timestamp, .queryable),
      FieldDefinition("Location", .location, .queryable), FieldDefinition("owner", .reference, .queryable),
      FieldDefinition("tags", .list(.string), [.queryable, .searchable]),
      FieldDefinition("counts", .list(.int64), .queryable),
      FieldDefinition("ratios", .list(.double), .queryable), FieldDefinition("dates", .list(.timestamp), .queryable),
      FieldDefinition("owners", .list(.reference), .queryable), FieldDefinition("places", .list(.location), .queryable),
      FieldDefinition("blob", .bytes), FieldDefinition("file", .asset),
      FieldDefinition("secret", .string, isEncrypted: true),
    ])

  static let records: [Record] = {
    var full = Record(recordType: "Thing", recordID: RecordID(recordName: "full"))
    full["name"] = "Stra\u{DF}e of maps"
    full["city"] = "ab"
    full["age"] = 3
    full["depth"] = .int64(.max)
    full["price"] = 2.5
    full["start"] = .timestamp(now)
    full["Location"] = .location(Location(latitude: 37.783, longitude: -122.404))
    full["owner"] = .reference(Reference(RecordID(recordName: "anna")))
    full["tags"] = .stringList(["maps", "Sea", ""])
    full["counts"] = .int64List([1, 2, 3])
    full["ratios"] = .doubleList([0.5, 2])
    full["dates"] = .timestampList([now])
    full["owners"] = .referenceList([Reference(RecordID(recordName: "ben"))])
    full["places"] = .locationList([Location(latitude: 90, longitude: 0)])
    let empty = Record(recordType: "Thing", recordID: RecordID(recordName: "empty"))
    var lists = Record(
      recordType: "Thing", recordID: RecordID(recordName: "lists", zoneID: ZoneID(zoneName: "A")))
    lists["tags"] = .stringList([])
    lists["counts"] = .int64List([])
    lists["age"] = -1
    lists["price"] = .double(-.infinity)
    lists["name"] = ""
    return [full, empty, lists]
  }()
}
