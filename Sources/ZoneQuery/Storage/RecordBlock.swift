#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// An unsafe leaf: some records of an answer, copied out of their rows into one piece of memory.
//
// A record begins with a word for its length in bytes, then words with a bit for each field that was read and has a
// value, then a word for each field that was read: the number itself, or place << 32 | length of its bytes, the place
// counted from the record's beginning; 0 where there is no value. Its bytes follow: a location as latitude, longitude and
// details; a list of locations as the length of its places in eight bytes, the places and the details; everything else as
// rows have it.
//
// Invariant: the memory belongs to the block, holds as many bytes as its records say, and is written by the one
// `RecordReader` that makes the block, in the call that makes its records, which are not seen elsewhere before it returns.
// Proof of Sendable: nothing of a block changes from then on.

/// Records as they are stored, without the table they were stored in.
@safe
final class RecordBlock: RecordObject, @unchecked Sendable {
  let shape: TableShape
  /// Which fields were read.
  private let fields: Fields
  /// The user who first saved the first of the records, most likely the others too.
  private let user: KnownUser?
  @unsafe private let base: UnsafeMutableRawPointer
  /// How many bytes the memory has.
  let capacity: Int

  /// The field of the user who is known.
  static var saver: FieldNumber { FieldNumber(.creatorUserRecordID) }

  /// A user's ID, which records name by the same bytes.
  final class KnownUser: Sendable {
    private let bytes: [UInt8]
    fileprivate let id: RecordID

    @inline(__always)
    func isNamed(by other: Span<UInt8>) -> Bool {
      let bytes = bytes
      return other.isSame(as: bytes.span)
    }

    init?(_ bytes: Span<UInt8>, _ shape: TableShape) {
      guard let reference = Reference(bytes, zoneID: shape.zoneID) else { return nil }
      self.bytes = Array(copying: bytes)
      id = reference.recordID
    }
  }

  /// The next multiple of eight: where a record can begin.
  @inline(__always)
  static func rounded(_ size: Int) -> Int { (size &+ 7) & ~7 }

  /// A block for records of so many bytes in all, with room for a word behind them.
  init(_ shape: TableShape, _ fields: Fields, user: KnownUser?, capacity: Int) {
    self.shape = shape
    self.fields = fields
    self.user = user
    self.capacity = capacity
    // As words: for bytes that are to lie on a multiple of eight a slower allocator is asked.
    let words = RecordBlock.rounded(capacity) >> 3 + 1
    unsafe base = UnsafeMutableRawPointer(UnsafeMutablePointer<UInt64>.allocate(capacity: words))
  }

  deinit { unsafe base.deallocate() }

  /// Where its reader writes a record that begins at a place, and where the room for records ends, behind which is a word more.
  @unsafe
  func room(from start: Int) -> (start: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer) {
    unsafe (base + start, base + capacity)
  }

  // MARK: Reading

  private func word(_ start: Int, at offset: Int) -> UInt64 {
    unsafe base.load(fromByteOffset: start &+ offset, as: UInt64.self)
  }

  /// Whether a record has a value of the field with an index.
  @inline(__always)
  private func isPresent(_ start: Int, _ index: Int) -> Bool {
    index >= 0 && word(start, at: 8 &+ (index >> 6) << 3) >> UInt64(truncatingIfNeeded: index & 63) & 1 == 1
  }

  /// The index of a field; nil where the record has no value of it, or it was not read.
  @inline(__always)
  private func index(_ start: Int, _ field: FieldNumber) -> Int? {
    let index = fields.index(field)
    return isPresent(start, index) ? index : nil
  }

  /// The word of a value.
  @inline(__always)
  private func word(_ start: Int, _ index: Int) -> UInt64 { word(start, at: fields.presenceEnd &+ index << 3) }

  /// Calls `body` with the bytes of a value.
  @inline(__always)
  private func withBytes<Result>(_ start: Int, _ index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let word = word(start, index)
    let bytes = unsafe UnsafeRawBufferPointer(start: base + start + Int(word >> 32), count: Int(word & 0xFFFF_FFFF))
    defer { withExtendedLifetime(self) {} }
    return unsafe body(Span(_unsafeBytes: bytes))
  }

  var recordType: String { shape.layout.recordType.name }

  /// Whether fields were left out.
  var isPartial: Bool { fields.isPartial }

  func recordID(_ start: Int) -> RecordID { RecordID(recordName: recordName(start), zoneID: shape.zoneID) }

  @inline(__always)
  func recordName(_ start: Int) -> String {
    string(start, fields.index(FieldNumber(.recordID)))
  }

  func changeTag(_ start: Int) -> String {
    ZoneState.changeTag(int64(start, fields.index(FieldNumber(.changeTag))))
  }

  func moment(_ start: Int, _ field: SystemField) -> Timestamp? {
    index(start, FieldNumber(field)).map { timestamp(start, $0) }
  }

  func reference(_ start: Int, _ field: SystemField) -> Reference? {
    if case .reference(let reference)? = value(start, FieldNumber(field)) { reference } else { nil }
  }

  /// The user that a field names.
  func user(_ start: Int, _ field: SystemField) -> RecordID? {
    guard let index = index(start, FieldNumber(field)) else { return nil }
    if let user, isSaver(start, index) { return user.id }
    return anotherUser(start, field)
  }

  @inline(never)
  private func anotherUser(_ start: Int, _ field: SystemField) -> RecordID? { reference(start, field)?.recordID }

