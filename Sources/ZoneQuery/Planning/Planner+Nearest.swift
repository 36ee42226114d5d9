extension Planner {
  /// Whether an access is a circle about the place that distances are measured from.
  func findsNearest(_ access: Access) -> Bool {
    guard seeksNearest, case .circle(let number, _, let circle) = access, let descriptor = order.descriptors.first,
      let origin = descriptor.origin, table.indexes[number].shape.field == descriptor.field
    else { return false }
    let centre = GeodesicPoint(latitude: circle.latitude, longitude: circle.longitude)
    return origin.latitude == circle.latitude && origin.longitude == centre.longitude
  }

  /// The nearest of all records, where every one has a place and none is asked to lie within a distance: what
  /// ``QueryExecution/rankNearest(_:_:_:_:)`` looks for in small circles first.
  mutating func considerNearest() {
    guard seeksNearest, let descriptor = order.descriptors.first, let origin = descriptor.origin,
      let number = table.indexNumber(of: descriptor.field, .location), table.indexes[number].count == table.count
    else { return }
    for conjunct in conjuncts { if case .circle(descriptor.field, _)? = conjunct.form { return } }
    var residual = ConjunctSet.all(conjuncts.count)
    let share = share(of: residual)
    let looked = 9 * (Double(limit) + 4) / max(share, 0.01)
    if looked > rowCount / 2 { return }
    let probes = probes(&residual)
    let circle = CircleTest(
      latitude: origin.latitude, longitude: origin.longitude, radius: CircleTest.radiusOfAll,
      relation: .lessThanOrEqual)
    let access = Access.circle(index: number, table.indexes[number].entries.cover(of: circle), circle)
    let row = Cost.visit + Cost.distance + holding(residual) + Double(probes.count) * Cost.probe
    offer(
      Plan(
        source: .access(access), residual: residual, probes: probes, entries: looked, rows: rowCount * share,
        cost: 20 * Cost.seek + looked * row))
  }
}
