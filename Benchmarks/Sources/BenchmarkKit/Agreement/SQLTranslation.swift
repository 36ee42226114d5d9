internal import PredicateSyntax
internal import ZoneQuery
internal import ZoneQueryTesting

/// A predicate as a SQL expression over the tables of ``SQLiteRecords``, where it has an exact meaning there.
///
/// SQLite compares INTEGER with REAL by their exact values and TEXT by its bytes, as the rules here ask, and its AND, OR
/// and NOT know what is unknown. Every comparison says for itself what holds where its field is missing; texts are cut
/// as BLOBs, since SQLite's functions on TEXT end at a NUL.
struct SQLTranslation {
  let testCase: FuzzCase
  /// What stands in the places of the expression's `?`.
  private(set) var values: [SQLiteArguments.Value] = []

  /// A predicate that SQL cannot say exactly, or that this does not try to say.
  struct Untranslatable: Error {}

  init(_ testCase: FuzzCase) { self.testCase = testCase }

  mutating func expression(_ node: PredicateNode) throws(Untranslatable) -> String {
    switch node {
    case .constant(let node): return node.value ? "1" : "0"
    case .not(let node): return "NOT (\(try expression(node.operand)))"
    case .and(let node): return try joined(node.parts, "AND")
    case .or(let node): return try joined(node.parts, "OR")
    case .comparison(let node): return try comparison(node)
    }
  }

  private mutating func joined(_ parts: [PredicateNode], _ word: String) throws(Untranslatable) -> String {
    var texts: [String] = []
    for part in parts { texts.append("(\(try expression(part)))") }
    return texts.joined(separator: " \(word) ")
  }

  // MARK: Comparisons

  private mutating func comparison(_ node: ComparisonNode) throws(Untranslatable) -> String {
    guard node.options.isEmpty else { throw Untranslatable() }
    switch (node.left, node.right) {
    case (.key(let left), .key(let right)): return try between(fields: left, right, node)
    case (.key(let key), let constant): return try comparison(try field(key), node, constant, isMirrored: false)
    case (let constant, .key(let key)): return try comparison(try field(key), node, constant, isMirrored: true)
    default: throw Untranslatable()
    }
  }

  private mutating func comparison(
    _ field: SQLiteField, _ node: ComparisonNode, _ other: ExpressionNode, isMirrored: Bool
  ) throws(Untranslatable) -> String {
    if let answer = nilTest(field, node, other) { return answer }
    switch (field.type.isList, node.quantifier, node.comparison, isMirrored) {
    case (false, nil, .between, false):
      guard case .list(let bounds) = other, bounds.elements.count == 2 else { throw Untranslatable() }
      return guarded(
        field, "\(field.column) BETWEEN \(try value(bounds.elements[0])) AND \(try value(bounds.elements[1]))")
    case (false, nil, .in, false): return guarded(field, "\(field.column) IN \(try list(other))")
    case (false, nil, .beginsWith, false), (false, nil, .endsWith, false):
      return guarded(field, try part(field.column, node.comparison, other))
    case (false, nil, .contains, false), (false, nil, .in, true):
      return guarded(field, try part(field.column, .contains, other))
    case (false, nil, let comparison, _):
      let word = try word(isMirrored ? mirrored(comparison) : comparison)
      return guarded(field, "\(field.column) \(word) \(try value(other))", absent: comparison == .notEqual)
    case (false, let quantifier?, let comparison, true):
      return guarded(field, try each(quantifier, comparison, of: other, field))
    case (true, nil, .contains, false), (true, nil, .in, true):
      return guarded(field, exists(field, "value = \(try value(other))"))
    case (true, let quantifier?, let comparison, false):
      let holds: String
      switch comparison {
      case .in: holds = "value IN \(try list(other))"
      case .beginsWith, .endsWith, .contains: holds = try part("value", comparison, other)
      default:
        // What "some member is not x" says of a list that is nil is left open.
        if comparison == .notEqual, testCase.options.missingFields == .likeNSPredicate { throw Untranslatable() }
        holds = "value \(try word(comparison)) \(try value(other))"
      }
      return guarded(field, quantifier == .any ? exists(field, holds) : "NOT \(exists(field, "NOT (\(holds))"))")
    case (true, let quantifier?, .in, true):
      guard case .list(let constants) = other else { throw Untranslatable() }
      var tests: [String] = []
      for constant in constants.elements { tests.append(exists(field, "value = \(try value(constant))")) }
      return guarded(field, folded(tests, quantifier))
    default: throw Untranslatable()
    }
  }

  /// Two fields of a record.
  private func between(
    fields left: KeyNode, _ right: KeyNode, _ node: ComparisonNode
  ) throws(Untranslatable) -> String {
    guard testCase.options.missingFields == .excluded, node.quantifier == nil else { throw Untranslatable() }
    let (left, right) = (try field(left), try field(right))
    let test: String
    switch (left.type.isList, right.type.isList) {
    case (false, false): test = "\(left.column) \(try word(node.comparison)) \(right.column)"
    case (false, true) where node.comparison == .in: test = exists(right, "value = \(left.column)")
    case (true, false) where node.comparison == .contains: test = exists(left, "value = \(right.column)")
    default: throw Untranslatable()
    }
    return guarded(left, guarded(right, test))
  }

