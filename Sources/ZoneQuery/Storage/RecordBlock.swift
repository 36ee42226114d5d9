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
// `RecordReader` that makes the block, before it hands out any of its records.
// Proof of Sendable: nothing of a block changes from then on.

/// Records as they are stored, without the table they were stored in.
@safe
final class RecordBlock: RecordObject, @unchecked Sendable {
  let shape: TableShape
  /// Which fields were read.
  private let fields: Fields
  /// The user who saved the first of the records, most likely the others too.
  private let user: KnownUser?
  @unsafe private let base: UnsafeMutableRawPointer
  /// How many bytes the memory has.
  let capacity: Int

  /// A user's ID, which records name by the same bytes.
  fileprivate final class KnownUser: Sendable {
    let bytes: [UInt8]
    let id: RecordID

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

  /// Which fields of a table a reader copies, and where the words of each are in a record.
  fileprivate final class Fields: Sendable {
    /// By their places: the system fields come first.
    let numbers: [FieldNumber]
    let kinds: [ColumnKind]
    /// The places by the fields' numbers; none where all fields are read, whose places are their numbers.
    let places: [Int32]
    let isPartial: Bool
    /// How many bytes of a record stand before the words, and how many before the bytes of its values.
    let presenceEnd: Int
    let wordsEnd: Int

    /// The system fields and some of the record type's, ascending, or all.
    init(_ shape: TableShape, _ wanted: [FieldNumber]?) {
      isPartial = wanted != nil
      numbers =
        Array(0..<FieldLayout.systemCount) + (wanted ?? Array(FieldLayout.systemCount..<shape.kinds.count))
      kinds = isPartial ? numbers.map { shape.kinds[$0] } : shape.kinds
      var places: [Int32] = []
      if numbers.count < shape.kinds.count {
        places = Array(repeating: .max, count: shape.kinds.count)
        for (place, field) in numbers.enumerated() { places[field] = Int32(truncatingIfNeeded: place) }
      }
      self.places = places
      presenceEnd = (1 + (numbers.count + 63) / 64) << 3
      wordsEnd = presenceEnd + numbers.count << 3
    }

    /// Calls `body` with what brings the values of rows near.
    @inline(__always)
    func withPrefetch(
      _ rows: TableRows,
      _ body: (RowPrefetch, UnsafeBufferPointer<FieldNumber>, UnsafeBufferPointer<ColumnKind>) -> Void
    ) {
      unsafe numbers.withUnsafeBufferPointer { numbers in
        unsafe kinds.withUnsafeBufferPointer { kinds in
          unsafe RowPrefetch.with(rows, numbers, kinds) { unsafe body($0, numbers, kinds) }
        }
      }
    }

    /// Whether a record's words are where another reader's are.
    func areLike(_ other: Fields) -> Bool { isPartial == other.isPartial && places == other.places }
  }

  fileprivate init(_ shape: TableShape, _ fields: Fields, user: KnownUser?, capacity: Int) {
    self.shape = shape
    self.fields = fields
    self.user = user
    self.capacity = capacity
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
  }

  deinit { unsafe base.deallocate() }

  // MARK: Reading

  private func word(_ start: Int, at offset: Int) -> UInt64 {
    unsafe base.load(fromByteOffset: start + offset, as: UInt64.self)
  }

  /// Where a field's bit and word are; beyond all others where it was not read.
  @inline(__always)
  private func place(_ field: FieldNumber) -> Int { fields.places.isEmpty ? field : Int(fields.places[field]) }

  @inline(__always)
  private func isPresent(_ start: Int, _ field: FieldNumber) -> Bool {
    let place = place(field)
    guard place < fields.numbers.count else { return false }
    return word(start, at: 8 + (place >> 6) << 3) >> UInt64(truncatingIfNeeded: place & 63) & 1 == 1
  }

  /// The word of a field that has a value.
  @inline(__always)
  private func word(_ start: Int, _ field: FieldNumber) -> UInt64 {
    word(start, at: fields.presenceEnd + place(field) << 3)
  }

  /// Calls `body` with the bytes of a field that has a value.
  @inline(__always)
  private func withBytes<Result>(_ start: Int, _ field: FieldNumber, _ body: (Span<UInt8>) -> Result) -> Result {
    let place = word(start, field)
    let bytes = unsafe UnsafeRawBufferPointer(
      start: base + start + Int(place >> 32), count: Int(place & 0xFFFF_FFFF))
    defer { withExtendedLifetime(self) {} }
    return unsafe body(Span(_unsafeBytes: bytes))
  }

  var recordType: String { shape.layout.recordType.name }

  /// Whether fields were left out.
  var isPartial: Bool { fields.isPartial }

  func recordID(_ start: Int) -> RecordID {
    RecordID(
      recordName: withBytes(start, FieldNumber(.recordID)) { String(copying: $0) }, zoneID: shape.zoneID)
  }

  func changeTag(_ start: Int) -> String {
    ZoneState.changeTag(Int64(bitPattern: word(start, FieldNumber(.changeTag))))
  }

  func moment(_ start: Int, _ field: SystemField) -> Timestamp? {
    let field = FieldNumber(field)
    return isPresent(start, field) ? Timestamp(milliseconds: Int64(bitPattern: word(start, field))) : nil
  }

  func reference(_ start: Int, _ field: SystemField) -> Reference? {
    if case .reference(let reference)? = value(start, FieldNumber(field)) { reference } else { nil }
  }

  /// The user that a field names.
  func user(_ start: Int, _ field: SystemField) -> RecordID? {
    guard isPresent(start, FieldNumber(field)) else { return nil }
    if let user, withBytes(start, FieldNumber(field), user.isNamed) { return user.id }
    return reference(start, field)?.recordID
  }

  /// The value of a field of the record type by its name.
  func value(_ start: Int, _ name: String) -> FieldValue? {
    shape.position(of: name).flatMap { value(start, .position($0)) }
  }

  /// The value of a field; of the record ID and the change tag, what is stored for them.
  func value(_ start: Int, _ field: FieldNumber) -> FieldValue? {
    guard isPresent(start, field) else { return nil }
    let type = shape.types[field]
    switch shape.kinds[field] {
    case .integer:
      let number = Int64(bitPattern: word(start, field))
      return type.scalar == .timestamp ? .timestamp(Timestamp(milliseconds: number)) : .int64(number)
    case .double: return .double(Double(bitPattern: word(start, field)))
    case .location: return .location(location(start, field))
    case .locationList:
      return withBytes(start, field) { bytes in
        let end = 8 + Int(truncatingIfNeeded: bytes.word(at: 0))
        return FieldValue(
          type, bytes: bytes.extracting(8..<end), details: bytes.extracting(end..<bytes.count), zoneID: shape.zoneID)
      }
    case .name: return .string(withBytes(start, field) { String(copying: $0) })
    case .bytes where type.scalar == .string: return .string(withBytes(start, field) { String(copying: $0) })
    case .bytes, .reference, .list, .referenceList:
      return withBytes(start, field) { bytes in
        FieldValue(type, bytes: bytes, details: bytes.extracting(0..<0), zoneID: shape.zoneID)
      }
    }
  }

  /// The place that a field has.
  private func location(_ start: Int, _ field: FieldNumber) -> Location {
    withBytes(start, field) { bytes in
      let (latitude, longitude) = (Double(bitPattern: bytes.word(at: 0)), Double(bitPattern: bytes.word(at: 8)))
      var position = 16
      if bytes.count == position { return Location(plain: latitude, longitude) }
      return Location(latitude: latitude, longitude: longitude, details: Location.Details(bytes, &position))
    }
  }

  // MARK: Values under a type

  /// The number of a field of the record type that has a value of a type.
  @inline(__always)
  private func field(_ start: Int, _ name: String, _ type: FieldType) -> FieldNumber? {
    guard let position = shape.position(of: name) else { return nil }
    let field = FieldNumber.position(position)
    return isPresent(start, field) && shape.types[field] == type ? field : nil
  }

  func string(_ start: Int, _ name: String) -> String? {
    field(start, name, .string).map { withBytes(start, $0) { String(copying: $0) } }
  }

  func int64(_ start: Int, _ name: String) -> Int64? {
    field(start, name, .int64).map { Int64(bitPattern: word(start, $0)) }
  }

  func double(_ start: Int, _ name: String) -> Double? {
    field(start, name, .double).map { Double(bitPattern: word(start, $0)) }
  }

  func timestamp(_ start: Int, _ name: String) -> Timestamp? {
    field(start, name, .timestamp).map { Timestamp(milliseconds: Int64(bitPattern: word(start, $0))) }
  }

  func location(_ start: Int, _ name: String) -> Location? {
    field(start, name, .location).map { location(start, $0) }
  }

  func stringList(_ start: Int, _ name: String) -> [String]? {
    field(start, name, .list(.string)).map { withBytes(start, $0) { Array(runs: $0) } }
  }

  // MARK: The record's fields

  /// Calls `body` with the position in the record type of each field that has a value.
  private func forEachField(_ start: Int, _ body: (Int) -> Void) {
    for position in shape.fieldNames.indices where isPresent(start, .position(position)) { body(position) }
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
    shape.references.contains { isPresent(start, $0) } || isPresent(start, FieldNumber(.parent))
      || isPresent(start, FieldNumber(.share))
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

/// Makes records of rows of one table, as values.
struct RecordReader {
  private let shape: TableShape
  private let rows: TableRows
  /// What is copied: the system fields, and those that are wanted.
  private let fields: RecordBlock.Fields
  private var user: RecordBlock.KnownUser?
  /// What reading that is made for the sake of the cache gave.
  private(set) var touched: UInt64 = 0

  /// How many records share a block at most.
  static let blockLimit = 8
  /// The size of a record from which on no room is made for others beside it.
  private static var largeRecord: Int { 4_096 }

  /// Reads records with the fields in `fields`, or with all.
  init(_ table: Table, fields: [FieldNumber]? = nil) {
    shape = table.shape
    rows = table.rows
    self.fields = RecordBlock.Fields(shape, fields)
  }

  /// The record in a slot.
  mutating func record(_ slot: Int) -> Record {
    var records: [Record] = []
    append(0..<1, to: &records) { _ in UInt32(truncatingIfNeeded: slot) }
    return records[0]
  }

  /// Appends the records of rows that were found, of those of some numbers.
  mutating func append(_ found: [some FoundRow], _ numbers: Range<Int>, to records: inout [Record]) {
    // Through the array each row would count a reference.
    unsafe found.withUnsafeBufferPointer { found in append(numbers, to: &records) { unsafe found[$0].slot } }
  }

  /// Appends the records of some rows, of which `slot` gives the slot by the number.
  @inline(__always)
  private mutating func append(_ numbers: Range<Int>, to records: inout [Record], _ slot: (Int) -> UInt32) {
    let fields = fields
    unsafe RowPieces.with(fields) { pieces in
      unsafe fields.withPrefetch(rows) { prefetch, columns, kinds in
        touched = unsafe prefetch.begin(numbers, slot)
        var number = numbers.lowerBound
        while number < numbers.upperBound {
          let end = min(number + RecordReader.blockLimit, numbers.upperBound)
          let (group, cells) = unsafe prefetch.next(number, of: numbers, slot)
          unsafe pieces.collect(group, cells, columns, kinds)
          // Those that follow are most likely as long; a little longer ones fit as well.
          let isAlone = unsafe end - number == 1 || pieces.size >= RecordReader.largeRecord
          let block = unsafe RecordBlock(
            shape, fields, user: knownUser(group, cells),
            capacity: isAlone ? pieces.size : pieces.size * (end - number) + pieces.size / 2)
          var used = 0
          while unsafe used + pieces.size <= block.capacity {
            unsafe pieces.write(to: block.writable + used)
            records.append(Record(block, used))
            unsafe used += pieces.size
            number += 1
            if number == end { break }
            let (group, cells) = unsafe prefetch.next(number, of: numbers, slot)
            unsafe pieces.collect(group, cells, columns, kinds)
          }
        }
      }
    }
  }

  /// The user who saved the record of a row, of which the cells are given.
  private mutating func knownUser(
    _ group: RowGroup, _ cells: UnsafePointer<UnsafeRawPointer?>
  ) -> RecordBlock.KnownUser? {
    // The system fields come first, so that this one's place is its number.
    guard let cell = unsafe cells[FieldNumber(.creatorUserRecordID)] else { return nil }
    let bytes = unsafe Span<UInt8>(_unsafeBytes: ByteSlot.bytes(at: cell, arena: UnsafeRawPointer(group.arena)))
    if user?.isNamed(by: bytes) != true { user = RecordBlock.KnownUser(bytes, shape) }
    return user
  }
}

/// One row's words and the pieces of memory that its bytes lie in, with room for those of any row.
@unsafe
private struct RowPieces {
  private let presenceEnd: Int
  private let wordsEnd: Int
  /// The words of the record, then one for each field to be pointed to.
  private let words: UnsafeMutablePointer<UInt64>
  private let further: UnsafeMutablePointer<UInt64>
  private let pieces: UnsafeMutablePointer<UnsafeRawBufferPointer>
  private var pieceCount = 0
  /// How many bytes the record has.
  private var end = 0
  /// How many it takes, so that the next begins with a whole word.
  var size: Int { unsafe (end &+ 7) & ~7 }

  /// Calls `body` with pieces of no row yet.
  @inline(__always)
  static func with(_ fields: RecordBlock.Fields, _ body: (inout RowPieces) -> Void) {
    let columns = fields.numbers.count
    let wordCount = fields.wordsEnd >> 3
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: wordCount + columns) { words in
      unsafe withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer.self, capacity: 3 * columns) { pieces in
        guard let words = words.baseAddress, let pieces = pieces.baseAddress else { return }
        var row = unsafe RowPieces(
          presenceEnd: fields.presenceEnd, wordsEnd: fields.wordsEnd, words: words, further: words + wordCount,
          pieces: pieces)
        unsafe body(&row)
      }
    }
  }

  private init(
    presenceEnd: Int, wordsEnd: Int, words: UnsafeMutablePointer<UInt64>, further: UnsafeMutablePointer<UInt64>,
    pieces: UnsafeMutablePointer<UnsafeRawBufferPointer>
  ) {
    unsafe (self.presenceEnd, self.wordsEnd, self.words) = (presenceEnd, wordsEnd, words)
    unsafe (self.further, self.pieces) = (further, pieces)
  }

  /// Takes a piece of memory as the next of the record's bytes.
  @inline(__always)
  private mutating func add(_ start: UnsafeRawPointer?, _ count: Int) {
    guard let start = unsafe start, count > 0 else { return }
    unsafe end &+= count
    // What was stored together lies together.
    if unsafe pieceCount > 0, let last = unsafe pieces[pieceCount &- 1].baseAddress,
      unsafe last + pieces[pieceCount &- 1].count == start
    {
      unsafe pieces[pieceCount &- 1] = UnsafeRawBufferPointer(
        start: last, count: pieces[pieceCount &- 1].count &+ count)
    } else {
      unsafe pieces[pieceCount] = UnsafeRawBufferPointer(start: start, count: count)
      unsafe pieceCount &+= 1
    }
  }

  @inline(__always)
  private mutating func add(_ bytes: UnsafeRawBufferPointer) { unsafe add(bytes.baseAddress, bytes.count) }

  /// Takes the details of a row's places, which lie behind its cell.
  private mutating func addDetails(
    _ group: RowGroup, _ cell: UnsafeRawPointer, _ field: FieldNumber, _ kind: ColumnKind
  ) {
    guard group.planes(field) > kind.planes else { return }
    let details = unsafe cell + (kind.planes * group.capacity) << 3
    unsafe add(ByteSlot.bytes(at: details, arena: UnsafeRawPointer(group.arena)))
  }

  /// Looks at a row, of which the cells are given by the places of the fields, as are these and their kinds, and which must
  /// stay as it is until it is written.
  @inline(__always)
  mutating func collect(
    _ group: RowGroup, _ cells: UnsafePointer<UnsafeRawPointer?>, _ columns: UnsafeBufferPointer<FieldNumber>,
    _ kinds: UnsafeBufferPointer<ColumnKind>
  ) {
    unsafe words.update(repeating: 0, count: wordsEnd >> 3)
    unsafe (pieceCount, end) = (0, wordsEnd)
    let arena = unsafe UnsafeRawPointer(group.arena)
    for place in kinds.indices {
      guard let cell = unsafe cells[place] else { continue }
      let first = unsafe end
      var word: UInt64?
      switch unsafe kinds[place] {
      case .integer, .double: word = unsafe cell.load(as: UInt64.self)
      case .name: unsafe add(group.name(at: cell))
      case .location:
        unsafe add(cell, 8)
        unsafe add(cell + group.capacity << 3, 8)
        unsafe addDetails(group, cell, columns[place], .location)
      case .locationList:
        let places = unsafe ByteSlot.bytes(at: cell, arena: arena)
        unsafe further[place] = UInt64(places.count).littleEndian
        unsafe add(UnsafeRawPointer(further + place), 8)
        unsafe add(places)
        unsafe addDetails(group, cell, columns[place], .locationList)
      case .bytes, .reference, .list, .referenceList: unsafe add(ByteSlot.bytes(at: cell, arena: arena))
      }
      unsafe words[1 &+ place >> 6] |= 1 << UInt64(truncatingIfNeeded: place & 63)
      unsafe words[presenceEnd >> 3 &+ place] = word ?? UInt64(first) << 32 | UInt64(end &- first)
    }
    unsafe words[0] = UInt64(end)
  }

  /// Writes the row that was looked at, to where there is room for it.
  @inline(__always)
  func write(to target: UnsafeMutableRawPointer) {
    unsafe target.copyMemory(from: words, byteCount: wordsEnd)
    var next = unsafe target + wordsEnd
    var index = 0
    while unsafe index < pieceCount {
      if let start = unsafe pieces[index].baseAddress {
        let count = unsafe pieces[index].count
        // Degrees and the like, for which a call would take longer.
        if count == 8 {
          unsafe next.storeBytes(of: start.loadUnaligned(as: UInt64.self), as: UInt64.self)
        } else {
          unsafe next.copyMemory(from: start, byteCount: count)
        }
        unsafe next += count
      }
      index &+= 1
    }
  }
}

extension RecordBlock {
  /// Where its reader writes to.
  @unsafe fileprivate var writable: UnsafeMutableRawPointer { unsafe base }
}
