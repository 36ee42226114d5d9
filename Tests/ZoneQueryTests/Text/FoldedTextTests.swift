import Testing

@testable import ZoneQuery

/// What is sought of a folded text among texts in order, against folding all of these.
@Suite struct FoldedTextTests {
  private static let pieces: [[String]] = [
    [
      "o", "O", "s", "S", "ſ", "ß", "ẞ", "ss", "k", "K", "\u{212A}", "ﬁ", "fi", "Fi", "ﬆ", "i", "I", "İ", "ı",
      "\u{307}",
    ],
    [
      "e", "E", "é", "É", "e\u{301}", "\u{301}", "\u{300}", "a", "Å", "\u{212B}", "a\u{30A}", "ᾳ", "α", "ι", "\u{345}",
      " ",
    ],
    [
      "서", "설", "\u{1109}", "\u{1165}", "\u{11AF}", "ㅅ", "a", "á", "\u{50000}", "\u{1D165}", "𝒜", "丽", "\u{2F800}", "丽",
    ],
    ["a", "A", "b", "B", "\u{0}", "\u{7F}", "z", "Z", "[", "@"],
  ]

  private static func text(_ pieces: [String], _ most: Int, _ samples: inout SplitMix) -> String {
    (0..<samples.below(most + 1)).map { _ in pieces[samples.below(pieces.count)] }.joined()
  }

  private static func order(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }

  /// Those of sorted texts that are asked for, and in how many searches.
  private static func found(_ sought: inout FoldedText, in texts: [[UInt8]]) -> (texts: [[UInt8]], searches: Int) {
    var (found, searches): ([[UInt8]], Int) = ([], 0)
    while let bound = sought.next {
      searches += 1
      var (position, end) = (0, texts.count)
      while position < end {
        let middle = (position + end) / 2
        if order(texts[middle], bound) { position = middle + 1 } else { end = middle }
      }
      if position == texts.count { break }
      let text = texts[position]
      switch sought.step(text.span) {
      case .passed: break
      case .found: found.append(text)
      case .foundBeginning(let count):
        found += texts[position...].prefix { $0.starts(with: text[..<count]) }
        sought.pass(beginning: text[..<count])
      }
      if let next = sought.next, !order(text, next) {
        Issue.record("from \(text) to \(next)")
        break
      }
    }
    return (found, searches)
  }

  /// Equal texts and those that begin so, of each folding, among texts that share pieces.
  @Test func drawn() {
    var (samples, checks, hits, unknown) = (SplitMix(seed: 91), 0, 0, 0)
    for round in 0..<TestAmount.of(240) {
      let pieces = Self.pieces[round % Self.pieces.count]
      let texts = Set((0..<120).map { _ in Array(Self.text(pieces, 4, &samples).utf8) }).sorted(by: Self.order)
      for folding in [Folding.caseAlone, .marksAlone, .caseAndMarks] {
        for isPrefix in [false, true] {
          for _ in 0..<12 {
            let text = folding.folded(Array(Self.text(pieces, 3, &samples).utf8))
            if isPrefix, text.isEmpty { continue }
            guard var sought = FoldedText(text, folding, isPrefix: isPrefix) else {
              #expect(folding != .caseAlone && round % Self.pieces.count == 2)
              unknown += 1
              continue
            }
            let expected = texts.filter {
              isPrefix ? folding.folded($0).starts(with: text) : folding.folded($0) == text
            }
            let found = Self.found(&sought, in: texts)
            #expect(found.texts == expected, "\(text) \(folding) \(isPrefix)")
            (checks, hits) = (checks + 1, hits + expected.count)
          }
        }
      }
    }
    print("folded texts: \(checks) sought, \(hits) found, \(unknown) left to a scan")
    #expect(checks >= TestAmount.of(13_000))
    #expect(hits >= TestAmount.of(14_000))
  }

  /// What is passed over is passed over together.
  @Test func searches() throws {
    let names = (0..<10_000).map {
      "\("BCDFGHJKLM".map(String.init)[$0 % 10])\("aeiou".map(String.init)[$0 / 10 % 5])\($0)"
    }
    let texts = (names + ["Oslo", "OSLO", "oslo", "Osló"]).map { Array($0.utf8) }.sorted(by: Self.order)
    var sought = try #require(FoldedText(Array("oslo".utf8), .caseAlone, isPrefix: false))
    let found = Self.found(&sought, in: texts)
    #expect(found.texts == ["OSLO", "Oslo", "oslo"].map { Array($0.utf8) })
    #expect(found.searches <= 12, "\(found.searches)")
    var beginning = try #require(FoldedText(Array("ma1".utf8), .caseAndMarks, isPrefix: true))
    let begun = Self.found(&beginning, in: texts)
    #expect(begun.texts.count == names.count { $0.hasPrefix("Ma1") })
    #expect(begun.searches <= 30, "\(begun.searches)")
  }

  /// The scalars that fold to others, read backwards, are those that the table folds.
  @Test func backwards() {
    var (mapped, vanished) = (0, 0)
    // Behind these, but for some selectors of variants, all fold to themselves.
    for value in [0..<0x3_0000, 0xE_0000..<0xE_0200].joined() as FlattenSequence<[Range<UInt32>]> {
      guard let scalar = Unicode.Scalar(value), !FoldedScalars.isHangul(value) else { continue }
      let bytes = Array(String(scalar).utf8)
      for (folding, table) in [
        (Folding.caseAlone, FoldingTable.caseAlone), (.marksAlone, .marksAlone), (.caseAndMarks, .caseAndMarks),
      ] {
        let folded = FoldedScalars.of(folding)
        let found = FoldingTests.fold(bytes, table)
        if found == bytes { continue }
        if let first = found.scalarValues.first {
          mapped += 1
          var isListed = false
          folded.forEach(foldingTo: first) { scalar, folding in
            if scalar == value { isListed = Array(folded.folding(folding)) == found }
            return !isListed
          }
          #expect(isListed, "\(value)")
        } else {
          vanished += 1
          #expect(folded.vanishing(from: value) == value)
        }
      }
    }
    print("folded backwards: \(mapped) scalars that fold to others, \(vanished) to nothing")
    #expect(mapped > 6_000 && vanished > 4_000)
  }
}
