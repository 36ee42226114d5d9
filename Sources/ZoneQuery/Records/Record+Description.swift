extension Record: CustomStringConvertible, CustomReflectable {
  /// The type, the ID and the first fields, long values shortened: for messages and logs.
  ///
  /// ```swift
  /// var record = Record(recordType: "Event", recordName: "keynote")
  /// record["title"] = "Maps of the sea"
  /// record["capacity"] = 120
  /// record.description   // Event keynote {title: "Maps of the sea", capacity: 120}
  /// ```
  public var description: String {
    let names = fieldNames
    var parts = names.prefix(Record.mostDescribed).map { name in
      "\(SyntaxError.excerpt(name)): \(self[name]?.description ?? "")"
    }
    if names.count > Record.mostDescribed { parts.append("… (\(names.count) fields)") }
    let id = SyntaxError.excerpt(recordID.description)
    return "\(SyntaxError.excerpt(recordType)) \(id) {\(parts.joined(separator: ", "))}"
  }

  /// How many fields are described, and members of a list.
  private static var mostDescribed: Int { 12 }
  fileprivate static var mostMembers: Int { 4 }

  /// The record's ID and type, what the system knows of it, and its fields with their values.
  public var customMirror: Mirror {
    var children: [Mirror.Child] = [("recordID", recordID), ("recordType", recordType)]
    for field in SystemField.allCases where field != .recordID {
      if let value = systemValue(field) { children.append((field.key, value)) }
    }
    for (name, value) in fields { children.append((name, value)) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension FieldValue: CustomStringConvertible {
  /// The value in short, long texts and lists cut off: for messages and logs.
  ///
  /// ```swift
  /// FieldValue.string("Suva").description                              // "Suva", in quotes
  /// FieldValue.stringList(["maps", "sea"]).description                 // ["maps", "sea"]
  /// FieldValue.timestamp(Timestamp(milliseconds: 0)).description       // 1970-01-01T00:00:00Z
  /// ```
  public var description: String {
    func list(_ count: Int, _ member: (Int) -> FieldValue) -> String {
      let members = (0..<min(count, Record.mostMembers)).map { member($0).description }
      return "[" + (members + (count > members.count ? ["… (\(count))"] : [])).joined(separator: ", ") + "]"
    }
    switch self {
    case .string(let text): return ValueText.text(Array(text.utf8.prefix(64)))
    case .int64(let number): return "\(number)"
    case .double(let number): return "\(number)"
    case .bytes(let bytes): return "\(bytes.count) bytes"
    case .timestamp(let moment): return moment.iso8601
    case .location(let place): return "\(place.latitude),\(place.longitude)"
    case .reference(let reference): return "→ \(SyntaxError.excerpt(reference.recordID.description))"
    case .asset(let asset): return "asset of \(asset.size) bytes"
    case .stringList(let values): return list(values.count) { .string(values[$0]) }
    case .int64List(let values): return list(values.count) { .int64(values[$0]) }
    case .doubleList(let values): return list(values.count) { .double(values[$0]) }
    case .bytesList(let values): return list(values.count) { .bytes(values[$0]) }
    case .timestampList(let values): return list(values.count) { .timestamp(values[$0]) }
    case .locationList(let values): return list(values.count) { .location(values[$0]) }
    case .referenceList(let values): return list(values.count) { .reference(values[$0]) }
    case .assetList(let values): return list(values.count) { .asset(values[$0]) }
    }
  }
}
