extension Parser {
  /// expr = bitor | variable , ":=" , expr ;
  mutating func expression() throws(Abandoned) -> Built<ExpressionNode> {
    let first = token
    guard first.kind == .variable, peek(1).kind == .assign else { return try binary(atLeast: 1) }
    try enter()
    position += 2
    let value = try expression()
    leave()
    let height = try grow(over: value.height)
    let variable = VariableNode(name(first), span: SourceSpan(first.range))
    return Built(
      node: .assignment(AssignmentNode(variable, value.node, span: span(from: first))), height: height)
  }

  /// bitor, bitxor, bitand, shift, sum, product and power, by their precedences in the operator table.
  private mutating func binary(atLeast least: Int) throws(Abandoned) -> Built<ExpressionNode> {
    let first = token
    var left = try unary()
    while let operation = kind.arithmetic {
      let precedence = OperatorTable.facts(of: operation).precedence
      guard precedence >= least else { break }
      position += 1
      let right = try binary(atLeast: precedence + 1)
      let height = try grow(over: max(left.height, right.height))
      left = Built(
        node: .binary(BinaryNode(left.node, operation, right.node, span: span(from: first))), height: height)
    }
    return left
  }

  /// unary = ( "-" | "~" ) , unary | postfix ;
  private mutating func unary() throws(Abandoned) -> Built<ExpressionNode> {
    let first = token
    guard first.kind == .minus || first.kind == .tilde else { return try postfix() }
    if first.kind == .minus, let least = try leastInteger() { return least }
    try enter()
    position += 1
    let operand = try unary()
    leave()
    if first.kind == .tilde {
      let height = try grow(over: operand.height)
      return Built(node: .complemented(operand.node, span: span(from: first)), height: height)
    }
    let node = ExpressionNode.negated(operand.node, span: span(from: first))
    if case .literal = node { return Built(node: node, height: operand.height) }
    let height = try grow(over: operand.height)
    return Built(node: node, height: height)
  }

  /// −2⁶³, whose magnitude is no `Int64`.
  private mutating func leastInteger() throws(Abandoned) -> Built<ExpressionNode>? {
    let first = token
    let number = peek(1)
    guard number.kind == .integer, integer(number) == 1 << 63, peek(2).kind != .leftBracket else {
      return nil
    }
    position += 2
    let height = try grow()
    return Built(node: .literal(LiteralNode(.integer(.min), span: span(from: first))), height: height)
  }

  /// postfix = atom , { "." , component | "[" , index , "]" } ;
  private mutating func postfix() throws(Abandoned) -> Built<ExpressionNode> {
    let first = token
    var built = try atom()
    while true {
      switch kind {
      case .point:
        let components = try components()
        let path = ExpressionNode.path(from: built.node, components, span: span(from: first))
        if case .property = path { built.height = try grow(over: built.height) }
        built.node = path
      case .leftBracket:
        built = try index(of: built, from: first)
      default: return built
      }
    }
  }

  private mutating func components() throws(Abandoned) -> [String] {
    var components: [String] = []
    while kind == .point {
      position += 1
      try component(into: &components)
    }
    return components
  }

  /// component = identifier | escaped | soft-keyword | "@" , identifier | "%K" ;
  private mutating func component(into components: inout [String]) throws(Abandoned) {
    let found = token
    switch found.kind {
    case .identifier, .atIdentifier:
      components.append(text(found))
    case .escapedIdentifier:
      components.append(name(found))
    case .word where !found.word.role.isOperator:
      components.append(text(found))
    case .word:
      reportReservedWord(found)
      components.append(text(found))
    case .keyConversion:
      components += keyComponents(found)
    case .integer, .decimal:
      throw refuse(
        "missingComponent", "A name must follow the point, not a number.", at: found,
        hint: "The elements of a list are numbered in brackets: list[0].")
    default:
      throw refuse("missingComponent", "A name must follow the point, not \(describe(found)).", at: found)
    }
    position += 1
  }

  /// index = "FIRST" | "LAST" | "SIZE" | expr ;
  private mutating func index(
    of base: Built<ExpressionNode>, from first: Token
  ) throws(Abandoned) -> Built<ExpressionNode> {
    let open = token
    try enter()
    position += 1
    var selector: IndexSelector
    var height = base.height
    if case .index(let word)? = role, peek(1).kind == .rightBracket {
      selector = word
      position += 1
    } else if kind == .rightBracket {
      throw refuse(
        "missingIndex", "There is no index between these brackets.", at: open,
        hint: "Write a number, FIRST, LAST or SIZE.")
    } else {
      let number = try expression()
      selector = .at(number.node)
      height = max(height, number.height)
    }
    guard kind == .rightBracket else { throw unexpected("]", after: "the index") }
    position += 1
    leave()
    height = try grow(over: height)
    return Built(node: .index(IndexNode(base.node, selector, span: span(from: first))), height: height)
  }

