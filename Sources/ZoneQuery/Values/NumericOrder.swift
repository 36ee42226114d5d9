/// Exact comparisons of whole and floating-point numbers: by mathematical value, never by casting one to the
/// other's type (2⁵³ + 1 differs from the double 2⁵³, and `Int64.max` from the double 2⁶³).
enum NumericOrder {
  /// The closed range of `Int64` that holds exactly the whole numbers for which `number < / <= / > / >= bound`
  /// has the answer yes; `nil` where there are none.
  static func wholeNumbers(_ relation: Relation, _ bound: Double) -> ClosedRange<Int64>? {
    switch relation {
    case .equal: return Int64(exactly: bound).map { $0...$0 }
    case .less, .lessOrEqual:
      if relation == .less, let exact = Int64(exactly: bound) {
        return exact == .min ? nil : Int64.min...(exact - 1)
      }
      let floor = bound.rounded(.down)
      if floor < -0x1p63 { return nil }
      return Int64.min...(Int64(exactly: floor) ?? .max)
    case .greater, .greaterOrEqual:
      if relation == .greater, let exact = Int64(exactly: bound) {
        return exact == .max ? nil : (exact + 1)...Int64.max
      }
      let ceiling = bound.rounded(.up)
      if ceiling >= 0x1p63 { return nil }
      return (Int64(exactly: ceiling) ?? .min)...Int64.max
    }
  }

  /// The closed range of doubles, infinities included, that holds exactly the doubles `d` for which
  /// `d relation bound` holds; `nil` where there are none.
  static func doubles(_ relation: Relation, _ bound: Double) -> ClosedRange<Double>? {
    switch relation {
    case .equal: return bound...bound
    case .less: return bound == -.infinity ? nil : -Double.infinity...bound.nextDown
    case .lessOrEqual: return -Double.infinity...bound
    case .greater: return bound == .infinity ? nil : bound.nextUp...Double.infinity
    case .greaterOrEqual: return bound...Double.infinity
    }
  }

  /// As ``doubles(_:_:)-(_,Double)``, for a whole bound that no double may equal.
  static func doubles(_ relation: Relation, _ bound: Int64) -> ClosedRange<Double>? {
    let nearest = Double(bound)
    switch compare(bound, nearest) {
    case 0: return doubles(relation, nearest)
    case let order:
      let below = order < 0 ? nearest.nextDown : nearest
      switch relation {
      case .equal: return nil
      case .less, .lessOrEqual: return -Double.infinity...below
      case .greater, .greaterOrEqual: return below.nextUp...Double.infinity
      }
    }
  }

  /// −1, 0 or 1 as `whole` is less than, equal to or greater than `number`, which is not NaN.
  static func compare(_ whole: Int64, _ number: Double) -> Int {
    if number >= 0x1p63 { return -1 }
    if number < -0x1p63 { return 1 }
    let down = number.rounded(.down)
    let floor = Int64(down)
    if whole != floor { return whole < floor ? -1 : 1 }
    return number > down ? -1 : 0
  }

  /// A relation between a value and a bound, negations and mirror images already taken out.
  enum Relation {
    case equal, less, lessOrEqual, greater, greaterOrEqual
  }
}
