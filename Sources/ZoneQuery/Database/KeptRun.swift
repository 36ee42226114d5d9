/// A run that is kept for later ones over the same table.
protocol KeptRun: AnyObject {
  var place: TablePlace { get }
  /// Whether the run fits the table as it is.
  func fits(_ source: TableRow.Source) -> Bool
  /// Whether it is kept where it answers nothing.
  var isWorthKeeping: Bool { get }
}

extension DirectRun: KeptRun {}

extension NamedRun: KeptRun {
  @inline(__always)
  func fits(_ source: TableRow.Source) -> Bool { true }

  var isWorthKeeping: Bool { true }
}

extension Pool where Object: KeptRun {
  /// Calls `body` with a run that suits and the table it reads, which stays as it is meanwhile; nil where there is none. A
  /// run goes where the zones have changed since, and where its table or indexes are others by now.
  @inline(__always)
  func lend<Result>(
    _ zonesVersion: Int, where suits: (Object) -> Bool = { _ in true }, _ body: (Object, TableRow.Source) -> Result?
  ) -> Result? {
    lend(where: suits) { (run, isOfUse) -> Result? in
      isOfUse = run.place.zonesVersion == zonesVersion
      guard isOfUse else { return nil }
      let snapshot = run.place.zone.pinned()
      // What is read in place stays as long as the snapshot does.
      defer { withExtendedLifetime(snapshot) {} }
      isOfUse = false
      return run.place.withSource(snapshot) { source in
        guard run.fits(source) else { return nil }
        let result = body(run, source)
        isOfUse = result != nil || run.isWorthKeeping
        return result
      }
    }
  }
}

extension Pool<DirectRun> {
  /// Keeps the plan of a run for later ones with the same limit, where there is none that they may take.
  func keepPlan(of execution: QueryExecution, limit: Int, counts: Bool = false) {
    if holds(where: { $0.plan.limit == limit }) { return }
    if let run = execution.directRun(limit: limit, counts: counts) { put(run) }
  }
}
