extension QueryExecution {
  /// Finds the nearest of the records within a circle, in the order of their distances from its centre: in a smaller
  /// circle first, as all that lies beyond it is farther away. False where the query is another, or a smaller circle
  /// would save nothing.
  func rankNearest(_ number: Int, _ plan: Plan, _ ranker: Ranker, _ filter: RowFilter) -> Bool {
    guard case .access(.circle(let index, let spans, let circle)) = plan.source, !hasSeveral,
      let descriptor = order.descriptors.first, let origin = descriptor.origin, origin.latitude == circle.latitude,
      descriptor.field == sources[number].table.indexes[index].shape.field,
      origin.longitude == GeodesicPoint(latitude: circle.latitude, longitude: circle.longitude).longitude,
      first.limit < 1 << 20
    else { return false }
    let wanted = Double(first.limit)
    let entries = Double(spans.reduce(0) { $0 + $1.count })
    // What is found in a circle goes with its area, and some of it may not pass.
    let share = plan.rows > 0 ? min(1, plan.rows / max(1, entries)) : 1
    let enough = 3 * (wanted + 4) / max(share, 0.01)
    let reach = min(circle.radius, GeodesicEllipsoid.greatestDistance)
    var radius = max(reach * (enough / max(1, entries)).squareRoot(), Self.leastRadius)
    var (shrinks, tried) = (8, 0.0)
    while radius < reach * 0.7, radius <= GeodesicRadiusTest.greatestChordRadius {
      let part = CircleTest(
        latitude: circle.latitude, longitude: circle.longitude, radius: radius, relation: .lessThanOrEqual)
      let cover = sources[number].entries[index].cover(of: part)
      let found = Double(cover.reduce(0) { $0 + $1.count })
      // Where places lie close together near the centre, a smaller circle is enough; they may all be one place.
      if shrinks > 0, found > 2 * enough, radius > Self.leastRadius {
        shrinks -= 1
        radius = max(radius * max(0.1, (enough / found).squareRoot()), Self.leastRadius)
        continue
      }
      shrinks = 0
      // All tries together read no more than twice what the last of them does.
      if found >= wanted, found >= 2 * tried {
        tried = found
        first.removeAll()
        if rankNearest(cover, index, within: part, number, ranker, filter) { return true }
      }
      radius *= 1.8
    }
    first.removeAll()
    rank(.circle(index: index, spans, circle), around: circle, number, ranker, filter)
    return true
  }

  /// The smallest of the smaller circles, in metres, so that there is an end to making them smaller: below some
  /// millimetres covers do not get smaller any more.
  private static var leastRadius: Double { 1 }

  /// Finds the nearest among what the cover of a smaller circle offers; false where it does not hold as many as are
  /// wanted, since others beyond it may be nearer than what the cover offers there.
  private func rankNearest(
    _ cover: [IndexSpan], _ index: Int, within circle: CircleTest, _ number: Int, _ ranker: Ranker, _ filter: RowFilter
  ) -> Bool {
    slots.removeAll(keepingCapacity: true)
    for span in cover { sources[number].entries[index].collect(span, into: &slots) }
    counters.entriesRead += slots.count
    counters.rowsExamined += slots.count
    takeOut(filter)
    let test = GeodesicRadiusTest(circle)
    guard slots.count >= first.limit, let chords = keepNearest(to: test, number), test.isInside(chords.last) else {
      return false
    }
    offer(chords.squares, test, ranker)
    return true
  }

  private func rank(_ access: Access, around circle: CircleTest, _ number: Int, _ ranker: Ranker, _ filter: RowFilter) {
    collect(access, sources[number], inOrder: false)
    counters.rowsExamined += slots.count
    takeOut(filter)
    let test = GeodesicRadiusTest(circle)
    if let chords = keepNearest(to: test, number) {
      offer(chords.squares, test, ranker)
    } else {
      var kept = takeFirst()
      for slot in slots { offer(slot, ranker, nil, &kept) }
      first = kept
    }
  }

  /// Takes out the slots whose rows do not pass.
  private func takeOut(_ filter: RowFilter) {
    let program = program
    if !filter.isEmpty { slots.removeAll { !filter.passes($0, program) } }
  }

  /// Leaves those of the slots out that are certainly farther away than as many others as are wanted: a chord is measured
  /// sooner than a distance.
  ///
  /// - Returns: The squared chords of the slots that are left, and the greatest of as many as are wanted, or of all; nil
  ///   where they do not tell, and all are left.
  private func keepNearest(to test: GeodesicRadiusTest, _ number: Int) -> (squares: [Double], last: Double)? {
    let (rows, field) = (sources[number].rows, order.descriptors[0].field)
    var nearest = FirstRows(limit: first.limit, capacity: min(first.limit, slots.count))
    var squares = slots.map { slot in
      let group = rows.group(Int(slot) >> RowGroup.shift)
      let (latitude, longitude) = group.degrees(Int(slot) & (RowGroup.size - 1), field)
      let square = test.squaredChord(latitude: latitude, longitude: longitude)
      let key = RankKey(high: KeyEncoding.word(square), low: 0)
      nearest.offer(RankedRow(key: key, slot: slot, table: 0)) { $0.key < $1.key }
      return square
    }
    guard let last = nearest.threshold.map({ KeyEncoding.double($0.high) }) ?? squares.max(),
      let near = test.widened(to: last)
    else { return nil }
    var kept = 0
    for index in squares.indices where !near.isOutside(squares[index]) {
      (slots[kept], squares[kept]) = (slots[index], squares[index])
      kept += 1
    }
    slots.removeLast(slots.count - kept)
    squares.removeLast(squares.count - kept)
    return (squares, last)
  }

  /// Offers the slots in the order of their chords, as many as are wanted. Distances are measured of those alone whose
  /// chords are too near to one another to tell which is farther away. Nothing else is offered beside them: their keys
  /// are of their own kind.
  private func offer(_ squares: [Double], _ test: GeodesicRadiusTest, _ ranker: Ranker) {
    var kept = takeFirst()
    let places = squares.indices.sorted { squares[$0] < squares[$1] }
    var start = 0
    while start < places.count, start < kept.limit {
      var end = start + 1
      while end < places.count, !test.isFarther(squares[places[end]], than: squares[places[end - 1]]) { end += 1 }
      for place in places[start..<end] {
        var key = RankKey(high: UInt64(start), low: 0)
        if end > start + 1 { key.low = ranker.key(slots[place]).low }
        kept.offer(RankedRow(key: key, slot: slots[place], table: ranker.number)) { precedes($0, $1) }
      }
      start = end
    }
    first = kept
  }
}
