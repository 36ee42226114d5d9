/// What is wrong with JSON of CloudKit Web Services, and where: found deep inside, given its path on the way out, so
/// that JSON without fault pays for no path.
struct WebServicesFault: Error {
  private enum Step {
    case key(String)
    case index(Int)
  }

  let message: String
  let hint: String?
  /// From the place outwards.
  private var steps: [Step] = []

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  /// The fault of a value that is not of the kind it should be.
  static func expected(_ what: String, _ value: JSONValue, hint: String? = nil) -> WebServicesFault {
    WebServicesFault("expected \(what), found \(value.kind)", hint: hint)
  }

  /// The fault of a word that none of those known is.
  static func unknown(_ what: String, _ word: String, among known: [String]) -> WebServicesFault {
    let bytes = Array(word.utf8)
    return WebServicesFault(
      "there is no \(what) \(SyntaxError.excerpt(word))",
      hint: SchemaWord.nearest(to: bytes[...], among: known).map { "Write \($0)." }
        ?? "There are \(known.joined(separator: ", ")).")
  }

  /// The fault as seen from the object that has its value under `key`.
  func inside(_ key: String) -> WebServicesFault {
    var fault = self
    fault.steps.append(.key(key))
    return fault
  }

  /// The fault as seen from the array that has its value at `index`.
  func inside(_ index: Int) -> WebServicesFault {
    var fault = self
    fault.steps.append(.index(index))
    return fault
  }

  /// The way to the place: `fields.location.value.latitude`, `fields.tags.value[3]`.
  var path: String {
    var path = ""
    for step in steps.reversed() {
      switch step {
      case .key(let key): path += (path.isEmpty ? "" : ".") + SyntaxError.excerpt(key)
      case .index(let index): path += "[\(index)]"
      }
    }
    return path
  }

  /// The fault as the caller gets it.
  func error(in subject: String, recordID: RecordID? = nil) -> ZoneQueryError {
    let place = steps.isEmpty ? "" : "\(path): "
    return ZoneQueryError(.webServices, .invalidJSON, "\(subject): \(place)\(message).", hint: hint, recordID: recordID)
  }
}

extension JSONObject {
  /// The value of a key; `null` counts as absent.
  func present(_ key: String) -> JSONValue? {
    guard let value = self[key], !value.isNull else { return nil }
    return value
  }

  /// Reads the value of a key, where it is present; a fault gets the key into its path.
  func read<Value>(
    _ key: String, _ body: (JSONValue) throws(WebServicesFault) -> Value
  ) throws(WebServicesFault) -> Value? {
    guard let value = present(key) else { return nil }
    do throws(WebServicesFault) {
      return try body(value)
    } catch {
      throw error.inside(key)
    }
  }

  /// Reads the value of a key that must be present.
  func require<Value>(
    _ key: String, _ body: (JSONValue) throws(WebServicesFault) -> Value
  ) throws(WebServicesFault) -> Value {
    guard let value = try read(key, body) else { throw WebServicesFault("the key \"\(key)\" is missing") }
    return value
  }
}

extension WebServicesFault {
  /// Reads the members of a list; a fault says which member it lies in.
  static func each<Member>(
    _ members: [JSONValue], _ body: (JSONValue) throws(WebServicesFault) -> Member
  ) throws(WebServicesFault) -> [Member] {
    var result: [Member] = []
    result.reserveCapacity(members.count)
    for (index, member) in members.enumerated() {
      do throws(WebServicesFault) {
        result.append(try body(member))
      } catch {
        throw error.inside(index)
      }
    }
    return result
  }
}
