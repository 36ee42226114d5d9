/// The members of a JSON object, in the order of their text.
///
/// Keys are told apart by their bytes. Swift's own string equality merges canonically equivalent texts and takes
/// quadratic time on long runs of combining marks, so it is never used on them.
package struct JSONObject: Sendable {
  /// One key and its value.
  package typealias Member = (key: String, value: JSONValue)

  /// The members, in order. An object that was read has no two of the same key.
  package private(set) var members: [Member]

  /// Creates an object without members.
  package init() { members = [] }

  /// Creates an object of `members`, whose keys the caller knows to differ.
  package init(_ members: [Member]) { self.members = members }

  /// How many members there are.
  package var count: Int { members.count }

  /// Whether there are none.
  package var isEmpty: Bool { members.isEmpty }

  /// The value of `key`, by bytes; setting `nil` removes the member. Complexity: linear in the number of members.
  package subscript(key: String) -> JSONValue? {
    get {
      for member in members where sameBytes(member.key, key) { return member.value }
      return nil
    }
    set {
      let index = members.firstIndex { sameBytes($0.key, key) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// Adds a member at the end, without looking for its key: the caller knows that it is new. Complexity: constant.
  package mutating func append(_ key: String, _ value: JSONValue) { members.append((key, value)) }

  mutating func reserveCapacity(_ capacity: Int) { members.reserveCapacity(capacity) }
}

extension JSONObject: Equatable {
  /// Whether both have the same members in the same order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.members.elementsEqual(right.members) {
      sameBytes($0.key, $1.key) && $0.value == $1.value
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object of a literal, whose keys differ.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { (key: $0.0, value: $0.1) }
  }
}
