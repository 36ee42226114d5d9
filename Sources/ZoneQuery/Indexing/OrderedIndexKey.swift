/// A key of one to four words, compared word by word.
protocol IndexKey: Sendable, Equatable, BitwiseCopyable {
  static var wordCount: Int { get }
  init()
  subscript(word: Int) -> UInt64 { get set }
}

extension IndexKey {
  /// The first words of a longer key.
  @inline(__always)
  init(_ words: Key4) {
    self.init()
    var word = 0
    while word < Self.wordCount {
      self[word] = words[word]
      word += 1
    }
  }
}

extension Key4 {
  /// A shorter key's words, with zeros behind them.
  @inline(__always)
  init<Key: IndexKey>(_ key: Key) {
    self.init()
    var word = 0
    while word < Key.wordCount {
      self[word] = key[word]
      word += 1
    }
  }
}

struct Key1: IndexKey {
  static var wordCount: Int { 1 }
  var word0: UInt64 = 0

  init() {}
  init(_ word0: UInt64) { self.word0 = word0 }

  @inline(__always)
  subscript(word: Int) -> UInt64 {
    get { word0 }
    set { word0 = newValue }
  }
}

struct Key2: IndexKey {
  static var wordCount: Int { 2 }
  var word0: UInt64 = 0
  var word1: UInt64 = 0

  init() {}
  init(_ word0: UInt64, _ word1: UInt64 = 0) { (self.word0, self.word1) = (word0, word1) }

  @inline(__always)
  subscript(word: Int) -> UInt64 {
    get { word == 0 ? word0 : word1 }
    set { if word == 0 { word0 = newValue } else { word1 = newValue } }
  }
}

struct Key3: IndexKey {
  static var wordCount: Int { 3 }
  var word0: UInt64 = 0
  var word1: UInt64 = 0
  var word2: UInt64 = 0

  init() {}
  init(_ word0: UInt64, _ word1: UInt64 = 0, _ word2: UInt64 = 0) {
    (self.word0, self.word1, self.word2) = (word0, word1, word2)
  }

  @inline(__always)
  subscript(word: Int) -> UInt64 {
    get {
      switch word {
      case 0: word0
      case 1: word1
      default: word2
      }
    }
    set {
      switch word {
      case 0: word0 = newValue
      case 1: word1 = newValue
      default: word2 = newValue
      }
    }
  }
}

struct Key4: IndexKey {
  static var wordCount: Int { 4 }
  var word0: UInt64 = 0
  var word1: UInt64 = 0
  var word2: UInt64 = 0
  var word3: UInt64 = 0

  init() {}
  init(_ word0: UInt64, _ word1: UInt64 = 0, _ word2: UInt64 = 0, _ word3: UInt64 = 0) {
    (self.word0, self.word1, self.word2, self.word3) = (word0, word1, word2, word3)
  }

  @inline(__always)
  subscript(word: Int) -> UInt64 {
    get {
      switch word {
      case 0: word0
      case 1: word1
      case 2: word2
      default: word3
      }
    }
    set {
      switch word {
      case 0: word0 = newValue
      case 1: word1 = newValue
      case 2: word2 = newValue
      default: word3 = newValue
      }
    }
  }
}

/// A key and the slot of the record that has it.
struct IndexEntry<Key: IndexKey>: Sendable, Equatable {
  var key: Key
  var slot: UInt32
}

/// What the words of an index's keys are.
struct KeyShape: Sendable, Equatable {
  enum Component: Sendable {
    /// One word, which says all.
    case number
    /// Two words of a text; long texts with equal words are ordered by their bytes.
    case text
  }

  /// A bit for each word that ends a text ordered by its bytes.
  private let tied: UInt8
  /// The component of each word, a byte each.
  private let components: UInt32
  let wordCount: Int

  init(_ parts: [Component]) {
    var (tied, components, word): (UInt8, UInt32, Int) = (0, 0, 0)
    for (number, part) in parts.enumerated() {
      for isLast in part == .number ? [true] : [false, true] {
        components |= UInt32(truncatingIfNeeded: number) << UInt32(truncatingIfNeeded: 8 * word)
        if isLast, part == .text { tied |= 1 << UInt8(truncatingIfNeeded: word) }
        word += 1
      }
    }
    (self.tied, self.components, wordCount) = (tied, components, word)
  }

  /// One component of one word.
  static let number = KeyShape([.number])

  /// Whether equal words up to and including this one leave the order of long texts open.
  @inline(__always)
  func isTied(_ word: Int) -> Bool { tied >> UInt8(truncatingIfNeeded: word) & 1 == 1 }

  /// Whether leaves hold a code of a byte for the second word of each key: where it is a number, which entries that are in
  /// order by another are held against.
  @inline(__always)
  var isCoded: Bool { wordCount == 2 && components != 0 }

  /// How many words before this one end a text ordered by its bytes.
  @inline(__always)
  func tiesBefore(_ word: Int) -> Int { (tied & (1 << UInt8(truncatingIfNeeded: word) &- 1)).nonzeroBitCount }

  /// Which component a word belongs to, counted from 0.
  @inline(__always)
  func component(_ word: Int) -> Int {
    Int(truncatingIfNeeded: components >> UInt32(truncatingIfNeeded: 8 * word) & 0xFF)
  }

  /// Whether a word of a key ends a text whose bytes are needed.
  @inline(__always)
  func isLong(_ word: Int, _ value: UInt64) -> Bool { isTied(word) && KeyEncoding.isLong(value) }

  /// Whether a key of the shape has a long text, so that its place rests on what its row holds.
  func hasLong(_ key: Key4) -> Bool {
    for word in 0..<4 where isLong(word, key[word]) { return true }
    return false
  }
}

/// Where an index finds the bytes of long texts, which its words do not hold.
///
/// While an index is changed, every slot whose entry has a long text, and the slot that is inserted or removed, must give the
/// text that its entry was made of: such an entry is removed before its record is written over, and inserted after. Of others
/// no text is asked for.
protocol KeyTies {
  /// Whether there are texts to ask for.
  static var areBroken: Bool { get }
  /// The bytes of a component of the key of a slot's record; asked for where the words say that it is a long text.
  ///
  /// They stay while the version is pinned or its commit runs.
  func text(slot: UInt32, component: Int) -> UnsafeRawBufferPointer
}

/// For keys without long texts, or where equal words are equal keys.
struct NoTies: KeyTies {
  @inline(__always)
  static var areBroken: Bool { false }
  func text(slot: UInt32, component: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  }
}
