internal import ZoneQuery

/// Reads a schema and prints it in canonical form.
struct SchemaCommand: ToolCommand {
  static let definition = CommandDefinition(
    "schema", "Reads and checks a schema, and prints its canonical text.",
    operands: CommandDefinition.Operands(placeholder: "FILE", minimum: 1, maximum: 1),
    examples: ["schema conference.ckdb"])

  private let path: String

  init(_ arguments: ParsedArguments) throws(Stop) { path = arguments.operands.first ?? "-" }

  func run(_ console: Console) throws(Stop) -> Int32 {
    let text = try SchemaFile.read(path).ckdb
    try console.write(text.utf8)
    if text.utf8.last != 0x0A { try console.writeLine("") }
    return ExitStatus.success
  }
}
