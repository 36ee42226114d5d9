extension OperatorTable {
  /// What a reserved word is for.
  public enum WordRole: Sendable, Hashable {
    /// `AND`, `OR`, `NOT`.
    case logical(LogicalOperator)
    /// An operator between expressions.
    case comparison(ComparisonOperator)
    /// `ANY`, `SOME`, `ALL`, `NONE`.
    case quantifier(QuantifierWord)
    /// `TRUEPREDICATE`, `FALSEPREDICATE`.
    case predicate(Bool)
    /// `nil`, and the truth values as numbers.
    case constant(Literal)
    /// `SELF`.
    case selfReference
    /// `FIRST`, `LAST`, `SIZE` between the brackets of an index.
    case index(IndexSelector)
    /// `SUBQUERY`, `CAST`, `FUNCTION`, `TERNARY`.
    case form
    /// An operator between expressions that this language does not have, with the reason.
    case refusedOperator(String)
    /// A word that Apple reserves and gives no meaning to in predicates.
    case reserved

    /// Whether the word cannot stand as a component after a point.
    public var isOperator: Bool {
      switch self {
      case .logical, .comparison, .refusedOperator: true
      default: false
      }
    }
  }

  /// The facts of a reserved word.
  public struct Word: Sendable, Hashable {
    /// The word.
    public let word: ReservedWord
    /// Its spelling in capitals.
    public let spelling: String
    /// What it is for.
    public let role: WordRole
  }

  private static let types = "uniform type identifiers have no meaning for a record's fields"

  /// Every reserved word, in the order of `ReservedWord.allCases`.
  public static let words: [Word] = [
    Word(word: .and, spelling: "AND", role: .logical(.and)),
    Word(word: .or, spelling: "OR", role: .logical(.or)),
    Word(word: .not, spelling: "NOT", role: .logical(.not)),
    Word(word: .in, spelling: "IN", role: .comparison(.in)),
    Word(word: .like, spelling: "LIKE", role: .comparison(.like)),
    Word(word: .matches, spelling: "MATCHES", role: .comparison(.matches)),
    Word(word: .contains, spelling: "CONTAINS", role: .comparison(.contains)),
    Word(word: .beginsWith, spelling: "BEGINSWITH", role: .comparison(.beginsWith)),
    Word(word: .endsWith, spelling: "ENDSWITH", role: .comparison(.endsWith)),
    Word(word: .between, spelling: "BETWEEN", role: .comparison(.between)),
    Word(word: .tokenMatches, spelling: "TOKENMATCHES", role: .comparison(.tokenMatches)),
    Word(word: .all, spelling: "ALL", role: .quantifier(.all)),
    Word(word: .any, spelling: "ANY", role: .quantifier(.any)),
    Word(word: .someOf, spelling: "SOME", role: .quantifier(.someOf)),
    Word(word: .noneOf, spelling: "NONE", role: .quantifier(.noneOf)),
    Word(word: .null, spelling: "NULL", role: .constant(.null)),
    Word(word: .nilValue, spelling: "NIL", role: .constant(.null)),
    Word(word: .selfWord, spelling: "SELF", role: .selfReference),
    Word(word: .true, spelling: "TRUE", role: .constant(.integer(1))),
    Word(word: .yes, spelling: "YES", role: .constant(.integer(1))),
    Word(word: .false, spelling: "FALSE", role: .constant(.integer(0))),
    Word(word: .no, spelling: "NO", role: .constant(.integer(0))),
    Word(word: .first, spelling: "FIRST", role: .index(.first)),
    Word(word: .last, spelling: "LAST", role: .index(.last)),
    Word(word: .size, spelling: "SIZE", role: .index(.size)),
    Word(word: .truePredicate, spelling: "TRUEPREDICATE", role: .predicate(true)),
    Word(word: .falsePredicate, spelling: "FALSEPREDICATE", role: .predicate(false)),
    Word(word: .subquery, spelling: "SUBQUERY", role: .form),
    Word(word: .cast, spelling: "CAST", role: .form),
    Word(word: .function, spelling: "FUNCTION", role: .form),
    Word(word: .ternary, spelling: "TERNARY", role: .form),
    Word(word: .anyKey, spelling: "ANYKEY", role: .reserved),
    Word(word: .caseInsensitive, spelling: "CASEINSENSITIVE", role: .reserved),
    Word(word: .ci, spelling: "CI", role: .reserved),
    Word(word: .fetch, spelling: "FETCH", role: .reserved),
    Word(word: .apply, spelling: "APPLY", role: .reserved),
    Word(word: .union, spelling: "UNION", role: .reserved),
    Word(word: .intersect, spelling: "INTERSECT", role: .reserved),
    Word(word: .intersection, spelling: "INTERSECTION", role: .reserved),
    Word(word: .minus, spelling: "MINUS", role: .reserved),
    Word(word: .utiConformsTo, spelling: "UTI-CONFORMS-TO", role: .refusedOperator(types)),
    Word(word: .utiEquals, spelling: "UTI-EQUALS", role: .refusedOperator(types)),
  ]

  /// The reserved word that `text` spells, letter case aside; `nil` for any other text.
  public static func reservedWord(_ text: String) -> ReservedWord? {
    let bytes = Array(text.utf8.prefix(wordIndex.longest + 1))
    return wordIndex.word(in: bytes, from: 0, to: bytes.count)
  }

  /// Finds reserved words by their bytes.
  package static let wordIndex = ReservedWordIndex(words)
}

/// A small open-addressed table from bytes to reserved words, keyed by length, first and last letter.
package struct ReservedWordIndex: Sendable {
  private var slots = [UInt8](repeating: 0, count: 256)
  private var spellings: [[UInt8]] = []
  /// The length of the longest word, in bytes.
  package private(set) var longest = 0

  init(_ words: [OperatorTable.Word]) {
    for (row, word) in words.enumerated() {
      let bytes = Array(word.spelling.utf8)
      spellings.append(bytes)
      longest = max(longest, bytes.count)
      guard let first = bytes.first, let last = bytes.last else { continue }
      var slot = Self.slot(length: bytes.count, first: first, last: last)
      while slots[slot] != 0 { slot = (slot + 1) & 255 }
      slots[slot] = UInt8(row + 1)
    }
  }

  private static func slot(length: Int, first: UInt8, last: UInt8) -> Int {
    let mixed = Int(first & 0xDF) &* 29 &+ Int(last & 0xDF) &* 7 &+ length &* 53
    return mixed & 255
  }

  /// The reserved word that `bytes[start..<end]` spells, letter case aside.
  package func word(in bytes: [UInt8], from start: Int, to end: Int) -> ReservedWord? {
    let length = end - start
    guard length >= 2, length <= longest else { return nil }
    var slot = Self.slot(length: length, first: bytes[start], last: bytes[end - 1])
    while slots[slot] != 0 {
      let row = slots[slot] - 1
      if matches(Int(row), bytes, from: start, length: length) { return ReservedWord(rawValue: row) }
      slot = (slot + 1) & 255
    }
    return nil
  }

  private func matches(_ row: Int, _ bytes: [UInt8], from start: Int, length: Int) -> Bool {
    let spelling = spellings[row]
    guard spelling.count == length else { return false }
    for index in 0..<length {
      let byte = bytes[start + index]
      let upper = byte >= 0x61 && byte <= 0x7A ? byte & 0xDF : byte
      if upper != spelling[index] { return false }
    }
    return true
  }
}
