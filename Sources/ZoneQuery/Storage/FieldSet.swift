/// Some of a record type's fields, by number.
struct FieldSet: Sendable {
  private var low: SIMD4<UInt64> = .zero
  /// Those from 256 on.
  private var high: Set<FieldNumber> = []

  init() {}

  mutating func insert(_ field: FieldNumber) {
    if field < 256 { low[field >> 6] |= 1 << UInt64(field & 63) } else { high.insert(field) }
  }

  /// Whether any field is in both.
  func intersects(_ other: FieldSet) -> Bool {
    if low & other.low != .zero { return true }
    return !high.isEmpty && !high.isDisjoint(with: other.high)
  }

  func contains(_ field: FieldNumber) -> Bool {
    return field < 256 ? low[field >> 6] >> UInt64(field & 63) & 1 == 1 : high.contains(field)
  }
}
