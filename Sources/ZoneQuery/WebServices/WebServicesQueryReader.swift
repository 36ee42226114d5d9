/// Reads the query dictionary of CloudKit Web Services: its filters become the tree that their native forms have.
struct WebServicesQueryReader {
  /// Tells the types of values that do not name theirs.
  private let schema: Schema?
  private let values: WebServicesValueReader

  /// A reader of values as `values` reads them.
  init(_ schema: Schema?, _ values: WebServicesValueReader) { (self.schema, self.values) = (schema, values) }

  func query(_ json: JSONValue) throws(WebServicesFault) -> Query {
    guard let object = json.object else { throw .expected("a query dictionary", json) }
    let name = try object.require("recordType", values.string)
    let type = schema?[name]
    let filters = try object.read("filterBy") { json throws(WebServicesFault) in
      try Self.each(json, "an array of filters") { filter throws(WebServicesFault) in try self.filter(filter, type) }
    }
    let text = try object.read("predicate", predicate)
    if text != nil, filters != nil {
      throw WebServicesFault("the query has filters and a predicate", hint: "Leave one out.")
    }
    let sort = try object.read("sortBy") { json throws(WebServicesFault) in
      try Self.each(json, "an array of sort descriptors") { key throws(WebServicesFault) in try sortKey(key, type) }
    }
    return Query(recordType: name, predicate: text ?? .all(of: filters ?? []), sort: sort ?? [])
  }

  /// A predicate as text, which CloudKit has not: what no filters say is listed so.
  private func predicate(_ json: JSONValue) throws(WebServicesFault) -> QueryPredicate {
    let format = try values.string(json)
    do throws(ZoneQueryError) {
      return try QueryPredicate(format: format)
    } catch {
      let place = error.diagnostics.first.flatMap { diagnostic in
        error.source.flatMap { source in diagnostic.column(in: source).map { (diagnostic.line(in: source) ?? 1, $0) } }
      }
      let message = Self.withoutStop(error.message)
      throw WebServicesFault(place.map { "\($0):\($1): \(message)" } ?? message, hint: error.hint)
    }
  }

  /// Reads the elements of an array of objects.
  static func each<Element>(
    _ json: JSONValue, _ what: String, _ body: (JSONObject) throws(WebServicesFault) -> Element
  ) throws(WebServicesFault) -> [Element] {
    guard let members = json.array else { throw .expected(what, json) }
    return try WebServicesFault.each(members) { member throws(WebServicesFault) in
      guard let object = member.object else { throw .expected("a dictionary", member) }
      return try body(object)
    }
  }

  // MARK: Filters

  private func filter(_ filter: JSONObject, _ type: RecordType?) throws(WebServicesFault) -> QueryPredicate {
    let comparator = try filter.require("comparator", comparator)
    let name = try comparator.isTokenSearch ? optionalName(of: filter, type) : self.name(of: filter, type)
    if comparator.isTokenSearch, let name, !sameBytes(name.key, "allTokens") {
      throw WebServicesFault(
        "\(comparator.name) searches all searchable fields, and '\(SyntaxError.excerpt(name.key))' alone cannot be searched",
        hint: "Leave \(name.place) out.")
    }
    // The binder refuses it too, in the words of the native language, which are not those of the request.
    if let name, let type = name.type, let isOfLists = comparator.isOfLists, type.isList != isOfLists {
      throw WebServicesFault(
        "\(comparator.name) \(isOfLists ? "looks into a list" : "compares one value"), and '\(name.shown)' is "
          + type.webServicesName, hint: comparator.counterpart.map { "Write \($0)." })
    }
    let distance = try filter.read("distance", distance)
    if case .near = comparator.form {
      if distance == nil { throw WebServicesFault("the key \"distance\" is missing", hint: "It is in metres.") }
    } else if distance != nil {
      throw WebServicesFault("\(comparator.name) takes no distance, as NEAR does").inside("distance")
    }
    let value = try filter.require("fieldValue") { json throws(WebServicesFault) in
      try argument(json, comparator, name)
    }
    let field = Field(name?.key ?? "allTokens")
    let predicate = comparator.predicate(field, value, distance: distance)
    guard let fault = predicate.faults.first else { return predicate }
    throw WebServicesFault(Self.withoutStop(fault.message), hint: fault.hint).inside(
      field.faults.isEmpty ? "fieldValue" : name?.place ?? "fieldName")
  }

  /// A sentence as a fault has it, which ends it itself.
  private static func withoutStop(_ sentence: String) -> String {
    sentence.utf8.last == UInt8(ascii: ".") ? String(sentence.dropLast()) : sentence
  }

