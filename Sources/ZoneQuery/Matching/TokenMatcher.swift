/// A token search made ready for records that no index has looked at: it splits the record's text and looks for the
/// words. Complexity: linear in the text of the searchable fields.
struct TokenMatcher: Sendable {
  let fields: [FieldNumber]
  let requiresAll: Bool
  /// The words, sorted.
  let tokens: [[UInt8]]

  init(_ search: TokenSearch) {
    fields = search.fields
    requiresAll = search.requiresAll
    tokens = search.tokens
  }

  init(fields: [FieldNumber], requiresAll: Bool, sorted tokens: [[UInt8]]) {
    (self.fields, self.requiresAll, self.tokens) = (fields, requiresAll, tokens)
  }

  /// Whether the record has the words; nil where it has none of the fields.
  @inline(never)
  func matches<Row: ProgramRow>(_ row: Row) -> Bool? {
    let present = fields.filter(row.isPresent)
    if present.isEmpty { return nil }
    if tokens.isEmpty { return false }
    var found = [Bool](repeating: false, count: tokens.count)
    var missing = requiresAll ? tokens.count : 1
    var scratch = TokenScratch()
    for field in present where missing > 0 {
      _ = row.anyText(field) { text in
        Tokenizer().forEachToken(in: text, using: &scratch) { token in
          if missing > 0, let index = tokens.sortedIndex(of: token), !found[index] {
            found[index] = true
            missing -= 1
          }
        }
        return missing == 0
      }
    }
    return missing == 0
  }
}
