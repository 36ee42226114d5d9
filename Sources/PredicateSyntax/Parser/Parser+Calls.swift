extension Parser {
  /// A call whose name ends before the token at `nameEnd`.
  mutating func call(nameEnd: Int) throws(Abandoned) -> Built<ExpressionNode> {
    let first = position
    let nameRange = stream.tokens[first].range.union(stream.tokens[nameEnd - 1].range)
    let function = function(from: first, to: nameEnd, range: nameRange)
    position = nameEnd
    try enter()
    position += 1
    let arguments = try expressions(upTo: .rightParenthesis, listAt: first)
    try closeCall("the arguments")
    leave()
    return try grown(
      functionNode(function, arguments.node, nameRange: nameRange, from: first), over: arguments.height)
  }

  /// The end of the function's name that begins here; `nil` where the identifier begins no call.
  func functionNameEnd() -> Int? {
    var index = position + 1
    while true {
      switch stream.tokens[index].kind {
      case .leftParenthesis: return index
      case .colon:
        index += 1
        if stream.tokens[index].kind == .leftParenthesis { return index }
        guard stream.tokens[index].kind == .identifier, index - position < 16 else { return nil }
        index += 1
      default: return nil
      }
    }
  }

  /// The function that the tokens from `start` up to `end` name; reports an unknown one.
  private mutating func function(from start: Int, to end: Int, range: SourceRange) -> BuiltinFunction? {
    var spelling: [UInt8] = []
    for index in start..<end {
      spelling += bytes[Int(stream.tokens[index].start)..<Int(stream.tokens[index].end)]
    }
    let function = OperatorTable.function(spelling)
    if function == nil { reportUnknownFunction(spelling, range: range) }
    return function
  }

  mutating func checkArgumentCount(_ function: BuiltinFunction, _ count: Int, range: SourceRange) {
    let expected = OperatorTable.facts(of: function).argumentCount
    if expected.contains(count) { return }
    let number = expected.lowerBound == 1 ? "one argument" : "\(expected.lowerBound) arguments"
    report(
      "argumentCount",
      "\(function.rawValue) takes \(expected.upperBound == 0 ? "no argument" : number), not \(count).",
      range: range,
      hint: count > 1 && expected == 1...1 ? "Several constants are one list: {1, 2}." : nil)
  }

  /// Moves past the parenthesis that ends a call.
  private mutating func closeCall(_ what: String) throws(Abandoned) {
    guard kind == .rightParenthesis else { throw unexpected(")", after: what) }
    position += 1
  }

  private mutating func comma(after what: String) throws(Abandoned) {
    guard kind == .comma else { throw unexpected(",", after: what) }
    position += 1
  }

  /// SUBQUERY, TERNARY, CAST and FUNCTION, each with its parentheses.
  mutating func form(_ word: ReservedWord) throws(Abandoned) -> Built<ExpressionNode> {
    try enter()
    defer { leave() }
    switch word {
    case .subquery: return try subquery()
    case .ternary: return try ternary()
    case .cast: return try cast()
    default: return try customFunction()
    }
  }

  private mutating func subquery() throws(Abandoned) -> Built<ExpressionNode> {
    let first = position
    position += 2
    let collection = try expression()
    try comma(after: "the collection")
    let variable = position
    guard kind == .variable else { throw missingVariable() }
    position += 1
    try comma(after: "the variable")
    // A predicate within an expression is two levels of the tree: the comparison that the expression stands in is one.
    try enter(2)
    let predicate = try disjunction()
    leave(2)
    try closeCall("the condition")
    return try grown(
      subqueryNode(collection.node, variableAt: variable, predicate.node, from: first),
      over: max(collection.height, predicate.height))
  }

  private mutating func ternary() throws(Abandoned) -> Built<ExpressionNode> {
    let first = position
    position += 2
    try enter(2)
    let condition = try disjunction()
    leave(2)
    try comma(after: "the condition")
    let then = try expression()
    try comma(after: "the first value")
    let otherwise = try expression()
    try closeCall("the second value")
    return try grown(
      ternaryNode(condition.node, then.node, otherwise.node, from: first),
      over: max(condition.height, then.height, otherwise.height))
  }

  private mutating func cast() throws(Abandoned) -> Built<ExpressionNode> {
    let first = position
    position += 2
    let value = try expression()
    let valueEnd = position
    try comma(after: "the value")
    let typeName = try stringOperand("The name of a type")
    try closeCall("the type")
    return try cast(value, as: typeName, from: first, valueEnd: valueEnd)
  }

  /// The node of a cast, whose value stands from the third of its tokens up to the one at `valueEnd`.
  private mutating func cast(
    _ value: Built<ExpressionNode>, as typeName: String, from first: Int, valueEnd: Int
  ) throws(Abandoned) -> Built<ExpressionNode> {
    let span = span(from: first)
    var node: ExpressionNode?
    if CastLiteral(typeName) == .date, let (digits, isNegative) = plainDecimal(first + 2, valueEnd) {
      let date = CastLiteral.date(decimal: digits, isNegative: isNegative)
      node = date.map { .literal(LiteralNode($0, span: span)) }
    } else {
      node = ExpressionNode.casting(value.node, as: typeName, span: span)
    }
    guard let node else {
      let expected = CastLiteral(typeName)?.expectation ?? "a value"
      report(
        "invalidCast", "\(typeName) needs \(expected).",
        range: value.node.span.range ?? stream.tokens[first].range)
      return value
    }
    if case .literal = node { return Built(node: node, height: value.height) }
    return try grown(node, over: value.height)
  }

  /// The digits of a decimal number without exponent that stands alone between two tokens: a date is read from
  /// these, so that no millisecond is lost to a double's rounding.
  private func plainDecimal(_ start: Int, _ end: Int) -> (digits: ArraySlice<UInt8>, isNegative: Bool)? {
    let isNegative = stream.tokens[start].kind == .minus
    let number = isNegative ? start + 1 : start
    guard number + 1 == end, stream.tokens[number].kind == .decimal else { return nil }
    let range = stream.tokens[number].range
    let digits = bytes[range.lowerBound..<range.upperBound]
    return digits.contains { $0 | 0x20 == UInt8(ascii: "e") } ? nil : (digits, isNegative)
  }

  private mutating func customFunction() throws(Abandoned) -> Built<ExpressionNode> {
    let first = position
    position += 2
    let target = try expression()
    try comma(after: "the target")
    let selector = try stringOperand("A selector")
    var arguments = Built<[ExpressionNode]>(node: [], height: 0)
    if kind == .comma {
      position += 1
      if kind == .rightParenthesis { throw trailingComma() }
      arguments = try expressions(upTo: .rightParenthesis, listAt: first)
    }
    try closeCall("the arguments")
    return try grown(
      customFunctionNode(target.node, selector, arguments.node, from: first),
      over: max(target.height, arguments.height))
  }

  /// A quoted text, or an argument that is one.
  private mutating func stringOperand(_ what: String) throws(Abandoned) -> String {
    let start = position
    let operand = try expression()
    return try stringOperand(operand.node, what, from: start)
  }

  private mutating func stringOperand(
    _ operand: ExpressionNode, _ what: String, from start: Int
  ) throws(Abandoned) -> String {
    let found = stream.tokens[start]
    if position == start + 1, case .literal(let node) = operand, case .string(let text) = node.value { return text }
    if found.kind == .invalid { throw Abandoned() }
    report(
      stage: found.kind == .objectConversion ? .arguments : .parser, "missingString",
      "\(what) in quotes must stand here.", range: operand.span.range ?? found.range)
    throw Abandoned()
  }
}
