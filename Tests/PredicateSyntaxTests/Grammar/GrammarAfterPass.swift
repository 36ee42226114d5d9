@testable import PredicateSyntax

/// What no grammar can say, checked on the tokens of a text that the grammar accepts, apart from the parser and by
/// other means: the codes of what is wrong. `decimalOutOfRange`, `invalidCast`, the arguments and the limits are left
/// to the parser.
struct GrammarAfterPass {
  /// The codes that are checked here.
  static let codes: Set<String> = ["unknownFunction", "argumentCount", "repeatedOption", "integerOutOfRange"]

  private let tokens: [GrammarToken]
  private let functions: [String: Int]
  private var found: Set<String> = []

  /// The codes of what is wrong with `tokens`; `selectors` are the functions the grammar file lists.
  static func check(_ tokens: [GrammarToken], selectors: [String]) -> Set<String> {
    var functions: [String: Int] = [:]
    for selector in selectors {
      let count = selector.count { $0 == ":" }
      functions[selector] = count
      functions[selector.hasSuffix(":") ? String(selector.dropLast()) : selector + ":"] = count
      if selector != "from:subtract:" {
        let short = String(selector.prefix { $0 != ":" })
        functions[short] = count
        functions[short + ":"] = count
      }
    }
    var pass = GrammarAfterPass(tokens: tokens, functions: functions)
    for index in tokens.indices { pass.check(index) }
    return pass.found
  }

  private init(tokens: [GrammarToken], functions: [String: Int]) {
    self.tokens = tokens
    self.functions = functions
  }

  private func isSign(_ index: Int, _ sign: String) -> Bool {
    tokens.indices.contains(index) && tokens[index].classes == [sign]
  }

  private func isKind(_ index: Int, _ kind: String) -> Bool {
    tokens.indices.contains(index) && tokens[index].classes.contains(kind)
  }

  private mutating func check(_ index: Int) {
    if isSign(index, "("), isKind(index - 1, "identifier") || isSign(index - 1, ":") { call(openedAt: index) }
    if isSign(index, "["), endsOperator(index - 1) {
      let letters = Array(tokens[index + 1].text.lowercased())
      if Set(letters).count < letters.count { found.insert("repeatedOption") }
    }
    if isKind(index, "integer") { integer(index) }
  }

  private mutating func call(openedAt open: Int) {
    var start = open - 1
    while isSign(start, ":") || (isKind(start, "identifier") && isSign(start - 1, ":")) { start -= 1 }
    let name = tokens[start..<open].map(\.text).joined()
    guard let expected = functions[name] else {
      found.insert("unknownFunction")
      return
    }
    var depth = 0
    var count = isSign(open + 1, ")") ? 0 : 1
    for token in tokens[open...] {
      switch token.classes {
      case ["("], ["["], ["{"]: depth += 1
      case [")"], ["]"], ["}"]: depth -= 1
      case [","] where depth == 1: count += 1
      default: break
      }
      if depth == 0 { break }
    }
    if count != expected { found.insert("argumentCount") }
  }

  private func endsOperator(_ index: Int) -> Bool {
    guard tokens.indices.contains(index), let kind = tokens[index].classes.first else { return false }
    let operators = OperatorTable.comparisons.flatMap(\.spellings)
    // After a point a word is a name, whatever else it is.
    return operators.contains(kind) && !isSign(index - 1, ".")
  }

  private mutating func integer(_ index: Int) {
    var text = Substring(tokens[index].text)
    var radix = 10
    let prefixes = ["0x": 16, "0o": 8, "0b": 2]
    if let base = prefixes[String(text.prefix(2)).lowercased()] {
      radix = base
      text = text.dropFirst(2)
    }
    while text.utf8.count > 1, text.hasPrefix("0") { text.removeFirst() }
    if Int64(text, radix: radix) != nil { return }
    let isLeast = UInt64(text, radix: radix) == 1 << 63
    if isLeast, isSign(index - 1, "-"), !isOperandEnd(index - 2), !isSign(index + 1, "["), !isSign(index + 1, ".") {
      return
    }
    found.insert("integerOutOfRange")
  }

  /// Whether an operand ends with the token, so that a minus sign after it is a subtraction.
  private func isOperandEnd(_ index: Int) -> Bool {
    guard tokens.indices.contains(index), let kind = tokens[index].classes.first else { return false }
    if isSign(index - 1, ".") { return true }
    switch kind {
    case ")", "}": return true
    case "]":
      // The bracket after an operator's options ends no operand.
      return !(isSign(index - 2, "[") && endsOperator(index - 3))
    case "identifier", "escaped-identifier", "at-identifier", "variable", "option-letters", "integer", "decimal",
      "string", "object-conversion", "key-conversion", "integer-conversion", "float-conversion", "NULL", "NIL", "SELF",
      "TRUE", "YES", "FALSE", "NO":
      return true
    default: return false
    }
  }
}
