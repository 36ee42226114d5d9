internal import ZoneQuery

/// Writes field values for tables.
enum CellText {
  static func text(_ value: FieldValue) -> String {
    switch value {
    case .string(let text): Printable.text(text)
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .timestamp(let moment): moment.iso8601
    case .location(let place): text(place)
    case .reference(let reference): Printable.text(reference.recordID.description)
    case .asset(let asset): "asset of \(asset.size) bytes"
    case .stringList(let list): joined(list.map { Printable.text($0) })
    case .int64List(let list): joined(list.map { "\($0)" })
    case .doubleList(let list): joined(list.map { "\($0)" })
    case .bytesList(let list): joined(list.map { "\($0.count) bytes" })
    case .timestampList(let list): joined(list.map(\.iso8601))
    case .locationList(let list): joined(list.map { "(\(text($0)))" })
    case .referenceList(let list): joined(list.map { Printable.text($0.recordID.description) })
    case .assetList(let list): joined(list.map { "asset of \($0.size) bytes" })
    }
  }

  private static func joined(_ members: [String]) -> String { members.joined(separator: ", ") }

  private static func text(_ place: Location) -> String { "\(place.latitude), \(place.longitude)" }
}
