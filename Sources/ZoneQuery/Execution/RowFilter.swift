/// What each row that an access offers has yet to pass: conjuncts, by the program, and posting lists.
struct RowFilter {
  private let source: TableRow.Source
  private let residual: [Int]
  let probes: [Plan.Probe]

  init(_ source: TableRow.Source, residual: [Int], probes: [Plan.Probe]) {
    self.source = source
    self.residual = residual
    self.probes = probes
  }

  var isEmpty: Bool { residual.isEmpty && probes.isEmpty }

  @inline(__always)
  func passes(_ slot: UInt32, _ program: borrowing Program) -> Bool {
    for probe in probes where !probe.contains(slot) { return false }
    return residual.isEmpty || program.matches(source.row(Int(slot)), conjuncts: residual)
  }
}

extension Plan.Probe {
  func contains(_ slot: UInt32) -> Bool {
    requiresAll ? lists.allSatisfy { $0.contains(slot) } : lists.contains { $0.contains(slot) }
  }
}
