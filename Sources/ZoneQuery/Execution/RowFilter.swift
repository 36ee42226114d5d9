/// What each row that an access offers has yet to pass: conjuncts, by the program, and posting lists.
struct RowFilter {
  let source: TableRow.Source
  let residual: [Int]
  let probes: [Plan.Probe]

  init(_ source: TableRow.Source, residual: [Int], probes: [Plan.Probe]) {
    self.source = source
    self.residual = residual
    self.probes = probes
  }

  var isEmpty: Bool { residual.isEmpty && probes.isEmpty }

}

extension Plan.Probe {
  func contains(_ slot: UInt32) -> Bool {
    requiresAll ? lists.allSatisfy { $0.contains(slot) } : lists.contains { $0.contains(slot) }
  }
}

extension RowFilter {
  /// Whether the row of a slot passes what is left of the predicate.
  @inline(__always)
  func passes(_ slot: UInt32, _ program: borrowing Program) -> Bool {
    if !probes.isEmpty, !passesProbes(slot) { return false }
    return residual.isEmpty || program.matches(source.row(Int(slot)), conjuncts: residual)
  }
}
