import Foundation
import Testing

struct QueryCursorTests {
  private static let base = ["query", "--records", ToolProcess.records, "--type", "Session", "--keys", "start"]

  @Test func pagesAreTheWhole() throws {
    let asked = ["--where", "track = 'Maps'", "--sort", "city", "--sort", "start:desc", "--format", "jsonl"]
    let whole = try ToolProcess.run(Self.base + asked)
    var page = try ToolProcess.run(Self.base + asked + ["--limit", "7", "--cursor", "first"])
    var found = page.lines
    var count = 1
    while page.errors.hasPrefix("next page: --cursor ") {
      let cursor = String(page.errors.dropFirst("next page: --cursor ".count).dropLast())
      page = try ToolProcess.run(Self.base + ["--format", "jsonl", "--limit", "7", "--cursor", cursor])
      #expect(page.status == 0)
      found += page.lines
      count += 1
    }
    #expect(page.errors == "this is the last page\n" && found == whole.lines && count == (whole.lines.count + 6) / 7)
    #expect(count > 2)
  }

  /// What the predicate means comes with the cursor.
  @Test func switchesAreInTheCursor() throws {
    let asked = ["--where", "NOT track = 'maps' OR FALSEPREDICATE", "--sort", "start", "--format", "jsonl"]
    let switches = ["--dialect", "extended", "--missing", "like-nspredicate", "--string-equality", "case-insensitive"]
    let whole = try ToolProcess.run(Self.base + asked + switches)
    let page = try ToolProcess.run(Self.base + asked + switches + ["--limit", "3", "--cursor", "first"])
    let cursor = String(try #require(page.errors.split(separator: " ").last).dropLast())
    let rest = try ToolProcess.run(Self.base + ["--format", "jsonl", "--cursor", cursor])
    #expect(rest.status == 0 && page.lines + rest.lines == whole.lines && rest.lines.count > 3)
    #expect(try ToolProcess.run(Self.base + ["--format", "jsonl", "--cursor", cursor] + switches).lines == rest.lines)
    for other in [["--missing", "like-nspredicate"], ["--dialect", "cloudkit"]] {
      let others = try ToolProcess.run(Self.base + ["--cursor", cursor] + other)
      #expect(others.status == 64 && others.errors.contains("are in the cursor already, and others"))
    }
  }

  /// What each run draws anew no cursor goes on behind.
  @Test func namesAndDatesOfARun() throws {
    func lines(_ parts: String) -> String {
      (0..<6).map { #"{"recordType":"T",\#(parts.replacing("#", with: "\($0)"))"fields":{"n":{"value":1}}}"# }
        .joined(separator: "\n")
    }
    let dates = #""created":{"timestamp":1000},"modified":{"timestamp":1000},"#
    let others = #"{"recordType":"Other","fields":{"n":{"value":1}}}"#
    for (parts, asked, refusal) in [
      ("", ["--sort", "n"], "no recordName of their own"),
      (##""recordName":"r#","##, ["--sort", "creationDate"], "no creationDate of their own"),
      (##""recordName":"r#","##, ["--sort", "n", "--where", "creationDate <= now()"], "no creationDate of"),
      (##""recordName":"r#","##, ["--sort", "n"], "next page"),
      (
        ##""recordName":"r#",\##(dates)"##, ["--sort", "creationDate", "--where", "creationDate <= now()"],
        "next page"
      ),
    ] {
      try ToolProcess.withFile(lines(parts) + "\n" + others) { path in
        let base = ["query", "--records", path, "--type", "T", "--limit", "2"]
        let page = try ToolProcess.run(base + asked + ["--cursor", "first"])
        #expect(page.status == (refusal == "next page" ? 0 : 1) && page.errors.contains(refusal), "\(page.errors)")
      }
    }
  }

  @Test func misuse() throws {
    let page = try ToolProcess.run(Self.base + ["--sort", "start", "--limit", "1", "--cursor", "first"])
    let cursor = try #require(page.errors.split(separator: " ").last).dropLast()
    for more in [
      ["--cursor", "first"], ["--cursor", "nonsense", "--sort", "start"],
      ["--cursor", String(cursor), "--sort", "start"],
      ["--cursor", String(cursor), "--where", "level = 1"], ["--cursor", "first", "--sort", "start", "--count"],
    ] {
      #expect(try ToolProcess.run(Self.base + more).status == 64, "\(more)")
    }
    let other = ["query", "--records", ToolProcess.records, "--type", "Venue", "--cursor", String(cursor)]
    #expect(try ToolProcess.run(other).status == 64)
    // A letter changed somewhere is no cursor, or not one that was printed; of few records, which are read each time.
    let lines = try String(contentsOfFile: ToolProcess.records, encoding: .utf8).split(separator: "\n")
    let sessions = lines.filter { $0.contains(#""recordType":"Session""#) }.prefix(10).joined(separator: "\n")
    try ToolProcess.withFile(sessions) { path in
      let few = ["query", "--records", path, "--type", "Session", "--keys", "start"]
      let whole = try ToolProcess.run(few + ["--cursor", String(cursor)])
      #expect(whole.status == 0 && !whole.output.isEmpty)
      for (index, letter) in cursor.enumerated() where index % 9 == 0 {
        let place = cursor.index(cursor.startIndex, offsetBy: index)
        let text = cursor.replacingCharacters(in: place...place, with: letter == "A" ? "B" : "A")
        let result = try ToolProcess.run(few + ["--cursor", text])
        #expect(result.status != 0 && result.output.isEmpty, "\(index)")
      }
    }
  }
}
