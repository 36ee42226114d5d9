/// A condition of a drawn question in SQL: what holds of the columns of `e`, or the numbers of the rows that another table
/// knows. Its values stand at `?1`, `?2` and so on.
struct SQLiteCondition {
  /// How the rows of another table take part.
  enum Form: CaseIterable {
    /// SQLite may begin with them.
    case leading
    /// SQLite looks a row up among them, all found beforehand.
    case testing
    /// They are asked for each row by itself.
    case correlated
  }

  /// What holds of the columns of `e`; of no use where another table knows.
  private let columns: String
  /// The numbers of the rows by themselves, and what is true of `e` where it is among them.
  private let rows: (all: String, ofEach: String)?
  let values: [SQLiteArguments.Value]
  /// The other table before `e`, whose rows come one by one, where its rows take part.
  let lead: Lead?

  struct Lead {
    let source: String
    let filter: String
    /// Where the start of each row stands.
    var start = "e.start"
  }

  init(columns: String, values: [SQLiteArguments.Value]) {
    (self.columns, self.values) = (columns, values)
    (rows, lead) = (nil, nil)
  }

  private init(all: String, ofEach: String, values: [SQLiteArguments.Value], _ lead: Lead) {
    (rows, self.values, self.lead) = ((all, ofEach), values, lead)
    columns = ""
  }

  static func tag(_ name: String) -> SQLiteCondition {
    let rows = "FROM event_tag t WHERE t.tag = \(SQLiteLayout.tagID)"
    return SQLiteCondition(
      all: "SELECT t.event \(rows)", ofEach: "EXISTS (SELECT 1 \(rows) AND t.event = e.id)", values: [.text(name)],
      // The rows of a tag lie in order of their start.
      Lead(
        source: "event_tag tagged CROSS JOIN event e ON e.id = tagged.event",
        filter: "tagged.tag = \(SQLiteLayout.tagID)", start: "tagged.start"))
  }

  static func word(_ word: String) -> SQLiteCondition {
    SQLiteCondition(
      all: "SELECT rowid FROM words WHERE words MATCH ?1",
      ofEach: "EXISTS (SELECT 1 FROM words WHERE words MATCH ?1 AND rowid = e.id)", values: [.text("\"\(word)\"")],
      Lead(source: "words CROSS JOIN event e ON e.id = words.rowid", filter: "words MATCH ?1"))
  }

  static func circle(_ circle: QueryCircle) -> SQLiteCondition {
    let near = "\(SQLiteLayout.squaredChord) < ?8"
    return SQLiteCondition(
      all: "SELECT p.id FROM place p WHERE \(SQLiteLayout.inBox) AND \(near)",
      ofEach: "EXISTS (SELECT 1 FROM place p WHERE p.id = e.id AND \(near))",
      values: SQLiteLayout.circle(circle.centre, circle.metres),
      Lead(source: "place p CROSS JOIN event e ON e.id = p.id", filter: "\(SQLiteLayout.inBox) AND \(near)"))
  }

  var hasRows: Bool { rows != nil }

  /// The condition with its values behind so many others.
  func text(_ form: Form, behind count: Int) -> String {
    guard let rows else { return SQLiteCondition.numbered(columns, behind: count) }
    switch form {
    case .leading: return SQLiteCondition.numbered("e.id IN (\(rows.all))", behind: count)
    case .testing: return SQLiteCondition.numbered("+e.id IN (\(rows.all))", behind: count)
    case .correlated: return SQLiteCondition.numbered(rows.ofEach, behind: count)
    }
  }

  /// SQL whose places of values count on from so many.
  static func numbered(_ sql: String, behind count: Int) -> String {
    let parts = sql.split(separator: "?", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
      let digits = part.prefix { $0.isNumber }
      text += "?\(count + (Int(digits) ?? 0))\(part.dropFirst(digits.count))"
    }
  }
}

/// The statements that answer a drawn question.
struct SQLiteWays {
  private let question: MixedQuestion
  private let read: String

