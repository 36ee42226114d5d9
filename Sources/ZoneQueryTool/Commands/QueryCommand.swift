internal import ZoneQuery

/// Asks record files a query.
struct QueryCommand: ToolCommand {
  enum Options {
    static let records = ToolOption(
      text: "records", "FILE",
      """
      A file of records, one record dictionary of CloudKit Web Services a line, or its responses, or arrays; - is \
      stdin.
      """,
      isRepeatable: true, isRequired: true)
    static let type = ToolOption(text: "type", "NAME", "The record type asked for.", isRequired: true)
    static let format = ToolOption<RecordFormat>(
      "format", oneOf: [("table", .table), ("jsonl", .jsonl), ("json", .json)],
      "How records are printed: as a table (the default), one record dictionary a line, or one JSON array.")
    static let predicate = ToolOption(text: "where", "FORMAT", "What the records must satisfy; all do where not given.")
    static let sort = ToolOption<SortKey>(
      "sort", "FIELD[:asc|:desc]", "What to sort by, in turn; ascending where not said.",
      expecting: "FIELD, FIELD:asc or FIELD:desc, the option once for each field", isRepeatable: true,
      read: QueryCommand.sortKey)
    static let near = ToolOption<SortKey>(
      "near", "FIELD:LAT,LON", "Sort by the distance of a location field from a place, nearest first.",
      expecting: "FIELD:" + ArgumentNumbers.placeExpectation, read: QueryCommand.nearKey)
    static let limit = ToolOption<Int>(
      "limit", "N", "The most records of the answer; all where not given.",
      expecting: "a whole number from 1 to \(Int.max)",
      read: { ArgumentNumbers.natural($0).flatMap { $0 >= 1 ? $0 : nil } })
    fileprivate static let cursor = ToolOption<PageStart>(
      "cursor", "first|TEXT",
      """
      Print the answer in pages: the first --limit records and the cursor of the next page, or the page that a cursor \
      begins. A cursor holds the predicate, with its dialect and switches, the order and the zone of the first page, which \
      needs an order.
      """,
      expecting: "first, or a cursor that a page before it printed", read: QueryCommand.pageStart)
    static let keys = ToolOption<[String]>(
      "keys", "a,b", "The fields printed, the record's name apart; all where not given.", expecting: "names",
      read: Spelling.names)
    static let zone = ToolOption<ZoneID>(
      "zone", "ZONE", "The zone to look in, ZONE or OWNER/ZONE; every zone where not given.",
      expecting: "ZONE or OWNER/ZONE", read: QueryCommand.zone)
    static let count = ToolOption<Bool>(flag: "count", letter: "c", "Print the number of matches and nothing else.")
    static let explain = ToolOption<Bool>(
      flag: "explain", "Say on standard error how the answer was found; `zonequery help explain` tells what that is.")
    static let allowScan = ToolOption<Bool>(
      flag: "allow-scan",
      "Answer although no index serves the query. Every query is answered; the option is for scripts.")
  }

  static let definition = CommandDefinition(
    "query", "Prints the records of files that match a predicate, sorted as asked.",
    operands: CommandDefinition.Operands(
      placeholder: "", minimum: 0, maximum: 0, surplusHint: "files of records are given with --records"),
    options: [
      Options.records.definition, Options.type.definition, SharedOptions.schema.definition,
      Options.predicate.definition, SharedOptions.arguments.definition, Options.sort.definition,
      Options.near.definition, Options.limit.definition, Options.cursor.definition, Options.keys.definition,
      Options.zone.definition, SharedOptions.user.definition,
      Options.format.definition, Options.count.definition, SharedOptions.dialect.definition,
      SharedOptions.missing.definition, SharedOptions.stringEquality.definition, Options.explain.definition,
      Options.allowScan.definition,
    ],
    discussion: [
      """
      Without a schema the record types are learned from the records, and token search looks at every text. With one, \
      records and the predicate must keep to it, and token search looks at the SEARCHABLE fields.
      """,
      """
      A table is as wide as the terminal, or 120 columns, or what the variable COLUMNS says; long cells end in …. \
      Numbers of metres beside --near are rounded.
      """,
    ],
    examples: [
      #"query --records conference.jsonl --type Session --where 'city = "Seoul"' --sort start --keys title,start"#,
      #"query --records a.jsonl --type Airport --where '%K = %@' --arguments '["country", "FJ"]' --format jsonl"#,
      "query --records a.jsonl --type Airport --near location:-18.14,178.42 --limit 5",
    ])

  private let paths: [String]
  private let schemaPath: String?
  private let recordType: String
  private let predicate: PredicateText?
  private let sort: [SortKey]
  private let limit: Int?
  private let start: PageStart?
  private let keys: [String]?
  private let zone: ZoneID?
  private let user: String?
  private let format: RecordFormat
  private let countsOnly: Bool
  private let explains: Bool
  private let options: PredicateOptions

