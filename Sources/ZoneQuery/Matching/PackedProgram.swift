#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// An unsafe leaf: a program read from the words it was packed into.
//
//   word   63…48 length   47…34 ifFalse   33…20 ifTrue   19…8 field   7 whenMissing   6 negated   5…4 subject   3…0 operation
//   words  the constant, of a size that operation and length tell
//
// Invariant: the words were made by `ProgramPacker` and are neither freed nor moved while a `PackedProgram` of them is
// in use, so that every place computed here lies within them; a pooled constant's program is in the pool as long.

/// The programs that hold the constants too large or too rare to be packed.
final class ProgramPool {
  private var programs: [PooledProgram] = []
  private var free: [Int] = []

  func add(_ program: PooledProgram) -> Int {
    if let place = free.popLast() {
      programs[place] = program
      return place
    }
    programs.append(program)
    return programs.count - 1
  }

  func remove(_ place: Int) {
    programs[place] = .empty
    free.append(place)
  }

  subscript(place: Int) -> PooledProgram { programs[place] }
}

/// A program that is shared: one reference where it would be many.
final class PooledProgram: Sendable {
  let program: Program
  fileprivate static let empty = PooledProgram(Program())

  init(_ program: Program) { self.program = program }
}

/// A program in words of memory: what a standing subscription is kept as. Run by the same ``ProgramCode`` as a
/// ``Program``.
@safe
struct PackedProgram: ProgramCode {
  let words: Words
  /// The place of the first instruction.
  let start: Int
  let entry: Int32
  @unsafe unowned(unsafe) let pool: ProgramPool

  init(words: Words, start: Int, entry: Int32, pool: ProgramPool) {
    self.words = words
    self.start = start
    self.entry = entry
    unsafe self.pool = pool
  }

  /// The length that marks a pooled constant: the word holds the pool's place and the constant's number.
  static let pooled = 0xFFFF
  /// Where targets end: the two greatest are the answers.
  static let acceptTarget: UInt64 = 0x3FFF
  static let rejectTarget: UInt64 = 0x3FFE
  /// The most words of a program and the most fields.
  static let limit = 0x3FF0
  static let fieldLimit = 0xFFF

  @inline(__always)
  private static func target(_ bits: UInt64) -> Int32 {
    let bits = bits & 0x3FFF
    return bits < rejectTarget
      ? Int32(truncatingIfNeeded: bits) : bits == acceptTarget ? Program.accept : Program.reject
  }

  @inline(__always)
  func instruction(at index: Int32) -> Program.Instruction {
    let word = words[start &+ Int(index)]
    return Program.Instruction(
      operation: Program.Operation(rawValue: UInt8(truncatingIfNeeded: word) & 15) ?? .none,
      subject: Program.Subject(rawValue: UInt8(truncatingIfNeeded: word >> 4) & 3) ?? .value,
      isNegated: word & 0x40 != 0, whenMissing: word & 0x80 != 0, field: Int32(truncatingIfNeeded: (word >> 8) & 0xFFF),
      constant: Int(truncatingIfNeeded: word >> 48) == PackedProgram.pooled ? -(index &+ 1) : index &+ 1,
      ifTrue: PackedProgram.target(word >> 20), ifFalse: PackedProgram.target(word >> 34))
  }

  /// The length beside a constant.
  @inline(__always)
  func length(_ constant: Int) -> Int { Int(truncatingIfNeeded: words[start &+ constant &- 1] >> 48) }

  @inline(__always)
  func word(_ constant: Int, _ offset: Int = 0) -> UInt64 { words[start &+ constant &+ offset] }

  /// The program of a pooled constant and the constant's number in it.
  func pooled(_ constant: Int) -> (program: PooledProgram, constant: Int) {
    let word = words[start &- constant]
    return (unsafe pool[Int(word >> 32)], Int(word & 0xFFFF_FFFF))
  }

  @inline(__always)
  func passes(_ operation: Program.Operation, _ constant: Int, _ value: Int64) -> Bool {
    if constant < 0 {
      let (rest, number) = pooled(constant)
      return rest.program.passes(operation, number, value)
    }
    let count = length(constant)
    if operation == .integers {
      if count == 1 { return value == Int64(bitPattern: word(constant)) }
      return value >= Int64(bitPattern: word(constant)) && value <= Int64(bitPattern: word(constant, 1))
    }
    var index = 0
    while index < count {
      if value == Int64(bitPattern: word(constant, index)) { return true }
      index &+= 1
    }
    return false
  }

