extension Parser {
  /// function-name , "(" , [ expr , { "," , expr } ] , ")"; `nil` where the identifier begins no call.
  mutating func call() throws(Abandoned) -> Built<ExpressionNode>? {
    guard let nameEnd = functionNameEnd() else { return nil }
    let first = token
    let last = stream.tokens[nameEnd - 1]
    let nameRange = first.range.union(last.range)
    var spelling: [UInt8] = []
    for index in position..<nameEnd {
      spelling += bytes[Int(stream.tokens[index].start)..<Int(stream.tokens[index].end)]
    }
    let function = OperatorTable.function(spelling)
    if function == nil { reportUnknownFunction(spelling, range: nameRange) }
    position = nameEnd
    var arguments: [ExpressionNode] = []
    var height = 0
    try enter()
    position += 1
    if kind != .rightParenthesis {
      repeat {
        if !arguments.isEmpty { position += 1 }
        if kind == .rightParenthesis { throw trailingComma() }
        if arguments.count >= limits.listElements { throw listTooLong(nameRange) }
        let argument = try expression()
        arguments.append(argument.node)
        height = max(height, argument.height)
      } while kind == .comma
    }
    try closeCall("the arguments")
    height = try grow(over: height)
    guard let function else {
      return Built(node: .literal(LiteralNode(.null, span: span(from: first))), height: height)
    }
    checkArgumentCount(function, arguments.count, range: nameRange)
    return Built(
      node: .function(
        FunctionNode(function, arguments, nameSpan: SourceSpan(nameRange), span: span(from: first))),
      height: height)
  }

  /// function-name = identifier , { ":" , identifier } , [ ":" ] ;
  private func functionNameEnd() -> Int? {
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

  private mutating func checkArgumentCount(_ function: BuiltinFunction, _ count: Int, range: SourceRange) {
    let expected = OperatorTable.facts(of: function).argumentCount
    if expected.contains(count) { return }
    let number = expected.lowerBound == 1 ? "one argument" : "\(expected.lowerBound) arguments"
    report(
      "argumentCount",
      "\(function.rawValue) takes \(expected.upperBound == 0 ? "no argument" : number), not \(count).",
      range: range,
      hint: count > 1 && expected == 1...1 ? "Several values are one list: {a, b}." : nil)
  }

  /// Moves past the parenthesis that ends a call.
  private mutating func closeCall(_ what: String) throws(Abandoned) {
    guard kind == .rightParenthesis else { throw unexpected(")", after: what) }
    position += 1
    leave()
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

  /// "SUBQUERY" , "(" , expr , "," , variable , "," , predicate , ")"
  private mutating func subquery() throws(Abandoned) -> Built<ExpressionNode> {
    let first = token
    position += 2
    let collection = try expression()
    try comma(after: "the collection")
    let variable = token
    guard variable.kind == .variable else {
      throw refuse(
        "missingVariable", "A variable must follow here, not \(describe(variable)).", at: variable,
        hint: "SUBQUERY(list, $x, $x > 1)")
    }
    position += 1
    try comma(after: "the variable")
    let predicate = try disjunction()
    try closeForm("the condition")
    let height = try grow(over: max(collection.height, predicate.height))
    let node = SubqueryNode(
      collection.node, VariableNode(name(variable), span: SourceSpan(variable.range)), predicate.node,
      span: span(from: first))
    return Built(node: .subquery(node), height: height)
  }

  /// "TERNARY" , "(" , predicate , "," , expr , "," , expr , ")"
  private mutating func ternary() throws(Abandoned) -> Built<ExpressionNode> {
    let first = token
    position += 2
    let condition = try disjunction()
    try comma(after: "the condition")
    let then = try expression()
    try comma(after: "the first value")
    let otherwise = try expression()
    try closeForm("the second value")
    let height = try grow(over: max(condition.height, then.height, otherwise.height))
    let node = TernaryNode(condition.node, then.node, otherwise.node, span: span(from: first))
    return Built(node: .ternary(node), height: height)
  }

  /// "CAST" , "(" , expr , "," , string , ")"
  private mutating func cast() throws(Abandoned) -> Built<ExpressionNode> {
    let first = token
    position += 2
    let valueStart = position
    let value = try expression()
    let valueEnd = position
    try comma(after: "the value")
    let typeName = try stringOperand("the name of a type")
    try closeForm("the type")
    let span = span(from: first)
    var node: ExpressionNode?
    if CastLiteral(typeName) == .date, let (digits, isNegative) = plainDecimal(valueStart, valueEnd) {
      let date = CastLiteral.date(decimal: digits, isNegative: isNegative)
      node = date.map { .literal(LiteralNode($0, span: span)) }
    } else {
      node = ExpressionNode.casting(value.node, as: typeName, span: span)
    }
    guard let node else {
      let expected = CastLiteral(typeName)?.expectation ?? "a value"
      report(
        "invalidCast", "\(typeName) needs \(expected).",
        range: value.node.span.range ?? first.range)
      return Built(node: value.node, height: value.height)
    }
    if case .literal = node { return Built(node: node, height: value.height) }
    let height = try grow(over: value.height)
    return Built(node: node, height: height)
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

  /// "FUNCTION" , "(" , expr , "," , string , { "," , expr } , ")"
  private mutating func customFunction() throws(Abandoned) -> Built<ExpressionNode> {
    let first = token
    position += 2
    let target = try expression()
    try comma(after: "the target")
    let selector = try stringOperand("a selector")
    var arguments: [ExpressionNode] = []
    var height = target.height
    while kind == .comma {
      position += 1
      if kind == .rightParenthesis { throw trailingComma() }
      let argument = try expression()
      arguments.append(argument.node)
      height = max(height, argument.height)
    }
    try closeForm("the arguments")
    height = try grow(over: height)
    let node = CustomFunctionNode(target.node, selector, arguments, span: span(from: first))
    return Built(node: .customFunction(node), height: height)
  }

  private mutating func closeForm(_ what: String) throws(Abandoned) {
    guard kind == .rightParenthesis else { throw unexpected(")", after: what) }
    position += 1
  }

  /// A quoted text, or a conversion that is one.
  private mutating func stringOperand(_ what: String) throws(Abandoned) -> String {
    let found = token
    let operand = try expression()
    if case .literal(let node) = operand.node, case .string(let text) = node.value { return text }
    if found.kind == .invalid { throw Abandoned() }
    report(
      "missingString", "\(what) in quotes must stand here.",
      range: operand.node.span.range ?? found.range)
    throw Abandoned()
  }
}
