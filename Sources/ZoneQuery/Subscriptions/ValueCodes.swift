/// How a field's values become codes of 16 bits, two for each field at most, 0 where the field is missing.
///
/// Number codes keep the values' order: `a ≤ b` gives `code(a) ≤ code(b)`, so that an interval of values lies within an
/// interval of codes, and a test by codes never loses a match. The maps are made from sampled values, so that codes are
/// spread evenly, and never change: a code means something only beside another of the same map.
enum ValueCodes {
  /// What a slot's codes are of.
  enum Coding: UInt8, Sendable {
    case none, integer, double, textHash, textOrder, latitude, longitude
  }

  /// The codings of a field's two slots.
  static func codings(_ type: FieldType) -> (Coding, Coding) {
    switch type.scalar {
    case .int64, .timestamp: (.integer, .none)
    case .double: (.double, .none)
    case .string: (.textHash, .textOrder)
    case .reference: (.textHash, .none)
    case .location: (.latitude, .longitude)
    case .bytes, .asset: (.none, .none)
    }
  }

  /// A whole number as one whose unsigned order is its own.
  @inline(__always)
  static func order(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ (1 << 63) }

  /// A double, likewise; −0 is 0.
  @inline(__always)
  static func order(_ value: Double) -> UInt64 {
    let bits = value == 0 ? 0 : value.bitPattern
    return bits >> 63 == 1 ? ~bits : bits | (1 << 63)
  }

  @inline(__always)
  static func code(latitude: Double) -> UInt16 { code((latitude + 90) / 180) }
  @inline(__always)
  static func code(longitude: Double) -> UInt16 { code((longitude + 180) / 360) }

  private static func code(_ fraction: Double) -> UInt16 {
    UInt16(1 + min(65_534, max(0, fraction * 65_534)))
  }

  @inline(__always)
  static func code(hash: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: max(1, hash >> 48)) }
}

/// A monotone map of 64-bit numbers to codes 1…65535: an even share of the codes between two neighbouring knots, and in
/// proportion within.
///
/// Complexity: constant, some thirty comparisons.
struct CodeMap: Sendable {
  private static let runLength = 16
  private static let knotLimit = runLength * runLength
  /// Ascending, and the greatest number for each that there might be more.
  private var knots: [UInt64] = []
  /// The first knot of each run.
  private var heads: [UInt64] = []
  private var count = 0
  private var step: Double = 65_534

  init() {}

  /// Takes knots from a sorted sample.
  init(sorted sample: [UInt64]) {
    let stride = max(1, (sample.count + Self.knotLimit - 1) / Self.knotLimit)
    var index = 0
    while index < sample.count {
      if knots.last != sample[index] { knots.append(sample[index]) }
      index += stride
    }
    if let last = sample.last, knots.last != last, knots.count < Self.knotLimit { knots.append(last) }
    if knots.isEmpty { return }
    count = knots.count
    step = 65_534 / Double(count + 1)
    knots += repeatElement(.max, count: Self.knotLimit - count)
    heads = (0..<Self.runLength).map { knots[$0 * Self.runLength] }
  }

  /// The number of knots not above a value, found without a branch that depends on it: among the heads of runs, then in
  /// one.
  @inline(__always)
  private func rank(_ value: UInt64) -> Int {
    let (knots, heads) = (knots.span, heads.span)
    var run = 0
    for place in 1..<Self.runLength { run &+= heads[place] <= value ? 1 : 0 }
    var rank = run &* Self.runLength
    let start = rank
    for place in 0..<Self.runLength { rank &+= knots[start &+ place] <= value ? 1 : 0 }
    return min(rank, count)
  }

  func code(_ value: UInt64) -> UInt16 {
    if count == 0 { return UInt16(truncatingIfNeeded: max(1, value >> 48)) }
    let low = rank(value)
    let from = low == 0 ? 0 : knots[low - 1]
    let to = low == count ? UInt64.max : knots[low]
    let part = min(0.999_999, Double(value - from) / Double(max(1, to - from)))
    return UInt16(min(65_535, 1 + step * (Double(low) + part)))
  }
}
