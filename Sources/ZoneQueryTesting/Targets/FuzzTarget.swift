internal import PredicateSyntax
internal import ZoneQuery

/// What a byte fuzzer feeds: one way in from outside, with the rules that must hold of every input.
///
/// ```swift
/// try FuzzTarget.schema.check(Array("DEFINE SCHEMA RECORD TYPE T ( a STRING );".utf8))
/// ```
///
/// Whatever the bytes, a check ends, traps nowhere, and throws only where a rule is broken.
public enum FuzzTarget: String, Sendable, Hashable, CaseIterable {
  /// The text of a predicate: printed, read again, bound in both dialects with a type and without, and asked.
  case predicate
  /// A format string, a zero byte, and arguments for it.
  case arguments
  /// The text of a schema: written and read again.
  case schema
  /// Lines of Web Services record dictionaries: written and read again.
  case recordJSON
  /// Requests of Web Services: answered by a small database, or refused.
  case requestJSON
  /// Cursors: bytes and texts that a database must refuse, and contents that it did not write under its own tag.
  case cursor
  /// Change tokens, likewise.
  case changeToken
  /// Choices: a record type, records and predicates, judged by oracles, every plan against a scan among them.
  case structured

  /// Checks an input.
  ///
  /// Complexity: linear in the bytes, but for what the oracles of ``structured`` take.
  public func check(_ bytes: [UInt8]) throws(OracleFailure) {
    switch self {
    case .predicate: try Self.checkPredicate(String(decoding: bytes, as: UTF8.self), [])
    case .arguments:
      let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
      let values = Self.values(parts.count > 1 ? parts[1] : [])
      try Self.checkPredicate(String(decoding: parts.first ?? [], as: UTF8.self), values)
    case .schema: try Self.checkSchema(String(decoding: bytes, as: UTF8.self))
    case .recordJSON: try Self.checkLines(bytes)
    case .requestJSON: try RequestTarget.check(bytes)
    case .cursor: try CursorTarget.check(bytes)
    case .changeToken: try TokenTarget.check(bytes)
    case .structured: try Self.checkChoices(bytes)
    }
  }

  static func require(
    _ holds: Bool, _ message: @autoclosure () -> String
  ) throws(OracleFailure) {
    if !holds { throw OracleFailure(message()) }
  }

  /// Changes bytes by threes of a place, a kind of change and a value.
  static func changed(_ content: [UInt8], by changes: ArraySlice<UInt8>) -> [UInt8] {
    var result = content
    var rest = changes
    while let place = rest.popFirst(), let kind = rest.popFirst(), !result.isEmpty {
      // Counted from the end, where the place lies that the page ended at.
      let index = result.count - 1 - Int(place) % result.count
      switch kind % 4 {
      case 0: result[index] = rest.popFirst() ?? 0
      case 1: result.insert(rest.popFirst() ?? 0, at: index)
      case 2: result.remove(at: index)
      default: result[index] ^= 1 << (kind >> 4 & 7)
      }
    }
    return result
  }

  // MARK: Predicates

  private static func checkPredicate(
    _ text: String, _ arguments: [(any PredicateArgument)?]
  ) throws(OracleFailure) {
    let tree: PredicateNode
    do throws(SyntaxError) {
      tree = try PredicateParser().parse(text, arguments: arguments).root
    } catch {
      try require(!error.diagnostics.isEmpty && !error.description.utf8.isEmpty, "an error without words")
      return
    }
    let printed = tree.predicateFormat
    // A text within the limits may print beyond them: escapes, and arguments, are longer than what they stand for.
    let limits = SyntaxLimits()
    switch Result(catching: { () throws(SyntaxError) in try PredicateParser(limits: limits).parse(printed) }) {
    case .success(let reread):
      try require(reread.root == tree, "\(text) prints as \(printed), which reads otherwise")
      try require(reread.root.predicateFormat.utf8.elementsEqual(printed.utf8), "\(printed) prints otherwise when read")
    case .failure(let error):
      let limited = ["textTooLong", "stringTooLong", "tooManyConstants", "tooManyNodes", "nestingTooDeep"]
      try require(
        printed.utf8.count > text.utf8.count && error.diagnostics.contains { limited.contains($0.code) },
        "\(text) prints as \(printed), which does not read: \(error)")
    }
    for dialect in Dialect.allCases {
      for missing in PredicateOptions.MissingFields.allCases {
        try ask(tree, PredicateOptions(dialect: dialect, missingFields: missing))
      }
    }
  }

