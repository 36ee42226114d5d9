import Testing
import ZoneQuery

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Sample records as JSON")
struct JSONSampleTests {
  private func sample() throws -> [UInt8] {
    let here = URL(filePath: #filePath)
    let tests = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: tests.appending(path: "Samples/conference.jsonl")))
  }

  @Test("reading and writing gives back each byte of the file")
  func roundTrips() throws {
    let bytes = try sample()
    var lines = JSONLines(bytes)
    var writer = JSONWriter()
    while let line = try lines.next() {
      writer.write(try line.read())
      writer.endLine()
    }
    #expect(writer.bytes == bytes)
  }

  @Test("each field has the form of its type, and each reference leads to a record")
  func holdsTogether() throws {
    var lines = JSONLines(try sample())
    var types: [String: String] = [:]
    var counts: [String: Int] = [:]
    var references: [String] = []
    while let line = try lines.next() {
      let record = try line.read()
      let name = try #require(record["recordName"]?.string)
      let type = try #require(record["recordType"]?.string)
      #expect(types.updateValue(type, forKey: name) == nil, "\(name) occurs twice")
      counts[type, default: 0] += 1
      for (key, field) in try #require(record["fields"]?.object).members {
        let value = try #require(field["value"])
        switch field["type"]?.string {
        case "STRING": #expect(value.string != nil)
        case "INT64": #expect(value.number?.integer != nil)
        case "TIMESTAMP": #expect(value.number?.integer != nil)
        case "DOUBLE": #expect(value.number?.isWhole == false)
        case "LOCATION":
          let latitude = try #require(value["latitude"]?.number?.double)
          let longitude = try #require(value["longitude"]?.number?.double)
          #expect(abs(latitude) <= 90 && abs(longitude) <= 180)
        case "STRING_LIST": #expect(value.array?.allSatisfy { $0.string != nil } == true)
        case "REFERENCE": references.append(try #require(value["recordName"]?.string))
        case "REFERENCE_LIST":
          for member in try #require(value.array) {
            references.append(try #require(member["recordName"]?.string))
          }
        default: Issue.record("\(key) of \(name): \(field.text)")
        }
      }
    }
    #expect(counts == ["Session": 193, "Speaker": 64, "Venue": 17])
    #expect(references.allSatisfy { types[$0] != nil })
    print("JSON sample references: \(references.count)")
    #expect(references.count >= 400)
  }
}
