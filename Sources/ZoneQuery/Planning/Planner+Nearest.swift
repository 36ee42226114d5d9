extension Planner {
  /// Whether an access is a circle about the place that distances are measured from.
  func findsNearest(_ access: Access) -> Bool {
    guard distances != nil, case .circle(let number, _, let circle) = access else { return false }
    return order.measures(table.indexes[number].shape.field, fromCentreOf: circle)
  }

  /// The nearest of all records, where none is asked to lie within a distance: what ``QueryExecution/rankNearest`` looks
  /// for in small circles first. Where other tables have enough that is nearer, the circle of what is nearer still.
  mutating func considerNearest() {
    guard let distances, let descriptor = order.descriptors.first, let origin = descriptor.origin,
      let number = table.indexNumber(of: descriptor.field, .location)
    else { return }
    for conjunct in conjuncts { if case .circle(descriptor.field, _)? = conjunct.form { return } }
    let entries = table.indexes[number].entries
    func cover(_ radius: Double) -> (test: CircleTest, cover: [IndexSpan]) {
      entries.circle(latitude: origin.latitude, longitude: origin.longitude, radius: radius)
    }
    var residual = all
    let share = share(of: residual)
    var looked = 9 * (Double(limit) + 4) / max(share, 0.01)
    if distances.lowerBound > 0 { looked += Double(IndexSpan.count(cover(distances.lowerBound).cover)) }
    var circle: (test: CircleTest, cover: [IndexSpan])?
    if looked <= Double(entries.count) / 2 { circle = cover(CircleTest.radiusOfAll) }
    if distances.upperBound < GeodesicEllipsoid.greatestDistance {
      let nearer = cover(distances.upperBound)
      let count = Double(IndexSpan.count(nearer.cover))
      if circle == nil || count < looked { (circle, looked) = (nearer, count) }
    }
    guard let circle, looked <= rowCount / 2 else { return }
    let probes = probes(&residual)
    let row = Cost.visit + Cost.distance + holding(residual, scattered: true) + Double(probes.count) * Cost.probe
    offer(
      Plan(
        source: .access(.circle(index: number, circle.cover, circle.test)), residual: residual, probes: probes,
        entries: looked, rows: Double(IndexSpan.count(circle.cover)) * share, cost: 20 * Cost.seek + looked * row))
  }
}
