import Testing

@testable import ZoneQuery

@Suite("Tokenizer")
struct TokenizerTests {
  @Test(
    "Tokens of a text",
    arguments: [
      ("The quick brown fox", ["quick", "brown", "fox"]),
      ("Can't stop, won’t stop", ["can't", "stop", "won't"]),
      ("The Café ’Ünïcode’, 3.14 €", ["cafe", "unicode", "3.14"]),
      ("to be or not to be, Hamlet's hamlet's", ["hamlet's"]),
      ("to be or not to be", []), ("THE The ｔｈｅ thé", []), ("", []), ("!?… 👍 — €", []),
      ("3.14 1,000 1:2", ["3.14", "1,000", "1", "2"]), ("snake_case __ _x", ["snake_case", "_x"]),
      ("O'Brien-Smith@example.com", ["o'brien", "smith", "example.com"]), ("its it's", ["its", "it's"]),
      ("Straße STRASSE strasse", ["strasse"]), ("ﬁne fine", ["fine"]),
      ("Ångström \u{212B}NGSTRÖM", ["angstrom"]),
      ("Москва, МОСКВА", ["москва"]), ("東京タワー", ["東", "京", "タワー"]), ("ﾀﾜｰ", ["タワー"]),
      ("ก", ["ก"]), ("½ Ⅷ ①", ["1⁄2", "viii", "1"]), ("1️⃣ 🅰 ™ ©", ["1", "🅰"]), ("x\u{301}\u{302}y", ["xy"]),
      ("\u{FEFF}bom", ["bom"]), ("a\u{0}b", ["b"]), ("ñ n", ["n"]), ("q\u{345}", ["qι"]), ("\u{345}", []),
      ("ﾞ", []), ("\u{301}", []), ("İstanbul Diyarbakır", ["istanbul", "diyarbakır"]), ("צה\"ל", ["צה\"ל"]),
      ("a.b", ["a.b"]), ("the.", []), ("end.", ["end"]), ("'tis", ["tis"]), ("x'", ["x"]),
      ("x,1", ["x", "1"]),
      ("caf\u{E9}'s", ["cafe's"]), ("x.é", ["x.e"]), ("x:\u{308}é", ["x:e"]), ("x.\u{308}", ["x"]),
      ("👨‍👩‍👧‍👦 🇩🇪🇫🇷", []), ("a👍b", ["b"]), ("\u{50000} \u{378}x", ["x"]),
    ] as [(String, [String])])
  func tokens(_ text: String, _ expected: [String]) {
    let tokens = Tokenizer().tokens(of: text).map { Array($0.utf8) }
    #expect(tokens == expected.map { Array($0.utf8) }, "\(Tokenizer().tokens(of: text))")
  }

