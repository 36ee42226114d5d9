/// Reads JSON text, strictly by RFC 8259, into a `JSONValue`.
///
/// What the RFC leaves to the reader: two members of an object with the same key are an error, as are a byte order
/// mark, a lone surrogate, bytes that are no UTF-8, and a number beyond the range of a double. Nothing is repaired.
/// Time is linear in the text (n log n in the keys of one object), and the value takes at most a few dozen times the
/// memory of its text. Why the project has a reader of its own is told at ``JSONValue``.
///
///     try JSONReader.read(#"{"a": [1, 2.0]}"#)["a"]      // [1, 2.0]
///     try JSONReader.read(#"{"a" 1}"#)                   // line 1, column 6: expected ':' after a key, found '1'
package struct JSONReader {
  /// What a text may ask of the reader.
  package struct Limits: Sendable, Equatable {
    /// How deeply arrays and objects may nest; `[[]]` is 2. Taken as 128 where it is larger: a debug build takes
    /// about 3 KB of stack a level, and a secondary thread on Apple platforms has 512 KiB.
    package var maximumDepth: Int
    /// How many bytes a text may have.
    package var maximumBytes: Int

    /// Creates limits: 64 levels and 64 MiB where nothing else is said.
    package init(maximumDepth: Int = 64, maximumBytes: Int = 64 << 20) {
      self.maximumDepth = maximumDepth
      self.maximumBytes = maximumBytes
    }
  }

  /// Reads the one value that `bytes` holds.
  package static func read(
    _ bytes: ArraySlice<UInt8>, limits: Limits = Limits()
  ) throws(JSONError) -> JSONValue {
    try read(bytes, limits) { (reader) throws(Fault) in
      let value = try reader.value(depth: 0)
      reader.skipWhitespace()
      guard reader.position == reader.end else {
        throw Fault(.expected("nothing after the value"), reader.position)
      }
      return value
    }
  }

  /// Reads the values that `bytes` holds, one or more of them, one behind the other, each with the line that it begins on.
  package static func readAll(
    _ bytes: [UInt8], limits: Limits = Limits()
  ) throws(JSONError) -> [(value: JSONValue, line: Int)] {
    try read(bytes[...], limits) { (reader) throws(Fault) in
      var values: [(value: JSONValue, line: Int)] = []
      var (counted, line) = (reader.bytes.startIndex, 1)
      repeat {
        for byte in reader.bytes[counted..<reader.position] where byte == UInt8(ascii: "\n") { line += 1 }
        counted = reader.position
        values.append((try reader.value(depth: 0), line))
        reader.skipWhitespace()
      } while reader.position < reader.end
      return values
    }
  }

  private static func read<Result>(
    _ bytes: ArraySlice<UInt8>, _ limits: Limits, _ body: (inout JSONReader) throws(Fault) -> Result
  ) throws(JSONError) -> Result {
    guard bytes.count <= limits.maximumBytes else {
      throw JSONError(
        message: "the text has \(bytes.count) bytes; \(limits.maximumBytes) are allowed", offset: 0, line: 1,
        column: 1)
    }
    var reader = JSONReader(bytes, maximumDepth: min(limits.maximumDepth, 128))
    do throws(Fault) {
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw Fault(.byteOrderMark, reader.position) }
      reader.skipWhitespace()
      return try body(&reader)
    } catch {
      throw JSONError(message: reader.message(of: error), at: error.index, of: bytes)
    }
  }

  /// Reads the one value that `bytes` holds.
  package static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> JSONValue {
    try read(bytes[...], limits: limits)
  }

  /// Reads the one value that `text` holds.
  package static func read(_ text: String, limits: Limits = Limits()) throws(JSONError) -> JSONValue {
    try read(Array(text.utf8)[...], limits: limits)
  }

  /// Above this many keys an object is searched for duplicates by sorting, once it is complete.
  private static let pairwiseKeys = 16

  /// The text. Its indices need not begin at 0.
  let bytes: ArraySlice<UInt8>
  /// The index behind its last byte.
  let end: Int
  /// How deeply arrays and objects may nest.
  let maximumDepth: Int
  /// The next byte to read. Never beyond `end`.
  var position: Int

  /// Creates a reader before the first byte.
  init(_ bytes: ArraySlice<UInt8>, maximumDepth: Int) {
    self.bytes = bytes
    self.end = bytes.endIndex
    self.position = bytes.startIndex
    self.maximumDepth = maximumDepth
  }

  private mutating func value(depth: Int) throws(Fault) -> JSONValue {
    guard position < end else { throw Fault(.expected("a value"), position) }
    switch bytes[position] {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "t"):
      try word("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    default: throw Fault(.expected("a value"), position)
    }
  }

  private mutating func array(depth: Int) throws(Fault) -> [JSONValue] {
    guard depth <= maximumDepth else { throw Fault(.tooDeep, position) }
    position += 1
    skipWhitespace()
    if at(UInt8(ascii: "]")) {
      position += 1
      return []
    }
    var elements: [JSONValue] = []
    elements.reserveCapacity(2)
    while true {
      elements.append(try value(depth: depth))
      skipWhitespace()
      if at(UInt8(ascii: ",")) {
        position += 1
        skipWhitespace()
      } else if at(UInt8(ascii: "]")) {
        position += 1
        return elements
      } else {
        throw Fault(.expected("',' or ']' after an element of an array"), position)
      }
    }
  }

  private mutating func object(depth: Int) throws(Fault) -> JSONObject {
    guard depth <= maximumDepth else { throw Fault(.tooDeep, position) }
    position += 1
    skipWhitespace()
    if at(UInt8(ascii: "}")) {
      position += 1
      return JSONObject()
    }
    var object = JSONObject()
    object.reserveCapacity(2)
    var laterKeyPositions: [Int] = []
    while true {
      let keyPosition = position
      guard at(UInt8(ascii: "\"")) else {
        throw Fault(.expected(object.isEmpty ? "a key or '}'" : "a key after ','"), position)
      }
      let key = try string()
      if object.count < Self.pairwiseKeys {
        if object.members.contains(where: { sameBytes($0.key, key) }) {
          throw Fault(.duplicateKey(key), keyPosition)
        }
      } else {
        laterKeyPositions.append(keyPosition)
      }
      skipWhitespace()
      guard at(UInt8(ascii: ":")) else { throw Fault(.expected("':' after a key"), position) }
      position += 1
      skipWhitespace()
      object.append(key, try value(depth: depth))
      skipWhitespace()
      if at(UInt8(ascii: ",")) {
        position += 1
        skipWhitespace()
      } else if at(UInt8(ascii: "}")) {
        position += 1
        if !laterKeyPositions.isEmpty { try refuseDuplicates(in: object, laterKeyPositions) }
        return object
      } else {
        throw Fault(.expected("',' or '}' after a member of an object"), position)
      }
    }
  }

  /// Sorts the keys by a hash and, where hashes meet, by their bytes, so that keys chosen to share a hash cost no
  /// more than the sort.
  private func refuseDuplicates(in object: JSONObject, _ laterKeyPositions: [Int]) throws(Fault) {
    let members = object.members
    var order: [(hash: UInt64, index: Int)] = []
    order.reserveCapacity(members.count)
    for (index, member) in members.enumerated() {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in member.key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      order.append((hash, index))
    }
    order.sort {
      if $0.hash != $1.hash { return $0.hash < $1.hash }
      let left = members[$0.index].key
      let right = members[$1.index].key
      if sameBytes(left, right) { return $0.index < $1.index }
      return left.utf8.lexicographicallyPrecedes(right.utf8)
    }
    var repeated: Int?
    for (left, right) in zip(order, order.dropFirst()) where left.hash == right.hash {
      guard sameBytes(members[left.index].key, members[right.index].key) else { continue }
      repeated = min(repeated ?? .max, right.index)
    }
    if let repeated {
      throw Fault(.duplicateKey(members[repeated].key), laterKeyPositions[repeated - Self.pairwiseKeys])
    }
  }

  private mutating func word(_ word: StaticString) throws(Fault) {
    let text = "\(word)"
    for byte in text.utf8 {
      guard at(byte) else { throw Fault(.expected("'\(text)'"), position) }
      position += 1
    }
  }

  /// Whether the next byte is `byte`.
  @inline(__always)
  func at(_ byte: UInt8) -> Bool { position < end && bytes[position] == byte }

  /// Passes over the four characters that are whitespace to JSON.
  @inline(__always)
  mutating func skipWhitespace() {
    while position < end {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }
}
