extension Binder {
  /// Puts what is taken in place of a refused predicate into the hints of its diagnostics, those from `known` on: of a
  /// comparison, with the NOTs before it, into all; of alternatives, or of a NOT before several comparisons, into the
  /// first, since the others are those of its parts.
  mutating func suggest(inPlaceOf node: PredicateNode, since known: Int) {
    switch node {
    case .constant, .and: return
    case .comparison, .or, .not: break
    }
    guard case .comparison(let comparison) = node.innermost else {
      guard isCloudKit, let hint = rewriting(of: node) else { return }
      diagnostics[known].hint = hint
      return
    }
    if let hint = rewriting(of: node) {
      for index in known..<diagnostics.count { diagnostics[index].hint = hint }
      offers = []
      return
    }
    offerExtended(comparison, node, since: known)
  }

  /// What to write in place of a predicate, if the dialect takes anything of its meaning.
  private func rewriting(of node: PredicateNode) -> String? {
    var rewriter = Rewriter(self, options.dialect)
    guard let text = rewriter.text(inPlaceOf: node) else { return nil }
    guard case .not(let not) = node, !text.utf8.starts(with: "NOT ".utf8) else { return "Write `\(text)`." }
    // Whoever writes it behind the NOT that is there would ask for the opposite.
    return "Write `\(text)`, without \(not.isNone ? "NONE" : "NOT")."
  }

  /// Tells of the extended dialect beside the refusals of a comparison, if that dialect takes the comparison, or
  /// something of its meaning.
  private mutating func offerExtended(_ comparison: ComparisonNode, _ node: PredicateNode, since known: Int) {
    let offers = offers
    self.offers = []
    guard isCloudKit, offersExtended else { return }
    var extended = self
    extended.options.dialect = .extended
    extended.isTrial = true
    extended.diagnostics = []
    _ = extended.bind(comparison, negated: false)
    if extended.diagnostics.isEmpty {
      for (index, offer) in offers { append(offer, toHintOf: index) }
      return
    }
    var rewriter = Rewriter(self, .extended)
    guard let text = rewriter.text(inPlaceOf: node) else { return }
    for index in known..<diagnostics.count { append("The extended dialect takes `\(text)`.", toHintOf: index) }
  }

  private mutating func append(_ sentence: String, toHintOf index: Int) {
    diagnostics[index].hint = [diagnostics[index].hint, sentence].compactMap { $0 }.joined(separator: " ")
  }
}

extension Binder {
  /// Says of names that are no fields, where a field is compared with them, that they may be meant as values.
  mutating func suggestQuotes(_ node: ExpressionNode, opposite field: FieldHandle, since known: Int) {
    guard tellsHints, case .known(let type) = field.knowledge else { return }
    let nodes = if case .list(let list) = node { list.elements } else { [node] }
    // Of a name that cannot be shown as it is there is no text to write.
    for case .key(let key) in nodes where Binder.wholeHint(for: key.name) == nil && FieldDefinition.isName(key.name) {
      guard let range = key.span.range,
        let index = diagnostics[known...].firstIndex(where: { $0.code == Binder.unknownField && $0.range == range })
      else { continue }
      let sentence: String
      switch type.scalar {
      case .string: sentence = "If a text is meant, write \"\(key.name)\"."
      case .int64, .double: sentence = "If a value is meant, write a number, or pass one as an argument for %@."
      case .timestamp, .reference, .location: sentence = "If a value is meant, pass it as an argument for %@."
      case .bytes, .asset: continue
      }
      let hint = diagnostics[index].hint
      let isGuess = hint?.utf8.starts(with: Binder.fieldsAre.utf8) != true
      diagnostics[index].hint = (isGuess ? [hint, sentence] : [sentence, hint]).compactMap { $0 }.joined(separator: " ")
    }
  }
}

extension NotNode {
  /// Whether it was written as NONE, which stands where its ANY is.
  var isNone: Bool {
    guard case .comparison(let comparison) = operand, comparison.quantifier == .any else { return false }
    return span.range != nil && span.range == comparison.span.range
  }
}
