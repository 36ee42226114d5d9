internal import ZoneQuery

/// The predicate of a command line or a file: a format and its arguments.
struct PredicateText {
  let format: String
  private let arguments: FormatArguments

  init(_ format: String, _ arguments: FormatArguments) { (self.format, self.arguments) = (format, arguments) }

  /// Reads the text of `--arguments`.
  init(_ format: String, arguments json: String?) throws(Stop) {
    self.format = format
    guard let json else {
      arguments = FormatArguments()
      return
    }
    let given: JSONValue
    do throws(JSONError) {
      given = try JSONReader.read(json)
    } catch {
      throw .failed("--arguments:\(error.line):\(error.column): \(error.message)")
    }
    do throws(ZoneQueryError) {
      arguments = try FormatArguments(webServices: given)
    } catch {
      throw .failed(EngineMessage.text(error, at: "--arguments", dropping: "The arguments: "))
    }
  }

  /// Reads the format; what may be a mistake but is no error is said on the console. The labels say where the format and
  /// the arguments stand.
  func parse(
    _ label: String, arguments argumentsLabel: String = "--arguments", _ console: Console
  ) throws(Stop) -> QueryPredicate {
    let parsed: ParsedPredicate
    do throws(SyntaxError) {
      parsed = try PredicateParser().parse(format, values: arguments.values)
    } catch {
      throw .failed(EngineMessage.text(error.diagnostics, of: error.source, at: label))
    }
    for warning in parsed.warnings { try console.note("\(label): warning: \(warning.message)") }
    do throws(FormatArguments.Fault) {
      return try arguments.bind(QueryPredicate(parsed), readFrom: format)
    } catch {
      throw .failed("\(argumentsLabel): \(error.message)")
    }
  }
}
