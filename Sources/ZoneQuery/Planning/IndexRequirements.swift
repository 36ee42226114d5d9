/// What a query needs of a schema's indexes, as CloudKit demands it of production.
///
/// ```swift
/// let query = Query(recordType: "Event", predicate: try QueryPredicate(format: "city = 'Seoul'"),
///                   sort: [.ascending("start")])
/// for missing in IndexRequirements(of: query, in: type).missing {
///   print(missing.message, "—", missing.item ?? "")
///   // Field 'city' is not marked queryable — city STRING QUERYABLE
///   // Field 'start' is not marked sortable — start TIMESTAMP SORTABLE
/// }
/// ```
///
/// A pure function of the query's tree, its sort and the record type: nothing is bound, so that what binding would
/// refuse (a name that is no field, a type that cannot be compared) is passed over here. `parent` and `share` need no
/// index, as no schema can name them.
public struct IndexRequirements: Sendable, Hashable {
  /// The indexes that are missing, those of the filter before those of the sort; none where the schema serves the query.
  public let missing: [MissingIndex]
  /// Whether the type has no index at all, which CloudKit says instead of naming fields.
  public let typeHasNoIndex: Bool
  private let recordType: String
  private let source: SourceText?

  /// Finds the indexes that a query needs and a record type lacks, which is to be the one that the query names: the name is
  /// not looked at. Complexity: linear in the query and the type.
  public init(of query: Query, in recordType: RecordType) {
    self.recordType = recordType.name
    source = query.predicate.source
    typeHasNoIndex =
      recordType.fields.allSatisfy { $0.indexes.isEmpty } && recordType.systemFields.allSatisfy { $0.indexes.isEmpty }
    let uses = IndexUses(of: query, hasFieldNamedAllTokens: recordType.field("allTokens") != nil)
    var fields = IndexedFields(recordType)
    for use in uses.uses { fields.note(use) }
    missing = fields.missing(uses.tokenSearch)
  }

  /// CloudKit's errors, each with the line that a schema lacks.
  var diagnostics: [Diagnostic] {
    if missing.isEmpty { return [] }
    if typeHasNoIndex {
      let items = missing.compactMap(\.item)
      return [
        Diagnostic(
          stage: .binder, code: "missingIndex", message: "Type is not marked indexable: \(recordType)", range: nil,
          hint: hint(items))
      ]
    }
    return missing.map { index in
      Diagnostic(
        stage: .binder, code: "missingIndex", message: index.message, range: index.range,
        hint: "\(MissingIndex.sentence(index.reason)) \(hint(index.item.map { [$0] } ?? []) ?? "")")
    }
  }

  private func hint(_ items: [String]) -> String? {
    var lines: [String] = []
    for item in items where !lines.contains(where: { sameBytes($0, item) }) { lines.append(item) }
    if lines.isEmpty { return "Give record type \(recordType) a STRING field marked SEARCHABLE." }
    return "Write `\(lines.joined(separator: ", "))` in the schema of record type \(recordType)."
  }

  /// Refuses the query as CloudKit does.
  func check() throws(ZoneQueryError) {
    let diagnostics = diagnostics
    if !diagnostics.isEmpty {
      throw ZoneQueryError(.query, .missingIndex, diagnostics: diagnostics, source: source)
    }
  }
}

extension Database {
  /// Binds a query, and refuses it where the configuration demands indexes that its type lacks. What is wrong with the
  /// query itself is told first.
  func checkingIndexes<Bound>(
    of query: Query, in recordType: RecordType, _ bind: () throws(ZoneQueryError) -> Bound
  ) throws(ZoneQueryError) -> Bound {
    guard configuration.indexPolicy == .required else { return try bind() }
    let bound: Bound
    do throws(ZoneQueryError) {
      bound = try bind()
    } catch {
      // Words to look for, and no field that has any: there it is the index that is missing.
      if error.diagnostics.allSatisfy({ $0.code == Binder.noSearchableField }), !error.diagnostics.isEmpty {
        try IndexRequirements(of: query, in: recordType).check()
      }
      throw error
    }
    try IndexRequirements(of: query, in: recordType).check()
    return bound
  }
}

extension MissingIndex {
  fileprivate static func word(_ kind: IndexKinds) -> String {
    switch kind {
    case .sortable: "sortable"
    case .searchable: "searchable"
    default: "queryable"
    }
  }

  fileprivate static func sentence(_ reason: String) -> String {
    var bytes = Array(reason.utf8)
    if let first = bytes.first, first >= 0x61, first <= 0x7A { bytes[0] = first & 0xDF }
    return String(decoding: bytes, as: UTF8.self) + "."
  }
}

