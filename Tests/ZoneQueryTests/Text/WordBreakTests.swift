import Testing

@testable import ZoneQuery

@Suite("Word boundaries")
struct WordBreakTests {
  /// The scalars' numbers before which the segmenter sees a boundary, the end included.
  static func boundaries(_ scalars: [UInt32]) -> [Int] {
    let utf8 = scalars.utf8
    var starts: [Int: Int] = [:]
    var offset = 0
    for (number, scalar) in scalars.enumerated() {
      starts[offset] = number
      offset += [scalar].utf8.count
    }
    starts[offset] = scalars.count
    let segmenter = WordSegmenter(UnicodeTables.shared)
    var found: [Int] = [0]
    var position = 0
    while position < utf8.count {
      position = segmenter.segment(in: utf8.span, at: position).end
      found.append(starts[position] ?? -1)
    }
    return found
  }

  @Test("WordBreakTest.txt, every line", .enabled(if: UnicodeFiles.areThere("auxiliary/WordBreakTest.txt")))
  func authority() throws {
    let lines = try #require(UnicodeFiles.lines("auxiliary/WordBreakTest.txt"))
    var checked = 0
    for line in lines {
      var scalars: [UInt32] = []
      var expected: [Int] = []
      for part in line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }) {
        if part.elementsEqual("÷".utf8) {
          expected.append(scalars.count)
        } else if !part.elementsEqual("×".utf8) {
          scalars += part.scalars
        }
      }
      #expect(Self.boundaries(scalars) == expected, "\(line.string)")
      checked += 1
    }
    print("WordBreakTest.txt: \(checked) lines")
    #expect(checked >= 1_500)
  }

  /// `|` stands for each boundary between two segments.
  static let sample: [String] = [
    // WB3 to WB3b: line ends
    "a|\r\n|b", "a|\n|\r|b", "a|\u{85}|\u{2028}|\u{2029}|b", "a|\u{0B}|\u{0C}|b", "\r|\u{308}", "\n|\u{200D}",
    "a\u{308}|\r\n|\u{308}", "\u{2028}|\u{AD}|a", "1|\n|2",
    // WB3c: joiners before pictographs
    "👩\u{200D}👩\u{200D}👦", "a\u{200D}👦", "👩\u{200D}|a", "\u{200D}👦|👦", "❤\u{FE0F}\u{200D}🔥", "👍🏽|👍",
    " \u{200D}👦", "\n|\u{200D}👦", "🛑\u{200D}🛑|🛑", "🏳\u{FE0F}\u{200D}🌈", "Ⓜ\u{200D}Ⓜ",
    // WB3d: runs of spaces
    "a|   |b", " \u{2003}\u{3000}", " \u{308}| ", "a|\t|\t|b", "a| |\u{A0}| |b",
    // WB4: marks, joiners and format characters
    "e\u{301}te\u{301}", "so\u{AD}ft", "a\u{200D}b", "\u{301}|a", "\u{FEFF}|a", "a\u{FEFF}b",
    "3\u{308}.\u{308}1",
    "can\u{308}'\u{308}t", "a\u{200C}b", "-\u{308}|a", "1\u{FE0F}\u{20E3}", "x\u{E0100}y",
    // WB5 to WB7: letters and what stands between them
    "can't", "can’t", "e.g|.", "a:b", "a.b.c", "a|:|:|b", "a|.|.|b", "a|,|b", "a|'", "'|a", "'|a|'", "a|.",
    "a|:|1",
    "O’Neill's", "l·l", "a·b", "a\u{2027}b", "example.com", "info|@|example.com", "a|'|'|b",
    "Mary's|-|in|-|law",
    "a|'|1", "x\u{FE55}y", "a\u{FF0E}b", "a|.\u{308}|1",
    // WB7a to WB7c: Hebrew
    "צה\"ל", "צ'", "צ'ק", "א|\"|a", "א|\"", "a|\"|א", "א'|\"|א", "א\"א'", "א'|'", "ש\u{5C1}\"ס", "א״ב",
    // WB8 to WB12: numbers
    "1234", "3.14", "1,000,000.5", "3a", "a3", "1|:|2", "1'000", "1;2", "1|.|.|2", "1|.", ".|1", "1|,|a",
    "3|-|4", "$|5", "5|%", "٣٫١٤", "1|.|a", "a1.2b", "0x1F",
    // WB13 to WB13b: Katakana and connectors
    "タワー", "タワー|東|京", "ｶﾀｶﾅ", "タ_a_1_タ", "_", "a_b", "__|.|_", "タ|a", "a_タ", "1_000", "snake_case.x",
    "a_|.|b",
    // WB15, WB16: flags
    "🇩🇪|🇫🇷", "🇩🇪|🇫", "🇩\u{308}🇪|🇫🇷", "a|🇩🇪|b", "🇩🇪\u{200D}|🇫🇷", "🇦|\n|🇧",
    // WB999: one segment a character
    "東|京", "ひ|ら|が|な", "ก|รุ|ง", "東|a|京", "!|?|!", "a|-|b", "€|5", "½|a",
    // Other scripts hold together
    "Москва|-|река", "서울특별시", "नमस्ते", "القاهرة", "Ελλάδα", "ᄀ\u{1161}\u{11A8}", "Ⅷ", "ⓐb",
    "", "\u{0}", "\u{0}|\u{0}", "a|\u{0}|b", "\u{10FFFF}", "\u{E0001}", "a|\u{378}|b",
  ]

  @Test("A sample of every rule")
  func sampled() {
    for case let marked in Self.sample {
      var scalars: [UInt32] = []
      var expected = [0]
      for scalar in marked.unicodeScalars {
        if scalar == "|" { expected.append(scalars.count) } else { scalars.append(scalar.value) }
      }
      if !scalars.isEmpty { expected.append(scalars.count) }
      #expect(Self.boundaries(scalars) == expected, "\(marked.debugDescription)")
    }
    #expect(Self.sample.count >= 100)
  }

  /// A random text, mostly of scalars that the rules speak of, each kind as likely as any other.
  static func randomScalars(_ generator: inout SplitMix) -> [UInt32] {
    let kinds: [[UInt32]] = [
      [0x0D], [0x0A], [0x85, 0x0B, 0x2028], [0x300, 0x308, 0xFE0F, 0x903], [0x200D], [0xAD, 0xFEFF, 0x200E],
      [0x1F1E6, 0x1F1E7], [0x30A2, 0x3031, 0xFF66], [0x5D0, 0x5E7],
      [0x41, 0x7A, 0xE9, 0x430, 0xAC00, 0x24C2],
      [0x27], [0x22], [0x2E, 0x2019], [0x3A, 0xB7], [0x2C, 0x3B], [0x30, 0x660], [0x5F, 0x202F],
      [0x20, 0x3000],
      [0x1F468, 0xA9, 0x2764], [0x4E00, 0x3042, 0xE01, 0x21, 0],
    ]
    return (0..<Int.random(in: 1...24, using: &generator)).map { _ in
      if Int.random(in: 0..<12, using: &generator) == 0 {
        return Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator))?.value ?? 0x61
      }
      return kinds.randomElement(using: &generator)?.randomElement(using: &generator) ?? 0x61
    }
  }

  @Test("Random text, against the rules one by one")
  func rules() {
    var generator = SplitMix(seed: 29)
    var checked = 0
    while checked < TestAmount.of(220_000) {
      let scalars = Self.randomScalars(&generator)
      let reference = ReferenceWordBreaks(scalars)
      let expected = (0...scalars.count).filter(reference.isBoundary)
      #expect(Self.boundaries(scalars) == expected, "\(scalars.map { String($0, radix: 16) })")
      checked += scalars.count + 1
    }
    print("word boundaries against the rules: \(checked) positions")
    #expect(checked >= TestAmount.of(200_000))
  }

  @Test(
    "The table agrees with the data files for every scalar",
    .enabled(if: UnicodeFiles.areThere("auxiliary/WordBreakProperty.txt", "emoji/emoji-data.txt")))
  func table() throws {
    let lines = try #require(UnicodeFiles.lines("auxiliary/WordBreakProperty.txt"))
    let emoji = try #require(UnicodeFiles.lines("emoji/emoji-data.txt"))
    let names: [String: WordBreakProperty] = [
      "CR": .carriageReturn, "LF": .lineFeed, "Newline": .newline, "Extend": .extend, "ZWJ": .zeroWidthJoiner,
      "Format": .format, "Regional_Indicator": .regionalIndicator, "Katakana": .katakana,
      "Hebrew_Letter": .hebrewLetter, "ALetter": .letter, "Single_Quote": .singleQuote,
      "Double_Quote": .doubleQuote, "MidNumLet": .midNumLet, "MidLetter": .midLetter, "MidNum": .midNum,
      "Numeric": .numeric, "ExtendNumLet": .extendNumLet, "WSegSpace": .space,
    ]
    var expected = [UInt8](repeating: 0, count: 0x110000)
    for fields in lines.map(\.fields) {
      for scalar in fields[0].range { expected[Int(scalar)] = names[fields[1].string]?.rawValue ?? 255 }
    }
    for fields in emoji.map(\.fields) where fields[1].string == "Extended_Pictographic" {
      for scalar in fields[0].range { expected[Int(scalar)] |= 0x20 }
    }
    let table = UnicodeTables.shared.properties
    let wrong = (0..<UInt32(0x110000)).filter { table[$0] & 0x3F != expected[Int($0)] }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }
}
