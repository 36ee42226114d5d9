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
  /// Whether the row of a slot passes.
  func passes(_ slot: UInt32, _ source: TableRow.Source) -> Bool {
    if !isNegated { return contains(slot) }
    if let fields, !fields.contains(where: source.row(Int(slot)).isPresent) { return false }
    return lists.isEmpty || !contains(slot)
  }

  private func contains(_ slot: UInt32) -> Bool {
    requiresAll ? lists.allSatisfy { $0.contains(slot) } : lists.contains { $0.contains(slot) }
  }
}

extension Access.Rest {
  /// The rows.
  ///
  /// Complexity: linear in the table's groups and in the lists; no row is looked at.
  func masks(_ source: TableRow.Source) -> GroupMasks {
    var masks = GroupMasks()
    for group in 0..<source.table.groupCount {
      let view = source.rows.group(group)
      var rows = view.live
      if let fields { rows &= fields.reduce(SIMD4()) { $0 | view.presence($1) } }
      masks.append(UInt32(truncatingIfNeeded: group), rows)
    }
    if requiresAll {
      masks.subtract(GroupMasks.intersection(lists))
    } else {
      for list in lists { masks.subtract(list) }
    }
    return masks
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
