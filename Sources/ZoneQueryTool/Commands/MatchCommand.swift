internal import ZoneQuery

/// Asks records one by one whether a predicate holds, as grep asks lines.
struct MatchCommand: ToolCommand {
  private enum Options {
    static let batch = ToolOption<Bool>(
      flag: "batch", "Read lines of predicate and fields, and write whether each matches; see above.")
    static let predicate = ToolOption(
      text: "where", "FORMAT", "The predicate; where it is given so, all operands are files.")
    static let records = ToolOption(
      text: "records", "FILE", "A file of records, as query has it; the same as an operand.", isRepeatable: true)
    static let type = ToolOption(text: "type", "NAME", "Only records of this type can match.")
    static let count = ToolOption<Bool>(flag: "count", letter: "c", "Print the number of matches and no record.")
    static let quiet = ToolOption<Bool>(flag: "quiet", letter: "q", "Print nothing; end at the first match.")
    static let invert = ToolOption<Bool>(flag: "invert", letter: "v", "Print the records that do not match.")
  }

  static let definition = CommandDefinition(
    "match", "Prints the records that match a predicate, each as it came, without storing any.",
    operands: CommandDefinition.Operands(placeholder: "[FORMAT] [FILE …]", minimum: 0, maximum: nil),
    options: [
      Options.predicate.definition, SharedOptions.arguments.definition, Options.records.definition,
      SharedOptions.schema.definition, Options.type.definition, SharedOptions.user.definition,
    ]
      + SharedOptions.predicate.dropFirst()
      + [Options.count.definition, Options.quiet.definition, Options.invert.definition, Options.batch.definition],
    discussion: [
      """
      Files hold one record dictionary of CloudKit Web Services a line, or are its responses, or arrays; without a \
      file standard input is read. The exit status is 0 where some record matched, 1 where none did, 2 after an error.
      """,
      """
      Without a schema each record is judged by the types it shows, and what cannot be compared counts as missing. \
      With one, the predicate must fit every record type met, and the values of each record its type.
      """,
      #"""
      With --batch each line of input is {"id", "format", "arguments", "fields", "dialect"}, the arguments a list or by \#
      name, the fields as in a record dictionary, and each line of output {"id", "match": true or false} or {"id", "error": text}, with \#
      "diagnostics" where the predicate is at fault. Every text is searchable. Blank lines are \#
      passed over. The exit status is 0.
      """#,
    ],
    examples: [
      #"match 'city = "Seoul" AND capacity > 100' conference.jsonl"#,
      #"match --count 'ANY tokenize("sea maps", "Cdl") IN allTokens' conference.jsonl"#,
      "match --batch < questions.jsonl",
    ])

  static let failureStatus = ExitStatus.matchFailure

  private let predicate: PredicateText?
  private let paths: [String]
  private let schemaPath: String?
  private let recordType: String?
  private let user: String?
  private let options: PredicateOptions
  private let countsOnly: Bool
  private let isQuiet: Bool
  private let isInverted: Bool

  init(_ arguments: ParsedArguments) throws(Stop) {
    options = SharedOptions.predicateOptions(arguments)
    schemaPath = arguments.value(SharedOptions.schema)
    recordType = arguments.value(Options.type)
    user = arguments.value(SharedOptions.user)
    countsOnly = arguments.has(Options.count)
    isQuiet = arguments.has(Options.quiet)
    isInverted = arguments.has(Options.invert)
    let json = arguments.value(SharedOptions.arguments)
    if arguments.has(Options.batch) {
      predicate = nil
      paths = arguments.operands.isEmpty ? ["-"] : arguments.operands
      if json != nil || arguments.has(Options.predicate) || arguments.has(Options.records) || schemaPath != nil
        || recordType != nil || user != nil || countsOnly || isQuiet || isInverted
      {
        throw .misuse(
          "match: --batch goes with --dialect, --missing and --string-equality only",
          hint: "each line of the batch has its own format and arguments")
      }
      return
    }
    let option = arguments.value(Options.predicate)
    guard let format = option ?? arguments.operands.first else {
      throw .misuse("match: FORMAT is needed", hint: nil)
    }
    predicate = try PredicateText(format, arguments: json)
    let files = arguments.values(Options.records) + arguments.operands.dropFirst(option == nil ? 1 : 0)
    paths = files.isEmpty ? ["-"] : files
    try SharedOptions.checkInputs(
      paths + [schemaPath].compactMap(\.self), of: "match",
      hint: files.isEmpty ? "records are read from it where no FILE is given" : nil)
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    guard let predicate else {
      try MatchBatch(options: options).run(paths, console)
      return ExitStatus.success
    }
    let parsed = try predicate.parse("FORMAT", console)
    let schema = try schemaPath.map { (path: String) throws(Stop) in try SchemaFile.read(path) }
    if let recordType, let schema, schema[recordType] == nil {
      throw .failed("zonequery: the schema has no record type '\(Printable.excerpt(recordType))'")
    }
    var matchers = Matchers(predicate: parsed, schema: schema, options: options)
    try matchers.check()
    var count = 0
    // Without a schema a name that is mistyped is a field that records lack.
    var (hasRecords, unseen) = (false, schema == nil && !isQuiet ? parsed.fieldNames : [])
    let lines = RecordLines(paths: paths, schema: schema, userRecordName: user, console: console)
    try lines.forEach(flushesFirst: true) { entry throws(Stop) in
      let isOfType = recordType.map { Spelling.isSame($0, entry.record.recordType) } ?? true
      let matches = isOfType ? try matchers.matches(entry) : false
      if isOfType {
        hasRecords = true
        unseen.removeAll { entry.record.fieldValue(forKey: $0) != nil }
      }
      guard matches != isInverted else { return true }
      count += 1
      if isQuiet { return false }
      if !countsOnly { try entry.write(to: console) }
      return true
    }
    if countsOnly, !isQuiet { try console.writeLine("\(count)") }
    if hasRecords {
      for name in unseen { try console.note("note: no record has a field '\(Printable.excerpt(name))'") }
    }
    return count > 0 ? ExitStatus.success : ExitStatus.noMatch
  }
}

/// The matchers of one predicate: one for all records, or one for each record type of a schema.
private struct Matchers {
  let predicate: QueryPredicate
  let schema: Schema?
  let options: PredicateOptions
  private var untyped: Matcher?
  private var typed: [(recordType: RecordType, matcher: Matcher)] = []

  init(predicate: QueryPredicate, schema: Schema?, options: PredicateOptions) {
    self.predicate = predicate
    self.schema = schema
    self.options = options
  }

  /// Says what is wrong with the predicate whatever the records are.
  mutating func check() throws(Stop) {
    let made = try matcher(for: nil)
    if schema == nil { untyped = made }
  }

  mutating func matches(_ entry: RecordLines.Entry) throws(Stop) -> Bool {
    let record = entry.record
    let (recordType, matcher) = try chosen(for: entry)
    do throws(ZoneQueryError) {
      try recordType?.check(record)
    } catch {
      throw .failed(EngineMessage.text(error, at: entry.placeText))
    }
    do throws(ZoneQueryError) {
      return try matcher.matches(record)
    } catch {
      throw .failed("\(entry.placeText): record \(Printable.excerpt(record.recordID.recordName)):\n" + Self.text(error))
    }
  }

  /// The matcher for a record, and the record type that it is for, if it is for one.
  private mutating func chosen(for entry: RecordLines.Entry) throws(Stop) -> (RecordType?, Matcher) {
    let record = entry.record
    if let untyped { return (nil, untyped) }
    if let known = typed.first(where: { sameBytes($0.recordType.name, record.recordType) }) { return known }
    guard let recordType = schema?[record.recordType] else {
      throw .failed(
        "\(entry.placeText): record \(Printable.excerpt(record.recordID.recordName)): the schema has no record type "
          + "'\(Printable.excerpt(record.recordType))'")
    }
    let made = try matcher(for: recordType)
    typed.append((recordType, made))
    return (recordType, made)
  }

  private func matcher(for recordType: RecordType?) throws(Stop) -> Matcher {
    do throws(ZoneQueryError) {
      if recordType == nil { try predicate.check(options) }
      return try Matcher(predicate, for: recordType, options: options)
    } catch {
      throw .failed(Self.text(error))
    }
  }

  private static func text(_ error: ZoneQueryError) -> String { EngineMessage.text(error, at: "FORMAT") }
}
