internal import PredicateSyntax
internal import ZoneQuery

/// A predicate taken apart, so that records can be drawn that satisfy it or miss it by little.
///
/// A record that has values near the constants goes towards the predicate: one of the conditions that it does not meet
/// is taken by chance, and a field of it drawn anew until the condition is met, and so on (the walk of WalkSAT: Selman,
/// Kautz and Cohen, 1994). From there, values are drawn anew until the first that is too much. The matcher says what is
/// met: it steers the draw, and settles nothing.
struct PredicateNeighbourhood: Sendable {
  /// A comparison, or the negation of one.
  private struct Condition: Sendable {
    let matcher: Matcher
    let fields: [Field]
    let mentions: ComparisonMentions

    var asksForRecordID: Bool {
      fields.contains { if case .system(.recordID) = $0 { true } else { false } }
    }

    func holds(for record: Record) -> Bool { PredicateNeighbourhood.holds(matcher, record) }
  }

  private enum Field: Sendable {
    case own(FieldDefinition)
    case system(SystemField)
  }

  /// The predicate with its negations at the comparisons.
  private indirect enum Goal: Sendable {
    case all([Goal])
    case any([Goal])
    case condition(Condition)

    var isNever: Bool {
      if case .any(let parts) = self { parts.isEmpty } else { false }
    }

    var conditions: [Condition] {
      switch self {
      case .all(let parts), .any(let parts): parts.flatMap(\.conditions)
      case .condition(let condition): [condition]
      }
    }
  }

  private let matcher: Matcher
  private let goal: Goal
  private let conditions: [Condition]
  /// The records that references among the constants name, of zones that this user's records can lie in.
  let recordIDs: [RecordID]
  /// Whether a condition asks for the record's own ID.
  let asksForRecordID: Bool

  /// Takes a predicate apart, whose parameters were replaced by values.
  ///
  /// - Throws: `invalidPredicate` where the dialect or the type refuses it.
  init(
    _ predicate: QueryPredicate, of recordType: RecordType, options: PredicateOptions, now: Timestamp
  ) throws(ZoneQueryError) {
    matcher = try Matcher(predicate, for: recordType, options: options, now: now)
    goal = try Builder(recordType: recordType, options: options, now: now)
      .goal(predicate.root, isNegated: false)
    conditions = goal.conditions
    asksForRecordID = conditions.contains(where: \.asksForRecordID)
    recordIDs = conditions.flatMap { condition in
      condition.mentions.constants.compactMap { constant in
        if case .string = constant, !condition.asksForRecordID { return nil }
        let id = NearbyValueGenerator.recordID(constant)
        return sameBytes(id?.zoneID.ownerName, ZoneID.currentUserName) ? id : nil
      }
    }
  }

  private struct Builder {
    let recordType: RecordType
    let options: PredicateOptions
    let now: Timestamp

    func goal(_ node: PredicateNode, isNegated: Bool) throws(ZoneQueryError) -> Goal {
      switch node {
      case .constant(let constant): return constant.value == isNegated ? .any([]) : .all([])
      case .not(let not): return try goal(not.operand, isNegated: !isNegated)
      case .and(let compound), .or(let compound):
        var parts: [Goal] = []
        for part in compound.parts { parts.append(try goal(part, isNegated: isNegated)) }
        if case .and = node, !isNegated { return .all(parts) }
        if case .or = node, isNegated { return .all(parts) }
        return .any(parts.filter { !$0.isNever })
      case .comparison(let comparison):
        let condition = isNegated ? PredicateNode.not(NotNode(node)) : node
        let mentions = ComparisonMentions(comparison, now: .date(milliseconds: now.milliseconds))
        return .condition(
          Condition(
            matcher: try Matcher(QueryPredicate(condition), for: recordType, options: options, now: now),
            fields: fields(mentions), mentions: mentions))
      }
    }

    private func fields(_ mentions: ComparisonMentions) -> [Field] {
      let searched = recordType.fields.filter { field in
        mentions.isTokenSearch && field.indexes.contains(.searchable) && field.type.scalar == .string
      }
      return searched.map { .own($0) }
        + mentions.names.compactMap { name in
          let system = SystemField.allCases.first { field in
            field != .changeTag && [field.key, field.schemaName].contains { sameBytes($0, name) }
          }
          return system.map { .system($0) } ?? recordType.field(name).map { .own($0) }
        }
    }
  }

