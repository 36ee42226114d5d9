internal import Synchronization
internal import ZoneQuery

/// Tells which subscriptions changes of records fire.
struct WatchCommand: ToolCommand {
  private enum Options {
    static let subscriptions = ToolOption(
      text: "subscriptions", "FILE", "A file of subscriptions, one dictionary a line; see above.", isRequired: true)
    static let records = ToolOption(
      text: "records", "FILE", "A file of the records there are before the changes, as query has it.",
      isRepeatable: true)
    static let format = ToolOption<NotificationFormat>(
      "format", oneOf: [("jsonl", .jsonl), ("payload", .payload)],
      "How notifications are printed: one object a line with the line of the change (the default), or the push payload."
    )
  }

  static let definition = CommandDefinition(
    "watch", "Prints the notifications that changes of records fire.",
    operands: CommandDefinition.Operands(placeholder: "[FILE …]", minimum: 0, maximum: nil),
    options: [
      Options.subscriptions.definition, Options.records.definition, SharedOptions.schema.definition,
      SharedOptions.user.definition, Options.format.definition, SharedOptions.dialect.definition,
      SharedOptions.missing.definition,
      SharedOptions.stringEquality.definition,
    ],
    discussion: [
      #"""
      A subscription stands on a line as CloudKit Web Services has it: {"subscriptionID", \#
      "subscriptionType", "query", "firesOn", "firesOnce", "zoneID", "notificationInfo"}. The type is query (the \#
      default), zone or database. The query is {"recordType", "filterBy"}, \#
      or with text in place of the filters {"recordType", "predicate", \#
      "arguments"}, these a list or by name. It \#
      fires on some of create, update, delete and leave (a record that matched was changed and does not any more); on \#
      create and update where it does not say. The notificationInfo may have alertBody, alertLocalizationKey and -Args, title, \#
      titleLocalizationKey and -Args, soundName, shouldBadge, shouldSendContentAvailable, category, and, in \#
      additionalFields, the names of up to three fields that notifications bring along.
      """#,
      #"""
      Changes are read from files, or from standard input, one a line: {"operationType", "record"}, the type one of \#
      create, update, forceUpdate, replace, forceReplace, delete and forceDelete; or a record alone, which is stored in \#
      place of the one of its name; or {"recordName", "deleted": true}, which is a forceDelete: that may find no record. \#
      An update keeps the fields that it does not name, and removes those of null. Change tags are not looked at. Zones come into being with their first record.
      """#,
      """
      Each line is a commit, and its notifications are written before the next is waited for. A change that cannot be \
      made is told on standard error and passed over; the exit status is then 1. Without a schema the record types are \
      learned from --records, which must have a record of each that is subscribed to, and from the changes.
      """,
    ],
    examples: [
      "watch --subscriptions subscriptions.jsonl --schema conference.ckdb < changes.jsonl",
      "watch --subscriptions subscriptions.jsonl --records conference.jsonl --format payload changes.jsonl",
    ])

  private let subscriptionPath: String
  private let recordPaths: [String]
  private let changePaths: [String]
  private let schemaPath: String?
  private let user: String?
  private let output: NotificationOutput
  private let options: PredicateOptions

  init(_ arguments: ParsedArguments) throws(Stop) {
    subscriptionPath = arguments.value(Options.subscriptions) ?? ""
    recordPaths = arguments.values(Options.records)
    changePaths = arguments.operands.isEmpty ? ["-"] : arguments.operands
    schemaPath = arguments.value(SharedOptions.schema)
    user = arguments.value(SharedOptions.user)
    output = NotificationOutput(format: arguments.value(Options.format) ?? .jsonl)
    options = SharedOptions.predicateOptions(arguments)
    try SharedOptions.checkInputs(
      [subscriptionPath] + recordPaths + changePaths + [schemaPath].compactMap(\.self), of: "watch",
      hint: arguments.operands.isEmpty ? "the changes are read from it" : nil)
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    let schema = try schemaPath.map { (path: String) throws(Stop) in try SchemaFile.read(path) }
    // A file that cannot be read is told of before the records are stored, unless their types say how it is read.
    let read = try schema.map { (schema: Schema) throws(Stop) in
      try SubscriptionFile.read(subscriptionPath, schema, user: user, console)
    }
    let base = try RecordBase(
      recordFiles: recordPaths, schema: schema, user: user, options: options, console: console)
    let subscriptions =
      if let read { read } else {
        try SubscriptionFile.read(subscriptionPath, base.database.schema, user: user, console)
      }
    for entry in subscriptions { try subscribe(entry, to: base.database) }
    let inbox = Inbox()
    let observer = base.database.onNotification(bufferingLimit: .max) { inbox.add($0.notification) }
    defer { observer.cancel() }
    var refusals = 0
    var count = 0
    for path in changePaths {
      var lines = try ObjectLines(path, flushing: console)
      while let line = try lines.next() {
        if let refusal = Self.refusal(of: line, in: base.database) {
          refusals += 1
          try console.note(refusal)
          continue
        }
        for notification in inbox.take() {
          count += 1
          let file = changePaths.count > 1 ? path : nil
          try console.writeLine(output.line(notification, ofLine: line.number, file: file))
        }
      }
    }
    if count == 0 { try console.note("no subscription fired") }
    return refusals > 0 ? ExitStatus.failure : ExitStatus.success
  }

  private func subscribe(_ entry: SubscriptionFile.Entry, to database: Database) throws(Stop) {
    do throws(ZoneQueryError) {
      if let zone = entry.subscription.zoneID, !database.zoneIDs.contains(zone) { try database.createZone(zone) }
      try database.save(entry.subscription)
    } catch {
      if error.code == .unknownRecordType, schemaPath == nil {
        throw .failed(
          "\(entry.place): \(error.message)\nhint: without --schema the types are those of the records of --records")
      }
      let isPredicate = error.stage == .binding
      throw .failed(
        EngineMessage.text(
          error, at: isPredicate ? "\(entry.place): \(entry.predicateKey)" : entry.place))
    }
  }

  /// Makes the change of a line; says why where it cannot be made.
  private static func refusal(of line: ObjectLines.Line, in database: Database) -> String? {
    do throws(ObjectFault) {
      let change = try RecordChange(line.content.get())
      do throws(ZoneQueryError) {
        try change.apply(to: database)
        return nil
      } catch {
        return EngineMessage.text(error, at: line.place)
      }
    } catch {
      return error.text(at: line.place)
    }
  }
}

/// The notifications that came since the last time somebody looked.
private final class Inbox: Sendable {
  private let waiting = Mutex<[SubscriptionNotification]>([])

  func add(_ notification: SubscriptionNotification) { waiting.withLock { $0.append(notification) } }

  func take() -> [SubscriptionNotification] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

extension Subscription {
  /// The zone that must be there.
  fileprivate var zoneID: ZoneID? {
    switch self {
    case .query(let subscription): subscription.zoneID
    case .zone(let subscription): subscription.zoneID
    case .database: nil
    }
  }
}
