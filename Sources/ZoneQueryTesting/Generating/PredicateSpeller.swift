public import PredicateSyntax
internal import ZoneQuery

/// Writes a predicate as people do: any letter case, either spelling of an operator, blanks where they may stand,
/// parentheses too many, either quote, constants as text or as arguments.
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// let spelled = PredicateSpeller().spell(predicate, &random)
/// try QueryPredicate(format: spelled.format, arguments: spelled.arguments).root == predicate   // true
/// ```
public struct PredicateSpeller: Sendable {
  /// A format string and the values of its conversions.
  public struct Spelling {
    /// The text.
    public var format = ""
    /// A value for each conversion, left to right.
    public var arguments: [(any PredicateArgument)?] = []
  }

  /// How many constants of a hundred become arguments (`%@`), and keys too (`%K`).
  public var argumentPercentage: Int

  /// Creates a speller.
  public init(argumentPercentage: Int = 0) { self.argumentPercentage = argumentPercentage }

  /// A text that reads as the predicate.
  ///
  /// Complexity: linear in the predicate.
  public func spell(_ predicate: PredicateNode, _ random: inout SeededRandom) -> Spelling {
    var writer = Writer(percentage: argumentPercentage, random: random)
    writer.blank(optional: true)
    writer.write(predicate, level: 0)
    writer.blank(optional: true)
    random = writer.random
    return writer.spelling
  }
}

private struct Writer {
  let percentage: Int
  var random: SeededRandom
  var spelling = PredicateSpeller.Spelling()

  init(percentage: Int, random: SeededRandom) {
    self.percentage = percentage
    self.random = random
  }

  mutating func blank(optional: Bool = false) {
    if optional, random.chance(2, of: 3) { return }
    spelling.format += random.one(of: " ", " ", " ", "  ", "\n", "\t", "\r\n")
  }

  /// A word of the language, between blanks.
  mutating func word(_ text: String) {
    blank()
    bare(text)
    blank()
  }

  mutating func bare(_ text: String) {
    spelling.format += random.one(of: text, text, text.lowercased(), text.prefix(1) + text.dropFirst().lowercased())
  }

  mutating func symbol(_ text: String) {
    blank(optional: true)
    spelling.format += text
    blank(optional: true)
  }

  mutating func parentheses(_ body: (inout Writer) -> Void) {
    symbol("(")
    body(&self)
    symbol(")")
  }

  // MARK: Predicates

