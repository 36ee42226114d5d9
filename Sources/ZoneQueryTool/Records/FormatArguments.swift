internal import ZoneQuery

/// The values that go with a format: a list, in the order of its `%@`, or an object, by the names of its `$name`
/// parameters.
struct FormatArguments {
  private(set) var values: [ArgumentValue] = []
  private var parameters: [ByteKey: ArgumentValue] = [:]

  /// Why values do not go with a format.
  struct Fault: Error {
    let message: String
  }

  /// None.
  init() {}

  /// Reads values as CloudKit Web Services write them.
  init(webServices value: JSONValue) throws(ZoneQueryError) {
    if let named = value.object {
      parameters = try ArgumentValue.named(webServices: named)
    } else {
      values = try ArgumentValue.list(webServices: value)
    }
  }

  /// The predicate that a format was read to, with the values of its parameters.
  func bind(_ predicate: QueryPredicate, readFrom format: String) throws(Fault) -> QueryPredicate {
    for name in parameters.keys.sorted(by: { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) })
    where predicate.replacing([name: parameters[name] ?? .list([])]) == predicate && !mentions(name.text, format) {
      let written = name.text.utf8.first == UInt8(ascii: "$") ? "; names are given without the $" : ""
      throw Fault(message: "the predicate has no parameter $\(Printable.excerpt(name.text))\(written)")
    }
    return predicate.replacing(parameters)
  }

  /// Whether `$name` stands in the format, be it where no parameter can: what is wrong with that the engine says.
  private func mentions(_ name: String, _ format: String) -> Bool {
    let (format, sought) = (Array(format.utf8), Array("$\(name)".utf8))
    return format.indices.contains { format[$0...].starts(with: sought) }
  }
}
