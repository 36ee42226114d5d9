@testable import ZoneQuery

/// Normalisation and folding written straight from the Unicode Standard over its own data files: the judge of
/// the product's tables. Slow, and pairwise where the product must not be.
struct ReferenceUnicode: Sendable {
  private var categories: [UInt32: String] = [:]
  private var classes: [UInt32: Int] = [:]
  private var canonical: [UInt32: [UInt32]] = [:]
  private var compatible: [UInt32: [UInt32]] = [:]
  private var caseFoldings: [UInt32: [UInt32]] = [:]
  private(set) var assigned: [UInt32] = []

  /// Nil where the files are absent.
  static let shared: ReferenceUnicode? = ReferenceUnicode()

  private init?() {
    guard let data = UnicodeFiles.lines("UnicodeData.txt"),
      let folding = UnicodeFiles.lines("CaseFolding.txt")
    else { return nil }
    var first: UInt32?
    for line in data {
      let fields = line.fields
      let scalar = fields[0].scalars[0]
      if fields[1].string.utf8.suffix(8).elementsEqual(", First>".utf8) {
        first = scalar
        continue
      }
      // Of the long ranges the ends and a stride between them stand for the rest.
      let range = (first ?? scalar)...scalar
      for value in first == nil ? Array(range) : stride(from: range.lowerBound, to: scalar, by: 37) + [scalar]
      where Unicode.Scalar(value) != nil {
        assigned.append(value)
        if fields[2].first == 0x4D { categories[value] = fields[2].string }
        if fields[3].string != "0" { classes[value] = Int(fields[3].string) }
      }
      first = nil
      if let mark = fields[5].lastIndex(of: 0x3E) {
        compatible[scalar] = fields[5][(mark + 1)...].scalars
      } else if !fields[5].isEmpty {
        canonical[scalar] = fields[5].scalars
      }
    }
    for line in folding {
      let fields = line.fields
      if fields[1].first == 0x43 || fields[1].first == 0x46 {
        caseFoldings[fields[0].scalars[0]] = fields[2].scalars
      }
    }
  }

  /// NFD, or NFKD.
  func decomposed(_ scalars: [UInt32], compatibly: Bool = false) -> [UInt32] {
    var result = scalars.flatMap { fullDecomposition($0, compatibly) }
    var start = 0
    while start < result.count {
      var end = start
      while end < result.count, classes[result[end]] != nil { end += 1 }
      let run = result[start..<end].enumerated().sorted {
        (classes[$0.element] ?? 0, $0.offset) < (classes[$1.element] ?? 0, $1.offset)
      }
      result.replaceSubrange(start..<end, with: run.map(\.element))
      start = end + 1
    }
    return result
  }

  private func fullDecomposition(_ scalar: UInt32, _ compatibly: Bool) -> [UInt32] {
    if (0xAC00..<0xAC00 + 11172).contains(scalar) {
      let index = scalar - 0xAC00
      let pair = [0x1100 + index / 588, 0x1161 + index % 588 / 28]
      return index % 28 == 0 ? pair : pair + [0x11A7 + index % 28]
    }
    guard let parts = canonical[scalar] ?? (compatibly ? compatible[scalar] : nil) else { return [scalar] }
    return parts.flatMap { fullDecomposition($0, compatibly) }
  }

  func caseFolded(_ scalars: [UInt32]) -> [UInt32] { scalars.flatMap { caseFoldings[$0] ?? [$0] } }

  func withoutMarks(_ scalars: [UInt32]) -> [UInt32] { scalars.filter { categories[$0] == nil } }

  func withHangulComposed(_ scalars: [UInt32]) -> [UInt32] {
    scalars.reduce(into: []) { result, scalar in
      guard let last = result.last else { return result.append(scalar) }
      if (0x1100...0x1112).contains(last), (0x1161...0x1175).contains(scalar) {
        result[result.count - 1] = 0xAC00 + ((last - 0x1100) * 21 + scalar - 0x1161) * 28
      } else if (0xAC00...0xD7A3).contains(last), (last - 0xAC00) % 28 == 0,
        (0x11A8...0x11C2).contains(scalar)
      {
        result[result.count - 1] = last + scalar - 0x11A7
      } else {
        result.append(scalar)
      }
    }
  }

