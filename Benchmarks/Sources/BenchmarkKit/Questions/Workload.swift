/// The questions of the query suite, by their names in the report.
enum Workload: String, CaseIterable, Sendable {
  case point
  case equality
  case equalitySortLimit = "equality-sort-limit"
  case equalityOtherSort = "equality-other-sort"
  case equalityNoCase = "equality-no-case"
  case prefixNoCase = "prefix-no-case"
  case inSortLimit = "in-sort-limit"
  case rangeLimit = "range-limit"
  case indexedSort = "indexed-sort"
  case rangeOtherSort = "range-other-sort"
  case equalityAndRange = "equality-and-range"
  case rangeAndRange = "range-and-range"
  case prefix
  case contains1 = "contains-1"
  case contains2 = "contains-2"
  case containsSort = "contains-sort"
  case in20 = "in-20"
  case radius1km = "radius-1km"
  case radius10km = "radius-10km"
  case radius100km = "radius-100km"
  case nearest10 = "nearest-10"
  case nearest20 = "nearest-20"
  case tokens2 = "tokens-2"
  case tokensSort = "tokens-sort"
  case tokensRangeEquality = "tokens-range-equality"
  case rareTokenRangeEquality = "rare-token-range-equality"
  case materialise = "materialise-10pct"
  case deepPage = "deep-page"
  case scanCount = "scan-count"
  case memberPrefix = "member-prefix"
  case computed
  case part
  case partNoCase = "part-no-case"
  case pattern
  case scanTop50 = "scan-top50"
  case count

  var summary: String {
    switch self {
    case .point: "fetch by record name"
    case .equality: "name = n, 5 to 20 records"
    case .equalitySortLimit: "city = c, newest 50"
    case .equalityOtherSort: "name = n, by a field without an index"
    case .equalityNoCase: "name ==[c] n, written in other case"
    case .prefixNoCase: "name BEGINSWITH[c] p, written in other case"
    case .inSortLimit: "city IN five cities, newest 50"
    case .rangeLimit: "start > t, first 100"
    case .indexedSort: "half the records, cheapest 20; the sort's field is indexed"
    case .rangeOtherSort: "half the records, top 20 by a field without an index"
    case .equalityAndRange: "city = c AND start > t"
    case .rangeAndRange: "a twentieth by start AND a twentieth by price"
    case .prefix: "name BEGINSWITH p, at most 200 records"
    case .contains1: "tags CONTAINS t"
    case .contains2: "tags CONTAINS t AND tags CONTAINS u"
    case .containsSort: "tags CONTAINS t, newest 50"
    case .in20: "name IN twenty names"
    case .radius1km: "within 1 km"
    case .radius10km: "within 10 km"
    case .radius100km: "within 100 km"
    case .nearest10: "within 100 km, the nearest 10"
    case .nearest20: "within 100 km, the nearest 20"
    case .tokens2: "two words, all records"
    case .tokensSort: "two frequent words, newest 50"
    case .tokensRangeEquality: "a common word AND city = c AND start > t"
    case .rareTokenRangeEquality: "the same with a rarer word"
    case .materialise: "a tenth of all records"
    case .deepPage: "100 records by city and start, from deep in the order"
    case .scanCount: "count of two comparisons without an index, 0.1 % match"
    case .memberPrefix: "ANY tags BEGINSWITH p, a tag or two"
    case .computed: "count of attendees * 2 + 1 > n"
    case .part: "count of body CONTAINS p"
    case .partNoCase: "count of body CONTAINS[c] p, written in other case"
    case .pattern: "count of body LIKE '*p*q*'"
    case .scanTop50: "top 50 of all by a field without an index"
    case .count: "count of a tenth of all records"
    }
  }

  var variants: [Variant] {
    switch self {
    case .count, .scanCount, .part, .partNoCase, .pattern, .computed: [.ids]
    default: [.ids, .records]
    }
  }
}

/// What is read of each record of an answer.
enum Variant: String, CaseIterable, Codable, Sendable {
  /// The record name alone.
  case ids
  /// Every field and system field.
  case records
}
