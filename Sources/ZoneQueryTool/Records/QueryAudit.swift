internal import ZoneQuery

/// Holds queries against a schema, one by one, and remembers what became of them.
struct QueryAudit {
  private let schema: Schema
  private let options: PredicateOptions
  private var unindexed: [Query] = []
  private var counts: [QueryFinding.Status: Int] = [:]

  init(schema: Schema, options: PredicateOptions) {
    self.schema = schema
    self.options = options
  }

  /// What there is to say of a line; nil where it holds no query.
  mutating func finding(of line: [UInt8]) -> QueryFinding? {
    let query: QueryLine
    do throws(QueryLine.Fault) {
      guard let read = try QueryLine(line) else { return nil }
      query = read
    } catch {
      counts[.refused, default: 0] += 1
      return QueryFinding(status: .refused, line: line, query: nil, diagnostics: error.diagnostics, missing: [])
    }
    var diagnostics: [Diagnostic] = []
    for fault in query.query.faults(in: schema, options: options) {
      if fault.diagnostics.isEmpty {
        diagnostics.append(
          Diagnostic(
            stage: .binder, code: fault.code.description, message: fault.message, range: nil, hint: fault.hint))
      } else {
        diagnostics += QueryLine.moved(fault.diagnostics, by: query.predicateOffset)
      }
    }
    // No index helps a query for a type that cannot be asked for.
    let type = RecordType.isSystemType(query.query.recordType) ? nil : schema[query.query.recordType]
    let requirements = type.map { IndexRequirements(of: query.query, in: $0) }
    // Nor one that is refused, but for words that no field is there to be searched for.
    let isRefused = diagnostics.contains { !Spelling.isSame($0.code, "noSearchableField") }
    let missing = isRefused ? [] : requirements?.missing ?? []
    let status: QueryFinding.Status = !diagnostics.isEmpty ? .refused : missing.isEmpty ? .served : .unindexed
    counts[status, default: 0] += 1
    if !missing.isEmpty { unindexed.append(query.query) }
    return QueryFinding(
      status: status, line: line, query: query, diagnostics: diagnostics, missing: missing,
      typeHasNoIndex: !missing.isEmpty && requirements?.typeHasNoIndex == true)
  }

  /// Whether any query is refused or lacks an index.
  var hasFindings: Bool { counts[.refused] != nil || counts[.unindexed] != nil }

  /// The lines that a schema lacks.
  var improvements: [String] {
    var improvement = SchemaImprovement(schema)
    improvement.serve(unindexed)
    return improvement.lines
  }

  /// How many queries there were of each kind.
  var summary: String {
    let total = counts.values.reduce(0, +)
    let parts = QueryFinding.Status.allCases.compactMap { status in
      counts[status].map { "\($0) \(status.rawValue)" }
    }
    return "\(total) \(total == 1 ? "query" : "queries")" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }
}

/// What a schema says of one query.
struct QueryFinding {
  enum Status: String, CaseIterable {
    case served
    case unindexed
    case refused
  }

  let status: Status
  let line: [UInt8]
  let query: QueryLine?
  /// What is refused, with places in the line.
  let diagnostics: [Diagnostic]
  let missing: [MissingIndex]
  var typeHasNoIndex = false

  private var source: SourceText { SourceText(String(decoding: line, as: UTF8.self)) }

  /// What is wrong, for people.
  func paragraphs(at place: String) -> [String] {
    let formatter = DiagnosticFormatter(source)
    return (diagnostics + missingDiagnostics).map { diagnostic in
      let text = formatter.format(diagnostic)
      // The text is one line of its file, whose number stands in the place already.
      return diagnostic.range == nil
        ? "\(place): \(text)" : place + String(decoding: text.utf8.drop { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }
  }

  /// CloudKit's error for each missing index, with the line that would add it.
  private var missingDiagnostics: [Diagnostic] {
    var diagnostics = missing.map { index in
      Diagnostic(
        stage: .binder, code: "missingIndex", message: "\(index.message): \(index.reason)", range: index.range,
        hint: index.item.map { "the schema needs: \($0)" })
    }
    if typeHasNoIndex, let name = query?.query.recordType, !missing.isEmpty {
      let message = "Type is not marked indexable: \(name)"
      diagnostics.insert(Diagnostic(stage: .binder, code: "missingIndex", message: message, range: nil), at: 0)
    }
    return QueryLine.moved(diagnostics, by: query?.predicateOffset ?? 0)
  }

  /// What is wrong, for programs.
  func json(file: String, line number: Int) -> JSONObject {
    var object = JSONObject()
    object.append("file", .string(file))
    object.append("line", .integer(Int64(number)))
    object.append("recordType", query.map { .string($0.query.recordType) } ?? .null)
    object.append("predicate", query.map { .string($0.query.predicate.description) } ?? .null)
    object.append("status", .string(status.rawValue))
    let source = source
    object.append("diagnostics", .array(diagnostics.map { DiagnosticJSON.value($0, source, firstLine: number) }))
    object.append("missing", .array(missing.map { .object(Self.json($0)) }))
    return object
  }

  private static func json(_ index: MissingIndex) -> JSONObject {
    var object = JSONObject()
    object.append("field", .string(index.field))
    object.append(
      "index",
      .string(index.kind == .sortable ? "SORTABLE" : index.kind == .searchable ? "SEARCHABLE" : "QUERYABLE"))
    object.append("purpose", .string(index.purpose.rawValue))
    object.append("message", .string(index.message))
    object.append("item", index.item.map(JSONValue.string) ?? .null)
    return object
  }
}