  private func comparator(_ json: JSONValue) throws(WebServicesFault) -> WebServicesComparator {
    try values.word(json, "comparator", among: WebServicesComparator.all) { $0.name }
  }

  private func distance(_ json: JSONValue) throws(WebServicesFault) -> Double {
    guard let metres = json.number?.double else { throw .expected("a number of metres", json) }
    return metres
  }

  private func argument(
    _ json: JSONValue, _ comparator: WebServicesComparator, _ name: Name?
  ) throws(WebServicesFault) -> ArgumentValue {
    let type = comparator.valueType(beside: name?.type)
    var values = values
    // The records of users lie in the default zone, whichever zone is asked.
    if let name, name.place == "systemFieldName", SystemField(key: name.key)?.isUser == true {
      values.zoneID = .default
    }
    // CloudKit takes no list for IN that does not name its type, whatever the members are.
    let isTyped = json["type"].map { !$0.isNull } ?? false
    if case .isIn = comparator.form, json["value"] != nil, !isTyped {
      throw WebServicesFault(
        "the key \"type\" is missing, which a list of \(comparator.name) names",
        hint: #"Write "type": "\#((type ?? .list(.string)).webServicesName)"\#(type == nil ? ", for example" : "")."#)
    }
    if !isTyped, let numbers = try numbers(json["value"], beside: type) {
      return try takesList(comparator, numbers.type, numbers.argument)
    }
    guard let value = try values.field(json, schemaType: type) else {
      throw WebServicesFault("a filter compares with a value, and null is none").inside("value")
    }
    return try takesList(comparator, value.type, try ArgumentValue.argument(value))
  }

  /// An argument, where a value of its type is what a comparator takes.
  private func takesList(
    _ comparator: WebServicesComparator, _ type: FieldType, _ argument: ArgumentValue
  ) throws(WebServicesFault) -> ArgumentValue {
    if comparator.takesList == type.isList { return argument }
    let needed = comparator.takesList ? FieldType.list(type.scalar) : FieldType(type.scalar)
    throw WebServicesFault(
      "\(comparator.name) takes \(comparator.takesList ? "a list" : "one value"), found \(type.webServicesName)",
      hint: #"Write "type": "\#(needed.webServicesName)" and \#(comparator.takesList ? "an array" : "one value")."#)
  }

  /// Numbers that do not name their type, each as it is written: the field's type says nothing of what they are compared
  /// with, and bringing them to it would round them. Nil where there is something else, or the field is of no numbers.
  private func numbers(
    _ json: JSONValue?, beside type: FieldType?
  ) throws(WebServicesFault) -> (type: FieldType, argument: ArgumentValue)? {
    let isOfNumbers = type.map { $0.scalar == .int64 || $0.scalar == .double }
    if isOfNumbers == false { return nil }
    func literal(_ json: JSONValue) throws(WebServicesFault) -> Literal? {
      if let bool = json.bool { return .integer(bool ? 1 : 0) }
      // What is written as a string may be a text where nobody knows the field.
      guard let number = isOfNumbers == true ? values.number(json) : json.number else { return nil }
      if let whole = number.integer { return .integer(whole) }
      if !number.isWhole { return .double(number.double) }
      throw WebServicesFault(
        "the number is beyond the range of INT64", hint: "Write it with a fraction (1e19, 1.0) where a DOUBLE is meant."
      ).inside("value")
    }
    func kind(_ literals: [Literal]) -> FieldType {
      literals.allSatisfy { if case .integer = $0 { true } else { false } } ? .int64 : .double
    }
    guard let json, let members = json.array else {
      return try json.flatMap(literal).map { (kind([$0]), .literal($0)) }
    }
    var literals: [Literal] = []
    for member in members {
      guard let literal = try literal(member) else { return nil }
      literals.append(literal)
    }
    return literals.isEmpty ? nil : (.list(kind(literals).scalar), .list(literals.map { .literal($0) }))
  }

  // MARK: Fields

  /// The system fields and their names in requests.
  private static let systemFields: [(name: String, field: SystemField)] = SystemField.allCases.compactMap { field in
    field.webServicesName.map { ($0, field) }
  }

  /// The key that a filter or sort descriptor names, its type where it is known, and what it is called there, under which key.
  private typealias Name = (key: String, type: FieldType?, shown: String, place: String)

  private func name(of object: JSONObject, _ type: RecordType?) throws(WebServicesFault) -> Name {
    if let name = try optionalName(of: object, type) { return name }
    throw WebServicesFault(
      "the key \"fieldName\" is missing", hint: #"System fields are written "systemFieldName": "recordName"."#)
  }

  private func optionalName(of object: JSONObject, _ type: RecordType?) throws(WebServicesFault) -> Name? {
    let key = try object.read("fieldName", values.string)
    let system = try object.read("systemFieldName") { json throws(WebServicesFault) in
      try values.word(json, "system field", among: Self.systemFields) { $0.name }
    }
    switch (key, system) {
    case (let key?, nil):
      if let type, type.field(key) == nil,
        let system = Self.systemFields.first(where: { sameBytes($0.name, key) })
      {
        throw WebServicesFault(
          "'\(system.name)' is the name of a system field",
          hint: #"Write "systemFieldName": "\#(system.name)"."#
        ).inside("fieldName")
      }
      return (key, type?.field(key)?.type, key, "fieldName")
    case (nil, let system?): return (system.field.key, system.field.type, system.name, "systemFieldName")
    case (_?, _?):
      throw WebServicesFault("the dictionary has both \"fieldName\" and \"systemFieldName\"", hint: "Leave one out.")
    case (nil, nil): return nil
    }
  }

  // MARK: Sort descriptors

  private func sortKey(_ object: JSONObject, _ type: RecordType?) throws(WebServicesFault) -> SortKey {
    let name = try name(of: object, type)
    let isAscending = try object.read("ascending", values.boolean) ?? true
    guard let origin = try object.read("relativeLocation", origin) else {
      return isAscending ? .ascending(name.key) : .descending(name.key)
    }
    if !isAscending {
      throw WebServicesFault(
        "by their distance from a location records come the nearest first", hint: "Leave \"ascending\" out."
      ).inside("ascending")
    }
    return .distance(name.key, from: origin)
  }

  /// A location's dictionary, as a field has it or alone.
  private func origin(_ json: JSONValue) throws(WebServicesFault) -> Location {
    if json["value"] == nil { return try values.location(json) }
    guard case .location(let location)? = try values.field(json, schemaType: .location) else {
      throw .expected("a location", json["value"] ?? json)
    }
    return location
  }
}

extension SystemField {
  /// The name in filters and sort descriptors; nil for the change tag, which none asks for.
  var webServicesName: String? {
    switch self {
    case .recordID: "recordName"
    case .creationDate: "createdTimestamp"
    case .modificationDate: "modifiedTimestamp"
    case .creatorUserRecordID: "createdUserRecordName"
    case .lastModifiedUserRecordID: "modifiedUserRecordName"
    case .parent: "parent"
    case .share: "share"
    case .changeTag: nil
    }
  }
}

extension Query {
  /// Reads the query dictionary of CloudKit Web Services' `records/query`, whose filters become the predicate that their
  /// native forms have.
  ///
  /// ```swift
  /// let query = try Query(webServicesJSON: """
  ///   {"recordType": "Event",
  ///    "filterBy": [{"fieldName": "city", "comparator": "EQUALS", "fieldValue": {"value": "Seoul", "type": "STRING"}},
  ///                 {"systemFieldName": "createdTimestamp", "comparator": "GREATER_THAN",
  ///                  "fieldValue": {"value": 1788000000000, "type": "TIMESTAMP"}}],
  ///    "sortBy": [{"fieldName": "start", "ascending": false}]}
  ///   """)
  /// query.predicate   // city == "Seoul" AND creationDate > CAST(809692800.000000, "NSDate")
  /// query.sort        // [start descending]
  /// ```
  ///
  /// All filters must hold; without any, all records of the type are asked for. A value without a `type` takes the schema's,
  /// or the one it shows; the list of `IN` and `NOT_IN` names its own, as CloudKit asks. Fields are judged where the query is
  /// used. Beyond CloudKit, a `predicate` as text may stand in place of `filterBy`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - schema: Tells the types of values that do not name theirs.
  ///   - zoneID: The zone of references that name none, but for those to users, whose records lie in the default zone.
  ///   - userRecordName: The record name of the user whose own zones are named by it.
  /// - Throws: ``ZoneQueryError`` of the stage `webServices` and the code `invalidJSON`, naming line and column, or the path
  ///   to what is wrong: `filterBy[0].comparator`.
  /// - Complexity: linear in the length of the text.
  public init(
    webServicesJSON text: String, schema: Schema? = nil, zoneID: ZoneID = .default, userRecordName: String? = nil
  ) throws(ZoneQueryError) {
    let json = try JSONValue(webServices: text)
    let values = WebServicesValueReader(zoneID: zoneID, userRecordName: userRecordName)
    do throws(WebServicesFault) {
      self = try WebServicesQueryReader(schema, values).query(json)
    } catch {
      throw error.error(in: "The query")
    }
  }
}
