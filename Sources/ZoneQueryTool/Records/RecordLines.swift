internal import ZoneQuery

/// Reads files of JSON lines, one record dictionary a line.
struct RecordLines {
  let paths: [String]
  let schema: Schema?
  let console: Console

  /// A record and where it was read.
  struct Entry {
    let record: Record
    let line: JSONLine
    /// The position of its file in ``RecordLines/paths``.
    let file: Int
    fileprivate let fileName: String

    /// File and line, as messages have them.
    var place: String { "\(fileName):\(line.number)" }
  }

  /// Calls `body` with each record in turn, until it returns false.
  ///
  /// - Parameters:
  ///   - flushesFirst: Whether what is written so far is sent before waiting for more input, as a program at the
  ///     other end of a pipe may need it.
  ///   - body: Gets each record.
  /// - Throws: What `body` throws, and the first fault of a file with its name and line.
  func forEach(flushesFirst: Bool = false, _ body: (Entry) throws(Stop) -> Bool) throws(Stop) {
    var progress = LoadProgress(console)
    for (index, path) in paths.enumerated() {
      let file = try InputFile(path)
      var lines = JSONLines<Stop> { () throws(Stop) -> [UInt8]? in
        if flushesFirst { try console.flush() }
        return try file.chunk()
      }
      while let line = try next(&lines, file) {
        let record = try read(line, file)
        progress.count(line.bytes.count)
        if try !body(Entry(record: record, line: line, file: index, fileName: file.name)) {
          console.hideProgress()
          return
        }
      }
    }
    console.hideProgress()
  }

  private func next(_ lines: inout JSONLines<Stop>, _ file: InputFile) throws(Stop) -> JSONLine? {
    do {
      return try lines.next()
    } catch {
      switch error {
      case .source(let stop): throw stop
      case .lineTooLong(let fault): throw .failed("\(file.name):\(fault.line): \(fault.message)")
      }
    }
  }

  private func read(_ line: JSONLine, _ file: InputFile) throws(Stop) -> Record {
    let json: JSONValue
    do throws(JSONError) {
      json = try line.read()
    } catch {
      throw .failed("\(file.name):\(error.line):\(error.column): \(error.message)\(Self.hint(line))")
    }
    if let object = json.object,
      let (key, meant) = Spelling.slip(in: object, of: ["recordName", "recordType", "fields"])
    {
      throw .failed(
        "\(file.name):\(line.number): a record has no key \"\(Printable.excerpt(key))\"\nhint: \(meant) is one")
    }
    if let object = json.object, object["fields"] == nil, let key = object.members.first(where: Self.isLost)?.key {
      throw .failed(
        "\(file.name):\(line.number): a record dictionary has no key \"\(Printable.excerpt(key))\"\n"
          + #"hint: fields stand under "fields": {"fields": {"\#(Printable.excerpt(key))": {"value": …}}}"#)
    }
    do throws(ZoneQueryError) {
      return try Record(webServices: json, schema: schema)
    } catch {
      throw .failed(EngineMessage.text(error, at: "\(file.name):\(line.number)") + Self.hint(line))
    }
  }

  /// What CloudKit Web Services' record dictionaries hold beside fields.
  private static let dictionaryKeys = [
    "recordName", "recordType", "recordChangeTag", "fields", "pluginFields", "zoneID", "created", "modified", "deleted",
    "parent", "share", "stableUrl", "shortGUID", "shortTokenHash", "rootRecord", "publicPermission", "participants",
    "owner", "currentUserParticipant", "displayedHostname", "anonymousInvitedParticipants", "desiredKeys",
  ]

  /// Whether a member is none of a record dictionary's, and what it holds would be lost.
  private static func isLost(_ member: JSONObject.Member) -> Bool {
    !dictionaryKeys.contains { Spelling.isSame($0, member.key) }
  }

  /// The name of a file, as messages have it.
  static func name(of path: String) -> String { Spelling.isSame(path, "-") ? "standard input" : Printable.text(path) }

  private static func hint(_ line: JSONLine) -> String {
    let begins = line.bytes.first { $0 != 0x20 && $0 != 0x09 }
    let isLone = line.bytes.allSatisfy { $0 == 0x7B || $0 == 0x20 || $0 == 0x09 }
    return begins == UInt8(ascii: "[") || isLone ? "\nhint: a file of records has one record dictionary a line" : ""
  }
}

/// Shows how many records a long load has read.
private struct LoadProgress {
  private let console: Console
  private var records = 0
  private var bytes = 0
  private var shownAt = 0

  private static let step = 4 << 20

  init(_ console: Console) { self.console = console }

  mutating func count(_ length: Int) {
    records += 1
    bytes += length
    guard bytes - shownAt >= Self.step else { return }
    shownAt = bytes
    console.show(progress: "reading: \(records) records, \(bytes >> 20) MB")
  }
}
