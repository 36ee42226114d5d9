/// Texts that are asked for but for their case or marks.
struct FoldedTexts: Sendable, Hashable {
  /// What is asked for, folded: one text, or several that are equal to none of each other.
  var texts: [[UInt8]]
  var folding: Folding
  /// Whether texts are asked for that begin so.
  var isPrefix = false
  /// Whether all others are asked for.
  var isNegated = false
}

/// Conditions that ignore case or marks, answered by indexes in the order of the exact texts: each asks for those spellings
/// that are stored, which ``StoredSpellings`` finds.
///
/// ```
/// city ==[c] "oslo"              city IN {"OSLO", "Oslo"}, where these two are stored
/// city BEGINSWITH[cd] "malm"     city from "Malm" to before "Maln", and from "malm" to before "maln"
/// ```
extension Sargable {
  /// The form of a text's relation to another; nil where no index answers it.
  init?(_ field: FieldNumber, folding test: TextTest, isNegated: Bool) {
    guard let folding = test.folding.folding else { return nil }
    switch test.relation {
    case .equal: break
    // Such a text begins with nothing.
    case .prefix: if test.operand.isEmpty { return nil }
    default: return nil
    }
    self = .folded(
      field,
      FoldedTexts(
        texts: [test.operand], folding: folding, isPrefix: test.relation == .prefix, isNegated: isNegated))
  }

  /// Whether it asks for texts but for their case or marks.
  var isFolded: Bool {
    switch self {
    case .folded: true
    case .either(let parts), .narrowest(let parts): parts.contains { $0.isFolded }
    default: false
    }
  }

  /// The form that asks for stored texts instead; nil where that takes more searches than there may be, or cannot be told.
  func spelled(in table: Table, searches: inout Int) -> Sargable? {
    switch self {
    case .folded(let field, let texts): return texts.spelled(field, table, searches: &searches)
    case .either(let parts):
      var forms: [Sargable] = []
      for part in parts {
        guard let form = part.spelled(in: table, searches: &searches) else { return nil }
        forms.append(form)
      }
      return Sargable(any: forms)
    case .narrowest(let parts):
      return Sargable(all: parts.compactMap { $0.spelled(in: table, searches: &searches) }, isWhole: false)
    default: return self
    }
  }
}

extension FoldedTexts {
  fileprivate func spelled(_ field: FieldNumber, _ table: Table, searches: inout Int) -> Sargable? {
    guard var spellings = StoredSpellings(field, table, most: searches) else { return nil }
    let intervals = spellings.intervals(of: self)
    searches = spellings.left
    return intervals.map { Sargable(field, isNegated ? ValueInterval.complement(of: $0) : $0) }
  }
}

extension StoredSpellings {
  /// The intervals of what is stored of some texts, ascending and apart; nil where there may be no more searches, or where
  /// what folds to a text is not known.
  mutating func intervals(of asked: FoldedTexts) -> [ValueInterval]? {
    var intervals: [ValueInterval] = []
    for text in asked.texts where !add(text, asked.folding, isPrefix: asked.isPrefix, to: &intervals) { return nil }
    return asked.texts.count > 1 ? ValueInterval.union(intervals) : intervals
  }
}
