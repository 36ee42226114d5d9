/// Builds the tree from tokens by recursive descent.
///
/// `Grammar/PredicateFormat.ebnf` names the function of this type that reads each production; see the extensions. A
/// part that cannot be read is reported once and skipped up to the next `AND`, `OR` or closing bracket, so that one
/// pass can tell of several mistakes.
///
/// The functions that call one another round a circle are short and leave messages and nodes to others, so that a level
/// of nesting takes little of the stack even where nothing is optimised.
struct Parser: ~Copyable {
  /// A node and the height of the tree below it, itself included.
  struct Built<Node> {
    var node: Node
    var height: Int
  }

  /// Thrown once a mistake has been reported and the part it stands in cannot be read.
  struct Abandoned: Error {}

  let bytes: [UInt8]
  let stream: TokenStream
  let arguments: ParserArguments
  let limits: SyntaxLimits
  /// The index of the token that is read next.
  var position = 0 {
    didSet { token = stream.tokens[position] }
  }
  /// The token that is read next.
  private(set) var token: Token
  var diagnostics: [Diagnostic]
  var warnings: [Diagnostic] = []
  /// The token after `IN` or `BETWEEN` and a right side that is no list, for the hints about `BETWEEN 1 AND 2` and
  /// `IN 1, 2`.
  var loneListEnd = -1
  /// Whether the operator there was `BETWEEN`.
  var loneListIsBetween = false
  private var depth = 0
  private var nodes = 0
  private var constantBytes = 0
  /// Whether a limit has ended the reading for good.
  private(set) var isStopped = false

  init(bytes: [UInt8], stream: consuming TokenStream, arguments: ParserArguments, limits: SyntaxLimits) {
    self.bytes = bytes
    self.arguments = arguments
    self.limits = limits
    self.token = stream.tokens[0]
    self.diagnostics = stream.diagnostics
    self.stream = stream
  }

  private func surplusMessage(_ conversions: Int) -> String {
    func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
    return "\(counted(arguments.count, "argument")) for \(counted(conversions, "conversion")): what is left over is "
      + "ignored; a %@ within quotes is no conversion, but text."
  }

  mutating func run() -> PredicateNode? {
    if stream.isCutShort { return nil }
    do {
      if kind == .end { throw emptyPredicate() }
      warnings = stream.warnings
      let root = try disjunction()
      guard kind == .end else { throw unexpectedAfterPredicate() }
      if stream.conversions < arguments.count {
        warnings.append(
          Diagnostic(
            stage: .arguments, code: "surplusArguments",
            message: surplusMessage(stream.conversions), range: nil))
      }
      return diagnostics.isEmpty ? root.node : nil
    } catch {
      return nil
    }
  }

  /// The diagnostics in the order of the text, one for each place.
  func sortedDiagnostics() -> [Diagnostic] {
    let keyed = diagnostics.enumerated().sorted { left, right in
      let a = left.element.range?.lowerBound ?? Int.max
      let b = right.element.range?.lowerBound ?? Int.max
      return a == b ? left.offset < right.offset : a < b
    }
    var result: [Diagnostic] = []
    for (_, diagnostic) in keyed where result.count < Diagnostic.most {
      if let last = result.last, last.range?.lowerBound == diagnostic.range?.lowerBound { continue }
      result.append(diagnostic)
    }
    return result
  }

  // MARK: Tokens

  var kind: Token.Kind { token.kind }

  /// The token `offset` places further on, or the last.
  func peek(_ offset: Int) -> Token {
    let index = position + offset
    return index < stream.tokens.count ? stream.tokens[index] : stream.tokens[stream.tokens.count - 1]
  }

  /// The role of the word that stands here; `nil` where no word does.
  var role: OperatorTable.WordRole? { kind == .word ? token.word.role : nil }

  func isWord(_ word: ReservedWord) -> Bool { kind == .word && token.word == word }

