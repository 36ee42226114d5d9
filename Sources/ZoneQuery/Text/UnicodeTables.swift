/// A table over all scalars in three stages, so that runs of like scalars share their entries.
///
/// Invariant: `top` holds a block number for each 1,024 scalars, each block of `middle` 64 block numbers, each
/// block of `leaves` 16 entries; the generator writes no number without its block.
struct ScalarTable<Entry: FixedWidthInteger & Sendable>: Sendable {
  private let top: [UInt8]
  private let middle: [UInt16]
  private let leaves: [Entry]

  init(top: [UInt8], middle: [UInt16], leaves: [Entry]) {
    self.top = top
    self.middle = middle
    self.leaves = leaves
  }

  /// The entry of `scalar`, which is at most U+10FFFF, in the plane of scalars that starts at `offset`.
  @inline(__always)
  subscript(scalar: UInt32, offset offset: Int = 0) -> Entry {
    let scalar = Int(truncatingIfNeeded: scalar)
    let block = Int(top[offset &+ scalar &>> 10])
    let leaf = Int(middle[block &<< 6 | (scalar &>> 4) & 63])
    return leaves[leaf &<< 4 | scalar & 15]
  }

  /// Calls `body` with each scalar whose entry is not 0, ascending, in the plane of scalars that starts at `offset`.
  ///
  /// Complexity: a look at each block, of which most are alike and have no such entry.
  func forEachScalar(offset: Int, _ body: (UInt32, Entry) -> Void) {
    let isLeafEmpty = (0..<leaves.count / 16).map { leaf in leaves[leaf * 16..<leaf * 16 + 16].allSatisfy { $0 == 0 } }
    let isBlockEmpty = (0..<middle.count / 64).map { block in
      middle[block * 64..<block * 64 + 64].allSatisfy { isLeafEmpty[Int($0)] }
    }
    for high in 0..<1088 where !isBlockEmpty[Int(top[offset + high])] {
      for low in 0..<64 {
        let leaf = Int(middle[Int(top[offset + high]) * 64 + low])
        if isLeafEmpty[leaf] { continue }
        for index in 0..<16 where leaves[leaf * 16 + index] != 0 {
          body(UInt32(high * 1024 + low * 16 + index), leaves[leaf * 16 + index])
        }
      }
    }
  }
}

/// What the Unicode Character Database says about scalars, as far as words and folding need it.
///
/// 79 KB, decoded once from the text in the binary, at the first use of a character outside ASCII.
final class UnicodeTables: Sendable {
  static let shared = UnicodeTables()

  /// A scalar's `ScalarProperties`.
  let properties: ScalarTable<UInt8>
  /// A scalar's entry for each `FoldingTable`: an offset in `pool` or one of the markers there.
  let foldings: ScalarTable<UInt16>
  /// What scalars fold to: a length, then as many bytes of UTF-8.
  let pool: [UInt8]

  private init() {
    properties = ScalarTable(
      top: Self.bytes(UnicodeTablesData.propertyTop), middle: Self.words(UnicodeTablesData.propertyMiddle),
      leaves: Self.bytes(UnicodeTablesData.propertyLeaves))
    foldings = ScalarTable(
      top: Self.bytes(UnicodeTablesData.foldTop), middle: Self.words(UnicodeTablesData.foldMiddle),
      leaves: Self.words(UnicodeTablesData.foldLeaves))
    pool = Self.bytes(UnicodeTablesData.pool)
  }

  private static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3 + 3)
    var word: UInt32 = 0
    var filled: UInt32 = 0
    for character in text.utf8 {
      let sextet = UInt32(character &- 48)
      guard sextet < 64 else { continue }
      word |= sextet &<< filled
      filled &+= 6
      guard filled == 24 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: word))
      bytes.append(UInt8(truncatingIfNeeded: word &>> 8))
      bytes.append(UInt8(truncatingIfNeeded: word &>> 16))
      word = 0
      filled = 0
    }
    return bytes
  }

  private static func words(_ text: String) -> [UInt16] {
    let bytes = bytes(text)
    return stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
  }
}

/// A scalar's properties in one byte, and the union of several.
struct ScalarProperties: Sendable {
  let rawValue: UInt8

  /// The scalar's Word_Break; meaningless in a union.
  @inline(__always)
  var wordBreak: UInt8 { rawValue & 0x1F }
  /// Whether the scalar is Extended_Pictographic.
  @inline(__always)
  var isPictographic: Bool { rawValue & 0x20 != 0 }
  /// Whether a segment with the scalar is a token: it is a letter, a digit or an ideograph.
  @inline(__always)
  var keepsSegment: Bool { rawValue & 0x40 != 0 }
  /// Whether the scalar's folding in tokens is not the scalar itself.
  @inline(__always)
  var foldsInTokens: Bool { rawValue & 0x80 != 0 }

  @inline(__always)
  func union(_ other: ScalarProperties) -> ScalarProperties {
    ScalarProperties(rawValue: rawValue | other.rawValue)
  }
}
