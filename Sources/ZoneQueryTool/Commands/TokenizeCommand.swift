internal import ZoneQuery

/// Shows what token search makes of a text.
struct TokenizeCommand: ToolCommand {
  static let definition = CommandDefinition(
    "tokenize", "Prints the tokens of a text, what was dropped from it, and why.",
    operands: CommandDefinition.Operands(placeholder: "TEXT …", minimum: 1, maximum: nil),
    discussion: [
      """
      Each piece of the text has a line: what became of it, the token it folds to, and the piece as it stands in the \
      text. Several TEXTs are read as one, with spaces between; - is standard input.
      """
    ],
    examples: ["tokenize 'The Café ’Ünïcode’, 3.14 €'"])

  private static let textLimit = 16 << 20

  private let texts: [String]

  init(_ arguments: ParsedArguments) throws(Stop) { texts = arguments.operands }

  private struct Row {
    var outcome: String
    var token: String
    var source: String
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    let isInput = texts.count == 1 && Spelling.isSame(texts[0], "-")
    let text = isInput ? try InputFile("-").text(limit: Self.textLimit) : texts.joined(separator: " ")
    let rows = rows(of: text)
    let outcomeWidth = rows.map(\.outcome.utf8.count).max() ?? 0
    let tokenWidth = min(32, rows.map { DisplayWidth.columns(of: $0.token) }.max() ?? 0)
    for row in rows {
      let padding = String(repeating: " ", count: outcomeWidth - row.outcome.utf8.count)
      let tokenPadding = String(repeating: " ", count: max(0, tokenWidth - DisplayWidth.columns(of: row.token)))
      try console.writeLine("\(row.outcome)\(padding)  \(row.token)\(tokenPadding)  '\(row.source)'")
    }
    if !rows.contains(where: { $0.outcome.hasPrefix("token") }) {
      try console.note("no token is left; a search for this text matches nothing")
    }
    return ExitStatus.success
  }

  private func rows(of text: String) -> [Row] {
    var rows: [Row] = []
    var seen: Set<[UInt8]> = []
    var dropped = ""
    func endDropped() {
      let isSpace = dropped.utf8.allSatisfy { $0 == 0x20 || $0 >= 0x09 && $0 <= 0x0D }
      if !isSpace {
        rows.append(Row(outcome: "dropped, no letter or digit", token: "", source: Printable.text(dropped)))
      }
      dropped = ""
    }
    for segment in Tokenizer().explain(text) {
      let source = Printable.text(segment.source)
      switch segment.outcome {
      case .noLetterOrDigit: dropped += segment.source
      case .token(let token):
        endDropped()
        let isNew = seen.insert(Array(token.utf8)).inserted
        rows.append(
          Row(outcome: isNew ? "token" : "token, again", token: Printable.text(token), source: source))
      case .stopWord(let token):
        endDropped()
        rows.append(Row(outcome: "dropped, stop word", token: Printable.text(token), source: source))
      }
    }
    endDropped()
    return rows
  }
}
