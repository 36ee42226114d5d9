#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// An unsafe leaf: some records of an answer, copied out of their rows into one piece of memory.
//
// A record begins with a word for its length in bytes, whose highest bit says whether the bytes of its values, but for those
// of places, are known to be ASCII; then words with a bit for each field that was read and has a value, then a word for each
// field that was read: the number itself, or a byte slot as rows have it (`ByteSlot`), whose place is counted from the
// record's beginning; where there is no value, or it is the user whom the block knows, what is no byte slot. Its bytes follow:
// a location as latitude, longitude and details; a list of locations as the length of its places in eight bytes, the places
// and the details; everything else as rows have it. Lists of locations, and what rows have in pages, lie behind their length
// in eight bytes.
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
  /// How many bytes there are for records; the memory ends with the word of the last.
  let capacity: Int

  /// A user's ID, which records name by the same bytes.
  final class KnownUser: Sendable {
    private let bytes: [UInt8]
    fileprivate let id: RecordID

    @inline(__always)
    func isNamed(by other: Span<UInt8>) -> Bool {
      let bytes = bytes
      return other.isSame(as: bytes.span)
    }

    func isSame(as other: KnownUser) -> Bool { self === other || bytes == other.bytes }

    init?(_ bytes: Span<UInt8>, _ shape: TableShape) {
      guard let reference = Reference(bytes, zoneID: shape.zoneID) else { return nil }
      self.bytes = Array(copying: bytes)
      id = reference.recordID
    }
  }

  /// What a record's first word says beside the length, where the bytes behind its words, but for those of places, are known
  /// to be ASCII. What lies in a slot itself is not looked at: it is too short to be asked about (`String(copying:isASCII:)`).
  private static var isASCIIBit: UInt64 { 1 << 63 }

  /// A record's first word.
  static func header(length: Int, isASCII: Bool) -> UInt64 { UInt64(length) | (isASCII ? isASCIIBit : 0) }

  /// The next multiple of eight: where a record can begin.
  @inline(__always)
  static func rounded(_ size: Int) -> Int { (size &+ 7) & ~7 }

  /// A block for records of so many bytes in all.
  init(_ shape: TableShape, _ fields: Fields, user: KnownUser?, capacity: Int) {
    self.shape = shape
    self.fields = fields
    self.user = user
    self.capacity = capacity
    // Swift's own call for bytes asks for aligned memory here, which takes several times as long. Memory that is not to be
    // had ends the process, as everywhere in Swift.
    guard let block = unsafe malloc(RecordBlock.rounded(capacity)) else { fatalError("out of memory") }
    unsafe base = block
  }

  deinit { unsafe free(base) }

  /// Where its reader writes a record that begins at a place, and where the room for records ends.
  @unsafe
  func room(from start: Int) -> (start: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer) {
    unsafe (base + start, base + capacity)
  }

  // MARK: Reading

  private func word(_ start: Int, at offset: Int) -> UInt64 {
    unsafe base.load(fromByteOffset: start &+ offset, as: UInt64.self)
  }

  /// Whether texts of a record that are no short ones are known to be ASCII.
  @inline(__always)
  private func isASCII(_ start: Int) -> Bool { word(start, at: 0) & RecordBlock.isASCIIBit != 0 }

  /// Whether a record has a value of the field with an index, which is negative for one that was not read.
  @inline(__always)
  private func isPresent(_ start: Int, _ index: Int) -> Bool {
    index >= 0 && word(start, at: 8 &+ (index >> 6) << 3) >> UInt64(truncatingIfNeeded: index & 63) & 1 == 1
  }

  /// Whether a record has a value of a field that was read.
  @inline(__always)
  private func holds(_ start: Int, _ field: FieldNumber) -> Bool { isPresent(start, fields.index(field)) }

  /// The word of a value.
  @inline(__always)
  private func word(_ start: Int, _ index: Int) -> UInt64 { word(start, at: fields.presenceEnd &+ index << 3) }

  /// The slot of a value that is held by one.
  @inline(__always)
  private func byteSlot(_ start: Int, _ index: Int) -> ByteSlot {
    ByteSlot(word: UInt64(littleEndian: word(start, index)))
  }

  /// The bytes of a value that is held by a byte slot; nil where the record has none, or the index is negative, and for the
  /// user whom the block knows.
  @unsafe
  @inline(__always)
  private func bytes(_ start: Int, _ index: Int) -> UnsafeRawBufferPointer? {
    if index < 0 { return nil }
    let slot = byteSlot(start, index)
    switch slot.place {
    case .arena:
      return unsafe UnsafeRawBufferPointer(start: base + (start &+ slot.arenaOffset), count: slot.arenaLength)
    case .inline:
      let cell = unsafe base + (start &+ fields.presenceEnd &+ index << 3)
      return unsafe UnsafeRawBufferPointer(start: cell + 1, count: Int(truncatingIfNeeded: slot.tag))
    case .page: return unsafe countedBytes(start, slot)
    }
  }

  @unsafe
  @inline(never)
  private func countedBytes(_ start: Int, _ slot: ByteSlot) -> UnsafeRawBufferPointer? {
    guard let place = slot.countedPlace else { return nil }
    let counted = unsafe base + (start &+ place)
    let count = unsafe UInt64(littleEndian: counted.loadUnaligned(as: UInt64.self))
    return unsafe UnsafeRawBufferPointer(start: counted + 8, count: Int(truncatingIfNeeded: count))
  }

  /// Calls `body` with the bytes of a value that is held by a byte slot; nil where the record has none, or the index is negative.
  @inline(__always)
  private func withBytes<Result>(_ start: Int, _ index: Int, _ body: (Span<UInt8>) -> Result?) -> Result? {
    guard let bytes = unsafe bytes(start, index) else { return nil }
    defer { withExtendedLifetime(self) {} }
    return unsafe body(Span(_unsafeBytes: bytes))
  }

  var recordType: String { shape.layout.recordType.name }

  /// Whether fields were left out.
  var isPartial: Bool { fields.isPartial }

  // The system fields come first, so that their indexes are their numbers.

  func recordID(_ start: Int) -> RecordID { RecordID(recordName: recordName(start), zoneID: shape.zoneID) }

  @inline(__always)
  func recordName(_ start: Int) -> String {
    string(start, FieldNumber(.recordID)) ?? ""
  }

  func changeTag(_ start: Int) -> String {
    ZoneState.changeTag(int64(start, FieldNumber(.changeTag)) ?? 0)
  }

  func moment(_ start: Int, _ field: SystemField) -> Timestamp? {
    timestamp(start, FieldNumber(field))
  }

  /// The reference of a field that names no user, or one whom the block does not know.
  func reference(_ start: Int, _ field: SystemField) -> Reference? {
    if case .reference(let reference)? = value(start, FieldNumber(field)) { reference } else { nil }
  }

  /// The user that a field names.
  func user(_ start: Int, _ field: SystemField) -> RecordID? {
    guard let user, byteSlot(start, FieldNumber(field)) == .knownUser else {
      return reference(start, field)?.recordID
    }
    return user.id
  }

  /// The value of a field of the record type by its name.
  func value(_ start: Int, _ name: String) -> FieldValue? {
    shape.field(name).flatMap { value(start, .position($0.position)) }
  }

  /// The value of a field; of the record ID and the change tag, what is stored for them. Users are asked for by
  /// ``user(_:_:)``.
  func value(_ start: Int, _ field: FieldNumber) -> FieldValue? {
    let (index, type) = (fields.index(field), shape.types[field])
    switch shape.kinds[field] {
    case .integer:
      let number = int64(start, index)
      return type.scalar == .timestamp
        ? number.map { .timestamp(Timestamp(milliseconds: $0)) } : number.map { .int64($0) }
    case .double: return double(start, index).map { .double($0) }
    case .location: return location(start, index).map { .location($0) }
    case .locationList:
      return withBytes(start, index) { bytes in
        let end = 8 + Int(truncatingIfNeeded: bytes.word(at: 0))
        return FieldValue(
          type, bytes: bytes.extracting(8..<end), details: bytes.extracting(end..<bytes.count),
          zoneID: shape.zoneID)
      }
    case .name: return string(start, index).map { .string($0) }
    case .bytes where type.scalar == .string: return string(start, index).map { .string($0) }
    case .bytes, .reference, .list, .referenceList:
      return withBytes(start, index) { bytes in
        FieldValue(type, bytes: bytes, details: bytes.extracting(0..<0), zoneID: shape.zoneID)
      }
    }
  }

  // MARK: Values under a type

  /// The index of a field that is asked for by its name, and under a type: negative where it was not read, or is of another
  /// type; nil where the name is no field's by the words that the string consists of, as it still may be by its bytes.
  @inline(__always)
  func index(_ name: String, _ type: FieldType) -> Int? {
    guard let (position, isOfType) = shape.fieldByWords(name, type) else { return nil }
    return isOfType ? fields.index(.position(position)) : -1
  }

  // Each is nil where the record has no value, or the index is negative.

  @inline(__always)
  func string(_ start: Int, _ index: Int) -> String? {
    withBytes(start, index) { String(copying: $0, isASCII: isASCII(start)) }
  }

  @inline(__always)
  func int64(_ start: Int, _ index: Int) -> Int64? {
    isPresent(start, index) ? Int64(bitPattern: word(start, index)) : nil
  }

  @inline(__always)
  func double(_ start: Int, _ index: Int) -> Double? {
    isPresent(start, index) ? Double(bitPattern: word(start, index)) : nil
  }

  @inline(__always)
  func timestamp(_ start: Int, _ index: Int) -> Timestamp? {
    int64(start, index).map { Timestamp(milliseconds: $0) }
  }

  @inline(__always)
  func location(_ start: Int, _ index: Int) -> Location? {
    withBytes(start, index) { bytes in
      let (latitude, longitude) = (Double(bitPattern: bytes.word(at: 0)), Double(bitPattern: bytes.word(at: 8)))
      var position = 16
      if bytes.count == position { return Location(plain: latitude, longitude) }
      return Location(latitude: latitude, longitude: longitude, details: Location.Details(bytes, &position))
    }
  }

  @inline(__always)
  func stringList(_ start: Int, _ index: Int) -> [String]? {
    withBytes(start, index) { Array(runs: $0, areASCII: isASCII(start)) }
  }

  // MARK: The record's fields

  /// Calls `body` with the position in the record type of each field that has a value.
  private func forEachField(_ start: Int, _ body: (Int) -> Void) {
    for position in shape.fieldNames.indices where holds(start, .position(position)) { body(position) }
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
    shape.references.contains { holds(start, $0) } || holds(start, FieldNumber(.parent))
      || holds(start, FieldNumber(.share))
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
    guard shape === other.shape, fields.areLike(other.fields), isOfSameUser(as: other) else { return false }
    let header = word(start, at: 0)
    defer { withExtendedLifetime((self, other)) {} }
    return unsafe header == other.word(otherStart, at: 0)
      && memcmp(base + start, other.base + otherStart, Int(header & ~RecordBlock.isASCIIBit)) == 0
  }

  /// Whether the same user is known.
  private func isOfSameUser(as other: RecordBlock) -> Bool {
    switch (user, other.user) {
    case (nil, nil): true
    case (let user?, let other?): user.isSame(as: other)
    default: false
    }
  }
}

extension ByteSlot {
  /// What stands for no value where records were copied.
  static var absent: UInt64 { 0xFF }

  private static var countedTag: UInt64 { 10 }

  /// What stands for the user that a record's block knows.
  static var knownUser: ByteSlot { ByteSlot(word: 11) }

  /// A value behind its length, at a place of a copied record.
  init(counted place: Int) { self.init(word: UInt64(place) << 8 | ByteSlot.countedTag) }

  /// Where the length of such a value lies.
  fileprivate var countedPlace: Int? { tag == ByteSlot.countedTag ? Int(truncatingIfNeeded: word >> 8) : nil }
}
