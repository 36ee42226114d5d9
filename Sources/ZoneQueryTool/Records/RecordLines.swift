internal import ZoneQuery

/// Reads files of records: JSON lines, one record dictionary a line, or documents over several lines, responses of CloudKit
/// Web Services or arrays of record dictionaries.
struct RecordLines {
  let paths: [String]
  let schema: Schema?
  /// Whose own zones CloudKit's answers name by the owner.
  let userRecordName: String?
  let console: Console

  /// Where a record was read.
  struct Place {
    /// The position of its file in ``RecordLines/paths``.
    let file: Int
    /// The line that it stands on, or that the document begins on which holds it.
    let line: Int
    /// The way to it within the line or document, empty where it is all of it.
    let path: String

    /// File, line and way, as messages have them.
    func text(_ fileName: String) -> String { "\(fileName):\(line)" + (path.isEmpty ? "" : ": \(path)") }
  }

  /// A record and where it was read.
  struct Entry {
    let record: Record
    /// Whether the record's name was read, and not drawn.
    let isNamed: Bool
    let place: Place
    fileprivate let fileName: String
    fileprivate let source: Source

    fileprivate enum Source {
      case line(JSONLine)
      case part(JSONValue)
    }

    /// File and line, as messages have them.
    var placeText: String { place.text(fileName) }

    /// The dictionary as it came, on one line.
    func write(to console: Console) throws(Stop) {
      switch source {
      case .line(let line):
        try console.write(line.bytes)
        try console.write(CollectionOfOne(0x0A))
      case .part(let json): try console.writeLine(json.text)
      }
    }
  }

