internal import ZoneQuery

/// The predicate of a command line or a file: a format and its arguments.
struct PredicateText {
  let format: String
  let values: [ArgumentValue]
  /// The values of `$name` parameters.
  private var parameters: [ByteKey: ArgumentValue] = [:]

  init(_ format: String, values: [ArgumentValue]) {
    self.format = format
    self.values = values
  }

  /// Reads the text of `--arguments`.
  init(_ format: String, arguments json: String?) throws(Stop) {
    self.format = format
    guard let json else {
      values = []
      return
    }
    let given: JSONValue
    do throws(JSONError) {
      given = try JSONReader.read(json)
    } catch {
      throw .failed("--arguments:\(error.line):\(error.column): \(error.message)")
    }
    do throws(ZoneQueryError) {
      if let named = given.object {
        values = []
        parameters = try ArgumentValue.named(webServices: named)
      } else {
        values = try ArgumentValue.list(webServices: given)
      }
    } catch {
      throw .failed(EngineMessage.text(error, at: "--arguments", dropping: "The arguments: "))
    }
  }

  /// Reads the format; what may be a mistake but is no error is said on the console.
  func parse(_ label: String, _ console: Console) throws(Stop) -> QueryPredicate {
    let parsed: ParsedPredicate
    do throws(SyntaxError) {
      parsed = try PredicateParser().parse(format, values: values)
    } catch {
      throw .failed(EngineMessage.text(error.diagnostics, of: error.source, at: label))
    }
    for warning in parsed.warnings { try console.note("\(label): warning: \(warning.message)") }
    let predicate = QueryPredicate(parsed)
    for name in parameters.keys.sorted(by: { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) })
    where predicate.replacing([name: parameters[name] ?? .list([])]) == predicate && !mentions(name.text) {
      let written = name.text.utf8.first == UInt8(ascii: "$") ? "; names are given without the $" : ""
      throw .failed("--arguments: the predicate has no parameter $\(Printable.excerpt(name.text))\(written)")
    }
    return predicate.replacing(parameters)
  }

  /// Whether `$name` stands in the format, be it where no parameter can: what is wrong with that the engine says.
  private func mentions(_ name: String) -> Bool {
    let (format, sought) = (Array(format.utf8), Array("$\(name)".utf8))
    return format.indices.contains { format[$0...].starts(with: sought) }
  }
}
