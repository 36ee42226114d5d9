@testable import PredicateSyntax

/// The notation of arguments in the corpus: JSON's, with `date(ms)`, `location(lat, lon)`,
/// `reference("record", "zone", "owner")`, `nan` and `unsupported("why")` beside.
struct CorpusArgument {
  struct Mistake: Error {}

  private let bytes: [UInt8]
  private var position = 0

  static func read(_ text: String) throws -> ArgumentValue {
    var reader = CorpusArgument(bytes: Array(text.utf8))
    let value = try reader.value()
    reader.skip()
    guard reader.position == reader.bytes.count else { throw Mistake() }
    return value
  }

  /// The text of a quoted string alone.
  static func string(_ text: String) throws -> String {
    guard case .literal(.string(let content)) = try read(text) else { throw Mistake() }
    return content
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skip() { while next == 0x20 { position += 1 } }

  private mutating func take(_ byte: UInt8) -> Bool {
    skip()
    guard next == byte else { return false }
    position += 1
    skip()
    return true
  }

  private mutating func value() throws -> ArgumentValue {
    skip()
    switch next {
    case UInt8(ascii: "\""): return .literal(.string(try quoted()))
    case UInt8(ascii: "["):
      position += 1
      return .list(try values(upTo: UInt8(ascii: "]")))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .literal(try number())
    default: return try named()
    }
  }

  private mutating func values(upTo closer: UInt8) throws -> [ArgumentValue] {
    var values: [ArgumentValue] = []
    if take(closer) { return values }
    repeat { values.append(try value()) } while take(UInt8(ascii: ","))
    guard take(closer) else { throw Mistake() }
    return values
  }

  private mutating func number() throws -> Literal {
    let start = position
    while "+-.0123456789eE".utf8.contains(next) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if let whole = Int64(text) { return .integer(whole) }
    guard let value = Double(text) else { throw Mistake() }
    return .double(value)
  }

  private mutating func named() throws -> ArgumentValue {
    let start = position
    while next >= 0x61, next <= 0x7A { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    switch name {
    case "null": return .literal(.null)
    case "true": return .literal(.integer(1))
    case "false": return .literal(.integer(0))
    case "nan": return .literal(.double(.nan))
    case "infinity": return .literal(.double(.infinity))
    default: break
    }
    guard take(UInt8(ascii: "(")) else { throw Mistake() }
    let parts = try values(upTo: UInt8(ascii: ")")).map { value throws(Mistake) -> Literal in
      guard case .literal(let literal) = value else { throw Mistake() }
      return literal
    }
    switch (name, parts.count) {
    case ("date", 1):
      if case .integer(let milliseconds) = parts[0] { return .literal(.date(milliseconds: milliseconds)) }
    case ("location", 2):
      if let latitude = Self.double(parts[0]), let longitude = Self.double(parts[1]) {
        return .literal(.location(latitude: latitude, longitude: longitude))
      }
    case ("reference", 1...3):
      let texts = parts.map(Self.text)
      if let record = texts[0] {
        return .literal(
          .reference(
            recordName: record, zoneName: texts.count > 1 ? texts[1] : nil,
            ownerName: texts.count > 2 ? texts[2] : nil))
      }
    case ("unsupported", 1): if let reason = Self.text(parts[0]) { return .unsupported(reason) }
    default: break
    }
    throw Mistake()
  }

  private static func double(_ literal: Literal) -> Double? {
    switch literal {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  private static func text(_ literal: Literal) -> String? {
    if case .string(let text) = literal { return text }
    return nil
  }

  private mutating func quoted() throws -> String {
    position += 1
    var result: [UInt8] = []
    while position < bytes.count, next != UInt8(ascii: "\"") {
      guard next == UInt8(ascii: "\\") else {
        result.append(next)
        position += 1
        continue
      }
      position += 1
      let letter = next
      position += 1
      switch letter {
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        let digits = String(decoding: bytes[min(position, bytes.count)..<min(position + 4, bytes.count)], as: UTF8.self)
        guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else { throw Mistake() }
        result += Array(String(scalar).utf8)
        position += 4
      default: result.append(letter)
      }
    }
    guard next == UInt8(ascii: "\"") else { throw Mistake() }
    position += 1
    return String(decoding: result, as: UTF8.self)
  }
}
