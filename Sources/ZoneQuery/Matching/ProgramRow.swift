/// What a program reads of one record, by field number. The program asks for a value only after `isPresent`, and
/// only under the type the field was bound with.
protocol ProgramRow {
  func isPresent(_ field: FieldNumber) -> Bool
  /// `INT64`, or the milliseconds of a `TIMESTAMP`.
  func integer(_ field: FieldNumber) -> Int64
  func double(_ field: FieldNumber) -> Double
  func degrees(_ field: FieldNumber) -> (latitude: Double, longitude: Double)
  /// Whether a `LOCATION` passes a test of its distance.
  func passes(_ test: GeodesicRadiusTest, _ field: FieldNumber) -> Bool
  /// Whether the record has the words of a token search; nil where it has none of the fields.
  func passes(_ search: TokenMatcher) -> Bool?
  /// The same of a search in words.
  func passes(_ search: PackedSearch) -> Bool?
  /// The UTF-8 of a `STRING`, or the encoding of a `REFERENCE`.
  func withBytes<Result>(_ field: FieldNumber, _ body: (Span<UInt8>) -> Result) -> Result
  /// Whether the predicate holds for some member of a list; stops at the first.
  func anyInteger(_ field: FieldNumber, where predicate: (Int64) -> Bool) -> Bool
  func anyDouble(_ field: FieldNumber, where predicate: (Double) -> Bool) -> Bool
  func anyDegrees(_ field: FieldNumber, where predicate: (Double, Double) -> Bool) -> Bool
  func anyBytes(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool
  /// As `anyBytes`, for a field that holds one text or a list of them.
  func anyText(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool
}

extension ProgramRow {
  func passes(_ test: GeodesicRadiusTest, _ field: FieldNumber) -> Bool {
    let (latitude, longitude) = degrees(field)
    return test.matches(latitude: latitude, longitude: longitude)
  }

  func passes(_ search: TokenMatcher) -> Bool? { search.matches(self) }
  func passes(_ search: PackedSearch) -> Bool? { search.matcher.matches(self) }
}

/// A record without any field: for expressions that hold constants alone.
struct NoFields: ProgramRow {
  func isPresent(_ field: FieldNumber) -> Bool { false }
  func integer(_ field: FieldNumber) -> Int64 { 0 }
  func double(_ field: FieldNumber) -> Double { 0 }
  func degrees(_ field: FieldNumber) -> (latitude: Double, longitude: Double) { (0, 0) }
  func withBytes<Result>(_ field: FieldNumber, _ body: (Span<UInt8>) -> Result) -> Result { body([UInt8]().span) }
  func anyInteger(_ field: FieldNumber, where predicate: (Int64) -> Bool) -> Bool { false }
  func anyDouble(_ field: FieldNumber, where predicate: (Double) -> Bool) -> Bool { false }
  func anyDegrees(_ field: FieldNumber, where predicate: (Double, Double) -> Bool) -> Bool { false }
  func anyBytes(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool { false }
  func anyText(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool { false }
}

/// A record as an array of values, one for each field number.
struct ValuesRow: ProgramRow {
  let values: [FieldValue?]

  func isPresent(_ field: FieldNumber) -> Bool { values[field] != nil }

  func integer(_ field: FieldNumber) -> Int64 {
    switch values[field] {
    case .int64(let value)?: value
    case .timestamp(let value)?: value.milliseconds
    default: 0
    }
  }

  func double(_ field: FieldNumber) -> Double {
    if case .double(let value)? = values[field] { value } else { 0 }
  }

  func degrees(_ field: FieldNumber) -> (latitude: Double, longitude: Double) {
    if case .location(let place)? = values[field] { (place.latitude, place.longitude) } else { (0, 0) }
  }

  func withBytes<Result>(_ field: FieldNumber, _ body: (Span<UInt8>) -> Result) -> Result {
    switch values[field] {
    case .string(let text)?: withUTF8(of: text, body)
    case .reference(let reference)?: body(reference.recordID.encoded.span)
    default: body([UInt8]().span)
    }
  }

  func anyInteger(_ field: FieldNumber, where predicate: (Int64) -> Bool) -> Bool {
    switch values[field] {
    case .int64List(let values)?: values.contains(where: predicate)
    case .timestampList(let values)?: values.contains { predicate($0.milliseconds) }
    default: false
    }
  }

  func anyDouble(_ field: FieldNumber, where predicate: (Double) -> Bool) -> Bool {
    if case .doubleList(let values)? = values[field] { values.contains(where: predicate) } else { false }
  }

  func anyDegrees(_ field: FieldNumber, where predicate: (Double, Double) -> Bool) -> Bool {
    if case .locationList(let places)? = values[field] {
      places.contains { predicate($0.latitude, $0.longitude) }
    } else {
      false
    }
  }

  func anyBytes(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    switch values[field] {
    case .stringList(let texts)?: texts.contains { withUTF8(of: $0, predicate) }
    case .referenceList(let references)?: references.contains { predicate($0.recordID.encoded.span) }
    default: false
    }
  }

  func anyText(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    if case .string(let text)? = values[field] { return withUTF8(of: text, predicate) }
    return anyBytes(field, where: predicate)
  }
}
