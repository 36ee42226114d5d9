import ZoneQuery

/// Values for the JSON tests, the same for the same seed.
struct JSONTestGenerator {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func below(_ bound: Int) -> Int { random.below(max(1, bound)) }

  mutating func value(depth: Int = 0) -> JSONValue {
    switch below(depth < 4 ? 12 : 9) {
    case 0: return .null
    case 1: return .bool(next() & 1 == 0)
    case 2, 3: return .integer(integer())
    case 4, 5: return .number(double())
    case 6, 7, 8: return .string(string())
    case 9: return .array((0..<below(6)).map { _ in value(depth: depth + 1) })
    default:
      var object = JSONObject()
      for index in 0..<below(7) { object.append("\(index)" + string(), value(depth: depth + 1)) }
      return .object(object)
    }
  }

  private mutating func integer() -> Int64 {
    let bits = Int64(bitPattern: next())
    return bits >> Int64(below(64))
  }

  private mutating func double() -> JSONNumber {
    while true {
      let bits = next()
      let value =
        switch below(4) {
        case 0: Double(bitPattern: bits)
        case 1: Double(Int64(bitPattern: bits) >> 40)
        case 2: Double(Int64(bitPattern: bits) >> 30) / 1000
        default: Double(below(2000) - 1000)
        }
      if below(16) == 0, let number = JSONNumber(wholeBeyondInt64: 1e19 * (1 + value.magnitude)) {
        return number
      }
      if let number = JSONNumber(value) { return number }
    }
  }

  private mutating func string() -> String {
    var text = ""
    for _ in 0..<below(24) {
      let scalar: UInt32 =
        switch below(6) {
        case 0: UInt32(below(0x20))
        case 1: [0x22, 0x5C, 0x2F, 0x7F, 0x2028, 0xFEFF, 0xFFFF, 0x10FFFF, 0x301][below(9)]
        case 2: UInt32(below(0x11_0000))
        case 3: UInt32(0x80 + below(0x3000))
        default: UInt32(0x20 + below(0x5F))
        }
      if let scalar = Unicode.Scalar(scalar) { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
