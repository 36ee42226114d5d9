/// Forms of several conditions made into one: intervals of a field are put together, whatever parts they come from.
///
/// ```
/// start > 5 AND start < 9                 start between 5 and 9
/// seats = 3 OR seats BETWEEN {7, 9}       seats in one of two intervals
/// city = "Oslo" AND seats = 3             the city's records, or those of so many seats: whichever are fewer
/// ```
extension Sargable {
  /// The form of conditions that must all hold; `isWhole` says whether these are all that must. Nil where there are none.
  init?(all forms: [Sargable], isWhole: Bool) {
    let common = Sargable.combined(forms) { lists in
      lists.dropFirst().reduce(lists[0]) { ValueInterval.common($0, $1) }
    }
    guard let first = common.first else { return nil }
    if common.contains(.nothing) {
      self = .nothing
    } else {
      self = isWhole && common.count == 1 ? first : .narrowest(common)
    }
  }

  /// The form of conditions one of which must hold.
  init(any forms: [Sargable]) {
    let parts = Sargable.combined(forms) { ValueInterval.union($0.flatMap { $0 }) }.filter { $0 != .nothing }
    self = parts.isEmpty ? .nothing : parts.count == 1 ? parts[0] : .either(parts)
  }

  /// The values of one field that the form describes, where it does so by intervals.
  var intervals: (field: FieldNumber, intervals: [ValueInterval])? {
    switch self {
    case .interval(let field, let interval): (field, [interval])
    case .intervals(let field, let intervals): (field, intervals)
    default: nil
    }
  }

  init(_ field: FieldNumber, _ intervals: [ValueInterval]) {
    switch intervals.count {
    case 0: self = .nothing
    case 1: self = .interval(field, intervals[0])
    default: self = .intervals(field, intervals)
    }
  }

  /// The forms, those of intervals of one field made into one.
  private static func combined(
    _ forms: [Sargable], _ combine: ([[ValueInterval]]) -> [ValueInterval]
  ) -> [Sargable] {
    var groups: [(form: Sargable, lists: [[ValueInterval]])] = []
    var places: [FieldNumber: Int] = [:]
    for form in forms {
      guard let (field, intervals) = form.intervals else {
        groups.append((form, []))
        continue
      }
      if let place = places[field] {
        groups[place].lists.append(intervals)
      } else {
        places[field] = groups.count
        groups.append((form, [intervals]))
      }
    }
    return groups.map { form, lists in
      guard lists.count > 1, let field = form.intervals?.field else { return form }
      return Sargable(field, combine(lists))
    }
  }
}

extension ValueInterval {
  /// What lies in both of two lists of intervals, each sorted and apart.
  ///
  /// Complexity: linear.
  static func common(_ left: [ValueInterval], _ right: [ValueInterval]) -> [ValueInterval] {
    var common: [ValueInterval] = []
    var (first, second) = (0, 0)
    while first < left.count, second < right.count {
      let both = left[first].intersection(right[second])
      if !both.isEmpty { common.append(both) }
      if left[first].endsBefore(right[second]) { first += 1 } else { second += 1 }
    }
    return common
  }

  /// What lies in any of some intervals, sorted and apart.
  static func union(_ intervals: [ValueInterval]) -> [ValueInterval] {
    var union: [ValueInterval] = []
    for interval in intervals.sorted(by: { $0.beginsBefore($1) }) {
      if let last = union.last, !last.isBefore(interval) {
        union[union.count - 1].upper = last.endsBefore(interval) ? interval.upper : last.upper
        union[union.count - 1].isPoint = last.isPoint && interval.isPoint
      } else {
        union.append(interval)
      }
    }
    return union
  }

  /// What lies in none of some intervals, which are sorted and apart.
  static func complement(of intervals: [ValueInterval]) -> [ValueInterval] {
    var parts: [ValueInterval] = []
    var start: End?
    for interval in intervals {
      if let end = interval.lower { parts.append(ValueInterval(lower: start, upper: end, isPoint: false)) }
      guard let end = interval.upper else { return parts.filter { !$0.isEmpty } }
      start = end
    }
    parts.append(ValueInterval(lower: start, upper: nil, isPoint: false))
    return parts.filter { !$0.isEmpty }
  }

  private func beginsBefore(_ other: ValueInterval) -> Bool {
    guard let start = other.lower else { return false }
    return lower.map { $0.isBefore(start) } ?? true
  }

  private func endsBefore(_ other: ValueInterval) -> Bool {
    guard let upper else { return false }
    return other.upper.map { upper.isBefore($0) } ?? true
  }

  /// Whether it ends before another begins, with a place between them.
  private func isBefore(_ other: ValueInterval) -> Bool {
    guard let upper, let start = other.lower else { return false }
    return upper.isBefore(start)
  }
}
