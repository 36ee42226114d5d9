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

    init(_ json: JSONValue, _ schema: Schema) throws(WebServicesFault) {
      let (object, common) = try WebServicesRequest.read(json)
      let isZoneWide = try object.read("zoneWide", WebServicesValueReader().boolean) ?? false
      zoneID = common.zoneID ?? (isZoneWide ? nil : .default)
      (desiredKeys, numbersAsStrings) = (common.desiredKeys, common.numbersAsStrings)
      continuationMarker = try object.read("continuationMarker", WebServicesValueReader().string)
      resultsLimit = try object.read("resultsLimit", WebServicesRequest.limit) ?? 100
      let reader = WebServicesQueryReader(
        schema, zoneID: zoneID ?? .default, numbersAsStrings: common.numbersAsStrings)
      query = try object.require("query", reader.query)
    }
  }

  /// A `records/lookup` request.
  struct Lookup {
    let records: [(id: RecordID, desiredKeys: [String]?)]
    let numbersAsStrings: Bool

    init(_ json: JSONValue) throws(WebServicesFault) {
      let (object, common) = try WebServicesRequest.read(json)
      numbersAsStrings = common.numbersAsStrings
      let values = WebServicesValueReader()
      records = try object.require("records") { json throws(WebServicesFault) in
        try WebServicesQueryReader.each(json, "an array of records") { record throws(WebServicesFault) in
          let zoneID = try record.read("zoneID", values.zoneID) ?? common.zoneID ?? .default
          let id = RecordID(recordName: try record.require("recordName", values.string), zoneID: zoneID)
          return (id, try record.read("desiredKeys", WebServicesRequest.keys) ?? common.desiredKeys)
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

      /// Whether it makes a record that is not there.
      var creates: Bool { self == .create || self == .forceUpdate || self == .forceReplace }

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

    /// Reads a request; `storedType` tells the type of a stored record.
    init(
      _ json: JSONValue, _ schema: Schema, storedType: (RecordID) -> String?
    ) throws(ZoneQueryError) {
      let zoneID: ZoneID
      let operations: [(operation: Operation, record: JSONObject)]
      do throws(WebServicesFault) {
        let (object, common) = try WebServicesRequest.read(json)
        numbersAsStrings = common.numbersAsStrings
        zoneID = common.zoneID ?? .default
        modification.desiredKeys = common.desiredKeys
        modification.isAtomic = try object.read("atomic", WebServicesValueReader().boolean) ?? true
        operations = try object.require("operations") { json throws(WebServicesFault) in
          try WebServicesQueryReader.each(json, "an array of operations", Self.operation)
        }
      } catch {
        throw error.error(in: "The request")
      }
      for (operation, record) in operations {
        do throws(WebServicesFault) {
          try add(operation, record, zoneID, schema, storedType)
        } catch {
          throw error.inside("record").inside(changes.count).inside("operations").error(in: "The request")
        }
      }
    }

    private static func operation(_ json: JSONObject) throws(WebServicesFault) -> (Operation, JSONObject) {
      let operation = try json.require("operationType") { json throws(WebServicesFault) in
        let name = try WebServicesValueReader().string(json)
        guard let operation = Operation.allCases.first(where: { sameBytes($0.rawValue, name) }) else {
          throw WebServicesFault.unknown("operation", name, among: Operation.allCases.map(\.rawValue))
        }
        return operation
      }
      let record = try json.require("record") { json throws(WebServicesFault) in
        guard let record = json.object else { throw .expected("a record dictionary", json) }
        return record
      }
      return (operation, record)
    }

    private mutating func add(
      _ operation: Operation, _ json: JSONObject, _ zoneID: ZoneID, _ schema: Schema,
      _ storedType: (RecordID) -> String?
    ) throws(WebServicesFault) {
      var reader = WebServicesValueReader(zoneID: zoneID, numbersAsStrings: numbersAsStrings)
      let tag = try json.read("recordChangeTag", reader.string)
      if operation.needsTag, tag == nil {
        throw WebServicesFault(
          "the key \"recordChangeTag\" is missing, which \(operation.rawValue) compares",
          hint: "Write the tag that the record was fetched with, or "
            + "force\(operation.rawValue.prefix(1).uppercased())\(operation.rawValue.dropFirst()).")
      }
      let name = operation == .create ? nil : try json.require("recordName", reader.string)
      let zoneID = try json.read("zoneID", reader.zoneID) ?? zoneID
      guard let rule = operation.rule else {
        changes.append(.delete(modification.deleting.count))
        modification.deleting.append(RecordID(recordName: name ?? "", zoneID: zoneID))
        modification.tags?.append(operation.needsTag ? tag : nil)
        return
      }
      var type: String?
      if let name, json.present("recordType") == nil {
        // Of a record that is not there it is said that it was not found, whatever its type would be.
        type = storedType(RecordID(recordName: name, zoneID: zoneID)) ?? (operation.creates ? nil : "NotStored")
      }
      var record = try Record(json, &reader, schema, type)
      if operation == .create { record.changeTag = nil }
      changes.append(.save(modification.saving.count))
      modification.saving.append(record)
      modification.rules?.append(rule)
    }
  }

  /// What all requests have.
  private static func read(
    _ json: JSONValue
  ) throws(WebServicesFault) -> (
    object: JSONObject, common: (zoneID: ZoneID?, desiredKeys: [String]?, numbersAsStrings: Bool)
  ) {
    guard let object = json.object else { throw .expected("a request dictionary", json) }
    let values = WebServicesValueReader()
    return (
      object,
      (
        try object.read("zoneID", values.zoneID), try object.read("desiredKeys", keys),
        try object.read("numbersAsStrings", values.boolean) ?? false
      )
    )
  }

  private static func keys(_ json: JSONValue) throws(WebServicesFault) -> [String] {
    guard let members = json.array else { throw .expected("an array of field names", json) }
    return try WebServicesFault.each(members, WebServicesValueReader().string)
  }

  private static func limit(_ json: JSONValue) throws(WebServicesFault) -> Int {
    guard let limit = json.number?.exactInteger.flatMap({ Int(exactly: $0) }), limit >= 1 else {
      throw .expected("a whole number from 1", json)
    }
    return limit
  }
}
