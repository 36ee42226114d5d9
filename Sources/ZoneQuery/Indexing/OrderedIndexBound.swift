// An unsafe leaf: bounds of an ordered index, which point to the bytes of long texts.
//
// Invariant: whoever makes a bound holds its texts until the places that it gives are found.

/// A place between the entries of an index: before or after all whose key begins with some words.
///
/// Making and copying one allocates and counts nothing; it is to be used while its texts are lent.
@safe
struct IndexBound<Key: IndexKey>: BitwiseCopyable {
  var key: Key
  /// How many words of the key are given; 0 means all entries.
  var words: Int
  var isAfter: Bool
  /// The bytes of the texts among the given words: asked for where these are long.
  var texts: LentTexts

  init(key: Key, words: Int, isAfter: Bool, texts: LentTexts = LentTexts()) {
    (self.key, self.words, self.isAfter, self.texts) = (key, words, isAfter, texts)
  }

  static func before(_ key: Key) -> IndexBound { IndexBound(key: key, words: Key.wordCount, isAfter: false) }
  static func after(_ key: Key) -> IndexBound { IndexBound(key: key, words: Key.wordCount, isAfter: true) }

  /// How many first words are given in both bounds and are the same, with their texts.
  @inline(__always)
  func sharedWords(_ other: IndexBound, _ shape: KeyShape) -> Int {
    let most = min(words, other.words)
    var word = 0
    while word < most, word < Key.wordCount, key[word] == other.key[word] {
      if shape.isLong(word, key[word]), !texts.haveSame(shape.tiesBefore(word), other.texts) { return word }
      word += 1
    }
    return word
  }
}

/// The bytes of up to two texts, which are the first and the second of a key's that are ordered by their bytes; those of
/// long ones are asked for.
///
/// Without them all long texts with equal words count as equal, and no later words may be given.
@safe
struct LentTexts: BitwiseCopyable {
  @unsafe private var first: UnsafeRawBufferPointer?
  @unsafe private var second: UnsafeRawBufferPointer?

  init() { unsafe (first, second) = (nil, nil) }

  /// The text of a number, 0 or 1; nil where it is not given.
  @unsafe @inline(__always)
  subscript(number: Int) -> UnsafeRawBufferPointer? {
    get { unsafe number == 0 ? first : second }
    set { if number == 0 { unsafe first = newValue } else { unsafe second = newValue } }
  }

  /// Calls `body` with this and a text more.
  @inline(__always)
  func adding<Result>(_ number: Int, _ text: Span<UInt8>, _ body: (LentTexts) -> Result) -> Result {
    unsafe text.withUnsafeBytes { bytes in
      var texts = self
      unsafe texts[number] = bytes
      return body(texts)
    }
  }

  /// Calls `body` with up to two texts.
  static func lend<Result>(_ first: [UInt8]?, _ second: [UInt8]?, _ body: (LentTexts) -> Result) -> Result {
    guard let text = first ?? second else { return body(LentTexts()) }
    return LentTexts().adding(first == nil ? 1 : 0, text.span) { texts in
      guard first != nil, let second else { return body(texts) }
      return texts.adding(1, second.span, body)
    }
  }

  fileprivate func haveSame(_ number: Int, _ other: LentTexts) -> Bool {
    switch unsafe (self[number], other[number]) {
    case (nil, nil): true
    case (let text?, let other?): unsafe text.count == other.count && text.elementsEqual(other)
    default: false
    }
  }
}
