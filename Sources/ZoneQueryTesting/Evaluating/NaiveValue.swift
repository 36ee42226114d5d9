internal import PredicateSyntax
internal import ZoneQuery

/// A value while a predicate is evaluated.
enum NaiveValue {
  /// A field without a value, or a computation without a result.
  case missing
  /// The constant `nil`.
  case null
  case integer(Int64)
  case double(Double)
  case text(String)
  case moment(Int64)
  case place(Location)
  case record(RecordID)
  /// A distance, known to lie in a range.
  case distance(ClosedRange<Double>)
  case list([NaiveValue])
  /// A value that no comparison takes.
  case opaque
  /// A value that the rules leave open.
  case undecided

  init(_ value: FieldValue?) {
    switch value {
    case nil: self = .missing
    case .string(let value): self = .text(value)
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .timestamp(let value): self = .moment(value.milliseconds)
    case .location(let value): self = .place(value)
    case .reference(let value): self = .record(value.recordID)
    case .stringList(let values): self = .list(values.map { .text($0) })
    case .int64List(let values): self = .list(values.map { .integer($0) })
    case .doubleList(let values): self = .list(values.map { .double($0) })
    case .timestampList(let values): self = .list(values.map { .moment($0.milliseconds) })
    case .locationList(let values): self = .list(values.map { .place($0) })
    case .referenceList(let values): self = .list(values.map { .record($0.recordID) })
    case .bytes, .bytesList, .asset, .assetList: self = .opaque
    }
  }

  init(_ literal: Literal) {
    switch literal {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .text(value)
    case .date(let milliseconds): self = .moment(milliseconds)
    case .location(let latitude, let longitude): self = .place(Location(latitude: latitude, longitude: longitude))
    case .reference(let name, let zone, let owner):
      let zoneID = ZoneID(zoneName: zone ?? ZoneID.defaultZoneName, ownerName: owner ?? ZoneID.currentUserName)
      self = .record(RecordID(recordName: name, zoneID: zoneID))
    }
  }

  var isMissing: Bool {
    if case .missing = self { true } else { false }
  }

  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  var isUndecided: Bool {
    if case .undecided = self { true } else { false }
  }
}
