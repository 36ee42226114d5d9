public import PredicateSyntax
public import ZoneQuery

/// Draws predicates that a dialect takes of a record type, as trees.
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// var generator = PredicateGenerator(recordType: type, records: records)
/// generator.dialect = .extended
/// generator.predicate(&random).predicateFormat   // such as name == "ab" OR NOT age < 3
/// ```
///
/// Operands come from the records as often as ``selectivity`` says, so that predicates find something, and from
/// boundary values else.
public struct PredicateGenerator: Sendable {
  /// The type of the records.
  public let recordType: RecordType
  /// The records that operands are drawn from.
  public let records: [Record]
  /// What the predicates may say.
  public var dialect = Dialect.cloudKit
  /// How deep AND, OR and NOT lie in each other.
  public var depth = 3
  /// The operators that occur; all where nil.
  public var operators: Set<ComparisonOperator>?
  /// Whether token searches occur, where ``operators`` has theirs: IN, CONTAINS or TOKENMATCHES.
  public var includesTokenSearches = true
  /// The quantifiers that occur, those of token searches included; all where nil, none where empty.
  public var quantifiers: Set<Quantifier>?
  /// The types of the fields that occur; all where nil.
  public var fieldTypes: Set<FieldType>?
  /// How many of the operands, from 0 to 1, are values of a record.
  public var selectivity = 0.6

  let fields: [(name: String, type: FieldType)]
  /// How many of the fields are the type's own; the system's stand behind them.
  private let ownCount: Int
  private let isSearchable: Bool

  /// Creates a generator of predicates over records of a type.
  public init(recordType: RecordType, records: [Record]) {
    self.recordType = recordType
    self.records = records
    let own = recordType.fields.filter { !$0.isEncrypted && $0.type.scalar != .bytes && $0.type.scalar != .asset }
    let system = SystemField.allCases.filter { $0 != .changeTag }
    ownCount = own.count
    fields = own.map { ($0.name, $0.type) } + system.map { ($0.key, $0.type) }
    isSearchable = recordType.fields.contains { $0.indexes.contains(.searchable) }
  }

  /// A predicate.
  ///
  /// Complexity: linear in the size of what it makes.
  public func predicate(_ random: inout SeededRandom) -> PredicateNode { predicate(depth, &random) }

  private func predicate(_ depth: Int, _ random: inout SeededRandom) -> PredicateNode {
    if random.chance(1, of: 50) { return random.one(of: .true, .false) }
    if dialect == .cloudKit {
      guard depth > 1, random.chance(2, of: 5) else { return literal(&random) }
      return .all(of: (0..<random.one(of: 2, 2, 3, 4)).map { _ in literal(&random) })
    }
    guard depth > 1 else { return leaf(&random)?.node ?? .true }
    switch random.below(7) {
    case 0: return .not(NotNode(predicate(depth - 1, &random)))
    case 1, 2: return .all(of: (0..<random.one(of: 2, 2, 3)).map { _ in predicate(depth - 1, &random) })
    case 3, 4: return .any(of: (0..<random.one(of: 2, 2, 3)).map { _ in predicate(depth - 1, &random) })
    default: return leaf(&random)?.node ?? .true
    }
  }

  /// A comparison, or NOT before one where CloudKit's dialect takes that.
  private func literal(_ random: inout SeededRandom) -> PredicateNode {
    guard let leaf = leaf(&random) else { return .true }
    return leaf.form.isNegatable && random.chance(1, of: 4) ? .not(NotNode(leaf.node)) : leaf.node
  }

  private func leaf(_ random: inout SeededRandom) -> (form: PredicateForm, node: PredicateNode)? {
    let forms = PredicateForm.allCases.filter { form in
      (dialect == .extended || form.isCloudKits)
        && (form.isTokenSearch ? isSearchable && includesTokenSearches : true)
        && (operators.map { !$0.isDisjoint(with: form.operators) } ?? true)
        && (form.quantifiers.isEmpty || !quantifiers(of: form).isEmpty)
    }
    for _ in 0..<20 {
      if isSearchable, operators == nil || forms.contains(where: \.isTokenSearch), random.chance(1, of: 12),
        let form = random.pick(forms.filter(\.isTokenSearch))
      {
        return (form, tokenSearch(form, &random))
      }
      guard let field = field(&random), let form = random.pick(forms.filter { $0.takes(field.type) }),
        let comparison = random.pick(form.operators.filter { operators?.contains($0) ?? true }),
        let node = node(form, field.name, field.type, comparison, &random)
      else { continue }
      return (form, node)
    }
    return nil
  }

  /// Those of a form's quantifiers that may occur.
  func quantifiers(of form: PredicateForm) -> [Quantifier] {
    form.quantifiers.filter { quantifiers?.contains($0) ?? true }
  }

  private func field(_ random: inout SeededRandom) -> (name: String, type: FieldType)? {
    func allowed(_ fields: ArraySlice<(name: String, type: FieldType)>) -> [(name: String, type: FieldType)] {
      fields.filter { fieldTypes?.contains($0.type) ?? true }
    }
    // System fields are asked for less often than their number.
    let own = allowed(fields.prefix(ownCount))
    return own.isEmpty || random.chance(1, of: 6) ? random.pick(allowed(fields[...])) : random.pick(own)
  }

  private func tokenSearch(_ form: PredicateForm, _ random: inout SeededRandom) -> PredicateNode {
    let count = random.one(of: 1, 1, 2, 2, 3)
    let words = (0..<count).map { _ in random.pick(BoundaryValues.words) ?? "sea" }
    let text = random.chance(1, of: 5) ? random.pick(BoundaryValues.texts) ?? "" : words.joined(separator: " ")
    let needle = ExpressionNode.literal(LiteralNode(.string(text)))
    let all = ExpressionNode.key(KeyNode("allTokens"))
    let letters = random.one(of: "cdl", "Cdl", "LDC")
    let call = ExpressionNode.function(
      FunctionNode(.tokenize, [needle, .literal(LiteralNode(.string(letters)))]))
    switch form {
    case .allTokens: return .comparison(ComparisonNode(.all, call, .in, all))
    case .anyTokens: return .comparison(ComparisonNode(.any, call, .in, all))
    case .tokenMatches:
      let options: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive, .localeSensitive]
      return .comparison(ComparisonNode(all, .tokenMatches, options: options, needle))
    default: return .comparison(ComparisonNode(.selfReference(SelfNode()), .contains, needle))
    }
  }
}
