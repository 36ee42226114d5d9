import Testing

@testable import ZoneQuery

@Suite("Folding")
struct FoldingTests {
  static let all: [FoldingTable] = [.caseAlone, .marksAlone, .caseAndMarks, .tokens]

  static func fold(_ bytes: [UInt8], _ folding: FoldingTable) -> [UInt8] {
    var folded: [UInt8] = []
    folding.fold(bytes.span, into: &folded)
    return folded
  }

  static func fold(_ text: String, _ folding: FoldingTable) -> [UInt32] {
    fold(Array(text.utf8), folding).scalarValues
  }

  @Test(
    "What each option ignores",
    arguments: [
      // text, [c], [d], [cd], token
      ("San JOSÉ", "san josé", "San JOSE", "san jose", "san jose"),
      ("e\u{301}", "e\u{301}", "e", "e", "e"),
      ("İ", "i\u{307}", "I", "i", "i"), ("ı", "ı", "ı", "ı", "ı"), ("I", "i", "I", "i", "i"),
      ("ß", "ss", "ß", "ss", "ss"), ("ẞ", "ss", "ẞ", "ss", "ss"), ("ſ", "s", "ſ", "s", "s"),
      ("ﬁ", "fi", "ﬁ", "fi", "fi"), ("ﬃ", "ffi", "ﬃ", "ffi", "ffi"), ("ﬅ", "st", "ﬅ", "st", "st"),
      ("Å", "å", "A", "a", "a"), ("\u{212B}", "å", "A", "a", "a"), ("\u{212A}", "k", "K", "k", "k"),
      ("\u{2126}", "ω", "Ω", "ω", "ω"), ("ς", "σ", "ς", "σ", "σ"), ("ΌΣΟΣ", "όσοσ", "ΟΣΟΣ", "οσοσ", "οσοσ"),
      ("ᾳ", "αι", "α", "αι", "αι"), ("ᾼ", "αι", "Α", "αι", "αι"), ("\u{345}", "ι", "", "ι", "ι"),
      ("α\u{345}\u{301}", "αι\u{301}", "α", "αι", "αι"), ("ŉ", "ʼn", "ŉ", "ʼn", "ʼn"),
      ("ø Ł đ", "ø ł đ", "ø Ł đ", "ø ł đ", "ø ł đ"), ("Æ œ", "æ œ", "Æ œ", "æ œ", "æ œ"),
      ("½", "½", "½", "½", "1⁄2"), ("²", "²", "²", "²", "2"), ("Ⅷ", "ⅷ", "Ⅷ", "ⅷ", "viii"),
      ("ＡＢ１", "ａｂ１", "ＡＢ１", "ａｂ１", "ab1"), ("Ⓐ", "ⓐ", "Ⓐ", "ⓐ", "a"), ("™", "™", "™", "™", "tm"),
      ("L’ÉTÉ", "l’été", "L’ETE", "l’ete", "l'ete"), ("Ǆ", "ǆ", "Ǆ", "ǆ", "dz"), ("𝒜", "𝒜", "𝒜", "𝒜", "a"),
      ("ガ", "ガ", "カ", "カ", "カ"), ("ｶﾞ", "ｶﾞ", "ｶﾞ", "ｶﾞ", "カ"), ("がぱ", "がぱ", "かは", "かは", "かは"),
      ("설", "설", "설", "설", "\u{1109}\u{1165}\u{11AF}"),
      ("\u{1109}\u{1165}\u{11AF}", "\u{1109}\u{1165}\u{11AF}", "설", "설", "\u{1109}\u{1165}\u{11AF}"),
      ("서\u{11AF}", "서\u{11AF}", "설", "설", "\u{1109}\u{1165}\u{11AF}"),
      ("\u{1109}\u{301}\u{1165}", "\u{1109}\u{301}\u{1165}", "서", "서", "\u{1109}\u{1165}"),
      ("설\u{11AF}", "설\u{11AF}", "설\u{11AF}", "설\u{11AF}", "\u{1109}\u{1165}\u{11AF}\u{11AF}"),
      ("ㅅ", "ㅅ", "ㅅ", "ㅅ", "\u{1109}"),
      ("क़ी", "क़ी", "क", "क", "क"),
      ("שָׁלוֹם", "שָׁלוֹם", "שלום", "שלום", "שלום"),
      ("مُحَمَّد", "مُحَمَّد", "محمد", "محمد", "محمد"),
      (
        "\u{AD}\u{200B}\u{FEFF}", "\u{AD}\u{200B}\u{FEFF}", "\u{AD}\u{200B}\u{FEFF}",
        "\u{AD}\u{200B}\u{FEFF}",
        "\u{AD}\u{200B}\u{FEFF}"
      ),
      ("❤\u{FE0F}", "❤\u{FE0F}", "❤", "❤", "❤"), ("\u{0}", "\u{0}", "\u{0}", "\u{0}", "\u{0}"),
      (
        "\u{50000}\u{10FFFF}", "\u{50000}\u{10FFFF}", "\u{50000}\u{10FFFF}", "\u{50000}\u{10FFFF}",
        "\u{50000}\u{10FFFF}"
      ),
      ("\u{2F800}", "\u{2F800}", "丽", "丽", "丽"), ("ᏸᏰꭰ", "ᏰᏰᎠ", "ᏸᏰꭰ", "ᏰᏰᎠ", "ᏰᏰᎠ"), ("", "", "", "", ""),
    ] as [(String, String, String, String, String)])
  func examples(_ row: (String, String, String, String, String)) {
    for (folding, expected) in zip(Self.all, [row.1, row.2, row.3, row.4]) {
      // As scalars: Swift's == merges what folding must tell apart.
      #expect(Self.fold(row.0, folding) == expected.unicodeScalars.map(\.value), "\(folding) of \(row.0)")
    }
  }

