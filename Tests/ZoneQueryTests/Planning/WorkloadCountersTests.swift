import Testing

@testable import ZoneQuery

/// What the benchmark's kinds of questions take in steps, so that a plan that grew dearer is seen without a clock.
///
/// Whoever changes a plan for the better writes the line down that the failure shows.
struct WorkloadCountersTests {
  /// The steps of the plan, from the source on; rows examined and index entries read; rows of the answer.
  private static let pinned = """
    point: fetch by name; 0 examined, 1 entries, 1 rows
    equality: index range; 0 examined, 17 entries, 17 rows
    equality-sort-limit: index walk → limit; 0 examined, 51 entries, 50 rows
    range-limit: index walk → limit; 0 examined, 101 entries, 100 rows
    indexed-sort: index walk → limit; 0 examined, 49 entries, 20 rows
    range-other-sort: column scan → top rows; 6000 examined, 0 entries, 20 rows
    equality-and-range: index walk; 0 examined, 54 entries, 54 rows
    range-and-range: index walk; 0 examined, 301 entries, 16 rows
    prefix: index walk; 0 examined, 93 entries, 93 rows
    contains-1: postings; 0 examined, 353 entries, 353 rows
    contains-2: postings; 0 examined, 16 entries, 16 rows
    contains-sort: index walk → limit; 0 examined, 51 entries, 50 rows
    in-20: index ranges; 0 examined, 203 entries, 203 rows
    radius-1km: location cover; 1 examined, 1 entries, 1 rows
    radius-10km: location cover; 17 examined, 10 entries, 10 rows
    radius-100km: column scan; 6000 examined, 0 entries, 499 rows
    nearest-10: location cover → top rows; 42 examined, 42 entries, 10 rows
    nearest-20: location cover → top rows; 72 examined, 72 entries, 20 rows
    tokens-2: postings; 0 examined, 6 entries, 6 rows
    tokens-sort: postings → top rows; 5 examined, 5 entries, 5 rows
    tokens-range-equality: index range → probe; 74 examined, 74 entries, 3 rows
    materialise-10pct: index walk; 0 examined, 601 entries, 601 rows
    deep-page: index walk → limit; 0 examined, 102 entries, 100 rows
    scan-count: column scan → count; 6000 examined, 0 entries, 42 rows
    scan-top50: column scan → top rows; 6000 examined, 0 entries, 50 rows
    count: index range → count; 0 examined, 0 entries, 601 rows
    """

  @Test func questionsTakeTheirSteps() throws {
    let sample = try WorkloadSample()
    let pinned = WorkloadCountersTests.pinned.split(separator: "\n").map(String.init)
    var lines: [String] = []
    for question in WorkloadSample.questions { lines.append(try Self.line(question, sample.database)) }
    for (index, line) in lines.enumerated() {
      #expect(index < pinned.count && line == pinned[index], "\(line)")
    }
    print("counters: \(lines.count) questions' steps compared")
    #expect(lines.count == pinned.count && lines.count >= 26)
  }

  private static func line(_ question: WorkloadSample.Question, _ database: Database) throws -> String {
    let prepared = try database.prepare(
      Query(recordType: "Event", predicate: try QueryPredicate(format: question.format), sort: question.sort),
      inZoneWith: .default)
    let arguments = try prepared.arguments(question.values)
    let explanation: QueryExplanation
    if question.isCount {
      explanation = try prepared.explainCount(arguments)
      #expect(explanation.counters.rowsReturned == (try prepared.count(arguments)), "\(question.name)")
    } else {
      let cursor = try question.behind.map { try Self.cursor(behind: $0, prepared) }
      explanation = try prepared.explain(arguments, resultsLimit: question.limit, after: cursor)
      var count = 0
      let hasMore = try prepared.forEachRecord(arguments, resultsLimit: question.limit, after: cursor) { _ in
        count += 1
      }
      #expect(explanation.counters.rowsReturned == count && explanation.hasMore == hasMore, "\(question.name)")
    }
    let counters = explanation.counters
    let plan = try #require(explanation.tables.first?.plan)
    return "\(question.name): \(steps(plan)); \(counters.rowsExamined) examined, \(counters.entriesRead) entries, "
      + "\(counters.rowsReturned) rows"
  }

  private static func steps(_ node: QueryExplanation.Node) -> String {
    let sources = node.children.map(steps).joined(separator: " + ")
    return sources.isEmpty ? node.operation.name : "\(sources) → \(node.operation.name)"
  }

  private static func cursor(behind number: Int, _ prepared: PreparedQuery) throws -> QueryCursor {
    var position = 0
    var cursor: QueryCursor?
    try prepared.forEachRecord(resultsLimit: number + 1) { (record) throws(ZoneQueryError) in
      if position == number { cursor = try record.cursor() }
      position += 1
    }
    return try #require(cursor)
  }

  /// A page is explained as it is answered, and a cursor of another query is refused.
  @Test func pagesAreExplained() throws {
    let database = try WorkloadSample().database
    let query = Query(recordType: "Event", predicate: .all(of: []), sort: [.ascending("city"), .ascending("start")])
    let prepared = try database.prepare(query)
    var cursor: QueryCursor?
    var pages = 0
    repeat {
      let page = try prepared.records(desiredKeys: [], resultsLimit: 700, after: cursor)
      let explanation = try prepared.explain(prepared.arguments(), resultsLimit: 700, after: cursor)
      #expect(explanation.counters.rowsReturned == page.records.count && explanation.hasMore == page.hasMore)
      #expect(explanation.counters.entriesRead <= 702)
      cursor = page.cursor
      pages += 1
    } while cursor != nil
    #expect(pages == 9)
    let other = try database.prepare(Query(recordType: "Event", predicate: .all(of: []), sort: [.ascending("start")]))
    let foreign = try #require(try other.records(resultsLimit: 1).cursor)
    expectFailure(.invalidCursor) { try prepared.explain(prepared.arguments(), after: foreign) }
  }
}
