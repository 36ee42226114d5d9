/// Writes help from the commands' tables.
enum HelpText {
  private static let width = 100

  /// The help of the whole tool.
  static func overview(_ commands: [CommandDefinition]) -> String {
    let names = commands.map(\.name) + ["help COMMAND"]
    let column = (names.map(\.utf8.count).max() ?? 0) + 4
    var text = """
      zonequery \(Tool.version): asks CloudKit-style records questions in the predicate language.

      Usage: zonequery COMMAND [OPTION …]


      """
    for command in commands { text += row("  " + command.name, command.summary, column) }
    text += row("  help COMMAND", "Tells all about a command, as COMMAND --help does.", column)
    text += """

      Data goes to standard output, messages to standard error. A file named - is standard input.
      Exit status: 0 done, 1 an error in the input, 64 a wrong command line (match: 0 some record matched,
      1 none did, 2 an error).

      Examples:
        zonequery query --records conference.jsonl --type Session --where 'city = "Seoul"' --sort start
        zonequery parse 'a = 1 OR b = 2'

      """
    return text
  }

  /// The help of one command.
  static func text(of command: CommandDefinition) -> String {
    var usage = "Usage: zonequery \(command.name)"
    for option in command.options where option.isRequired {
      usage += " --\(option.name) \(option.placeholder ?? "")\(option.isRepeatable ? " …" : "")"
    }
    if command.options.contains(where: { !$0.isRequired }) { usage += " [OPTION …]" }
    if !command.operands.placeholder.isEmpty { usage += " \(command.operands.placeholder)" }
    var text = "\(command.summary)\n\n\(usage)\n"
    for paragraph in command.discussion { text += "\n" + wrapped(paragraph, indent: 0) }
    let options = command.options + [ArgumentParser.help.definition]
    let titles = options.map { option in
      let letter = option.letter.map { "-\($0), " } ?? ""
      return "  \(letter)--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
    }
    let column = min((titles.map(\.count).max() ?? 0) + 2, 32)
    text += "\nOptions:\n"
    for (option, title) in zip(options, titles) {
      text += row(title, option.summary + (option.isRepeatable ? " May be repeated." : ""), column)
    }
    if !command.examples.isEmpty {
      text += "\nExamples:\n"
      for example in command.examples { text += "  zonequery \(example)\n" }
    }
    return text
  }

  private static func row(_ title: String, _ summary: String, _ column: Int) -> String {
    let body = wrapped(summary, indent: column)
    if title.count + 2 > column { return title + "\n" + body }
    return title + body.dropFirst(title.count)
  }

  private static func wrapped(_ text: String, indent: Int) -> String {
    var lines = ""
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines += line + "\n"
        line = String(repeating: " ", count: indent)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + line + "\n"
  }
}