  @Test("CaseFolding.txt, every full folding", .enabled(if: UnicodeFiles.areThere("CaseFolding.txt")))
  func caseFolding() throws {
    let lines = try #require(UnicodeFiles.lines("CaseFolding.txt"))
    var checked = 0
    for fields in lines.map(\.fields) where fields[1].first == 0x43 || fields[1].first == 0x46 {
      #expect(
        Folding.caseAlone.folded(fields[0].scalars.utf8) == fields[2].scalars.utf8, "\(fields[0].string)")
      checked += 1
    }
    print("CaseFolding.txt: \(checked) foldings")
    #expect(checked >= 1_500)
  }

  @Test(
    "NormalizationTest.txt, every line",
    .enabled(if: UnicodeFiles.areThere("NormalizationTest.txt.bz2", "UnicodeData.txt", "CaseFolding.txt")))
  func normalization() throws {
    let lines = try #require(UnicodeFiles.lines("NormalizationTest.txt.bz2"))
    let reference = try #require(ReferenceUnicode.shared)
    var checked = 0
    for line in lines where line.first != 0x40 {
      let forms = line.fields.prefix(5).map(\.scalars)
      // The authority judges the reference, and both judge the product.
      if checked % 16 == 0 || forms[0].count > 1 {
        #expect(reference.decomposed(forms[0]) == forms[2], "\(line.string)")
        #expect(reference.decomposed(forms[0], compatibly: true) == forms[4], "\(line.string)")
      }
      let token = Self.fold(forms[4].utf8, .tokens)
      let marks = reference.withHangulComposed(reference.withoutMarks(forms[2])).utf8
      for (number, form) in forms.enumerated() {
        #expect(Self.fold(form.utf8, .tokens) == token, "\(line.string)")
        if number < 3 { #expect(Self.fold(form.utf8, .marksAlone) == marks, "\(line.string)") }
      }
      let decomposed = reference.caseFolded(forms[4])
      let twice = reference.decomposed(reference.caseFolded(decomposed), compatibly: true)
      #expect(token.scalarValues == reference.withoutMarks(twice).map { $0 == 0x2019 ? 0x27 : $0 })
      checked += 1
    }
    print("NormalizationTest.txt: \(checked) lines")
    #expect(checked >= 15_000)
  }

  @Test(
    "Every scalar and random strings of them, against the definitions",
    .enabled(if: UnicodeFiles.areThere("UnicodeData.txt", "CaseFolding.txt")))
  func reference() throws {
    let reference = try #require(ReferenceUnicode.shared)
    var checked = 0
    func check(_ scalars: [UInt32]) {
      for folding in Self.all {
        let folded = Self.fold(scalars.utf8, folding)
        let same = folded.scalarValues == reference.folded(scalars, folding)
        let stable = Self.fold(folded, folding) == folded
        if !same || !stable { Issue.record("\(folding) of \(scalars.map { String($0, radix: 16) })") }
        checked += 1
      }
    }
    for scalar in reference.assigned { check([scalar]) }
    let lively = reference.assigned.filter {
      reference.folded([$0], .tokens) != [$0] || reference.folded([$0], .caseAlone) != [$0]
    }
    var generator = SplitMix(seed: 146)
    for _ in 0..<TestAmount.of(6_000) {
      check(
        (0..<Int.random(in: 2...9, using: &generator)).map { _ in
          switch Int.random(in: 0..<8, using: &generator) {
          case 0: UInt32.random(in: 0x300...0x345, using: &generator)
          case 1: UInt32.random(in: 0x1100...0x11C2, using: &generator)
          case 2: UInt32.random(in: 0xAC00...0xD7A3, using: &generator)
          case 3: 0x345
          default: lively.randomElement(using: &generator) ?? 0x41
          }
        })
    }
    print("foldings against the definitions: \(checked) checks")
    #expect(checked >= 150_000)
  }

  @Test("Equality of foldings is equality of their bytes")
  func equality() {
    let pieces = [
      "\u{1109}", "\u{1165}", "à", "Ω", "\u{2126}", "a", "A", "b", "é", "e\u{301}", "É", "e", "\u{301}", "ß",
      "ss", "S", "k", "\u{212A}", "ı", "i", "İ",
      "서", "\u{11AF}",
      "설", "", "\u{345}",
    ].map { Array($0.utf8) }
    var generator = SplitMix(seed: 7)
    var (checked, equal) = (0, 0)
    for _ in 0..<TestAmount.of(30_000) {
      let draw = { (count: Int) -> [UInt8] in
        (0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
      }
      let shared = draw(Int.random(in: 0...3, using: &generator))
      let (left, right) = (shared + draw(1), shared + draw(1))
      for folding in [Folding.caseAlone, .marksAlone, .caseAndMarks] {
        let expected = folding.folded(left) == folding.folded(right)
        let found = folding.areEqual(left.span, right.span)
        if found != expected { Issue.record("\(left) \(right)") }
        checked += 1
        equal += expected ? 1 : 0
      }
    }
    print("equality of foldings: \(checked) checks, \(equal) equal")
    #expect(checked >= TestAmount.of(90_000) && equal >= TestAmount.of(5_000))
    #expect(Folding(ignoringCase: true, ignoringMarks: false) == .caseAlone)
    #expect(Folding(ignoringCase: false, ignoringMarks: true) == .marksAlone)
    #expect(Folding(ignoringCase: true, ignoringMarks: true) == .caseAndMarks)
    #expect(Folding(ignoringCase: false, ignoringMarks: false) == nil)
  }
}