  init(_ question: MixedQuestion, _ variant: Variant) {
    self.question = question
    read = variant == .ids ? "e.record_name" : SQLiteLayout.columns
  }

  /// All values, in the order of the conditions; behind them the place that distances are measured from.
  var values: [SQLiteArguments.Value] {
    var values = question.conditions.flatMap(\.sql.values)
    if case .nearest(let place) = question.order {
      let point = place.cartesian
      values += [.real(point.x), .real(point.y), .real(point.z)]
    }
    return values
  }

  private static let hints =
    ["", " NOT INDEXED"]
    + ["name", "city_start", "start", "price_start"].map { " INDEXED BY event_\($0)" }

  /// What an expert would try: SQLite's own choice, each index, and each way in which other tables can take part. Some of
  /// them SQLite refuses, where an index is of no use.
  var statements: [String] {
    let hasRows = question.conditions.contains { $0.sql.hasRows }
    var statements: [String] = []
    for form in hasRows ? SQLiteCondition.Form.allCases : [.leading] {
      for isUnion in question.isEither ? [false, true] : [false] {
        let filter = conditions(form, isUnion: isUnion)
        for hint in SQLiteWays.hints { statements.append(statement("event e\(hint)", filter)) }
      }
    }
    var count = 0
    for (index, condition) in question.conditions.enumerated() {
      if let lead = condition.sql.lead, !condition.isNegated, !question.isEither {
        let own = SQLiteCondition.numbered(lead.filter, behind: count)
        for form in SQLiteCondition.Form.allCases {
          let filter = [own] + conditions(form, isUnion: false, without: index)
          statements.append(statement(lead.source, filter, start: lead.start))
        }
      }
      count += condition.sql.values.count
    }
    // All places by themselves, each with its row.
    if case .nearest = question.order {
      for form in hasRows ? SQLiteCondition.Form.allCases : [.leading] {
        let filter = conditions(form, isUnion: false)
        statements.append(statement("place o CROSS JOIN event e ON e.id = o.id", filter, hasPlaces: true))
      }
    }
    return statements
  }

  private func statement(
    _ source: String, _ filter: [String], start: String = "e.start", hasPlaces: Bool = false
  ) -> String {
    var source = source
    var order = ""
    switch question.order {
    case .none: break
    case .start: order = " ORDER BY \(start)"
    case .newest: order = " ORDER BY \(start) DESC"
    // Records of one name come by their record names, as ours do.
    case .name: order = " ORDER BY e.name, e.record_name"
    case .rating: order = " ORDER BY e.rating DESC"
    case .cityAndPrice: order = " ORDER BY e.city, e.price DESC"
    case .nearest:
      let count = question.conditions.reduce(0) { $0 + $1.sql.values.count }
      let parts = ["x", "y", "z"].enumerated().map { "(o.\($1) - ?\(count + 1 + $0))" }
      if !hasPlaces { source += " CROSS JOIN place o ON o.id = e.id" }
      order = " ORDER BY " + parts.map { "\($0) * \($0)" }.joined(separator: " + ")
    }
    let limit = question.limit == .max ? "" : " LIMIT \(question.limit)"
    return "SELECT \(read) FROM \(source) WHERE \(filter.joined(separator: " AND "))\(order)\(limit)"
  }

  /// The conditions that all hold, without one of them.
  private func conditions(_ form: SQLiteCondition.Form, isUnion: Bool, without left: Int? = nil) -> [String] {
    var parts: [String] = []
    var count = 0
    for (index, condition) in question.conditions.enumerated() {
      let text = condition.sql.text(form, behind: count)
      count += condition.sql.values.count
      if index != left { parts.append(condition.isNegated ? "NOT (\(text))" : "(\(text))") }
    }
    guard question.isEither else { return parts }
    let either = parts[0...1]
    parts[0...1] = [
      isUnion
        ? "e.id IN (\(either.map { "SELECT e.id FROM event e WHERE \($0)" }.joined(separator: " UNION ")))"
        : "(\(either.joined(separator: " OR ")))"
    ]
    return parts
  }
}