  /// atom = string | number | conversion | variable | … | "(" , expr , ")" ;
  private mutating func atom() throws(Abandoned) -> Built<ExpressionNode> {
    let found = token
    switch found.kind {
    case .identifier:
      if let call = try call() { return call }
      return try key()
    case .escapedIdentifier, .atIdentifier, .keyConversion:
      return try key()
    case .word:
      return try wordAtom()
    case .string:
      return try literal(.string(string(found)))
    case .integer:
      let magnitude = integer(found)
      guard let value = Int64(exactly: magnitude) else {
        report(
          stage: .lexer, "integerOutOfRange", Lexer.integerRange, range: found.range,
          hint: "Write a decimal number, such as 1e19, if its value need not be exact.")
        return try literal(.null)
      }
      return try literal(.integer(value))
    case .decimal:
      let value = stream.decimals[Int(found.payload)]
      return try literal(Literal.number(value) ?? .null)
    case .objectConversion, .integerConversion, .floatConversion:
      return try conversion()
    case .variable:
      position += 1
      let height = try grow()
      return Built(
        node: .variable(VariableNode(name(found), span: SourceSpan(found.range))), height: height)
    case .leftBrace:
      return try list()
    case .leftParenthesis:
      return try parenthesized()
    case .invalid:
      // What is wrong here has been told; any constant will do to read on.
      return try literal(.null)
    default:
      throw missingExpression()
    }
  }

  private mutating func wordAtom() throws(Abandoned) -> Built<ExpressionNode> {
    let found = token
    switch found.word.role {
    case .constant(let value): return try literal(value)
    case .selfReference:
      position += 1
      let height = try grow()
      return Built(node: .selfReference(SelfNode(span: SourceSpan(found.range))), height: height)
    case .form where peek(1).kind == .leftParenthesis:
      return try form(found.word)
    case .logical, .comparison, .refusedOperator:
      guard isWordAsKey || peek(1).kind == .point else { throw missingExpression() }
    case .quantifier, .predicate:
      if !isWordAsKey, peek(1).kind != .point, let error = misplacedWord(found) { throw error }
    case .index, .reserved, .form: break
    }
    reportReservedWord(found)
    return try key()
  }

  /// A constant in place of the token that stands here.
  private mutating func literal(_ value: Literal) throws(Abandoned) -> Built<ExpressionNode> {
    let found = token
    position += 1
    let height = try grow()
    return Built(node: .literal(LiteralNode(value, span: SourceSpan(found.range))), height: height)
  }

  /// A key with all the names that follow its first.
  private mutating func key() throws(Abandoned) -> Built<ExpressionNode> {
    let first = token
    position += 1
    var components: [String]
    switch first.kind {
    case .escapedIdentifier: components = [name(first)]
    case .keyConversion: components = keyComponents(first)
    default: components = [text(first)]
    }
    while kind == .point {
      position += 1
      try component(into: &components)
    }
    let height = try grow()
    return Built(node: .key(KeyNode(components: components, span: span(from: first))), height: height)
  }

  /// The magnitude of an integer token.
  func integer(_ token: Token) -> UInt64 { stream.integers[Int(token.payload)] }

  /// The content of a string token.
  func string(_ token: Token) -> String {
    if token.payload != Token.noPayload { return stream.strings[Int(token.payload)] }
    return text(Int(token.start) + 1, Int(token.end) - 1)
  }

  /// "{" , [ expr , { "," , expr } ] , "}"
  private mutating func list() throws(Abandoned) -> Built<ExpressionNode> {
    let first = token
    try enter()
    position += 1
    var elements: [ExpressionNode] = []
    var height = 0
    if kind != .rightBrace {
      while true {
        if elements.count >= limits.listElements { throw listTooLong(first.range) }
        let element = try expression()
        uncountElement()
        elements.append(element.node)
        height = max(height, element.height)
        guard kind == .comma else { break }
        position += 1
        if kind == .rightBrace { throw trailingComma() }
      }
    }
    guard kind == .rightBrace else { throw unexpected("}", after: "the list's elements") }
    position += 1
    leave()
    height = try grow(over: height)
    return Built(node: .list(ListNode(elements, span: span(from: first))), height: height)
  }

  mutating func listTooLong(_ range: SourceRange) -> Abandoned {
    report(
      "listTooLong", "A list has \(limits.listElements) elements at most.", range: range,
      hint: "Split the list over several queries.")
    return Abandoned()
  }

  /// "(" , expr , ")"
  private mutating func parenthesized() throws(Abandoned) -> Built<ExpressionNode> {
    let open = token
    try enter()
    position += 1
    if kind == .rightParenthesis {
      throw refuse(
        "emptyParentheses", "There is nothing between these parentheses.", at: open,
        hint: "An empty list is written {}.")
    }
    let inner = try expression()
    guard kind == .rightParenthesis else {
      throw kind == .comma ? parenthesizedList(open) : unexpected(")", after: "the expression")
    }
    position += 1
    leave()
    return inner
  }
}