  /// Levels: 0 where OR may stand bare, 1 where AND may, 2 where only NOT and comparisons may.
  mutating func write(_ predicate: PredicateNode, level: Int) {
    let own: Int
    switch predicate {
    case .or: own = 0
    case .and: own = 1
    default: own = 2
    }
    if own < level || random.chance(1, of: 8) {
      parentheses { $0.write(predicate, level: 0) }
      return
    }
    switch predicate {
    case .constant(let node): bare(node.value ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .comparison(let node): write(node)
    case .or(let node): chain(node.parts, "OR", "||", level: 1)
    case .and(let node): chain(node.parts, "AND", "&&", level: 2)
    case .not(let node):
      if case .comparison(let inner) = node.operand, inner.quantifier == .any, random.chance(1, of: 2) {
        bare("NONE")
        sides(inner)
        return
      }
      if random.chance(1, of: 3) { symbol("!") } else { bare("NOT"); blank() }
      write(node.operand, level: 2)
    }
  }

  private mutating func chain(_ parts: [PredicateNode], _ name: String, _ sign: String, level: Int) {
    for (index, part) in parts.enumerated() {
      if index > 0 { if random.chance(1, of: 3) { symbol(sign) } else { word(name) } }
      write(part, level: level)
    }
  }

  private mutating func write(_ node: ComparisonNode) {
    switch node.quantifier {
    case .any?: bare(random.one(of: "ANY", "SOME"))
    case .all?: bare("ALL")
    case nil:
      operand(node)
      return
    }
    sides(node)
  }

  private mutating func sides(_ node: ComparisonNode) {
    blank()
    operand(node)
  }

  private mutating func operand(_ node: ComparisonNode) {
    write(node.left)
    let spellings = OperatorTable.facts(of: node.comparison).spellings
    let spelled = random.pick(spellings) ?? node.comparison.rawValue
    let isWord = spelled.utf8.first.map { $0 >= 0x41 } ?? false
    if isWord { blank(); bare(spelled) } else { blank(optional: true); spelling.format += spelled }
    if !node.options.isEmpty {
      let letters = OperatorTable.options.filter { node.options.contains($0.option) }
        .map { String($0.letter) }
      let text = random.shuffled(letters).map { random.one(of: $0, $0.uppercased()) }.joined()
      spelling.format += "[\(text)]"
    }
    blank(optional: !isWord)
    write(node.right)
  }

  // MARK: Expressions

  private mutating func write(_ expression: ExpressionNode) {
    switch expression {
    case .literal(let node): write(node.value)
    case .key(let node): write(node)
    case .selfReference: bare("SELF")
    case .list(let node): list("{", node.elements, "}")
    case .unary(let node):
      symbol(node.operation.rawValue)
      parentheses { $0.write(node.operand) }
    case .binary(let node):
      // Operations in parentheses need no thought of precedence.
      parentheses { $0.write(node.left) }
      symbol(node.operation.rawValue)
      parentheses { $0.write(node.right) }
    case .function(let node):
      let facts = OperatorTable.facts(of: node.function)
      let short = facts.shortName ?? facts.selector
      spelling.format += random.one(of: short, facts.selector)
      list("(", node.arguments, ")")
    case .index(let node):
      write(node.base)
      symbol("[")
      switch node.selector {
      case .first: bare("FIRST")
      case .last: bare("LAST")
      case .size: bare("SIZE")
      case .at(let index): write(index)
      }
      symbol("]")
    case .ternary(let node):
      bare("TERNARY")
      symbol("(")
      write(node.condition, level: 0)
      symbol(",")
      write(node.then)
      symbol(",")
      write(node.otherwise)
      symbol(")")
    default: spelling.format += expression.predicateFormat
    }
  }

  private mutating func list(_ open: String, _ elements: [ExpressionNode], _ close: String) {
    spelling.format += open
    for (index, element) in elements.enumerated() {
      if index > 0 { symbol(",") }
      write(element)
    }
    blank(optional: true)
    spelling.format += close
  }

  private mutating func write(_ key: KeyNode) {
    if key.path.isEmpty, random.chance(percentage, of: 100) {
      spelling.format += "%K"
      spelling.arguments.append(key.name)
      return
    }
    let text = ExpressionNode.key(key).predicateFormat
    let isPlain = !text.utf8.contains(UInt8(ascii: "#")) && key.path.isEmpty
    spelling.format += isPlain ? random.one(of: text, text, text, "#" + text, "SELF." + text) : text
  }

  private mutating func write(_ literal: Literal) {
    if random.chance(percentage, of: 100) {
      spelling.format += "%@"
      switch literal {
      case .null: spelling.arguments.append(nil)
      case .integer(let value): spelling.arguments.append(value)
      case .double(let value): spelling.arguments.append(value)
      case .string(let value): spelling.arguments.append(value)
      case .location(let latitude, let longitude):
        spelling.arguments.append(Location(latitude: latitude, longitude: longitude))
      case .date, .reference: spelling.arguments.append(literal)
      }
      return
    }
    switch literal {
    case .null: bare(random.one(of: "NIL", "NULL"))
    case .string(let text): quote(text)
    case .integer(let value) where value >= 0 && random.chance(1, of: 4):
      let forms = [("0x", 16), ("0o", 8), ("0b", 2)]
      let (prefix, radix) = random.pick(forms) ?? ("0x", 16)
      spelling.format += prefix + String(value, radix: radix)
    case .integer(0): spelling.format += random.one(of: "0", "0.0", "-0", "NO", "FALSE", "00")
    case .integer(1): spelling.format += random.one(of: "1", "1.0", "YES", "true", "1e0", "1.")
    case .integer(let value) where abs(value.addingReportingOverflow(1).partialValue / 2) < 1 << 50:
      spelling.format += random.one(of: "\(value)", "\(value)", "\(value).0")
    default: spelling.format += ExpressionNode.literal(LiteralNode(literal)).predicateFormat
    }
  }

  /// A text in either quote, some characters as escapes.
  private mutating func quote(_ text: String) {
    let mark: Unicode.Scalar = random.one(of: "'", "\"")
    var result = String.UnicodeScalarView()
    result.append(mark)
    for scalar in text.unicodeScalars {
      if scalar == mark || scalar == "\\" {
        result.append("\\")
        result.append(scalar)
      } else if scalar.value < 0x10000, scalar.value < 0xD800 || scalar.value > 0xDFFF, random.chance(1, of: 12) {
        let digits = String(scalar.value, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
        result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    result.append(mark)
    spelling.format += String(result)
  }
}
