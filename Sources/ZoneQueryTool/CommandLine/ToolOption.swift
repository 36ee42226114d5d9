/// One row of a command's option table: all that parsing, help and tests know of an option.
struct OptionDefinition: Sendable {
  /// The name, written `--name`.
  let name: String
  /// A letter that may be written instead, `-c`; for flags alone.
  let letter: String?
  /// What the help calls the value; nil for a flag, which has none.
  let placeholder: String?
  /// Whether the option may be given more than once.
  let isRepeatable: Bool
  /// Whether the command cannot do without.
  let isRequired: Bool
  /// What the help says.
  let summary: String
  /// What a value must be, for the error about one that is not.
  let expectation: String
  /// Whether a value is one.
  let accepts: @Sendable (String) -> Bool
}

/// An option with the type of its values.
struct ToolOption<Value: Sendable>: Sendable {
  let definition: OptionDefinition
  let read: @Sendable (String) -> Value?

  init(
    _ name: String, _ placeholder: String, _ summary: String, expecting expectation: String,
    isRepeatable: Bool = false, isRequired: Bool = false, read: @escaping @Sendable (String) -> Value?
  ) {
    self.read = read
    definition = OptionDefinition(
      name: name, letter: nil, placeholder: placeholder, isRepeatable: isRepeatable, isRequired: isRequired,
      summary: summary, expectation: expectation, accepts: { read($0) != nil })
  }
}

extension ToolOption where Value == String {
  /// An option that takes any text.
  init(
    text name: String, _ placeholder: String, _ summary: String, isRepeatable: Bool = false, isRequired: Bool = false
  ) {
    self.init(
      name, placeholder, summary, expecting: "a text", isRepeatable: isRepeatable, isRequired: isRequired, read: { $0 })
  }
}

extension ToolOption where Value == Bool {
  /// An option without a value.
  init(flag name: String, letter: String? = nil, _ summary: String) {
    read = { _ in true }
    definition = OptionDefinition(
      name: name, letter: letter, placeholder: nil, isRepeatable: false, isRequired: false, summary: summary,
      expectation: "", accepts: { _ in true })
  }
}

extension ToolOption {
  /// An option whose values are names from a short list; `spellings` gives each its name.
  init(
    _ name: String, oneOf choices: [(spelling: String, value: Value)], _ summary: String
  ) {
    let names = choices.map(\.spelling)
    self.init(
      name, names.joined(separator: "|"), summary, expecting: TextList.alternatives(names),
      read: { text in
        choices.first { Spelling.isSame($0.spelling, text, ignoringCase: true) }?.value
      })
  }
}
