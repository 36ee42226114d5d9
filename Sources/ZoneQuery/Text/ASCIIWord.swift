/// What a byte is to the tokenizer's path for ASCII, as bits.
enum ASCIIKind {
  static let letter: UInt8 = 0x01
  static let digit: UInt8 = 0x02
  static let underscore: UInt8 = 0x04
  /// A capital letter; `letter` is set too.
  static let upper: UInt8 = 0x08
  /// A mark that joins two letters: ' . :
  static let joinsLetters: UInt8 = 0x10
  /// A mark that joins two digits: ' . , ;
  static let joinsDigits: UInt8 = 0x20
  /// A byte of a scalar outside ASCII.
  static let other: UInt8 = 0x80

  /// The bytes that always join one another: letters, digits and the underscore.
  static let word: UInt8 = letter | digit | underscore
  /// The bytes that make a segment a token.
  static let keeps: UInt8 = letter | digit

  /// The kind of each byte.
  static let table: [UInt8] = (0...255).map { (byte: UInt8) in
    switch byte {
    case 0x30...0x39: digit
    case 0x41...0x5A: letter | upper
    case 0x61...0x7A: letter
    case 0x5F: underscore
    case 0x27, 0x2E: joinsLetters | joinsDigits
    case 0x3A: joinsLetters
    case 0x2C, 0x3B: joinsDigits
    case 0x80...: other
    default: 0
    }
  }
}

/// A segment that starts with an ASCII letter, digit or underscore, by the rules of UAX #29 as far as they
/// speak of ASCII.
struct ASCIIWord {
  /// Where the segment ends, if it is complete.
  let end: Int
  /// The union of the kinds of its letters, digits and underscores.
  let kinds: UInt8
  /// The key among the stop words, once folded.
  let key: UInt64
  /// Whether nothing outside ASCII had a say in where the segment ends.
  let isComplete: Bool

  @inline(__always)
  init(in bytes: Span<UInt8>, at start: Int, _ table: [UInt8]) {
    var kinds: UInt8 = 0
    var last: UInt8 = 0
    var key: UInt64 = 0
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      let kind = table[Int(byte)]
      if kind & ASCIIKind.word != 0 {
        kinds |= kind
        last = kind
        // ASCIIKind.upper moved to the place of the bit that tells a…z from A…Z.
        key = StopWords.key(key, followedBy: byte | (kind & ASCIIKind.upper) &<< 2)
        position &+= 1
        continue
      }
      if kind == 0 { break }
      let joined =
        (kind & ASCIIKind.joinsLetters != 0 ? last & ASCIIKind.letter : 0)
        | (kind & ASCIIKind.joinsDigits != 0 ? last & ASCIIKind.digit : 0)
      let next = position &+ 1 < bytes.count ? table[Int(bytes[position &+ 1])] : 0
      if (kind | next) & ASCIIKind.other != 0 {
        self.init(end: position, kinds: kinds, key: key, isComplete: false)
        return
      }
      guard next & joined != 0 else { break }
      key = StopWords.key(key, followedBy: byte)
      position &+= 1
    }
    self.init(end: position, kinds: kinds, key: key, isComplete: true)
  }

  @inline(__always)
  private init(end: Int, kinds: UInt8, key: UInt64, isComplete: Bool) {
    self.end = end
    self.kinds = kinds
    self.key = key
    self.isComplete = isComplete
  }
}
