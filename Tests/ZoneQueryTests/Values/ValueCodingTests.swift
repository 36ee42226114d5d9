import FoundationEssentials
import Testing

@testable import ZoneQuery

/// Values are encoded as CloudKit Web Services has them.
@Suite("Encoding of values")
struct ValueCodingTests {
  private static func check<Value: Codable & Equatable>(
    _ value: Value, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(value)
    #expect(String(decoding: data, as: UTF8.self) == text, sourceLocation: sourceLocation)
    #expect(try JSONDecoder().decode(Value.self, from: data) == value, sourceLocation: sourceLocation)
  }

  @Test func forms() throws {
    let zone = ZoneID(zoneName: "Work")
    let shared = ZoneID(zoneName: "Work", ownerName: "_u1")
    try Self.check(ZoneID.default, #"{"zoneName":"_defaultZone"}"#)
    try Self.check(zone, #"{"zoneName":"Work"}"#)
    try Self.check(shared, #"{"ownerRecordName":"_u1","zoneName":"Work"}"#)
    try Self.check(RecordID(recordName: "a"), #"{"recordName":"a"}"#)
    try Self.check(RecordID(recordName: "a", zoneID: zone), #"{"recordName":"a","zoneID":{"zoneName":"Work"}}"#)
    try Self.check(
      Reference(RecordID(recordName: "a", zoneID: shared), action: .deleteSelf),
      #"{"action":"DELETE_SELF","recordName":"a","zoneID":{"ownerRecordName":"_u1","zoneName":"Work"}}"#)
    try Self.check(Reference(RecordID(recordName: "a")), #"{"action":"NONE","recordName":"a"}"#)
    try Self.check([Timestamp(milliseconds: .min), Timestamp(milliseconds: 5)], "[-9223372036854775808,5]")
    try Self.check(Location(latitude: 37.783, longitude: -122.404), #"{"latitude":37.783,"longitude":-122.404}"#)
    var details = Location.Details()
    (details.altitude, details.course, details.timestamp) = (12, 0.5, Timestamp(milliseconds: 7))
    try Self.check(
      Location(latitude: 1, longitude: 2, details: details),
      #"{"altitude":12,"course":0.5,"latitude":1,"longitude":2,"timestamp":7}"#)
  }

  /// The dictionaries of Web Services are read, and written alike.
  @Test func formsOfWebServices() throws {
    let json = #"{"action":"NONE","recordName":"a","zoneID":{"ownerRecordName":"_u1","zoneName":"Work"}}"#
    let reference = try JSONDecoder().decode(Reference.self, from: Data(json.utf8))
    var written = JSONWriter()
    WebServicesValueWriter(zoneID: .default).write(reference, to: &written)
    #expect(try JSONDecoder().decode(Reference.self, from: Data(written.text.utf8)) == reference)
    #expect(try JSONDecoder().decode(Reference.self, from: Data(#"{"recordName":"a"}"#.utf8)).action == .none)
  }

  @Test func faults() {
    func refuses<Value: Decodable>(_: Value.Type, _ json: String, sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(throws: DecodingError.self, sourceLocation: sourceLocation) {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
      }
    }
    refuses(ZoneID.self, "{}")
    refuses(ZoneID.self, #"{"zoneName":"a","ownerRecordName":1}"#)
    refuses(RecordID.self, #""a""#)
    refuses(RecordID.self, #"{"recordName":"a","zoneID":"z"}"#)
    refuses(Reference.self, #"{"recordName":"a","action":"CASCADE"}"#)
    refuses(Timestamp.self, "1.5")
    refuses(Timestamp.self, "9223372036854775808")
    refuses(Location.self, #"{"latitude":1}"#)
    refuses(Location.self, #"{"latitude":1,"longitude":2,"altitude":"high"}"#)
  }
}
