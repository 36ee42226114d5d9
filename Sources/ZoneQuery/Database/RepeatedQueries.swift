/// What a query asks for apart from its constants, and these: a conjunction of comparisons of fields with constants, of
/// the forms that are asked most.
///
/// ```
/// city = 'Seoul' AND start BETWEEN {1, 9}   →   city == · AND start BETWEEN ·   with "Seoul", 1, 9
/// ```
struct QueryShape: Sendable {
  /// One comparison without its constants.
  struct Part: Equatable, Sendable {
    enum Form: Equatable, Sendable {
      /// `field relation constant`, perhaps but for case or marks.
      case constant(ComparisonOperator, ComparisonOptions)
      /// `field BETWEEN {constant, constant}`.
      case between
      /// `field IN {constants}`.
      case list
      /// `constant IN field`.
      case member
      /// `self CONTAINS constant`.
      case words
      /// `distanceToLocation:fromLocation:(field, constant) relation constant`.
      case distance(ComparisonOperator)
      /// `ANY` or `ALL tokenize(constant, options) IN allTokens`.
      case tokens(Quantifier, options: ByteKey)
    }

    let form: Form
    /// Empty of a search in all words.
    let field: String
    /// What a comparison with a list's members begins with.
    var quantifier: Quantifier?

    static func == (left: Part, right: Part) -> Bool {
      left.form == right.form && left.quantifier == right.quantifier
        && (isIdentical(left.field, right.field) || sameBytes(left.field, right.field))
    }
  }

  private(set) var parts: [Part] = []
  /// A value for each parameter of ``predicate``, as arguments have them.
  private(set) var values: [ArgumentValue?] = []

  /// How many bytes the constants' texts have.
  private var textCount = 0

  /// The most comparisons, sort keys, constants of one list and bytes of all constants' texts, or of a zone's name and owner,
  /// of which a shape is taken: what is kept holds the query that it was asked with last, and its zone.
  private static let (mostParts, mostSortKeys, mostMembers, mostTexts) = (8, 8, 64, 4_096)
  /// The most letters of a token search's options, which are three.
  private static let mostOptions = 8

  /// Nil where the query has another form or many sort keys, is sorted by the distance from a place, which is a constant
  /// too, or is of a zone with a long name, which cannot be.
  init?(_ query: Query, _ zoneID: ZoneID? = nil) {
    let predicate = query.predicate
    if let zoneID, zoneID.zoneName.utf8.count + zoneID.ownerName.utf8.count > QueryShape.mostTexts { return nil }
    guard predicate.faults.isEmpty, query.sort.count <= QueryShape.mostSortKeys,
      query.sort.allSatisfy({ $0.origin == nil })
    else { return nil }
    switch predicate.root {
    case .constant(let constant) where constant.value: break
    case .comparison(let comparison):
      if !add(comparison) { return nil }
    case .and(let compound):
      guard compound.parts.count <= QueryShape.mostParts else { return nil }
      parts.reserveCapacity(compound.parts.count)
      for part in compound.parts {
        guard case .comparison(let comparison) = part, add(comparison) else { return nil }
      }
    case .constant, .not, .or: return nil
    }
  }

