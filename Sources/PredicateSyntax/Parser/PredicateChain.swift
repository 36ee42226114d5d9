/// The parts of a chain of `AND` or `OR` while it is read; parts that are chains of the same kind are merged into it.
struct PredicateChain {
  private var parts: [PredicateNode] = []
  private var firstOperator = SourceSpan.none
  private var laterOperators: [SourceSpan] = []
  /// The heights of the first part and of the highest after it.
  private var firstHeight: Int
  private var laterHeight = 0

  /// The height of the highest part.
  var height: Int { max(firstHeight, laterHeight) }

  init(_ first: consuming Parser.Built<PredicateNode>) {
    parts.reserveCapacity(2)
    firstHeight = first.height
    parts.append(first.node)
  }

  mutating func addOperator(_ token: Token) { add(SourceSpan(token.range)) }

  private mutating func add(_ span: SourceSpan) {
    if firstOperator.range == nil { firstOperator = span } else { laterOperators.append(span) }
  }

  mutating func addToAnd(_ part: Parser.Built<PredicateNode>) {
    if case .and(let inner) = part.node { merge(inner, height: part.height) } else { append(part) }
  }

  mutating func addToOr(_ part: Parser.Built<PredicateNode>) {
    if case .or(let inner) = part.node { merge(inner, height: part.height) } else { append(part) }
  }

  private mutating func append(_ part: Parser.Built<PredicateNode>) {
    parts.append(part.node)
    laterHeight = max(laterHeight, part.height)
  }

  private mutating func merge(_ inner: CompoundNode, height innerHeight: Int) {
    parts += inner.parts
    laterOperators += inner.operatorSpans
    laterHeight = max(laterHeight, innerHeight - 1)
  }

  mutating func finishAnd() -> CompoundNode {
    if case .and(let inner) = parts[0] { unfoldFirst(inner) }
    return compound
  }

  mutating func finishOr() -> CompoundNode {
    if case .or(let inner) = parts[0] { unfoldFirst(inner) }
    return compound
  }

  private mutating func unfoldFirst(_ inner: CompoundNode) {
    parts.replaceSubrange(0..<1, with: inner.parts)
    let own = [firstOperator] + laterOperators
    firstOperator = .none
    laterOperators = []
    for span in inner.operatorSpans + own { add(span) }
    firstHeight -= 1
  }

  private var compound: CompoundNode {
    var span = SourceSpan.none
    if let first = parts.first?.span.range, let last = parts.last?.span.range {
      span = SourceSpan(first.union(last))
    }
    return CompoundNode(
      parts: parts, firstOperatorSpan: firstOperator, laterOperatorSpans: laterOperators, span: span)
  }
}