  /// Binds the predicate every way, and where it binds asks it about records.
  private static func ask(_ tree: PredicateNode, _ options: PredicateOptions) throws(OracleFailure) {
    let predicate = QueryPredicate(tree)
    try? predicate.check(options)
    let shaped = try? Matcher(predicate, options: options, now: SampleType.now)
    let typed = try? Matcher(predicate, for: SampleType.type, options: options, now: SampleType.now)
    let evaluator = NaiveEvaluator(recordType: SampleType.type, options: options, now: SampleType.now)
    for record in SampleType.records {
      _ = try? shaped?.matches(record)
      guard let typed, let found = try? typed.matches(record) else { continue }
      let truth = evaluator.truth(of: tree, for: record)
      try require(
        truth == .undecided || found == (truth == .yes),
        "\(tree.predicateFormat) (\(options.dialect.rawValue), \(options.missingFields.rawValue)): the evaluator says "
          + "\(truth.rawValue) of \(record.recordID), the matcher \(found)")
    }
  }

  /// Arguments, each a byte for its kind and bytes for its value.
  private static func values(_ bytes: ArraySlice<UInt8>) -> [(any PredicateArgument)?] {
    var rest = bytes
    var values: [(any PredicateArgument)?] = []
    func word() -> UInt64 {
      (0..<8).reduce(0) { value, _ in value << 8 | UInt64(rest.popFirst() ?? 0) }
    }
    func text() -> String {
      let length = Int(rest.popFirst() ?? 0) % 24
      defer { rest = rest.dropFirst(length) }
      return String(decoding: rest.prefix(length), as: UTF8.self)
    }
    while let kind = rest.popFirst(), values.count < 64 {
      switch kind % 10 {
      case 0: values.append(nil)
      case 1: values.append(Int64(bitPattern: word()))
      case 2: values.append(Double(bitPattern: word()))
      case 3: values.append(text())
      case 4: values.append(Literal.date(milliseconds: Int64(bitPattern: word())))
      case 5: values.append(Location(latitude: Double(bitPattern: word()), longitude: Double(bitPattern: word())))
      case 6: values.append(RecordID(recordName: text(), zoneID: ZoneID(zoneName: text(), ownerName: text())))
      case 7: values.append((0..<Int(rest.popFirst() ?? 0) % 8).map { _ in text() })
      case 8: values.append(UInt64(word()))
      default: values.append((0..<Int(rest.popFirst() ?? 0) % 8).map { _ in Double(bitPattern: word()) })
      }
    }
    return values
  }

  // MARK: Schemas and records

  private static func checkSchema(_ text: String) throws(OracleFailure) {
    for uselessIndexes in SchemaTextOptions.UselessIndexes.allCases {
      var options = SchemaTextOptions()
      options.uselessIndexes = uselessIndexes
      let schema: Schema
      do throws(ZoneQueryError) {
        schema = try Schema(ckdb: text, options: options)
      } catch {
        try require(!error.message.utf8.isEmpty, "an error without words")
        continue
      }
      let written = schema.ckdb
      guard let reread = try? Schema(ckdb: written, options: options) else {
        throw OracleFailure("\(text) writes as \(written), which does not read")
      }
      try require(reread == schema, "\(text) writes as \(written), which reads otherwise")
      try require(reread.ckdb.utf8.elementsEqual(written.utf8), "\(written) writes otherwise when read")
    }
  }

  private static func checkLines(_ bytes: [UInt8]) throws(OracleFailure) {
    var lines = JSONLines<Never>(bytes, maximumLineLength: 1 << 16)
    while true {
      let line: JSONLine?
      do {
        line = try lines.next()
      } catch {
        continue
      }
      guard let line else { return }
      guard let json = try? line.read() else { continue }
      for schema in [nil, Schema([SampleType.type])] {
        guard let record = try? Record(webServices: json, schema: schema), let written = try? record.webServicesJSON
        else {
          continue
        }
        let reread: Record
        do throws(ZoneQueryError) {
          reread = try Record(webServicesJSON: written, schema: schema)
        } catch {
          throw OracleFailure("the record writes as \(written), which does not read: \(error.message)")
        }
        let again = try? reread.webServicesJSON
        try require(again.map { $0.utf8.elementsEqual(written.utf8) } ?? false, "\(written) writes otherwise when read")
        try load(record)
      }
    }
  }

  /// What a database takes of a record it gives back.
  private static func load(_ record: Record) throws(OracleFailure) {
    guard let database = try? Database(), (try? database.load([record])) == 1 else { return }
    guard let stored = try? database.record(for: record.recordID) else {
      throw OracleFailure("\(record.recordID) was loaded, and is not there")
    }
    for (name, value) in record.fields {
      try require(stored[name] == value, "\(name) was \(value), and came back as \(String(describing: stored[name]))")
    }
  }

  // MARK: Choices

  private static func checkChoices(_ bytes: [UInt8]) throws(OracleFailure) {
    let names = ["evaluator", "matcher", "partition", "sort", "plans"]
    var fuzzer = Fuzzer(random: SeededRandom(choices: bytes), oracles: names.compactMap { Oracles.named($0) })
    fuzzer.recordCount = 8
    fuzzer.predicatesPerPopulation = 3
    if let report = fuzzer.step() { throw OracleFailure(report.description) }
  }
}
