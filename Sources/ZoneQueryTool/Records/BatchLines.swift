internal import ZoneQuery

/// Runs a batch: a line of JSON in, a line of JSON out, for programs that drive the tool.
///
/// What is written is sent before the tool waits for more, so that a program may wait for each answer in turn.
struct BatchLines {
  /// Answers lines with what `answer` makes of their objects, or with what `failure` makes of a line that is none.
  static func run(
    _ paths: [String], _ console: Console, answer: (JSONObject) -> JSONObject,
    failure: (JSONValue, JSONError) -> JSONObject
  ) throws(Stop) {
    for path in paths {
      let file = try InputFile(path)
      var lines = JSONLines<Stop> { () throws(Stop) -> [UInt8]? in
        try console.flush()
        return try file.chunk()
      }
      while let result = try next(&lines, failure: failure, answer: answer) {
        try console.writeLine(JSONValue.object(result).text)
      }
    }
  }

  private static func next(
    _ lines: inout JSONLines<Stop>, failure: (JSONValue, JSONError) -> JSONObject,
    answer: (JSONObject) -> JSONObject
  ) throws(Stop) -> JSONObject? {
    let line: JSONLine
    do {
      guard let next = try lines.next() else { return nil }
      line = next
    } catch {
      switch error {
      case .source(let stop): throw stop
      case .lineTooLong(let fault): return failure(.null, fault)
      }
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try line.read()
    } catch {
      return failure(salvagedID(line.bytes), error)
    }
    guard let object = value.object else {
      let message = "a line of a batch is an object; this is \(value.kind)"
      return failure(.null, JSONError(message: message, offset: line.offset, line: line.number, column: 1))
    }
    return answer(object)
  }

  /// The `id` of a line that is no JSON as a whole, where it comes first and is whole itself.
  static func salvagedID(_ bytes: ArraySlice<UInt8>) -> JSONValue {
    func skipSpace(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> { rest.drop { $0 == 0x20 || $0 == 0x09 } }
    var rest = skipSpace(bytes)
    for piece in ["{", "\"id\"", ":"] {
      guard rest.starts(with: piece.utf8) else { return .null }
      rest = skipSpace(rest.dropFirst(piece.utf8.count))
    }
    guard let first = rest.first else { return .null }
    if first != UInt8(ascii: "\"") {
      let scalar = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }
      // A number at the very end may have been longer.
      guard scalar.endIndex < rest.endIndex, let value = try? JSONReader.read(scalar) else { return .null }
      return value
    }
    var index = rest.startIndex + 1
    while index < rest.endIndex, rest[index] != UInt8(ascii: "\"") {
      index += rest[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < rest.endIndex, let value = try? JSONReader.read(rest[rest.startIndex...index]) else { return .null }
    return value
  }
}

/// One request of a batch: the members that both kinds of batch have.
struct BatchRequest {
  let format: String
  private let arguments: FormatArguments

  /// Why an object is no request.
  struct Fault: Error {
    let message: String
    var hint: String?
  }

  /// Reads a request; of its keys those that are not among `keys` are somebody else's, but for slips of one that it lacks.
  init(_ object: JSONObject, keys: [String]) throws(Fault) {
    if let (key, meant) = Spelling.slip(in: object, of: keys) {
      throw Fault(message: "the key \"\(Printable.excerpt(key))\" is not known", hint: "\(meant) is one")
    }
    guard let format = object["format"] else { throw Fault(message: "the key \"format\" is missing") }
    guard let text = format.string else { throw Fault(message: "format: expected a string, found \(format.kind)") }
    self.format = text
    guard let given = object["arguments"], !given.isNull else {
      arguments = FormatArguments()
      return
    }
    do throws(ZoneQueryError) {
      arguments = try FormatArguments(webServices: given)
    } catch {
      throw Fault(message: error.message, hint: error.hint)
    }
  }

  /// The predicate, with its arguments.
  func predicate() throws(ZoneQueryError) -> Result<QueryPredicate, Fault> {
    let parsed: QueryPredicate
    do throws(SyntaxError) {
      parsed = QueryPredicate(try PredicateParser().parse(format, values: arguments.values))
    } catch {
      throw ZoneQueryError(error)
    }
    do throws(FormatArguments.Fault) {
      return .success(try arguments.bind(parsed, readFrom: format))
    } catch {
      return .failure(Fault(message: "arguments: \(error.message)"))
    }
  }
}

/// Writes diagnostics as JSON.
enum DiagnosticJSON {
  /// The diagnostic of a text that begins in the given line of its file.
  static func value(_ diagnostic: Diagnostic, _ source: SourceText?, firstLine: Int = 1) -> JSONValue {
    var object = JSONObject()
    object.append("stage", .string(diagnostic.stage.rawValue))
    object.append("message", .string(diagnostic.message))
    for (key, value) in [
      ("line", source.flatMap(diagnostic.line).map { $0 + firstLine - 1 }),
      ("column", source.flatMap(diagnostic.column)),
      ("length", source.flatMap(diagnostic.length)),
    ] {
      object.append(key, value.map { .integer(Int64($0)) } ?? .null)
    }
    if let hint = diagnostic.hint { object.append("hint", .string(hint)) }
    object.append("code", .string(diagnostic.code))
    return .object(object)
  }

  /// What is wrong with a line of a batch itself.
  static func input(_ message: String, line: Int? = nil, column: Int? = nil, hint: String? = nil) -> JSONValue {
    var object = JSONObject()
    object.append("stage", "input")
    object.append("message", .string(message))
    object.append("line", line.map { .integer(Int64($0)) } ?? .null)
    object.append("column", column.map { .integer(Int64($0)) } ?? .null)
    object.append("length", .null)
    if let hint { object.append("hint", .string(hint)) }
    return .object(object)
  }
}
