/// Slots that an index offers: at least those of all records that some conjuncts hold for.
enum Access {
  case nothing
  /// Records found by name.
  case slots([UInt32])
  /// Runs of an ordered index's entries, ascending and apart.
  case spans(index: Int, [IndexSpan])
  /// Those entries of a run that pass.
  case tested(index: Int, IndexSpan, EntryFilter)
  /// What runs of several ordered indexes have in common, the shortest first.
  case overlap([Overlapping])
  /// The members of all of some posting lists, or of any.
  case lists(index: Int, [PostingList], requiresAll: Bool)
  /// The cover of a circle in a location index.
  case circle(index: Int, [IndexSpan], CircleTest)
  case union([Access])
  /// The rows that are not in posting lists.
  case rest(Rest)

  /// One run of several.
  struct Overlapping {
    var index: Int
    var span: IndexSpan
  }

  /// All rows but those in all of some posting lists, or in any.
  struct Rest {
    /// The index that the lists are of; nil where there are none.
    var index: Int?
    var lists: [PostingList]
    var requiresAll: Bool
    /// Fields of which a row must have one; nil where it need not.
    var fields: [FieldNumber]?
  }

  /// The indexes that are read, one perhaps several times.
  var indexes: [Int] {
    switch self {
    case .nothing, .slots: []
    case .spans(let index, _), .tested(let index, _, _), .lists(let index, _, _), .circle(let index, _, _): [index]
    case .overlap(let runs): runs.map(\.index)
    case .union(let parts): parts.flatMap(\.indexes)
    case .rest(let rest): rest.index.map { [$0] } ?? []
    }
  }

  /// How many slots, lists and stretches it names one by one.
  var places: Int {
    switch self {
    case .nothing: 0
    case .slots(let slots): slots.count
    case .spans(_, let spans), .circle(_, let spans, _): spans.count
    case .tested: 1
    case .overlap(let runs): runs.count
    case .lists(_, let lists, _): lists.count
    case .union(let parts): parts.reduce(0) { $0 + $1.places }
    case .rest(let rest): rest.lists.count
    }
  }

  /// How many entries are read.
  var entries: Int {
    switch self {
    case .nothing: 0
    case .slots(let slots): slots.count
    case .overlap(let runs): runs.reduce(0) { $0 + $1.span.count }
    case .spans(_, let spans), .circle(_, let spans, _): IndexSpan.count(spans)
    case .tested(_, let span, _): span.count
    case .lists(_, let lists, let requiresAll):
      requiresAll ? lists.map(\.count).min() ?? 0 : lists.reduce(0) { $0 + $1.count }
    case .union(let parts): parts.reduce(0) { $0 + $1.entries }
    case .rest(let rest): rest.lists.reduce(0) { $0 + $1.count }
    }
  }

  /// Whether the slots come ascending, each once.
  var isSlotOrdered: Bool {
    switch self {
    case .nothing: true
    case .slots(let slots): slots.count < 2
    case .spans(_, let spans): spans.count == 1 && spans[0].isPoint
    case .lists, .overlap, .rest: true
    case .circle, .union, .tested: false
    }
  }
}

/// How a query is answered over one table.
struct Plan {
  enum Source {
    /// Every row, by columns.
    case scan
    /// The slots an index offers, all of them.
    case access(Access)
    /// An index's entries one after the other, until enough rows are found.
    case walk(Walk)
  }

  struct Walk {
    var index: Int
    /// The values of the index's first fields that all entries have.
    var lead: SpanBound
    var span: IndexSpan
    /// Further stretches, with other values of the first fields, whose rows come between those of the first.
    var others: [Stretch] = []
    /// Whether a row may be in several of them.
    var hasRepeats = false
    var isDescending = false
    /// What the entries are held against, and the share of them that is taken to pass.
    var filter = EntryFilter()
    var share = 1.0
    /// How many sort descriptors the index's order satisfies; 0 in a query without a sort.
    var sorted: Int
    /// Whether rows without the sort's field, which the index does not have, belong to the answer.
    var addsMissing = false
    /// How many entries may be read before the next best plan is taken instead.
    var budget = Int.max

    /// How many entries there are.
    var entries: Int { others.reduce(span.count) { $0 + $1.span.count } }

    /// The walk of each stretch.
    var stretches: [Walk] {
      [self]
        + others.map { stretch in
          var walk = self
          (walk.lead, walk.span) = (stretch.lead, stretch.span)
          return walk
        }
    }
  }

  /// The entries that have some values of an index's first fields.
  struct Stretch {
    var lead: SpanBound
    var span: IndexSpan
  }

  /// How many slots, lists and stretches it names one by one.
  var places: Int {
    switch source {
    case .scan: 0
    case .access(let access): access.places
    case .walk(let walk): 1 + walk.others.count
    }
  }

  var isWalk: Bool { if case .walk = source { true } else { false } }
  var isScan: Bool { if case .scan = source { true } else { false } }

  /// That of a condition which no row meets.
  static var nothing: Plan {
    Plan(source: .access(.nothing), residual: .empty, entries: 0, rows: 0, cost: 0)
  }

  var source: Source
  /// The conjuncts that each row has yet to be held against.
  var residual: ConjunctSet
  /// Posting lists that each row's slot is looked up in.
  var probes: [Probe] = []
  /// How many entries are read, if the statistics are right.
  var entries: Double
  /// How many rows are found.
  var rows: Double
  /// Nanoseconds.
  var cost: Double
  /// Which conjuncts ask for which fields, where one run of an ordered index is read.
  var path: Path?
  /// The conjunct whose own path it is, which may have to be held against the rows nevertheless.
  var asked: Int?

  struct Path {
    var index: Int
    /// The conjuncts that ask for one value of the index's first fields each, by number.
    var points: [Int]
    /// Those that ask for values of the next field.
    var interval: [Int]
    /// Those that ask for values of later fields, which the entries are held against one by one.
    var tests: [Int] = []
    /// The one that asks for several values of the first field.
    var several: Int?
  }

  struct Probe {
    /// The conjunct that they answer, by number.
    var conjunct: Int
    /// The index that the lists are of; nil where there are none.
    var index: Int?
    var lists: [PostingList]
    var requiresAll: Bool
    /// Whether the rows pass that are not in the lists.
    var isNegated = false
    /// Fields of which such a row must have one; nil where it need not.
    var fields: [FieldNumber]?
  }
}
