/// A number as JSON text carries it: whole or not, exact within `Int64`, and finite always.
///
/// Whether a number is whole is told by its text: `3` is, `3.0` and `3e0` are not. CloudKit Web Services writes an
/// INT64 in the first form and a DOUBLE in the second, and this type keeps them apart on the way back.
package struct JSONNumber: Sendable, Equatable {
  private enum Storage: Sendable {
    case whole(Int64)
    /// `-0`, whose integer is 0 and whose double is −0.0.
    case negativeZero
    case wholeBeyondInt64(Double)
    case fractional(Double)
    /// With a fraction that the nearest double, a whole number, does not have.
    case roundedToWhole(Double)
  }

  private let storage: Storage

  /// A whole number, written `3`.
  package init(_ value: Int64) { storage = .whole(value) }

  /// A number of DOUBLE, written `3.0`; `nil` for NaN and the infinities, which JSON cannot carry.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    storage = .fractional(value)
  }

  /// A whole number beyond `Int64`, as its nearest double; `nil` where that is not finite or smaller.
  package init?(wholeBeyondInt64 value: Double) {
    guard value.isFinite, value.magnitude >= 0x1p63 else { return nil }
    storage = .wholeBeyondInt64(value)
  }

  /// The nearest double, a whole number, of a number that is none.
  package init(roundedToWhole value: Double) { storage = .roundedToWhole(value) }

  /// The text `-0`.
  package static let negativeZero = JSONNumber(storage: .negativeZero)

  private init(storage: Storage) { self.storage = storage }

  /// The value, where the text is a whole number within `Int64`; `3.0` has none.
  package var integer: Int64? {
    switch storage {
    case .whole(let value): value
    case .negativeZero: 0
    case .wholeBeyondInt64, .fractional, .roundedToWhole: nil
    }
  }

  /// The value as `Int64`, where it is one, in whatever form it was written: 3 for `3`, `3.0` and `0.3e1`. From 2⁵³ on one with
  /// a fraction or an exponent is none: what was written may have been another number.
  package var exactInteger: Int64? {
    switch storage {
    case .whole(let value): value
    case .negativeZero: 0
    case .wholeBeyondInt64, .roundedToWhole: nil
    case .fractional(let value): value.magnitude < 0x1p53 ? Int64(exactly: value) : nil
    }
  }

  /// The nearest double; finite.
  package var double: Double {
    switch storage {
    case .whole(let value): Double(value)
    case .negativeZero: -0.0
    case .wholeBeyondInt64(let value), .fractional(let value), .roundedToWhole(let value): value
    }
  }

  /// Whether the text has neither fraction nor exponent, within `Int64` or beyond.
  package var isWhole: Bool {
    switch storage {
    case .whole, .negativeZero, .wholeBeyondInt64: true
    case .fractional, .roundedToWhole: false
    }
  }

  /// Whether both are the same number in the same form: `3` is not `3.0`, and `0.0` is not `-0.0`.
  package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    switch (left.storage, right.storage) {
    case (.whole(let a), .whole(let b)): a == b
    case (.negativeZero, .negativeZero): true
    case (.wholeBeyondInt64(let a), .wholeBeyondInt64(let b)): a == b
    case (.whole, _), (.negativeZero, _), (.wholeBeyondInt64, _), (_, .whole), (_, .negativeZero),
      (_, .wholeBeyondInt64):
      false
    default: left.double.bitPattern == right.double.bitPattern
    }
  }
}
