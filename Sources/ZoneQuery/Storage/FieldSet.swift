/// Some of a record type's fields, by number.
struct FieldSet: Sendable {
  private var low: SIMD4<UInt64> = .zero
  /// Those from 256 on.
  private var high: Set<FieldNumber> = []
  private var isAll = false

  static var all: FieldSet {
    var set = FieldSet()
    set.isAll = true
    return set
  }

  init() {}

  mutating func insert(_ field: FieldNumber) {
    if field < 256 { low[field >> 6] |= 1 << UInt64(field & 63) } else { high.insert(field) }
  }

  /// Whether any field is in both.
  func intersects(_ other: FieldSet) -> Bool {
    if low & other.low != .zero { return true }
    if isAll { return !other.isEmpty }
    if other.isAll { return !isEmpty }
    return !high.isEmpty && !high.isDisjoint(with: other.high)
  }

  var isEmpty: Bool { !isAll && low == .zero && high.isEmpty }

  func contains(_ field: FieldNumber) -> Bool {
    if isAll { return true }
    return field < 256 ? low[field >> 6] >> UInt64(field & 63) & 1 == 1 : high.contains(field)
  }
}