  /// What a folding must give: the definitions of caseless matching (D144 to D146), then the marks removed.
  func folded(_ scalars: [UInt32], _ folding: FoldingTable) -> [UInt32] {
    switch folding {
    case .caseAlone:
      return caseFolded(scalars)
    case .marksAlone:
      return withHangulComposed(withoutMarks(decomposed(scalars)))
    case .caseAndMarks:
      return withHangulComposed(withoutMarks(decomposed(caseFolded(decomposed(scalars)))))
    case .tokens:
      let once = decomposed(caseFolded(decomposed(scalars)), compatibly: true)
      let twice = decomposed(caseFolded(once), compatibly: true)
      return withoutMarks(twice).map { $0 == 0x2019 ? 0x27 : $0 }
    }
  }
}

/// Word boundaries rule by rule from UAX #29, each position judged by itself with all that stands before and
/// behind it.
struct ReferenceWordBreaks {
  private let raw: [WordBreakProperty]
  private let pictographic: [Bool]

  init(_ scalars: [UInt32]) {
    let properties = scalars.map { ScalarProperties(rawValue: UnicodeTables.shared.properties[$0]) }
    raw = properties.map { WordBreakProperty(rawValue: $0.wordBreak) ?? .other }
    pictographic = properties.map(\.isPictographic)
  }

  private func ignored(_ index: Int) -> Bool {
    [.extend, .format, .zeroWidthJoiner].contains(raw[index])
  }

  private func isLineEnd(_ index: Int) -> Bool {
    [.carriageReturn, .lineFeed, .newline].contains(raw[index])
  }

  /// The significant scalar at or before `index`, as WB4 reads the text: what follows a line end or the start
  /// is significant whatever it is.
  private func base(_ index: Int) -> Int {
    var index = index
    while index > 0, ignored(index), !isLineEnd(index - 1) { index -= 1 }
    return index
  }

  private func before(_ index: Int) -> WordBreakProperty? {
    index >= 0 ? raw[base(index)] : nil
  }

  private func after(_ index: Int) -> WordBreakProperty? {
    var index = index
    while index < raw.count, ignored(index) { index += 1 }
    return index < raw.count ? raw[index] : nil
  }

  /// Whether there is a boundary before the scalar `index`.
  func isBoundary(_ index: Int) -> Bool {
    guard index > 0, index < raw.count else { return true }  // WB1, WB2
    if raw[index - 1] == .carriageReturn, raw[index] == .lineFeed { return false }  // WB3
    if isLineEnd(index - 1) || isLineEnd(index) { return true }  // WB3a, WB3b
    if raw[index - 1] == .zeroWidthJoiner, pictographic[index] { return false }  // WB3c
    if raw[index - 1] == .space, raw[index] == .space { return false }  // WB3d
    if ignored(index) { return false }  // WB4
    let left = base(index - 1)
    let (leftLeft, leftKind, right) = (before(left - 1), raw[left], raw[index])
    let rightRight = after(index + 1)
    func letter(_ kind: WordBreakProperty?) -> Bool { kind == .letter || kind == .hebrewLetter }
    func quote(_ kind: WordBreakProperty?) -> Bool { kind == .midNumLet || kind == .singleQuote }
    if letter(leftKind), letter(right) { return false }  // WB5
    if letter(leftKind), right == .midLetter || quote(right), letter(rightRight) { return false }  // WB6
    if letter(leftLeft), leftKind == .midLetter || quote(leftKind), letter(right) { return false }  // WB7
    if leftKind == .hebrewLetter, right == .singleQuote { return false }  // WB7a
    if leftKind == .hebrewLetter, right == .doubleQuote, rightRight == .hebrewLetter { return false }  // WB7b
    if leftLeft == .hebrewLetter, leftKind == .doubleQuote, right == .hebrewLetter { return false }  // WB7c
    if leftKind == .numeric, right == .numeric { return false }  // WB8
    if letter(leftKind), right == .numeric { return false }  // WB9
    if leftKind == .numeric, letter(right) { return false }  // WB10
    // WB11, WB12
    if leftLeft == .numeric, leftKind == .midNum || quote(leftKind), right == .numeric { return false }
    if leftKind == .numeric, right == .midNum || quote(right), rightRight == .numeric { return false }
    if leftKind == .katakana, right == .katakana { return false }  // WB13
    if letter(leftKind) || [.numeric, .katakana, .extendNumLet].contains(leftKind), right == .extendNumLet {
      return false  // WB13a
    }
    if leftKind == .extendNumLet, letter(right) || right == .numeric || right == .katakana {
      return false  // WB13b
    }
    if leftKind == .regionalIndicator, right == .regionalIndicator {  // WB15, WB16
      var count = 0
      var place = left
      while raw[place] == .regionalIndicator {
        count += 1
        guard place > 0 else { break }
        place = base(place - 1)
      }
      return count % 2 == 0
    }
    return true  // WB999
  }
}
