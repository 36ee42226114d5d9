extension ComparisonNode {
  enum Side {
    case left, right
  }

  /// The side where `allTokens` stands and can mean the searchable words alone, even of a type with a field of that name:
  /// behind `tokenize(…) IN`, and before TOKENMATCHES.
  var searchedWords: Side? {
    switch (left, comparison, right) {
    case (.function(let call), .in, .key(let key)) where call.function == .tokenize && key.isAllTokens: .right
    case (.key(let key), .tokenMatches, _) where key.isAllTokens: .left
    default: nil
    }
  }
}

extension KeyNode {
  var isAllTokens: Bool { path.isEmpty && sameBytes(name, "allTokens") }
}

extension Binder {
  /// Whether a comparison is one of the forms of token search, well made or not.
  func isTokenSearch(_ comparison: Comparison) -> Bool {
    switch (comparison.left, comparison.relation, comparison.right) {
    case (.tokens, .in, .allTokens): true
    case (.allTokens, .tokenMatches, _): comparison.right.isConstant
    case (.selfReference, .contains, _): comparison.right.isConstant
    default: false
    }
  }

  mutating func bindTokens(_ comparison: Comparison, options: ComparisonOptions) -> BoundPredicate {
    let requiresAll: Bool
    let tokens: [[UInt8]]
    switch (comparison.left, comparison.quantifier) {
    case (.tokens(let found, _), let quantifier?):
      if !options.isEmpty { return refuse(.options, comparison.operatorSpan) }
      requiresAll = quantifier == .all
      tokens = found
    case (.allTokens, nil):
      if !options.isSuperset(of: [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
        || options.contains(.normalized)
      {
        return refuse(.tokenOptions, comparison.operatorSpan)
      }
      guard let text = searchText(comparison.right, comparison) else { return .constant(false) }
      requiresAll = true
      tokens = Binder.tokens(of: text)
    case (.selfReference, nil):
      if !options.isEmpty {
        return fail(
          "optionsNotSupported", "`self CONTAINS` takes no option letters: token search ignores case and marks.",
          comparison.operatorSpan, hint: "Leave the brackets out.")
      }
      guard let text = searchText(comparison.right, comparison) else { return .constant(false) }
      requiresAll = false
      tokens = Binder.tokens(of: text)
    case (.allTokens, _?), (.selfReference, _?):
      // What is asked with it is told where the dialect takes it.
      return fail("tokenForm", "\(comparison.quantifierWord) stands before tokenize alone.", comparison.span)
    default:
      return fail(
        "tokenForm", "A search with tokenize needs ALL (every word) or ANY (one of them) before it, others none.",
        comparison.span, hint: "Write `ALL tokenize(\"a b\", 'Cdl') IN allTokens`.")
    }
    if isCloudKit, comparison.isNegated { return refuse(.negatedTokens, comparison.span) }

    let missing = missingAnswer(comparison)
    let fields: [FieldNumber]
    switch scope {
    case .open: return .constant(false)
    case .shape(let shape):
      if shape.searchable.isEmpty { return .constant(missing) }
      fields = shape.searchable
    case .recordType(let type):
      fields = FieldLayout(recordType: type).searchable
      if fields.isEmpty {
        return fail(
          Binder.noSearchableField, "Type '\(type.name)' has no SEARCHABLE field, so there are no words to search.",
          comparison.span, hint: "Mark a STRING field SEARCHABLE in the schema.")
      }
    }
    return .comparison(
      BoundComparison(
        condition: .tokens(TokenSearch(fields: fields, tokens: tokens, requiresAll: requiresAll)),
        isNegated: comparison.isNegated, whenMissing: missing))
  }

  private func missingAnswer(_ comparison: Comparison) -> Bool {
    options.missingFields == .likeNSPredicate && comparison.isNegated
  }

  private mutating func searchText(_ operand: Operand, _ comparison: Comparison) -> String? {
    switch operand {
    case .constant(.string(let text), _): return text
    case .parameter: return ""
    case .constant(.null, let span) where isCloudKit:
      refuse(.nilOperand, span)
      return nil
    default:
      fail("typeMismatch", "A token search needs a text to search for.", operandSpan(operand))
      return nil
    }
  }

  /// `tokenize("words", 'Cdl')`.
  mutating func tokenizeOperand(_ call: FunctionNode) -> Operand {
    guard call.arguments.count == 2 else {
      refuse(.tokenUse, call.span)
      return .failed
    }
    let text = operand(call.arguments[0])
    let letters = operand(call.arguments[1])
    switch (text, letters) {
    case (.failed, _), (_, .failed): return .failed
    default: break
    }
    if case .constant(.string(let options), let span) = letters {
      let folded = options.utf8.map { $0 | 0x20 }
      let required = Array("cdl".utf8)
      if !required.allSatisfy(folded.contains) || !folded.allSatisfy(required.contains) {
        refuse(.tokenOptions, span)
        return .failed
      }
    } else if case .parameter = letters {
      // Checked where the parameter gets its value.
    } else {
      refuse(.tokenOptions, operandSpan(letters))
      return .failed
    }
    switch text {
    case .constant(.string(let words), _): return .tokens(Binder.tokens(of: words), call.span)
    case .parameter: return .tokens([], call.span)
    case .field(let field):
      fail(
        "typeMismatch", "tokenize needs the text to search for; '\(field.name)' is a field's name.", field.span,
        hint: "Put quotes around the words, or pass them as an argument for %@.")
      return .failed
    default:
      fail("typeMismatch", "tokenize needs a text to search for.", operandSpan(text))
      return .failed
    }
  }

  /// The code of the fault that a type has no words to search.
  static let noSearchableField = "noSearchableField"

  static func tokens(of text: String) -> [[UInt8]] {
    Tokenizer().distinctTokens(in: Array(text.utf8))
  }
}