  private static func holds(_ matcher: Matcher, _ record: Record) -> Bool { (try? matcher.matches(record)) ?? false }

  // MARK: Drawing

  /// Gives each field that the predicate names a value near its constants; so many of a hundred are missing.
  func scatter(_ record: inout Record, missing: Int, _ random: inout SeededRandom) {
    for condition in random.shuffled(conditions) {
      for field in condition.fields { draw(field, of: condition, in: &record, missing, &random) }
    }
  }

  /// Changes the record until the predicate holds.
  ///
  /// - Returns: Whether it does; no record need satisfy it, and a walk does not find each that does.
  func approach(_ record: inout Record, missing: Int, _ random: inout SeededRandom) -> Bool {
    for _ in 0..<8 + 2 * conditions.count {
      if Self.holds(matcher, record) { return true }
      guard let condition = unmet(goal, record, &random) else { return false }
      for _ in 0..<12 {
        guard let field = random.pick(condition.fields) else { return false }
        draw(field, of: condition, in: &record, missing, &random)
        if condition.holds(for: record) { break }
      }
    }
    return Self.holds(matcher, record)
  }

  /// Changes the record, a value at a time, until the predicate holds no more.
  func leave(_ record: inout Record, missing: Int, _ random: inout SeededRandom) {
    for _ in 0..<40 where Self.holds(matcher, record) {
      guard let condition = random.pick(conditions), let field = random.pick(condition.fields) else { return }
      draw(field, of: condition, in: &record, missing, &random)
    }
  }

  /// A condition that a record does not meet and is to; nil where there is none.
  private func unmet(_ goal: Goal, _ record: Record, _ random: inout SeededRandom) -> Condition? {
    switch goal {
    case .condition(let condition): return condition.holds(for: record) ? nil : condition
    case .all(let parts):
      for part in random.shuffled(parts) {
        if let condition = unmet(part, record, &random) { return condition }
      }
      return nil
    case .any(let parts):
      let conditions = parts.map { unmet($0, record, &random) }
      return conditions.contains { $0 == nil } ? nil : random.pick(conditions.compactMap { $0 })
    }
  }

  private func draw(
    _ field: Field, of condition: Condition, in record: inout Record, _ missing: Int, _ random: inout SeededRandom
  ) {
    // Of two fields that are compared, one comes near the other.
    let mentions = condition.mentions
    var constants = mentions.constants
    if condition.fields.count > 1, !mentions.isTokenSearch {
      for other in condition.fields { constants += PredicateGenerator.literals(Self.value(other, record)) }
    }
    let values = NearbyValueGenerator(
      constants, isTokenSearch: mentions.isTokenSearch, isComputed: mentions.isComputed, zoneID: record.recordID.zoneID)
    let isMissing = random.chance(missing, of: 100)
    switch field {
    case .own(let field): record[field.name] = isMissing ? nil : values.value(of: field.type, &random)
    case .system(let field):
      switch field {
      // The ID is drawn with the record, and the change tag by the database.
      case .recordID, .changeTag: break
      case .creatorUserRecordID: record.creatorUserRecordID = values.userRecordID(&random)
      case .lastModifiedUserRecordID: record.lastModifiedUserRecordID = values.userRecordID(&random)
      case .creationDate, .modificationDate, .parent, .share:
        set(values.value(of: field.type, &random), isMissing, field, of: &record)
      }
    }
  }

  private static func value(_ field: Field, _ record: Record) -> FieldValue? {
    switch field {
    case .own(let field): record[field.name]
    case .system(let field): record.systemValue(field)
    }
  }

  private func set(_ value: FieldValue, _ isMissing: Bool, _ field: SystemField, of record: inout Record) {
    switch (field, value) {
    case (.creationDate, .timestamp(let moment)): record.creationDate = moment
    case (.modificationDate, .timestamp(let moment)): record.modificationDate = moment
    case (.parent, .reference(let parent)):
      record.parent = isMissing || parent.recordID == record.recordID ? nil : parent
    case (.share, .reference(let share)): record.share = isMissing ? nil : share
    default: break
    }
  }
}
