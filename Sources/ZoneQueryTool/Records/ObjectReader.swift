internal import ZoneQuery

/// What is wrong with an object of a file.
struct ObjectFault: Error {
  let message: String
  var hint: String?

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  /// The fault as it is told.
  func text(at place: String) -> String { "\(place): \(message)" + EngineMessage.hint(hint) }
}

/// Reads the members of an object by their names; `null` counts as absent.
struct ObjectReader {
  let object: JSONObject
  /// The way to the object, with a full stop at its end; empty for a line's own.
  private let path: String

  init(_ object: JSONObject) { self.init(object, path: "") }

  private init(_ object: JSONObject, path: String) {
    self.object = object
    self.path = path
  }

  /// The value of a key, where there is one.
  func value(_ key: String) -> JSONValue? {
    guard let value = object[key], !value.isNull else { return nil }
    return value
  }

  /// Fails where the object has a key that is not among the names, or is one of `others`, which are refused for a reason.
  func allow(_ names: [String], refusing others: [(key: String, hint: String)] = []) throws(ObjectFault) {
    for (key, _) in object.members where !names.contains(where: { Spelling.isSame($0, key) }) {
      if let other = others.first(where: { Spelling.isSame($0.key, key) }) {
        throw ObjectFault("\(path)\(other.key) is not read", hint: other.hint)
      }
      let hint = Spelling.nearest(to: key, among: names).map { "\($0) is one" }
      throw ObjectFault(
        "there is no key \(path)\(Printable.excerpt(key))",
        hint: hint ?? "the keys are \(TextList.alternatives(names))")
    }
  }

  func text(_ key: String) throws(ObjectFault) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.string else { throw expected("a string", key, value) }
    return text
  }

  func flag(_ key: String) throws(ObjectFault) -> Bool {
    guard let value = value(key) else { return false }
    guard let flag = value.bool else { throw expected("true or false", key, value) }
    return flag
  }

  func reader(_ key: String) throws(ObjectFault) -> ObjectReader? {
    guard let value = value(key) else { return nil }
    guard let object = value.object else { throw expected("an object", key, value) }
    return ObjectReader(object, path: "\(path)\(key).")
  }

  /// One of a few names.
  func choice<Value>(_ key: String, _ choices: [(name: String, value: Value)]) throws(ObjectFault) -> Value? {
    guard let text = try text(key) else { return nil }
    return try choice(text, key, choices)
  }

  private func choice<Value>(
    _ text: String, _ key: String, _ choices: [(name: String, value: Value)]
  ) throws(ObjectFault) -> Value {
    if let choice = choices.first(where: { Spelling.isSame($0.name, text) }) { return choice.value }
    throw ObjectFault(
      "\(path)\(key): expected \(TextList.alternatives(choices.map(\.name))), found '\(Printable.excerpt(text))'")
  }

  private func expected(_ what: String, _ key: String, _ value: JSONValue) -> ObjectFault {
    ObjectFault("\(path)\(key): expected \(what), found \(value.kind)")
  }
}

extension Spelling {
  /// A key of an object that is not among some, but most likely meant for one of these that the object lacks.
  static func slip(in object: JSONObject, of keys: [String]) -> (key: String, meant: String)? {
    let missing = keys.filter { object[$0] == nil }
    if missing.isEmpty { return nil }
    for (key, _) in object.members where !keys.contains(where: { isSame($0, key) }) {
      if let meant = nearest(to: key, among: missing) { return (key, meant) }
    }
    return nil
  }
}
