// What a record has in an index.

extension TableIndex {
  /// The terms of a row in postings: each once.
  func terms(_ row: IndexedRow, _ scratch: inout TermScratch) {
    scratch.removeAll()
    var tokens = scratch.takeTokens()
    forEachTerm(row, &tokens) { scratch.insert($0) }
    scratch.put(tokens)
  }

  /// Calls `body` with the terms of a row in postings, as often as they are in it.
  @inline(__always)
  func forEachTerm(_ row: IndexedRow, _ tokens: inout TokenScratch, _ body: (PostingTerm) -> Void) {
    withShape { TableIndex.forEachTerm(row, $0, &tokens, body) }
  }

  @inline(__always)
  private static func forEachTerm(
    _ row: IndexedRow, _ shape: IndexShape, _ tokens: inout TokenScratch, _ body: (PostingTerm) -> Void
  ) {
    let component = shape.components[0]
    switch shape.kind {
    case .ordered, .location: break
    case .references:
      guard row.isPresent(component.field) else { return }
      row.withBytes(component.field) { body(PostingTerm($0)) }
    case .members:
      switch component.type {
      case .int64, .timestamp:
        _ = row.anyInteger(component.field) {
          body(PostingTerm(word: KeyEncoding.word($0)))
          return false
        }
      case .double:
        _ = row.anyDouble(component.field) {
          body(PostingTerm(word: KeyEncoding.word($0)))
          return false
        }
      default:
        _ = row.anyBytes(component.field) {
          body(PostingTerm($0))
          return false
        }
      }
    case .tokens:
      for component in shape.components where row.isPresent(component.field) {
        _ = row.anyText(component.field) { text in
          Tokenizer().forEachToken(in: text, using: &tokens) { body(PostingTerm($0)) }
          return false
        }
      }
    }
  }

  /// Calls `body` with each key of a row: none where it lacks a field, several where the first is a list.
  ///
  /// - Returns: Whether the row has the first field and lacks another.
  @discardableResult
  func forEachKey<Key: IndexKey>(_ row: IndexedRow, _: Key.Type, _ body: (Key) -> Void) -> Bool {
    withShape { TableIndex.forEachKey(row, $0, Key.self, body) }
  }

  private static func forEachKey<Key: IndexKey>(
    _ row: IndexedRow, _ shape: IndexShape, _: Key.Type, _ body: (Key) -> Void
  ) -> Bool {
    var key = Key()
    let lead = shape.components[0]
    if shape.kind == .location {
      guard row.isPresent(lead.field) else { return false }
      let (latitude, longitude) = row.degrees(lead.field)
      key[0] = LocationKeys.key(latitude: latitude, longitude: longitude)
      body(key)
      return false
    }
    guard row.isPresent(lead.field) else { return false }
    for index in (lead.isList ? 1 : 0)..<shape.components.count {
      let component = shape.components[index]
      guard row.isPresent(component.field) else { return lead.isList ? row.anyMember(lead.field) : true }
      let words = TableIndex.words(row, component)
      key[component.word] = words.first
      if component.wordCount == 2 { key[component.word + 1] = words.second }
    }
    guard lead.isList else {
      body(key)
      return false
    }
    var words = MemberWords()
    switch lead.type {
    case .int64, .timestamp:
      _ = row.anyInteger(lead.field) {
        words.add(KeyEncoding.word($0))
        return false
      }
    case .double:
      _ = row.anyDouble(lead.field) {
        words.add(KeyEncoding.word($0))
        return false
      }
    case .reference:
      _ = row.anyBytes(lead.field) {
        words.add(KeyEncoding.recordWord($0))
        return false
      }
    default:
      _ = row.anyBytes(lead.field) {
        words.add(KeyEncoding.memberWord($0))
        return false
      }
    }
    words.forEach {
      key[0] = $0
      body(key)
    }
    return false
  }

  @inline(__always)
  private static func words(_ row: IndexedRow, _ component: IndexShape.Component) -> (first: UInt64, second: UInt64) {
    switch component.type {
    case .int64, .timestamp: (KeyEncoding.word(row.integer(component.field)), 0)
    case .double: (KeyEncoding.word(row.double(component.field)), 0)
    case .reference where !component.isRecordName: row.withBytes(component.field) { (KeyEncoding.recordWord($0), 0) }
    default: row.withBytes(component.field) { KeyEncoding.words($0) }
    }
  }
}

/// The words of a list's members: without an allocation where there are as few as mostly.
struct MemberWords {
  private var few = SIMD8<UInt64>()
  private var count = 0
  /// All, where there are more.
  private var many: [UInt64] = []

  @inline(__always)
  mutating func add(_ word: UInt64) {
    if count < few.scalarCount { few[count] = word } else { addToMany(word) }
    count += 1
  }

  @inline(never)
  private mutating func addToMany(_ word: UInt64) {
    if many.isEmpty {
      many.reserveCapacity(4 * few.scalarCount)
      for index in 0..<few.scalarCount { many.append(few[index]) }
    }
    many.append(word)
  }

  /// Calls `body` with each once, in order.
  @inline(__always)
  mutating func forEach(_ body: (UInt64) -> Void) {
    if count > few.scalarCount { return forEachOfMany(body) }
    for index in 0..<count {
      // Those before are in order.
      let word = few[index]
      var place = index
      while place > 0, few[place - 1] > word {
        few[place] = few[place - 1]
        place -= 1
      }
      few[place] = word
    }
    for index in 0..<count where index == 0 || few[index] != few[index - 1] { body(few[index]) }
  }

