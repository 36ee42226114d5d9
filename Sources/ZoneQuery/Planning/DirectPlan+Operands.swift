extension DirectPlan.Operand {
  /// Nil where the part of a predicate asks for no range, or for one that is only known when it is bound.
  init?(_ part: PredicateTemplate.Part, _ form: Sargable?, _ options: PredicateOptions) {
    switch part {
    case .fixed:
      switch form {
      case .interval(_, let interval)?:
        guard let range = KeyRange(interval) else { return nil }
        self = .fixed(range)
      default: return nil
      }
    case .relation(let relation):
      guard relation.comparison != .notEqual, relation.folding(options).isEmpty else { return nil }
      self = .relation(
        parameter: relation.parameter, relation.comparison, relation.type, isMember: relation.isMember)
    case .form(.between(_, let type, let lower, let upper), _):
      if type == .string { return nil }
      self = .between(lower, upper, type)
    case .form, .anew: return nil
    }
  }

  /// The range for the values of a run; nil where a look at the value does not tell.
  @inline(__always)
  func range(_ values: [ArgumentValue?]) -> KeyRange? {
    switch self {
    case .fixed(let range): return range
    case .between(let lower, let upper, let type):
      guard case .literal(let first)? = values[lower], case .literal(let last)? = values[upper],
        let least = KeyRange(.greaterOrEqual, first, type), let most = KeyRange(.lessOrEqual, last, type)
      else { return nil }
      return least.intersection(most)
    case .relation(let parameter, let comparison, let type, let isMember):
      guard case .literal(let literal)? = values[parameter] else { return nil }
      if type == .reference {
        guard isMember || comparison == .equal, let bytes = literal.bytes(.reference) else { return nil }
        let word = KeyEncoding.recordWord(bytes.span)
        return KeyRange(word: word, through: word)
      }
      guard type == .string else { return KeyRange(isMember ? .equal : comparison, literal, type) }
      guard case .string(let text) = literal else { return nil }
      return withUTF8(of: text) { text in
        if !isMember { return KeyRange(comparison, text) }
        let word = KeyEncoding.memberWord(text)
        return KeyRange(word: word, through: word)
      }
    }
  }
}

extension DirectPlan {
  /// Texts that are asked for but for case or marks.
  enum Spellings: Sendable {
    case fixed(FoldedTexts)
    case relation(PredicateTemplate.Relation, Folding)
    /// `field IN $list`, where equality ignores case.
    case among(parameter: Int)

    /// Nil where the part of a predicate asks for no such text.
    init?(_ part: PredicateTemplate.Part, _ form: Sargable?, _ options: PredicateOptions) {
      guard case .folded(_, let texts)? = form, !texts.isNegated else { return nil }
      switch part {
      case .fixed: self = .fixed(texts)
      case .relation(let relation):
        guard let folding = relation.folding(options).folding else { return nil }
        self = .relation(relation, folding)
      case .form(.among(_, .string, let parameter, isMember: false), _) where options.stringEquality == .caseInsensitive:
        self = .among(parameter: parameter)
      case .form, .anew: return nil
      }
    }

    /// Whether texts are asked for that begin so.
    var isPrefix: Bool {
      switch self {
      case .fixed(let texts): texts.isPrefix
      case .relation(let relation, _): relation.comparison == .beginsWith
      case .among: false
      }
    }

    /// The texts of a run; nil where the value has to be looked at more closely.
    func texts(_ values: [ArgumentValue?]) -> FoldedTexts? {
      switch self {
      case .fixed(let texts): return texts
      case .relation(let relation, let folding):
        guard case .literal(let literal)? = values[relation.parameter], let bytes = literal.bytes(.string) else {
          return nil
        }
        let folded = folding.folded(bytes)
        return isPrefix && folded.isEmpty ? nil : FoldedTexts(texts: [folded], folding: folding, isPrefix: isPrefix)
      case .among(let parameter):
        guard case .list(let members)? = values[parameter], !members.isEmpty else { return nil }
        var texts: [[UInt8]] = []
        for member in members {
          guard case .literal(let literal) = member, let bytes = literal.bytes(.string) else { return nil }
          texts.append(Folding.caseAlone.folded(bytes))
        }
        return FoldedTexts(texts: ValueTest.sorted(texts), folding: .caseAlone)
      }
    }
  }
}

