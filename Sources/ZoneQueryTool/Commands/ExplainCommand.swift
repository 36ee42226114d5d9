internal import ZoneQuery

/// Says how a query of record files is answered.
struct ExplainCommand: ToolCommand {
  private enum Options {
    static let format = ToolOption<Format>(
      "format", oneOf: [("text", .text), ("json", .json)],
      "How the explanation is printed: as an indented tree (the default), or as one JSON object with the same figures.")
    static let index = ToolOption<[String]>(
      "index", "a,b", "An index beside those of the schema, on one field or on several together.",
      expecting: "names of fields", isRepeatable: true,
      read: { text in
        let names = Spelling.names(text)
        return names.isEmpty ? nil : names
      })
    static let count = ToolOption<Bool>(flag: "count", letter: "c", "Tell how the matches are counted.")
    static let measurePaths = ToolOption<Bool>(
      flag: "measure-paths", "Answer the query by each of the paths too, and tell what that took.")
  }

  private enum Format: Sendable {
    case text, json
  }

  private typealias Asked = QueryCommand.Options

  static let definition = CommandDefinition(
    "explain", "Answers a query of record files and prints how that was done.",
    operands: CommandDefinition.Operands(
      placeholder: "", minimum: 0, maximum: 0, surplusHint: "files of records are given with --records"),
    options: [
      Asked.records.definition, Asked.type.definition, SharedOptions.schema.definition, Asked.predicate.definition,
      SharedOptions.arguments.definition, Asked.sort.definition, Asked.near.definition, Asked.limit.definition,
      Asked.zone.definition, SharedOptions.user.definition, Options.index.definition, Options.format.definition,
      Options.count.definition,
      Options.measurePaths.definition, SharedOptions.dialect.definition, SharedOptions.missing.definition,
      SharedOptions.stringEquality.definition,
    ],
    discussion: [
      """
      The plan is a tree: each line works on the rows of those under it. It says how many rows were expected and how \
      many came, what was read, and how long that took. Below are the paths that were considered with what they were \
      taken to cost, the chosen one first; and, where every record was looked at, the lines of a schema that would \
      serve the query. With --measure-paths the query is answered by each of the paths too, twice, a walk \
      to its end, and the shorter time shown, planning apart; a cost is that of a release build.
      """,
      """
      Zones with plans of one shape are shown together. Without a schema the record types are learned from the records, \
      and every field that can have an index has one.
      """,
    ],
    examples: [
      #"explain --records conference.jsonl --type Session --where 'city = "Seoul"' --sort start --limit 10"#,
      #"explain --records conference.jsonl --type Session --where 'city = "Suva"' --sort start --index city,start"#,
      #"explain --records conference.jsonl --type Session --where 'capacity > 100' --sort start --measure-paths"#,
    ])

  private let paths: [String]
  private let schemaPath: String?
  private let recordType: String
  private let predicate: PredicateText?
  private let sort: [SortKey]
  private let limit: Int?
  private let zone: ZoneID?
  private let user: String?
  private let indexes: [[String]]
  private let format: Format
  private let countsOnly: Bool
  private let measuresPaths: Bool
  private let options: PredicateOptions

  init(_ arguments: ParsedArguments) throws(Stop) {
    paths = arguments.values(Asked.records)
    schemaPath = arguments.value(SharedOptions.schema)
    recordType = arguments.value(Asked.type) ?? ""
    predicate = try QueryCommand.predicate(arguments, of: "explain")
    sort = QueryCommand.sort(arguments)
    limit = arguments.value(Asked.limit)
    user = arguments.value(SharedOptions.user)
    zone = SharedOptions.zone(arguments.value(Asked.zone), of: user)
    indexes = arguments.values(Options.index)
    format = arguments.value(Options.format) ?? .text
    countsOnly = arguments.has(Options.count)
    measuresPaths = arguments.has(Options.measurePaths)
    options = SharedOptions.predicateOptions(arguments)
    try SharedOptions.checkInputs(paths + [schemaPath].compactMap(\.self), of: "explain")
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    let predicate = try QueryCommand.read(predicate, options, console)
    let schema = try schemaPath.map { (path: String) throws(Stop) in try SchemaFile.read(path) }
    let query = Query(recordType: recordType, predicate: predicate ?? .true, sort: sort)
    func addIndexes(_ database: Database) throws(ZoneQueryError) {
      for keys in indexes { try database.addIndex(IndexDefinition(recordType: recordType, keys: keys)) }
    }
    let base = try RecordBase(recordFiles: paths, schema: schema, user: user, options: options, console: console) {
      (empty: Database) throws(Stop) in
      _ = try QueryCommand.engine { () throws(ZoneQueryError) in
        _ = try empty.records(matching: query)
        try addIndexes(empty)
      }
    }
    let explanation = try QueryCommand.engine { () throws(ZoneQueryError) in
      if schema == nil { try addIndexes(base.database) }
      return try countsOnly
        ? base.database.explainCount(query, inZoneWith: zone, measuringPaths: measuresPaths)
        : base.database.explain(query, inZoneWith: zone, resultsLimit: limit ?? .max, measuringPaths: measuresPaths)
    }
    switch format {
    case .text: try console.write(Printable.text(explanation.description, keepingLines: true).utf8)
    case .json: try console.writeLine(explanation.json)
    }
    return ExitStatus.success
  }
}