  @Test("Hangul tokens are the same however it was written")
  func hangul() {
    let syllables = Tokenizer().distinctTokens(in: Array("서울".utf8))
    #expect(
      syllables == Tokenizer().distinctTokens(in: Array("\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}".utf8)))
    #expect(syllables.map(\.count) == [15])
  }

  @Test("What keeps a segment: letters, digits and ideographs, as the standard library knows them")
  func kept() {
    let table = UnicodeTables.shared.properties
    var (checked, kept) = (0, 0)
    for value in UInt32(0)...0x10FFFF {
      // The standard library's Unicode may be newer than the tables'.
      guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age.major <= 15,
        age.major < 15 || age.minor == 0
      else { continue }
      let properties = scalar.properties
      let isMark = [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
      let isVoicing = value == 0xFF9E || value == 0xFF9F
      let expected =
        !isMark && !isVoicing
        && (properties.isAlphabetic || properties.isIdeographic || properties.numericType != nil
          || [.decimalNumber, .letterNumber, .otherNumber].contains(properties.generalCategory))
      if ScalarProperties(rawValue: table[value]).keepsSegment != expected {
        Issue.record("U+\(String(value, radix: 16))")
      }
      checked += 1
      kept += expected ? 1 : 0
    }
    print("letters, digits and ideographs: \(kept) of \(checked) scalars")
    #expect(checked >= 280_000 && kept >= 130_000)
  }

  @Test("The stop words are CloudKit's list")
  func stopWords() {
    #expect(StopWords.all.count == 33)
    #expect(StopWords.all.allSatisfy { $0.utf8.count <= StopWords.longest })
    for word in StopWords.all {
      #expect(Tokenizer().tokens(of: word).isEmpty)
      #expect(Tokenizer().tokens(of: "\u{FEFF}\(word)\u{301} \(word)").isEmpty)
      #expect(Tokenizer().tokens(of: word + "x").count == 1)
    }
    #expect(Tokenizer().tokens(of: "from has he i you we what").count == 7)
  }

  @Test("Each segment is explained, and their sources make up the text")
  func explanation() {
    let text = "The Café, won’t!"
    let segments = Tokenizer().explain(text)
    #expect(
      segments.map { "\($0.source) → \($0.outcome)" } == [
        "The → stopWord(\"the\")", "  → noLetterOrDigit", "Café → token(\"cafe\")", ", → noLetterOrDigit",
        "  → noLetterOrDigit", "won’t → token(\"won\\'t\")", "! → noLetterOrDigit",
      ])
    #expect(segments.map(\.utf8Range) == [0..<3, 3..<4, 4..<9, 9..<10, 10..<11, 11..<18, 18..<19])
    #expect(Tokenizer().explain("").isEmpty)
  }

  static func all(_ bytes: [UInt8]) -> [[UInt8]] {
    var tokens: [[UInt8]] = []
    var scratch = TokenScratch()
    Tokenizer().forEachToken(in: bytes.span, using: &scratch) { token in
      tokens.append(token.indices.map { token[$0] })
    }
    return tokens
  }

  @Test("Random text: the fast path, the explanation and the distinct tokens agree")
  func paths() {
    var generator = SplitMix(seed: 4)
    let ascii = Array("aZ09_'\".:,; -the".utf8).map(UInt32.init)
    var checked = 0
    for round in 0..<TestAmount.of(30_000) {
      let scalars: [UInt32] =
        round % 3 == 0
        ? WordBreakTests.randomScalars(&generator)
        : (0..<Int.random(in: 0...20, using: &generator)).map { _ in
          Int.random(in: 0..<14, using: &generator) == 0 && round % 3 == 1
            ? [0x300, 0xE9, 0xAD, 0x5D0].randomElement(using: &generator) ?? 0x300
            : ascii.randomElement(using: &generator) ?? 0x61
        }
      let bytes = scalars.utf8
      let text = String(decoding: bytes, as: UTF8.self)
      let segments = Tokenizer().explain(text)
      let explained = segments.compactMap { segment -> [UInt8]? in
        if case .token(let token) = segment.outcome { Array(token.utf8) } else { nil }
      }
      let tokens = Self.all(bytes)
      if tokens != explained { Issue.record("\(scalars.map { String($0, radix: 16) })") }
      if segments.flatMap({ Array($0.source.utf8) }) != bytes { Issue.record("the sources are not the text") }
      var seen: Set<[UInt8]> = []
      let distinct = tokens.filter { seen.insert($0).inserted }
      if Tokenizer().distinctTokens(in: bytes) != distinct { Issue.record("\(text)") }
      checked += tokens.count
    }
    print("tokens by both paths: \(checked)")
    #expect(checked >= TestAmount.of(50_000))
  }

  @Test("A token is a token of its own, and the same one")
  func stability() {
    for text in ["The Café’s 3.14 Straße", "東京タワー ﾀﾜｰ", "Москва서울", "Ελλάδα ᾳ", "l’été O'Neill"] {
      let tokens = Tokenizer().distinctTokens(in: Array(text.utf8))
      for token in tokens { #expect(Tokenizer().distinctTokens(in: token) == [token]) }
    }
  }

  @Test("Bytes that are no UTF-8 end in something")
  func malformed() {
    var generator = SplitMix(seed: 11)
    var bytes = 0
    for _ in 0..<TestAmount.of(4_000) {
      let noise = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator) : UInt8.random(in: 0xC0...0xFF, using: &generator)
      }
      _ = Self.all(noise)
      for folding in FoldingTests.all { _ = FoldingTests.fold(noise, folding) }
      let reflexive = Folding.caseAndMarks.areEqual(noise.span, noise.span)
      #expect(reflexive)
      bytes += noise.count
    }
    #expect(bytes >= TestAmount.of(60_000))
  }

  @Test("What the body throws ends the walk")
  func throwing() {
    struct Enough: Error {}
    var scratch = TokenScratch()
    var count = 0
    #expect(throws: Enough.self) {
      try Tokenizer().forEachToken(in: Array("one two three".utf8).span, using: &scratch) {
        _ throws(Enough) in
        count += 1
        if count == 2 { throw Enough() }
      }
    }
    #expect(count == 2)
  }

  /// The time for a text, the best of some.
  static func time(_ count: Int = 5, _ work: () -> Void) -> Duration {
    (0..<count).map { _ in threadTime(of: work) }.min() ?? .zero
  }

  /// Texts that are costly for a reader that orders marks pairwise, looks ahead again and again or rescans.
  static let hostile: [(name: String, unit: [String], head: String, token: String)] = [
    ("marks", ["\u{301}", "\u{327}"], "x", "x"),
    ("marks of falling class", ["\u{345}", "\u{301}", "\u{5B0}"], "x", ""),
    ("a joining mark and format characters", ["\u{AD}"], "x.", ""),
    ("joining marks", [".", "\u{308}"], "x", "x"),
    ("joiners", ["\u{200D}"], "x'", ""),
    ("quotes after Hebrew", ["\"", "\u{308}"], "א", "א"),
    ("flags", ["🇩"], "x", "x"),
    ("letters and marks", ["b", "\u{301}", "'"], "x", ""),
    ("digits and commas", ["1", ","], "1", ""),
    ("jamo", ["\u{1109}", "\u{1165}", "\u{11AF}"], "x", ""),
    ("long words", ["b"], "X", ""),
    ("underscores", ["_"], "é", ""),
    ("ligatures", ["\u{FDFA}"], "x", ""),
    ("families", ["👨", "\u{200D}"], "x", "x"),
  ]

  @Test("Hostile text takes time in proportion to its length", arguments: hostile.map(\.name))
  func linear(_ name: String) throws {
    let shape = try #require(Self.hostile.first { $0.name == name })
    func text(_ count: Int) -> [UInt8] {
      let unit = shape.unit.flatMap { Array($0.utf8) }
      return Array(shape.head.utf8) + (0..<count / unit.count).flatMap { _ in unit }
    }
    let (short, long) = (text(6_000), text(96_000))
    for work in [
      { (bytes: [UInt8]) in _ = Self.all(bytes) },
      { (bytes: [UInt8]) in _ = FoldingTests.fold(bytes, .caseAndMarks) },
      { (bytes: [UInt8]) in _ = FoldingTests.fold(bytes, .caseAlone) },
    ] {
      // 16 times the text: quadratic work would take 256 times as long. A busy machine gets four attempts, of which the
      // first reads the long text once.
      let isLinear = [1, 5, 5, 5].contains { count in
        Self.time(count) { work(long) } / max(Self.time { work(short) }, .microseconds(20)) < 80
      }
      #expect(isLinear, "\(name)")
    }
    if !shape.token.isEmpty { #expect(Self.all(long).first == Array(shape.token.utf8)) }
  }

  @Test("A bomb of marks: 320 KB of two alternating marks on one letter")
  func markBomb() {
    let bomb = Array("x".utf8) + (0..<80_000).flatMap { _ in Array("\u{301}\u{327}".utf8) }
    #expect(Self.all(bomb) == [Array("x".utf8)])
    #expect(Folding.marksAlone.folded(bomb) == Array("x".utf8))
    #expect(Folding.caseAndMarks.folded(bomb) == Array("x".utf8))
    #expect(Folding.caseAlone.folded(bomb) == bomb)
    // Marks that become letters keep their number, whatever stands between them.
    let iotas = Array("α".utf8) + (0..<80_000).flatMap { _ in Array("\u{345}\u{301}".utf8) }
    let expected = Array("α".utf8) + (0..<80_000).flatMap { _ in Array("ι".utf8) }
    #expect(Self.all(iotas) == [expected])
  }
}