extension DirectPlan.Test {
  /// What a part of a predicate asks of a row's values; nil where it is another condition.
  init?(
    _ part: PredicateTemplate.Part, _ conjunct: PlannedConjunct, _ layout: FieldLayout, _ options: PredicateOptions,
    takesNumber: Bool
  ) {
    if takesNumber, case .interval(let field, _)? = conjunct.form, layout.type(of: field).scalar.isNumber,
      let operand = DirectPlan.Operand(part, conjunct.form, options)
    {
      self = .number(field, isDouble: layout.type(of: field).scalar == .double, operand)
      return
    }
    guard case .relation(let relation) = part, relation.isOfBytes(options) else { return nil }
    self = .bytes(relation)
  }
}

extension FieldType.Scalar {
  fileprivate var isNumber: Bool { self == .int64 || self == .timestamp || self == .double }
}

extension PredicateTemplate.Relation {
  /// Whether bytes alone tell it: of a text that equals another, does not, or begins with it, or of a reference.
  fileprivate func isOfBytes(_ options: PredicateOptions) -> Bool {
    guard !isMember, type == .string || type == .reference, folding(options).isEmpty else { return false }
    return switch comparison {
    case .equal: true
    case .notEqual: options.missingFields != .likeNSPredicate
    case .beginsWith: type == .string
    default: false
    }
  }

  /// The bytes of a run's value; nil where it has to be looked at more closely.
  func bytes(_ values: [ArgumentValue?]) -> [UInt8]? {
    guard case .literal(let literal)? = values[parameter], let bytes = literal.bytes(type) else { return nil }
    return comparison == .beginsWith && bytes.isEmpty ? nil : bytes
  }
}

extension Literal {
  /// The whole number, or the moment, that a field of a type may have; nil of another type.
  @inline(__always)
  func wholeNumber(_ type: FieldType.Scalar) -> Int64? {
    switch (type, self) {
    case (.int64, .integer(let number)), (.timestamp, .date(let number)): number
    default: nil
    }
  }

  /// The number that a DOUBLE may have; nil where it is none, and of another type.
  @inline(__always)
  var floatingNumber: Double? {
    switch self {
    case .double(let number): number.isNaN ? nil : number
    case .integer(let number): Double(exactly: number)
    default: nil
    }
  }

  /// The word of a number or a moment in an index; nil where a field of the type has none like it.
  @inline(__always)
  func word(_ type: FieldType.Scalar) -> UInt64? {
    type == .double ? floatingNumber.map { KeyEncoding.word($0) } : wholeNumber(type).map { KeyEncoding.word($0) }
  }

  /// The term under which a list's member of a type, or a reference, stands in its index; nil of another type.
  func term(_ type: FieldType.Scalar) -> PostingTerm? {
    switch type {
    case .string: if case .string(let text) = self { withUTF8(of: text) { PostingTerm($0) } } else { nil }
    case .int64, .timestamp, .double: word(type).map { PostingTerm(KeyEncoding.term(word: $0).span) }
    default: bytes(type).map { PostingTerm($0.span) }
    }
  }

  /// The bytes that a row has of a text, or of a reference without its action; nil of another type.
  func bytes(_ type: FieldType.Scalar) -> [UInt8]? {
    switch (type, self) {
    case (.string, .string(let text)): return Array(text.utf8)
    case (.reference, .reference(let name, let zone, let owner)):
      let id = RecordID(recordName: name, zoneName: zone, ownerName: owner)
      return fault == nil && id.encodingFault == nil ? id.encoded : nil
    default: return nil
    }
  }
}

extension KeyRange {
  /// The numbers or moments in a relation to one; nil where there are none, and where the types differ.
  @inline(__always)
  init?(_ comparison: ComparisonOperator, _ literal: Literal, _ type: FieldType.Scalar) {
    guard let word = literal.word(type) else { return nil }
    self.init(comparison, word: word)
  }

  @inline(__always)
  private init?(_ comparison: ComparisonOperator, word: UInt64) {
    self.init(word: word, through: word)
    switch comparison {
    case .equal: break
    case .less: (hasLower, isPoint, upper.isAfter) = (false, false, false)
    case .lessOrEqual: (hasLower, isPoint) = (false, false)
    case .greater: (hasUpper, isPoint, lower.isAfter) = (false, false, true)
    case .greaterOrEqual: (hasUpper, isPoint) = (false, false)
    default: return nil
    }
  }
}

