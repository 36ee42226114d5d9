/// The requests of CloudKit Web Services, as read from their JSON.
enum WebServicesRequest {
  /// A `records/query` request.
  struct Query {
    let query: ZoneQuery.Query
    let zoneID: ZoneID?
    let resultsLimit: Int
    let desiredKeys: [String]?
    let continuationMarker: String?
    let numbersAsStrings: Bool

    init(_ text: String, zonesOf user: String, _ schema: Schema) throws(ZoneQueryError) {
      self = try WebServicesRequest.read(text, zonesOf: user) { object, common throws(WebServicesFault) in
        try Query(object, common, schema)
      }
    }

    private init(_ object: JSONObject, _ common: Common, _ schema: Schema) throws(WebServicesFault) {
      let values = WebServicesValueReader()
      let isZoneWide = try object.read("zoneWide", values.boolean) ?? false
      zoneID = common.zoneID ?? (isZoneWide ? nil : .default)
      (desiredKeys, numbersAsStrings) = (common.desiredKeys, common.numbersAsStrings)
      continuationMarker = try object.read("continuationMarker", values.string)
      resultsLimit = try object.read("resultsLimit", WebServicesRequest.limit) ?? 100
      let reader = WebServicesQueryReader(
        schema, common.values(zoneID ?? .default, numbersAsStrings: numbersAsStrings))
      query = try object.require("query", reader.query)
    }
  }

  /// A `records/lookup` request.
  struct Lookup {
    let records: [(id: RecordID, desiredKeys: [String]?)]
    let numbersAsStrings: Bool

    /// Reads a request of so many records at most.
    init(_ text: String, zonesOf user: String, most: Int) throws(ZoneQueryError) {
      self = try WebServicesRequest.read(text, zonesOf: user, most: most, of: "records") {
        object, common throws(WebServicesFault) in
        try Lookup(object, common)
      }
    }

    private init(_ object: JSONObject, _ common: Common) throws(WebServicesFault) {
      let values = common.values()
      numbersAsStrings = common.numbersAsStrings
      records = try object.require("records") { json throws(WebServicesFault) in
        try WebServicesQueryReader.each(json, "an array of records") { record throws(WebServicesFault) in
          let zoneID = try record.read("zoneID", values.zoneID) ?? common.zoneID ?? .default
          let id = RecordID(recordName: try record.require("recordName", values.string), zoneID: zoneID)
          return (id, try record.read("desiredKeys", WebServicesRequest.names) ?? common.desiredKeys)
        }
      }
    }
  }

  /// A `records/modify` request.
  struct Modify {
    /// What an operation does: the place of its record or ID in the modification.
    enum Change {
      case save(Int)
      case delete(Int)
    }

    private enum Operation: String, CaseIterable {
      case create, update, forceUpdate, replace, forceReplace, delete, forceDelete

      /// Whether it is of the record that has the tag alone.
      var needsTag: Bool { self == .update || self == .replace || self == .delete }

      /// How its record is saved; nil where it is not.
      var rule: Database.SaveRule? {
        switch self {
        case .create, .replace: Database.SaveRule(.replace, checksTag: true)
        case .update: Database.SaveRule(.changedKeys, checksTag: true)
        case .forceUpdate: Database.SaveRule(.changedKeys)
        case .forceReplace: Database.SaveRule(.replace)
        case .delete, .forceDelete: nil
        }
      }
    }

    private(set) var changes: [Change] = []
    private(set) var modification = Database.Modification(rules: [], tags: [])
    let numbersAsStrings: Bool
    private var named: Set<RecordID> = []

    /// Reads a request of so many operations at most; `storedType` tells the type of a stored record.
    init(
      _ text: String, zonesOf user: String, most: Int, _ schema: Schema, storedType: (RecordID) -> String?
    ) throws(ZoneQueryError) {
      self = try WebServicesRequest.read(text, zonesOf: user, most: most, of: "operations") {
        object, common throws(WebServicesFault) in
        try Modify(object, common, schema, storedType)
      }
    }

    private init(
      _ object: JSONObject, _ common: Common, _ schema: Schema, _ storedType: (RecordID) -> String?
    ) throws(WebServicesFault) {
      numbersAsStrings = common.numbersAsStrings
      modification.desiredKeys = common.desiredKeys
      modification.isAtomic = try object.read("atomic", WebServicesValueReader().boolean) ?? true
      let operations = try object.require("operations") { json throws(WebServicesFault) in
        try WebServicesQueryReader.each(json, "an array of operations") { $0 }
      }
      for (index, json) in operations.enumerated() {
        do throws(WebServicesFault) {
          let operation = try json.require("operationType") { json throws(WebServicesFault) in
            try WebServicesRequest.operation(json, Operation.self)
          }
          try json.require("record") { json throws(WebServicesFault) in
            guard let record = json.object else { throw .expected("a record dictionary", json) }
            let reader = common.values(common.zoneID ?? .default, numbersAsStrings: numbersAsStrings)
            try add(operation, record, reader, schema, storedType)
          }
        } catch {
          throw error.inside(index).inside("operations")
        }
      }
    }

