// An unsafe leaf: a row reads the encoding's arrays by pointers.
//
// Invariant: `withRow` lends the row for the time of a call in which the encoding does not change. A field that is
// present has in `words` its number, the place and length of its text in `bytes`, or the place and number of its members
// in `members`, all within those arrays; programs ask for a field only under its type.

/// One record brought into a form that many programs read: fields by number, texts and members in one piece each.
///
/// A value that does not fit its field's type, or is none (NaN, a place off the Earth), counts as missing. Encoding is
/// linear in the record and keeps its memory from one record to the next.
struct RecordEncoding {
  /// For each field, whether it is there.
  private(set) var presence: [Bool] = []
  /// For each field, whether it is a list.
  private(set) var isList: [Bool] = []
  /// For each field, its number, or place << 32 | count.
  private(set) var words: [UInt64] = []
  /// For each field that holds a text or a reference, the hash of its bytes.
  private(set) var hashes: [UInt64] = []
  private(set) var members: [UInt64] = [0]
  private(set) var bytes: [UInt8] = [0]
  /// The distinct words of the searchable texts.
  private(set) var tokens = TokenSet()
  /// The fields the words are of; empty where nobody asks for words.
  private(set) var tokenFields: [FieldNumber] = []
  private var scratch = TokenScratch()
  let hash: ByteHash

  init(hash: ByteHash) { self.hash = hash }

  /// Takes the fields of a record: those of the numbers given, and the words of those among `tokenFields`.
  mutating func encode(
    _ source: some RecordSource, _ layout: FieldLayout, fields: [FieldNumber], tokenFields: [FieldNumber]
  ) {
    let count = layout.count
    if presence.count != count {
      presence = [Bool](repeating: false, count: count)
      words = [UInt64](repeating: 0, count: count)
      hashes = words
      isList = (0..<count).map { layout.type(of: $0).isList }
    } else {
      for index in presence.indices { presence[index] = false }
    }
    // Never empty, so that there is something to point to.
    members.removeAll(keepingCapacity: true)
    members.append(0)
    bytes.removeAll(keepingCapacity: true)
    bytes.append(0)
    for field in fields { source.encode(field, of: layout, into: &self) }
    self.tokenFields = tokenFields
    tokens.removeAll()
    for field in tokenFields where presence[field] { addTokens(of: field, isList: layout.type(of: field).isList) }
  }

  /// Takes a value as a field's.
  mutating func encode(_ value: FieldValue, _ field: FieldNumber) {
    switch value {
    case .int64(let number): words[field] = UInt64(bitPattern: number)
    case .timestamp(let moment): words[field] = UInt64(bitPattern: moment.milliseconds)
    case .double(let number):
      if number.isNaN { return }
      words[field] = number.bitPattern
    case .string(let text):
      words[field] = append(text.utf8)
      hashes[field] = hash.hash(bytes.span.extracting(range(words[field])))
    case .reference(let reference):
      words[field] = append(reference.recordID.encoded)
      hashes[field] = hash.hash(bytes.span.extracting(range(words[field])))
    case .location(let place):
      if place.fault != nil { return }
      words[field] = beginMembers(1)
      append(place)
    case .stringList(let texts):
      words[field] = beginMembers(texts.count)
      for text in texts { members.append(append(text.utf8)) }
    case .referenceList(let references):
      words[field] = beginMembers(references.count)
      for reference in references { members.append(append(reference.recordID.encoded)) }
    case .int64List(let numbers):
      words[field] = beginMembers(numbers.count)
      for number in numbers { members.append(UInt64(bitPattern: number)) }
    case .timestampList(let moments):
      words[field] = beginMembers(moments.count)
      for moment in moments { members.append(UInt64(bitPattern: moment.milliseconds)) }
    case .doubleList(let numbers):
      if numbers.contains(where: \.isNaN) { return }
      words[field] = beginMembers(numbers.count)
      for number in numbers { members.append(number.bitPattern) }
    case .locationList(let places):
      if places.contains(where: { $0.fault != nil }) { return }
      words[field] = beginMembers(places.count)
      for place in places { append(place) }
    case .bytes, .asset, .bytesList, .assetList: words[field] = 0
    }
    presence[field] = true
  }