extension DirectPlan.Lookup {
  /// Nil where the part of a predicate asks for no terms of an index, or not for all of them.
  init?(_ part: PredicateTemplate.Part, _ form: Sargable?, _ table: Table) {
    let found: (number: Int?, terms: DirectPlan.Terms)
    switch (form, part) {
    case (.members(let field, let terms, let requiresAll)?, .fixed) where requiresAll || terms.count == 1:
      found = (table.indexNumber(of: field, .members), .fixed(terms.map { PostingTerm($0.span) }))
    case (.members(let field, _, _)?, .relation(let relation)) where relation.isMember:
      found = (table.indexNumber(of: field, .members), .member(parameter: relation.parameter, relation.type))
    case (.members(let field, _, _)?, .form(.among(_, let type, let parameter, isMember: true), _)):
      found = (table.indexNumber(of: field, .members), .among(parameter: parameter, type))
    case (.references(let field, _)?, .form(.among(_, .reference, let parameter, isMember: false), _)):
      found = (table.indexNumber(of: field, .references), .among(parameter: parameter, .reference))
    case (.references(let field, _)?, .relation(let relation)) where relation.comparison == .equal:
      found = (table.indexNumber(of: field, .references), .member(parameter: relation.parameter, .reference))
    case (.references(let field, let encodings)?, .fixed) where encodings.count == 1:
      found = (table.indexNumber(of: field, .references), .fixed(encodings.map { PostingTerm($0.span) }))
    case (.tokens(let tokens, let requiresAll)?, .fixed) where requiresAll || tokens.count == 1:
      found = (table.tokenIndex, .fixed(tokens.map { PostingTerm($0.span) }))
    case (.tokens(let tokens, _)?, .form(.tokens(_, let parameter, let requiresAll), _))
    where requiresAll || tokens.count == 1:
      found = (table.tokenIndex, .tokens(parameter: parameter, requiresAll: requiresAll))
    default: return nil
    }
    guard let number = found.number else { return nil }
    (self.number, terms) = (number, found.terms)
  }

  /// The most words of a search that lists are looked up for without the planner.
  private static var mostTokens: Int { 16 }

  /// Adds the lists of the terms; false where there is a term that no record has, nil where the values have to be looked at
  /// more closely.
  func add(
    to lists: inout [PostingList], _ source: TableRow.Source, _ values: [ArgumentValue?]
  ) -> Bool? {
    guard case .postings(let index) = source.indexes[number].entries else { return nil }
    func add(_ term: PostingTerm) -> Bool {
      guard let list = index.list(term) else { return false }
      lists.append(list)
      return true
    }
    switch terms {
    case .fixed(let terms):
      return terms.allSatisfy(add)
    case .member(let parameter, let type):
      guard case .literal(let literal)? = values[parameter], let term = literal.term(type) else { return nil }
      return add(term)
    // Of several terms one is enough.
    case .among: return nil
    case .tokens(let parameter, let requiresAll):
      guard case .literal(.string(let text))? = values[parameter] else { return nil }
      var scratch = TokenScratch()
      var (count, areThere) = (0, true)
      withUTF8(of: text) { text in
        Tokenizer().forEachToken(in: text, using: &scratch) { token in
          count += 1
          if areThere, count <= Self.mostTokens { areThere = add(PostingTerm(token)) }
        }
      }
      // Of many the planner leaves the repeated ones out; without any, it says what that means.
      return 1...(requiresAll ? Self.mostTokens : 1) ~= count ? areThere : nil
    }
  }

  /// Whether one of several terms is enough.
  var isOfAny: Bool { if case .among = terms { true } else { false } }

  /// How many rows have the terms, each counted as often as it has one.
  func count(_ terms: [[UInt8]], _ source: TableRow.Source) -> Int {
    guard case .postings(let index) = source.indexes[number].entries else { return 0 }
    return terms.reduce(0) { $0 + (index.list(PostingTerm($1.span))?.count ?? 0) }
  }

  /// The lists of those terms that records have, of which one is enough; nil where the values have to be looked at more
  /// closely.
  func lists(_ source: TableRow.Source, _ values: [ArgumentValue?]) -> [PostingList]? {
    guard case .postings(let index) = source.indexes[number].entries, case .among(let parameter, let type) = terms,
      case .list(let members)? = values[parameter], !members.isEmpty
    else { return nil }
    var lists: [PostingList] = []
    for member in members {
      guard case .literal(let literal) = member, let term = literal.term(type) else { return nil }
      if let list = index.list(term) { lists.append(list) }
    }
    return lists
  }
}
