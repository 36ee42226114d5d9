extension Parser {
  mutating func expression() throws(Abandoned) -> Built<ExpressionNode> {
    if kind == .variable, peek(1).kind == .assign { return try assignment() }
    return try binary(atLeast: 1)
  }

  private mutating func assignment() throws(Abandoned) -> Built<ExpressionNode> {
    let first = position
    try enter()
    position += 2
    let value = try expression()
    leave()
    return try grown(assignmentNode(value.node, from: first), over: value.height)
  }

  /// Binary operators by their precedences in the operator table.
  private mutating func binary(atLeast least: Int) throws(Abandoned) -> Built<ExpressionNode> {
    let first = position
    var left = try unary()
    while let operation = kind.arithmetic {
      let precedence = OperatorTable.precedence(of: operation)
      guard precedence >= least else { break }
      position += 1
      let right = try binary(atLeast: precedence + 1)
      left = try grown(
        binaryNode(left.node, operation, right.node, from: first), over: max(left.height, right.height))
    }
    return left
  }

  private mutating func unary() throws(Abandoned) -> Built<ExpressionNode> {
    switch kind {
    case .minus, .tilde: return try signed()
    default: return try postfix()
    }
  }

  private mutating func signed() throws(Abandoned) -> Built<ExpressionNode> {
    if isLeastInteger { return try leastInteger() }
    let first = position
    try enter()
    position += 1
    let operand = try unary()
    leave()
    return try signed(operand, from: first)
  }

  private mutating func signed(
    _ operand: Built<ExpressionNode>, from first: Int
  ) throws(Abandoned) -> Built<ExpressionNode> {
    if stream.tokens[first].kind == .tilde {
      return try grown(.complemented(operand.node, span: span(from: first)), over: operand.height)
    }
    let node = ExpressionNode.negated(operand.node, span: span(from: first))
    if case .literal = node { return Built(node: node, height: operand.height) }
    return try grown(node, over: operand.height)
  }

  /// Whether −2⁶³ stands here, whose magnitude is no `Int64`.
  private var isLeastInteger: Bool {
    let number = peek(1)
    guard kind == .minus, number.kind == .integer, integer(number) == 1 << 63 else { return false }
    return peek(2).kind != .leftBracket && peek(2).kind != .point
  }

  private mutating func leastInteger() throws(Abandoned) -> Built<ExpressionNode> {
    position += 2
    return try constant(.integer(.min), span(from: position - 2))
  }

  private mutating func postfix() throws(Abandoned) -> Built<ExpressionNode> {
    let first = position
    var built = try atom()
    while true {
      switch kind {
      case .point: built = try path(from: built, first)
      case .leftBracket: built = try index(of: built, from: first)
      default: return built
      }
    }
  }

  private mutating func path(
    from base: Built<ExpressionNode>, _ first: Int
  ) throws(Abandoned) -> Built<ExpressionNode> {
    let components = try components()
    let node = ExpressionNode.path(from: base.node, components, span: span(from: first))
    if case .property = node { return try grown(node, over: base.height) }
    return Built(node: node, height: base.height)
  }

  private mutating func components() throws(Abandoned) -> [String] {
    var components: [String] = []
    while kind == .point {
      position += 1
      try component(into: &components)
    }
    return components
  }

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
      components += try keyComponents(found)
    default: throw missingComponent()
    }
    position += 1
  }

  private mutating func index(
    of base: Built<ExpressionNode>, from first: Int
  ) throws(Abandoned) -> Built<ExpressionNode> {
    try enter()
    position += 1
    let selector = try indexSelector()
    guard kind == .rightBracket else { throw unexpected("]", after: "the index") }
    position += 1
    leave()
    return try grown(indexNode(base.node, selector.node, from: first), over: max(base.height, selector.height))
  }

  private mutating func indexSelector() throws(Abandoned) -> Built<IndexSelector> {
    if kind == .rightBracket { throw missingIndex() }
    if peek(1).kind == .rightBracket, case .index(let word)? = role {
      position += 1
      return Built(node: word, height: 0)
    }
    let number = try expression()
    return Built(node: .at(number.node), height: number.height)
  }

  private mutating func atom() throws(Abandoned) -> Built<ExpressionNode> {
    switch kind {
    case .identifier:
      if let nameEnd = functionNameEnd() { return try call(nameEnd: nameEnd) }
      return try key()
    case .escapedIdentifier, .atIdentifier, .keyConversion: return try key()
    case .word: return try wordAtom()
    case .leftBrace: return try list()
    case .leftParenthesis: return try parenthesized()
    case .objectConversion, .integerConversion, .floatConversion: return try conversion()
    default: return try constant()
    }
  }

  private mutating func constant() throws(Abandoned) -> Built<ExpressionNode> {
    let found = token
    switch found.kind {
    case .string: return try literal(.string(string(found)))
    case .integer: return try literal(integerLiteral(found))
    case .decimal: return try literal(Literal.number(stream.decimals[Int(found.payload)]) ?? .null)
    case .variable:
      position += 1
      return try grown(.variable(VariableNode(name(found), span: SourceSpan(found.range))), over: 0)
    // What is wrong here has been told; any constant will do to read on.
    case .invalid: return try literal(.null)
    default: throw missingExpression()
    }
  }

  private mutating func wordAtom() throws(Abandoned) -> Built<ExpressionNode> {
    if peek(1).kind == .leftParenthesis, case .form = token.word.role { return try form(token.word) }
    return try plainWord()
  }

  /// A word that stands for a constant, or that was meant as a key.
  private mutating func plainWord() throws(Abandoned) -> Built<ExpressionNode> {
    let found = token
    switch found.word.role {
    case .constant(let value): return try literal(value)
    case .selfReference:
      position += 1
      return try grown(.selfReference(SelfNode(span: SourceSpan(found.range))), over: 0)
    case .logical, .comparison, .refusedOperator:
      guard isWordAsKey || peek(1).kind == .point else { throw missingExpression() }
    case .quantifier, .predicate:
      if !isWordAsKey, peek(1).kind != .point, let error = misplacedWord(found) { throw error }
    case .index, .reserved, .form: break
    }
    // `size(x)`: a call is meant, and no key.
    if peek(1).kind == .leftParenthesis {
      reportUnknownFunction(Array(bytes[Int(found.start)..<Int(found.end)]), range: found.range)
      throw Abandoned()
    }
    reportReservedWord(found)
    return try key()
  }

  /// A constant in place of the token that stands here.
  private mutating func literal(_ value: Literal) throws(Abandoned) -> Built<ExpressionNode> {
    let span = SourceSpan(token.range)
    position += 1
    return try constant(value, span)
  }

  /// A key with all the names that follow its first.
  private mutating func key() throws(Abandoned) -> Built<ExpressionNode> {
    let first = position
    let found = token
    position += 1
    if found.kind != .keyConversion, kind != .point {
      let name = found.kind == .escapedIdentifier ? name(found) : text(found)
      return try grown(.key(KeyNode(name, span: SourceSpan(found.range))), over: 0)
    }
    var components: [String]
    switch found.kind {
    case .escapedIdentifier: components = [name(found)]
    case .keyConversion: components = try keyComponents(found)
    default: components = [text(found)]
    }
    components += try self.components()
    return try grown(.key(KeyNode(components: components, span: span(from: first))), over: 0)
  }

  /// The magnitude of an integer token.
  func integer(_ token: Token) -> UInt64 {
    token.payload <= UInt32(Int32.max) ? UInt64(token.payload) : stream.integers[Int(~token.payload)]
  }

  private mutating func integerLiteral(_ found: Token) -> Literal {
    if let value = Int64(exactly: integer(found)) { return .integer(value) }
    report(
      stage: .lexer, "integerOutOfRange", Lexer.integerRange, range: found.range,
      hint: "Write a decimal number, such as 1e19, if its value need not be exact.")
    return .null
  }

  /// The content of a string token.
  func string(_ token: Token) -> String {
    if token.payload != Token.noPayload { return stream.strings[Int(token.payload)] }
    return text(Int(token.start) + 1, Int(token.end) - 1)
  }

  private mutating func list() throws(Abandoned) -> Built<ExpressionNode> {
    let first = position
    try enter()
    position += 1
    let elements = try expressions(upTo: .rightBrace, listAt: first)
    guard kind == .rightBrace else { throw unexpected("}", after: "the list's elements") }
    position += 1
    leave()
    return try grown(.list(ListNode(elements.node, span: span(from: first))), over: elements.height)
  }

  /// The elements of a list or the arguments of a call, none at all included.
  mutating func expressions(
    upTo closer: Token.Kind, listAt first: Int
  ) throws(Abandoned) -> Built<[ExpressionNode]> {
    var elements: [ExpressionNode] = []
    var height = 0
    if kind == closer { return Built(node: elements, height: height) }
    repeat {
      let element = try expression()
      elements.append(element.node)
      height = max(height, element.height)
    } while try isFollowed(elements.count, upTo: closer, listAt: first)
    return Built(node: elements, height: height)
  }

  /// Moves past the comma after an element of a list, if one stands here.
  private mutating func isFollowed(
    _ count: Int, upTo closer: Token.Kind, listAt first: Int
  ) throws(Abandoned) -> Bool {
    // A list is one part of the predicate, however long.
    if closer == .rightBrace { uncountElement() }
    guard kind == .comma else { return false }
    position += 1
    if kind == closer { throw trailingComma() }
    if count >= limits.listElements { throw listTooLong(stream.tokens[first].range) }
    return true
  }

  private mutating func parenthesized() throws(Abandoned) -> Built<ExpressionNode> {
    let open = position
    try enter()
    position += 1
    if kind == .rightParenthesis { throw emptyParentheses(open, isPredicate: false) }
    let inner = try expression()
    guard kind == .rightParenthesis else { throw unclosedParenthesis(open) }
    position += 1
    leave()
    return inner
  }
}
