import PredicateSyntax
import Testing

@testable import ZoneQuery

/// Parts of one query, type or index given to another, and values that no text can hold: each ends in an answer or in an
/// error, soon.
struct ForeignPartsTests {
  private static func record(_ type: String, _ name: String, _ fields: [(String, FieldValue)]) -> Record {
    var record = Record(recordType: type, recordName: name)
    for (name, value) in fields { record[name] = value }
    return record
  }

  /// A field of one type reads nothing of another's records, but for those that all types have.
  @Test func fieldsOfAnotherType() throws {
    let database = try Database()
    for (type, values) in [
      ("Big", [("secret", 1), ("text", "a")] as [(String, FieldValue)]), ("Small", [("x", 42), ("t", "b")]),
    ] {
      try database.save(Self.record(type, type, values))
    }
    let (secret, text) = (try database.field("secret", ofType: "Big"), try database.field("text", ofType: "Big"))
    let created = try database.field("creationDate", ofType: "Big")
    var reads = 0
    func read(_ record: borrowing RecordView) {
      let isOwn = record.recordType.utf8.elementsEqual("Big".utf8)
      #expect(record.int64(secret) == (isOwn ? 1 : nil) && record.value(secret) == (isOwn ? 1 : nil))
      #expect(record.string(text) == (isOwn ? "a" : nil) && record.withUTF8(text) { $0.count } == (isOwn ? 1 : nil))
      #expect(record.isPresent(secret) == isOwn && record.isPresent(text) == isOwn)
      #expect(record.timestamp(created) != nil && record.isPresent(created))
      reads += 1
    }
    for type in ["Big", "Small"] { try database.prepare(Query(recordType: type)).forEachRecord { read($0) } }
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    for (name, values) in [("Big", ("secret", 1)), ("Small", ("x", 42))] as [(String, (String, FieldValue))] {
      var record = Record(recordType: name, recordName: name, zoneID: zone)
      record[values.0] = values.1
      if name.utf8.count == 3 { record["text"] = "a" } else { record["t"] = "b" }
      try database.save(record)
    }
    _ = try database.forEachRecordZoneChange(inZoneWith: zone) {
      read($0)
    } deleted: { _ in
    }
    #expect(reads == 4)
  }

  /// A field of a type of the same name in another database reads nothing where the column of its number is of another kind.
  @Test func fieldsOfAnotherDatabase() throws {
    let place = FieldValue.location(Location(latitude: 1, longitude: 2))
    let values: [FieldValue] = [
      "text", .int64(4032 << 32 | 96 << 8 | 8), .double(0x1p1000), .timestamp(Timestamp(milliseconds: .max)), place,
      .stringList(["a", "b"]), .int64List([.max, .min]), .reference(Reference(RecordID(recordName: "r"))),
      .bytes([1, 2, 3]), .locationList([Location(latitude: 1, longitude: 2)]),
    ]
    let databases = try values.map { value in
      let database = try Database()
      try database.save(Self.record("T", "r", [("x", value)]))
      return database
    }
    var reads = 0
    for owner in values.indices {
      let field = try databases[owner].prepare(Query(recordType: "T")).field("x")
      for other in values.indices {
        try databases[other].prepare(Query(recordType: "T")).forEachRecord { record in
          let text = record.withUTF8(field) { $0.count }
          var members = 0
          record.forEachText(field) { members += $0.count }
          let numbers = (record.int64(field), record.double(field), record.timestamp(field), record.degrees(field)?.0)
          if owner == other {
            #expect(record.value(field) == values[owner])
            let text = if case .string(let text) = values[owner] { text as String? } else { nil as String? }
            #expect(record.string(field) == text && record.string("x") == text)
          } else {
            #expect(text == nil || owner == 0 && other == 8, "\(owner) \(other)")
            #expect(members == 0 || owner == 5 && other == 6, "\(owner) \(other)")
            #expect(numbers.1 == nil && numbers.3 == nil, "\(owner) \(other)")
          }
          reads += 1
        }
      }
    }
    #expect(reads == values.count * values.count)
    // Numbers in the place of texts are taken for their lengths.
    let texts = try databases[5].prepare(Query(recordType: "T")).field("x")
    let lists: [[Int64]] = [
      [-1, -1, 5], [-1, 0x7F], [.min, .max], [0x80], [Int64(bitPattern: 0x8080_8080_8080_8080), 1], [],
    ]
    for list in lists {
      let database = try Database()
      try database.save(Self.record("T", "r", [("x", .int64List(list))]))
      try database.prepare(Query(recordType: "T")).forEachRecord { record in
        var bytes = 0
        record.forEachText(texts) { bytes += $0.count }
        #expect(bytes <= list.count * 8)
      }
    }
  }

