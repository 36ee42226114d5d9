/// One question of the query suite with its parameters, in no engine's language.
enum Question: Sendable {
  case point(recordName: String)
  case equality(name: String)
  case equalitySortLimit(city: String, limit: Int)
  case equalityOtherSort(name: String)
  case equalityNoCase(name: String)
  case prefixNoCase(String)
  case inSortLimit(cities: [String], limit: Int)
  case rangeLimit(after: Int64, limit: Int)
  case indexedSort(after: Int64, limit: Int)
  case rangeOtherSort(after: Int64, limit: Int)
  case equalityAndRange(city: String, after: Int64)
  case rangeAndRange(starts: ClosedRange<Int64>, prices: ClosedRange<Double>)
  case prefix(String)
  case contains([String])
  case containsSort(tag: String, limit: Int)
  case names([String])
  case radius(centre: Place, metres: Double)
  case nearest(centre: Place, within: Double, limit: Int)
  case tokens([String])
  case tokensSort([String], limit: Int)
  case tokensRangeEquality(word: String, city: String, after: Int64)
  case starts(ClosedRange<Int64>)
  case deepPage(city: String, start: Int64, limit: Int)
  case scanCount(rating: Double, attendees: Int64)
  case memberPrefix(String)
  case computed(Int64)
  case part(String, ignoresCase: Bool)
  case pattern([String])
  case scanTop(limit: Int)
  case count(ClosedRange<Int64>)

  /// Whether the order of the answer is part of it.
  var isOrdered: Bool {
    switch self {
    case .equalitySortLimit, .equalityOtherSort, .inSortLimit, .rangeLimit, .indexedSort, .rangeOtherSort,
      .containsSort, .nearest, .tokensSort,
      .deepPage, .scanTop:
      true
    default: false
    }
  }

  /// Whether the answer is a number and no records.
  var isCount: Bool {
    switch self {
    case .count, .scanCount, .part, .pattern, .computed: true
    default: false
    }
  }
}
