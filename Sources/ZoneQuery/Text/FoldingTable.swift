/// The mappings of scalars behind the foldings. Each maps scalar by scalar, so it is linear in the text.
///
/// No canonical ordering of combining marks is needed, and none is done. The scalars it moves are all marks;
/// a folding that removes marks removes them, save U+0345 where case is folded, which becomes ι wherever it
/// stands. Folding case alone leaves marks as they are. The generator of the tables proves the premises.
/// Names and order are the generator's.
enum FoldingTable: Int, Sendable {
  /// Full case folding.
  case caseAlone
  /// Canonical decomposition without marks; Hangul stays composed.
  case marksAlone
  /// Canonical decomposition, full case folding, then marks removed; Hangul stays composed.
  case caseAndMarks
  /// Compatibility decomposition, full case folding, marks removed, ’ read as '.
  case tokens

  /// Appends the folding of `bytes` to `folded`. Complexity: linear; a scalar becomes 33 bytes at most.
  func fold(_ bytes: Span<UInt8>, into folded: inout [UInt8]) {
    let start = folded.count
    let tables = UnicodeTables.shared
    let lowersCase = self != .marksAlone
    let plane = rawValue &* 1088
    var position = 0
    while position < bytes.count {
      let first = bytes[position]
      if first < 0x80 {
        folded.append(lowersCase ? first.asciiLowercased : first)
        position &+= 1
        continue
      }
      let scalar = DecodedScalar(in: bytes, at: position)
      switch tables.foldings[scalar.value, offset: plane] {
      case Self.identity:
        while position < scalar.end {
          folded.append(bytes[position])
          position &+= 1
        }
      case Self.syllable:
        Hangul.appendDecomposition(of: scalar.value, to: &folded)
      case Self.jamo:
        Hangul.appendComposing(scalar.value, to: &folded, from: start)
      case let offset:
        let length = Int(tables.pool[Int(offset)])
        guard length > 0 else { break }
        for index in (Int(offset) &+ 1)...(Int(offset) &+ length) { folded.append(tables.pool[index]) }
      }
      position = scalar.end
    }
  }

  /// Calls `body` with each scalar that does not fold to itself, ascending but for ASCII's, and with what it folds to;
  /// Hangul, whose folding depends on what stands beside it, is left out.
  ///
  /// Complexity: linear in the scalars that fold to others.
  func forEachFolded(_ body: (UInt32, ArraySlice<UInt8>) -> Void) {
    let tables = UnicodeTables.shared
    if self != .marksAlone {
      for letter in UInt8(ascii: "A")...UInt8(ascii: "Z") { body(UInt32(letter), [letter.asciiLowercased]) }
    }
    tables.foldings.forEachScalar(offset: rawValue &* 1088) { scalar, entry in
      if scalar < 0x80 || entry == Self.jamo || entry == Self.syllable { return }
      let offset = Int(entry)
      body(scalar, tables.pool[offset + 1..<offset + 1 + Int(tables.pool[offset])])
    }
  }

  private static let identity: UInt16 = 0
  private static let jamo: UInt16 = 0xFFFE
  private static let syllable: UInt16 = 0xFFFF
}

/// The arithmetic of Hangul syllables (The Unicode Standard, section 3.12).
private enum Hangul {
  private static let syllables: UInt32 = 0xAC00
  private static let syllableCount: UInt32 = 11172
  private static let leading: UInt32 = 0x1100
  private static let vowels: UInt32 = 0x1161
  /// One before the first trailing consonant: a syllable without one has the index 0.
  private static let trailing: UInt32 = 0x11A7
  private static let vowelCount: UInt32 = 21
  private static let trailingCount: UInt32 = 28

  static func appendDecomposition(of syllable: UInt32, to bytes: inout [UInt8]) {
    let index = syllable &- syllables
    let pair = index / trailingCount
    bytes.appendThreeBytes(leading &+ pair / vowelCount)
    bytes.appendThreeBytes(vowels &+ pair % vowelCount)
    if index % trailingCount != 0 { bytes.appendThreeBytes(trailing &+ index % trailingCount) }
  }

  /// Appends a jamo, or joins it to the syllable that `bytes` ends in, looking no further back than `start`.
  static func appendComposing(_ jamo: UInt32, to bytes: inout [UInt8], from start: Int) {
    let count = bytes.count
    if count &- start >= 3, bytes[count &- 3] & 0xF0 == 0xE0 {
      let last =
        UInt32(bytes[count &- 3] & 0x0F) &<< 12 | UInt32(bytes[count &- 2] & 0x3F) &<< 6
        | UInt32(bytes[count &- 1] & 0x3F)
      if let composed = composition(of: last, jamo) {
        bytes.removeLast(3)
        bytes.appendThreeBytes(composed)
        return
      }
    }
    bytes.appendThreeBytes(jamo)
  }

  private static func composition(of last: UInt32, _ jamo: UInt32) -> UInt32? {
    let vowel = jamo &- vowels
    let leadingIndex = last &- leading
    if vowel < vowelCount, leadingIndex < 19 {
      return syllables &+ (leadingIndex &* vowelCount &+ vowel) &* trailingCount
    }
    let syllable = last &- syllables
    let trailingIndex = jamo &- trailing
    if syllable < syllableCount, syllable % trailingCount == 0, trailingIndex > 0,
      trailingIndex < trailingCount
    {
      return last &+ trailingIndex
    }
    return nil
  }
}

extension UInt8 {
  /// The byte with A…Z as a…z.
  @inline(__always)
  var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