    private mutating func add(
      _ operation: Operation, _ json: JSONObject, _ reader: WebServicesValueReader, _ schema: Schema,
      _ storedType: (RecordID) -> String?
    ) throws(WebServicesFault) {
      var reader = reader
      let tag = try json.read("recordChangeTag", reader.string)
      if operation.needsTag, tag == nil {
        let name = operation.rawValue
        throw WebServicesFault(
          "the key \"recordChangeTag\" is missing, which \(name) compares",
          hint:
            "Write the tag that the record was fetched with, or force\(name.prefix(1).uppercased())\(name.dropFirst())."
        )
      }
      let zoneID = try json.read("zoneID", reader.zoneID) ?? reader.zoneID
      let name =
        operation == .create
        ? try json.read("recordName", reader.string) : try json.require("recordName", reader.string)
      let id = name.map { RecordID(recordName: $0, zoneID: zoneID) }
      if let id, !named.insert(id).inserted {
        throw WebServicesFault(
          "an operation before is of the same record", hint: "Send one of them in a request of its own.")
      }
      guard let rule = operation.rule else {
        if let id {
          changes.append(.delete(modification.deleting.count))
          modification.deleting.append(id)
          modification.tags?.append(operation.needsTag ? tag : nil)
        }
        return
      }
      var record: Record
      let isTyped = json.present("recordType") != nil
      let type = isTyped ? nil : id.flatMap(storedType)
      if let id, operation.needsTag, !isTyped, type == nil {
        // It will not be found, whatever its type and its fields would be.
        record = Record(recordType: "NotStored", recordID: id)
        record.changeTag = tag
      } else {
        if let name, operation != .create, !isTyped, type == nil {
          throw WebServicesFault(
            "the key \"recordType\" is missing, and there is no record '\(SyntaxError.excerpt(name))' that has one",
            hint: "A record that is made names its type.")
        }
        record = try Record(json, &reader, schema, type)
        if operation == .create { record.changeTag = nil }
      }
      changes.append(.save(modification.saving.count))
      modification.saving.append(record)
      modification.rules?.append(rule)
    }
  }

  // MARK: What all have

  /// The operation that a word names.
  static func operation<Operation: RawRepresentable<String> & CaseIterable>(
    _ json: JSONValue, _: Operation.Type
  ) throws(WebServicesFault) -> Operation {
    try WebServicesValueReader().word(json, "operation", among: Operation.allCases) { $0.rawValue }
  }

  /// Reads a request whose operations are each on a zone or a subscription, and no two on the same, by the name that `body`
  /// gives beside what is to be done; one that has more operations than it may is refused unread.
  static func operations<Operation: RawRepresentable<String> & CaseIterable, Name: Hashable, Change>(
    _ text: String, zonesOf user: String, most: Int, on target: String,
    _ body: (Operation, JSONObject, WebServicesValueReader) throws(WebServicesFault) -> (name: Name, change: Change)
  ) throws(ZoneQueryError) -> [Change] {
    try read(text, zonesOf: user, most: most, of: "operations") { object, common throws(WebServicesFault) in
      var named: Set<Name> = []
      return try object.require("operations") { json throws(WebServicesFault) in
        try WebServicesQueryReader.each(json, "an array of operations") { item throws(WebServicesFault) in
          let operation = try item.require("operationType") { json throws(WebServicesFault) in
            try self.operation(json, Operation.self)
          }
          let (name, change) = try item.require(target) { json throws(WebServicesFault) in
            guard let object = json.object else { throw .expected("a \(target) dictionary", json) }
            return try body(operation, object, common.values())
          }
          if !named.insert(name).inserted {
            throw WebServicesFault(
              "an operation before is of the same \(target)", hint: "Send one of them in a request of its own.")
          }
          return change
        }
      }
    }
  }

  /// The keys that several requests have.
  struct Common {
    let user: String
    let zoneID: ZoneID?
    let desiredKeys: [String]?
    let numbersAsStrings: Bool

    /// What reads the request's values.
    func values(_ zoneID: ZoneID = .default, numbersAsStrings: Bool = false) -> WebServicesValueReader {
      WebServicesValueReader(zoneID: zoneID, numbersAsStrings: numbersAsStrings, userRecordName: user)
    }
  }

  /// Reads a request to the database of a user; one that has more items under a key than it may is refused unread.
  static func read<Request>(
    _ text: String, zonesOf user: String, most: Int = .max, of items: String = "",
    _ body: (JSONObject, Common) throws(WebServicesFault) -> Request
  ) throws(ZoneQueryError) -> Request {
    let json = try JSONValue(webServices: text)
    if let count = json[items]?.array?.count, count > most { throw surplus(count, items, most: most) }
    do throws(WebServicesFault) {
      guard let object = json.object else { throw WebServicesFault.expected("a request dictionary", json) }
      let values = WebServicesValueReader(userRecordName: user)
      return try body(
        object,
        Common(
          user: user, zoneID: try object.read("zoneID", values.zoneID),
          desiredKeys: try object.read("desiredKeys", names),
          numbersAsStrings: try object.read("numbersAsStrings", values.boolean) ?? false))
    } catch {
      throw error.error(in: "The request")
    }
  }

  static func names(_ json: JSONValue) throws(WebServicesFault) -> [String] {
    guard let members = json.array else { throw .expected("an array of names", json) }
    // More are the names of no fields: each record would look up all of them.
    let most = 4_096
    if members.count > most {
      throw WebServicesFault("\(members.count) names are more than the \(most) that may stand here")
    }
    return try WebServicesFault.each(members, WebServicesValueReader().string)
  }

  static func limit(_ json: JSONValue) throws(WebServicesFault) -> Int {
    guard let limit = json.number?.exactInteger.flatMap({ Int(exactly: $0) }) else {
      throw json.number.map {
        WebServicesFault("\($0.double) is no number of records: a whole one up to \(Int.max), in digits")
      }
        ?? .expected("a whole number", json)
    }
    if limit < 1 { throw WebServicesFault("\(limit) is not at least 1") }
    return limit
  }

  /// More items than a request takes.
  static func surplus(_ count: Int, _ what: String, most: Int) -> ZoneQueryError {
    ZoneQueryError(
      .webServices, .limitExceeded, "\(count) \(what) are more than the \(most) that one request takes",
      hint: "split them over several requests")
  }
}
