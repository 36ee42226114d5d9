/// What parsing and help know of a command.
struct CommandDefinition: Sendable {
  /// How many operands a command takes.
  struct Operands: Sendable {
    /// What the help calls them: `FORMAT [FILE …]`.
    let placeholder: String
    let minimum: Int
    /// Nil where there may be any number.
    let maximum: Int?
    /// What may have been meant by more of them.
    var surplusHint: String?

    /// No operands.
    static let none = Operands(placeholder: "", minimum: 0, maximum: 0)
  }

  let name: String
  /// What it does, in one line.
  let summary: String
  let operands: Operands
  let options: [OptionDefinition]
  /// What the help says beside the options, a paragraph each.
  let discussion: [String]
  /// Command lines that work, without the tool's name.
  let examples: [String]

  init(
    _ name: String, _ summary: String, operands: Operands = .none, options: [OptionDefinition] = [],
    discussion: [String] = [], examples: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.discussion = discussion
    self.examples = examples
  }
}
