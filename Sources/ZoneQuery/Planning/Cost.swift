/// What things cost, in nanoseconds: measured on columns of some ten thousand to a million rows.
enum Cost {
  /// Finding how a text is stored, and the entries that are.
  static let spelling = 400.0
  /// Coming to one text of an index, but for what holding it against a condition costs: a long one lies in a row.
  static let storedText = 150.0
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
  /// Holding a member that an index of lists knows against a condition: a text, one of which something is ignored, and a number.
  static let member = 8.0
  static let foldedMember = 40.0
  static let numberMember = 4.0
  /// Coming to a row by its slot: of slots that ascend, and in the order of an index.
  static let visit = 6.0
  static let scatteredVisit = 12.0
  /// How much more holding a row in no order against a text costs than one in a scan: its text is read from elsewhere than
  /// the one before, where a scan has it near.
  static let scatteredText = 20.0
  /// Looking a slot up in a posting list, of slots that ascend and of slots in no order.
  static let probe = 40.0
  static let scatteredProbe = 55.0
  /// What holding a row against a condition may cost at most, where posting lists tell it as well.
  static let mostHeld = 200.0
  /// Reading a row's sort key and holding it against the heap's: a number, a text, and a number in a scan, where a look at the
  /// column passes over most.
  static let rank = 4.0
  static let textRank = 25.0
  static let columnRank = 1.0
  /// Sorting a row among those kept, and what that costs more for the natural logarithm of their number.
  static let sorted = 10.0
  static let sortedDeeper = 9.0
  /// Telling rows of one key apart.
  static let tied = 60.0
  /// Passing over a row, and testing one number of it, in a scan by columns.
  static let scanned = 0.3
  /// The part of the rows that a scan may look at, beyond those it is taken to, where how many pass is a guess.
  static let doubt = 0.02
  /// How far away one place is, by its chord: what tells whether it is within a distance, and the nearest of a circle.
  static let distance = 30.0
  /// The exact distance of one place.
  static let exactDistance = 400.0

  /// What holding a row against a condition costs, of whose parts one that decides saves those behind it, which cost more; and
  /// the share of rows that it is taken to hold for where no index tells. Complexity: n log n in its parts.
  static func estimate(_ predicate: BoundPredicate) -> (holding: Double, share: Double) {
    switch predicate {
    case .constant(let value): (0, value ? 1 : 0)
    case .and(let parts): estimate(parts, goesOn: { $0 })
    case .or(let parts): estimate(parts, goesOn: { 1 - $0 })
    case .comparison(let comparison): (holding(comparison.condition), share(comparison))
    }
  }

  /// `goesOn` says of a part's share for how many rows those behind it are asked.
  private static func estimate(
    _ parts: [BoundPredicate], goesOn: (Double) -> Double
  ) -> (holding: Double, share: Double) {
    var (cost, reaching) = (0.0, 1.0)
    for part in parts.map({ estimate($0) }).sorted(by: { $0.holding < $1.holding }) {
      cost += reaching * part.holding
      reaching *= goesOn(part.share)
    }
    return (cost, goesOn(reaching))
  }

  /// What holding a row against a condition costs.
  static func holding(_ predicate: BoundPredicate) -> Double { estimate(predicate).holding }

  private static func holding(_ condition: BoundComparison.Condition) -> Double {
    switch condition {
    case .value(_, let test): holding(test)
    case .anyMember(_, let test), .allMembers(_, let test), .holdsAll(_, let test): 50 + 2 * holding(test)
    case .tokens: 1_200
    case .computed: 100
    }
  }

  private static func holding(_ test: ValueTest) -> Double {
    switch test {
    case .none, .every: 1
    case .integers, .doubles, .location: 2
    case .integerSet, .doubleSet: 4
    case .text(let text): holding(text.relation) * (text.folding.isEmpty ? 1 : 4)
    case .textSet(_, let folding), .textRange(_, _, let folding): folding.isEmpty ? 20 : 80
    case .referenceSet, .recordNameSet: 20
    case .distance: distance
    }
  }

  private static func holding(_ relation: TextTest.Relation) -> Double {
    switch relation {
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .prefix: 8
    case .suffix: 10
    case .substring, .pattern: 20
    }
  }

