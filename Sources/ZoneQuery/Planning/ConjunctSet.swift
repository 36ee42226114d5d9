/// Some of a predicate's conjuncts, by number.
///
/// A set has room for the first 63; all later ones go together, as number 63, and no index is ever asked for them.
struct ConjunctSet: Sendable, Hashable {
  /// The number that stands for all conjuncts from it on.
  static let rest = 63

  private(set) var bits: UInt64

  static let empty = ConjunctSet(bits: 0)

  private init(bits: UInt64) { self.bits = bits }

  /// All of so many conjuncts.
  static func all(_ count: Int) -> ConjunctSet {
    ConjunctSet(bits: count > ConjunctSet.rest ? .max : 1 << UInt64(count) - 1)
  }

  var isEmpty: Bool { bits == 0 }

  @inline(__always)
  func contains(_ number: Int) -> Bool { bits >> UInt64(min(number, ConjunctSet.rest)) & 1 == 1 }

  mutating func insert(_ number: Int) { bits |= 1 << UInt64(min(number, ConjunctSet.rest)) }
  mutating func remove(_ number: Int) { bits &= ~(1 << UInt64(min(number, ConjunctSet.rest))) }

  func subtracting(_ other: ConjunctSet) -> ConjunctSet { ConjunctSet(bits: bits & ~other.bits) }
}
