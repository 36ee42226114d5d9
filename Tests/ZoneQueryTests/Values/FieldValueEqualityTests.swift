import Testing

@testable import ZoneQuery

/// Values are equal where type and content are, and take another type of the same meaning where none of them is lost.
struct FieldValueEqualityTests {
  /// Pairs of values of one type that differ.
  private static let pairs: [(FieldValue, FieldValue)] = {
    let (here, there) = (Location(latitude: 1, longitude: 2), Location(latitude: 2, longitude: 1))
    let (one, two) = (Timestamp(milliseconds: 1), Timestamp(milliseconds: 2))
    let (a, b) = (Reference(RecordID(recordName: "a")), Reference(RecordID(recordName: "b")))
    let file = Asset(fileChecksum: "x", size: 1, downloadURL: nil)
    let other = Asset(fileChecksum: "x", size: 2, downloadURL: nil)
    return [
      (.string("a"), .string("b")), (.int64(1), .int64(2)), (.double(1), .double(2)), (.bytes([1]), .bytes([2])),
      (.timestamp(one), .timestamp(two)), (.location(here), .location(there)), (.reference(a), .reference(b)),
      (.asset(file), .asset(other)), (.stringList(["a", "b"]), .stringList(["a", "c"])),
      (.int64List([1, 2]), .int64List([2, 1])), (.doubleList([1]), .doubleList([1, 1])),
      (.bytesList([[1], [2]]), .bytesList([[1, 2]])), (.timestampList([one]), .timestampList([two])),
      (.locationList([here]), .locationList([there])), (.referenceList([a]), .referenceList([b])),
      (.assetList([file]), .assetList([other])),
    ]
  }()

  @Test func valuesOfEachType() {
    let all = Self.pairs.flatMap { [$0.0, $0.1] }
    for (place, value) in all.enumerated() {
      for (other, copy) in all.enumerated() { #expect((value == copy) == (place == other), "\(value) \(copy)") }
      let same = value
      #expect(value.hashValue == same.hashValue)
    }
    #expect(Set(all).count == all.count)
  }

  @Test func partsOfPlaces() {
    let base = Location(latitude: 1, longitude: 2)
    expectEachPartCounts(
      base,
      [
        { $0 = Location(latitude: 1.5, longitude: 2) }, { $0 = Location(latitude: 1, longitude: 2.5) },
        { $0 = Self.place { $0.altitude = 0 } }, { $0 = Self.place { $0.horizontalAccuracy = 0 } },
        { $0 = Self.place { $0.verticalAccuracy = 0 } }, { $0 = Self.place { $0.course = 0 } },
        { $0 = Self.place { $0.speed = 0 } }, { $0 = Self.place { $0.timestamp = Timestamp(milliseconds: 0) } },
      ])
  }

  private static func place(_ change: (inout Location.Details) -> Void) -> Location {
    var details = Location.Details()
    change(&details)
    return Location(latitude: 1, longitude: 2, details: details)
  }

  @Test func partsOfFiles() {
    expectEachPartCounts(
      Asset(fileChecksum: "x", size: 1, downloadURL: nil),
      [
        { $0 = Asset(fileChecksum: "y", size: 1, downloadURL: nil) },
        { $0 = Asset(fileChecksum: "x", size: 2, downloadURL: nil) },
        { $0 = Asset(fileChecksum: "x", size: 1, downloadURL: "u") }, { $0.referenceChecksum = "" },
        { $0.wrappingKey = "" }, { $0.receipt = "" },
      ])
  }

  @Test func partsOfReferences() {
    expectEachPartCounts(
      Reference(RecordID(recordName: "a")),
      [
        { $0 = Reference(RecordID(recordName: "b")) },
        { $0 = Reference(RecordID(recordName: "a"), action: .deleteSelf) },
        { $0 = Reference(RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Z"))) },
      ])
  }

  @Test func numbersUnderAnotherType() {
    let large: Int64 = 1 << 53 + 1
    #expect(FieldValue.int64(3).converted(to: .double) == .double(3))
    #expect(FieldValue.double(3).converted(to: .int64) == .int64(3))
    #expect(FieldValue.int64List([1, 2]).converted(to: .list(.double)) == .doubleList([1, 2]))
    #expect(FieldValue.doubleList([1, 2]).converted(to: .list(.int64)) == .int64List([1, 2]))
    #expect(FieldValue.int64List([]).converted(to: .list(.double)) == .doubleList([]))
    // One that has no place there keeps the whole list from it.
    #expect(FieldValue.int64(large + 1).converted(to: .double) != nil)
    #expect(FieldValue.int64(.max).converted(to: .double) == nil)
    #expect(FieldValue.int64List([1, .max, 2]).converted(to: .list(.double)) == nil)
    #expect(FieldValue.doubleList([1, 2.5]).converted(to: .list(.int64)) == nil)
    #expect(FieldValue.doubleList([1, 0x1p63]).converted(to: .list(.int64)) == nil)
    #expect(FieldValue.int64(1).converted(to: .list(.int64)) == nil)
  }
}
