/// How a query was answered: the plan of each zone's table, what was estimated and what came out, and the paths that
/// were not taken.
///
/// ```swift
/// let query = Query(recordType: "Event", predicate: try QueryPredicate(format: "city = 'Seoul'"),
///                   sort: [.descending("start")])
/// print(try database.explain(query, resultsLimit: 50))
/// // Event: 50 records, and there are more; 1 zone of 2,000 records; 204 index entries read, 204 rows examined; …
/// // …
/// ```
///
/// A test that is to notice when a query is answered in another way compares ``text(showsTimes:)`` without times, or looks at
/// ``indexes``.
///
/// Zones whose plans have the same shape are one ``Tables``, their figures summed, so that ten thousand zones are told of
/// in a page.
public struct QueryExplanation: Sendable {
  /// What a step of a plan does.
  public enum Operation: String, Sendable, Hashable, CaseIterable {
    /// No record can match.
    case nothing
    /// Records found by name.
    case fetch
    /// One run of an index's entries.
    case indexRange
    /// Several runs of an index's entries.
    case multiRange
    /// An index's entries one after the other, until there are enough.
    case indexWalk
    /// The members of posting lists: of records that a list or a text mentions; or, of a negation, all other records.
    case postings
    /// The entries of a location index that cover a circle, and of them those within it.
    case locationCover
    /// The records in each of several runs of different indexes.
    case intersection
    /// The records of any of the parts.
    case union
    /// Every record, by columns.
    case columnScan
    /// The records that lack the field of a sort.
    case missingRows
    /// Conditions that each record is held against.
    case filter
    /// Posting lists that each record is looked up in.
    case probe
    /// The first so many in an order, kept in a heap.
    case topRows
    /// The first so many as they come.
    case limit
    /// The number of records.
    case count
  }

  /// A step of a plan; what it works on comes from its children.
  public struct Node: Sendable, Hashable {
    /// What it does.
    public internal(set) var operation: Operation
    /// To what: an index and values, conditions, an order.
    public internal(set) var detail: String
    /// The indexes that it reads itself.
    public internal(set) var indexes: [IndexDefinition] = []
    /// How many rows it was taken to give; nil where nobody asked.
    public internal(set) var estimatedRows: Double?
    /// How many rows it gave; nil where that is not known apart from the step above.
    public internal(set) var actualRows: Int?
    /// Entries it read from indexes.
    public internal(set) var entriesRead = 0
    /// Rows whose values it looked at.
    public internal(set) var rowsExamined = 0
    /// How many runs of entries or posting lists it reads.
    public internal(set) var ranges: Int?
    /// How many entries a walk might have read before another plan took over.
    public internal(set) var budget: Int?
    /// What it took by itself; nil where that is part of another step's time.
    public internal(set) var nanoseconds: Int64?
    /// Where its rows come from.
    public internal(set) var children: [Node] = []

    /// The indexes that it and all steps below it read, each once, those nearest to the records last.
    public var allIndexes: [IndexDefinition] {
      children.reduce(into: indexes) { all, child in all.addNew(child.allIndexes) }
    }
  }

  /// A way to the answer that was considered.
  public struct Path: Sendable, Hashable {
    /// What it would do.
    public internal(set) var detail: String
    /// The indexes that it would read.
    public internal(set) var indexes: [IndexDefinition]
    /// What it was taken to cost, in nanoseconds, all zones together.
    public internal(set) var cost: Double
    /// How many rows it was taken to find.
    public internal(set) var estimatedRows: Double
    /// Whether it was taken.
    public internal(set) var isChosen: Bool
    /// Why it was taken or was not.
    public internal(set) var reason = ""
    /// In how many of the zones it was considered.
    public internal(set) var zoneCount: Int
    /// What it took when the query was answered by it alone, a walk to its end, whatever its budget; nil where nobody asked
    /// for that.
    public internal(set) var measured: Measurement?
  }

  /// What the query took by one path, in the zones where that was considered.
  public struct Measurement: Sendable, Hashable {
    /// Entries it read from indexes.
    public internal(set) var entriesRead = 0
    /// Rows whose values it looked at.
    public internal(set) var rowsExamined = 0
    /// The time of the shorter of two runs, neither of which reads the clock at each step: planning is apart, and in several
    /// zones what puts the rows of all in order. In a debug build it is many times the cost, which is that of a release build.
    public internal(set) var nanoseconds: Int64 = 0
  }

  /// The tables of the zones whose plans have one shape.
  public struct Tables: Sendable {
    /// The first of the zones.
    public internal(set) var firstZone: ZoneID
    /// How many there are.
    public internal(set) var zoneCount: Int
    /// How many records they hold.
    public internal(set) var recordCount: Int
    /// What was done.
    public internal(set) var plan: Node
    /// What was done before the walk's budget was spent and the plan took over; nil where there was no such walk.
    public internal(set) var abandoned: Node?
    /// What was considered: the path taken, then the others, the cheapest first.
    public internal(set) var paths: [Path]
  }

  /// The record type asked for.
  public let recordType: String
  /// The predicate, its parameters' values in their places.
  public let predicate: String
  /// The most records asked for; nil where all were.
  public let resultsLimit: Int?
  /// The plans, those of the most zones first; none where no zone has records of the type.
  public internal(set) var tables: [Tables] = []
  /// How many zones beside those of the plans a sort did not go to: they have no records, or none that can be among those
  /// found, as an index tells.
  public internal(set) var zonesPassedOver = 0
  /// What it took, in steps.
  public internal(set) var counters = QueryCounters()
  /// Whether there are more records behind those found.
  public internal(set) var hasMore = false
  /// The time of all planning, what the explanation itself took apart.
  public internal(set) var planningNanoseconds: Int64 = 0
  /// The time of all, planning included.
  public internal(set) var nanoseconds: Int64 = 0
  /// The indexes that the schema lacks for the query, where a scan was the plan of some zone, or as many records were looked
  /// at as there are.
  public internal(set) var missingIndexes: [MissingIndex] = []

  /// The indexes that the answer was read from, each once.
  ///
  /// ```swift
  /// try database.explain(query).indexes.contains(IndexDefinition(recordType: "Event", keys: ["city", "start"]))   // true
  /// ```
  ///
  /// Of few records a scan may be sooner: whether an index could serve the query at all is told by ``Path/indexes`` of
  /// the ``Tables/paths``.
  public var indexes: [IndexDefinition] {
    tables.reduce(into: []) { all, tables in
      all.addNew(tables.plan.allIndexes)
      all.addNew(tables.abandoned?.allIndexes ?? [])
    }
  }
}

extension [IndexDefinition] {
  /// Adds those that are not among them.
  fileprivate mutating func addNew(_ others: [IndexDefinition]) {
    for other in others where !contains(other) { append(other) }
  }
}

extension QueryExplanation.Operation {
  /// The operation in words.
  public var name: String {
    switch self {
    case .nothing: "nothing"
    case .fetch: "fetch by name"
    case .indexRange: "index range"
    case .multiRange: "index ranges"
    case .indexWalk: "index walk"
    case .postings: "postings"
    case .locationCover: "location cover"
    case .intersection: "intersection"
    case .union: "union"
    case .columnScan: "column scan"
    case .missingRows: "rows without the field"
    case .filter: "filter"
    case .probe: "probe"
    case .topRows: "top rows"
    case .limit: "limit"
    case .count: "count"
    }
  }
}
