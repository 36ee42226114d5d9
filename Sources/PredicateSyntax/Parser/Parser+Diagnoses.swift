/// What is wrong where the grammar ends, and what to write instead.
extension Parser {
  // MARK: Operands

  mutating func emptyPredicate() -> Abandoned {
    refuse(
      "emptyPredicate", "The text holds no predicate.", at: token,
      hint: "Write TRUEPREDICATE for a predicate that holds for every record.")
  }

  mutating func emptyParentheses(_ open: Int, isPredicate: Bool) -> Abandoned {
    refuse(
      "emptyParentheses", "There is nothing between these parentheses.", at: stream.tokens[open],
      hint: isPredicate
        ? "Write TRUEPREDICATE for a predicate that always holds, {} for an empty list."
        : "An empty list is written {}.")
  }

  mutating func missingComponent() -> Abandoned {
    if kind == .integer || kind == .decimal {
      return refuse(
        "missingComponent", "A name must follow the point, not a number.", at: token,
        hint: "The elements of a list are numbered in brackets: list[0].")
    }
    return refuse("missingComponent", "A name must follow the point, not \(describe(token)).", at: token)
  }

  mutating func missingIndex() -> Abandoned {
    refuse(
      "missingIndex", "There is no index between these brackets.", at: stream.tokens[position - 1],
      hint: "Write a number, FIRST, LAST or SIZE.")
  }

  mutating func missingVariable() -> Abandoned {
    refuse(
      "missingVariable", "A variable must follow here, not \(describe(token)).", at: token,
      hint: "SUBQUERY(list, $x, $x > 1)")
  }

  /// A token as a message names it.
  func describe(_ token: Token) -> String {
    token.kind == .end ? "the end of the text" : SyntaxError.excerpt(bytes, token.range)
  }

  /// Something other than an operand stands where one must.
  mutating func missingExpression() -> Abandoned {
    let found = token
    switch found.kind {
    case .rightParenthesis, .rightBracket, .rightBrace, .comma, .end:
      if hasDoubtfulBrackets, found.kind != .comma { return Abandoned() }
    case .word:
      if let comparison = wordComparison(found) {
        return refuse(
          "missingOperand", "Nothing stands before \(comparison.rawValue).", at: found,
          hint: position + 1 < stream.tokens.count && peek(1).kind == .end
            ? "If \(text(found)) is a key, write #\(text(found))."
            : "A comparison is written: key \(comparison.rawValue) value.")
      }
    case .equal, .less, .greater, .lessOrEqual, .greaterOrEqual, .exclamation, .ampersand, .bar:
      if let last = gluedSign(found) {
        return refuse(
          "unknownOperator", "There is no operator \(text(last) + text(found)).", at: found,
          hint: last.kind.relation == nil ? "The operators are && and ||." : "The relations are == != < <= > >=.")
      }
    case .leftBracket:
      let follows = position > 0 && stream.tokens[position - 1].kind == .rightBracket
      return refuse(
        "missingOperand", "A key or a value must stand here, not [.", at: found,
        hint: follows
          ? "All options stand in one pair of brackets: [cd]." : "Names are not quoted; a list is written {a, b}.")
    case .plus
    where stream.tokens[position + 1].kind == .integer || stream.tokens[position + 1].kind == .decimal:
      return refuse("missingOperand", "A number has no + before it.", at: found, hint: "Remove the +.")
    case .slash, .star:
      let isComment = isCommentSign(found)
      return refuse(
        "missingOperand", "A key or a value must stand here, not \(describe(found)).", at: found,
        hint: isComment ? "A predicate holds no comments." : nil)
    default: break
    }
    return refuse(
      "missingOperand", "A key or a value must stand here, not \(describe(found)).", at: found)
  }

  /// Whether a sign is part of `/*` or `//`.
  private func isCommentSign(_ found: Token) -> Bool {
    let next = peek(1)
    if found.kind == .slash, found.end == next.start, next.kind == .slash || next.kind == .star { return true }
    guard position > 0 else { return false }
    let last = stream.tokens[position - 1]
    return last.kind == .slash && last.end == found.start
  }

  /// The sign of an operator that stands before `token` with nothing between.
  private func gluedSign(_ token: Token) -> Token? {
    guard position > 0 else { return nil }
    let last = stream.tokens[position - 1]
    guard last.end == token.start else { return nil }
    if last.kind == .doubleAmpersand || last.kind == .doubleBar {
      return token.kind == .ampersand || token.kind == .bar ? last : nil
    }
    return last.kind.relation != nil && (token.kind.relation != nil || token.kind == .exclamation) ? last : nil
  }

