/// What a query asks for apart from its constants, and these: a conjunction of comparisons of fields with constants, of
/// the forms that are asked most.
///
/// ```
/// city = 'Seoul' AND start BETWEEN {1, 9}   →   city == · AND start BETWEEN ·   with "Seoul", 1, 9
/// ```
struct QueryShape: Sendable {
  /// One comparison without its constants.
  struct Part: Hashable, Sendable {
    enum Form: Hashable, Sendable {
      /// `field relation constant`.
      case constant(ComparisonOperator)
      /// `field BETWEEN {constant, constant}`.
      case between
      /// `field IN {constants}`.
      case list
      /// `distanceToLocation:fromLocation:(field, constant) relation constant`.
      case distance(ComparisonOperator)
      /// `ANY` or `ALL tokenize(constant, options) IN allTokens`.
      case tokens(Quantifier, options: String)
    }

    let form: Form
    let field: String

    static func == (left: Part, right: Part) -> Bool {
      left.form == right.form && (isIdentical(left.field, right.field) || sameBytes(left.field, right.field))
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(form)
      hashBytes(field, into: &hasher)
    }
  }

  private(set) var parts: [Part] = []
  private(set) var values: [ArgumentValue] = []

  /// The most comparisons, and the most constants of one list, of which a shape is taken.
  private static let (mostParts, mostMembers) = (8, 64)

  /// Nil where the predicate has another form.
  init?(_ predicate: QueryPredicate) {
    guard predicate.faults.isEmpty else { return nil }
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
    guard comparison.options.isEmpty else { return false }
    switch (comparison.left, comparison.right) {
    case (.key(let key), .literal(let literal)):
      guard comparison.quantifier == nil, key.path.isEmpty, add(literal) else { return false }
      parts.append(Part(form: .constant(comparison.comparison), field: key.name))
    case (.key(let key), .list(let list)):
      guard comparison.quantifier == nil, key.path.isEmpty else { return false }
      if comparison.comparison == .between, list.elements.count == 2 {
        for element in list.elements {
          guard case .literal(let literal) = element, add(literal) else { return false }
        }
        parts.append(Part(form: .between, field: key.name))
      } else if comparison.comparison == .in, list.elements.count <= QueryShape.mostMembers {
        var members: [ArgumentValue] = []
        members.reserveCapacity(list.elements.count)
        for element in list.elements {
          guard case .literal(let literal) = element, literal.value != .null else { return false }
          members.append(.literal(literal.value))
        }
        values.append(.list(members))
        parts.append(Part(form: .list, field: key.name))
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
        case .literal(let options) = call.arguments[1], case .string(let letters) = options.value, add(words)
      else { return false }
      parts.append(Part(form: .tokens(quantifier, options: letters), field: key.name))
    default: return false
    }
    return true
  }

  private mutating func add(_ literal: LiteralNode) -> Bool {
    if literal.value == .null { return false }
    values.append(.literal(literal.value))
    return true
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
          case .constant(let relation): return .comparison(ComparisonNode(nil, key, relation, next()))
          case .between: return .comparison(ComparisonNode(nil, key, .between, .list(ListNode([next(), next()]))))
          case .list: return .comparison(ComparisonNode(nil, key, .in, next()))
          case .distance(let relation):
            return .comparison(
              ComparisonNode(nil, .function(FunctionNode(.distance, [key, next()])), relation, next()))
          case .tokens(let quantifier, let options):
            let words = FunctionNode(.tokenize, [next(), .literal(LiteralNode(.string(options)))])
            return .comparison(ComparisonNode(quantifier, .function(words), .in, key))
          }
        }))
  }
}

/// The queries that a database was asked more than once of late, bound once for all that differ in their constants alone.
///
/// Whoever asks by values and format strings, and does not prepare, is answered as if by a prepared query from the third
/// time on. Nothing else differs: what a kept query cannot answer is asked anew, errors are those of the query as it was
/// given, and records without a sort come in the order of a plan of the run's own. Complexity: a search among ``most`` queries.
final class RepeatedQueries: Sendable {
  /// How many queries are kept.
  private static let most = 32

  private let known = Locked(Known())

  private struct Known: Sendable {
    var entries: [Entry] = []
    /// Where the next takes the place of another.
    var next = 0
    /// The hashes of queries asked once.
    var seen: [Int] = Array(repeating: 0, count: RepeatedQueries.most)
    var nextSeen = 0
  }

  private struct Entry: Sendable {
    let hash: Int
    let parts: [QueryShape.Part]
    let bound: BoundQuery

    func isOf(_ query: Query, _ zoneID: ZoneID?, _ shape: QueryShape) -> Bool {
      parts == shape.parts && bound.zoneID == zoneID && bound.query.sort == query.sort
        && sameBytes(bound.query.recordType, query.recordType)
    }
  }

  init() {}

  /// The query that is kept for those of a shape, bound to the schema as it is; nil where there is none (yet).
  func bound(_ shape: QueryShape, _ query: Query, _ zoneID: ZoneID?, in database: Database) -> BoundQuery? {
    var hasher = Hasher()
    hashBytes(query.recordType, into: &hasher)
    hasher.combine(shape.parts)
    hasher.combine(zoneID)
    hasher.combine(query.sort.count)
    let hash = hasher.finalize()
    let (found, wasSeen) = known.withLock { known -> (BoundQuery?, Bool) in
      for entry in known.entries where entry.hash == hash && entry.isOf(query, zoneID, shape) {
        return (entry.bound, true)
      }
      if known.seen.contains(hash) { return (nil, true) }
      known.seen[known.nextSeen] = hash
      known.nextSeen = (known.nextSeen + 1) % RepeatedQueries.most
      return (nil, false)
    }
    // A type only ever gains fields.
    if let found, database.schema[query.recordType]?.fields.count == found.recordType.fields.count { return found }
    guard wasSeen,
      let bound = try? BoundQuery(
        Query(recordType: query.recordType, predicate: shape.predicate, sort: query.sort), zoneID, in: database,
        runs: .ofAnybody)
    else { return nil }
    let entry = Entry(hash: hash, parts: shape.parts, bound: bound)
    known.withLock { known in
      if let place = known.entries.firstIndex(where: { $0.hash == hash && $0.isOf(query, zoneID, shape) }) {
        known.entries[place] = entry
      } else if known.entries.count < RepeatedQueries.most {
        known.entries.append(entry)
      } else {
        known.entries[known.next] = entry
        known.next = (known.next + 1) % RepeatedQueries.most
      }
    }
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
  ) -> Result? {
    guard parameters.isEmpty, let shape = QueryShape(query.predicate),
      let bound = repeated.bound(shape, query, zoneID, in: self),
      bound.template.parameters.count == shape.values.count
    else { return nil }
    return try? body(PreparedQuery(self, bound), QueryArguments(values: shape.values))
  }
}