  init(_ arguments: ParsedArguments) throws(Stop) {
    paths = arguments.values(Options.records)
    schemaPath = arguments.value(SharedOptions.schema)
    recordType = arguments.value(Options.type) ?? ""
    predicate = try Self.predicate(arguments, of: "query")
    sort = Self.sort(arguments)
    limit = arguments.value(Options.limit)
    start = arguments.value(Options.cursor)
    // The record's name is printed always.
    keys = arguments.value(Options.keys).map { Self.columns($0) }
    user = arguments.value(SharedOptions.user)
    zone = SharedOptions.zone(arguments.value(Options.zone), of: user)
    format = arguments.value(Options.format) ?? .table
    countsOnly = arguments.has(Options.count)
    explains = arguments.has(Options.explain)
    let given = SharedOptions.predicateOptions(arguments)
    if case .behind(let cursor)? = start, let known = cursor.predicateOptions {
      let isGiven =
        arguments.has(SharedOptions.dialect) || arguments.has(SharedOptions.missing)
        || arguments.has(SharedOptions.stringEquality)
      if isGiven, given != known {
        throw .misuse(
          "query: --dialect, --missing and --string-equality are in the cursor already, and others",
          hint: "leave them out behind --cursor")
      }
      options = known
    } else {
      options = given
    }
    try checkPaging(arguments)
    if countsOnly, limit != nil {
      throw .misuse("query: --limit goes not with --count", hint: "all matches are counted")
    }
    try SharedOptions.checkInputs(paths + [schemaPath].compactMap(\.self), of: "query")
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    let predicate = try Self.read(predicate, options, console)
    let schema = try schemaPath.map { (path: String) throws(Stop) in try SchemaFile.read(path) }
    let query = Query(recordType: recordType, predicate: predicate ?? .true, sort: sort)
    let base = try RecordBase(recordFiles: paths, schema: schema, user: user, options: options, console: console) {
      (empty: Database) throws(Stop) in
      if case .behind? = start { return }
      _ = try Self.engine { () throws(ZoneQueryError) in
        try empty.records(matching: query, desiredKeys: countsOnly ? nil : desiredKeys)
      }
    }
    if let key = undatedKey(base, query), start == nil {
      try console.note("note: some records of the files have no \(key) of their own; theirs is the time of this run")
    }
    if countsOnly {
      let count = try Self.engine { () throws(ZoneQueryError) in
        try base.database.count(matching: query, inZoneWith: zone)
      }
      try console.writeLine("\(count)")
      try explain(query, base, console)
      return ExitStatus.success
    }
    let page = try Self.engine { () throws(ZoneQueryError) in
      if case .behind(let cursor)? = start {
        return try base.database.records(
          continuingMatchFrom: cursor, desiredKeys: desiredKeys, resultsLimit: limit ?? .max)
      }
      return try base.database.records(
        matching: query, inZoneWith: zone, desiredKeys: desiredKeys, resultsLimit: limit ?? .max)
    }
    if case .first? = start, page.cursor != nil { try checkOrder(base, query) }
    let near = sort.first { $0.origin != nil }
    let output = RecordOutput(
      format: format, keys: keys, origin: near.flatMap { near in near.origin.map { (near.key, $0) } })
    try output.write(page.records.map(base.asRead), recordType: base.database.schema[recordType], to: console)
    if page.records.isEmpty {
      if case .behind? = start {
        try console.note("no more records match")
      } else {
        try console.note("no record matches")
      }
    } else if start != nil {
      try console.note(page.cursor.map { "next page: --cursor \($0)" } ?? "this is the last page")
    } else if page.hasMore {
      let total = try Self.engine { () throws(ZoneQueryError) in
        try base.database.count(matching: query, inZoneWith: zone)
      }
      try console.note("showing \(page.records.count) of \(total) matches; raise --limit")
    }
    try explain(query, base, console)
    return ExitStatus.success
  }

  /// Says how the answer was found.
  private func explain(_ query: Query, _ base: RecordBase, _ console: Console) throws(Stop) {
    if !explains { return }
    let explanation = try Self.engine { () throws(ZoneQueryError) in
      try countsOnly
        ? base.database.explainCount(query, inZoneWith: zone)
        : base.database.explain(query, inZoneWith: zone, resultsLimit: limit ?? .max)
    }
    try console.note(String(explanation.description.dropLast()))
  }

  /// The first page settles the query, which must have an order of its own: each run of the tool keeps the records in
  /// a store of its own.
  private func checkPaging(_ arguments: ParsedArguments) throws(Stop) {
    guard let start else { return }
    if explains { throw .misuse("query: --cursor goes not with --explain", hint: nil) }
    if countsOnly { throw .misuse("query: --cursor goes not with --count", hint: nil) }
    switch start {
    case .first:
      if sort.isEmpty {
        throw .misuse("query: --cursor needs --sort or --near", hint: "without an order no page says where it ended")
      }
    case .behind(let cursor):
      if arguments.has(Options.predicate) || !sort.isEmpty || zone != nil {
        throw .misuse(
          "query: --where, --sort, --near and --zone are in the cursor already", hint: "leave them out behind --cursor")
      }
      if let type = cursor.recordType, !Spelling.isSame(type, recordType) {
        throw .misuse("query: the cursor is one of the type '\(Printable.excerpt(type))'", hint: nil)
      }
    }
  }

