/// Writes trees as predicate format text, in the one spelling the language prints.
///
/// `parse(print(tree)) == tree` for every tree in normal form within the limits. Time is linear in the text.
struct Printer {
  private var output: [UInt8] = []

  static func print(_ predicate: PredicateNode) -> String {
    var printer = Printer()
    printer.predicate(predicate)
    return String(decoding: printer.output, as: UTF8.self)
  }

  static func print(_ expression: ExpressionNode) -> String {
    var printer = Printer()
    printer.expression(expression)
    return String(decoding: printer.output, as: UTF8.self)
  }

  private mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }
  private mutating func write(_ byte: UInt8) { output.append(byte) }

  // MARK: Predicates

  private mutating func predicate(_ node: PredicateNode) {
    switch node {
    case .constant(let constant): write(constant.value ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .comparison(let comparison): self.comparison(comparison)
    case .not(let not):
      write("NOT ")
      part(not.operand)
    case .and(let compound): join(compound, " AND ")
    case .or(let compound): join(compound, " OR ")
    }
  }

  /// A predicate within another: a compound is put in parentheses.
  private mutating func part(_ node: PredicateNode) {
    switch node {
    case .and, .or:
      write("(")
      predicate(node)
      write(")")
    default: predicate(node)
    }
  }

  private mutating func join(_ compound: CompoundNode, _ connective: String) {
    for (index, node) in compound.parts.enumerated() {
      if index > 0 { write(connective) }
      part(node)
    }
  }

  private mutating func comparison(_ node: ComparisonNode) {
    if let quantifier = node.quantifier {
      write(quantifier.rawValue)
      write(" ")
    }
    expression(node.left)
    write(" ")
    write(node.comparison.rawValue)
    if !node.options.isEmpty {
      write("[")
      for (letter, option) in OperatorTable.options where node.options.contains(option) {
        write(String(letter))
      }
      write("]")
    }
    write(" ")
    expression(node.right)
  }

  // MARK: Expressions

  private mutating func expression(_ node: ExpressionNode) {
    switch node {
    case .literal(let literal): self.literal(literal.value)
    case .key(let key):
      name(key.name)
      for component in key.path {
        write(".")
        name(component)
      }
    case .selfReference: write("SELF")
    case .variable(let variable): self.variable(variable)
    case .list(let list):
      write("{")
      self.list(list.elements)
      write("}")
    case .unary(let unary):
      write(unary.operation.rawValue)
      operand(unary.operand)
    case .binary(let binary):
      operand(binary.left)
      write(" ")
      write(binary.operation.rawValue)
      write(" ")
      operand(binary.right)
    case .property(let property):
      base(property.base)
      write(".")
      names(property.components)
    case .index(let index):
      base(index.base)
      write("[")
      switch index.selector {
      case .first: write("FIRST")
      case .last: write("LAST")
      case .size: write("SIZE")
      case .at(let number): expression(number)
      }
      write("]")
    case .assignment(let assignment):
      variable(assignment.variable)
      write(" := ")
      expression(assignment.value)
    case .function, .customFunction, .subquery, .ternary, .cast: call(node)
    }
  }

  private mutating func call(_ node: ExpressionNode) {
    switch node {
    case .function(let function):
      write(function.function.rawValue)
      write("(")
      list(function.arguments)
    case .customFunction(let function):
      write("FUNCTION(")
      expression(function.target)
      write(", ")
      string(function.selector)
      if !function.arguments.isEmpty {
        // Apple prints a blank before this comma, and only before this one.
        write(" , ")
        list(function.arguments)
      }
    case .subquery(let subquery):
      write("SUBQUERY(")
      expression(subquery.collection)
      write(", ")
      variable(subquery.variable)
      write(", ")
      predicate(subquery.predicate)
    case .ternary(let ternary):
      write("TERNARY(")
      predicate(ternary.condition)
      write(", ")
      list([ternary.then, ternary.otherwise])
    case .cast(let cast):
      write("CAST(")
      expression(cast.value)
      write(", ")
      string(cast.typeName)
    default: return expression(node)
    }
    write(")")
  }

  private mutating func list(_ elements: [ExpressionNode]) {
    for (index, element) in elements.enumerated() {
      if index > 0 { write(", ") }
      expression(element)
    }
  }

  /// An expression beside an operator.
  private mutating func operand(_ node: ExpressionNode) {
    switch node {
    case .binary, .assignment: parenthesized(node)
    default: expression(node)
    }
  }

  /// An expression before a point or a bracket. A number needs parentheses lest its digits and the point, or
  /// its sign and the bracket, be read together.
  private mutating func base(_ node: ExpressionNode) {
    switch node {
    case .binary, .assignment, .unary: parenthesized(node)
    case .literal(let literal):
      switch literal.value {
      case .integer, .double: parenthesized(node)
      default: expression(node)
      }
    default: expression(node)
    }
  }

  private mutating func parenthesized(_ node: ExpressionNode) {
    write("(")
    expression(node)
    write(")")
  }

  private mutating func names(_ components: [String]) {
    for (index, component) in components.enumerated() {
      if index > 0 { write(".") }
      name(component)
    }
  }

  private mutating func name(_ name: String) {
    if OperatorTable.reservedWord(name) != nil { write("#") }
    write(name)
  }

  private mutating func variable(_ node: VariableNode) {
    write("$")
    name(node.name)
  }

  // MARK: Literals

  private mutating func literal(_ literal: Literal) {
    switch literal {
    case .null: write("nil")
    case .integer(let value): write(String(value))
    case .double(let value): double(value)
    case .string(let text): string(text)
    case .date(let milliseconds): date(milliseconds)
    case .location(let latitude, let longitude): cast("\(latitude),\(longitude)", as: .location)
    case .reference(let record, let zone, let owner): reference(record, zone, owner)
    }
  }

  private mutating func double(_ value: Double) {
    if value.isFinite {
      write(value.description)
    } else {
      cast(value.isNaN ? "nan" : value < 0 ? "-infinity" : "infinity", as: .number)
    }
  }

  private mutating func cast(_ content: String, as kind: CastLiteral) {
    write("CAST(")
    string(content)
    write(", \"")
    write(kind.rawValue)
    write("\")")
  }

  private mutating func date(_ milliseconds: Int64) {
    let since2001 = Int128(milliseconds) - Int128(CastLiteral.referenceDate)
    let magnitude = since2001.magnitude
    write("CAST(")
    if since2001 < 0 { write("-") }
    write(String(magnitude / 1000))
    write(".")
    let fraction = String(magnitude % 1000)
    write(String(repeating: "0", count: 3 - fraction.utf8.count))
    write(fraction)
    write("000, \"")
    write(CastLiteral.date.rawValue)
    write("\")")
  }

  private mutating func reference(_ record: String, _ zone: String?, _ owner: String?) {
    let slash = UInt8(ascii: "/")
    if owner != nil || zone.map({ $0.utf8.contains(slash) }) ?? false {
      let content = percentEncoded(owner ?? "") + "/" + percentEncoded(zone ?? "") + "/" + record
      cast(content, as: .ownedReference)
    } else if let zone {
      cast(zone + "/" + record, as: .reference)
    } else if record.utf8.contains(slash) {
      cast(Literal.defaultZoneName + "/" + record, as: .reference)
    } else {
      cast(record, as: .reference)
    }
  }

  private func percentEncoded(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "%"): result += Array("%25".utf8)
      case UInt8(ascii: "/"): result += Array("%2F".utf8)
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func string(_ text: String) {
    write(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        write(UInt8(ascii: "\\"))
        write(byte)
      case 0x07: write("\\a")
      case 0x08: write("\\b")
      case 0x09: write("\\t")
      case 0x0A: write("\\n")
      case 0x0B: write("\\v")
      case 0x0C: write("\\f")
      case 0x0D: write("\\r")
      case 0x00..<0x20, 0x7F:
        write("\\u")
        write(Lexer.hexadecimal(UInt32(byte)))
      default: write(byte)
      }
    }
    write(UInt8(ascii: "\""))
  }
}

extension PredicateNode {
  /// The predicate as text, in the one spelling the language prints; reading it gives an equal tree.
  ///
  ///     try PredicateParser().parse("a=1&&not b in{2}").root.predicateFormat   // a == 1 AND NOT b IN {2}
  ///
  /// As `NSPredicate.predicateFormat` prints it, but for parentheses between nested `AND`s or `OR`s, which the
  /// tree merges, and for locations and references, which Apple prints in forms that cannot be read.
  /// Complexity: linear in the text.
  public var predicateFormat: String { Printer.print(self) }
}

extension ExpressionNode {
  /// The expression as text, in the one spelling the language prints. Complexity: linear in the text.
  public var predicateFormat: String { Printer.print(self) }
}
