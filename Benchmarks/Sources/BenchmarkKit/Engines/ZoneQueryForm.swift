internal import PredicateSyntax
internal import ZoneQuery

/// A question in ZoneQuery's language: the format string with its arguments, the order and the limit.
struct ZoneQueryForm {
  var format: String
  /// The values of the parameters.
  var values: [(name: String, value: any PredicateArgument)] = []
  var sort: [SortKey] = []
  var limit = Int.max
  /// The values, in the order in which the format mentions the parameters.
  var arguments: [(any PredicateArgument)?] { values.map(\.value) }
  /// The format with `%@` in the places of the parameters.
  var formatOfArguments: String {
    values.reduce(format) { $0.replacingFirst("$" + $1.name, with: "%@") }
  }

  func predicate() throws -> QueryPredicate { try QueryPredicate(format: format) }

  func query() throws -> Query {
    Query(recordType: ZoneQueryEngine.recordType, predicate: try predicate(), sort: sort)
  }

  init(_ question: Question) {
    func moment(_ milliseconds: Int64) -> Literal { .date(milliseconds: milliseconds) }
    func location(_ place: Place) -> Location { Location(latitude: place.latitude, longitude: place.longitude) }
    format = ""
    switch question {
    case .point(let recordName):
      format = "recordID = $id"
      values = [("id", RecordID(recordName: recordName))]
    case .equality(let name):
      format = "name = $name"
      values = [("name", name)]
    case .equalitySortLimit(let city, let limit):
      format = "city = $city"
      values = [("city", city)]
      sort = [.descending("start")]
      self.limit = limit
    case .equalityOtherSort(let name):
      format = "name = $name"
      values = [("name", name)]
      sort = [.descending("rating")]
    case .equalityNoCase(let name):
      format = "name ==[c] $name"
      values = [("name", name)]
    case .prefixNoCase(let prefix):
      format = "name BEGINSWITH[c] $prefix"
      values = [("prefix", prefix)]
    case .inSortLimit(let cities, let limit):
      format = "city IN $cities"
      values = [("cities", cities)]
      sort = [.descending("start")]
      self.limit = limit
    case .rangeLimit(let after, let limit):
      format = "start > $after"
      values = [("after", moment(after))]
      sort = [.ascending("start")]
      self.limit = limit
    case .indexedSort(let after, let limit):
      format = "start > $after"
      values = [("after", moment(after))]
      sort = [.ascending("price")]
      self.limit = limit
    case .rangeOtherSort(let after, let limit):
      format = "start > $after"
      values = [("after", moment(after))]
      sort = [.descending("rating")]
      self.limit = limit
    case .equalityAndRange(let city, let after):
      format = "city = $city AND start > $after"
      values = [("city", city), ("after", moment(after))]
    case .rangeAndRange(let starts, let prices):
      format = "start BETWEEN {$first, $last} AND price BETWEEN {$least, $most}"
      values = [
        ("first", moment(starts.lowerBound)), ("last", moment(starts.upperBound)), ("least", prices.lowerBound),
        ("most", prices.upperBound),
      ]
    case .prefix(let prefix):
      format = "name BEGINSWITH $prefix"
      values = [("prefix", prefix)]
    case .contains(let tags):
      format = tags.indices.map { "tags CONTAINS $tag\($0)" }.joined(separator: " AND ")
      values = tags.enumerated().map { ("tag\($0)", $1) }
    case .containsSort(let tag, let limit):
      format = "tags CONTAINS $tag"
      values = [("tag", tag)]
      sort = [.descending("start")]
      self.limit = limit
    case .names(let names):
      format = "name IN $names"
      values = [("names", names)]
    case .radius(let centre, let metres):
      format = "distanceToLocation:fromLocation:(location, $centre) < $metres"
      values = [("centre", location(centre)), ("metres", metres)]
    case .nearest(let centre, let within, let limit):
      format = "distanceToLocation:fromLocation:(location, $centre) < $metres"
      values = [("centre", location(centre)), ("metres", within)]
      sort = [.distance("location", from: location(centre))]
      self.limit = limit
    case .tokens(let words):
      format = "ALL tokenize($words, 'Cdl') IN allTokens"
      values = [("words", words.joined(separator: " "))]
    case .tokensSort(let words, let limit):
      format = "ALL tokenize($words, 'Cdl') IN allTokens"
      values = [("words", words.joined(separator: " "))]
      sort = [.descending("start")]
      self.limit = limit
    case .tokensRangeEquality(let word, let city, let after):
      format = "ALL tokenize($word, 'Cdl') IN allTokens AND city = $city AND start > $after"
      values = [("word", word), ("city", city), ("after", moment(after))]
    case .starts(let range), .count(let range):
      format = "start BETWEEN {$first, $last}"
      values = [("first", moment(range.lowerBound)), ("last", moment(range.upperBound))]
    case .deepPage(_, _, let limit):
      format = "TRUEPREDICATE"
      sort = [.ascending("city"), .ascending("start")]
      self.limit = limit
    case .scanCount(let rating, let attendees):
      format = "rating > $rating AND attendees > $attendees"
      values = [("rating", rating), ("attendees", attendees)]
    case .memberPrefix(let prefix):
      format = "ANY tags BEGINSWITH $prefix"
      values = [("prefix", prefix)]
    case .computed(let limit):
      format = "attendees * 2 + 1 > $limit"
      values = [("limit", limit)]
    case .part(let part, let ignoresCase):
      format = ignoresCase ? "body CONTAINS[c] $part" : "body CONTAINS $part"
      values = [("part", part)]
    case .pattern(let parts):
      format = "body LIKE $pattern"
      values = [("pattern", "*" + parts.joined(separator: "*") + "*")]
    case .scanTop(let limit):
      format = "TRUEPREDICATE"
      sort = [.descending("rating")]
      self.limit = limit
    }
  }
}

extension String {
  /// The text with the first occurrence of a part replaced.
  fileprivate func replacingFirst(_ part: String, with replacement: String) -> String {
    let (text, sought) = (Array(utf8), Array(part.utf8))
    guard let start = text.indices.first(where: { text[$0...].starts(with: sought) }) else { return self }
    return String(decoding: text[..<start] + Array(replacement.utf8) + text[(start + sought.count)...], as: UTF8.self)
  }
}
