// An unsafe leaf: the one place where the bytes of a Swift string are read in place.
//
// Invariants: the buffer that `withContiguousStorageIfAvailable` lends lives until its closure returns, and the span made
// of it cannot leave the closure, since spans do not escape. Strings of equal words have equal bytes; of unequal words
// nothing is concluded.

/// Calls `body` with the text's UTF-8 bytes, in place where they lie in one piece (always, for a string that Swift
/// made), else copied.
func withUTF8<Result>(of text: String, _ body: (Span<UInt8>) -> Result) -> Result {
  let inPlace = unsafe text.utf8.withContiguousStorageIfAvailable { buffer in
    body(unsafe Span(_unsafeElements: buffer))
  }
  return inPlace ?? body(Array(text.utf8).span)
}

// In place of the functions of these names that PredicateSyntax has, which holds no unsafe code and goes byte by byte.

/// Whether two texts are the same bytes.
func sameBytes(_ left: String, _ right: String) -> Bool {
  withUTF8(of: left) { left in withUTF8(of: right) { left.isSame(as: $0) } }
}

/// The words that a string consists of: of a short one mostly its text, of another where that lies.
struct StringWords: Equatable, Sendable {
  let first: UInt64
  let second: UInt64

  /// Whether strings are two words; else the words say nothing, and no two strings are known to be the same by them.
  static var areKnown: Bool { MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size }

  @inline(__always)
  init(_ text: String) {
    (first, second) = StringWords.areKnown ? unsafe unsafeBitCast(text, to: (UInt64, UInt64).self) : (0, 0)
  }
}

/// Whether two texts are known to be the same bytes without a look at them: short ones are where they are, and others where
/// they share their memory.
@inline(__always)
func isIdentical(_ left: String, _ right: String) -> Bool {
  StringWords.areKnown && StringWords(left) == StringWords(right)
}

/// Whether both are absent, or present and the same bytes.
func sameBytes(_ left: String?, _ right: String?) -> Bool {
  switch (left, right) {
  case (nil, nil): true
  case (let left?, let right?): sameBytes(left, right) as Bool
  default: false
  }
}

/// Feeds a text by its bytes, in keeping with ``sameBytes(_:_:)-1``.
func hashBytes(_ text: String, into hasher: inout Hasher) {
  hasher.combine(textHash(of: text))
}

/// A word made of a text's bytes: the same for the same bytes, hardly ever for others.
func textHash(of text: String) -> UInt64 { withUTF8(of: text) { byteHash.hash($0) } }

/// What makes one word of a text: a hasher would take longer over each.
private let byteHash = ByteHash.random()