  @Test func typesOfOneNameWithOtherFields() throws {
    let index = SubscriptionIndex()
    let number = RecordType("T", fields: [FieldDefinition("x", .int64)])
    let text = RecordType("T", fields: [FieldDefinition("x", .string)])
    let turned = RecordType("T", fields: [FieldDefinition("y", .int64), FieldDefinition("x", .int64)])
    let grown = RecordType("T", fields: [FieldDefinition("x", .int64), FieldDefinition("y", .string)])
    let first = try index.add(QueryPredicate(format: "x = 5"), for: number)
    for (format, type) in [("x = 'abc'", text), ("x = 5", turned)] {
      #expect(throws: ZoneQueryError.self) { try index.add(QueryPredicate(format: format), for: type) }
      index.learn(from: [Self.record("T", "r", [("x", "abc")])], recordType: type)
    }
    let second = try index.add(QueryPredicate(format: "y = 'abc'"), for: grown)
    let third = try index.add(QueryPredicate(format: "x < 6"), for: number)
    let matching = Self.record("T", "r", [("x", 5), ("y", "abc")])
    #expect(Set(index.matches(created: matching)) == [first, second, third])
    #expect(index.matches(created: Self.record("T", "r", [("x", .int64(0x4141_4141_0000_0003))])).isEmpty)
    #expect(index.count == 3)
  }

  @Test func argumentsOfAnotherQuery() throws {
    let database = try Database()
    try database.save(Self.record("T", "a", [("n", 1), ("s", "text"), ("tags", .stringList(["a"]))]))
    let none = try database.prepare(Query(recordType: "T")).arguments()
    for format in [
      "n = $a", "n BETWEEN {$a, $b}", "s BEGINSWITH $a", "n IN $a", "self CONTAINS $a", "tags CONTAINS $a",
      "recordID = $a",
    ] {
      let prepared = try database.prepare(Query(recordType: "T", predicate: QueryPredicate(format: format)))
      for _ in 0..<3 {
        #expect(throws: ZoneQueryError.self, "\(format)") { try prepared.count(none) }
        #expect(throws: ZoneQueryError.self, "\(format)") { try prepared.forEachRecord(none) { _ in } }
        #expect(throws: ZoneQueryError.self, "\(format)") { try prepared.explain(none) }
        #expect(throws: ZoneQueryError.self, "\(format)") { try prepared.explainCount(none) }
      }
    }
  }

  /// Values go by the parameters' names: of as many others, or of these in another order, none is taken for another.
  @Test func argumentsOfAQueryWithAsManyParameters() throws {
    let database = try Database()
    try database.save(Self.record("T", "a", [("n", 5), ("d", 6)]))
    func prepared(_ format: String) throws -> PreparedQuery {
      try database.prepare(Query(recordType: "T", predicate: QueryPredicate(format: format)))
    }
    let query = try prepared("n = $a AND d = $b")
    let (a, b) = (try query.parameter("a"), try query.parameter("b"))
    var arguments = query.arguments()
    arguments[a] = 5
    arguments[b] = 6
    #expect(try query.count(arguments) == 1)
    // Another of the same parameters is asked with them.
    #expect(try prepared("n <= $a AND d <= $b").count(arguments) == 1)
    for format in ["d = $x AND n = $y", "d = $b AND n = $a", "n = $a"] {
      let other = try prepared(format)
      #expect(throws: ZoneQueryError.self, "\(format)") { try other.count(arguments) }
      #expect(throws: ZoneQueryError.self, "\(format)") { try other.forEachRecord(arguments) { _ in } }
      var mixed = query.arguments()
      mixed[try other.parameter(other.parameterNames[0])] = 5
      #expect(mixed[value: a] == nil && mixed[value: b] == nil)
      #expect(throws: ZoneQueryError.self) { try query.count(mixed) }
    }
  }

