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
    // `$name` stands in the format, be it where no parameter can: what is wrong with that the engine says.
    let mentioned = Self.mentions(in: format)
    for name in parameters.keys.sorted(by: { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) })
    where !mentioned.contains(name) && predicate.replacing([name: parameters[name] ?? .list([])]) == predicate {
      let written = name.text.utf8.first == UInt8(ascii: "$") ? "; names are given without the $" : ""
      throw Fault(message: "the predicate has no parameter $\(Printable.excerpt(name.text))\(written)")
    }
    return predicate.replacing(parameters)
  }

  /// What follows the dollar signs of a format, as far as it may be a name. Complexity: linear.
  private static func mentions(in format: String) -> Set<ByteKey> {
    var (names, rest) = (Set<ByteKey>(), Array(format.utf8)[...])
    while let sign = rest.firstIndex(of: UInt8(ascii: "$")) {
      let name = rest[(sign + 1)...].prefix { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
          true
        default: false
        }
      }
      names.insert(ByteKey(String(decoding: name, as: UTF8.self)))
      rest = rest[name.endIndex...]
    }
    return names
  }
}
