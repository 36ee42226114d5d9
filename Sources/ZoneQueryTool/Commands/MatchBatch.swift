internal import ZoneQuery

/// `match --batch`: a predicate and the fields it is asked about on each line.
struct MatchBatch {
  let options: PredicateOptions

  func run(_ paths: [String], _ console: Console) throws(Stop) {
    try BatchLines.run(
      paths, console, answer: answer,
      failure: { id, error in
        Self.refusal(id, "line \(error.line), column \(error.column): \(error.message)")
      })
  }

  private static func refusal(_ id: JSONValue, _ message: String, _ diagnostics: [JSONValue]? = nil) -> JSONObject {
    var result = JSONObject()
    result.append("id", id)
    result.append("error", .string(message))
    if let diagnostics { result.append("diagnostics", .array(diagnostics)) }
    return result
  }

  private func answer(_ object: JSONObject) -> JSONObject {
    let id = object["id"] ?? .null
    do throws(BatchRequest.Fault) {
      let request = try BatchRequest(object, keys: ["format", "arguments", "fields", "dialect"])
      let options = try options(of: object)
      let fields = try BatchFields(object["fields"])
      do throws(ZoneQueryError) {
        var result = JSONObject()
        let predicate: QueryPredicate
        switch try request.predicate() {
        case .success(let read): predicate = read
        case .failure(let fault): return Self.refusal(id, fault.message)
        }
        try predicate.check(options)
        let matcher = try Matcher(predicate, options: options)
        result.append("id", id)
        result.append("match", .bool(try matcher.matches(fields)))
        return result
      } catch {
        return Self.refusal(id, error.message, error.diagnostics.map { DiagnosticJSON.value($0, error.source) })
      }
    } catch {
      return Self.refusal(id, error.message + (error.hint.map { " (\($0))" } ?? ""))
    }
  }

  private func options(of object: JSONObject) throws(BatchRequest.Fault) -> PredicateOptions {
    guard let value = object["dialect"], !value.isNull else { return options }
    guard let name = value.string,
      let dialect = Dialect.allCases.first(where: { Spelling.isSame($0.rawValue, name, ignoringCase: true) })
    else {
      throw BatchRequest.Fault(message: "dialect: expected \"cloudKit\" or \"extended\"")
    }
    var options = options
    options.dialect = dialect
    return options
  }
}

/// The fields of one line, without a record around them: system fields are missing.
private struct BatchFields: KeyedFields {
  private let record: Record

  init(_ fields: JSONValue?) throws(BatchRequest.Fault) {
    var dictionary = JSONObject()
    dictionary.append("recordName", "record")
    dictionary.append("recordType", "Record")
    dictionary.append("fields", fields ?? .null)
    do throws(ZoneQueryError) {
      record = try Record(webServices: .object(dictionary))
    } catch {
      // The record is made up; its name would only puzzle.
      let subject = "The record 'record': "
      let message =
        error.message.utf8.starts(with: subject.utf8)
        ? String(decoding: error.message.utf8.dropFirst(subject.utf8.count), as: UTF8.self) : error.message
      throw BatchRequest.Fault(message: message, hint: error.hint)
    }
  }

  func fieldValue(forKey key: String) -> FieldValue? { record[key] }

  var searchableKeys: [String] { record.searchableKeys }
}
