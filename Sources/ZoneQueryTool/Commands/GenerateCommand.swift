internal import ZoneQuery

/// Makes records for trying things at size.
struct GenerateCommand: ToolCommand {
  private enum Options {
    static let type = ToolOption(
      text: "type", "NAME", "The record type: Event, or a type of the schema.", isRequired: true)
    static let count = ToolOption<Int>(
      "count", "N", "How many records.", expecting: "a whole number from 0 to 100000000",
      read: { ArgumentNumbers.natural($0).flatMap { $0 <= 100_000_000 ? $0 : nil } })
    static let seed = ToolOption<UInt64>(
      "seed", "S", "What the records are drawn from; 1 where not given.",
      expecting: "a whole number from 0 to \(UInt64.max)",
      read: { text in text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? UInt64(text) : nil })
  }

  static let definition = CommandDefinition(
    "generate", "Writes records of a type, the same ones for the same seed.",
    options: [
      Options.type.definition, Options.count.definition, Options.seed.definition, SharedOptions.schema.definition,
    ],
    discussion: [
      """
      Records are written one dictionary a line, as query and match read them; 100 where --count does not say. The \
      type Event needs no schema: a name, city, start, attendees, price, rating, tags, location, title, body and owner.
      """
    ],
    examples: [
      "generate --type Event --count 10000 --seed 7 > events.jsonl",
      "generate --schema conference.ckdb --type Venue --count 50",
    ])

  private let typeName: String
  private let count: Int
  private let seed: UInt64
  private let schemaPath: String?

  init(_ arguments: ParsedArguments) throws(Stop) {
    typeName = arguments.value(Options.type) ?? EventGenerator.typeName
    count = arguments.value(Options.count) ?? 100
    seed = arguments.value(Options.seed) ?? 1
    schemaPath = arguments.value(SharedOptions.schema)
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    var generator = try generator()
    for _ in 0..<count {
      try console.write(try line(of: generator.next()))
    }
    return ExitStatus.success
  }

  private func line(of record: Record) throws(Stop) -> [UInt8] {
    do throws(ZoneQueryError) {
      var writer = JSONWriter()
      try record.write(webServicesTo: &writer)
      writer.endLine()
      return writer.bytes
    } catch {
      throw .failed(EngineMessage.text(error, at: "zonequery"))
    }
  }

  private func generator() throws(Stop) -> any RecordGenerator {
    guard let schemaPath else {
      guard Spelling.isSame(typeName, EventGenerator.typeName) else {
        throw .misuse(
          "generate: the type '\(Printable.excerpt(typeName))' needs a --schema",
          hint: "\(EventGenerator.typeName) is built in")
      }
      return EventGenerator(count: count, seed: seed)
    }
    let schema = try SchemaFile.read(schemaPath)
    guard let recordType = schema[typeName] else {
      throw .failed(
        "\(Printable.text(schemaPath)): the schema has no record type '\(Printable.excerpt(typeName))'\n"
          + "hint: \(Self.hint(schema.recordTypes.map(\.name), typeName))")
    }
    return SchemaRecordGenerator(recordType, count: count, seed: seed)
  }

  private static func hint(_ types: [String], _ name: String) -> String {
    Spelling.nearest(to: name, among: types).map { "\($0) is one" }
      ?? "its types are \(types.prefix(12).joined(separator: ", "))"
  }
}
