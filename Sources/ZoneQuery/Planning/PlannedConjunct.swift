/// One part of a query's predicate, all of which must hold, as the planner sees it.
struct PlannedConjunct: Sendable {
  let predicate: BoundPredicate
  /// What indexes can be asked for; nil where none can.
  var form: Sargable?
  /// Whether others say it already, so that no row need be held against it.
  var isImplied = false
  /// Whether they do so whatever a run's values are.
  var isAlwaysImplied = false
  /// What holding one row against it costs, in nanoseconds, and in a scan by columns.
  let cost: Double
  let scanCost: Double
  /// The share of rows that it is taken to hold for where no index tells.
  let share: Double
  /// Whether it reads more of a row than numbers and places: a text, a list, or what is computed.
  let readsFar: Bool

  init(_ predicate: BoundPredicate, zone: ZoneID) {
    self.predicate = predicate
    form = Sargable(predicate, zone: zone)
    (cost, share) = Cost.estimate(predicate)
    scanCost = Cost.scanning(predicate, holding: cost)
    readsFar = Cost.readsFar(predicate)
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
