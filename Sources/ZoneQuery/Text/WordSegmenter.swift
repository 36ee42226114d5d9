/// Unicode's word boundaries: UAX #29, "Default Word Boundaries", all rules.
///
/// Linear: a scalar is read once, and once more where it follows one of the marks that join two words
/// (`can't`, `3.14`) and did not join.
struct WordSegmenter {
  /// A segment's end and the union of its scalars' properties.
  struct Segment {
    let end: Int
    let properties: ScalarProperties
  }

  private let table: ScalarTable<UInt8>

  init(_ tables: UnicodeTables) {
    table = tables.properties
  }

  /// The segment that starts at `start`, a word boundary within `bytes`.
  func segment(in bytes: Span<UInt8>, at start: Int) -> Segment {
    var (latest, position) = scalar(in: bytes, at: start)
    var properties = latest
    // The Word_Break of the last scalar that WB4 does not pass over.
    var base = latest.wordBreak
    if base >= Self.carriageReturn, base <= Self.newline {  // WB3, WB3a
      if base == Self.carriageReturn, position < bytes.count, bytes[position] == 0x0A { position &+= 1 }
      return Segment(end: position, properties: properties)
    }
    var opensPair = base == Self.regionalIndicator
    while position < bytes.count {
      let (next, end) = scalar(in: bytes, at: position)
      let kind = next.wordBreak
      if Self.isPassedOver(kind) {  // WB4
        properties = properties.union(next)
        latest = next
        position = end
        continue
      }
      if (latest.wordBreak == Self.zeroWidthJoiner && next.isPictographic)  // WB3c
        || (latest.wordBreak == Self.space && kind == Self.space)  // WB3d
        || Self.joins(base, kind)
      {
        opensPair = kind == Self.regionalIndicator
      } else if base == Self.regionalIndicator, kind == base, opensPair {  // WB15, WB16
        opensPair = false
      } else if let bridge = bridge(from: base, over: kind, in: bytes, at: end) {
        // WB6, WB7, WB7b, WB7c, WB11, WB12: the mark and what it joins, in one step.
        properties = properties.union(next).union(bridge.properties)
        latest = bridge.latest
        base = latest.wordBreak
        position = bridge.end
        continue
      } else if !(base == Self.hebrewLetter && kind == Self.singleQuote) {  // WB7a
        break  // WB3b, WB999
      }
      properties = properties.union(next)
      latest = next
      base = kind
      position = end
    }
    return Segment(end: position, properties: properties)
  }

  @inline(__always)
  private func scalar(in bytes: Span<UInt8>, at position: Int) -> (ScalarProperties, end: Int) {
    let scalar = DecodedScalar(in: bytes, at: position)
    return (ScalarProperties(rawValue: table[scalar.value]), scalar.end)
  }

  private struct Bridge {
    let end: Int
    let latest: ScalarProperties
    let properties: ScalarProperties
  }

  /// Where `mark` may join `base` to a following scalar of the same sort and one follows `position`: that one.
  @inline(__always)
  private func bridge(
    from base: UInt8, over mark: UInt8, in bytes: Span<UInt8>, at position: Int
  ) -> Bridge? {
    guard mark >= Self.singleQuote, mark <= Self.midNum else { return nil }
    let wanted: ClosedRange<UInt8>
    switch base {
    case Self.hebrewLetter where mark == Self.doubleQuote:
      wanted = Self.hebrewLetter...Self.hebrewLetter
    case Self.hebrewLetter, Self.letter:
      guard mark != Self.doubleQuote, mark != Self.midNum else { return nil }
      wanted = Self.hebrewLetter...Self.letter
    case Self.numeric:
      guard mark != Self.doubleQuote, mark != Self.midLetter else { return nil }
      wanted = Self.numeric...Self.numeric
    default:
      return nil
    }
    var position = position
    var properties = ScalarProperties(rawValue: 0)
    while position < bytes.count {
      let (next, end) = scalar(in: bytes, at: position)
      properties = properties.union(next)
      position = end
      if Self.isPassedOver(next.wordBreak) { continue }
      guard wanted.contains(next.wordBreak) else { return nil }
      return Bridge(end: end, latest: next, properties: properties)
    }
    return nil
  }

  /// WB5, WB8, WB9, WB10, WB13, WB13a, WB13b: pairs that never part, whatever surrounds them.
  @inline(__always)
  private static func joins(_ left: UInt8, _ right: UInt8) -> Bool {
    joinedByLeft[Int(left)] & (1 &<< UInt32(right)) != 0
  }

  private static let joinedByLeft: [UInt32] = {
    let letters: UInt32 = 1 << hebrewLetter | 1 << letter
    let word = letters | 1 << numeric | 1 << extendNumLet
    var table = [UInt32](repeating: 0, count: 32)
    table[Int(hebrewLetter)] = word
    table[Int(letter)] = word
    table[Int(numeric)] = word
    table[Int(katakana)] = 1 << katakana | 1 << extendNumLet
    table[Int(extendNumLet)] = word | 1 << katakana
    return table
  }()

  /// Extend, ZWJ, Format.
  @inline(__always)
  private static func isPassedOver(_ kind: UInt8) -> Bool { kind &- extend <= 2 }

  private static let carriageReturn = WordBreakProperty.carriageReturn.rawValue
  private static let newline = WordBreakProperty.newline.rawValue
  private static let extend = WordBreakProperty.extend.rawValue
  private static let zeroWidthJoiner = WordBreakProperty.zeroWidthJoiner.rawValue
  private static let regionalIndicator = WordBreakProperty.regionalIndicator.rawValue
  private static let katakana = WordBreakProperty.katakana.rawValue
  private static let hebrewLetter = WordBreakProperty.hebrewLetter.rawValue
  private static let letter = WordBreakProperty.letter.rawValue
  private static let singleQuote = WordBreakProperty.singleQuote.rawValue
  private static let doubleQuote = WordBreakProperty.doubleQuote.rawValue
  private static let midNum = WordBreakProperty.midNum.rawValue
  private static let midLetter = WordBreakProperty.midLetter.rawValue
  private static let numeric = WordBreakProperty.numeric.rawValue
  private static let extendNumLet = WordBreakProperty.extendNumLet.rawValue
  private static let space = WordBreakProperty.space.rawValue
}