  /// `ANY`, `TRUEPREDICATE` and their like within an expression; `nil` where the word is meant as a key.
  mutating func misplacedWord(_ token: Token) -> Abandoned? {
    switch token.word.role {
    case .quantifier(let word):
      switch peek(1).kind {
      case .end, .rightParenthesis, .rightBracket, .rightBrace, .comma: return nil
      default: break
      }
      return refuse(
        "misplacedQuantifier", "\(word.rawValue) stands before the whole comparison only.", at: token,
        hint: "Write \(word.rawValue) key == value.")
    case .predicate:
      return refuse(
        "misplacedPredicate", "\(token.word.spelling) is a predicate by itself, not a value.", at: token,
        hint: "Truth values are written TRUE and FALSE.")
    default: return nil
    }
  }

  /// A reserved word stands where a key was meant.
  mutating func reportReservedWord(_ token: Token) {
    let word = text(token)
    let beginning = sameWord(token, "NONE") ? "nil stands for no value; write" : "Write"
    report(
      "reservedWord", "\(word) is a reserved word and no key by itself.", range: token.range,
      hint: "\(beginning) #\(word) for the key of that name.")
  }

  mutating func reportUnknownFunction(_ spelling: [UInt8], range: SourceRange) {
    let name = SyntaxError.excerpt(spelling, SourceRange(0, spelling.count))
    let meant = ForeignWords.function(spelling) ?? OperatorTable.functionNearest(to: spelling)
    report(
      "unknownFunction", "There is no function \(name).", range: range,
      hint: meant.map { "Did you mean \($0)?" } ?? "What it would compute can be passed as an argument with %@.")
  }

  // MARK: Operators

  /// Whether the token before this one has been reported as none, so that what follows it says little.
  private var followsInvalid: Bool { position > 0 && stream.tokens[position - 1].kind == .invalid }

  /// `x NOT IN y`: the word order of SQL.
  mutating func reportInfixNot(_ comparison: ComparisonOperator, from start: Int) {
    let left = operandText(start, position)
    // CloudKit's dialect takes none of these under NOT.
    let isExtended = comparison == .between || comparison == .tokenMatches
    report(
      "infixNot", "NOT stands before the whole comparison, not before \(comparison.rawValue).",
      range: token.range.union(peek(1).range),
      hint: "Write NOT (\(left) \(comparison.rawValue) …)\(isExtended ? ", which the extended dialect takes" : "").")
  }

  /// The source text between two tokens, short enough for a hint.
  func operandText(_ start: Int, _ end: Int) -> String {
    guard start < end else { return "…" }
    let range = SourceRange(Int(stream.tokens[start].start), Int(stream.tokens[end - 1].end))
    return SyntaxError.excerpt(bytes, range)
  }

  /// No operator follows the first operand. Returns `nil` where the part has been reported and read to its end.
  mutating func missingOperator(
    after left: ExpressionNode, from start: Int
  ) throws(Abandoned) -> ComparisonOperator? {
    let found = token
    let written = operandText(start, position)
    switch found.kind {
    case .invalid: throw Abandoned()
    case _ where followsInvalid: throw Abandoned()
    case .end, .rightParenthesis, .rightBracket, .rightBrace, .comma, .doubleAmpersand, .doubleBar:
      throw loneOperand(left, from: start)
    case .word:
      switch found.word.role {
      case .logical(.not):
        throw refuse(
          "unexpectedToken", "NOT stands before a comparison only.", at: found,
          hint: "Write NOT (\(written) == …).")
      case .logical: throw loneOperand(left, from: start)
      case .refusedOperator(let reason):
        throw refuse(
          "unsupportedOperator", "\(found.word.spelling) is not supported: \(reason).", at: found)
      default: break
      }
    case .identifier where sameWord(found, "IS"):
      return try sqlIs(written)
    case .identifier where peek(1).kind == .colon:
      throw refuse(
        "customSelector", "\(describe(found)): is a method, and predicates here call no methods.", at: found,
        hint: "Compare values with the operators of the language.")
    case .identifier where sqlClause(found) != nil:
      throw loneOperand(left, from: start)
    case .identifier where isForeignStart(start): throw notPart(stream.tokens[start])
    case .identifier where isGluedToString(found): throw quoteInText(found)
    case .identifier:
      if let meant = ForeignWords.comparison(bytes[Int(found.start)..<Int(found.end)]) {
        throw refuse(
          "unknownOperator", "There is no operator \(text(found)) in the predicate language.", at: found,
          hint: "Write \(meant).")
      }
    case .leftParenthesis:
      throw refuse(
        "unexpectedCall", "\(written) is no function.", at: found,
        hint: "Methods are not called; a function takes its operand in parentheses: length(key).")
    case .assign:
      throw refuse(
        "unexpectedToken", "Only a variable is assigned to.", at: found, hint: "Comparison is written ==.")
    case .exclamation:
      throw refuse(
        "unexpectedToken", "! stands before a whole comparison.", at: found,
        hint: "Write !=, or NOT before the comparison.")
    case .colon:
      throw refuse(
        "unexpectedToken", "A colon stands in the names of functions only.", at: found,
        hint: "Comparison is written ==.")
    default: break
    }
    if let error = missingQuotes(start) { throw error }
    throw refuse(
      "missingOperator", "An operator must stand between \(written) and \(describe(found)).", at: found,
      hint: "The operators are == != < <= > >= BETWEEN IN CONTAINS BEGINSWITH and so on.")
  }

