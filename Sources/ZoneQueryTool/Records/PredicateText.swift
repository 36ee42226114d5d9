internal import ZoneQuery

/// The predicate of a command line or a file: a format and its arguments.
struct PredicateText {
  let format: String
  let values: [ArgumentValue]

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
    let list: JSONValue
    do throws(JSONError) {
      list = try JSONReader.read(json)
    } catch {
      throw .failed("--arguments:\(error.line):\(error.column): \(error.message)")
    }
    do throws(ZoneQueryError) {
      values = try ArgumentValue.list(webServices: list)
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
    return QueryPredicate(parsed)
  }
}