  /// A file that is being read.
  private struct Reading {
    let file: InputFile
    let index: Int
    var progress: LoadProgress
    /// What a document holds beside records.
    var left = LeftOut()
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
      var reading = Reading(file: try InputFile(path), index: index, progress: progress)
      let goesOn = try forEach(&reading, flushesFirst, body)
      progress = reading.progress
      console.hideProgress()
      if let note = reading.left.note { try console.note("note: \(reading.file.name): \(note)") }
      if !goesOn { return }
    }
  }

  private func forEach(
    _ reading: inout Reading, _ flushesFirst: Bool, _ body: (Entry) throws(Stop) -> Bool
  ) throws(Stop) -> Bool {
    let file = reading.file
    let start = RecordedStart()
    var lines = JSONLines<Stop> { () throws(Stop) -> [UInt8]? in
      if flushesFirst { try console.flush() }
      let chunk = try file.chunk()
      start.add(chunk)
      return chunk
    }
    while let line = try next(&lines, file) {
      // A document begins with a line that is not all of it.
      if let begun = start.end(), Self.goesOn(behind: line) {
        return try forEachDocument(begun, &reading, body)
      }
      let json = try read(line, file)
      if Self.isDocument(json) {
        if try !forEach(in: json, line: line.number, &reading, body) { return false }
        continue
      }
      let place = Place(file: reading.index, line: line.number, path: "")
      let record = try record(json, at: place.text(file.name))
      reading.progress.count(line.bytes.count)
      let entry = Entry(
        record: record, isNamed: Self.isNamed(json), place: place, fileName: file.name, source: .line(line))
      if try !body(entry) { return false }
    }
    return true
  }

  private static func isNamed(_ json: JSONValue) -> Bool { json["recordName"]?.string != nil }

  /// Whether JSON holds record dictionaries, and is none.
  private static func isDocument(_ json: JSONValue) -> Bool {
    json.array != nil || WebServicesDocument.isResponse(json)
  }

  /// Whether a line ends where its JSON value does not.
  private static func goesOn(behind line: JSONLine) -> Bool {
    do throws(JSONError) {
      _ = try line.read()
      return false
    } catch {
      return error.offset >= line.offset + line.bytes.count
    }
  }

  /// Reads a file of documents, of which the beginning has been read.
  private func forEachDocument(
    _ begun: [UInt8], _ reading: inout Reading, _ body: (Entry) throws(Stop) -> Bool
  ) throws(Stop) -> Bool {
    let bytes = begun + (try reading.file.contents(limit: max(0, InputFile.textLimit - begun.count)))
    let documents: [(value: JSONValue, line: Int)]
    do throws(JSONError) {
      documents = try JSONReader.readAll(bytes)
    } catch {
      throw .failed(
        "\(reading.file.name):\(error.line):\(error.column): \(error.message)\(Self.formHint)")
    }
    for (json, line) in documents {
      if Self.isDocument(json) {
        if try !forEach(in: json, line: line, &reading, body) { return false }
        continue
      }
      let place = Place(file: reading.index, line: line, path: "")
      let record = try record(json, at: place.text(reading.file.name))
      let entry = Entry(
        record: record, isNamed: Self.isNamed(json), place: place, fileName: reading.file.name, source: .part(json))
      if try !body(entry) { return false }
    }
    return true
  }

  /// Reads the records of a response.
  private func forEach(
    in json: JSONValue, line: Int, _ reading: inout Reading, _ body: (Entry) throws(Stop) -> Bool
  ) throws(Stop) -> Bool {
    func place(_ path: String) -> Place { Place(file: reading.index, line: line, path: path) }
    let document: WebServicesDocument
    do throws(ZoneQueryError) {
      document = try WebServicesDocument(json, userRecordName: userRecordName)
    } catch {
      throw .failed(EngineMessage.text(error, at: place("").text(reading.file.name)))
    }
    reading.left.errors += document.errors
    if document.continuationMarker != nil { reading.left.hasMarker = true }
    for zone in document.zones where zone.moreComing { reading.left.unfinished.append(zone.zoneID) }
    for part in document.parts {
      let place = place(part.path)
      try Self.checkKeys(of: part.json, at: place.text(reading.file.name))
      let item: WebServicesDocument.Item
      do throws(ZoneQueryError) {
        item = try part.item(schema)
      } catch {
        let place = place.text(reading.file.name)
        throw .failed(EngineMessage.text(error, at: place, dropping: "\(part.path): "))
      }
      switch item {
      case .record(let record):
        reading.progress.count(0)
        let entry = Entry(
          record: record, isNamed: Self.isNamed(part.json), place: place, fileName: reading.file.name,
          source: .part(part.json))
        if try !body(entry) { return false }
      case .deleted: reading.left.deletions += 1
      case .error(let error): reading.left.errors.append(error)
      }
    }
    return true
  }

  private func next(_ lines: inout JSONLines<Stop>, _ file: InputFile) throws(Stop) -> JSONLine? {
    do {
      return try lines.next()
    } catch {
      switch error {
      case .source(let stop): throw stop
      case .lineTooLong(let fault):
        throw .failed("\(file.name):\(fault.line): \(fault.message)\(Self.formHint)")
      }
    }
  }

  private func read(_ line: JSONLine, _ file: InputFile) throws(Stop) -> JSONValue {
    do throws(JSONError) {
      return try line.read()
    } catch {
      throw .failed("\(file.name):\(error.line):\(error.column): \(error.message)\(Self.hint(line))")
    }
  }

  private func record(_ json: JSONValue, at place: String) throws(Stop) -> Record {
    try Self.checkKeys(of: json, at: place)
    do throws(ZoneQueryError) {
      return try Record(
        webServices: json, schema: schema, numbersAsStrings: true, userRecordName: userRecordName)
    } catch {
      throw .failed(EngineMessage.text(error, at: place))
    }
  }

  /// Finds slips in the keys of a record's dictionary, and fields that stand beside them.
  private static func checkKeys(of json: JSONValue, at place: String) throws(Stop) {
    guard let object = json.object, object["serverErrorCode"] == nil else { return }
    if let (key, meant) = Spelling.slip(in: object, of: ["recordName", "recordType", "fields"]) {
      throw .failed("\(place): a record has no key \"\(Printable.excerpt(key))\"\nhint: \(meant) is one")
    }
    if object["fields"] == nil, let key = object.members.first(where: isLost)?.key {
      throw .failed(
        "\(place): a record dictionary has no key \"\(Printable.excerpt(key))\"\n"
          + #"hint: fields stand under "fields": {"fields": {"\#(Printable.excerpt(key))": {"value": …}}}"#)
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

  /// What is to be said where a line begins an array, or ends in the middle of a value.
  private static func hint(_ line: JSONLine) -> String {
    if line.bytes.starts(with: [0x1F, 0x8B]) { return "\nhint: the file is compressed by gzip: unpack it first" }
    let begins = line.bytes.first { $0 != 0x20 && $0 != 0x09 }
    return begins == UInt8(ascii: "[") || goesOn(behind: line) ? formHint : ""
  }

  private static let formHint =
    "\nhint: a file of records has one record dictionary a line, or is responses of CloudKit Web Services"
}

/// The bytes that a file's first line was read from: all that has been read, while it is not known what the file is.
private final class RecordedStart {
  private var bytes: [UInt8]? = []

  func add(_ chunk: [UInt8]?) { if let chunk { bytes?.append(contentsOf: chunk) } }

  /// What was recorded, once; nothing is from now on.
  func end() -> [UInt8]? {
    defer { bytes = nil }
    return bytes
  }
}

/// What responses hold beside records.
private struct LeftOut {
  var errors: [WebServicesError] = []
  var deletions = 0
  var hasMarker = false
  var unfinished: [ZoneID] = []

  /// What is to be said of it, if anything.
  var note: String? {
    var parts: [String] = []
    if let first = errors.first {
      let shown = Printable.excerpt(first.description)
      parts.append(
        errors.count == 1
          ? "an error in place of records: \(shown)"
          : "\(errors.count) errors in place of records, the first: \(shown)")
    }
    if deletions > 0 { parts.append("\(deletions) deleted record\(deletions == 1 ? "" : "s")") }
    if hasMarker { parts.append("more records are behind its continuationMarker") }
    if let zone = unfinished.first {
      parts.append("more records of '\(Printable.excerpt(zone.description))' are behind its syncToken")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
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