  /// What a scan by columns costs for each row that it holds against a condition, of which that is what any row costs: of numbers
  /// and presence many are tested at once, and of distances hardly any is measured.
  static func scanning(_ predicate: BoundPredicate, holding: Double) -> Double {
    guard case .comparison(let comparison) = predicate, case .value(_, let test) = comparison.condition else {
      return holding
    }
    return switch test {
    case .none, .every, .integers, .doubles, .location: scanned
    case .integerSet, .doubleSet: 1
    case .distance: 2
    default: holding
    }
  }

  /// Whether holding a row against a condition reads more than its cells, in which numbers and places lie whole.
  static func readsFar(_ predicate: BoundPredicate) -> Bool {
    switch predicate {
    case .constant: false
    case .and(let parts), .or(let parts): parts.contains(where: readsFar)
    case .comparison(let comparison):
      switch comparison.condition {
      case .value(_, let test):
        switch test {
        case .none, .every, .integers, .integerSet, .doubles, .doubleSet, .location, .distance: false
        default: true
        }
      default: true
      }
    }
  }

  // MARK: Shares

  static let unknownShare = 0.3
  /// The share of rows that have one value of a field.
  private static let shareOfValue = 0.1

  /// The share of rows that a condition is taken to hold for; of its comparisons `known` says what indexes tell.
  static func share(_ predicate: BoundPredicate, known: (BoundComparison) -> Double?) -> Double {
    switch predicate {
    case .constant(let value): value ? 1 : 0
    case .and(let parts): parts.reduce(1) { $0 * share($1, known: known) }
    case .or(let parts): 1 - parts.reduce(1) { $0 * (1 - share($1, known: known)) }
    case .comparison(let comparison): known(comparison) ?? share(comparison)
    }
  }

  private static func share(_ comparison: BoundComparison) -> Double {
    if comparison.presenceField != nil { return share(comparison, present: 1 - unknownShare) }
    let share = share(comparison.condition)
    return comparison.isNegated ? 1 - share : share
  }

  /// The share of rows that a comparison which asks for presence alone holds for, where so many have the field.
  static func share(_ comparison: BoundComparison, present: Double) -> Double {
    let passing = share(comparison.condition)
    return present * (comparison.isNegated ? 1 - passing : passing) + (comparison.whenMissing ? 1 - present : 0)
  }

  private static func share(_ condition: BoundComparison.Condition) -> Double {
    switch condition {
    case .value(_, let test), .anyMember(_, let test), .holdsAll(_, let test): share(test)
    case .tokens: shareOfValue
    case .allMembers, .computed: unknownShare
    }
  }

  private static func share(_ test: ValueTest) -> Double {
    switch test {
    case .none: 0
    case .every: 1
    case .integers(let range): range.lowerBound == range.upperBound ? shareOfValue : unknownShare
    case .doubles(let range): range.lowerBound == range.upperBound ? shareOfValue : unknownShare
    case .integerSet(let set): share(ofValues: set.count)
    case .doubleSet(let set): share(ofValues: set.count)
    case .textSet(let set, _), .referenceSet(let set), .recordNameSet(let set): share(ofValues: set.count)
    case .text(let text): share(text)
    case .location: shareOfValue
    case .textRange, .distance: unknownShare
    }
  }

  private static func share(ofValues count: Int) -> Double { min(unknownShare, Double(count) * shareOfValue) }

  /// Of the bytes of a part each behind the first is taken to be found in one of four texts that have those before.
  private static func share(_ text: TextTest) -> Double {
    switch text.relation {
    case .equal: shareOfValue
    case .less, .lessOrEqual, .greater, .greaterOrEqual: unknownShare
    case .prefix, .suffix, .substring:
      text.operand.isEmpty ? 1 : max(0.02, unknownShare / Double(1 << min(8, 2 * text.operand.count - 2)))
    case .pattern: shareOfValue
    }
  }
}

extension BoundComparison {
  /// The field of which it asks nothing but whether a record has it.
  var presenceField: FieldNumber? {
    guard case .value(let field, let test) = condition, test == .none || test == .every else { return nil }
    return field
  }
}