  /// `x = nil` and `x != nil`.
  private func nilTest(_ field: SQLiteField, _ node: ComparisonNode, _ other: ExpressionNode) -> String? {
    guard case .literal(let literal) = other, literal.value == .null, node.quantifier == nil else { return nil }
    switch node.comparison {
    case .equal: return "\(field.column) IS NULL"
    case .notEqual: return "\(field.column) IS NOT NULL"
    default: return nil
    }
  }

  /// ANY or ALL of some constants against a field: the constant stands on the left.
  private mutating func each(
    _ quantifier: Quantifier, _ comparison: ComparisonOperator, of constants: ExpressionNode, _ field: SQLiteField
  ) throws(Untranslatable) -> String {
    guard case .list(let constants) = constants else { throw Untranslatable() }
    if comparison == .notEqual, testCase.options.missingFields == .likeNSPredicate { throw Untranslatable() }
    var tests: [String] = []
    for constant in constants.elements {
      tests.append("\(try value(constant)) \(try word(comparison)) \(field.column)")
    }
    return folded(tests, quantifier)
  }

  // MARK: Parts

  /// The answer where the field is there, and what the switch says where it is missing.
  private func guarded(_ field: SQLiteField, _ test: String, absent: Bool = false) -> String {
    let missing = testCase.options.missingFields == .excluded ? "NULL" : absent ? "1" : "0"
    return "CASE WHEN \(field.column) IS NULL THEN \(missing) ELSE (\(test)) END"
  }

  private func exists(_ field: SQLiteField, _ test: String) -> String {
    "EXISTS (SELECT 1 FROM member WHERE member.field = \(field.number) AND member.record = record.id AND (\(test)))"
  }

  private func folded(_ tests: [String], _ quantifier: Quantifier) -> String {
    if tests.isEmpty { return quantifier == .all ? "1" : "0" }
    return tests.map { "(\($0))" }.joined(separator: quantifier == .all ? " AND " : " OR ")
  }

  private mutating func part(
    _ whole: String, _ comparison: ComparisonOperator, _ other: ExpressionNode
  ) throws(Untranslatable) -> String {
    guard case .literal(let literal) = other, case .string(let text) = literal.value else { throw Untranslatable() }
    // The empty text is part of nothing.
    if text.utf8.isEmpty { return "0" }
    let bytes = "CAST(\(whole) AS BLOB)"
    let length = text.utf8.count
    let part = "CAST(\(try value(other)) AS BLOB)"
    switch comparison {
    // What substr cuts from an empty BLOB is NULL.
    case .beginsWith: return "length(\(bytes)) >= \(length) AND substr(\(bytes), 1, \(length)) = \(part)"
    case .endsWith: return "length(\(bytes)) >= \(length) AND substr(\(bytes), -\(length)) = \(part)"
    default: return "ifnull(instr(\(bytes), \(part)), 0) > 0"
    }
  }

  private func word(_ comparison: ComparisonOperator) throws(Untranslatable) -> String {
    switch comparison {
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    default: throw Untranslatable()
    }
  }

  private func mirrored(_ comparison: ComparisonOperator) -> ComparisonOperator {
    switch comparison {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: comparison
    }
  }

  private func field(_ key: KeyNode) throws(Untranslatable) -> SQLiteField {
    guard key.path.isEmpty, let field = SQLiteField.named(key.name, of: testCase.recordType),
      testCase.options.stringEquality == .exact || field.type.scalar != .string
    else { throw Untranslatable() }
    return field
  }

  private mutating func list(_ node: ExpressionNode) throws(Untranslatable) -> String {
    guard case .list(let list) = node else { throw Untranslatable() }
    var texts: [String] = []
    for element in list.elements { texts.append(try value(element)) }
    return "(\(texts.joined(separator: ", ")))"
  }

  /// A constant's place.
  private mutating func value(_ node: ExpressionNode) throws(Untranslatable) -> String {
    switch node {
    case .function(let call) where call.function == .now: values.append(.integer(testCase.now.milliseconds))
    case .literal(let literal):
      switch literal.value {
      case .integer(let value): values.append(.integer(value))
      case .double(let value): values.append(.real(value))
      case .string(let value): values.append(.text(value))
      case .date(let milliseconds): values.append(.integer(milliseconds))
      case .reference(let name, let zone, let owner):
        let zoneID = ZoneID(zoneName: zone ?? ZoneID.defaultZoneName, ownerName: owner ?? ZoneID.currentUserName)
        values.append(.text(SQLiteRecords.text(RecordID(recordName: name, zoneID: zoneID))))
      case .location, .null: throw Untranslatable()
      }
    default: throw Untranslatable()
    }
    return "?\(values.count)"
  }
}
