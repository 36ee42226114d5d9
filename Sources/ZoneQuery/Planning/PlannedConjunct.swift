/// One part of a query's predicate, all of which must hold, as the planner sees it.
struct PlannedConjunct: Sendable {
  let predicate: BoundPredicate
  /// What indexes can be asked for; nil where none can.
  private(set) var form: Sargable?
  /// What holding one row against it costs, in nanoseconds.
  let cost: Double

  init(_ predicate: BoundPredicate, zone: ZoneID) {
    self.predicate = predicate
    form = Sargable(predicate, zone: zone)
    cost = Cost.holding(predicate)
  }

  /// Whether a table's index is to be asked how the texts that it asks for are stored.
  var isFolded: Bool { form?.isFolded ?? false }

  /// Asks for texts as a table has them, where so many searches find these; says whether it does.
  mutating func spell(in table: Table, searches: inout Int) -> Bool {
    let spelled = form?.spelled(in: table, searches: &searches)
    if spelled == nil, searches <= 0 { return false }
    // Where no search helps there is no such form.
    form = spelled
    return spelled != nil
  }
}

/// What things cost, in nanoseconds: measured on columns of a hundred thousand to a million rows.
enum Cost {
  /// Finding how a text is stored, and the entries that are.
  static let spelling = 400.0
  /// Finding a place in an ordered index.
  static let seek = 100.0
  /// Copying one entry of a run.
  static let entry = 0.5
  /// Holding one entry's words against ranges.
  static let tested = 0.5
  /// Marking the row of one entry in a bitmap.
  static let mark = 1.0
  /// Decoding one posting.
  static let posting = 1.0
  /// Holding a member that an index of lists knows against a condition: a text, and a number.
  static let member = 20.0
  static let numberMember = 4.0
  /// Coming to a row by its slot.
  static let visit = 6.0
  /// Looking a slot up in a posting list, of slots that ascend and of slots in no order.
  static let probe = 40.0
  static let scatteredProbe = 55.0
  /// What holding a row against a condition may cost at most, where posting lists tell it as well.
  static let mostHeld = 200.0
  /// Reading a row's sort key and holding it against the heap's.
  static let rank = 4.0
  /// Sorting one row among those kept.
  static let sort = 60.0
  /// Passing over a row, and testing one number of it, in a scan by columns.
  static let scanned = 0.3
  /// How far away one place is, by its chord: what tells whether it is within a distance, and the nearest of a circle.
  static let distance = 30.0
  /// The exact distance of one place.
  static let exactDistance = 400.0

  static func holding(_ predicate: BoundPredicate) -> Double {
    switch predicate {
    case .constant: 0
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + holding($1) }
    case .comparison(let comparison):
      switch comparison.condition {
      case .value(_, let test): holding(test)
      case .anyMember(_, let test), .allMembers(_, let test), .holdsAll(_, let test): 10 + 3 * holding(test)
      case .tokens: 1_200
      case .computed: 200
      }
    }
  }

  private static func holding(_ test: ValueTest) -> Double {
    switch test {
    case .none, .every: 1
    case .integers, .doubles, .location: 2
    case .integerSet, .doubleSet: 8
    case .text(let text):
      (text.relation.rawValue < TextTest.Relation.suffix.rawValue ? 8 : 40) * (text.folding.isEmpty ? 1 : 20)
    case .textSet(_, let folding), .textRange(_, _, let folding): folding.isEmpty ? 20 : 300
    case .referenceSet, .recordNameSet: 20
    case .distance: distance
    }
  }

  static let unknownShare = 0.3

  /// The share of rows that a condition is taken to hold for where no index tells.
  static func share(_ predicate: BoundPredicate) -> Double {
    switch predicate {
    case .constant(let value): value ? 1 : 0
    case .and(let parts): parts.reduce(1) { $0 * share($1) }
    case .or(let parts): 1 - parts.reduce(1) { $0 * (1 - share($1)) }
    case .comparison(let comparison): comparison.isNegated ? 1 - unknownShare : unknownShare
    }
  }
}