  @inline(never)
  private mutating func forEachOfMany(_ body: (UInt64) -> Void) {
    many.sort()
    for index in many.indices where index == 0 || many[index] != many[index - 1] { body(many[index]) }
  }
}

/// The different terms of a record.
///
/// Invariant: while there are more than `fewest`, each has its place plus one in one slot of `slots`, at or behind the one
/// that its hash names, with no free slot between. The hash is seeded for each process, so that nobody can choose terms
/// that collide. Complexity: an insertion is constant on average.
struct TermScratch {
  private(set) var terms: [PostingTerm] = []
  private var slots: [UInt32] = []
  private var tokens = TokenScratch()

  /// Up to so many are compared with one another.
  private static let fewest = 12
  private static let hash = ByteHash.random()

  init() {}

  mutating func removeAll() {
    if slots.count > 1024 {
      slots = []
    } else if terms.count > TermScratch.fewest {
      for index in slots.indices { slots[index] = 0 }
    }
    terms.removeAll(keepingCapacity: true)
  }

  mutating func insert(_ term: PostingTerm) {
    if terms.count < TermScratch.fewest {
      if !terms.contains(term) { terms.append(term) }
      return
    }
    if terms.count == TermScratch.fewest || terms.count * 2 > slots.count { rehash() }
    var slot = place(of: term)
    while slots[slot] != 0 {
      if terms[Int(slots[slot]) - 1] == term { return }
      slot = (slot + 1) & (slots.count - 1)
    }
    terms.append(term)
    slots[slot] = UInt32(terms.count)
  }

  /// The terms that are not among another's.
  func terms(notIn other: TermScratch) -> [PostingTerm] {
    var rest: [PostingTerm] = []
    rest.reserveCapacity(terms.count)
    for term in terms where !other.contains(term) { rest.append(term) }
    return rest
  }

  func contains(_ term: PostingTerm) -> Bool {
    if terms.count <= TermScratch.fewest { return terms.contains(term) }
    var slot = place(of: term)
    while slots[slot] != 0 {
      if terms[Int(slots[slot]) - 1] == term { return true }
      slot = (slot + 1) & (slots.count - 1)
    }
    return false
  }

  private func place(of term: PostingTerm) -> Int {
    Int(truncatingIfNeeded: TermScratch.hash.hash(term.head, term.tail)) & (slots.count - 1)
  }

  private mutating func rehash() {
    var count = max(slots.count, 64)
    while count < terms.count * 4 { count *= 2 }
    if count > slots.count {
      slots = Array(repeating: 0, count: count)
    } else {
      for index in slots.indices { slots[index] = 0 }
    }
    for index in terms.indices {
      var slot = place(of: terms[index])
      while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }

  /// Room for folding words, to be put back.
  mutating func takeTokens() -> TokenScratch {
    defer { tokens = TokenScratch() }
    return tokens
  }

  mutating func put(_ tokens: TokenScratch) { self.tokens = tokens }
}

extension KeyEncoding {
  /// The word of a text that is a member of a list. The last four bits say how it is made: texts of up to seven bytes are
  /// held whole with their length; those of eight to ten ASCII letters, digits, hyphens and underscores, of eleven without
  /// capitals or of twelve small letters as a number with their length and one; of others there are three bytes and a hash
  /// of all, and the bits say 8.
  static func memberWord(_ text: Span<UInt8>) -> UInt64 {
    var word: UInt64 = 0
    if text.count <= 7 {
      for index in text.indices { word |= UInt64(text[index]) << UInt64(56 - 8 * index) }
      return word | UInt64(text.count)
    }
    if text.count <= 12, let packed = packed(text) { return packed << 4 | UInt64(text.count + 1) }
    for index in 0..<3 { word |= UInt64(text[index]) << UInt64(56 - 8 * index) }
    // FNV-1a: whoever makes texts collide makes their own queries look at more rows.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in text.indices { hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01B3 }
    return word | (hash >> 32) << 8 | 8
  }

  /// The word of a record that is referred to, by the encoding of its ID: a seeded hash, marked as such.
  static func recordWord(_ encoding: Span<UInt8>) -> UInt64 { recordHash.hash(encoding) & ~0xF | 8 }

  private static let recordHash = ByteHash.random()

  /// Whether the word of a member tells its text from all others.
  static func isExactMember(_ word: UInt64) -> Bool { word & 0xF != 8 }

  /// The letters of a text of eight to twelve as digits of a number; nil where there is a byte of another kind.
  private static func packed(_ text: Span<UInt8>) -> UInt64? {
    // Of the kinds of letters in the order below, as many whole groups as 60 bits have room for.
    let kinds: UInt64 = text.count <= 10 ? 64 : text.count == 11 ? 38 : 26
    var packed: UInt64 = 0
    for index in text.indices {
      let byte = UInt64(text[index])
      let letter: UInt64
      switch text[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): letter = byte - 97
      case UInt8(ascii: "0")...UInt8(ascii: "9"): letter = byte - 48 + 26
      case UInt8(ascii: "-"): letter = 36
      case UInt8(ascii: "_"): letter = 37
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter = byte - 65 + 38
      default: return nil
      }
      if letter >= kinds { return nil }
      packed = packed * kinds + letter
    }
    return packed
  }

  /// The word of a term of a list's members, or of a record that is referred to, and whether it tells it from all others.
  static func memberWord(_ term: [UInt8], _ type: FieldType.Scalar) -> (word: UInt64, isExact: Bool) {
    if type == .reference { return (recordWord(term.span), false) }
    if type == .string {
      let word = memberWord(term.span)
      return (word, isExactMember(word))
    }
    return (term.reduce(0) { $0 << 8 | UInt64($1) }, true)
  }
}