  private mutating func add(_ comparison: ComparisonNode) -> Bool {
    switch (comparison.left, comparison.right) {
    case (.key(let key), .literal(let literal)):
      guard key.path.isEmpty, add(literal) else { return false }
      parts.append(
        Part(
          form: .constant(comparison.comparison, comparison.options), field: key.name,
          quantifier: comparison.quantifier))
    case _ where !comparison.options.isEmpty: return false
    case (.literal(let literal), .key(let key)):
      guard comparison.quantifier == nil, comparison.comparison == .in, key.path.isEmpty, add(literal) else {
        return false
      }
      parts.append(Part(form: .member, field: key.name))
    case (.selfReference, .literal(let literal)):
      guard comparison.quantifier == nil, comparison.comparison == .contains, add(literal) else { return false }
      parts.append(Part(form: .words, field: ""))
    case (.key(let key), .list(let list)):
      guard key.path.isEmpty else { return false }
      if comparison.comparison == .between, comparison.quantifier == nil, list.elements.count == 2 {
        for element in list.elements {
          guard case .literal(let literal) = element, add(literal) else { return false }
        }
        parts.append(Part(form: .between, field: key.name))
      } else if comparison.comparison == .in, list.elements.count <= QueryShape.mostMembers {
        var members: [ArgumentValue] = []
        members.reserveCapacity(list.elements.count)
        for element in list.elements {
          guard case .literal(let literal) = element, isSmall(literal.value) else { return false }
          members.append(.literal(literal.value))
        }
        values.append(.list(members))
        parts.append(Part(form: .list, field: key.name, quantifier: comparison.quantifier))
      } else {
        return false
      }
    case (.function(let call), .literal(let radius)):
      guard comparison.quantifier == nil, call.function == .distance, call.arguments.count == 2,
        case .key(let key) = call.arguments[0], key.path.isEmpty, case .literal(let place) = call.arguments[1],
        add(place), add(radius)
      else { return false }
      parts.append(Part(form: .distance(comparison.comparison), field: key.name))
    case (.function(let call), .key(let key)):
      guard let quantifier = comparison.quantifier, comparison.comparison == .in, call.function == .tokenize,
        call.arguments.count == 2, key.path.isEmpty, case .literal(let words) = call.arguments[0],
        case .literal(let options) = call.arguments[1], case .string(let letters) = options.value,
        letters.utf8.count <= QueryShape.mostOptions, add(words)
      else { return false }
      parts.append(Part(form: .tokens(quantifier, options: ByteKey(letters)), field: key.name))
    default: return false
    }
    return true
  }

  private mutating func add(_ literal: LiteralNode) -> Bool {
    guard isSmall(literal.value) else { return false }
    values.append(.literal(literal.value))
    return true
  }

  /// Whether a constant may be a parameter's value, and has no long text.
  private mutating func isSmall(_ literal: Literal) -> Bool {
    switch literal {
    case .null: return false
    case .string(let text): textCount += text.utf8.count
    case .reference(let name, let zone, let owner):
      textCount += name.utf8.count + (zone?.utf8.count ?? 0) + (owner?.utf8.count ?? 0)
    case .integer, .double, .date, .location: break
    }
    return textCount <= QueryShape.mostTexts
  }

  /// The predicate with a parameter in the place of each constant, in their order.
  var predicate: QueryPredicate {
    var count = 0
    func next() -> ExpressionNode {
      count += 1
      return .variable(VariableNode("constant\(count)"))
    }
    return QueryPredicate(
      .all(
        of: parts.map { part in
          let key = ExpressionNode.key(KeyNode(part.field))
          switch part.form {
          case .constant(let relation, let options):
            return .comparison(ComparisonNode(part.quantifier, key, relation, options: options, next()))
          case .between: return .comparison(ComparisonNode(nil, key, .between, .list(ListNode([next(), next()]))))
          case .list: return .comparison(ComparisonNode(part.quantifier, key, .in, next()))
          case .member: return .comparison(ComparisonNode(nil, next(), .in, key))
          case .words: return .comparison(ComparisonNode(nil, .selfReference(SelfNode()), .contains, next()))
          case .distance(let relation):
            return .comparison(
              ComparisonNode(nil, .function(FunctionNode(.distance, [key, next()])), relation, next()))
          case .tokens(let quantifier, let options):
            let words = FunctionNode(.tokenize, [next(), .literal(LiteralNode(.string(options.text)))])
            return .comparison(ComparisonNode(quantifier, .function(words), .in, key))
          }
        }))
  }
}

/// The queries that a database was asked more than once of late, bound once for all that differ in their constants alone.
///
/// Whoever asks by values and format strings, and does not prepare, is answered as if by a prepared query, which is made
/// the second time and found from the third on. Nothing else differs: what a kept query cannot answer is asked anew,
/// errors are those of the query as it was given, and records without a sort come in the order of a plan of the run's own.
/// Complexity: constant.
final class RepeatedQueries: Sendable {
  /// How many queries are kept, and how many are known to have been asked once.
  static let most = 256

