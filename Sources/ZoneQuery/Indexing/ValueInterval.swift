/// An interval of one field's values, in the words that indexes order them by.
///
/// ```
/// start > 5            from after 5, without an end
/// city = "Seoul"       from before "Seoul" to after "Seoul": a point
/// name BEGINSWITH "a"  from before "a" to before "b"
/// ```
struct ValueInterval: Sendable, Hashable {
  /// One end of the interval: before or after all entries with a value.
  struct End: Sendable, Hashable {
    /// The value's words: one for numbers and moments, two for texts.
    var first: UInt64
    var second: UInt64 = 0
    var isAfter: Bool
    /// The text's bytes where the words do not hold all of them.
    var text: [UInt8]?
  }

  /// Nil where the interval has no beginning.
  var lower: End?
  /// Nil where it has no end.
  var upper: End?
  /// Whether it holds one value alone.
  var isPoint: Bool

  /// Every value.
  static let everything = ValueInterval(lower: nil, upper: nil, isPoint: false)

  /// The values between two words, both included.
  init(word lower: UInt64, through upper: UInt64) {
    self.lower = lower == .min ? nil : End(first: lower, isAfter: false)
    self.upper = upper == .max ? nil : End(first: upper, isAfter: true)
    isPoint = lower == upper
    if isPoint {
      self.lower = End(first: lower, isAfter: false)
      self.upper = End(first: upper, isAfter: true)
    }
  }

  init(lower: End?, upper: End?, isPoint: Bool) {
    self.lower = lower
    self.upper = upper
    self.isPoint = isPoint
  }

  /// One text.
  init(text: [UInt8]) {
    self.init(
      lower: End(text, isAfter: false), upper: End(text, isAfter: true), isPoint: true)
  }

  /// What lies in both intervals; where they have nothing in common, an interval whose end is before its beginning.
  func intersection(_ other: ValueInterval) -> ValueInterval {
    var common = self
    common.isPoint = isPoint || other.isPoint
    if let end = other.lower, common.lower.map({ $0.isBefore(end) }) ?? true { common.lower = end }
    if let end = other.upper, common.upper.map({ end.isBefore($0) }) ?? true { common.upper = end }
    return common
  }

  /// Whether its end is not behind its beginning, so that no value lies in it.
  var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return !lower.isBefore(upper)
  }
}

extension ValueInterval.End {
  /// Whether the place is before another.
  func isBefore(_ other: ValueInterval.End) -> Bool {
    if first != other.first { return first < other.first }
    if second != other.second { return second < other.second }
    if let text, let otherText = other.text, text != otherText { return text.lexicographicallyPrecedes(otherText) }
    return !isAfter && other.isAfter
  }

  /// Before or after all entries with a text.
  init(_ text: [UInt8], isAfter: Bool) {
    let words = KeyEncoding.words(text)
    self.init(
      first: words.first, second: words.second, isAfter: isAfter, text: KeyEncoding.isLong(words.second) ? text : nil)
  }
}

extension ValueInterval {
  /// The texts that a relation holds for; nil where they are no interval.
  init?(_ relation: TextTest.Relation, _ operand: [UInt8]) {
    switch relation {
    case .equal: self.init(text: operand)
    case .less: self.init(lower: nil, upper: End(operand, isAfter: false), isPoint: false)
    case .lessOrEqual: self.init(lower: nil, upper: End(operand, isAfter: true), isPoint: false)
    case .greater: self.init(lower: End(operand, isAfter: true), upper: nil, isPoint: false)
    case .greaterOrEqual: self.init(lower: End(operand, isAfter: false), upper: nil, isPoint: false)
    case .prefix:
      guard !operand.isEmpty else { return nil }
      self.init(
        lower: End(operand, isAfter: false), upper: operand.endOfPrefix.map { End($0, isAfter: false) }, isPoint: false)
    case .suffix, .substring, .pattern: return nil
    }
  }
}
