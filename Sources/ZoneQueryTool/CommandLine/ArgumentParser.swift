/// Reads the words behind a command's name by the command's table.
///
/// `--name value`, `--name=value`, flags by name or letter, letters also joined (`-cv`), `--` before operands that begin
/// with a hyphen. A hyphen alone, and a number with a minus sign, are operands. Who asks for help gets it, whatever is
/// wrong behind that.
struct ArgumentParser {
  let command: CommandDefinition

  /// Options that every command has.
  static let help = ToolOption<Bool>(flag: "help", letter: "h", "Print this help.")

  func parse(_ words: [String]) throws(Stop) -> ParsedArguments {
    var result = ParsedArguments()
    do throws(Stop) {
      try read(words, into: &result)
    } catch {
      if !result.has(Self.help) { throw error }
    }
    if result.has(Self.help) { return result }
    try check(result.operands)
    for option in command.options where option.isRequired && !result.names(option.name) {
      throw misuse("--\(option.name) \(option.placeholder ?? "") is needed")
    }
    return result
  }

  private func read(_ words: [String], into result: inout ParsedArguments) throws(Stop) {
    var rest = words[...]
    var isOptionsEnd = false
    while let word = rest.popFirst() {
      let bytes = Array(word.utf8.prefix(2))
      let isOption = bytes.first == UInt8(ascii: "-") && bytes.count == 2 && !Self.isNumeral(bytes[1])
      guard isOption, !isOptionsEnd else {
        result.operands.append(word)
        continue
      }
      if Spelling.isSame(word, "--") {
        isOptionsEnd = true
        continue
      }
      if let flags = joinedFlags(word) {
        for flag in flags { result.add(flag.name, "") }
      } else {
        try read(word, &rest, into: &result)
      }
    }
  }

  private var table: [OptionDefinition] { command.options + [Self.help.definition] }

  /// The flags that a word such as `-cv` joins, nil where it is no such word.
  private func joinedFlags(_ word: String) -> [OptionDefinition]? {
    let letters = word.unicodeScalars.dropFirst()
    let flags = letters.compactMap { letter in
      table.first { $0.letter.map { Spelling.isSame($0, "\(letter)") } == true }
    }
    return letters.count > 1 && flags.count == letters.count ? flags : nil
  }

  private static func isNumeral(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 || byte == 0x2E }

  private func read(
    _ word: String, _ rest: inout ArraySlice<String>, into result: inout ParsedArguments
  ) throws(Stop) {
    let parts = word.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let spelled = String(decoding: parts[0], as: UTF8.self)
    let attached = parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : nil
    let table = table
    guard
      let option = table.first(where: { option in
        Spelling.isSame(spelled, "--\(option.name)") || option.letter.map { Spelling.isSame(spelled, "-\($0)") } == true
      })
    else {
      let known = table.map { "--\($0.name)" }
      throw misuse(
        "there is no option \(Printable.excerpt(spelled))",
        hint: Spelling.nearest(to: spelled, among: known).map { "\($0) is one" })
    }
    let name = "--\(option.name)"
    guard let placeholder = option.placeholder else {
      if attached != nil { throw misuse("\(name) takes no value") }
      result.add(option.name, "")
      return
    }
    guard let value = attached ?? rest.popFirst() else { throw misuse("\(name) needs a value, \(placeholder)") }
    // A forgotten value would swallow the next option.
    if attached == nil, command.options.contains(where: { Spelling.isSame(value, "--\($0.name)") }) {
      throw misuse("\(name) needs a value, \(placeholder)", hint: "a value that looks so is written \(name)=\(value)")
    }
    if !option.isRepeatable, result.names(option.name) { throw misuse("\(name) is given twice") }
    guard option.accepts(value) else {
      throw misuse("\(name): expected \(option.expectation), found '\(Printable.excerpt(value))'")
    }
    result.add(option.name, value)
  }

  private func check(_ operands: [String]) throws(Stop) {
    let rule = command.operands
    if operands.count < rule.minimum { throw misuse("\(rule.placeholder) is needed") }
    if let maximum = rule.maximum, operands.count > maximum {
      throw misuse("there is no use for '\(Printable.excerpt(operands[maximum]))'", hint: rule.surplusHint)
    }
  }

  private func misuse(_ message: String, hint: String? = nil) -> Stop {
    .misuse("\(command.name): \(message)", hint: hint)
  }
}

/// The options and operands of a command line, each value known to be acceptable.
struct ParsedArguments: Sendable {
  fileprivate(set) var operands: [String] = []
  /// Name and value of each option given, in order.
  private(set) var options: [(name: String, value: String)] = []

  fileprivate mutating func add(_ name: String, _ value: String) { options.append((name, value)) }

  fileprivate func names(_ name: String) -> Bool { options.contains { $0.name == name } }

  /// Whether an option was given.
  func has<Value>(_ option: ToolOption<Value>) -> Bool { names(option.definition.name) }

  /// The values of an option, in order.
  func values<Value>(_ option: ToolOption<Value>) -> [Value] {
    options.filter { $0.name == option.definition.name }.compactMap { option.read($0.value) }
  }

  /// The value of an option that is given once at most.
  func value<Value>(_ option: ToolOption<Value>) -> Value? { values(option).first }
}