  private let known = Locked(Known())

  private struct Known: Sendable {
    /// The queries by their hashes: of those that have one in common the last.
    private(set) var entries: [UInt64: Entry] = [:]
    /// Their hashes by what cursors know them by.
    private var hashes: [ObjectIdentifier: UInt64] = [:]
    private var kept = RecentHashes()
    /// The hashes of queries asked once.
    var seen = RecentHashes()

    /// Keeps a query, in the place of one with the same hash or of the first of all.
    mutating func keep(_ entry: Entry, _ hash: UInt64) {
      if entries[hash] == nil {
        if let gone = kept.insert(hash) { remove(gone) }
      } else {
        remove(hash)
      }
      entries[hash] = entry
      hashes[ObjectIdentifier(entry.bound.identity)] = hash
    }

    private mutating func remove(_ hash: UInt64) {
      guard let entry = entries.removeValue(forKey: hash) else { return }
      hashes[ObjectIdentifier(entry.bound.identity)] = nil
    }

    func bound(_ identity: BoundQuery.Identity) -> BoundQuery? {
      hashes[ObjectIdentifier(identity)].flatMap { entries[$0]?.bound }
    }
  }

  /// The last so many of the hashes given.
  private struct RecentHashes: Sendable {
    private(set) var all: Set<UInt64> = []
    private var inTurn: [UInt64] = []
    /// Where the next takes the place of another.
    private var next = 0

    /// Takes a hash that is not among them; returns the one that goes for it.
    mutating func insert(_ hash: UInt64) -> UInt64? {
      all.insert(hash)
      if inTurn.count < RepeatedQueries.most {
        inTurn.append(hash)
        return nil
      }
      let gone = inTurn[next]
      all.remove(gone)
      inTurn[next] = hash
      next = (next + 1) % RepeatedQueries.most
      return gone
    }
  }

  private struct Entry: Sendable {
    let parts: [QueryShape.Part]
    let bound: BoundQuery

    func isOf(_ query: Query, _ zoneID: ZoneID?, _ shape: QueryShape) -> Bool {
      parts == shape.parts && bound.zoneID == zoneID && bound.query.sort == query.sort
        && sameBytes(bound.query.recordType, query.recordType)
    }
  }

  init() {}

  /// What most likely tells a query from others: those that share it cost a comparison, and never an answer.
  private static func hash(_ shape: QueryShape, _ query: Query, _ zoneID: ZoneID?) -> UInt64 {
    var hash: UInt64 = 0
    func add(_ text: String) { hash = ByteHash.fold(hash ^ textHash(of: text), 0x9E37_79B9_7F4A_7C15) }
    add(query.recordType)
    for part in shape.parts {
      add(part.field)
      if let quantifier = part.quantifier { add(quantifier.rawValue) }
      switch part.form {
      case .constant(let relation, let options):
        add(relation.rawValue)
        hash = ByteHash.fold(hash ^ UInt64(options.rawValue), 0x9E37_79B9_7F4A_7C15)
      case .between: add(ComparisonOperator.between.rawValue)
      case .list: add(ComparisonOperator.in.rawValue)
      case .member: add("member")
      case .words: add("words")
      case .distance(let relation):
        add(BuiltinFunction.distance.rawValue)
        add(relation.rawValue)
      case .tokens(let quantifier, let options):
        add(quantifier.rawValue)
        add(options.text)
      }
    }
    for key in query.sort {
      add(key.key)
      add(key.order.rawValue)
    }
    if let zoneID {
      add(zoneID.zoneName)
      add(zoneID.ownerName)
    }
    return hash
  }

  /// The query that is kept for those of a shape, bound to the schema as it is; nil where there is none.
  func bound(_ shape: QueryShape, _ query: Query, _ zoneID: ZoneID?, asOf database: Database) -> BoundQuery? {
    known(shape, query, zoneID).flatMap { $0.isOfNow(database) ? $0 : nil }
  }