  func passes(_ operation: Program.Operation, _ constant: Int, _ value: Double) -> Bool {
    if constant < 0 {
      let (rest, number) = pooled(constant)
      return rest.program.passes(operation, number, value)
    }
    return value >= Double(bitPattern: word(constant)) && value <= Double(bitPattern: word(constant, 1))
  }

  func passes(_ operation: Program.Operation, _ constant: Int, _ latitude: Double, _ longitude: Double) -> Bool {
    if constant < 0 {
      let (rest, number) = pooled(constant)
      return rest.program.passes(operation, number, latitude, longitude)
    }
    if operation == .distance {
      return unsafe circle(constant).pointee.matches(latitude: latitude, longitude: longitude)
    }
    let place = (latitude: Double(bitPattern: word(constant)), longitude: Double(bitPattern: word(constant, 1)))
    return place == Location.distinct(latitude: latitude, longitude: longitude)
  }

  func passesDistance<Row: ProgramRow>(_ constant: Int, _ field: FieldNumber, _ row: Row) -> Bool {
    unsafe row.passes(circle(constant).pointee, field)
  }

  /// The words of a circle, which is a value without references, as they were copied in.
  @inline(__always)
  private func circle(_ constant: Int) -> UnsafePointer<GeodesicRadiusTest> {
    unsafe UnsafeRawPointer(words.base + start + constant).assumingMemoryBound(to: GeodesicRadiusTest.self)
  }

  /// What bounds a circle.
  func bounds(_ constant: Int) -> GeodesicBounds? { unsafe circle(constant).pointee.bounds }
  func isNearer(_ constant: Int) -> Bool {
    let comparison = unsafe circle(constant).pointee.comparison
    return comparison == .lessThan || comparison == .lessThanOrEqual
  }

  @inline(__always)
  func passes(_ operation: Program.Operation, _ constant: Int, _ text: Span<UInt8>) -> Bool {
    if constant < 0 { return passesPooled(operation, constant, text) }
    switch operation {
    case .text:
      let length = length(constant)
      return unsafe text.withUnsafeBytes { bytes in
        unsafe passes(
          TextTest.Relation(rawValue: UInt8(truncatingIfNeeded: length & 15)) ?? .equal, bytes,
          UnsafeRawBufferPointer(start: words.base + start + constant, count: length >> 4))
      }
    case .recordNames:
      guard let start = text.recordNameStart else { return false }
      return unsafe text.extracting(start..<text.count).withUnsafeBytes { unsafe isMember(constant, $0) }
    default: return unsafe text.withUnsafeBytes { unsafe isMember(constant, $0) }
    }
  }

  @inline(never)
  private func passesPooled(_ operation: Program.Operation, _ constant: Int, _ text: Span<UInt8>) -> Bool {
    let (rest, number) = pooled(constant)
    return rest.program.passes(operation, number, text)
  }

  /// The relations that ``ProgramPacker`` packs.
  @inline(__always)
  private func passes(
    _ relation: TextTest.Relation, _ text: UnsafeRawBufferPointer, _ operand: UnsafeRawBufferPointer
  ) -> Bool {
    switch relation {
    case .equal:
      guard text.count == operand.count else { return false }
      if unsafe text.isEmpty { return true }
      return unsafe memcmp(text.baseAddress.unsafelyUnwrapped, operand.baseAddress.unsafelyUnwrapped, text.count) == 0
    case .prefix:
      guard text.count >= operand.count, operand.count > 0 else { return false }
      return unsafe memcmp(text.baseAddress.unsafelyUnwrapped, operand.baseAddress.unsafelyUnwrapped, operand.count)
        == 0
    default: return false
    }
  }

  /// The texts of a packed set, one after the other, each by its length and its bytes.
  private func isMember(_ constant: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    var left = length(constant)
    var place = unsafe UnsafeRawPointer(words.base + start + constant)
    while left > 0 {
      let count = Int(unsafe place.loadUnaligned(as: UInt16.self))
      if count == text.count {
        if count == 0 { return true }
        if unsafe memcmp(text.baseAddress.unsafelyUnwrapped, place + 2, count) == 0 { return true }
      }
      unsafe place += 2 + count
      left -= 1
    }
    return false
  }

