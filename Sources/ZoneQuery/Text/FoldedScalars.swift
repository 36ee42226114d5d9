/// Which scalars a folding brings to others, and which it leaves out: the folding read backwards.
///
/// Made of the tables at first use, once for each folding, in some tenths of a millisecond.
final class FoldedScalars: Sendable {
  /// A scalar that folds to others, and where these stand.
  private struct Mapping: Sendable {
    var scalar: UInt32
    var bytes: Range<Int32>
  }

  /// The scalars that fold to others, those of one first scalar together and ascending.
  private let mappings: [Mapping]
  /// What they fold to.
  private let pool: [UInt8]
  /// Where those stand whose folding begins with an ASCII character.
  private let ofASCII: [Range<Int32>]
  /// And those of all first scalars.
  private let ofAny: [UInt32: Range<Int32>]
  /// The scalars that fold to nothing, ascending.
  private let vanishing: [ClosedRange<UInt32>]

  private init(_ table: FoldingTable) {
    var (lists, vanishing, pool): ([UInt32: [Mapping]], [ClosedRange<UInt32>], [UInt8]) = ([:], [], [])
    table.forEachFolded { scalar, bytes in
      let start = Int32(pool.count)
      pool += bytes
      if let first = bytes.first {
        let first = first < 0x80 ? UInt32(first) : DecodedScalar(in: Array(bytes).span, at: 0).value
        lists[first, default: []].append(Mapping(scalar: scalar, bytes: start..<Int32(pool.count)))
      } else if let last = vanishing.last, last.upperBound + 1 == scalar {
        vanishing[vanishing.count - 1] = last.lowerBound...scalar
      } else {
        vanishing.append(scalar...scalar)
      }
    }
    var (mappings, ranges): ([Mapping], [UInt32: Range<Int32>]) = ([], [:])
    for (first, list) in lists {
      let start = Int32(mappings.count)
      mappings += list.sorted { $0.scalar < $1.scalar }
      ranges[first] = start..<Int32(mappings.count)
    }
    ofASCII = (0..<0x80).map { ranges[$0] ?? 0..<0 }
    (self.mappings, self.pool, ofAny, self.vanishing) = (mappings, pool, ranges, vanishing)
  }

  private static let ofCase = FoldedScalars(.caseAlone)
  private static let ofMarks = FoldedScalars(.marksAlone)
  private static let ofBoth = FoldedScalars(.caseAndMarks)

  static func of(_ folding: Folding) -> FoldedScalars {
    switch folding {
    case .caseAlone: ofCase
    case .marksAlone: ofMarks
    case .caseAndMarks: ofBoth
    }
  }

  /// The scalars that fold to others, of which the first is this one, ascending.
  private func range(_ first: UInt32) -> Range<Int32> {
    first < 0x80 ? ofASCII[Int(first)] : ofAny[first] ?? 0..<0
  }

  /// Calls `body` with each scalar, ascending, whose folding begins with another that is not itself, and where the folding
  /// stands, until it says false.
  @inline(__always)
  func forEach(foldingTo first: UInt32, _ body: (UInt32, Range<Int32>) -> Bool) {
    for number in range(first) {
      let mapping = mappings[Int(number)]
      if !body(mapping.scalar, mapping.bytes) { return }
    }
  }

  /// What stands there.
  func folding(_ range: Range<Int32>) -> ArraySlice<UInt8> { pool[Int(range.lowerBound)..<Int(range.upperBound)] }

  /// Where a folding that comes at a place ends in a text; nil where another stands there. By `mayGoOn` it may be longer than
  /// the text.
  func end(of range: Range<Int32>, in text: [UInt8], at place: Int, mayGoOn: Bool) -> Int? {
    let shared = min(range.count, text.count - place)
    if shared < range.count, !mayGoOn { return nil }
    for index in 0..<shared where pool[Int(range.lowerBound) + index] != text[place + index] { return nil }
    return place + shared
  }

  /// The least scalar that folds to nothing and is not below one.
  func vanishing(from scalar: UInt32) -> UInt32? {
    guard let last = vanishing.last, last.upperBound >= scalar else { return nil }
    var (low, high) = (0, vanishing.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if vanishing[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
    }
    return max(scalar, vanishing[low].lowerBound)
  }

  /// Whether a scalar is a Hangul syllable or a part of one: what such text folds to depends on what stands beside it.
  static func isHangul(_ scalar: UInt32) -> Bool { 0x1100...0x11FF ~= scalar || 0xAC00...0xD7A3 ~= scalar }
}
