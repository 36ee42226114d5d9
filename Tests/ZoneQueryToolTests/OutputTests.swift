import Foundation
import Testing
import ZoneQuery

@testable import ZoneQueryTool

/// Of Debian's package unicode-data.
private enum UnicodeWidths {
  static let path = "/usr/share/unicode/EastAsianWidth.txt"
}

struct OutputTests {
  @Test func widths() {
    #expect(DisplayWidth.columns(of: "abc") == 3)
    #expect(DisplayWidth.columns(of: "東京タワー") == 10)
    #expect(DisplayWidth.columns(of: "서울") == 4)
    #expect(DisplayWidth.columns(of: "\u{1112}\u{1161}\u{11AB}") == 2)
    #expect(DisplayWidth.columns(of: "e\u{301}o\u{308}") == 2)
    #expect(DisplayWidth.columns(of: "ＡＢ") == 4)
    #expect(DisplayWidth.columns(of: "😀") == 2)
    #expect(DisplayWidth.columns(of: "ｱ—…€") == 4)
  }

  @Test(.enabled(if: FileManager.default.isReadableFile(atPath: UnicodeWidths.path))) func wideRangesAgreeWithUnicode()
    throws
  {
    let text = try String(contentsOfFile: UnicodeWidths.path, encoding: .utf8)
    var checks = 0
    for line in text.split(separator: "\n") {
      let entry = line.split(separator: "#", omittingEmptySubsequences: false)[0].split(separator: ";")
      guard entry.count == 2 else { continue }
      let isWide = ["W", "F"].contains(entry[1].trimmingCharacters(in: .whitespaces))
      let bounds = entry[0].trimmingCharacters(in: .whitespaces).split(separator: ".").compactMap {
        UInt32($0, radix: 16)
      }
      for value in try #require(bounds.first)...(try #require(bounds.last)) {
        guard let scalar = Unicode.Scalar(value) else { continue }
        switch scalar.properties.generalCategory {
        case .unassigned, .nonspacingMark, .enclosingMark, .format, .control, .privateUse: continue
        default: break
        }
        if (0x1160...0x11FF).contains(value) { continue }
        checks += 1
        if (DisplayWidth.columns(of: scalar) == 2) != isWide { Issue.record("U+\(String(value, radix: 16))") }
      }
    }
    print("display width: \(checks) scalars checked")
    #expect(checks > 100_000)
  }

  @Test func cutting() {
    #expect(DisplayWidth.cut("abcdef", to: 6) == "abcdef")
    #expect(DisplayWidth.cut("abcdefg", to: 6) == "abcde…")
    #expect(DisplayWidth.cut("東京タワー", to: 6) == "東京…")
    #expect(DisplayWidth.cut("東京", to: 4) == "東京")
    #expect(DisplayWidth.cut("e\u{301}e\u{301}e\u{301}", to: 3) == "e\u{301}e\u{301}e\u{301}")
    #expect(DisplayWidth.cut("ab", to: 1) == "…")
  }

  @Test func heapsOfMarksAreCut() {
    let heap = "a" + String(repeating: "\u{301}\u{323}", count: 200_000) + "b"
    #expect(DisplayWidth.columns(of: heap) == 2)
    #expect(DisplayWidth.cut(heap, to: 80).utf8.count < 40)
    #expect(DisplayWidth.cut(heap, to: 1).utf8.count < 40)
  }

  @Test func controlCharactersAreShown() {
    #expect(Printable.text("a\u{1B}[31mb\nc") == "a\u{241B}[31mb\u{240A}c")
    #expect(Printable.text("a\u{202E}b\u{200D}c") == "a<U+202E>b\u{200D}c")
    #expect(Printable.text("a\nb", keepingLines: true) == "a\nb")
  }

  @Test func moments() {
    let expected: [(Int64, String)] = [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
      (1_788_220_800_123, "2026-09-01T00:00:00.123Z"), (253_402_300_799_000, "9999-12-31T23:59:59Z"),
      (253_402_300_800_000, "+010000-01-01T00:00:00Z"), (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
    ]
    for (milliseconds, text) in expected {
      #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
      #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds)
    }
    for extreme in [Int64.min, .max] {
      let moment = Timestamp(milliseconds: extreme)
      #expect(Timestamp(iso8601: moment.iso8601) == moment)
    }
    for (text, milliseconds) in [
      ("2026-09-01T09:00+09:00", 1_788_220_800_000), ("2026-08-31T19:00:00,5-05:00", 1_788_220_800_500),
      ("2026-09-01t00:00:00.12399z", 1_788_220_800_124), ("2026-09-01T00:00:00.9995Z", 1_788_220_801_000),
      ("2026-09-01T00:00:00.99949Z", 1_788_220_800_999), ("1969-12-31T23:59:59.9995Z", 0),
      ("1969-12-31T23:59:59.99949Z", -1), ("+002026-09-01T00:00Z", 1_788_220_800_000),
      ("0000-02-29T00:00Z", -62_162_121_600_000),
    ] as [(String, Int64)] {
      #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds, "\(text)")
    }
    for text in [
      "", "2026", "2026-09-01", "2026-09-01T", "2026-09-01T09", "2026-09-01T09:00", "2026-09-01T09:00:00",
      "2026-9-01T09:00Z",
      "2026-02-29T09:00Z", "2026-04-31T09:00Z", "2026-00-01T09:00Z", "2026-13-01T09:00Z", "2026-09-00T09:00Z",
      "2026-09-01T24:00Z", "2026-09-01T09:60Z", "2026-09-01T09:00:60Z", "2026-09-01T09:00:00.Z", "2026-09-01T09:00Zx",
      "2026-09-01T09:00+9:00", "2026-09-01T09:00+09", "20260901T0900Z", "+2026-09-01T09:00Z", "02026-09-01T09:00Z",
      "2026-09-01 09:00Z", "+999999999-01-01T00:00Z", "-292275056-01-01T00:00Z", "２026-09-01T09:00Z",
      "+1234567890-01-01T00:00Z",
    ] {
      #expect(Timestamp(iso8601: text) == nil, "\(text)")
    }
    #expect(Timestamp(milliseconds: .min).iso8601.hasPrefix("-292275055-"))
    #expect(Timestamp(milliseconds: .max).iso8601.hasPrefix("+292278994-"))
  }

  @Test func momentsAgreeWithFoundation() {
    var random = RandomSource(seed: 11)
    let formatter = ISO8601DateFormatter()
    var checks = 0
    for _ in 0..<2_000 {
      let seconds = random.within(-60_000_000_000...250_000_000_000)
      guard seconds > -12_000_000_000 else { continue }  // before 1582 Foundation counts by the Julian calendar
      checks += 1
      #expect(
        Timestamp(milliseconds: Int64(seconds) * 1_000).iso8601
          == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(Timestamp(iso8601: text)?.milliseconds == Int64(seconds) * 1_000)
    }
    #expect(checks > 1_000)
  }

  @Test func tableFitsItsWidth() {
    var table = TextTable([
      .init(title: "recordName", isCuttable: false), .init(title: "n", isRightAligned: true, isCuttable: false),
      .init(title: "text"), .init(title: "more"),
    ])
    table.rows = [
      ["r1", "7", String(repeating: "word ", count: 40), "東京"], ["r2", "1234", nil, String(repeating: "東", count: 40)],
    ]
    for width in [60, 80, 120] {
      let (lines, hidden) = table.text(columns: width)
      #expect(hidden.isEmpty && lines.count == 4)
      for line in lines { #expect(DisplayWidth.columns(of: line) <= width, "\(line)") }
    }
    #expect(table.text(columns: 30).hidden == ["text", "more"] || table.text(columns: 30).hidden == ["more"])
    #expect(table.text(columns: 1).lines.count == 4)
  }

  /// A space at the end goes, a letter that makes one character with it stays.
  @Test func tableKeepsLastLetters() {
    var table = TextTable([.init(title: "name", isCuttable: false), .init(title: "text", isCuttable: false)])
    table.rows = [["r1", "abc\u{D4E}"], ["r2", "\u{111C2}"], ["r3", "something wider"], ["r4", nil]]
    let lines = table.text(columns: 80).lines
    #expect(lines.contains { $0.utf8.elementsEqual("r1    abc\u{D4E}".utf8) }, "\(lines)")
    #expect(lines.contains { $0.utf8.elementsEqual("r2    \u{111C2}".utf8) }, "\(lines)")
    #expect(lines.allSatisfy { $0.utf8.last != 0x20 })
  }

  @Test func distances() {
    #expect(DistanceCommand.sixDecimals(0) == "0.000000")
    #expect(DistanceCommand.sixDecimals(12.3456789) == "12.345679")
    #expect(DistanceCommand.sixDecimals(20_003_931.458_625) == "20003931.458625")
  }

  @Test func generatedWordsDiffer() {
    let words = (0..<50_000).map(Vocabulary.word)
    #expect(Set(words).count == words.count)
    #expect(words.allSatisfy { Tokenizer().tokens(of: $0) == [$0] })
  }
}
