import Foundation
import PredicateSyntax
import Testing

@testable import ZoneQuery
@testable import ZoneQueryTesting

/// The questions of `Grammar/Conformance`, whose answers were written by hand: the engine gives them, and all oracles hold of
/// each predicate over its records.
struct ConformanceTests {
  /// The files of questions; that of events has other ones.
  private static let files: [String] = {
    let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (all ?? []).filter { $0.hasSuffix(".jsonl") && $0 != "events.jsonl" }.sorted()
  }()

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Grammar/Conformance")

  /// The records that the questions of a file are about.
  private struct World {
    let recordType: RecordType
    let records: [Record]
    let now: Timestamp

    var schema: Schema { Schema([recordType]) }

    init(_ json: JSONValue) throws {
      let schema = try Schema(ckdb: try #require(json["schema"]?.string))
      recordType = try #require(schema.recordTypes.first)
      let name = recordType.name
      records = try #require(json["records"]?.array).map { record in
        var object = try #require(record.object)
        object["recordType"] = .string(name)
        return try Record(webServicesJSON: JSONValue.object(object).text, schema: schema)
      }
      now = Timestamp(milliseconds: json["now"]?.number?.integer ?? 0)
    }
  }

  /// One question.
  private struct Question {
    let query: Query
    let options: PredicateOptions
    let isSorted: Bool

    init(_ json: JSONValue, _ world: World) throws {
      var dictionary = JSONObject()
      dictionary.append("recordType", .string(world.recordType.name))
      for key in ["filterBy", "sortBy"] {
        if let value = json[key] { dictionary.append(key, value) }
      }
      var query = try Query(webServicesJSON: JSONValue.object(dictionary).text, schema: world.schema)
      if let format = json["format"]?.string { query.predicate = try Self.predicate(format, json["arguments"]) }
      self.query = query
      isSorted = !query.sort.isEmpty
      var options = PredicateOptions()
      if let word = json["dialect"]?.string { options.dialect = try #require(Dialect(rawValue: word)) }
      if let word = json["missing"]?.string {
        options.missingFields = try #require(PredicateOptions.MissingFields(rawValue: word))
      }
      if let word = json["stringEquality"]?.string {
        options.stringEquality = try #require(PredicateOptions.StringEquality(rawValue: word))
      }
      self.options = options
    }

    private static func predicate(_ format: String, _ arguments: JSONValue?) throws -> QueryPredicate {
      let values = try arguments?.array.map { try ArgumentValue.list(webServices: .array($0)) } ?? []
      let predicate = QueryPredicate(try PredicateParser().parse(format, values: values))
      return try predicate.replacing(arguments?.object.map { try ArgumentValue.named(webServices: $0) } ?? [:])
    }
  }

  @Test(arguments: files)
  func answers(_ file: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
    var world: World?
    var (questions, refusals, checks) = (0, 0, 0)
    var ids: Set<String> = []
    for line in text.split(separator: "\n") {
      let json = try JSONReader.read(String(line))
      if json["world"] != nil {
        world = try World(json)
        continue
      }
      let known = try #require(world)
      let id = try #require(json["id"]?.string)
      #expect(ids.insert(id).inserted && id.hasPrefix(file.dropLast(6)), "\(id)")
      if let column = json["refused"]?.number?.integer {
        refusals += 1
        refuses(json, known, column: Int(column), id)
        continue
      }
      questions += 1
      let question = try Question(json, known)
      let finds = try #require(json["finds"]?.array).compactMap(\.string)
      let testCase = FuzzCase(
        recordType: known.recordType, records: known.records, predicate: question.query.predicate.root,
        options: question.options, now: known.now, seed: UInt64(questions))
      let subject = try OracleSubject(testCase)
      let found = try subject.database.records(matching: question.query, resultsLimit: .max).records.map(\.recordName)
      #expect((question.isSorted ? found : found.sorted()) == (question.isSorted ? finds : finds.sorted()), "\(id)")
      // In the short form each fourth oracle, of which every question has others.
      for (number, oracle) in Oracles.all.enumerated() where TestAmount.isFull || (number + questions) % 4 == 0 {
        do {
          checks += try oracle.check(subject)
        } catch {
          Issue.record("\(id): \(oracle.name): \(error)")
        }
      }
    }
    print("\(file): \(questions) questions, \(refusals) refusals, \(checks) checks by oracles")
    #expect(questions + refusals >= 17 && checks >= (TestAmount.isFull ? 10 : 2) * questions)
  }

  @Test func thereAreAllFiles() { #expect(Self.files.count == 12) }

  @Test func events() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "events.jsonl"), encoding: .utf8)
    let lines = try text.split(separator: "\n").map { try JSONReader.read(String($0)) }
    let world = try World(try #require(lines.first))
    for json in lines.dropFirst() {
      let id = try #require(json["id"]?.string)
      let database = try Database(schema: world.schema)
      func record(_ key: String) throws -> Record? {
        guard let fields = json[key], !fields.isNull else { return nil }
        var object = JSONObject()
        object.append("recordName", "r")
        object.append("recordType", .string(world.recordType.name))
        object.append("fields", fields)
        return try Record(webServicesJSON: JSONValue.object(object).text, schema: world.schema)
      }
      let (before, after) = (try record("before"), try record("after"))
      if let before { try database.save(before) }
      var object = JSONObject()
      object.append("subscriptionID", .string(id))
      object.append(
        "query",
        .object(
          JSONObject([("recordType", .string(world.recordType.name)), ("predicate", try #require(json["format"]))])))
      object.append("firesOn", try #require(json["firesOn"]))
      try database.save(Subscription(webServicesJSON: JSONValue.object(object).text, schema: world.schema))
      let heard = Locked<[QueryNotification]>([])
      let observer = database.onNotification { delivered in
        if case .query(let notification) = delivered.notification { heard.withLock { $0.append(notification) } }
      }
      if let after {
        try database.save(after, policy: .replace)
      } else if let before {
        try database.deleteRecord(withID: before.recordID)
      }
      let found = heard.withLock { $0 }
      #expect(found.map(\.reason.rawValue) == [json["fires"]?.string].compactMap(\.self), "\(id)")
      #expect(found.first?.hasEntered == json["entered"]?.bool, "\(id)")
      #expect(found.allSatisfy { $0.subscriptionID == id && $0.recordID.recordName == "r" })
      observer.cancel()
    }
    print("events.jsonl: \(lines.count - 1) questions")
    #expect(lines.count > 20)
  }

  /// Says where what is refused is refused.
  private func refuses(_ json: JSONValue, _ world: World, column: Int, _ id: String) {
    do {
      let question = try Question(json, world)
      var configuration = Database.Configuration()
      configuration.predicateOptions = question.options
      let database = try Database(schema: world.schema, configuration: configuration)
      let page = try database.records(matching: question.query)
      Issue.record("\(id) is answered: \(page.records.count)")
    } catch let error as ZoneQueryError {
      let range = error.diagnostics.first.flatMap { diagnostic in
        error.source.flatMap { source in diagnostic.column(in: source) }
      }
      #expect(column == 0 || range == column, "\(id): \(error)")
      #expect(error.hint != nil || !error.message.isEmpty, "\(id)")
    } catch {
      Issue.record("\(id): \(error)")
    }
  }
}
