extension Parser {
  mutating func disjunction() throws(Abandoned) -> Built<PredicateNode> {
    let first = try conjunction()
    return isOr ? try disjunction(after: first) : first
  }

  private mutating func disjunction(after first: consuming Built<PredicateNode>) throws(Abandoned) -> Built<
    PredicateNode
  > {
    var chain = PredicateChain(first)
    while isOr {
      chain.addOperator(token)
      position += 1
      chain.addToOr(try conjunction())
    }
    let compound = chain.finishOr()
    return try grown(.or(compound), over: chain.height)
  }

  mutating func conjunction() throws(Abandoned) -> Built<PredicateNode> {
    let first = try negation()
    return isAnd ? try conjunction(after: first) : first
  }

  private mutating func conjunction(after first: consuming Built<PredicateNode>) throws(Abandoned) -> Built<
    PredicateNode
  > {
    var chain = PredicateChain(first)
    while isAnd {
      chain.addOperator(token)
      position += 1
      chain.addToAnd(try negation())
    }
    let compound = chain.finishAnd()
    return try grown(.and(compound), over: chain.height)
  }

  private var isOr: Bool { kind == .doubleBar || isWord(.or) }
  private var isAnd: Bool { kind == .doubleAmpersand || isWord(.and) }

  mutating func negation() throws(Abandoned) -> Built<PredicateNode> {
    guard kind == .exclamation || (isWord(.not) && !isWordAsKey) else { return try recovering() }
    let first = position
    try enter()
    position += 1
    let operand = try negation()
    leave()
    return try negated(operand, from: first)
  }

  private mutating func negated(
    _ operand: Built<PredicateNode>, from first: Int
  ) throws(Abandoned) -> Built<PredicateNode> {
    try grown(.not(NotNode(operand.node, span: span(from: first))), over: operand.height)
  }

  mutating func primary() throws(Abandoned) -> Built<PredicateNode> {
    switch kind {
    case .leftParenthesis where isGroup(token): return try group()
    case .word where !isWordAsKey:
      if let constant = try constantPredicate() { return constant }
      return try comparison()
    default: return try comparison()
    }
  }

  private mutating func constantPredicate() throws(Abandoned) -> Built<PredicateNode>? {
    guard case .predicate(let value) = token.word.role else { return nil }
    position += 1
    return try grown(.constant(ConstantNode(value, span: span(from: position - 1))), over: 0)
  }

  private mutating func group() throws(Abandoned) -> Built<PredicateNode> {
    let open = position
    try enter()
    position += 1
    if kind == .rightParenthesis { throw emptyParentheses(open, isPredicate: true) }
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

  // MARK: Comparisons

  /// What stands before the second operand of a comparison.
  private struct ComparisonHead {
    var quantifier: QuantifierWord?
    var isNegated = false
    var comparison = ComparisonOperator.equal
    var options: ComparisonOptions = []
    var operatorSpan = SourceSpan.none
    /// The indices of the first token, and of the first after the quantifier.
    var first: Int
    var operandStart: Int
  }

  mutating func comparison() throws(Abandoned) -> Built<PredicateNode> {
    let first = position
    let quantifier = quantifierWord()
    var head = ComparisonHead(quantifier: quantifier, first: first, operandStart: position)
    let left = try expression()
    guard try finish(&head, after: left.node) else { return Built(node: .true, height: 1) }
    let rightStart = position
    let right = try expression()
    return try comparison(left, head, right, rightStart: rightStart)
  }

  /// Moves past the word before a comparison, if one stands here.
  private mutating func quantifierWord() -> QuantifierWord? {
    guard kind == .word, case .quantifier(let word) = token.word.role, !isWordAsKey else { return nil }
    position += 1
    return word
  }

  /// Reads the operator and its options; `false` where the part has been reported and read to its end.
  private mutating func finish(
    _ head: inout ComparisonHead, after left: ExpressionNode
  ) throws(Abandoned) -> Bool {
    if isWord(.not), let comparison = wordComparison(peek(1)) {
      head.isNegated = true
      reportInfixNot(comparison, from: head.first)
      position += 1
    }
    let operatorStart = position
    guard let comparison = try comparisonOperator(after: left, from: head.operandStart) else {
      return false
    }
    head.comparison = comparison
    if kind == .leftBracket { head.options = try options(of: comparison) }
    head.operatorSpan = span(from: operatorStart)
    if comparison == .in || comparison == .between { try checkListBrackets(comparison) }
    return true
  }

  /// The node of a comparison both sides of which have been read.
  private mutating func comparison(
    _ left: consuming Built<ExpressionNode>, _ head: ComparisonHead, _ right: consuming Built<ExpressionNode>,
    rightStart: Int
  ) throws(Abandoned) -> Built<PredicateNode> {
    if head.comparison == .between || head.comparison == .in, isLiteral(right.node) {
      loneListEnd = position
      loneListIsBetween = head.comparison == .between
    }
    if kind.relation != nil || wordComparison(token) != nil {
      throw chainedComparison(head.operandStart, rightStart, right.node)
    }
    var quantifier: Quantifier?
    var isNegated = head.isNegated
    if let word = head.quantifier {
      let facts = OperatorTable.facts(of: word)
      quantifier = facts.quantifier
      isNegated = isNegated || facts.isNegated
    }
    let height = try grow(over: max(left.height, right.height))
    let span = span(from: head.first)
    let node = PredicateNode.comparison(
      ComparisonNode(
        quantifier, left.node, head.comparison, options: head.options, right.node,
        operatorSpan: head.operatorSpan, span: span))
    return isNegated ? try grown(.not(NotNode(node, span: span)), over: height) : Built(node: node, height: height)
  }

  private mutating func comparisonOperator(
    after left: ExpressionNode, from start: Int
  ) throws(Abandoned) -> ComparisonOperator? {
    guard let comparison = kind.relation ?? wordComparison(token) else {
      return try missingOperator(after: left, from: start)
    }
    position += 1
    return comparison
  }

  func wordComparison(_ token: Token) -> ComparisonOperator? {
    guard token.kind == .word, case .comparison(let comparison) = token.word.role else { return nil }
    return comparison
  }

  private mutating func options(of comparison: ComparisonOperator) throws(Abandoned) -> ComparisonOptions {
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

  /// Whether an operand is a constant that is no list.
  private func isLiteral(_ node: ExpressionNode) -> Bool {
    if case .literal = node { return true }
    return false
  }
}