  @Test func limitsOfExtremes() throws {
    let text = "DEFINE SCHEMA RECORD TYPE E ( a STRING, b STRING ); RECORD TYPE F ( a STRING );"
    for most in [Int.max, 2] {
      var options = SchemaTextOptions()
      (options.recordTypes, options.fieldsPerType) = (most, most)
      #expect(try Schema(ckdb: text, options: options).recordTypes.count == 2)
    }
    for most in [1, 0, -1, .min] {
      var options = SchemaTextOptions()
      options.recordTypes = most
      #expect(throws: ZoneQueryError.self) { try Schema(ckdb: text, options: options) }
      options = SchemaTextOptions()
      options.fieldsPerType = most
      #expect(throws: ZoneQueryError.self) { try Schema(ckdb: text, options: options) }
    }
    let limits: [WritableKeyPath<Database.Limits, Int>] = [
      \.recordSize, \.nameLength, \.fieldsPerType, \.itemsPerOperation, \.cascadingReferences, \.subscriptions,
    ]
    for limit in limits {
      for most in [-1, Int.min] {
        var configuration = Database.Configuration()
        configuration.limits[keyPath: limit] = most
        let error = #expect(throws: ZoneQueryError.self) { try Database(configuration: configuration) }
        #expect(error?.code == .invalidConfiguration && error?.message.contains("is \(most)") == true)
      }
    }
    var configuration = Database.Configuration()
    configuration.limits.fieldsPerType = 0
    let database = try Database(configuration: configuration)
    #expect(throws: ZoneQueryError.self) { try database.save(Self.record("T", "a", [("n", 1)])) }
  }

