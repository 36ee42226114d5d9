internal import PredicateSyntax
internal import ZoneQuery

/// A question in ZoneQuery's language: the format string with its arguments, the order and the limit.
struct ZoneQueryForm {
  var format: String
  var arguments: [(any PredicateArgument)?] = []
  var sort: [SortKey] = []
  var limit = Int.max

  func predicate() throws -> QueryPredicate { try QueryPredicate(format: format, arguments: arguments) }

  func query() throws -> Query {
    Query(recordType: ZoneQueryEngine.recordType, predicate: try predicate(), sort: sort)
  }

  init(_ question: Question) {
    func moment(_ milliseconds: Int64) -> Literal { .date(milliseconds: milliseconds) }
    func location(_ place: Place) -> Location { Location(latitude: place.latitude, longitude: place.longitude) }
    format = ""
    switch question {
    case .point(let recordName):
      format = "recordID = %@"
      arguments = [RecordID(recordName: recordName)]
    case .equality(let name):
      format = "name = %@"
      arguments = [name]
    case .equalitySortLimit(let city, let limit):
      format = "city = %@"
      arguments = [city]
      sort = [.descending("start")]
      self.limit = limit
    case .rangeLimit(let after, let limit):
      format = "start > %@"
      arguments = [moment(after)]
      sort = [.ascending("start")]
      self.limit = limit
    case .indexedSort(let after, let limit):
      format = "start > %@"
      arguments = [moment(after)]
      sort = [.ascending("price")]
      self.limit = limit
    case .rangeOtherSort(let after, let limit):
      format = "start > %@"
      arguments = [moment(after)]
      sort = [.descending("rating")]
      self.limit = limit
    case .equalityAndRange(let city, let after):
      format = "city = %@ AND start > %@"
      arguments = [city, moment(after)]
    case .rangeAndRange(let starts, let prices):
      format = "start BETWEEN {%@, %@} AND price BETWEEN {%@, %@}"
      arguments = [moment(starts.lowerBound), moment(starts.upperBound), prices.lowerBound, prices.upperBound]
    case .prefix(let prefix):
      format = "name BEGINSWITH %@"
      arguments = [prefix]
    case .contains(let tags):
      format = tags.map { _ in "tags CONTAINS %@" }.joined(separator: " AND ")
      arguments = tags
    case .containsSort(let tag, let limit):
      format = "tags CONTAINS %@"
      arguments = [tag]
      sort = [.descending("start")]
      self.limit = limit
    case .names(let names):
      format = "name IN %@"
      arguments = [names]
    case .radius(let centre, let metres):
      format = "distanceToLocation:fromLocation:(location, %@) < %@"
      arguments = [location(centre), metres]
    case .nearest(let centre, let within, let limit):
      format = "distanceToLocation:fromLocation:(location, %@) < %@"
      arguments = [location(centre), within]
      sort = [.distance("location", from: location(centre))]
      self.limit = limit
    case .tokens(let words):
      format = "ALL tokenize(%@, 'Cdl') IN allTokens"
      arguments = [words.joined(separator: " ")]
    case .tokensSort(let words, let limit):
      format = "ALL tokenize(%@, 'Cdl') IN allTokens"
      arguments = [words.joined(separator: " ")]
      sort = [.descending("start")]
      self.limit = limit
    case .tokensRangeEquality(let word, let city, let after):
      format = "ALL tokenize(%@, 'Cdl') IN allTokens AND city = %@ AND start > %@"
      arguments = [word, city, moment(after)]
    case .starts(let range), .count(let range):
      format = "start BETWEEN {%@, %@}"
      arguments = [moment(range.lowerBound), moment(range.upperBound)]
    case .deepPage(let city, let start, let limit):
      format = "city > %@ OR (city = %@ AND start > %@)"
      arguments = [city, city, moment(start)]
      sort = [.ascending("city"), .ascending("start")]
      self.limit = limit
    case .scanCount(let rating, let attendees):
      format = "rating > %@ AND attendees > %@"
      arguments = [rating, attendees]
    case .scanTop(let limit):
      format = "TRUEPREDICATE"
      sort = [.descending("rating")]
      self.limit = limit
    }
  }
}