  func text(_ token: Token) -> String {
    String(decoding: bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
  }

  func text(_ start: Int, _ end: Int) -> String {
    String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The name in an identifier, without the sign before it.
  func name(_ token: Token) -> String {
    let start = token.payload == Token.noPayload ? token.start : token.payload
    return String(decoding: bytes[Int(start)..<Int(token.end)], as: UTF8.self)
  }

  /// The span from the token at `first` to the last one read.
  func span(from first: Int) -> SourceSpan {
    SourceSpan(SourceRange(Int(stream.tokens[first].start), Int(stream.tokens[max(position - 1, 0)].end)))
  }

  // MARK: Limits

  /// Goes one level deeper, or several, on the stack and in brackets.
  mutating func enter(_ levels: Int = 1) throws(Abandoned) {
    depth += levels
    // An assignment in parentheses takes two levels of the stack for one of the tree; the tree's own height is
    // checked where its nodes are built, and that of brackets by the lexer.
    if depth / 2 > limits.nesting { throw tooDeep(token) }
  }

  mutating func leave(_ levels: Int = 1) { depth -= levels }

  /// Counts a node about to be built over subtrees of the given height; the result is its own height.
  mutating func grow(over height: Int = 0) throws(Abandoned) -> Int {
    // Mistakes after which reading goes on must not make hostile text dear: enough of them end it.
    if isStopped { throw Abandoned() }
    nodes += 1
    if nodes > limits.nodes {
      defer { isStopped = true }
      throw refuse(
        "tooManyNodes", "The predicate has more than \(limits.nodes) parts.", at: token,
        hint: "Many values for one field belong into one list: field IN {…}. A comparison is three parts: "
          + "itself and its two sides.")
    }
    if height >= limits.nesting { throw tooDeep(token) }
    return height + 1
  }

  /// Counts and builds the node of a constant.
  mutating func constant(_ literal: Literal, _ span: SourceSpan) throws(Abandoned) -> Built<ExpressionNode> {
    let height = try grow()
    try countBytes(literal.weight, range: span.range ?? token.range, hint: SyntaxLimits.fewerConstants)
    return Built(node: .literal(LiteralNode(literal, span: span)), height: height)
  }

  /// Counts what a constant takes, or a key that is passed as an argument.
  mutating func countBytes(_ bytes: Int, range: SourceRange, hint: String) throws(Abandoned) {
    constantBytes += bytes
    if constantBytes <= limits.constantBytes { return }
    defer { isStopped = true }
    report("tooManyConstants", SyntaxLimits.tooManyConstants(limits.constantBytes), range: range, hint: hint)
    throw Abandoned()
  }

  /// Takes back the count of a node that is an element of a list.
  mutating func uncountElement() { nodes -= 1 }

  private mutating func tooDeep(_ token: Token) -> Abandoned {
    isStopped = true
    return refuse("nestingTooDeep", "The predicate nests more than \(limits.nesting) deep here.", at: token)
  }

  // MARK: Mistakes

  /// Reports a mistake after which the part it stands in cannot be read.
  mutating func refuse(
    _ code: String, _ message: String, at token: Token, hint: String? = nil
  ) -> Abandoned {
    if token.kind != .invalid { report(code, message, range: token.range, hint: hint) }
    return Abandoned()
  }

  /// Reports a mistake after which reading can go on.
  mutating func report(
    stage: Diagnostic.Stage = .parser, _ code: String, _ message: String, range: SourceRange,
    hint: String? = nil
  ) {
    guard diagnostics.count < Diagnostic.most else { return }
    diagnostics.append(
      Diagnostic(stage: stage, code: code, message: message, range: range, hint: hint))
    if diagnostics.count == Diagnostic.most { isStopped = true }
  }

  /// Whether the text's brackets up to here cannot be trusted, so that what follows from them is not reported.
  var hasDoubtfulBrackets: Bool {
    let here = token.range.lowerBound
    return stream.diagnostics.contains { ($0.range?.lowerBound ?? 0) <= here }
  }

  // MARK: Recovery

  /// Reads one part; where it cannot be read, skips to its end and puts a constant in its place.
  mutating func recovering() throws(Abandoned) -> Built<PredicateNode> {
    let start = position
    let level = depth
    do {
      return try primary()
    } catch {
      if isStopped { throw error }
      depth = level
      skipPart(from: start)
      return Built(node: .true, height: 1)
    }
  }

  /// Moves to the first `AND`, `OR`, comma or closing bracket at the level of brackets that `start` stands on.
  private mutating func skipPart(from start: Int) {
    var index = start
    scan: while true {
      let token = stream.tokens[index]
      switch token.kind {
      case .end, .rightParenthesis, .rightBracket, .rightBrace, .comma, .doubleAmpersand, .doubleBar:
        break scan
      case .word where token.word == .and || token.word == .or:
        // A connective where the part begins is the mistake itself.
        if index > start { break scan }
      case .leftParenthesis, .leftBracket, .leftBrace:
        if token.payload != Token.noPayload {
          index = Int(token.payload)
        } else {
          index = stream.tokens.count - 1
          break scan
        }
      default: break
      }
      index += 1
    }
    position = index
  }
}
