/// A JSON value, as read from text or about to be written.
///
/// The reader and writer are the project's own because FoundationEssentials offers `JSONDecoder` alone, and that one
/// hashes untrusted keys as Swift strings (quadratic time on long runs of combining marks), takes a comma behind the
/// last member, keeps one of two equal keys silently, reads `3.0` and `3` alike, rounds whole numbers beyond 2⁵³ where
/// a double is asked for, and prints errors that name no line or column.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// A whole number.
  package static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }

  /// The value as compact text.
  package var text: String {
    var writer = JSONWriter()
    writer.write(self)
    return writer.text
  }

  /// The value as text of several lines, indented by two spaces a level.
  package var prettyText: String {
    var writer = JSONWriter(layout: .indented)
    writer.write(self)
    return writer.text
  }

  /// What kind of value it is, as a message would say it: `a string`, `an object`.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  /// Whether it is `null`.
  package var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The boolean, where it is one.
  package var bool: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }

  /// The number, where it is one.
  package var number: JSONNumber? {
    if case .number(let value) = self { return value }
    return nil
  }

  /// The string, where it is one.
  package var string: String? {
    if case .string(let value) = self { return value }
    return nil
  }

  /// The elements, where it is an array.
  package var array: [JSONValue]? {
    if case .array(let value) = self { return value }
    return nil
  }

  /// The members, where it is an object.
  package var object: JSONObject? {
    if case .object(let value) = self { return value }
    return nil
  }

  /// The value of `key`, where it is an object that has one.
  package subscript(key: String) -> JSONValue? {
    if case .object(let value) = self { return value[key] }
    return nil
  }
}

extension JSONValue: Equatable {
  /// Whether both are the same value: strings and keys by bytes, members in order, numbers as `JSONNumber` has it.
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): sameBytes(a, b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  /// Creates `null`.
  package init(nilLiteral: ()) { self = .null }
  /// Creates a boolean.
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a whole number.
  package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Creates a string.
  package init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object, whose keys differ.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
  }
}
