internal import PredicateSyntax
internal import ZoneQuery

/// A question of one to four conditions of many kinds, as a user might put them together, sorted in several ways or not at
/// all, in the languages of both engines.
struct MixedQuestion {
  /// A condition that some record satisfies.
  struct Condition {
    let format: String
    let arguments: [any PredicateArgument]
    let sql: SQLiteCondition
    var isNegated = false
  }

  enum Order {
    case none, start, newest, name, rating, cityAndPrice
    case nearest(Place)
  }

  /// All of them hold; but of the first two one is enough where `isEither`.
  private(set) var conditions: [Condition] = []
  private(set) var isEither = false
  private(set) var order = Order.none
  private(set) var limit: Int

  static let limits = [1, 10, 50, 500, .max]

  // MARK: Our language

  /// The predicate's format string.
  var format: String {
    var parts = conditions.map { $0.isNegated ? "NOT (\($0.format))" : $0.format }
    if isEither { parts[0...1] = ["(\(parts[0]) OR \(parts[1]))"] }
    return parts.joined(separator: " AND ")
  }

  var sort: [SortKey] {
    switch order {
    case .none: []
    case .start: [.ascending("start")]
    case .newest: [.descending("start")]
    case .name: [.ascending("name")]
    case .rating: [.descending("rating")]
    case .cityAndPrice: [.ascending("city"), .descending("price")]
    case .nearest(let place): [.distance("location", from: MixedQuestion.location(place))]
    }
  }

  func query() throws -> Query {
    let predicate = try QueryPredicate(format: format, arguments: conditions.flatMap(\.arguments))
    return Query(recordType: ZoneQueryEngine.recordType, predicate: predicate, sort: sort)
  }

  fileprivate static func location(_ place: Place) -> Location {
    Location(latitude: place.latitude, longitude: place.longitude)
  }

  // MARK: Drawing

  init(_ generator: EventGenerator, _ random: inout RandomSource) {
    for _ in 0..<[1, 2, 2, 2, 3, 3, 4][random.below(7)] {
      var condition = MixedQuestion.condition(generator, &random)
      condition.isNegated = random.below(12) == 0
      conditions.append(condition)
    }
    isEither = conditions.count > 2 && random.below(3) == 0
    let place = MixedQuestion.event(generator, &random).place
    switch random.below(8) {
    case 0: order = .start
    case 1: order = .newest
    case 2: order = .name
    case 3: order = .rating
    case 4: order = .cityAndPrice
    case 5: order = .nearest(place)
    default: break
    }
    limit = MixedQuestion.limits[random.below(MixedQuestion.limits.count)]
  }

  private static func event(_ generator: EventGenerator, _ random: inout RandomSource) -> Event {
    generator.event(at: random.below(generator.records))
  }

  private static func condition(_ generator: EventGenerator, _ random: inout RandomSource) -> Condition {
    let (event, other) = (event(generator, &random), event(generator, &random))
    let word = event.body.split { $0 == " " || $0 == "." }.first.map(String.init) ?? ""
    switch random.below(16) {
    case 0, 1: return Condition("name = %@", [event.name], "e.name = ?1", [.text(event.name)])
    case 2, 3: return Condition("city = %@", [event.city], "e.city = ?1", [.text(event.city)])
    case 4:
      let cities = (0..<1 + random.below(6)).map { _ in self.event(generator, &random).city }
      let marks = cities.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      return Condition("city IN %@", [cities], "e.city IN (\(marks))", cities.map { .text($0) })
    case 5:
      let prefix = String(event.name.prefix(1 + random.below(4)))
      return Condition(
        "name BEGINSWITH %@", [prefix], "e.name >= ?1 AND e.name < ?2", SQLiteLayout.beginning(prefix))
    case 6:
      return Condition(
        "start > %@", [Literal.date(milliseconds: event.start)], "e.start > ?1", [.integer(event.start)])
    case 7:
      let (first, last) = (min(event.start, other.start), max(event.start, other.start))
      return Condition(
        "start BETWEEN {%@, %@}", [Literal.date(milliseconds: first), Literal.date(milliseconds: last)],
        "e.start BETWEEN ?1 AND ?2", [.integer(first), .integer(last)])
    case 8: return Condition("price < %@", [event.price], "e.price < ?1", [.real(event.price)])
    case 9: return Condition("attendees >= %@", [event.attendees], "e.attendees >= ?1", [.integer(event.attendees)])
    case 10: return Condition("rating > %@", [event.rating], "e.rating > ?1", [.real(event.rating)])
    case 11:
      let tag = event.tags.first ?? ""
      return Condition(format: "tags CONTAINS %@", arguments: [tag], sql: .tag(tag))
    case 12: return Condition(format: "self CONTAINS %@", arguments: [word], sql: .word(word))
    case 13:
      // Both engines find the same in the generator's circles alone, on whose rims there is no record.
      let circles = generator.circles[random.below(generator.circles.count)]
      let circle = circles[random.below(circles.count)]
      return Condition(
        format: "distanceToLocation:fromLocation:(location, %@) < %@",
        arguments: [location(circle.centre), circle.metres], sql: .circle(circle))
    case 14:
      let suffix = String(event.name.suffix(1 + random.below(3)))
      return Condition(
        "name ENDSWITH %@", [suffix], "substr(e.name, -\(suffix.utf8.count)) = ?1", [.text(suffix)])
    default:
      let part = String(word.dropFirst())
      return Condition("title CONTAINS %@", [part], "instr(e.title, ?1) > 0", [.text(part)])
    }
  }
}

extension MixedQuestion.Condition {
  /// One that SQL says of the columns of a row.
  fileprivate init(
    _ format: String, _ arguments: [any PredicateArgument], _ sql: String, _ values: [SQLiteArguments.Value]
  ) {
    self.init(format: format, arguments: arguments, sql: SQLiteCondition(columns: sql, values: values))
  }
}

extension MixedQuestion {
  /// Whether the order tells which records a limit cuts off, and how the others stand. A distance along the ground and one
  /// through it have not the same order all over the world.
  var hasOrder: Bool {
    switch order {
    case .start, .newest, .name, .rating, .cityAndPrice: true
    case .none, .nearest: false
    }
  }

  /// The same question without a limit.
  var unlimited: MixedQuestion {
    var question = self
    question.limit = .max
    return question
  }

  /// Whether two answers are equal, but for the order where the question has none. Of one with a limit and no order it says
  /// how many records they have, and that they agree on those that both have.
  func agrees(_ left: [ResultRow], _ right: [ResultRow]) -> Bool {
    guard left.count == right.count else { return false }
    if hasOrder { return left == right }
    guard limit == .max else {
      let known = Dictionary(left.map { ($0.name, $0) }) { first, _ in first }
      return known.count == left.count && right.allSatisfy { known[$0.name] == nil || known[$0.name] == $0 }
    }
    func sorted(_ rows: [ResultRow]) -> [ResultRow] {
      rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
    return sorted(left) == sorted(right)
  }
}
