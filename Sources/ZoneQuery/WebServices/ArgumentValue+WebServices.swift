extension ArgumentValue {
  /// Reads the arguments of a format string from a JSON list: strings, numbers, booleans, null, lists of these, and
  /// `{"value": …, "type": …}` for what JSON has no form of its own for, such as dates and places.
  ///
  ///     ["Seoul", 3, 2.5, true, null, ["a", "b"], {"value": 1788000000000, "type": "TIMESTAMP"}]
  ///
  /// A TIMESTAMP may be written as people write it, too: `{"value": "2026-09-01T09:00:00Z", "type": "TIMESTAMP"}`.
  ///
  /// - Throws: ``ZoneQueryError`` of the stage `webServices`, naming the place: `[6].value`.
  package static func list(webServices json: JSONValue) throws(ZoneQueryError) -> [ArgumentValue] {
    do throws(WebServicesFault) {
      guard let members = json.array else { throw .expected("a list of arguments", json) }
      return try WebServicesFault.each(members) { member throws(WebServicesFault) in
        try ArgumentValue(webServices: member)
      }
    } catch {
      throw error.error(in: "The arguments")
    }
  }

  /// Reads the values of `$name` parameters from an object, each as one of a list.
  ///
  /// - Throws: ``ZoneQueryError`` of the stage `webServices`, naming the place: `city.value`.
  package static func named(webServices object: JSONObject) throws(ZoneQueryError) -> [ByteKey: ArgumentValue] {
    var values: [ByteKey: ArgumentValue] = [:]
    for member in object.members {
      do throws(WebServicesFault) {
        values[ByteKey(member.key)] = try ArgumentValue(webServices: member.value)
      } catch {
        throw error.inside(member.key).error(in: "The arguments")
      }
    }
    return values
  }

  private init(webServices json: JSONValue) throws(WebServicesFault) {
    switch json {
    case .array(let members):
      self = .list(try WebServicesFault.each(members) { member throws(WebServicesFault) in try Self.single(member) })
    default: self = try Self.single(json)
    }
  }

  private static func single(_ json: JSONValue) throws(WebServicesFault) -> ArgumentValue {
    switch json {
    case .null: return .literal(.null)
    case .bool(let value): return .literal(.integer(value ? 1 : 0))
    case .string(let value): return .literal(.string(value))
    case .number(let number):
      if let whole = number.integer { return .literal(.integer(whole)) }
      if number.isWhole {
        throw WebServicesFault(
          "the number is beyond the range of INT64",
          hint: "Write it with a fraction (1e19, 1.0) where a DOUBLE is meant.")
      }
      return number.double.predicateArgument
    case .array: throw WebServicesFault("a list has no lists for members")
    case .object:
      let hint = #"Write {"value": …, "type": "LOCATION"}, for example."#
      guard json["value"] != nil else {
        throw WebServicesFault("an object stands for an argument only as a field's dictionary", hint: hint)
      }
      if let moment = try moment(json) { return .literal(.date(milliseconds: moment.milliseconds)) }
      guard let value = try WebServicesValueReader().field(json, schemaType: nil) else { return .literal(.null) }
      return try argument(value)
    }
  }

  /// The moment of a TIMESTAMP that is written as people write it, which CloudKit Web Services do not.
  private static func moment(_ json: JSONValue) throws(WebServicesFault) -> Timestamp? {
    guard let type = json["type"]?.string, sameBytes(type, FieldType.Scalar.timestamp.rawValue),
      let text = json["value"]?.string
    else { return nil }
    if let moment = Timestamp(iso8601: text) { return moment }
    throw WebServicesFault(
      "'\(SyntaxError.excerpt(text))' is no moment: expected milliseconds since 1970, or a text as "
        + "\"2026-09-01T09:00:00Z\"")
  }

  /// The argument that a field's value makes.
  static func argument(_ value: FieldValue) throws(WebServicesFault) -> ArgumentValue {
    switch value {
    case .string(let value): value.predicateArgument
    case .int64(let value): value.predicateArgument
    case .double(let value): value.predicateArgument
    case .timestamp(let value): .literal(.date(milliseconds: value.milliseconds))
    case .location(let value): value.predicateArgument
    case .reference(let value): value.predicateArgument
    case .stringList(let values): values.predicateArgument
    case .int64List(let values): values.predicateArgument
    case .doubleList(let values): values.predicateArgument
    case .timestampList(let values): .list(values.map { .literal(.date(milliseconds: $0.milliseconds)) })
    case .locationList(let values): values.predicateArgument
    case .referenceList(let values): values.predicateArgument
    case .bytes, .bytesList: throw WebServicesFault("BYTES cannot be compared, so no predicate takes them")
    case .asset, .assetList: throw WebServicesFault("an ASSET cannot be compared, so no predicate takes one")
    }
  }
}