  /// No cursor goes on in another run by names and dates that each run gives.
  private func checkOrder(_ base: RecordBase, _ query: Query) throws(Stop) {
    func refuse(_ what: String, hint: String) -> Stop {
      .failed("--cursor: records of the files have no \(what) of their own, and another one in each run\nhint: \(hint)")
    }
    if base.unnamedTypes.contains(ByteKey(recordType)) {
      throw refuse(
        "recordName", hint: "write \"recordName\" into the records: those with equal values come by their names")
    }
    if let key = undatedKey(base, query) {
      throw refuse(key, hint: "sort and ask by other fields, or write \"created\" and \"modified\" into the records")
    }
  }

  /// A date that the query asks for, and that records have from this run alone.
  private func undatedKey(_ base: RecordBase, _ query: Query) -> String? {
    (sort.map(\.key) + query.predicate.fieldNames).first { base.isUndated($0, ofType: recordType) }
  }

  /// The fields printed behind the record's name, each once.
  private static func columns(_ names: [String]) -> [String] {
    var columns: [String] = []
    for name in names where !(["recordName"] + columns).contains(where: { Spelling.isSame($0, name) }) {
      columns.append(name)
    }
    return columns
  }

  @Sendable
  private static func pageStart(_ text: String) -> PageStart? {
    if Spelling.isSame(text, "first", ignoringCase: true) { return .first }
    return QueryCursor(text).map { .behind($0) }
  }

  // MARK: What other commands that ask queries need too

  /// The predicate's text and its arguments.
  static func predicate(_ arguments: ParsedArguments, of command: String) throws(Stop) -> PredicateText? {
    let json = arguments.value(SharedOptions.arguments)
    if let text = arguments.value(Options.predicate) { return try PredicateText(text, arguments: json) }
    if json != nil { throw .misuse("\(command): --arguments are of use with --where only", hint: nil) }
    return nil
  }

  /// The order: that of the options is that of the criteria.
  static func sort(_ arguments: ParsedArguments) -> [SortKey] {
    arguments.options.compactMap { name, value in
      switch name {
      case Options.sort.definition.name: Options.sort.read(value)
      case Options.near.definition.name: Options.near.read(value)
      default: nil
      }
    }
  }

  /// Reads a predicate: what is wrong with it alone is said before files are read.
  static func read(
    _ text: PredicateText?, _ options: PredicateOptions, _ console: Console
  ) throws(Stop) -> QueryPredicate? {
    guard let text else { return nil }
    let predicate = try text.parse("--where", console)
    do throws(ZoneQueryError) {
      try predicate.check(options)
    } catch {
      throw .failed(EngineMessage.text(error, at: "--where"))
    }
    return predicate
  }

  static func engine<Value>(_ body: () throws(ZoneQueryError) -> Value) throws(Stop) -> Value {
    do throws(ZoneQueryError) {
      return try body()
    } catch {
      throw .failed(EngineMessage.text(error, at: error.stage == .binding ? "--where" : "zonequery"))
    }
  }

  /// The keys the engine is asked for: a table beside --near needs the location too.
  private var desiredKeys: [String]? {
    guard let keys, format == .table, let near = sort.first(where: { $0.origin != nil }) else { return keys }
    return keys + [near.key]
  }

  @Sendable
  static func sortKey(_ text: String) -> SortKey? {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    // No field's name has these: they are another program's way to write several fields, or an order.
    guard let field = parts.first, let first = field.utf8.first, first != UInt8(ascii: "-"), parts.count <= 2,
      !field.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") })
    else { return nil }
    guard parts.count == 2 else { return .ascending(field) }
    if Spelling.isSame(parts[1], "asc", ignoringCase: true) { return .ascending(field) }
    return Spelling.isSame(parts[1], "desc", ignoringCase: true) ? .descending(field) : nil
  }

  @Sendable
  static func nearKey(_ text: String) -> SortKey? {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 2, !parts[0].utf8.isEmpty, let place = ArgumentNumbers.place(parts[1]) else { return nil }
    return .distance(parts[0], from: place)
  }

  @Sendable
  static func zone(_ text: String) -> ZoneID? {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count <= 2, let name = parts.last, parts.allSatisfy({ !$0.utf8.isEmpty }) else { return nil }
    return parts.count == 1 ? ZoneID(zoneName: name) : ZoneID(zoneName: name, ownerName: parts[0])
  }
}

/// Which page of an answer is printed.
private enum PageStart: Sendable {
  case first
  case behind(QueryCursor)
}
