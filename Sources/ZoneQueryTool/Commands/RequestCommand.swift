internal import ZoneQuery

/// Writes a query as a request of CloudKit Web Services.
struct RequestCommand: ToolCommand {
  private typealias Asked = QueryCommand.Options

  private enum Options {
    static let zone = ToolOption<ZoneID>(
      "zone", "ZONE", "The zone to look in, ZONE or OWNER/ZONE; the default zone where not given.",
      expecting: "ZONE or OWNER/ZONE", read: QueryCommand.zone)
    static let zoneWide = ToolOption<Bool>(flag: "zone-wide", "Look in every zone.")
    static let limit = ToolOption<Int>(
      "limit", "N", "The most records of a response; the server's own number where not given.",
      expecting: "a whole number from 1 to \(Int.max)", read: Asked.limit.read)
    static let keys = ToolOption<[String]>(
      "keys", "a,b", "The fields wanted; all where not given.", expecting: "names", read: Spelling.names)
    static let marker = ToolOption(
      text: "marker", "TEXT", "The continuationMarker of the response before, behind which this one goes on.")
  }

  static let definition = CommandDefinition(
    "request", "Prints a query as a request of CloudKit Web Services.",
    operands: CommandDefinition.Operands(
      placeholder: "", minimum: 0, maximum: 0, surplusHint: "the predicate is given with --where"),
    options: [
      Asked.type.definition, SharedOptions.schema.definition, Asked.predicate.definition,
      SharedOptions.arguments.definition, Asked.sort.definition, Asked.near.definition, Options.limit.definition,
      Options.keys.definition, Options.marker.definition, Options.zone.definition, Options.zoneWide.definition,
    ],
    discussion: [
      """
      What is printed is the JSON of a records/query request's body, on one line: each condition of the predicate as a \
      filter. The predicate is one of CloudKit's dialect; now() is the moment of the run. With a schema, fields, types and \
      the sort are checked, and whole numbers beside DOUBLE fields have their type. `zonequery answer` answers what is \
      printed.
      """
    ],
    examples: [
      #"request --type Session --where 'city = "Seoul" AND start > now()' --sort start:desc --limit 20"#,
      "request --type Session --where 'level = 1' | zonequery answer records/query --records conference.jsonl",
    ])

  private let schemaPath: String?
  private let recordType: String
  private let predicate: PredicateText?
  private let sort: [SortKey]
  private let limit: Int?
  private let keys: [String]?
  private let marker: String?
  private let zone: ZoneID?
  private let isZoneWide: Bool

  init(_ arguments: ParsedArguments) throws(Stop) {
    schemaPath = arguments.value(SharedOptions.schema)
    recordType = arguments.value(Asked.type) ?? ""
    predicate = try QueryCommand.predicate(arguments, of: "request")
    sort = QueryCommand.sort(arguments)
    limit = arguments.value(Options.limit)
    keys = arguments.value(Options.keys)
    marker = arguments.value(Options.marker)
    zone = arguments.value(Options.zone)
    isZoneWide = arguments.has(Options.zoneWide)
    if isZoneWide, zone != nil { throw .misuse("request: --zone is of one zone, --zone-wide of all", hint: nil) }
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    let predicate = try predicate.map { (text) throws(Stop) in try text.parse("--where", console) }
    let schema = try schemaPath.map { (path: String) throws(Stop) in try SchemaFile.read(path) }
    if let type = schema?[recordType], let key = keys?.first(where: { type.field($0) == nil }) {
      throw .failed(
        "--keys: Did not find field: '\(Printable.excerpt(key))' in type: '\(type.name)'"
          + EngineMessage.hint("its fields are \(TextList.alternatives(type.fields.map(\.name)))"))
    }
    var json = JSONWriter()
    json.beginObject()
    json.key("query")
    do throws(ZoneQueryError) {
      try Query(recordType: recordType, predicate: predicate ?? .true, sort: sort)
        .writeWebServices(to: &json, schema, zoneID: zone ?? .default)
    } catch {
      throw .failed(EngineMessage.text(error, at: error.code == .invalidPredicate ? "--where" : "zonequery"))
    }
    if let zone { json.member("zoneID", zone) }
    json.member("zoneWide", isZoneWide ? true : nil)
    json.member("resultsLimit", limit.map(Int64.init))
    if let keys {
      json.key("desiredKeys")
      json.beginArray()
      for key in keys { json.string(key) }
      json.endArray()
    }
    json.member("continuationMarker", marker)
    json.endObject()
    try console.writeLine(json.text)
    return ExitStatus.success
  }
}
