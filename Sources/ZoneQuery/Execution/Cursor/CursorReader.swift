/// Takes the parts of a cursor or a change token from its bytes, none of which are trusted.
struct CursorReader {
  private let bytes: [UInt8]
  private var offset: Int
  private let end: Int
  /// The error that says why the bytes are none of what is read.
  private let refusal: (String) -> ZoneQueryError

  /// Reads `bytes` from `offset` up to `end`.
  init(bytes: [UInt8], offset: Int, end: Int, refusal: @escaping (String) -> ZoneQueryError) {
    (self.bytes, self.offset, self.end, self.refusal) = (bytes, offset, end, refusal)
  }

  /// Makes sure that all was read.
  func finish() throws(ZoneQueryError) {
    if offset < end { throw refusal("bytes are left over behind it") }
  }

  mutating func byte() throws(ZoneQueryError) -> UInt8 {
    guard offset < end else { throw refusal("it ends too early, or was changed") }
    offset += 1
    return bytes[offset - 1]
  }

  mutating func word() throws(ZoneQueryError) -> UInt64 {
    guard end - offset >= 8 else { throw refusal("it ends too early, or was changed") }
    var word: UInt64 = 0
    for index in (offset..<offset + 8).reversed() { word = word << 8 | UInt64(bytes[index]) }
    offset += 8
    return word
  }

  /// A number of things that take at least `size` bytes each.
  mutating func count(ofSize size: Int) throws(ZoneQueryError) -> Int {
    guard let count = Int(exactly: try word()), count <= (end - offset) / size else {
      throw refusal("it ends too early, or was changed")
    }
    return count
  }

  mutating func content() throws(ZoneQueryError) -> ArraySlice<UInt8> {
    let count = try count(ofSize: 1)
    offset += count
    return bytes[offset - count..<offset]
  }

  mutating func text() throws(ZoneQueryError) -> String {
    guard let text = String(validating: try content(), as: UTF8.self) else {
      throw refusal("a text in it is not UTF-8")
    }
    return text
  }

  mutating func flag() throws(ZoneQueryError) -> Bool {
    switch try byte() {
    case CursorFormat.absent: return false
    case CursorFormat.present: return true
    default: throw refusal("a part of it is of no known kind")
    }
  }

  mutating func options() throws(ZoneQueryError) -> PredicateOptions {
    let bits = try byte()
    if bits & ~(CursorFormat.extended | CursorFormat.likeNSPredicate | CursorFormat.caseInsensitive) != 0 {
      throw refusal("a part of it is of no known kind")
    }
    return PredicateOptions(
      dialect: bits & CursorFormat.extended != 0 ? .extended : .cloudKit,
      missingFields: bits & CursorFormat.likeNSPredicate != 0 ? .likeNSPredicate : .excluded,
      stringEquality: bits & CursorFormat.caseInsensitive != 0 ? .caseInsensitive : .exact)
  }

  mutating func zoneID() throws(ZoneQueryError) -> ZoneID {
    let name = try text()
    return ZoneID(zoneName: name, ownerName: try text())
  }

  mutating func sortKey() throws(ZoneQueryError) -> SortKey {
    let key = try text()
    switch try byte() {
    case CursorFormat.ascending: return .ascending(key)
    case CursorFormat.descending: return .descending(key)
    case CursorFormat.distance:
      let latitude = Double(bitPattern: try word())
      return .distance(key, from: Location(latitude: latitude, longitude: Double(bitPattern: try word())))
    default: throw refusal("a part of it is of no known kind")
    }
  }

  mutating func position() throws(ZoneQueryError) -> CursorPosition {
    let order: ScanPosition.Order
    switch try byte() {
    case CursorFormat.sorted:
      var types: [FieldType.Scalar] = []
      var values: [SortValue] = []
      for _ in 0..<(try count(ofSize: 2)) {
        types.append(try type())
        values.append(try value())
      }
      let recordName = try text()
      return .sorted(SortPosition(types: types, values: values, recordName: recordName, zoneID: try zoneID()))
    case CursorFormat.table: order = .table
    case CursorFormat.index:
      let name = try text()
      var values: [SortValue] = []
      for _ in 0..<(try count(ofSize: 1)) { values.append(try value()) }
      order = .index(name: name, values: values)
    default: throw refusal("a part of it is of no known kind")
    }
    let database = try word()
    let epoch = StoreEpoch(database: database, zone: try word())
    guard let slot = UInt32(exactly: try word()) else {
      throw refusal("its position is no place in a table")
    }
    let recordName = try text()
    return .unsorted(
      ScanPosition(order: order, epoch: epoch, slot: Int(slot), recordName: recordName, zoneID: try zoneID()))
  }

  private mutating func type() throws(ZoneQueryError) -> FieldType.Scalar {
    let place = Int(try byte())
    guard CursorFormat.types.indices.contains(place) else {
      throw refusal("a part of it is of no known kind")
    }
    return CursorFormat.types[place]
  }

  private mutating func value() throws(ZoneQueryError) -> SortValue {
    switch try byte() {
    case CursorFormat.missing: return .missing
    case CursorFormat.integer: return .integer(Int64(bitPattern: try word()))
    case CursorFormat.double: return .double(Double(bitPattern: try word()))
    case CursorFormat.byteString: return .bytes(Array(try content()))
    default: throw refusal("a part of it is of no known kind")
    }
  }
}
