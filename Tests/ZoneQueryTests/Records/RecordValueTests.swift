import Foundation
import Testing

@testable import ZoneQuery

/// Fields that are set to values of Swift's own.
struct RecordValueTests {
  private enum Level: String, RecordValue {
    case beginner, expert
    var fieldValue: FieldValue { .string(rawValue) }
  }

  @Test func variablesOfEachType() throws {
    let place = Location(latitude: -18.5, longitude: 178.25)
    let (moment, date) = (Timestamp(milliseconds: 1_500), Date(timeIntervalSince1970: 1.5))
    let reference = Reference(RecordID(recordName: "o"))
    let asset = Asset(fileChecksum: "sum", size: 5)
    let cases: [(any RecordValue, FieldValue)] = [
      ("Suva", .string("Suva")), ("Suva".dropFirst(), .string("uva")), (7 as Int, .int64(7)), (Int64.min, .int64(.min)),
      (Int32.min, .int64(-2_147_483_648)), (Int16.max, .int64(32_767)), (Int8.min, .int64(-128)),
      (UInt32.max, .int64(4_294_967_295)), (UInt16.max, .int64(65_535)), (UInt8.max, .int64(255)), (true, .int64(1)),
      (false, .int64(0)), (0.1, .double(0.1)), (Float(0.5), .double(0.5)), (moment, .timestamp(moment)),
      (date, .timestamp(moment)), (place, .location(place)), (reference, .reference(reference)), (asset, .asset(asset)),
      (Data([1, 2]), .bytes([1, 2])), ([1, 2] as [UInt8], .bytes([1, 2])), (Level.expert, .string("expert")),
      (["a", "b"], .stringList(["a", "b"])), (["ab".dropFirst()], .stringList(["b"])), ([1, 2], .int64List([1, 2])),
      ([Int64.max], .int64List([.max])), ([Int32.max], .int64List([2_147_483_647])),
      ([Int16.min], .int64List([-32_768])),
      ([Int8.max], .int64List([127])), ([UInt32.max], .int64List([4_294_967_295])),
      ([UInt16.max], .int64List([65_535])),
      ([true, false], .int64List([1, 0])), ([0.5], .doubleList([0.5])), ([Float(0.5)], .doubleList([0.5])),
      ([moment], .timestampList([moment])), ([date], .timestampList([moment])), ([place], .locationList([place])),
      ([reference], .referenceList([reference])), ([asset], .assetList([asset])), ([Data([1])], .bytesList([[1]])),
      ([] as [String], .stringList([])), (FieldValue.int64(5), .int64(5)),
    ]
    var record = Record(recordType: "T", recordName: "r")
    for (index, (value, expected)) in cases.enumerated() {
      record["f\(index)"] = value
      #expect(record["f\(index)"] == expected && value.fieldValue.type == expected.type, "\(expected)")
    }
    #expect(record.fieldCount == cases.count)
    let saved = try Database().save(record)
    #expect(saved.hasSameFields(as: record))
  }

  @Test func optionalsAndLiterals() {
    let (city, seats): (String, Int?) = ("Suva", nil)
    var record = Record(recordType: "T")
    record["city"] = city
    record["seats"] = 5
    record["tags"] = ["maps", "sea"]
    #expect(record["seats"] == 5 && record["tags"] == .stringList(["maps", "sea"]))
    record["seats"] = seats
    record["tags"] = nil
    #expect(record.fieldNames == ["city"] && record["city"] == "Suva")
    // Read so it is a value of a field.
    let value: (any RecordValue)? = record["city"]
    #expect(value?.fieldValue == "Suva")
  }

  @Test func recordsWithFields() {
    let (title, price): (String, Double?) = ("Maps", nil)
    let record = Record(
      recordType: "Session", recordName: "keynote",
      fields: [
        "title": title, "tags": ["maps"], "capacity": 120, "price": price, "open": true, "title": "Maps of the sea",
      ])
    #expect(record.fieldNames == ["title", "tags", "capacity", "open"])
    #expect(record["title"] == "Maps of the sea" && record["capacity"] == 120 && record["open"] == 1)
    #expect(Record(recordType: "T", fields: [:]).fieldCount == 0)
    #expect(Record(recordType: "T", fields: ["a": 1]).recordID != Record(recordType: "T", fields: ["a": 1]).recordID)
  }
}
