/// Words of other languages and APIs that often stand in predicates, with what is meant by them.
enum ForeignWords {
  /// Regular expressions no dialect evaluates.
  private static let pattern = "BEGINSWITH, or LIKE, which the extended dialect takes"

  private static let comparisons: [(String, String)] = [
    ("startswith", "BEGINSWITH"), ("hasprefix", "BEGINSWITH"), ("beginwith", "BEGINSWITH"),
    ("beginswidth", "BEGINSWITH"),
    ("hassuffix", "ENDSWITH"), ("endwith", "ENDSWITH"), ("contain", "CONTAINS"), ("includes", "CONTAINS"),
    ("has", "CONTAINS"), ("equals", "=="), ("equal", "=="), ("eq", "=="), ("ne", "!="), ("lt", "<"), ("gt", ">"),
    ("ilike", "LIKE[c]"), ("regexp", pattern), ("rlike", pattern), ("match", pattern),
    ("mod", "modulus:by:(a, b)"), ("div", "trunc(a / b)"),
  ]

  private static let functions: [(String, String)] = [
    ("avg", "average"), ("mean", "average"), ("upper", "uppercase"), ("ucase", "uppercase"),
    ("uppercased", "uppercase"),
    ("lower", "lowercase"), ("lcase", "lowercase"), ("lowercased", "lowercase"), ("len", "length"),
    ("strlen", "length"), ("ceil", "ceiling"), ("pow", "raise:toPower:"), ("power", "raise:toPower:"),
    ("mod", "modulus:by:"), ("stdev", "stddev"), ("getdate", "now"),
    ("distance", "distanceToLocation:fromLocation:"), ("size", "count"),
  ]

  /// The operator meant by an identifier between two operands.
  static func comparison(_ word: ArraySlice<UInt8>) -> String? { meaning(of: word, in: comparisons) }

  /// The function meant by an unknown one's name.
  static func function(_ name: [UInt8]) -> String? { meaning(of: name[...], in: functions) }

  private static func meaning(of word: ArraySlice<UInt8>, in table: [(String, String)]) -> String? {
    for (spelling, meant) in table where spelling.utf8.count == word.count {
      if zip(spelling.utf8, word).allSatisfy({ $0 == $1 || $0 == $1 | 0x20 }) { return meant }
    }
    return nil
  }
}