  /// `x IS NULL`, `x IS NOT NULL`, `x IS y`.
  private mutating func sqlIs(_ written: String) throws(Abandoned) -> ComparisonOperator? {
    let first = token
    position += 1
    let isNegated = isWord(.not)
    if isNegated { position += 1 }
    let relation = isNegated ? "!=" : "=="
    if isWord(.null) || isWord(.nilValue) {
      position += 1
      report(
        "isNull", "There is no IS NULL in the predicate language.",
        range: first.range.union(stream.tokens[position - 1].range),
        hint: "Write \(written) \(relation) nil, which the extended dialect takes.")
      return nil
    }
    report(
      "isOperator", "There is no operator IS in the predicate language.",
      range: first.range.union(stream.tokens[position - 1].range),
      hint: "Write \(written) \(relation) ….")
    return isNegated ? .notEqual : .equal
  }

  /// A single operand where a comparison must stand.
  private mutating func loneOperand(_ operand: ExpressionNode, from start: Int) -> Abandoned {
    let range = SourceRange(Int(stream.tokens[start].start), Int(stream.tokens[position - 1].end))
    if loneListEnd >= 0, loneListEnd == start - 1, stream.tokens[loneListEnd].word == .and, loneListIsBetween {
      report(
        "betweenAnd", "BETWEEN takes its two bounds as one list.", range: range,
        hint: "Write BETWEEN {lower, upper}.")
      return Abandoned()
    }
    let written = operandText(start, position)
    var hint: String?
    switch operand {
    case .literal(let node):
      switch node.value {
      case .integer(1): hint = "Write TRUEPREDICATE for a predicate that always holds."
      case .integer(0): hint = "Write FALSEPREDICATE for a predicate that never holds."
      default: hint = "A predicate compares two operands: key == value."
      }
    case .key: hint = "If it is a truth value, write \(written) == 1."
    default: hint = "Write what it is compared with: \(written) == …."
    }
    report(
      "missingComparison", "\(written) is compared with nothing.", range: range, hint: hint)
    return Abandoned()
  }

  /// `1 < x < 3`, and `a = 1 & b = 2`.
  mutating func chainedComparison(_ left: Int, _ right: Int, _ middle: ExpressionNode) -> Abandoned {
    if case .binary(let node) = middle, node.operation == .bitAnd || node.operation == .bitOr {
      let isAnd = node.operation == .bitAnd
      let sign: Token.Kind = isAnd ? .ampersand : .bar
      let index = (right..<position).last { stream.tokens[$0].kind == sign } ?? right
      return singleSign(stream.tokens[index])
    }
    let middleText = operandText(right, position)
    let firstText = operandText(left, position)
    return refuse(
      "chainedComparison", "A comparison has two sides; \(describe(token)) would begin a third.", at: token,
      hint: "Write \(firstText) AND \(middleText) \(describe(token)) ….")
  }

  /// `SELECT`, `WHERE`: the text begins as a query of another language does.
  private func isForeignStart(_ start: Int) -> Bool {
    let first = stream.tokens[start]
    return first.kind == .identifier && (sameWord(first, "SELECT") || sameWord(first, "WHERE"))
  }

  private mutating func notPart(_ token: Token) -> Abandoned {
    refuse(
      "notPartOfPredicate", "\(text(token)) is no part of the predicate language.", at: token,
      hint: "A predicate is the condition alone.")
  }

  /// `'it's'`: the quote inside the text ended it.
  private func isGluedToString(_ token: Token) -> Bool {
    guard position > 0 else { return false }
    let last = stream.tokens[position - 1]
    return last.kind == .string && last.end == token.start
  }

