import Testing
import ZoneQuery

@testable import ZoneQueryTool

struct ArgumentParserTests {
  private static let name = ToolOption(text: "name", "TEXT", "A name.", isRepeatable: true)
  private static let limit = ToolOption<Int>(
    "limit", "N", "A limit.", expecting: "a whole number", read: ArgumentNumbers.natural)
  private static let color = ToolOption<Int>("color", oneOf: [("red", 1), ("Blue", 2)], "A colour.")
  private static let flag = ToolOption<Bool>(flag: "verbose", letter: "v", "Say more.")
  private static let count = ToolOption<Bool>(flag: "count", letter: "c", "Count.")
  private static let command = CommandDefinition(
    "try", "Tries.", operands: .init(placeholder: "A [B]", minimum: 0, maximum: 2),
    options: [name.definition, limit.definition, color.definition, flag.definition, count.definition])

  private func parse(_ words: String...) throws(Stop) -> ParsedArguments {
    try ArgumentParser(command: Self.command).parse(words)
  }

  private func misuse(_ words: String...) -> String {
    do throws(Stop) {
      _ = try ArgumentParser(command: Self.command).parse(words)
      return "taken"
    } catch {
      guard case .misuse(let message, let hint) = error else { return "other" }
      return message + (hint.map { " | " + $0 } ?? "")
    }
  }

  @Test func readsNamesValuesAndOperands() throws {
    let arguments = try parse("--name", "a", "x", "--name=b=c", "--limit", "7", "-v", "--color", "blue", "y")
    #expect(arguments.values(Self.name) == ["a", "b=c"])
    #expect(arguments.value(Self.limit) == 7)
    #expect(arguments.value(Self.color) == 2)
    #expect(arguments.has(Self.flag))
    #expect(arguments.operands == ["x", "y"])
    #expect(arguments.options.map(\.name) == ["name", "name", "limit", "verbose", "color"])
  }

  @Test func hyphensThatAreOperands() throws {
    #expect(try parse("-", "-33.9,151.2").operands == ["-", "-33.9,151.2"])
    #expect(try parse("--", "--name", "-v").operands == ["--name", "-v"])
    #expect(try parse("--name", "--", "x").operands == ["x"])
    #expect(try parse("--name", "-v").values(Self.name) == ["-v"])
    #expect(try parse("--name=--limit", "--name=").values(Self.name) == ["--limit", ""])
  }

  @Test func joinedLetters() throws {
    let arguments = try parse("-vc", "x")
    #expect(arguments.has(Self.flag) && arguments.has(Self.count) && arguments.operands == ["x"])
    #expect(try parse("-ch").has(ArgumentParser.help))
    #expect(misuse("-vx") == "try: there is no option -vx")
    #expect(misuse("-v=c").hasSuffix("--verbose takes no value"))
  }

  @Test func helpWhateverIsWrongBehindIt() throws {
    #expect(try parse("--help", "--limit").has(ArgumentParser.help))
    #expect(try parse("-h", "--zzzzzz").has(ArgumentParser.help))
    #expect(misuse("--zzzzzz", "--help") == "try: there is no option --zzzzzz")
  }

  @Test func saysWhatIsWrong() {
    #expect(misuse("--nmae", "x") == "try: there is no option --nmae | --name is one")
    #expect(misuse("--zzzzzz") == "try: there is no option --zzzzzz")
    #expect(misuse("-x") == "try: there is no option -x")
    #expect(misuse("--limit") == "try: --limit needs a value, N")
    #expect(misuse("--limit", "--name").hasPrefix("try: --limit needs a value, N"))
    #expect(misuse("--limit", "ten") == "try: --limit: expected a whole number, found 'ten'")
    #expect(misuse("--limit", "99999999999999999999999").hasPrefix("try: --limit: expected"))
    #expect(misuse("--color", "green") == "try: --color: expected red or Blue, found 'green'")
    #expect(misuse("--limit", "1", "--limit", "2") == "try: --limit is given twice")
    #expect(misuse("--verbose=1") == "try: --verbose takes no value")
    #expect(misuse("a", "b", "c").hasPrefix("try: there is no use for 'c'"))
    #expect(misuse("--\u{1B}[31m") == "try: there is no option --\u{241B}[31m")
  }

  @Test func tablesAreSound() {
    for command in Tool.commands.map({ $0.definition }) {
      let names = command.options.map(\.name) + ["help"]
      #expect(Set(names).count == names.count, "\(command.name) has two options of one name")
      let letters = command.options.compactMap(\.letter) + ["h"]
      #expect(Set(letters).count == letters.count, "\(command.name) has two options of one letter")
      let help = HelpText.text(of: command)
      #expect(!help.contains("\\"), "\(command.name)")
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(command.name)")
      for option in command.options {
        #expect(option.summary.hasSuffix("."), "\(command.name) --\(option.name)")
        #expect(help.contains("--\(option.name)"), "\(command.name) --\(option.name)")
      }
      #expect(HelpText.overview([command]).contains(command.summary))
      for example in command.examples { #expect(example.hasPrefix(command.name), "\(example)") }
    }
  }

  @Test func numbersAndPlaces() {
    #expect(ArgumentNumbers.natural("0042") == 42)
    for text in ["", "-1", "+1", "1.0", "٣", "0x1"] { #expect(ArgumentNumbers.natural(text) == nil, "\(text)") }
    #expect(ArgumentNumbers.decimal("-1.5e3") == -1500)
    for text in ["nan", "inf", "0x1p3", "1e999", "", "1 2"] { #expect(ArgumentNumbers.decimal(text) == nil, "\(text)") }
    for text in ["-33.9, 151.2", " -33.9 , 151.2 "] {
      let place = ArgumentNumbers.place(text)
      #expect(place?.latitude == -33.9 && place?.longitude == 151.2)
    }
    for text in ["1", "1,2,3", "91,0", "0,180.1", "nan,0", ","] {
      #expect(ArgumentNumbers.place(text) == nil, "\(text)")
    }
  }

  @Test func nearestSpelling() {
    #expect(Spelling.nearest(to: "quer", among: ["query", "match"]) == "query")
    #expect(Spelling.nearest(to: "mtach", among: ["query", "match"]) == "match")
    #expect(Spelling.nearest(to: "tok", among: ["tokenize", "match"]) == "tokenize")
    #expect(Spelling.nearest(to: "frobnicate", among: ["query", "match"]) == nil)
    #expect(Spelling.nearest(to: String(repeating: "\u{301}", count: 100_000), among: ["query"]) == nil)
  }
}
