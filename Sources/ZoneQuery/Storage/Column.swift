/// The values of one field of a table, in the storage its type asks for.
///
/// | type | storage |
/// | --- | --- |
/// | INT64, TIMESTAMP | `integers` |
/// | DOUBLE | `doubles` |
/// | LOCATION | `doubles` (latitude), `longitudes`, and `positions` for tests of distance without trigonometry |
/// | STRING | `bytes`: its UTF-8 |
/// | REFERENCE | `bytes`: the action, then the ID's encoding |
/// | LIST of INT64, TIMESTAMP | `integerLists` |
/// | LIST of DOUBLE, LOCATION | `doubleLists`; latitude and longitude in turn |
/// | LIST of STRING, REFERENCE | `bytes`: each member's length (``RunLength``), then the member |
/// | BYTES, ASSET and lists of them, encrypted fields | `kept`: the value as it came; nothing compares it |
struct Column: Sendable {
  let type: FieldType
  private let isKept: Bool
  private var integers = FixedColumn<Int64>(filler: 0)
  private var doubles = FixedColumn<Double>(filler: 0)
  private var longitudes = FixedColumn<Double>(filler: 0)
  private var positions = FixedColumn<GeodesicPosition>(filler: GeodesicPosition(x: 0, y: 0, z: 0))
  private var bytes = RaggedColumn<UInt8>()
  private var integerLists = RaggedColumn<Int64>()
  private var doubleLists = RaggedColumn<Double>()
  private var kept = FixedColumn<FieldValue?>(filler: nil)
  /// The details of the locations that have any, by slot and then by position in the list.
  private var details: [Int: [Int: Location.Details]] = [:]

  init(_ definition: FieldDefinition) {
    type = definition.type
    isKept = definition.isEncrypted || !definition.type.isQueryable
  }

  init(_ type: FieldType) {
    self.type = type
    isKept = !type.isQueryable
  }

  func isPresent(_ slot: Int) -> Bool {
    if isKept { return kept.isPresent(slot) }
    return switch (type.scalar, type.isList) {
    case (.int64, false), (.timestamp, false): integers.isPresent(slot)
    case (.double, false), (.location, false): doubles.isPresent(slot)
    case (.int64, true), (.timestamp, true): integerLists.isPresent(slot)
    case (.double, true), (.location, true): doubleLists.isPresent(slot)
    default: bytes.isPresent(slot)
    }
  }

  // MARK: Reading in place

  func integer(_ slot: Int) -> Int64 { integers[slot] }

  func double(_ slot: Int) -> Double { doubles[slot] }

  func degrees(_ slot: Int) -> (latitude: Double, longitude: Double) { (doubles[slot], longitudes[slot]) }

  /// The place in Cartesian coordinates.
  func position(_ slot: Int) -> GeodesicPosition { positions[slot] }

  /// The UTF-8 of a text, or the encoding of a reference.
  func withBytes<Result>(_ slot: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    bytes.withRun(slot) { run in
      type.scalar == .reference && run.count > 0 ? body(run.extracting(1..<run.count)) : body(run)
    }
  }

  func anyInteger(_ slot: Int, where predicate: (Int64) -> Bool) -> Bool {
    integerLists.withRun(slot) { run in
      for index in run.indices where predicate(run[index]) { return true }
      return false
    }
  }

  func anyDouble(_ slot: Int, where predicate: (Double) -> Bool) -> Bool {
    doubleLists.withRun(slot) { run in
      for index in run.indices where predicate(run[index]) { return true }
      return false
    }
  }

  func anyDegrees(_ slot: Int, where predicate: (Double, Double) -> Bool) -> Bool {
    doubleLists.withRun(slot) { run in
      for index in 0..<run.count / 2 where predicate(run[2 * index], run[2 * index + 1]) { return true }
      return false
    }
  }

  func anyBytes(_ slot: Int, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    bytes.withRun(slot) { run in
      var position = 0
      while let member = RunLength.next(in: run, &position) {
        let start = type.scalar == .reference ? member.lowerBound + 1 : member.lowerBound
        if predicate(run.extracting(start..<member.upperBound)) { return true }
      }
      return false
    }
  }

  // MARK: Writing

  mutating func clear(_ slot: Int) {
    forgetDetails(slot)
    integers.clear(slot)
    doubles.clear(slot)
    longitudes.clear(slot)
    positions.clear(slot)
    bytes.clear(slot)
    integerLists.clear(slot)
    doubleLists.clear(slot)
    kept.clear(slot)
  }

