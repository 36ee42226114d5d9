/// What a cursor holds: the query as asked, and where its last page ended. Desired keys and limits are the next page's
/// own.
struct CursorContent: Sendable {
  var recordType: String
  var predicate: CursorPredicate
  /// The dialect that the predicate is of, and the switches that say what it means.
  var options: PredicateOptions
  var sort: [SortKey]
  /// The zone looked in; every zone where nil.
  var zoneID: ZoneID?
  /// What `now()` was when the first page was asked for.
  var now: Timestamp
  var position: CursorPosition
}

/// The predicate of a cursor: the text that was read or is long, or what this process asked and has not written down.
enum CursorPredicate: Sendable {
  /// The canonical text, parameters replaced by their values.
  case text(String)
  /// A predicate, the names of its parameters, and their values: no more than ``mostAskedBytes`` of text.
  case asked(QueryPredicate, [String], [ArgumentValue?])

  static let mostAskedBytes = 1 << 20

  /// A predicate whose own text has so many bytes, with so many mentions of the names in the places of the values.
  init(_ predicate: QueryPredicate, bytes: Int, mentions: Int, _ names: [String], _ values: [ArgumentValue?]) {
    let asked = CursorPredicate.asked(predicate, names, values)
    let most = CursorPredicate.mostBytes(bytes: bytes, mentions: mentions, values)
    self = most <= CursorPredicate.mostAskedBytes ? asked : .text(asked.text)
  }

  /// No fewer bytes than the text has where values stand for the names.
  static func mostBytes(bytes: Int, mentions: Int, _ values: [ArgumentValue?]) -> Int {
    let most = values.reduce(0) { max($0, CursorPredicate.mostBytes($1)) }
    let (sum, overflows) = most.multipliedReportingOverflow(by: mentions)
    return overflows || sum > .max - bytes ? .max : sum + bytes
  }

  /// No fewer bytes than a value's text has.
  static func mostBytes(_ value: ArgumentValue?) -> Int {
    switch value {
    case .literal(.string(let text)): 6 * text.utf8.count + 2
    case .literal(.reference(let name, let zone, let owner)):
      64 + 6 * (name.utf8.count + 3 * (zone?.utf8.count ?? 0) + 3 * (owner?.utf8.count ?? 0))
    case .literal(.location): 96
    case .literal: 48
    case .list(let members): members.reduce(4) { $0 + mostBytes($1) + 2 }
    // Stays as it is, a name.
    case .unsupported, nil: 0
    }
  }

  /// The canonical text.
  var text: String {
    switch self {
    case .text(let text): text
    case .asked(let predicate, let names, let values):
      predicate.replacing(names, by: values).root.predicateFormat
    }
  }
}

extension CursorContent {
  /// Makes sure that a predicate means here what it meant where the cursor was made.
  ///
  /// - Throws: `invalidCursor`.
  func check(_ here: PredicateOptions) throws(ZoneQueryError) {
    if options == here { return }
    func fault(_ name: String, _ there: String, _ here: String) -> String? {
      there == here ? nil : "\(name) was \(there) where it was made, and is \(here) here"
    }
    let faults = [
      fault("dialect", options.dialect.rawValue, here.dialect.rawValue),
      fault("missingFields", options.missingFields.rawValue, here.missingFields.rawValue),
      fault("stringEquality", options.stringEquality.rawValue, here.stringEquality.rawValue),
    ]
    throw QueryCursor.invalid(
      faults.compactMap(\.self).joined(separator: "; "),
      hint: "go on with the PredicateOptions it was made with, or ask the query again from its beginning")
  }

  /// The query, for the page that follows.
  func query() throws(ZoneQueryError) -> Query {
    if case .asked(let predicate, let names, let values) = predicate {
      return Query(recordType: recordType, predicate: predicate.replacing(names, by: values), sort: sort)
    }
    return try queryAsWritten()
  }

  /// The same, its predicate read from its text, which faults are told of in.
  func queryAsWritten() throws(ZoneQueryError) -> Query {
    // The text was printed from a predicate that had been accepted; what limits that predicate was read within is not
    // known here, and those that bound no more than memory are the cursor's own length. The stack is another thing:
    // whoever knows the key may have written any text.
    var limits = SyntaxLimits()
    limits.textLength = .max
    limits.stringLength = .max
    // The values of parameters may be lists, which nest where their names did not.
    limits.nesting = TreeSize.limits.nesting + 1
    limits.nodes = .max
    limits.listElements = .max
    limits.constantBytes = .max
    do throws(SyntaxError) {
      let parsed = try PredicateParser(limits: limits).parse(predicate.text)
      return Query(recordType: recordType, predicate: QueryPredicate(parsed), sort: sort)
    } catch {
      throw QueryCursor.invalid("its predicate cannot be read")
    }
  }
}