  /// Calls `body` with each text of a packed set, or with the one text of a packed relation.
  func forEachText(_ operation: Program.Operation, _ constant: Int, _ body: (Span<UInt8>) -> Void) {
    let length = length(constant)
    if operation == .text {
      let place = unsafe UnsafeRawPointer(words.base + start + constant)
      let text = unsafe UnsafeRawBufferPointer(start: place, count: length >> 4)
      body(unsafe Span(_unsafeBytes: text))
      return
    }
    _ = forEachText(of: length, at: constant) { text in
      body(text)
      return true
    }
  }

  /// Calls `body` with each of some texts that lie one after the other, until it says false; whether it never did.
  @inline(__always)
  fileprivate func forEachText(of count: Int, at constant: Int, _ body: (Span<UInt8>) -> Bool) -> Bool {
    var place = unsafe UnsafeRawPointer(words.base + start + constant)
    for _ in 0..<count {
      let length = Int(unsafe place.loadUnaligned(as: UInt16.self))
      let text = unsafe UnsafeRawBufferPointer(start: place + 2, count: length)
      if !body(unsafe Span(_unsafeBytes: text)) { return false }
      unsafe place += 2 + length
    }
    return true
  }

  /// The words that a packed search looks for.
  func search(_ constant: Int) -> PackedSearch { PackedSearch(program: self, constant: constant) }

  func holdsAll<Row: ProgramRow>(
    _ operation: Program.Operation, _ field: FieldNumber, _ constant: Int, _ row: Row
  ) -> Bool {
    // Sets are pooled where all of their values are asked for.
    guard constant < 0 else { return anyMember(operation, field, constant, row, expecting: true) }
    let (rest, number) = pooled(constant)
    return rest.program.holdsAll(operation, field, number, row)
  }

  func passesWhole<Row: ProgramRow>(_ operation: Program.Operation, _ constant: Int, _ row: Row) -> Bool? {
    if constant >= 0 { return row.passes(search(constant)) }
    return passesPooled(operation, constant, row)
  }

  @inline(never)
  private func passesPooled<Row: ProgramRow>(_ operation: Program.Operation, _ constant: Int, _ row: Row) -> Bool? {
    let (rest, number) = pooled(constant)
    return rest.program.passesWhole(operation, number, row)
  }
}

/// A token search in words: the fields in one, 12 bits each above their number and whether all words are asked for; then
/// the words, sorted.
struct PackedSearch {
  fileprivate let program: PackedProgram
  fileprivate let constant: Int

  /// The most fields of a search that is packed.
  static let fieldLimit = 4

  /// The word that tells of the fields.
  static func head(of search: TokenMatcher) -> UInt64 {
    var head = UInt64(search.fields.count) | (search.requiresAll ? 8 : 0)
    for (index, field) in search.fields.enumerated() { head |= UInt64(field) << UInt64(4 + 12 * index) }
    return head
  }

  private var head: UInt64 { program.word(constant) }
  var count: Int { program.length(constant) }
  var requiresAll: Bool { head & 8 != 0 }

  /// Whether the search looks at just these fields.
  func isOver(_ fields: [FieldNumber]) -> Bool {
    if fields.count != Int(head & 7) { return false }
    var rest = head >> 4
    for field in fields {
      if field != Int(rest & 0xFFF) { return false }
      rest >>= 12
    }
    return true
  }

  /// Calls `body` with each word until it says false; whether it never did.
  @inline(__always)
  func forEachToken(_ body: (Span<UInt8>) -> Bool) -> Bool {
    program.forEachText(of: count, at: constant + 1, body)
  }

  /// The search, for records whose words are not known.
  var matcher: TokenMatcher {
    var tokens: [[UInt8]] = []
    _ = forEachToken { token in
      tokens.append(Array(copying: token))
      return true
    }
    let fields = (0..<Int(head & 7)).map { (place: Int) -> FieldNumber in
      FieldNumber(head >> UInt64(4 + 12 * place) & 0xFFF)
    }
    return TokenMatcher(fields: fields, requiresAll: requiresAll, sorted: tokens)
  }
}
