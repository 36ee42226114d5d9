internal import PredicateSyntax

/// A text as the code points that comparisons see, with case or marks taken away where that is asked for.
///
/// Folding is done by the standard library's case mappings and a small table of accented letters, not by the engine's
/// tables. A text with a scalar that this does not cover is `nil`.
struct NaiveText: Equatable {
  let scalars: [UInt32]

  init(_ text: String) { scalars = text.unicodeScalars.map(\.value) }

  private init(_ scalars: [UInt32]) { self.scalars = scalars }

  /// The text with letter case or marks ignored.
  func folded(case ignoresCase: Bool, marks ignoresMarks: Bool) -> NaiveText? {
    if !ignoresCase, !ignoresMarks { return self }
    var result: [UInt32] = []
    for value in scalars {
      guard let scalar = Unicode.Scalar(value), Self.covers(scalar) else { return nil }
      var piece = [scalar]
      if ignoresCase { piece = piece.flatMap(Self.caseFolded) }
      if ignoresMarks { piece = piece.flatMap(Self.unmarked) }
      result += piece.map(\.value)
    }
    return NaiveText(result)
  }

  /// Letters whose folding the mappings below give: Latin to U+017F, common marks, basic Greek, and what has no case.
  private static func covers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x345: false
    case 0...0x17F, 0x300...0x36F, 0x391...0x3A9, 0x3B1...0x3C9: true
    case 0x1E9E, 0xFB00...0xFB06, 0x2010...0x2027, 0x4E00...0x9FFF, 0x3041...0x3096, 0xFFFF, 0x10000, 0x1F600...0x1F64F:
      true
    default: false
    }
  }

  /// Full case folding: to upper case and back, which joins what folds alike.
  private static func caseFolded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.value == 0x131 { return [scalar] }
    return scalar.properties.lowercaseMapping.unicodeScalars
      .flatMap { $0.properties.uppercaseMapping.unicodeScalars }
      .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
  }

  private static func unmarked(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return []
    default: return [bases[scalar.value] ?? scalar]
    }
  }

  /// The letters of Latin-1 and Latin Extended-A that are a base with marks.
  private static let bases: [UInt32: Unicode.Scalar] = {
    let rows: [(Unicode.Scalar, [UInt32])] = [
      ("A", [0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0x100, 0x102, 0x104]), ("C", [0xC7, 0x106, 0x108, 0x10A, 0x10C]),
      ("D", [0x10E]), ("E", [0xC8, 0xC9, 0xCA, 0xCB, 0x112, 0x114, 0x116, 0x118, 0x11A]),
      ("G", [0x11C, 0x11E, 0x120, 0x122]), ("H", [0x124]),
      ("I", [0xCC, 0xCD, 0xCE, 0xCF, 0x128, 0x12A, 0x12C, 0x12E, 0x130]), ("J", [0x134]), ("K", [0x136]),
      ("L", [0x139, 0x13B, 0x13D]), ("N", [0xD1, 0x143, 0x145, 0x147]),
      ("O", [0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0x14C, 0x14E, 0x150]), ("R", [0x154, 0x156, 0x158]),
      ("S", [0x15A, 0x15C, 0x15E, 0x160]), ("T", [0x162, 0x164]),
      ("U", [0xD9, 0xDA, 0xDB, 0xDC, 0x168, 0x16A, 0x16C, 0x16E, 0x170, 0x172]), ("W", [0x174]),
      ("Y", [0xDD, 0x176, 0x178]), ("Z", [0x179, 0x17B, 0x17D]),
      ("a", [0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0x101, 0x103, 0x105]), ("c", [0xE7, 0x107, 0x109, 0x10B, 0x10D]),
      ("d", [0x10F]), ("e", [0xE8, 0xE9, 0xEA, 0xEB, 0x113, 0x115, 0x117, 0x119, 0x11B]),
      ("g", [0x11D, 0x11F, 0x121, 0x123]), ("h", [0x125]),
      ("i", [0xEC, 0xED, 0xEE, 0xEF, 0x129, 0x12B, 0x12D, 0x12F]), ("j", [0x135]), ("k", [0x137]),
      ("l", [0x13A, 0x13C, 0x13E]), ("n", [0xF1, 0x144, 0x146, 0x148]),
      ("o", [0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0x14D, 0x14F, 0x151]), ("r", [0x155, 0x157, 0x159]),
      ("s", [0x15B, 0x15D, 0x15F, 0x161]), ("t", [0x163, 0x165]),
      ("u", [0xF9, 0xFA, 0xFB, 0xFC, 0x169, 0x16B, 0x16D, 0x16F, 0x171, 0x173]), ("w", [0x175]),
      ("y", [0xFD, 0xFF, 0x177]), ("z", [0x17A, 0x17C, 0x17E]),
    ]
    var table: [UInt32: Unicode.Scalar] = [:]
    for (base, letters) in rows { for letter in letters { table[letter] = base } }
    return table
  }()

  // MARK: Comparing

  func begins(with other: NaiveText) -> Bool { scalars.starts(with: other.scalars) }

  func ends(with other: NaiveText) -> Bool { scalars.reversed().starts(with: other.scalars.reversed()) }

  func contains(_ other: NaiveText) -> Bool {
    scalars.indices.contains { scalars[$0...].starts(with: other.scalars) }
  }

  /// Whether the whole text matches a pattern of `?`, `*` and `\` before either, letter case or marks ignored in both; nil
  /// for a pattern that ends in a lone backslash, or where folding is not covered.
  func matches(pattern: NaiveText, case ignoresCase: Bool, marks ignoresMarks: Bool) -> Bool? {
    guard let scalars = folded(case: ignoresCase, marks: ignoresMarks)?.scalars else { return nil }
    enum Piece { case one, many, exactly(UInt32) }
    var pieces: [Piece] = []
    func append(_ scalar: UInt32) -> Bool {
      guard let folded = NaiveText([scalar]).folded(case: ignoresCase, marks: ignoresMarks) else { return false }
      pieces += folded.scalars.map { .exactly($0) }
      return true
    }
    var rest = pattern.scalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case 0x3F: pieces.append(.one)
      case 0x2A: pieces.append(.many)
      case 0x5C:
        guard let next = rest.popFirst(), append(next) else { return nil }
      default: if !append(scalar) { return nil }
      }
    }
    // Which lengths of the text's beginning the pattern's beginning can match.
    var reached: Set<Int> = [0]
    for piece in pieces {
      var next: Set<Int> = []
      for length in reached {
        switch piece {
        case .many: next.formUnion(length...scalars.count)
        case .one where length < scalars.count: next.insert(length + 1)
        case .exactly(let scalar) where length < scalars.count && scalars[length] == scalar: next.insert(length + 1)
        default: break
        }
      }
      reached = next
    }
    return reached.contains(scalars.count)
  }

  // MARK: Tokens

  private static let stopWords = Set(
    """
    a an and are as at be but by for if in into is it no not of on or such that the their then there these they this \
    to was will with
    """.split(separator: " ").map { NaiveText(String($0)).scalars })

  /// The folded words, stop words left out; nil where the text's word boundaries are not simple.
  func tokens() -> Set<[UInt32]>? {
    var words: [[UInt32]] = []
    var word: [UInt32] = []
    func kind(_ index: Int) -> Character? {
      guard scalars.indices.contains(index), let scalar = Unicode.Scalar(scalars[index]) else { return nil }
      switch scalar.value {
      case 0x4E00...0x9FFF, 0x3041...0x3096: return "h"
      case 0x5F: return "_"
      case 0x30...0x39: return "9"
      case 0xAA, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC...0xBE: return "?"
      default: break
      }
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter: return "a"
      case .nonspacingMark: return "m"
      case .otherLetter, .modifierLetter, .otherNumber, .letterNumber, .format, .spacingMark, .enclosingMark: return "?"
      default:
        let isPlain = scalar.value < 0x80 || (0x2010...0x2027).contains(scalar.value)
        return isPlain || (0x1F600...0x1F64F).contains(scalar.value) ? "." : "?"
      }
    }
    for index in scalars.indices {
      guard let here = kind(index), let scalar = Unicode.Scalar(scalars[index]) else { return nil }
      let before = index > 0 ? kind(index - 1) : nil
      let after = kind(index + 1)
      switch here {
      case "?": return nil
      case "h":
        if before == "m" || after == "m" || before == "_" || after == "_" { return nil }
        words += [word, [scalar.value]]
        word = []
      case "a", "9", "_": word.append(scalar.value)
      case "m":
        // A mark belongs to what stands before it; a word of marks alone is none.
        if word.isEmpty { return nil }
        word.append(scalar.value)
      default:
        if before == "m", ".':,;\u{2019}".unicodeScalars.contains(scalar) { return nil }
        let joinsLetters = "'.\u{2019}".unicodeScalars.contains(scalar) && before == "a" && after == "a"
        let joinsDigits = ".,;'".unicodeScalars.contains(scalar) && before == "9" && after == "9"
        if scalar == ":" || scalar == "\"" && before == "h" { return nil }
        if joinsLetters || joinsDigits {
          word.append(scalar == "\u{2019}" ? 0x27 : scalar.value)
        } else {
          words.append(word)
          word = []
        }
      }
    }
    words.append(word)
    var tokens: Set<[UInt32]> = []
    for word in words where word.contains(where: { $0 != 0x5F }) {
      guard let folded = NaiveText(word).folded(case: true, marks: true) else { return nil }
      if !Self.stopWords.contains(folded.scalars) { tokens.insert(folded.scalars) }
    }
    return tokens
  }
}
