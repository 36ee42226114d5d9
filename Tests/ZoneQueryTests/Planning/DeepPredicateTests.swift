import Foundation
import Testing

@testable import ZoneQuery

/// The deepest predicates that the default limits take, answered on stacks as small as the smallest threads have.
struct DeepPredicateTests {
  /// As the parser's own test has it.
  private static var stackSize: Int {
    #if DEBUG
      1 << 20
    #else
      512 << 10
    #endif
  }

  /// Predicates that nest in each way that binding, planning and matching go down: as deep as the parser takes.
  private static let nests: [String] = {
    func nest(_ count: Int, _ level: (String, Int) -> String) -> String {
      (0..<count).reduce("i = 1") { level($0, $1) }
    }
    return [
      nest(126) { $1 % 2 == 0 ? "(\($0) AND d = \($1))" : "(\($0) OR i = \($1))" },
      nest(120) { $1 % 3 == 0 ? "NOT (\($0))" : $1 % 3 == 1 ? "(\($0) AND d > \($1))" : "(i < \($1) OR \($0))" },
      nest(126) { inner, _ in "NOT (\(inner))" },
      nest(126) { $1 % 2 == 0 ? "(s = 'a' AND \($0))" : "(ANY l = \($1) OR \($0))" },
      nest(40) { "TERNARY(\($0), 1, 0) = \($1 % 2)" },
      "i = " + String(repeating: "(1 + ", count: 120) + "d" + String(repeating: ")", count: 120),
      "i = " + String(repeating: "abs(", count: 120) + "d" + String(repeating: ")", count: 120),
    ]
  }()

  /// Runs `body` on a thread with a small stack; what it returned, or the error in words.
  private static func onSmallStack(_ body: @escaping @Sendable () throws -> Int) -> String {
    let outcome = Locked("nothing")
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      let text: String
      do { text = "\(try body())" } catch { text = "\(error)" }
      outcome.withLock { $0 = text }
      done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    done.wait()
    return outcome.withLock { $0 }
  }

  @Test func deepPredicatesFitSmallStacks() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let database = try Database(configuration: configuration)
    try database.load(
      (0..<200).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)")
        (record["i"], record["d"]) = (.int64(Int64(number % 9)), .double(Double(number % 7) + 0.5))
        (record["s"], record["l"]) = (["a", "b"][number % 2], .int64List([Int64(number % 5)]))
        return record
      })
    var checks = 0
    for nest in Self.nests {
      let predicate = try QueryPredicate(format: nest)
      let query = Query(recordType: "T", predicate: predicate, sort: [.ascending("d")])
      let type = try #require(database.schema["T"])
      let options = configuration.predicateOptions
      let records = try database.allRecords(inZoneWith: .default)
      let oracle = try Matcher(predicate, for: type, options: options)
      let expected = try String(records.filter { try oracle.matches($0) }.count)
      let ways: [@Sendable () throws -> Int] = [
        { try database.count(matching: query) },
        { try database.records(matching: query, resultsLimit: 500).records.count },
        { try database.explain(query, resultsLimit: 500).counters.rowsReturned },
        {
          let parsed = try QueryPredicate(format: nest)
          let matcher = try Matcher(parsed, for: type, options: options)
          return try records.filter { try matcher.matches($0) }.count
        },
        {
          let index = SubscriptionIndex(options: options)
          let handle = try index.add(index.prepare(predicate, for: type))
          return records.filter { index.matches(created: $0).contains(handle) }.count
        },
      ]
      for (number, way) in ways.enumerated() {
        #expect(Self.onSmallStack(way) == expected, "way \(number) of \(nest.prefix(60))")
        checks += 1
      }
    }
    print("deep predicates: \(checks) checks")
    #expect(checks >= 35)
  }
}