  private mutating func quoteInText(_ token: Token) -> Abandoned {
    let quote = String(Unicode.Scalar(bytes[Int(token.start) - 1]))
    return refuse(
      "quoteInText", "The text has ended before \(describe(token)).", at: token,
      hint: "A quote inside the text is written \\\(quote); better, pass the text as an argument with %@.")
  }

  // MARK: Lists

  /// `IN [1, 2]`, `IN ()`: brackets that are not those of a list.
  mutating func checkListBrackets(_ comparison: ComparisonOperator) throws(Abandoned) {
    if kind == .leftParenthesis, peek(1).kind == .rightParenthesis {
      throw refuse(
        "parenthesizedList", "A list is written in braces.", at: token,
        hint: "Write \(comparison.rawValue) {}.")
    }
  }

  mutating func bracketsAfterOperator(_ comparison: ComparisonOperator, _ open: Token) -> Abandoned {
    let isLetters = peek(1).kind == .identifier
    let isEmpty = peek(1).kind == .rightBracket && comparison != .in && comparison != .between
    if comparison == .in || comparison == .between || comparison == .contains || !isLetters, !isEmpty {
      return refuse(
        "bracketedList", "A list is written in braces; brackets after an operator hold options.", at: open,
        hint: listHint(comparison, open))
    }
    return refuse(
      "unknownOption", "The brackets after an operator hold the letters c, d, n and l.", at: open,
      hint: isEmpty ? "Write \(comparison.rawValue) without brackets." : "Write \(comparison.rawValue)[cd].")
  }

  /// What to write for a list behind an operator whose brackets are not those of a list.
  private func listHint(_ comparison: ComparisonOperator, _ open: Token) -> String {
    let contents = contents(open)
    switch comparison {
    case .in, .between: return "Write \(comparison.rawValue) {\(contents)}."
    case .equal: return "Write IN {\(contents)}."
    case .notEqual: return "Write NOT … IN {\(contents)}."
    case .contains:
      return contents.utf8.contains(UInt8(ascii: ","))
        ? "Write a CONTAINS for each value, joined by AND." : "Write CONTAINS \(contents)."
    default: return "Write \(comparison.rawValue) and one value; a list stands behind IN and BETWEEN."
    }
  }

  /// Something other than a closing parenthesis follows an expression in parentheses.
  mutating func unclosedParenthesis(_ index: Int) -> Abandoned {
    let open = stream.tokens[index]
    guard kind == .comma else { return predicateInOperand(open) ?? unexpected(")", after: "the expression") }
    let relation = index > 0 ? stream.tokens[index - 1].kind.relation : nil
    return refuse(
      "parenthesizedList", "A list is written in braces.", at: open,
      hint: relation.map { listHint($0, open) } ?? "Write {\(contents(open))}.")
  }

  /// `(a = 1) & (b = 2)`, `ANY (a = 1)`: a comparison in the parentheses of an operand.
  private mutating func predicateInOperand(_ open: Token) -> Abandoned? {
    guard kind.relation != nil || wordComparison(token) != nil else { return nil }
    if open.payload != Token.noPayload, Int(open.payload) + 1 < stream.tokens.count {
      let after = stream.tokens[Int(open.payload) + 1]
      if after.kind == .ampersand || after.kind == .bar { return singleSign(after) }
    }
    return refuse(
      "predicateAsOperand", "A comparison is no operand of another.", at: token,
      hint: "Join comparisons with AND or OR; a value that depends on one is TERNARY(comparison, a, b).")
  }

  /// `&` or `|` where a connective is meant.
  private mutating func singleSign(_ token: Token) -> Abandoned {
    refuse(
      "singleSign", "\(text(token)) works on the bits of numbers and joins no comparisons.", at: token,
      hint: "Write \(token.kind == .ampersand ? "&& or AND" : "|| or OR").")
  }

  mutating func listTooLong(_ range: SourceRange) -> Abandoned {
    report(
      "listTooLong", "A list has \(limits.listElements) elements at most.", range: range,
      hint: "Split the list over several queries.")
    return Abandoned()
  }

  /// What stands between a bracket and the one that closes it.
  private func contents(_ open: Token) -> String {
    guard open.payload != Token.noPayload else { return "…" }
    let close = stream.tokens[Int(open.payload)]
    return SyntaxError.excerpt(bytes, SourceRange(Int(open.end), Int(close.start)))
  }

  mutating func trailingComma() -> Abandoned {
    refuse(
      "trailingComma", "Nothing follows this comma.", at: stream.tokens[max(position - 1, 0)],
      hint: "Remove it.")
  }

