import Foundation
import Testing

/// The sample records as plain JSON, for answers computed without the engine.
struct SampleRecords {
  struct Plain {
    let name: String
    let type: String
    let fields: [String: Any]

    func string(_ key: String) -> String? { value(key) as? String }
    func strings(_ key: String) -> [String] { value(key) as? [String] ?? [] }
    func number(_ key: String) -> Double? { (value(key) as? NSNumber)?.doubleValue }
    func place(_ key: String) -> (latitude: Double, longitude: Double)? {
      guard let place = value(key) as? [String: Any], let latitude = place["latitude"] as? NSNumber,
        let longitude = place["longitude"] as? NSNumber
      else { return nil }
      return (latitude.doubleValue, longitude.doubleValue)
    }
    private func value(_ key: String) -> Any? { (fields[key] as? [String: Any])?["value"] }
  }

  let all: [Plain]

  init() throws {
    let text = try String(contentsOfFile: ToolProcess.records, encoding: .utf8)
    all = try text.split(separator: "\n").map { line in
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return Plain(
        name: try #require(object["recordName"] as? String), type: try #require(object["recordType"] as? String),
        fields: try #require(object["fields"] as? [String: Any]))
    }
  }

  func names(_ type: String, _ predicate: (Plain) -> Bool) -> [String] {
    all.filter { $0.type == type && predicate($0) }.map(\.name)
  }

  /// Metres on a sphere, good to half a percent.
  static func roughDistance(
    _ from: (latitude: Double, longitude: Double), _ to: (latitude: Double, longitude: Double)
  ) -> Double {
    let radians = Double.pi / 180
    let a = sin((to.latitude - from.latitude) * radians / 2)
    let b = sin((to.longitude - from.longitude) * radians / 2)
    let h = a * a + cos(from.latitude * radians) * cos(to.latitude * radians) * b * b
    return 2 * 6_371_008.8 * asin(h.squareRoot())
  }
}
