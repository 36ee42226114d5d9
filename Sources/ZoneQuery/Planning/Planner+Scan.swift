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
    if order.descriptors.isEmpty, Double(limit) < rows {
      let looked = Double(limit) / rows
      // So many rows are gone through together at least.
      cost *= max(looked, min(1, Double(SIMD4<UInt64>.rowsTogether(wanted: limit)) / rowCount))
      probing *= looked
    }
    cost += probing
    return Plan(
      source: .scan, residual: residual, probes: probes, entries: 0, rows: rows,
      cost: cost + sorting(rows, inScan: true))
  }
}
