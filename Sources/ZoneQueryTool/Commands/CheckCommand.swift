internal import ZoneQuery

/// Audits a list of queries against a schema.
struct CheckCommand: ToolCommand {
  private enum Format: Sendable {
    case text
    case jsonl
  }

  private enum Options {
    static let schema = ToolOption(
      text: "schema", "FILE", "The schema, in CloudKit's schema language (.ckdb).", isRequired: true)
    static let format = ToolOption<Format>(
      "format", oneOf: [("text", .text), ("jsonl", .jsonl)],
      "How the audit is printed: for people (the default), or one object a query.")
  }

  static let definition = CommandDefinition(
    "check", "Tells which queries of a list a schema refuses or has no indexes for.",
    operands: CommandDefinition.Operands(placeholder: "[FILE …]", minimum: 0, maximum: nil),
    options: [
      Options.schema.definition, Options.format.definition, SharedOptions.dialect.definition,
      SharedOptions.missing.definition, SharedOptions.stringEquality.definition,
    ],
    discussion: [
      #"""
      A query stands on a line: TYPE | PREDICATE | SORT, the latter two where there are any. The sort is FIELD, \#
      FIELD desc or near FIELD:LAT,LON, with commas between several. A bar within quotation marks or brackets, and ||, \#
      belong to the predicate. What is not known before the query is asked is written as a parameter, $name. Blank \#
      lines, and lines that begin with #, are passed over.
      """#,
      """
      CloudKit wants QUERYABLE for a filter, QUERYABLE or SORTABLE for a range, SORTABLE for a sort, SEARCHABLE on some \
      text field for a search for words, and QUERYABLE on ___recordID where there is no filter. What is missing is \
      told for each query in CloudKit's words, and at the end as lines for the schema. The exit status is 1 where a \
      query is refused or lacks an index.
      """,
      #"""
      With --format jsonl each line of output is {"file", "line", "recordType", "predicate", "status", "diagnostics", \#
      "missing"}: status is served, unindexed or refused, and missing holds {"field", "index", "purpose", "message", \#
      "item"}.
      """#,
    ],
    examples: [
      "check --schema conference.ckdb queries.txt",
      "check --schema conference.ckdb --format jsonl < queries.txt",
    ])

  private let schemaPath: String
  private let paths: [String]
  private let format: Format
  private let options: PredicateOptions

  init(_ arguments: ParsedArguments) throws(Stop) {
    schemaPath = arguments.value(Options.schema) ?? ""
    paths = arguments.operands.isEmpty ? ["-"] : arguments.operands
    format = arguments.value(Options.format) ?? .text
    options = SharedOptions.predicateOptions(arguments)
    try SharedOptions.checkInputs(paths + [schemaPath], of: "check")
  }

  /// The lines, which end as those of a predicate's text do.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == 0x0A || byte == 0x0D {
      // Of \r\n the first ends the line and the second nothing.
      if byte == 0x0D || index == 0 || bytes[index - 1] != 0x0D { lines.append(bytes[start..<index]) }
      start = index + 1
    }
    return lines + [bytes[start...]]
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    var audit = QueryAudit(schema: try SchemaFile.read(schemaPath), options: options)
    for path in paths {
      let file = try InputFile(path)
      let text = try file.text(limit: InputFile.textLimit)
      for (index, line) in Self.lines(of: Array(text.utf8)).enumerated() {
        guard let finding = audit.finding(of: Array(line)) else { continue }
        switch format {
        case .text:
          for paragraph in finding.paragraphs(at: "\(file.name):\(index + 1)") {
            try console.writeLine(Printable.text(paragraph, keepingLines: true))
          }
        case .jsonl: try console.writeLine(JSONValue.object(finding.json(file: path, line: index + 1)).text)
        }
      }
    }
    if format == .text {
      let lines = audit.improvements
      if !lines.isEmpty { try console.writeLine("") }
      for line in lines { try console.writeLine(line) }
      if audit.hasFindings { try console.writeLine("") }
      try console.writeLine(audit.summary)
    }
    return audit.hasFindings ? ExitStatus.failure : ExitStatus.success
  }
}