  /// A text is folded once, not for each member; a condition is compiled once, not for each record.
  @Test func foldedListsAndConditionsStayFast() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(configuration: configuration)
    let long = String(repeating: "x", count: 300_000)
    try database.save(
      Self.record(
        "T", "a", [("name", .string(long)), ("tags", .stringList(Array(repeating: "y", count: 60_000) + ["X"]))]))
    func count(_ format: String, _ arguments: any PredicateArgument...) throws -> Int {
      try database.count(
        matching: Query(recordType: "T", predicate: try QueryPredicate(format: format, arguments: arguments)))
    }
    #expect(try count("name IN[c] tags") == 0)
    #expect(try count("tags CONTAINS[c] name") == 0)
    let many = (0..<30_000).map { "value \($0)" }
    try database.saveAll((0..<300).map { Self.record("U", "r\($0)", [("s", .string("value \($0 * 200)"))]) })
    let ternary = try QueryPredicate(format: "TERNARY(s IN %@, 1, 2) == 1", many)
    #expect(try database.count(matching: Query(recordType: "U", predicate: ternary)) == 150)
  }

  /// Trees and lists whose parts are shared grow exponentially in what they stand for.
  @Test func sharedParts() throws {
    var sum = ExpressionNode.key(KeyNode("a"))
    for _ in 0..<100 { sum = .binary(BinaryNode(sum, .add, sum)) }
    let tree = QueryPredicate(
      .comparison(ComparisonNode(nil, sum, .equal, .literal(LiteralNode(.integer(1))))))
    #expect(!tree.faults.isEmpty)
    var list = ArgumentValue.literal(.integer(1))
    for _ in 0..<100 { list = .list([list, list]) }
    #expect(throws: ZoneQueryError.self) { try QueryPredicate(format: "a IN %@", arguments: [list]) }
    #expect(!Field("a").isIn(Field.value(list)).faults.isEmpty)
    let wide = ArgumentValue.list(Array(repeating: .literal(.integer(1)), count: 60_000))
    let wider = ArgumentValue.list(Array(repeating: wide, count: 60_000))
    #expect(throws: ZoneQueryError.self) { try QueryPredicate(format: "a IN %@", arguments: [wider]) }
    #expect(!Field("a").isIn(Field.value(wider)).faults.isEmpty)
    let elements = ExpressionNode.list(
      ListNode(Array(repeating: .literal(LiteralNode(.integer(1))), count: 60_000)))
    let lists = ExpressionNode.list(ListNode(Array(repeating: elements, count: 60_000)))
    #expect(!QueryPredicate(.comparison(ComparisonNode(nil, .key(KeyNode("a")), .in, lists))).faults.isEmpty)
    // Long lists are still taken.
    let numbers = Array(0..<60_000)
    #expect(try QueryPredicate(format: "a IN %@", numbers).faults.isEmpty)
  }

  /// Records of very many fields, as a hostile text may have them, are read, compared and matched in linear time.
  @Test func recordsOfManyFields() throws {
    var left = Record(recordType: "T", recordName: "a")
    var right = left
    for number in 0..<60_000 {
      left["f\(number)"] = .string("x")
      right["f\(59_999 - number)"] = .string("x")
    }
    #expect(left == right && left.fieldCount == 60_000)
    left["f7"] = nil
    #expect(left != right && left["f7"] == nil && left["f8"] == "x" && left["f59999"] == "x")
    left["f7"] = "x"
    #expect(left == right && left.fieldNames.last == "f7")
    #expect(try !Matcher(QueryPredicate(format: "self CONTAINS 'y'")).matches(left))
  }

  /// What is no place on the Earth has no distance, and compares with nothing.
  @Test func placesOffTheEarth() throws {
    let odd: [Double] = [.nan, .infinity, -.infinity]
    for value in odd + [91, -90.001] {
      for other in [0, -0.0, 45, -180, .nan] {
        let off = Location(latitude: value, longitude: other)
        #expect(off.distance(to: Location(latitude: other, longitude: 1)).isNaN, "\(value) \(other)")
        #expect(Location(latitude: -0.0, longitude: -0.0).distance(to: off).isNaN, "\(value) \(other)")
      }
    }
    for value in odd {
      #expect(Location(latitude: 45, longitude: value).distance(to: Location(latitude: 45, longitude: -0.0)).isNaN)
      #expect(Location(latitude: 0, longitude: -180).distance(to: Location(latitude: 0, longitude: value)).isNaN)
    }
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(configuration: configuration)
    try database.save(Self.record("T", "a", [("l", .location(Location(latitude: 1, longitude: 2)))]))
    for (latitude, longitude) in [(Double.nan, 0.0), (91, 0), (9e15, 0), (0, 540), (0, .infinity)] {
      let literal = LiteralNode(.location(latitude: latitude, longitude: longitude))
      for operation in [ComparisonOperator.equal, .notEqual] {
        let predicate = QueryPredicate(
          .comparison(ComparisonNode(nil, .key(KeyNode("l")), operation, .literal(literal))))
        #expect(throws: ZoneQueryError.self) {
          try database.count(matching: Query(recordType: "T", predicate: predicate))
        }
      }
    }
    let now = ExpressionNode.function(FunctionNode(.now, [.literal(LiteralNode(.integer(1)))]))
    let predicate = QueryPredicate(.comparison(ComparisonNode(nil, .key(KeyNode("creationDate")), .less, now)))
    #expect(throws: ZoneQueryError.self) { try database.count(matching: Query(recordType: "T", predicate: predicate)) }
  }

  /// Of many faults the first are told, since each is shown with its place, which takes time by the text's length to find.
  @Test func manyFaultsOfALongText() throws {
    let names = (0..<300).map { "f\($0) = 1" }.joined(separator: " AND ")
    let predicate = try QueryPredicate(format: "x = '" + String(repeating: "x", count: 10_000) + "' AND " + names)
    let database = try Database(schema: Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (x STRING QUERYABLE);"))
    let error = #expect(throws: ZoneQueryError.self) {
      try database.count(matching: Query(recordType: "T", predicate: predicate))
    }
    #expect(error?.diagnostics.count == 20 && error?.diagnostics.first?.message.contains("'f0'") == true)
    #expect(error?.description.split(separator: "\n").filter { $0.contains("Did not find field") }.count == 20)
  }

  /// Names that Swift's own order would take quadratic time over.
  @Test func zonesOfHostileOwners() throws {
    var configuration = Database.Configuration()
    configuration.scope = .shared
    let database = try Database(configuration: configuration)
    let marks = ["\u{301}\u{327}", "\u{327}\u{301}"].map { "a" + String(repeating: $0, count: 100_000) }
    for owner in marks { try database.createZone(ZoneID(zoneName: "Z", ownerName: owner)) }
    #expect(database.zoneIDs.filter { $0.zoneName == "Z" }.count == 2)
  }

  /// The words of fields that none of a type is.
  @Test func wordsOfNoField() throws {
    let schema = try Schema(
      ckdb: "DEFINE SCHEMA RECORD TYPE A (x STRING, n INT64 QUERYABLE); RECORD TYPE B (x STRING SEARCHABLE); "
        + "RECORD TYPE C (allTokens STRING QUERYABLE);")
    let database = try Database(schema: schema)
    let error = #expect(throws: ZoneQueryError.self) {
      try database.addIndex(IndexDefinition(recordType: "A", keys: ["allTokens"]))
    }
    #expect(error?.code == .invalidSchema)
    #expect("\(error, default: "")".contains("no field of the type is SEARCHABLE"))
    #expect(database.indexes(of: "A").map(\.name) == ["n"])
    let tokens = IndexDefinition(recordType: "B", keys: ["allTokens"])
    try database.dropIndex(tokens)
    #expect(database.indexes(of: "B").isEmpty)
    try database.addIndex(tokens)
    #expect(database.indexes(of: "B") == [tokens])
    #expect(throws: ZoneQueryError.self) { try database.addIndex(tokens) }
    // A field may have the name.
    let field = IndexDefinition(recordType: "C", keys: ["allTokens"])
    try database.dropIndex(field)
    try database.addIndex(field)
    #expect(database.indexes(of: "C") == [field])
  }
}
