extension Parser {
  /// or = and , { ( "OR" | "||" ) , and } ;
  mutating func disjunction() throws(Abandoned) -> Built<PredicateNode> {
    let first = try conjunction()
    guard isOr else { return first }
    var chain = Chain(first)
    while isOr {
      chain.operators.append(SourceSpan(token.range))
      position += 1
      let next = try conjunction()
      if case .or(let inner) = next.node {
        chain.merge(inner, height: next.height)
      } else {
        chain.append(next)
      }
    }
    if case .or(let inner) = first.node { chain.unfoldFirst(inner, height: first.height) }
    let height = try grow(over: chain.height)
    return Built(node: .or(chain.compound), height: height)
  }

  /// and = not , { ( "AND" | "&&" ) , not } ;
  mutating func conjunction() throws(Abandoned) -> Built<PredicateNode> {
    let first = try negation()
    guard isAnd else { return first }
    var chain = Chain(first)
    while isAnd {
      chain.operators.append(SourceSpan(token.range))
      position += 1
      let next = try negation()
      if case .and(let inner) = next.node {
        chain.merge(inner, height: next.height)
      } else {
        chain.append(next)
      }
    }
    if case .and(let inner) = first.node { chain.unfoldFirst(inner, height: first.height) }
    let height = try grow(over: chain.height)
    return Built(node: .and(chain.compound), height: height)
  }

  private var isOr: Bool { kind == .doubleBar || (kind == .word && token.word == .or) }
  private var isAnd: Bool { kind == .doubleAmpersand || (kind == .word && token.word == .and) }

  /// not = ( "NOT" | "!" ) , not | primary ;
  mutating func negation() throws(Abandoned) -> Built<PredicateNode> {
    let first = token
    guard kind == .exclamation || (kind == .word && first.word == .not && !isWordAsKey) else {
      return try recovering { (parser) throws(Abandoned) in try parser.primary() }
    }
    try enter()
    position += 1
    let operand = try negation()
    leave()
    let height = try grow(over: operand.height)
    return Built(node: .not(NotNode(operand.node, span: span(from: first))), height: height)
  }

  /// primary = "TRUEPREDICATE" | "FALSEPREDICATE" | "(" , or , ")" | comparison ;
  mutating func primary() throws(Abandoned) -> Built<PredicateNode> {
    let first = token
    if case .predicate(let value)? = role, !isWordAsKey {
      position += 1
      let height = try grow()
      return Built(node: .constant(ConstantNode(value, span: SourceSpan(first.range))), height: height)
    }
    if first.kind == .leftParenthesis, isGroup(first) { return try group() }
    return try comparison()
  }

  private mutating func group() throws(Abandoned) -> Built<PredicateNode> {
    let first = token
    try enter()
    position += 1
    if kind == .rightParenthesis {
      throw refuse(
        "emptyParentheses", "There is nothing between these parentheses.", at: first,
        hint: "Write TRUEPREDICATE for a predicate that always holds, {} for an empty list.")
    }
    let inner = try disjunction()
    guard kind == .rightParenthesis else { throw unexpectedAfterPredicate() }
    position += 1
    leave()
    return inner
  }

  /// Whether the parenthesis opens a predicate rather than an operand: what follows the matching one tells.
  private func isGroup(_ open: Token) -> Bool {
    guard open.payload != Token.noPayload else { return true }
    let after = stream.tokens[min(Int(open.payload) + 1, stream.tokens.count - 1)]
    switch after.kind {
    case .point, .leftBracket, .assign: return false
    case .word:
      switch after.word.role {
      case .comparison, .refusedOperator: return false
      case .logical(.not): return false
      default: return true
      }
    default: return after.kind.relation == nil && after.kind.arithmetic == nil
    }
  }

  /// comparison = [ "ANY" | "SOME" | "ALL" | "NONE" ] , expr , operator , expr ;
  mutating func comparison() throws(Abandoned) -> Built<PredicateNode> {
    let first = token
    var aggregate: OperatorTable.Aggregate?
    if case .quantifier(let word)? = role, !isWordAsKey {
      aggregate = OperatorTable.facts(of: word)
      position += 1
    }
    let operandStart = position
    let left = try expression()
    var isNegated = false
    if kind == .word, token.word == .not, let comparison = wordComparison(peek(1)) {
      isNegated = true
      reportInfixNot(comparison, operandStart: operandStart)
      position += 1
    }
    let operatorStart = token
    guard let comparison = try comparisonOperator(after: left.node, from: operandStart) else {
      return Built(node: .true, height: 1)
    }
    let options = try options(of: comparison, at: operatorStart)
    let operatorSpan = span(from: operatorStart)
    let rightStart = position
    if comparison == .in || comparison == .between { try checkListBrackets(comparison) }
    let right = try expression()
    if comparison == .between, isLoneBound(right.node) { betweenEnd = position }
    if nextIsComparison { throw chainedComparison(operandStart, rightStart, right.node) }

    let height = try grow(over: max(left.height, right.height))
    let node = PredicateNode.comparison(
      ComparisonNode(
        aggregate?.quantifier, left.node, comparison, options: options, right.node,
        operatorSpan: operatorSpan,
        span: span(from: first)))
    guard isNegated || aggregate?.isNegated == true else { return Built(node: node, height: height) }
    let negated = try grow(over: height)
    return Built(node: .not(NotNode(node, span: span(from: first))), height: negated)
  }