  /// Stores a value of the column's type.
  mutating func set(_ slot: Int, _ value: FieldValue) {
    forgetDetails(slot)
    if isKept {
      kept.set(slot, value)
      return
    }
    switch value {
    case .string(let text): bytes.set(slot, text.utf8)
    case .int64(let number): integers.set(slot, number)
    case .timestamp(let moment): integers.set(slot, moment.milliseconds)
    case .double(let number): doubles.set(slot, number)
    case .location(let place):
      doubles.set(slot, place.latitude)
      longitudes.set(slot, place.longitude)
      positions.set(slot, GeodesicPosition(latitude: place.latitude, longitude: place.longitude))
      keepDetails(of: place, slot, 0)
    case .reference(let reference): bytes.set(slot, Column.encoded(reference))
    case .int64List(let numbers): integerLists.set(slot, numbers)
    case .timestampList(let moments): integerLists.set(slot, moments.map(\.milliseconds))
    case .doubleList(let numbers): doubleLists.set(slot, numbers)
    case .locationList(let places):
      doubleLists.set(slot, places.flatMap { [$0.latitude, $0.longitude] })
      for (index, place) in places.enumerated() { keepDetails(of: place, slot, index) }
    case .stringList(let texts):
      var run: [UInt8] = []
      for text in texts { RunLength.append(text.utf8, to: &run) }
      bytes.set(slot, run)
    case .referenceList(let references):
      var run: [UInt8] = []
      for reference in references { RunLength.append(Column.encoded(reference), to: &run) }
      bytes.set(slot, run)
    case .bytes, .asset, .bytesList, .assetList: break
    }
  }

  private mutating func keepDetails(of place: Location, _ slot: Int, _ index: Int) {
    if place.hasDetails { details[slot, default: [:]][index] = place.details }
  }

  private mutating func forgetDetails(_ slot: Int) {
    if !details.isEmpty { details[slot] = nil }
  }

  private static func encoded(_ reference: Reference) -> [UInt8] {
    [reference.action == .deleteSelf ? 1 : 0] + reference.recordID.encoded
  }

  // MARK: Values

  /// The value of a slot, if it has one.
  func value(_ slot: Int) -> FieldValue? {
    guard isPresent(slot) else { return nil }
    if isKept { return kept[slot] }
    switch (type.scalar, type.isList) {
    case (.string, false): return .string(withBytes(slot) { String(copying: $0) })
    case (.int64, false): return .int64(integer(slot))
    case (.timestamp, false): return .timestamp(Timestamp(milliseconds: integer(slot)))
    case (.double, false): return .double(double(slot))
    case (.location, false):
      let (latitude, longitude) = degrees(slot)
      return .location(place(latitude, longitude, slot, 0))
    case (.reference, false): return bytes.withRun(slot) { Column.reference($0) }.map { .reference($0) }
    case (.int64, true): return .int64List(integerLists.withRun(slot) { Array(copying: $0) })
    case (.timestamp, true):
      let milliseconds = integerLists.withRun(slot) { Array(copying: $0) }
      return .timestampList(milliseconds.map { Timestamp(milliseconds: $0) })
    case (.double, true): return .doubleList(doubleLists.withRun(slot) { Array(copying: $0) })
    case (.location, true):
      var places: [Location] = []
      _ = anyDegrees(slot) {
        places.append(place($0, $1, slot, places.count))
        return false
      }
      return .locationList(places)
    case (.string, true):
      var texts: [String] = []
      _ = anyBytes(slot) {
        texts.append(String(copying: $0))
        return false
      }
      return .stringList(texts)
    case (.reference, true): return .referenceList(bytes.withRun(slot) { Column.references($0) })
    case (.bytes, _), (.asset, _): return nil
    }
  }

  private func place(_ latitude: Double, _ longitude: Double, _ slot: Int, _ index: Int) -> Location {
    let known = details.isEmpty ? nil : details[slot]?[index]
    return Location(latitude: latitude, longitude: longitude, details: known ?? Location.Details())
  }

  private static func reference(_ run: Span<UInt8>) -> Reference? {
    guard run.count > 0, let id = RecordID(encoded: Array(copying: run.extracting(1..<run.count))) else { return nil }
    return Reference(id, action: run[0] == 1 ? .deleteSelf : .none)
  }

  private static func references(_ run: Span<UInt8>) -> [Reference] {
    var references: [Reference] = []
    var position = 0
    while let member = RunLength.next(in: run, &position) {
      if let reference = reference(run.extracting(member)) { references.append(reference) }
    }
    return references
  }
}

/// Byte strings one after the other, each behind its length in seven-bit groups, the lowest first.
enum RunLength {
  static func append(_ member: some Collection<UInt8>, to run: inout [UInt8]) {
    var length = member.count
    while length >= 0x80 {
      run.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    run.append(UInt8(length))
    run.append(contentsOf: member)
  }

  /// The place of the member at `position`, which moves behind it; nil at the end.
  static func next(in run: Span<UInt8>, _ position: inout Int) -> Range<Int>? {
    var (length, shift) = (0, 0)
    while position < run.count {
      let byte = run[position]
      position += 1
      length |= Int(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 {
        let start = position
        position += length
        return start..<position
      }
    }
    return nil
  }
}

extension Array {
  /// The elements of a span.
  init(copying span: Span<Element>) {
    self.init()
    reserveCapacity(span.count)
    for index in span.indices { append(span[index]) }
  }
}

extension String {
  /// The text of UTF-8 that was a Swift string's.
  init(copying span: Span<UInt8>) {
    self.init(decoding: [UInt8](copying: span), as: UTF8.self)
  }
}
