internal import ZoneQuery

/// Answers requests of CloudKit Web Services over record files.
struct AnswerCommand: ToolCommand {
  private typealias Request = WebServicesPath
  private enum Options {
    static let records = ToolOption(
      text: "records", "FILE", "A file of the records there are, as query has it; none where not given.",
      isRepeatable: true)
  }

  static let definition = CommandDefinition(
    "answer", "Answers requests of CloudKit Web Services over record files.",
    operands: CommandDefinition.Operands(
      placeholder: "REQUEST [FILE …] [REQUEST [FILE …]] …", minimum: 1, maximum: nil),
    options: [
      Options.records.definition, SharedOptions.schema.definition,
      SharedOptions.user.definition, SharedOptions.missing.definition, SharedOptions.stringEquality.definition,
    ],
    discussion: [
      """
      REQUEST is records/query, records/lookup, records/modify, changes/zone, changes/database, zones/list, zones/lookup, \
      zones/modify, subscriptions/list, subscriptions/lookup, subscriptions/modify, users/caller or users/current. Each \
      FILE is the JSON of a request's body, standard input where none is given (lists and users have none); each response, \
      or the error dictionary in its place, is a line. Requests are answered in turn, of several kinds where more than one \
      is named, from the same records, so that one sees what those before it changed; the files stay as they are. The exit \
      status is 1 where a request was refused as a whole. Who asks is the user of --user.
      """
    ],
    examples: [
      #"answer records/modify save.json records/query question.json"#,
      #"answer records/query --records conference.jsonl < request.json"#,
      #"answer records/modify --records conference.jsonl --schema conference.ckdb first.json second.json"#,
      #"answer zones/modify zone.json records/modify save.json changes/zone what.json --records conference.jsonl"#,
    ])

  /// The requests in turn, with the files that their bodies are in, where they have bodies.
  private let asked: [(request: Request, path: String?)]
  private let recordPaths: [String]
  private let schemaPath: String?
  private let user: String?
  private let options: PredicateOptions

  init(_ arguments: ParsedArguments) throws(Stop) {
    var groups: [(request: Request, paths: [String])] = []
    for operand in arguments.operands {
      if let request = Request.allCases.first(where: { Spelling.isSame($0.rawValue, operand) }) {
        groups.append((request, []))
      } else if groups.isEmpty {
        throw .misuse(
          "answer: there is no request '\(Printable.excerpt(operand))'",
          hint: "expected \(Request.allCases.map(\.rawValue).joined(separator: ", "))")
      } else if groups[groups.count - 1].request.hasBody {
        groups[groups.count - 1].paths.append(operand)
      } else {
        throw .misuse(
          "answer: \(groups[groups.count - 1].request.rawValue) has no body to read from '\(Printable.excerpt(operand))'",
          hint: "name the request that it is of before it")
      }
    }
    asked = groups.flatMap { group -> [(request: Request, path: String?)] in
      if !group.request.hasBody { return [(group.request, nil)] }
      return (group.paths.isEmpty ? ["-"] : group.paths).map { (group.request, $0) }
    }
    recordPaths = arguments.values(Options.records)
    schemaPath = arguments.value(SharedOptions.schema)
    user = arguments.value(SharedOptions.user)
    options = SharedOptions.predicateOptions(arguments)
    try SharedOptions.checkInputs(
      asked.compactMap(\.path) + recordPaths + [schemaPath].compactMap(\.self), of: "answer",
      hint: "a request is read from it where no FILE is given")
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    let schema = try schemaPath.map { (path: String) throws(Stop) in try SchemaFile.read(path) }
    let base = try RecordBase(
      recordFiles: recordPaths, schema: schema, user: user, options: options, console: console)
    var status = ExitStatus.success
    for (request, path) in asked {
      let text =
        try path.map { (path: String) throws(Stop) in try InputFile(path).text(limit: InputFile.textLimit) } ?? ""
      let line: String
      do throws(ZoneQueryError) {
        line = try base.database.webServicesResponse(to: request.rawValue, body: text)
      } catch {
        line = error.webServicesJSON
        status = ExitStatus.failure
      }
      try console.writeLine(line)
    }
    return status
  }
}
