import Foundation
import Testing

@testable import ZoneQuery

/// Values of fields where predicates take arguments, and what makes and reads them shortly.
struct FieldValueArgumentTests {
  @Test func valuesAreArguments() throws {
    let reference = Reference(RecordID(recordName: "b"))
    let place = Location(latitude: 1, longitude: 2)
    let moment = Timestamp(milliseconds: 5)
    let pairs: [(FieldValue, ArgumentValue)] = [
      ("a", "a".predicateArgument), (3, 3.predicateArgument), (1.5, 1.5.predicateArgument),
      (true, true.predicateArgument),
      (.timestamp(moment), moment.predicateArgument), (.location(place), place.predicateArgument),
      (.reference(reference), reference.predicateArgument), (.stringList(["a", "b"]), ["a", "b"].predicateArgument),
      (.int64List([1]), [1].predicateArgument), (.doubleList([0.5]), [0.5].predicateArgument),
      (.timestampList([moment]), [moment].predicateArgument), (.locationList([place]), [place].predicateArgument),
      (.referenceList([reference]), [reference].predicateArgument),
    ]
    for (value, argument) in pairs { #expect(value.predicateArgument == argument) }
    let asset = Asset(fileChecksum: "x", size: 1)
    for value in [.bytes([1]), .bytesList([]), .asset(asset), .assetList([asset])] as [FieldValue] {
      #expect(failureCode { try QueryPredicate(format: "a = %@", value) } == .syntax)
      #expect(!(Field("a") == value).faults.isEmpty)
    }
    var record = Record(recordType: "T", recordName: "a")
    record["city"] = "Suva"
    let predicate = try QueryPredicate(format: "city = %@", record["city"])
    #expect(predicate == (Field("city") == record["city"]) && predicate == (Field("city") == "Suva"))
    let database = try Database()
    try database.save(record)
    #expect(try database.count(matching: Query(recordType: "T", predicate: predicate)) == 1)
    #expect(
      try database.count(
        matching: Query(recordType: "T", predicate: QueryPredicate(format: "city = $c")),
        parameters: ["c": FieldValue.string("Oslo")]) == 0)
  }

  @Test func shortWays() {
    var record = Record(recordType: "T", recordName: "a")
    let number = 7
    record["title"] = "Note \(number)"
    record["open"] = true
    let date = Date(timeIntervalSince1970: 1_788_000_000)
    record["start"] = .date(date)
    record["blob"] = .data(Data([1, 2]))
    #expect(record["title"] == .string("Note 7") && record["open"] == .int64(1))
    #expect(record.bool("open") == true && record.bool("title") == nil && record.bool("none") == nil)
    record["open"] = 0
    #expect(record.bool("open") == false && record.date("open") == nil && record.data("open") == nil)
    #expect(record.date("start") == date && record.data("blob") == Data([1, 2]))
  }

  /// Zones of the database's own user that are named by their owner.
  @Test func ownZonesByTheirOwner() throws {
    var configuration = Database.Configuration()
    configuration.userRecordName = "_alice"
    let database = try Database(configuration: configuration)
    try database.createZone(ZoneID(zoneName: "Notes"))
    for (owner, hint) in [
      ("_alice", "the zones of the database's own user are named without the owner"), ("_bob", nil),
    ] {
      let id = RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Notes", ownerName: owner))
      let error = #expect(throws: ZoneQueryError.self) { try database.record(for: id) }
      #expect(error?.code == .zoneNotFound && error?.hint == hint)
    }
  }
}
