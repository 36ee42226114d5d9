internal import PredicateSyntax
internal import ZoneQuery

/// Printed text reads back as the tree it was printed from, and any other spelling of the tree reads as it too.
struct TextOracle: Oracle {
  let name = "text"
  let summary = "parse(print(p)) is p, print(parse(print(p))) is print(p), and every spelling of p reads as p."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    let predicate = subject.testCase.predicate
    let printed = predicate.predicateFormat
    let read = try parse(printed, [])
    try expect(read == predicate, "\(printed) reads as \(read.predicateFormat)")
    try expect(read.predicateFormat.utf8.elementsEqual(printed.utf8), "printing \(printed) again gives other text")
    var random = subject.random
    let spelled = PredicateSpeller().spell(predicate, &random)
    let reread = try parse(spelled.format, [])
    try expect(reread == predicate, "\(spelled.format) reads as \(reread.predicateFormat)")
    return 3
  }

  func parse(_ text: String, _ arguments: [(any PredicateArgument)?]) throws(OracleFailure) -> PredicateNode {
    do throws(SyntaxError) {
      return try PredicateParser().parse(text, arguments: arguments).root
    } catch {
      throw OracleFailure("\(text) does not read: \(error)")
    }
  }
}

/// A constant put in as an argument is the constant written in the text.
struct ArgumentOracle: Oracle {
  let name = "arguments"
  let summary = "Constants given as arguments for %@ and keys for %K make the tree that they make as text."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    let predicate = subject.testCase.predicate
    var random = subject.random
    for percentage in [100, 40] {
      let spelled = PredicateSpeller(argumentPercentage: percentage).spell(predicate, &random)
      let read = try TextOracle().parse(spelled.format, spelled.arguments)
      try expect(read == predicate, "\(spelled.format) with \(spelled.arguments) reads as \(read.predicateFormat)")
    }
    return 2
  }
}

/// A schema reads back from its text.
struct SchemaTextOracle: Oracle {
  let name = "schema"
  let summary = "A schema's text reads as the schema, and prints as the same text again."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    var random = subject.random
    // The schema of the case changes rarely; others are drawn beside it.
    var schema = SchemaGenerator().schema(&random)
    schema[subject.testCase.recordType.name] = subject.testCase.recordType
    let text = schema.ckdb
    let read = try subject.answer("the schema \(text)") { () throws(ZoneQueryError) in try Schema(ckdb: text) }
    try expect(read == schema, "the schema reads otherwise: \(text) became \(read.ckdb)")
    try expect(read.ckdb.utf8.elementsEqual(text.utf8), "printing the schema again gives other text: \(text)")
    return 2
  }
}

/// A record reads back from its Web Services JSON.
struct RecordJSONOracle: Oracle {
  let name = "json"
  let summary = "A record's Web Services JSON reads as the record, with the schema and without."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    guard let record = subject.chosen, !record.hasInfinity else { return 0 }
    let schema = Schema([subject.testCase.recordType])
    let (json, typed, bare) = try subject.answer("the record \(record)") { () throws(ZoneQueryError) in
      let json = try record.webServicesJSON
      return (json, try Record(webServicesJSON: json, schema: schema), try Record(webServicesJSON: json))
    }
    try expect(typed == record, "with the schema the record reads otherwise: \(json)")
    try expect(bare == record, "without the schema the record reads otherwise: \(json)")
    return 2
  }
}

extension Record {
  /// Whether the record holds a number that JSON cannot carry.
  var hasInfinity: Bool {
    fields.contains { field in
      switch field.value {
      case .double(let value): value.isInfinite
      case .doubleList(let values): values.contains(where: \.isInfinite)
      default: false
      }
    }
  }
}
