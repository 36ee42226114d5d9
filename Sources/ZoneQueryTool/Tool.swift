/// A command of the tool.
protocol ToolCommand: Sendable {
  /// The command's name, options and help.
  static var definition: CommandDefinition { get }

  /// The exit status of an error in the input.
  static var failureStatus: Int32 { get }

  /// Checks what the table of options alone cannot.
  init(_ arguments: ParsedArguments) throws(Stop)

  /// Does the work and returns the exit status.
  func run(_ console: Console) throws(Stop) -> Int32
}

extension ToolCommand {
  static var failureStatus: Int32 { ExitStatus.failure }
}

/// The tool: finds the command that a command line names and runs it.
enum Tool {
  static let version = "0.1.0"

  static let commands: [any ToolCommand.Type] = [
    QueryCommand.self, ExplainCommand.self, MatchCommand.self, WatchCommand.self, ParseCommand.self, CheckCommand.self,
    AnswerCommand.self, RequestCommand.self, GenerateCommand.self, SchemaCommand.self, TokenizeCommand.self,
    DistanceCommand.self,
    FuzzCommand.self,
  ]

  /// Runs a command line.
  ///
  /// - Parameters:
  ///   - words: The arguments behind the tool's name.
  ///   - malformed: The position of an argument that was no UTF-8, counted with the tool's name.
  /// - Returns: The exit status.
  static func run(_ words: [String], malformed: Int? = nil) -> Int32 {
    let console = Console()
    var failureStatus = ExitStatus.failure
    /// What a command ended with, whether or not anybody still reads what it says.
    var status = ExitStatus.success
    do throws(Stop) {
      if let malformed { throw Stop.misuse("argument \(malformed) is not UTF-8", hint: nil) }
      status = try run(words, console, &failureStatus)
      try console.flush()
      return status
    } catch {
      switch error {
      case .outputClosed: return status
      case .failed(let message):
        // What was found before the error is still of use.
        do throws(Stop) { try console.flush() } catch {}
        console.complain(message)
        return failureStatus
      case .misuse(let message, let hint):
        do throws(Stop) { try console.flush() } catch {}
        console.complain("zonequery: \(message)")
        if let hint { console.complain("hint: \(hint)") }
        return ExitStatus.misuse
      }
    }
  }

  private static func run(
    _ words: [String], _ console: Console, _ failureStatus: inout Int32
  ) throws(Stop) -> Int32 {
    guard let first = words.first else {
      console.complain(HelpText.overview(commands.map { $0.definition }))
      return ExitStatus.misuse
    }
    switch Spelling.short(first) {
    case "--help", "-h":
      try console.write(HelpText.overview(commands.map { $0.definition }).utf8)
      return ExitStatus.success
    case "--version", "-V":
      try console.writeLine("zonequery \(version)")
      return ExitStatus.success
    case "help":
      guard words.count > 1, !["help", "--help", "-h"].contains(Spelling.short(words[1])) else {
        try console.write(HelpText.overview(commands.map { $0.definition }).utf8)
        return ExitStatus.success
      }
      let command = try command(words[1])
      if words.count > 2 {
        throw .misuse("help: there is no use for '\(Printable.excerpt(words[2]))'", hint: "one command is asked about")
      }
      try console.write(HelpText.text(of: command.definition).utf8)
      return ExitStatus.success
    default:
      let command = try command(first)
      failureStatus = command.failureStatus
      let arguments = try ArgumentParser(command: command.definition).parse(Array(words.dropFirst()))
      if arguments.has(ArgumentParser.help) {
        try console.write(HelpText.text(of: command.definition).utf8)
        return ExitStatus.success
      }
      return try command.init(arguments).run(console)
    }
  }

  private static func command(_ name: String) throws(Stop) -> any ToolCommand.Type {
    if let command = commands.first(where: { Spelling.isSame($0.definition.name, name) }) { return command }
    let known = commands.map { $0.definition.name } + ["help"]
    throw .misuse(
      "there is no command '\(Printable.excerpt(name))'",
      hint: Spelling.nearest(to: name, among: known).map { "\($0) is one" }
        ?? "the commands are \(TextList.alternatives(known))")
  }
}
