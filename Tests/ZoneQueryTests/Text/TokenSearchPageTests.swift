import Testing

@testable import ZoneQuery

/// The examples of the documentation page, read from the page.
@Suite("The page on token search")
struct TokenSearchPageTests {
  /// The page's lines.
  static let lines: [[UInt8]] = {
    // Four levels up from this file stands the package.
    let parts = Array("\(#filePath)".utf8).split(separator: 0x2F).dropLast(4)
    let page = parts.map { "/" + $0.string }.joined() + "/Sources/ZoneQuery/ZoneQuery.docc/TokenSearch.md"
    return UnicodeFiles.contents(page)?.split(separator: 0x0A).map(Array.init) ?? []
  }()

  /// The rows of each table whose heading starts with these cells.
  static func rows(_ heading: [String]) -> [[String]] {
    let cells = lines.map { line -> [String] in
      guard line.first == 0x7C else { return [] }
      return line[...].split(separator: 0x7C).map { cell in
        let text = cell.drop { $0 == 0x20 }
        return text[...(text.lastIndex { $0 != 0x20 } ?? text.startIndex)].string
      }
    }
    var rows: [[String]] = []
    var isInside = false
    for row in cells {
      if row.starts(with: heading) {
        isInside = true
      } else if row.isEmpty {
        isInside = false
      } else if isInside, row[0] != "---" {
        rows.append(row)
      }
    }
    return rows
  }

  /// The texts between backquotes.
  static func quoted(_ cell: String) -> [String] {
    Array(cell.utf8).split(separator: 0x60, omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element.string)
  }

  @Test("What matches")
  func matching() throws {
    let rows = Self.rows(["Text in the record", "Text searched for"])
    for row in rows {
      let texts = try row.prefix(2).map { try #require(Self.quoted($0).first) }
      let record = Set(Tokenizer().distinctTokens(in: Array(texts[0].utf8)))
      let search = Tokenizer().distinctTokens(in: Array(texts[1].utf8))
      let all = !search.isEmpty && search.allSatisfy(record.contains)
      #expect([all, search.contains(where: record.contains)] == row[2...3].map { $0 == "yes" }, "\(row)")
    }
    #expect(rows.count >= 13)
  }

  @Test("Which tokens a text has")
  func tokens() throws {
    let rows = Self.rows(["Text", "Tokens"])
    for row in rows {
      // By canonical equivalence: the page shows Hangul composed.
      let text = try #require(Self.quoted(row[0]).first)
      #expect(Tokenizer().tokens(of: text) == Self.quoted(row[1]), "\(row)")
    }
    #expect(rows.count >= 30)
  }

  @Test("What the options ignore")
  func options() throws {
    let rows = Self.rows(["Left", "Right", "`=`"])
    for row in rows {
      let texts = try row.prefix(2).map { Array(try #require(Self.quoted($0).first).utf8) }
      var found = [texts[0] == texts[1]]
      let (left, right) = (texts[0], texts[1])
      for folding in [Folding.caseAlone, .marksAlone, .caseAndMarks] {
        let isEqual = folding.areEqual(left.span, right.span)
        found.append(isEqual)
      }
      let tokens = texts.map { Tokenizer().distinctTokens(in: $0) }
      found.append(!tokens[0].isEmpty && tokens[0] == tokens[1])
      #expect(found == row[2...].map { $0 == "yes" }, "\(row)")
    }
    #expect(rows.count >= 14)
  }

  @Test("The list of stop words")
  func stopWords() {
    let start = Self.lines.firstIndex { $0.starts(with: "`a` `an`".utf8) } ?? 0
    let listed = Self.lines[start...].prefix { $0.first == 0x60 && !$0.starts(with: "``".utf8) }
    #expect(listed.flatMap { Self.quoted($0[...].string) } == StopWords.all)
  }
}
