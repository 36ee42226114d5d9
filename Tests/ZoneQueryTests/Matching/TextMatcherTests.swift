import Testing

@testable import ZoneQuery

/// Tests of texts, by every relation and folding, against plain ones of folded scalars.
@Suite struct TextMatcherTests {
  private static let pieces: [[String]] = [
    ["a", "b"], ["a", "A", "b", "B", "z", "Z", "@", "[", "`", "{", " "],
    ["é", "É", "e\u{301}", "ß", "s", "S", "ss", "\u{212A}", "k", "서", "\u{1109}", "𝒜", "a"],
    ["the ", "The ", "quick ", "sea", "SEA", "se", "ea ", "x", "E"],
  ]

  private static func text(_ pieces: [String], _ most: Int, _ samples: inout SplitMix) -> [UInt8] {
    Array((0..<samples.below(most + 1)).map { _ in pieces[samples.below(pieces.count)] }.joined().utf8)
  }

  /// Whether a text matches a pattern of scalars, `nil` for a star and `0` for a question mark: by all ways to cut it.
  private static func matches(_ text: [UInt32], _ pattern: [UInt32?]) -> Bool {
    var reached = [Bool](repeating: false, count: text.count + 1)
    reached[0] = true
    for part in pattern {
      var next = [Bool](repeating: false, count: text.count + 1)
      for place in reached.indices where reached[place] {
        if part == nil {
          for other in place...text.count { next[other] = true }
        } else if place < text.count, part == 0 || part == text[place] {
          next[place + 1] = true
        }
      }
      reached = next
    }
    return reached[text.count]
  }

  private static func expected(_ text: [UInt8], _ relation: TextTest.Relation, _ operand: [UInt8]) -> Bool {
    switch relation {
    case .equal: text == operand
    case .less: text.lexicographicallyPrecedes(operand)
    case .lessOrEqual: !operand.lexicographicallyPrecedes(text)
    case .greater: operand.lexicographicallyPrecedes(text)
    case .greaterOrEqual: !text.lexicographicallyPrecedes(operand)
    case .prefix: !operand.isEmpty && text.starts(with: operand)
    case .suffix: !operand.isEmpty && text.reversed().starts(with: operand.reversed())
    case .substring:
      !operand.isEmpty && text.count >= operand.count
        && (0...(text.count - operand.count)).contains { text[$0...].starts(with: operand) }
    case .pattern: false
    }
  }

  @Test func drawn() {
    let foldings: [TextFolding] = [[], .case, .marks, [.case, .marks]]
    let relations: [TextTest.Relation] = [
      .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .prefix, .suffix, .substring,
    ]
    var (samples, checks, hits) = (SplitMix(seed: 31), 0, 0)
    for round in 0..<TestAmount.of(400) {
      let pieces = Self.pieces[round % Self.pieces.count]
      let texts = (0..<24).map { _ in Self.text(pieces, 14, &samples) }
      for folding in foldings {
        let folded = texts.map { folding.fold($0) }
        for relation in relations {
          let operand = Self.text(pieces, relation == .substring ? 4 : 2, &samples)
          let matcher = TextMatcher(TextTest(relation, operand, folding: folding))
          for (text, plain) in zip(texts, folded) {
            let expected = Self.expected(plain, relation, folding.fold(operand))
            if matcher.matches(text.span) != expected {
              Issue.record("\(text) \(relation) \(operand) \(folding)")
            }
            (checks, hits) = (checks + 1, hits + (expected ? 1 : 0))
          }
        }
      }
    }
    print("text matchers: \(checks) checks, \(hits) hold")
    #expect(checks >= TestAmount.of(300_000) && hits > checks / 10)
  }

  @Test func patterns() {
    var (samples, checks, hits) = (SplitMix(seed: 32), 0, 0)
    for round in 0..<TestAmount.of(1_200) {
      let pieces = Self.pieces[round % Self.pieces.count]
      let folding: TextFolding = [[], .case, .marks, [.case, .marks]][round / 4 % 4]
      var (written, parts): (String, [UInt32?]) = ("", [])
      for _ in 0..<samples.below(7) {
        switch samples.below(5) {
        case 0:
          written += "*"
          parts.append(nil)
        case 1:
          written += "?"
          parts.append(0)
        case 2:
          written += ["\\*", "\\?", "\\\\"][samples.below(3)]
          parts.append(written.unicodeScalars.last?.value)
        default:
          let piece = pieces[samples.below(pieces.count)]
          written += piece
          parts += folding.fold(Array(piece.utf8)).scalarValues.map { $0 }
        }
      }
      let matcher = TextMatcher(TextTest(.pattern, Array(written.utf8), folding: folding))
      for _ in 0..<24 {
        let text = Self.text(pieces + ["*", "?", "\\"], 7, &samples)
        let expected = Self.matches(folding.fold(text).scalarValues, parts)
        // Hangul composes with what is written beside it.
        if folding.contains(.marks), round % Self.pieces.count == 2 { continue }
        if matcher.matches(text.span) != expected {
          Issue.record("\(String(decoding: text, as: UTF8.self)) LIKE \(written) \(folding)")
        }
        (checks, hits) = (checks + 1, hits + (expected ? 1 : 0))
      }
    }
    print("patterns: \(checks) checks, \(hits) match")
    #expect(checks >= TestAmount.of(20_000) && hits > checks / 20)
  }

  /// Runs that nearly stand at every place are sought in linear time, and found where they stand.
  @Test func runsThatAreNearlyThere() {
    for (unit, end) in [("a", "b"), ("ab", "ac"), ("aaab", "aaac"), ("é", "è")] {
      let (units, needle) = (
        Array(String(repeating: unit, count: 4_000).utf8), Array((String(repeating: unit, count: 60) + end).utf8)
      )
      let search = ByteSearch(needle)
      for lowers in [false, true] where !lowers || unit != "é" {
        #expect(search.end(in: units.span, from: 0, to: units.count, lowers: lowers) == nil)
        for gap in [0, 1, 7, 8, 500] {
          let text = units + needle + Array(repeating: UInt8(ascii: "x"), count: gap)
          #expect(search.end(in: text.span, from: 0, to: text.count, lowers: lowers) == text.count - gap)
          #expect(search.end(in: text.span, from: 0, to: text.count - gap - 1, lowers: lowers) == nil)
        }
      }
    }
  }
}