  /// operator = ( relation | word-op ) , [ options ] | "BETWEEN" ;
  private mutating func comparisonOperator(
    after left: ExpressionNode, from start: Int
  ) throws(Abandoned) -> ComparisonOperator? {
    let found = token
    if let relation = found.kind.relation {
      position += 1
      return relation
    }
    if let word = wordComparison(found) {
      position += 1
      return word
    }
    return try missingOperator(after: left, from: start)
  }

  func wordComparison(_ token: Token) -> ComparisonOperator? {
    guard token.kind == .word, case .comparison(let comparison) = token.word.role else { return nil }
    return comparison
  }

  /// options = "[" , letters , "]" ;
  private mutating func options(
    of comparison: ComparisonOperator, at operatorToken: Token
  ) throws(Abandoned) -> ComparisonOptions {
    guard kind == .leftBracket else { return [] }
    let open = token
    let letters = peek(1)
    guard letters.kind == .identifier || letters.kind == .word, peek(2).kind == .rightBracket,
      !(comparison == .in && peek(3).kind == .end)
    else {
      throw bracketsAfterOperator(comparison, open)
    }
    var options: ComparisonOptions = []
    for (offset, byte) in bytes[Int(letters.start)..<Int(letters.end)].enumerated() {
      let place = SourceRange(Int(letters.start) + offset, Int(letters.start) + offset + 1)
      let letter = Character(Unicode.Scalar(byte | 0x20))
      guard let option = OperatorTable.options.first(where: { $0.letter == letter })?.option else {
        report(
          "unknownOption", "The options after an operator are the letters c, d, n and l.",
          range: letters.range,
          hint: "c ignores letter case, d ignores accents: \(comparison.rawValue)[cd].")
        break
      }
      if options.contains(option) {
        report("repeatedOption", "The option \(letter) stands here twice.", range: place)
      }
      options.insert(option)
    }
    position += 3
    if !OperatorTable.facts(of: comparison).takesOptions {
      report(
        "optionsNotAllowed", "\(comparison.rawValue) takes no options.",
        range: open.range.union(stream.tokens[position - 1].range))
    }
    return options
  }

  /// Whether a word stands here as if it were a key: before an operator that needs one.
  var isWordAsKey: Bool {
    let next = peek(1)
    if next.kind.relation != nil { return true }
    return wordComparison(next) != nil && next.word != .in
  }

  /// Whether the right side of `BETWEEN` is a constant that is no list.
  private func isLoneBound(_ node: ExpressionNode) -> Bool {
    if case .literal = node { return true }
    return false
  }

  private var nextIsComparison: Bool {
    kind.relation != nil || wordComparison(token) != nil
  }
}

/// The parts of a chain of `AND` or `OR` while it is read.
private struct Chain {
  var parts: [PredicateNode]
  var operators: [SourceSpan] = []
  /// The heights of the first part and of the highest after it.
  private var firstHeight: Int
  private var laterHeight = 0

  /// The height of the highest part.
  var height: Int { max(firstHeight, laterHeight) }

  init(_ first: Parser.Built<PredicateNode>) {
    parts = []
    parts.reserveCapacity(4)
    parts.append(first.node)
    firstHeight = first.height
  }

  mutating func append(_ part: Parser.Built<PredicateNode>) {
    parts.append(part.node)
    laterHeight = max(laterHeight, part.height)
  }

  /// Takes the parts of a nested chain of the same kind as its own.
  mutating func merge(_ inner: CompoundNode, height innerHeight: Int) {
    parts += inner.parts
    operators += inner.operatorSpans
    laterHeight = max(laterHeight, innerHeight - 1)
  }

  /// Replaces the first part, a chain of the same kind, by its parts.
  mutating func unfoldFirst(_ inner: CompoundNode, height innerHeight: Int) {
    parts.replaceSubrange(0..<1, with: inner.parts)
    operators.insert(contentsOf: inner.operatorSpans, at: 0)
    firstHeight = innerHeight - 1
  }

  var compound: CompoundNode {
    var span = SourceSpan.none
    if let first = parts.first?.span.range, let last = parts.last?.span.range {
      span = SourceSpan(first.union(last))
    }
    return CompoundNode(parts: parts, operatorSpans: operators, span: span)
  }
}
