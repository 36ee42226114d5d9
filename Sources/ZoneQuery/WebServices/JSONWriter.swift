/// Writes JSON text: whole values, or piece by piece without building a value.
///
/// Commas, colons and, where asked for, line breaks are put by the writer. Escapes are the least RFC 8259 demands:
/// `\"`, `\\`, and `\u00XX` for a control character. A double is written with the fewest digits that read back as
/// the same double and always as one (`3.0`, `1e+16`), a whole number as `3`. NaN and infinities cannot be written:
/// `JSONNumber` does not hold them.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.key("a")
///     writer.integer(1)
///     writer.endObject()                      // writer.bytes is {"a":1}
package struct JSONWriter: Sendable {
  /// How the text is laid out.
  package enum Layout: Sendable, Equatable {
    /// On one line, without spaces.
    case compact
    /// An element or member a line, indented by two spaces a level.
    case indented
  }

  /// The text written so far, as UTF-8.
  package private(set) var bytes: [UInt8]
  private let layout: Layout
  /// Whether each open array or object, outermost first, has a member already.
  private var open: [Bool] = []
  private var followsKey = false

  /// Creates a writer that appends to `bytes`.
  package init(appendingTo bytes: [UInt8] = [], layout: Layout = .compact) {
    self.bytes = bytes
    self.layout = layout
  }

  /// The text written so far. Complexity: linear in its length.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes a value. Complexity: linear in its text.
  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { write(element) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members {
        key(member.key)
        write(member.value)
      }
      endObject()
    }
  }

  /// Opens an array.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Closes the array opened last.
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Opens an object.
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Closes the object opened last.
  package mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Writes the key of the member whose value comes next.
  package mutating func key(_ key: String) {
    separate()
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    if layout == .indented { bytes.append(UInt8(ascii: " ")) }
    followsKey = true
  }

  /// Writes `null`.
  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes a string.
  package mutating func string(_ value: String) {
    separate()
    quote(value)
  }

  /// Writes a member whose value is a string, or nothing where there is none.
  package mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    self.key(key)
    string(value)
  }

  /// Writes a member whose value is a whole number, or nothing where there is none.
  package mutating func member(_ key: String, _ value: Int64?) {
    guard let value else { return }
    self.key(key)
    integer(value)
  }

  /// Writes a member whose value is a boolean, or nothing where there is none.
  package mutating func member(_ key: String, _ value: Bool?) {
    guard let value else { return }
    self.key(key)
    bool(value)
  }

  /// Writes a whole number.
  package mutating func integer(_ value: Int64) {
    separate()
    bytes.append(contentsOf: value.description.utf8)
  }

  /// Writes a number of DOUBLE, `3.0`; `null` for NaN and the infinities, which are for the caller to find before.
  package mutating func double(_ value: Double) {
    if let number = JSONNumber(value) { self.number(number) } else { null() }
  }

  /// Writes a number in its form.
  package mutating func number(_ value: JSONNumber) {
    separate()
    if value == .negativeZero {
      bytes.append(contentsOf: "-0".utf8)
    } else if let integer = value.integer {
      bytes.append(contentsOf: integer.description.utf8)
    } else if value.isWhole {
      appendWithoutExponent(value.double)
    } else {
      bytes.append(contentsOf: value.double.description.utf8)
    }
  }

  /// Ends a line, as between two values of JSON lines.
  package mutating func endLine() { bytes.append(0x0A) }

  /// Takes what is written so far and leaves the writer empty, where a text is sent in parts.
  package mutating func takeBytes() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    return taken
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    open.append(false)
  }

  private mutating func close(_ bracket: UInt8) {
    if open.popLast() == true { breakLine() }
    bytes.append(bracket)
  }

  private mutating func separate() {
    if followsKey {
      followsKey = false
      return
    }
    guard let innermost = open.indices.last else { return }
    if open[innermost] { bytes.append(UInt8(ascii: ",")) }
    open[innermost] = true
    breakLine()
  }

  private mutating func breakLine() {
    guard layout == .indented else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * open.count))
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let needsEscapes = withUTF8(of: text) { text in text.indices.contains { Self.needsEscape(text[$0]) } }
    if needsEscapes {
      for byte in text.utf8 { append(escaped: byte) }
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func append(escaped byte: UInt8) {
    guard Self.needsEscape(byte) else {
      bytes.append(byte)
      return
    }
    bytes.append(UInt8(ascii: "\\"))
    if byte >= 0x20 {
      bytes.append(byte)
    } else {
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      let low = byte & 0x0F
      bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "A") + low - 10)
    }
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Writes a double of 2⁶³ or more as digits alone: its shortest digits, then zeros up to its exponent, which
  /// together read back as the same double.
  private mutating func appendWithoutExponent(_ value: Double) {
    var digits: [UInt8] = []
    var pointAt: Int?
    var exponent = 0
    var inExponent = false
    for byte in value.magnitude.description.utf8 {
      switch byte {
      case UInt8(ascii: "."): pointAt = digits.count
      case UInt8(ascii: "e"): inExponent = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if inExponent {
          exponent = exponent * 10 + Int(byte - UInt8(ascii: "0"))
        } else {
          digits.append(byte)
        }
      default: break
      }
    }
    let zeros = exponent - (digits.count - (pointAt ?? digits.count))
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(contentsOf: digits)
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, zeros)))
  }
}