  /// Takes a field of a type from a row of a table.
  mutating func encode(_ field: FieldNumber, _ type: FieldType, of table: Table, _ slot: Int) {
    guard table.isPresent(slot, field) else { return }
    let start = members.count
    switch (type.scalar, type.isList) {
    case (.int64, false), (.timestamp, false): words[field] = UInt64(bitPattern: table.integer(slot, field))
    case (.double, false):
      let number = table.double(slot, field)
      if number.isNaN { return }
      words[field] = number.bitPattern
    case (.string, false), (.reference, false):
      words[field] = table.withBytes(slot, field) { append($0) }
      hashes[field] = hash.hash(bytes.span.extracting(range(words[field])))
    case (.location, false):
      words[field] = beginMembers(1)
      append(table.degrees(slot, field))
    case (.string, true), (.reference, true):
      _ = table.anyBytes(slot, field) { bytes in
        members.append(append(bytes))
        return false
      }
      words[field] = place(from: start)
    case (.int64, true), (.timestamp, true):
      _ = table.anyInteger(slot, field) { number in
        members.append(UInt64(bitPattern: number))
        return false
      }
      words[field] = place(from: start)
    case (.double, true):
      let hasNoNumber = table.anyDouble(slot, field) { number in
        members.append(number.bitPattern)
        return number.isNaN
      }
      if hasNoNumber { return }
      words[field] = place(from: start)
    case (.location, true):
      _ = table.anyDegrees(slot, field) { latitude, longitude in
        append((latitude, longitude))
        return false
      }
      words[field] = place(from: start, width: 2)
    case (.bytes, _), (.asset, _): words[field] = 0
    }
    presence[field] = true
  }

  /// The place and number of the members appended since there were so many, each of so many words.
  private func place(from start: Int, width: Int = 1) -> UInt64 {
    UInt64(start) << 32 | UInt64((members.count - start) / width)
  }

  private func beginMembers(_ count: Int) -> UInt64 { UInt64(members.count) << 32 | UInt64(count) }

  private mutating func append(_ place: Location) { append((place.latitude, place.longitude)) }

  private mutating func append(_ degrees: (latitude: Double, longitude: Double)) {
    members.append(degrees.latitude.bitPattern)
    members.append(degrees.longitude.bitPattern)
  }

  /// Appends a text and gives its place and length.
  private mutating func append(_ text: some Collection<UInt8>) -> UInt64 {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return UInt64(start) << 32 | UInt64(bytes.count - start)
  }

  private mutating func append(_ text: Span<UInt8>) -> UInt64 {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return UInt64(start) << 32 | UInt64(text.count)
  }

  private mutating func addTokens(of field: FieldNumber, isList: Bool) {
    let count = isList ? Int(words[field] & 0xFFFF_FFFF) : 1
    let hash = hash
    // Taken out while they are written to, since the text is read from here.
    var (scratch, tokens) = (TokenScratch(), TokenSet())
    swap(&scratch, &self.scratch)
    swap(&tokens, &self.tokens)
    for index in 0..<count {
      let place = isList ? members[Int(words[field] >> 32) + index] : words[field]
      Tokenizer().forEachToken(in: bytes.span.extracting(range(place)), using: &scratch) {
        tokens.insert($0, hash: hash.hash($0))
      }
    }
    swap(&scratch, &self.scratch)
    swap(&tokens, &self.tokens)
  }

  // MARK: Reading

  /// Where the bytes of a text lie, by its place and length.
  @inline(__always)
  func range(_ place: UInt64) -> Range<Int> {
    let start = Int(place >> 32)
    return start..<start + Int(place & 0xFFFF_FFFF)
  }

  /// The places of a list's members in `members`.
  func memberRange(_ field: FieldNumber) -> Range<Int> {
    let start = Int(words[field] >> 32)
    return start..<start + Int(words[field] & 0xFFFF_FFFF)
  }

  /// Lends the record as a row.
  func withRow<Result>(_ body: (EncodedRow) -> Result) -> Result {
    unsafe presence.withUnsafeBufferPointer { presence in
      unsafe words.withUnsafeBufferPointer { words in
        unsafe members.withUnsafeBufferPointer { members in
          unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe withUnsafePointer(to: self) { encoding in
              body(
                unsafe EncodedRow(
                  presence: presence.baseAddress.unsafelyUnwrapped, words: words.baseAddress.unsafelyUnwrapped,
                  members: members.baseAddress.unsafelyUnwrapped, bytes: bytes.baseAddress.unsafelyUnwrapped,
                  encoding: encoding))
            }
          }
        }
      }
    }
  }
}
