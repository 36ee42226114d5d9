internal import ZoneQuery

/// Reads a predicate and tells what it is, or what is wrong with it.
struct ParseCommand: ToolCommand {
  private enum Options {
    static let batch = ToolOption<Bool>(
      flag: "batch", "Read lines of formats and arguments, and write what each is; see above.")
    static let tree = ToolOption<Bool>(flag: "tree", "Print the syntax tree too.")
    static let dialect = ToolOption<Dialect>(
      "dialect", oneOf: Dialect.allCases.map { ($0.rawValue, $0) },
      "The dialect that decides the exit status; without it, it is 0 where either takes the predicate.")
  }

  static let definition = CommandDefinition(
    "parse", "Prints a predicate's canonical text and which dialect takes it, or its faults.",
    operands: CommandDefinition.Operands(
      placeholder: "FORMAT", minimum: 0, maximum: 1,
      surplusHint: "a format with spaces in it stands in quotation marks"),
    options: [
      SharedOptions.arguments.definition, Options.tree.definition, Options.dialect.definition,
      Options.batch.definition,
    ],
    discussion: [
      """
      Fields are not checked, since no schema is asked. The exit status is 1 where the text is no predicate, or no \
      dialect takes it.
      """,
      #"""
      With --batch each line of input (of standard input, or of the file named) is {"id", "format", "arguments"}, the \#
      arguments a list or by name, and each line of output {"id", "cloudKit", "extended", "text", "diagnostics"}: \#
      whether each dialect takes the predicate, its canonical text or null, and what is wrong as {"stage", "message", "line", "column", "length", \#
      "hint", "code"}. Blank lines are passed over. The exit status is 0.
      """#,
    ],
    examples: [
      "parse 'city = %@ OR tags CONTAINS %@' --arguments '[\"Seoul\", \"maps\"]' --tree",
      "parse --batch < formats.jsonl",
    ])

  private let predicate: PredicateText?
  private let batchPaths: [String]
  private let showsTree: Bool
  private let dialect: Dialect?

  init(_ arguments: ParsedArguments) throws(Stop) {
    showsTree = arguments.has(Options.tree)
    dialect = arguments.value(Options.dialect)
    let json = arguments.value(SharedOptions.arguments)
    if arguments.has(Options.batch) {
      predicate = nil
      batchPaths = arguments.operands.isEmpty ? ["-"] : arguments.operands
      if json != nil || showsTree || dialect != nil {
        throw .misuse("parse: --batch goes with no other option", hint: "each line of the batch has its own arguments")
      }
      return
    }
    guard let format = arguments.operands.first else { throw .misuse("parse: FORMAT is needed", hint: nil) }
    predicate = try PredicateText(format, arguments: json)
    batchPaths = []
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    guard let predicate else {
      try ParseBatch.run(batchPaths, console)
      return ExitStatus.success
    }
    let parsed = try predicate.parse("FORMAT", console)
    try console.writeLine(parsed.root.predicateFormat)
    if showsTree {
      try console.writeLine("")
      try console.write(parsed.root.treeDescription.utf8)
    }
    try console.writeLine("")
    var taken: [Dialect] = []
    for dialect in Dialect.allCases {
      do throws(ZoneQueryError) {
        try parsed.check(PredicateOptions(dialect: dialect))
      } catch {
        try console.writeLine("\(dialect.rawValue): refused")
        let text = EngineMessage.text(error, at: dialect.rawValue)
        try console.writeLine(Printable.text(text, keepingLines: true))
        continue
      }
      taken.append(dialect)
      try console.writeLine("\(dialect.rawValue): taken")
    }
    return (dialect.map(taken.contains) ?? !taken.isEmpty) ? ExitStatus.success : ExitStatus.failure
  }
}

/// `parse --batch`: a format and its arguments on each line.
private enum ParseBatch {
  static func run(_ paths: [String], _ console: Console) throws(Stop) {
    try BatchLines.run(
      paths, console, answer: answer,
      failure: { id, error in
        result(id, nil, [], [DiagnosticJSON.input(error.message, line: error.line, column: error.column)])
      })
  }

  private static func answer(_ object: JSONObject) -> JSONObject {
    let id = object["id"] ?? .null
    let request: BatchRequest
    do throws(BatchRequest.Fault) {
      request = try BatchRequest(object, keys: ["format", "arguments"])
    } catch {
      return result(id, nil, [], [DiagnosticJSON.input(error.message, hint: error.hint)])
    }
    let predicate: QueryPredicate
    do throws(ZoneQueryError) {
      switch try request.predicate() {
      case .success(let read): predicate = read
      case .failure(let fault): return result(id, nil, [], [DiagnosticJSON.input(fault.message)])
      }
    } catch {
      return result(id, nil, [], error.diagnostics.map { DiagnosticJSON.value($0, error.source) })
    }
    var taken: [Dialect] = []
    var faults: [Diagnostic] = []
    for dialect in Dialect.allCases {
      do throws(ZoneQueryError) {
        try predicate.check(PredicateOptions(dialect: dialect))
        taken.append(dialect)
      } catch {
        // What both dialects refuse is said once.
        faults += error.diagnostics.filter { !faults.contains($0) }
      }
    }
    return result(
      id, predicate.root.predicateFormat, taken, faults.map { DiagnosticJSON.value($0, predicate.source) })
  }

  private static func result(
    _ id: JSONValue, _ text: String?, _ taken: [Dialect], _ diagnostics: [JSONValue]
  ) -> JSONObject {
    var result = JSONObject()
    result.append("id", id)
    result.append("cloudKit", .bool(taken.contains(.cloudKit)))
    result.append("extended", .bool(taken.contains(.extended)))
    result.append("text", text.map(JSONValue.string) ?? .null)
    result.append("diagnostics", .array(diagnostics))
    return result
  }
}