  /// Something other than `closer` stands where it must.
  mutating func unexpected(_ closer: String, after what: String) -> Abandoned {
    if hasDoubtfulBrackets || followsInvalid { return Abandoned() }
    if let error = missingQuotes(position - 1) { return error }
    if kind == .colon {
      return refuse(
        "unexpectedToken", "A colon stands in the names of functions only.", at: token)
    }
    return refuse(
      "unexpectedToken", "\(closer) must follow \(what), not \(describe(token)).", at: token)
  }

  // MARK: The end

  /// Something follows a predicate that is complete.
  mutating func unexpectedAfterPredicate() -> Abandoned {
    let found = token
    if followsInvalid { return Abandoned() }
    switch found.kind {
    case .rightParenthesis, .rightBracket, .rightBrace, .end:
      if hasDoubtfulBrackets { return Abandoned() }
    case .identifier:
      if let hint = sqlClause(found) {
        return refuse(
          "notPartOfPredicate", "\(text(found)) is no part of a predicate.", at: found, hint: hint)
      }
      if let error = missingQuotes(position - 1) { return error }
      if sameWord(found, "XOR") || sameWord(found, "WHERE") || sameWord(found, "SELECT") { return notPart(found) }
      if isGluedToString(found) { return quoteInText(found) }
    case .ampersand, .bar: return singleSign(found)
    case .comma where loneListEnd == position:
      return refuse(
        "unbracedList", "A list is written in braces.", at: found, hint: "Write {a, b} after IN and BETWEEN.")
    case .comma where isWithinNumber:
      let (whole, decimals) = (text(stream.tokens[position - 1]), text(peek(1)))
      return refuse(
        "unexpectedToken", "A number is written without commas.", at: found,
        hint: decimals.utf8.count == 3
          ? "Write \(whole)\(decimals); decimals stand behind a point." : "Write \(whole).\(decimals).")
    case .comma:
      return refuse(
        "unexpectedToken", "A comma joins no comparisons.", at: found, hint: "Write AND.")
    case .string where isGluedToString(found): return quoteInText(found)
    case .integer, .decimal, .string, .word:
      if let error = missingQuotes(position - 1) { return error }
    default: break
    }
    return refuse(
      "unexpectedToken", "The predicate is complete before \(describe(found)).", at: found,
      hint: "Join comparisons with AND or OR.")
  }

  /// Whether digits stand on either side of this token, with nothing between: `1,000`.
  private var isWithinNumber: Bool {
    guard position > 0 else { return false }
    let (last, next) = (stream.tokens[position - 1], peek(1))
    return last.kind == .integer && next.kind == .integer && last.end == token.start && token.end == next.start
  }

  /// `LIMIT 5`, `ORDER BY name`, `SORT(name ASC)`: parts of a query that are no parts of a predicate.
  private func sqlClause(_ token: Token) -> String? {
    if sameWord(token, "LIMIT") { return "How many records are wanted is the query's resultsLimit." }
    if sameWord(token, "ORDER") || sameWord(token, "SORT") {
      return "The order is given by the query's sort descriptors."
    }
    if sameWord(token, "GROUP") || sameWord(token, "DISTINCT") || sameWord(token, "HAVING") {
      return "A query returns records; it does not group them."
    }
    return nil
  }

  /// A key followed by more words: text whose quotes are missing, as in `name = John Smith`. `start` is the
  /// token the text begins with.
  private mutating func missingQuotes(_ start: Int) -> Abandoned? {
    guard start >= 0, stream.tokens[start].kind == .identifier, position == start + 1 else { return nil }
    guard isBareWord(token), sqlClause(token) == nil else { return nil }
    var end = position
    while isBareWord(stream.tokens[end]) { end += 1 }
    let range = SourceRange(Int(stream.tokens[start].start), Int(stream.tokens[end - 1].end))
    report(
      "missingQuotes", "Several words in a row are no operand.", range: range,
      hint: "Text is written in quotes: \"\(SyntaxError.excerpt(bytes, range))\".")
    return Abandoned()
  }

  private func isBareWord(_ token: Token) -> Bool {
    switch token.kind {
    case .identifier, .integer: true
    case .word: !token.word.role.isOperator
    default: false
    }
  }

  /// Whether an identifier is the given ASCII word, letter case aside.
  private func sameWord(_ token: Token, _ word: String) -> Bool {
    guard Int(token.end - token.start) == word.utf8.count else { return false }
    var index = Int(token.start)
    for byte in word.utf8 {
      if bytes[index] & 0xDF != byte { return false }
      index += 1
    }
    return true
  }
}
