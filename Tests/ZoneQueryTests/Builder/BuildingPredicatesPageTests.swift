import FoundationEssentials
import Testing
import ZoneQuery

/// The examples of the documentation page, compiled here and compared with the page.
@Suite("The page on building predicates")
struct BuildingPredicatesPageTests {
  struct Session {
    var city: String
    var start: Date
    var tags: [String]
  }

  @Test("One question, four ways")
  func examples() throws {
    let city = "Seoul"
    let start = Timestamp(milliseconds: 1_788_000_000_000)
    let text = try QueryPredicate(
      format: "%K == %@ AND start > %@ AND tags CONTAINS 'maps'", "city", city, start)
    let built = Field("city") == city && Field("start") > start && Field("tags").contains("maps")
    let faulty = Field("first name") == "Anna" && Field("age") > 30
    #expect(faulty.faults.first?.code == "invalidKey")
    let tagged = Field("tags").contains("maps")
    let interpolated = try QueryPredicate("\(key: "city") == \(city) AND start > \(start) AND \(tagged)")
    let moment = start.date
    let macro = #Predicate<Session> { session in
      session.city == city && session.start > moment && session.tags.contains("maps")
    }
    let converted = try QueryPredicate(macro)
    let renamed = try QueryPredicate(macro, fields: [\.city: "town"])
    #expect(renamed.description.hasPrefix("town == \"Seoul\" AND "))
    #expect(text == built && built == interpolated && interpolated == converted)
    let printed = Self.comment("built.description")
    #expect(printed == built.description)
    try built.check()
  }

  @Test("Every line of the page's code stands in the test")
  func pageMatchesTest() throws {
    let test = Set(Self.lines("\(#filePath)").map(Self.trimmed))
    var compared = 0
    for line in Self.code {
      let statement = Self.trimmed(Self.statement(line))
      if statement.isEmpty || statement == "faulty.faults.first?.code" || statement == "built.description" { continue }
      let isThere = test.contains(statement) || test.contains("#expect(\(statement))")
      #expect(isThere, "\(statement)")
      compared += 1
    }
    #expect(compared >= 20)
  }

  @Test("The table of operators")
  func operators() throws {
    let built: [QueryPredicate] = [
      Field("city") == "Seoul", Field("city").isIn(["Seoul", "Busan"]), Field("age").isBetween(18...30),
      Field("name").hasPrefix("Se"), Field("tags").contains("maps"), Field("tags").containsAny(["a", "b"]),
      Field("tags").containsAll(["a", "b"]), Field("tags").none == "maps",
      Field("place").distance(to: .parameter("here")) < 1000, QueryPredicate.allTokens("after session"),
      Field("start") <= .now, Field("city") == .parameter("city"), Field.recordID == .parameter("id"),
      Field("city") == "Seoul" || Field("age") > 3, Field("name") == nil,
      Field("name").contains("eou", options: .caseInsensitive), Field("name").isLike("S*l"),
      Field("counts").all > 0, Field("price") * 2 < Field("budget"),
    ]
    let source = UnicodeFiles.contents("\(#filePath)") ?? []
    let rows = Self.lines(Self.page).filter { row in
      row.hasPrefix("| `") && (row.hasSuffix("both |") || row.hasSuffix("extended |"))
    }
    #expect(rows.count == built.count)
    for (row, predicate) in zip(rows, built) {
      let cells = Self.quoted(row)
      #expect(cells[1] == predicate.description)
      let code = Array(cells[0].utf8.filter { $0 != UInt8(ascii: "\\") })
      let place = Self.position(of: code, in: source)
      #expect(place != nil, "\(cells[0])")
      let isCloudKit = (try? predicate.check()) != nil
      #expect(isCloudKit == row.hasSuffix("both |"), "\(row)")
      try predicate.check(PredicateOptions(dialect: .extended))
    }
  }

  // MARK: The page

  private static let page: String = {
    let parts = Array("\(#filePath)".utf8).split(separator: 0x2F).dropLast(4)
    return parts.map { "/" + $0.string }.joined() + "/Sources/ZoneQuery/ZoneQuery.docc/BuildingPredicates.md"
  }()

  private static func lines(_ path: String) -> [String] {
    (UnicodeFiles.contents(path) ?? []).split(separator: 0x0A, omittingEmptySubsequences: false).map(\.string)
  }

  /// The lines of the page's examples.
  private static var code: [String] {
    var isInside = false
    return lines(page).filter { line in
      if line.hasPrefix("```") {
        isInside = line == "```swift"
        return false
      }
      return isInside
    }
  }

  private static func trimmed(_ line: String) -> String {
    let bytes = Array(line.utf8)
    let start = bytes.firstIndex { $0 != 0x20 } ?? bytes.count
    let end = bytes.lastIndex { $0 != 0x20 } ?? start
    return start < bytes.count ? bytes[start...end].string : ""
  }

  /// The line without a comment after its statement.
  private static func statement(_ line: String) -> String {
    let bytes = Array(line.utf8)
    return position(of: Array("   //".utf8), in: bytes).map { bytes[..<$0].string } ?? line
  }

  private static func position(of part: [UInt8], in bytes: [UInt8]) -> Int? {
    guard part.count <= bytes.count else { return nil }
    return (0...bytes.count - part.count).first { bytes[$0..<$0 + part.count].elementsEqual(part) }
  }

  /// The comment after a statement of the examples.
  private static func comment(_ statement: String) -> String? {
    code.first { $0.hasPrefix(statement + "   // ") }.map { String($0.dropFirst(statement.count + 6)) }
  }

  /// The texts between backquotes.
  private static func quoted(_ row: String) -> [String] {
    Array(row.utf8).split(separator: 0x60, omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element.string)
  }
}
