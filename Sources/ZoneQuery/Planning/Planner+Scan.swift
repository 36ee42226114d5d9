extension Planner {
  /// A scan, whose rows are looked up in posting lists that are known, or are not.
  func scan(mayProbe: Bool = true) -> Plan {
    let all = mayProbe ? all : ConjunctSet.all(conjuncts.count)
    var residual = all
    let probes = mayProbe ? probes(&residual) : []
    var cost = 0.0
    var reaching = rowCount
    for number in cheapestFirst where residual.contains(number) {
      cost += reaching * conjuncts[number].scanCost
      reaching *= share(number)
    }
    cost += rowCount * 0.05
    var probing = reaching * Double(probes.count) * Cost.probe
    let rows = rowCount * share(of: all)
    if case let looked = shareLooked(at: rows), looked < 1 {
      // So many rows are gone through together at least.
      let whole = cost
      cost *= max(looked, min(1, Double(RowParts.rowsTogether(wanted: limit, isFirst: true)) / rowCount))
      probing *= looked
      // How many pass several conditions is a guess, and there is no other way for one that no index answers.
      if conjuncts.count > 1 { cost += (whole - cost) * Cost.doubt }
    }
    cost += probing
    return Plan(
      source: .scan, residual: residual, probes: probes, entries: 0, rows: rows,
      cost: cost + sorting(rows, inScan: true))
  }
}