/// The fields a query uses, each with all the query needs of it, in the order of their first use.
private struct IndexedFields {
  struct Entry {
    var place: Place
    var name: String
    var existing: IndexKinds
    var uses: [IndexUses.Use] = []
  }

  enum Place {
    case field(FieldDefinition)
    case system(SystemField, isMentioned: Bool)
  }

  private let recordType: RecordType
  private var entries: [Entry] = []
  private var positions: [ByteKey: Int] = [:]

  init(_ recordType: RecordType) { self.recordType = recordType }

  mutating func note(_ use: IndexUses.Use) {
    let place: Place
    let name: String
    let existing: IndexKinds
    if let field = recordType.field(use.key) {
      // What these hold is never compared, index or not.
      if field.isEncrypted || !field.type.isQueryable { return }
      (place, name, existing) = (.field(field), field.name, field.indexes)
    } else if let system = SystemField(key: use.key), let schemaName = system.schemaName {
      let isMentioned = recordType.systemFields.contains { $0.field == system }
      (place, name, existing) = (.system(system, isMentioned: isMentioned), schemaName, recordType.indexes(of: system))
    } else {
      return
    }
    let key = ByteKey(name)
    if let position = positions[key] {
      entries[position].uses.append(use)
    } else {
      positions[key] = entries.count
      entries.append(Entry(place: place, name: name, existing: existing, uses: [use]))
    }
  }

  /// What is missing, given the place of the first search for words.
  mutating func missing(_ tokenSearch: SourceSpan?) -> [MissingIndex] {
    var filters: [MissingIndex] = []
    var sorts: [MissingIndex] = []
    var unsearchable: MissingIndex?
    if let tokenSearch, FieldLayout(recordType: recordType).searchable.isEmpty {
      // The first text field is as good as any other.
      if let field = recordType.fields.first(where: { $0.type.scalar == .string && !$0.isEncrypted }) {
        note(IndexUses.Use(key: field.name, purpose: .tokenSearch, range: tokenSearch.range))
      } else {
        unsearchable = MissingIndex(
          field: "allTokens", kind: .searchable, purpose: .tokenSearch,
          message: "Type '\(recordType.name)' has no field that could be marked searchable", item: nil,
          replacesItem: false, range: tokenSearch.range)
      }
    }
    for entry in entries {
      for index in missing(of: entry) {
        if index.purpose == .sort || index.purpose == .distanceSort {
          sorts.append(index)
        } else {
          filters.append(index)
        }
      }
    }
    if let unsearchable { filters.append(unsearchable) }
    return filters + sorts
  }

  private func missing(of entry: Entry) -> [MissingIndex] {
    var needed: [(kind: IndexKinds, use: IndexUses.Use)] = []
    func need(_ kind: IndexKinds, _ use: IndexUses.Use) {
      // What no index of the field's type can serve is refused, whatever its marks.
      if case .field(let field) = entry.place {
        if SchemaReader.fault(of: kind, field.type, isEncrypted: false) != nil { return }
        if use.purpose == .distance || use.purpose == .distanceSort, field.type != .location { return }
      }
      if !entry.existing.contains(kind), !needed.contains(where: { $0.kind == kind }) { needed.append((kind, use)) }
    }
    for use in entry.uses {
      switch use.purpose {
      case .filter, .distance, .everyRecord, .distanceSort: need(.queryable, use)
      case .sort: need(.sortable, use)
      case .tokenSearch: need(.searchable, use)
      case .range: break
      }
    }
    // A range is content with what the field has, or must have for another reason.
    if let range = entry.uses.first(where: { $0.purpose == .range }),
      needed.allSatisfy({ $0.kind == .searchable }), entry.existing.isDisjoint(with: [.queryable, .sortable])
    {
      need(.queryable, range)
    }
    let kinds = needed.reduce(into: entry.existing) { $0.formUnion($1.kind) }
    return needed.map { kind, use in
      MissingIndex(
        field: entry.name, kind: kind, purpose: use.purpose,
        message: "Field '\(entry.name)' is not marked \(MissingIndex.word(kind))",
        item: item(entry.place, kinds), replacesItem: isMentioned(entry.place), range: use.range)
    }
  }

  private func isMentioned(_ place: Place) -> Bool {
    if case .system(_, let isMentioned) = place { isMentioned } else { true }
  }

  private func item(_ place: Place, _ kinds: IndexKinds) -> String {
    switch place {
    case .field(let field): SchemaWriter.item(field, kinds)
    case .system(let field, _): SchemaWriter.item(field, kinds)
    }
  }
}
