import Testing

@testable import PredicateSyntax

/// Trees and texts made by seed: how many there were is printed, and too few are a failure.
@Suite struct GeneratedTests {
  @Test func printedTreesReadBack() {
    var generator = TreeGenerator(seed: 20_160_511)
    let parser = PredicateParser()
    var checks = 0
    var failures = 0
    let rounds = TestAmount.of(9_000, long: 240_000)
    for round in 0..<rounds {
      let tree = generator.predicate(1 + round % 6)
      let text = tree.predicateFormat
      if text.utf8.count > 20_000 { continue }
      do {
        let read = try parser.parse(text)
        if read.root != tree || read.root.hashValue != tree.hashValue || read.root.predicateFormat != text {
          failures += 1
          if failures < 5 { Issue.record("\(text)\n\(tree.treeDescription)\n\(read.root.treeDescription)") }
        }
      } catch {
        failures += 1
        if failures < 5 { Issue.record("\(text)\n\(error)") }
      }
      checks += 1
    }
    print("printed trees read back: \(checks) checks")
    #expect(checks > rounds * 5 / 6)
    #expect(failures == 0)
  }

  static let pieces = [
    "(", ")", "[", "]", "{", "}", "'", "\"", "\\", "%", "%@", "%K", "%d", "$", "#", "@", ".", ",", ":", ":=",
    "NOT ",
    " AND ", " OR ", " IN ", " IS NULL", " LIMIT", "==", "=", "<", "!", "*", "**", "-", "&", "|", "0x",
    "1e999",
    "9223372036854775808", "1..", "\\ud83d", "CAST(", "SUBQUERY(", "TERNARY(", "FUNCTION(", "ANY ", "é",
    "\u{301}",
    "\u{0}", "‘", "2016-05-11 00:00:00", "<+1.0,-2.0>", "tokenize(", "BETWEEN ", " 1 ", "UTI-EQUALS",
  ]

  /// Changes valid texts at random: each ends in a tree that prints and reads back, or in an error whose places
  /// lie in the text and whose description can be written.
  @Test func mutatedTextsNeverTrap() {
    var generator = TreeGenerator(seed: 7)
    let parser = PredicateParser()
    var checks = 0
    var valid = 0
    var failures = 0
    var bytes: [UInt8] = []
    let rounds = TestAmount.of(16_000, long: 520_000)
    for round in 0..<rounds {
      if round % 20 == 0 {
        bytes = Array(generator.predicate(1 + round % 4).predicateFormat.utf8.prefix(400))
      }
      if bytes.count > 600 { bytes.removeLast(bytes.count - 300) }
      switch generator.random.below(4) {
      case 0 where !bytes.isEmpty: bytes.remove(at: generator.random.below(bytes.count))
      case 1 where !bytes.isEmpty:
        bytes[generator.random.below(bytes.count)] = UInt8(generator.random.below(128))
      default:
        let piece = Array(generator.random.pick(Self.pieces).utf8)
        bytes.insert(contentsOf: piece, at: generator.random.below(bytes.count + 1))
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do {
        let read = try parser.parse(text, arguments: ["a", 1, [1, 2]])
        valid += 1
        let again = try parser.parse(read.root.predicateFormat)
        if again.root != read.root { failures += 1 }
      } catch {
        if error.diagnostics.isEmpty || error.description.isEmpty { failures += 1 }
        var last = 0
        for diagnostic in error.diagnostics {
          guard let range = diagnostic.range else { continue }
          if range.lowerBound < last || range.upperBound > error.source.bytes.count { failures += 1 }
          last = range.lowerBound
        }
        if error.source.bytes.count != text.utf8.count { failures += 1 }
      }
      checks += 1
    }
    print("mutated texts: \(checks) checks, \(valid) of them valid")
    #expect(checks == rounds)
    #expect(valid > rounds / 100)
    #expect(failures == 0)
  }
}