  /// Whether a value has the bytes of what the first record says of its first saver.
  @inline(__always)
  private func isSaver(_ start: Int, _ index: Int) -> Bool {
    withBytes(start, index) { bytes in
      withBytes(0, fields.index(RecordBlock.saver)) { bytes.isSame(as: $0) }
    }
  }

  /// The value of a field of the record type by its name.
  func value(_ start: Int, _ name: String) -> FieldValue? {
    shape.field(name).flatMap { value(start, .position($0.position)) }
  }

  /// The value of a field; of the record ID and the change tag, what is stored for them.
  func value(_ start: Int, _ field: FieldNumber) -> FieldValue? {
    guard let index = index(start, field) else { return nil }
    let type = shape.types[field]
    switch shape.kinds[field] {
    case .integer:
      return type.scalar == .timestamp ? .timestamp(timestamp(start, index)) : .int64(int64(start, index))
    case .double: return .double(double(start, index))
    case .location: return .location(location(start, index))
    case .locationList:
      return withBytes(start, index) { bytes in
        let end = 8 + Int(truncatingIfNeeded: bytes.word(at: 0))
        return FieldValue(
          type, bytes: bytes.extracting(8..<end), details: bytes.extracting(end..<bytes.count),
          zoneID: shape.zoneID)
      }
    case .name: return .string(string(start, index))
    case .bytes where type.scalar == .string: return .string(string(start, index))
    case .bytes, .reference, .list, .referenceList:
      return withBytes(start, index) { bytes in
        FieldValue(type, bytes: bytes, details: bytes.extracting(0..<0), zoneID: shape.zoneID)
      }
    }
  }

  // MARK: Values under a type

  /// The index of the value of a field that is asked for by its name, and under a type: negative where the record has none;
  /// nil where the name is no field's by the words that the string consists of, as it still may be by its bytes.
  @inline(__always)
  func index(_ start: Int, _ name: String, _ type: FieldType) -> Int? {
    guard let (position, itsType) = shape.fieldByWords(name) else { return nil }
    let index = fields.index(.position(position))
    return itsType == type && isPresent(start, index) ? index : -1
  }

  @inline(__always)
  func string(_ start: Int, _ index: Int) -> String { withBytes(start, index) { String(copying: $0) } }

  @inline(__always)
  func int64(_ start: Int, _ index: Int) -> Int64 { Int64(bitPattern: word(start, index)) }

  @inline(__always)
  func double(_ start: Int, _ index: Int) -> Double { Double(bitPattern: word(start, index)) }

  @inline(__always)
  func timestamp(_ start: Int, _ index: Int) -> Timestamp { Timestamp(milliseconds: int64(start, index)) }

  /// The place of the value with an index.
  @inline(__always)
  func location(_ start: Int, _ index: Int) -> Location {
    withBytes(start, index) { bytes in
      let (latitude, longitude) = (Double(bitPattern: bytes.word(at: 0)), Double(bitPattern: bytes.word(at: 8)))
      var position = 16
      if bytes.count == position { return Location(plain: latitude, longitude) }
      return Location(latitude: latitude, longitude: longitude, details: Location.Details(bytes, &position))
    }
  }

  @inline(__always)
  func stringList(_ start: Int, _ index: Int) -> [String] { withBytes(start, index) { Array(runs: $0) } }

  // MARK: The record's fields

  /// Calls `body` with the position in the record type of each field that has a value.
  private func forEachField(_ start: Int, _ body: (Int) -> Void) {
    for position in shape.fieldNames.indices where index(start, .position(position)) != nil { body(position) }
  }

  func fieldCount(_ start: Int) -> Int {
    var count = 0
    forEachField(start) { _ in count += 1 }
    return count
  }

  func fieldNames(_ start: Int) -> [String] {
    var names: [String] = []
    names.reserveCapacity(fieldCount(start))
    forEachField(start) { names.append(shape.fieldNames[$0]) }
    return names
  }

  func fieldValues(_ start: Int) -> [FieldValue] {
    var values: [FieldValue] = []
    values.reserveCapacity(fieldCount(start))
    forEachField(start) { position in
      if let value = value(start, .position(position)) { values.append(value) }
    }
    return values
  }

  func holdsReferences(_ start: Int) -> Bool {
    shape.references.contains { index(start, $0) != nil } || index(start, FieldNumber(.parent)) != nil
      || index(start, FieldNumber(.share)) != nil
  }

  /// All parts of a record.
  func fields(_ start: Int) -> RecordFields {
    var parts = RecordFields(recordID: recordID(start), recordType: recordType)
    parts.creationDate = moment(start, .creationDate)
    parts.modificationDate = moment(start, .modificationDate)
    parts.creatorUserRecordID = user(start, .creatorUserRecordID)
    parts.lastModifiedUserRecordID = user(start, .lastModifiedUserRecordID)
    parts.changeTag = changeTag(start)
    parts.parent = reference(start, .parent)
    parts.share = reference(start, .share)
    parts.isPartial = isPartial
    forEachField(start) { position in
      if let value = value(start, .position(position)) { parts.append(value, to: shape.fieldNames[position]) }
    }
    return parts
  }

  /// Whether a record is the same, byte by byte, as one of another block; else they may be equal all the same.
  func isSame(_ start: Int, _ other: RecordBlock, _ otherStart: Int) -> Bool {
    guard shape === other.shape, fields.areLike(other.fields) else { return false }
    let length = word(start, at: 0)
    return unsafe length == other.word(otherStart, at: 0)
      && memcmp(base + start, other.base + otherStart, Int(length)) == 0
  }
}