  /// The query that is kept for those of a shape; nil where there is none.
  func known(_ shape: QueryShape, _ query: Query, _ zoneID: ZoneID?) -> BoundQuery? {
    let hash = RepeatedQueries.hash(shape, query, zoneID)
    return known.withLock { $0.entries[hash].flatMap { $0.isOf(query, zoneID, shape) ? $0.bound : nil } }
  }

  /// The kept query that cursors know by an identity, bound to the schema as it is; nil where it is kept no more.
  func bound(_ identity: BoundQuery.Identity, in database: Database) -> BoundQuery? {
    let found = known.withLock { $0.bound(identity) }
    return found.flatMap { $0.isOfNow(database) ? $0 : nil }
  }

  /// The query that is kept for those of a shape, bound to the schema as it is; nil where there is none (yet).
  func bound(_ shape: QueryShape, _ query: Query, _ zoneID: ZoneID?, in database: Database) -> BoundQuery? {
    let hash = RepeatedQueries.hash(shape, query, zoneID)
    let (found, wasSeen) = known.withLock { known -> (BoundQuery?, Bool) in
      if let entry = known.entries[hash], entry.isOf(query, zoneID, shape) { return (entry.bound, true) }
      if known.seen.all.contains(hash) { return (nil, true) }
      _ = known.seen.insert(hash)
      return (nil, false)
    }
    if let found, found.isOfNow(database) { return found }
    guard wasSeen,
      let bound = try? BoundQuery(
        Query(recordType: query.recordType, predicate: shape.predicate, sort: query.sort), zoneID, in: database,
        runs: .ofAnybody)
    else { return nil }
    known.withLock { $0.keep(Entry(parts: shape.parts, bound: bound), hash) }
    return bound
  }

  /// Lets go of all, which hold the zones they were asked of.
  func removeAll() { known.withLock { $0 = Known() } }
}

extension Database {
  /// Answers a query by one that was asked before with other constants; nil where there is none that does.
  func answerAsBefore<Result>(
    _ query: Query, _ zoneID: ZoneID?, _ parameters: [String: any PredicateArgument],
    _ body: (PreparedQuery, QueryArguments) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result? {
    guard parameters.isEmpty, let shape = QueryShape(query, zoneID) else { return nil }
    return try answer(shape, repeated.bound(shape, query, zoneID, in: self), body)
  }

  /// The same for the query of a cursor's page, which is no new asking.
  func continueAsBefore<Result>(
    _ query: Query, _ zoneID: ZoneID?, _ body: (PreparedQuery, QueryArguments) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result? {
    guard let shape = QueryShape(query, zoneID) else { return nil }
    return try answer(shape, repeated.bound(shape, query, zoneID, asOf: self), body)
  }

  /// The same by the query that made a cursor.
  func continueAsBefore<Result>(
    _ cursor: QueryCursor, _ body: (PreparedQuery, QueryArguments) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result? {
    guard let origin = cursor.origin, let bound = repeated.bound(origin.query, in: self) else { return nil }
    return try attempt { () throws(ZoneQueryError) in
      try body(PreparedQuery(self, bound), QueryArguments(origin.arguments, of: bound.template))
    }
  }

  /// The answer of a kept query, nil where it has none. That there was no time left, or no room in a cursor, is said of the
  /// query as it was given, too.
  private func attempt<Result>(
    _ body: () throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result? {
    do throws(ZoneQueryError) {
      return try body()
    } catch {
      if error.code == .limitExceeded, error.stage == .query { throw error }
      return nil
    }
  }

  private func answer<Result>(
    _ shape: QueryShape, _ bound: BoundQuery?,
    _ body: (PreparedQuery, QueryArguments) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result? {
    guard let bound, bound.template.parameters.count == shape.values.count else { return nil }
    return try attempt { () throws(ZoneQueryError) in
      try body(PreparedQuery(self, bound), QueryArguments(shape.values, of: bound.template))
    }
  }
}
