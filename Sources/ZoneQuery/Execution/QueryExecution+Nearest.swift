extension QueryExecution {
  /// The distances, in metres, of which rows are still wanted, where the nearest may be looked for in circles that grow; nil
  /// in another order, and behind a row that has no place.
  func distancesWanted(behind place: SortAnchor?) -> ClosedRange<Double>? {
    guard order.descriptors.first?.origin != nil, first.limit < 1 << 20 else { return nil }
    // A cursor may say anything.
    guard let passed = place.map(\.key.distance) ?? 0, passed >= 0 else { return nil }
    return passed...max(passed, first.threshold?.distance ?? CircleTest.radiusOfAll)
  }

  /// Finds the nearest of the records within a circle, in the order of their distances from its centre: in a smaller
  /// circle first, as all that lies beyond it is farther away. Those before `place` were found on the pages before. False
  /// where the query is another.
  func rankNearest(_ number: Int, _ plan: Plan, _ ranker: Ranker, _ filter: RowFilter, _ place: SortAnchor?) -> Bool {
    guard case .access(.circle(let index, var spans, var circle)) = plan.source,
      let wanted = distancesWanted(behind: place),
      order.measures(sources[number].table.indexes[index].shape.field, fromCentreOf: circle)
    else { return false }
    let (before, start) = (counters.entriesRead, trace?.now)
    defer {
      // Looking into circles and measuring what they hold are one step.
      if let trace, let start {
        trace.collected(
          QueryTrace.Stage(entries: counters.entriesRead - before, nanoseconds: trace.since(start)))
      }
    }
    let entries = sources[number].indexes[index].entries
    let (latitude, longitude) = (circle.latitude, circle.longitude)
    func cover(_ radius: Double) -> (test: CircleTest, cover: [IndexSpan]) {
      entries.circle(latitude: latitude, longitude: longitude, radius: radius)
    }
    // What is found in a circle goes with its area, and some of it may not pass.
    let share = plan.rows > 0 ? min(1, plan.rows / max(1, Double(IndexSpan.count(spans)))) : 1
    let enough = 3 * (Double(first.limit) + 4) / max(share, 0.01)
    // Other tables may have enough that is nearer.
    if wanted.upperBound < circle.radius { (circle, spans) = cover(wanted.upperBound) }
    let passed = wanted.lowerBound > 0 ? Double(IndexSpan.count(cover(wanted.lowerBound).cover)) : 0
    // Around what was passed lies a ring, of which this is the area, but for a factor.
    let inner = wanted.lowerBound * wanted.lowerBound
    let reach = min(circle.radius, GeodesicEllipsoid.greatestDistance)
    let outer = reach * reach - inner
    var ring =
      passed >= Self.telling
      ? inner * enough / passed : outer * enough / max(1, Double(IndexSpan.count(spans)) - passed)
    ring = max(ring, Self.leastRing)
    var (shrinks, tried, read) = (8, 0.0, 0.0)
    while ring < outer * 0.49, case let radius = (inner + ring).squareRoot(),
      radius <= GeodesicRadiusTest.greatestChordRadius
    {
      let (part, cover) = cover(radius)
      let found = max(0, Double(IndexSpan.count(cover)) - passed)
      // Where places lie close together near the centre, a smaller circle is enough; they may all be one place.
      if shrinks > 0, found > 2 * enough, ring > Self.leastRing {
        shrinks -= 1
        ring = max(ring * max(0.01, enough / found), Self.leastRing)
        continue
      }
      shrinks = 0
      // All tries together read half of what there is at most; each reads again what was passed.
      if read + found + passed > Double(IndexSpan.count(spans)) / 2 { break }
      if found + passed >= Double(first.limit), tried == 0 || found >= max(2 * tried, passed / 4) {
        tried = max(1, found)
        read += found + passed
        if rankNearest(cover, index, within: part, number, ranker, filter, place) { return true }
      }
      ring *= 3.24
    }
    if circle.radius == CircleTest.radiusOfAll {
      // Those that have no place are asked for too.
      rankAll(number, ranker, place)
    } else {
      rank(.circle(index: index, spans, circle), around: circle, number, ranker, filter, place)
    }
    return true
  }

  /// From so many records in a circle on they tell how many there are around it.
  private static var telling: Double { 16 }

  /// The smallest of the rings, in square metres, so that there is an end to making them smaller: below some millimetres
  /// covers do not get smaller any more.
  private static var leastRing: Double { 1 }

  /// Finds the nearest among what the cover of a smaller circle offers; false where it does not hold as many as are
  /// wanted, since others beyond it may be nearer than what the cover offers there.
  private func rankNearest(
    _ cover: [IndexSpan], _ index: Int, within circle: CircleTest, _ number: Int, _ ranker: Ranker, _ filter: RowFilter,
    _ place: SortAnchor?
  ) -> Bool {
    slots.removeAll(keepingCapacity: true)
    for span in cover { sources[number].indexes[index].entries.collect(span, into: &slots) }
    counters.entriesRead += slots.count
    takeOut(filter, before: place, ranker)
    let test = GeodesicRadiusTest(circle)
    guard slots.count >= first.limit, let chords = keepNearest(to: test, ranker), test.isInside(chords.last) else {
      return false
    }
    offer(chords.squares, test, ranker)
    return true
  }

  private func rank(
    _ access: Access, around circle: CircleTest, _ number: Int, _ ranker: Ranker, _ filter: RowFilter,
    _ place: SortAnchor?
  ) {
    collect(access, sources[number], inOrder: false)
    takeOut(filter, before: place, ranker)
    let test = GeodesicRadiusTest(circle)
    if let chords = keepNearest(to: test, ranker) {
      offer(chords.squares, test, ranker)
    } else {
      offerSlots(ranker)
    }
  }

  /// Takes out the slots whose rows do not pass, or were on the pages before.
  private func takeOut(_ filter: RowFilter, before place: SortAnchor?, _ ranker: Ranker) {
    counters.rowsExamined += slots.count
    if let place, let bounds = DistanceBounds(order, behind: place) {
      slots.removeAll { slot in
        let (group, row) = ranker.place(slot)
        return bounds.hasPassed(ranker.degrees(group, row)) ?? !ranker.isBehind(ranker.key(group, row), slot, place)
      }
    }
    let program = program
    if filter.isEmpty { return }
    var tried = 0
    slots.removeAll { slot in
      tried += 1
      if tried % TimeLimit.rows == 0 { _ = timeLimit.check() }
      return timeLimit.isOver || !filter.passes(slot, program)
    }
  }

  /// Leaves those of the slots out that are certainly farther away than as many others as are wanted: a chord is measured
  /// sooner than a distance.
  ///
  /// - Returns: The squared chords of the slots that are left, and the greatest of as many as are wanted, or of all; nil
  ///   where they do not tell, and all are left.
  private func keepNearest(to test: GeodesicRadiusTest, _ ranker: Ranker) -> (squares: [Double], last: Double)? {
    var nearest = FirstRows(limit: first.limit, capacity: min(first.limit, slots.count))
    var squares = slots.map { slot in
      let (group, row) = ranker.place(slot)
      let (latitude, longitude) = ranker.degrees(group, row)
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
  /// chords are too near to one another to tell which is farther away; nothing else may be offered beside them, as their
  /// keys are of their own kind. Where there are other tables, distances are measured of all.
  private func offer(_ squares: [Double], _ test: GeodesicRadiusTest, _ ranker: Ranker) {
    if hasSeveral { return offerSlots(ranker) }
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

  /// Offers the slots by their distances.
  private func offerSlots(_ ranker: Ranker) {
    var kept = takeFirst()
    for slot in slots { offer(slot, ranker, nil, &kept) }
    first = kept
  }
}
