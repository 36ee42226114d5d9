/// An interval of one field's values, in words alone: a ``ValueInterval`` without the bytes of long texts.
///
/// Making, copying and asking one allocates and counts nothing.
struct KeyRange: Sendable, BitwiseCopyable {
  /// Before or after all entries with a value.
  struct End: Sendable, BitwiseCopyable {
    var first: UInt64
    var second: UInt64 = 0
    var isAfter: Bool

    @inline(__always)
    func isBefore(_ other: End) -> Bool {
      if first != other.first { return first < other.first }
      if second != other.second { return second < other.second }
      return !isAfter && other.isAfter
    }
  }

  /// Meaningless where the range has no beginning, or no end.
  var lower = End(first: 0, isAfter: false)
  var upper = End(first: 0, isAfter: true)
  var hasLower = false
  var hasUpper = false
  /// Whether it holds one value alone.
  var isPoint = false

  /// The values between two words, both included.
  init(word lower: UInt64, through upper: UInt64) {
    self.lower.first = lower
    self.upper.first = upper
    (hasLower, hasUpper, isPoint) = (true, true, lower == upper)
  }

  /// Nil where an end is a long text.
  init?(_ interval: ValueInterval) {
    if let end = interval.lower {
      if end.text != nil { return nil }
      lower = End(first: end.first, second: end.second, isAfter: end.isAfter)
      hasLower = true
    }
    if let end = interval.upper {
      if end.text != nil { return nil }
      upper = End(first: end.first, second: end.second, isAfter: end.isAfter)
      hasUpper = true
    }
    isPoint = interval.isPoint
  }

  /// The texts in a relation to one; nil where they are no interval that words tell. Where the text is long, its bytes
  /// belong to the ends.
  init?(_ comparison: ComparisonOperator, _ text: Span<UInt8>) {
    let words = KeyEncoding.words(text)
    let before = End(first: words.first, second: words.second, isAfter: false)
    var after = before
    after.isAfter = true
    switch comparison {
    case .equal: (lower, upper, hasLower, hasUpper, isPoint) = (before, after, true, true, true)
    case .less: (upper, hasUpper) = (before, true)
    case .lessOrEqual: (upper, hasUpper) = (after, true)
    case .greater: (lower, hasLower) = (after, true)
    case .greaterOrEqual: (lower, hasLower) = (before, true)
    case .beginsWith:
      guard let end = KeyEncoding.end(ofPrefix: text) else { return nil }
      (lower, hasLower, hasUpper) = (before, true, true)
      upper = End(first: end.first, second: end.second, isAfter: false)
    default: return nil
    }
  }

  /// What lies in both ranges; where they have nothing in common, one whose end is before its beginning.
  @inline(__always)
  func intersection(_ other: KeyRange) -> KeyRange {
    var common = self
    if other.hasLower, !hasLower || lower.isBefore(other.lower) {
      (common.lower, common.hasLower) = (other.lower, true)
    }
    if other.hasUpper, !hasUpper || other.upper.isBefore(upper) {
      (common.upper, common.hasUpper) = (other.upper, true)
    }
    common.isPoint = isPoint || other.isPoint
    return common
  }

  /// Whether an end is a long text, whose bytes are needed beside the words.
  @inline(__always)
  func isLong(wordCount: Int) -> Bool {
    wordCount == 2
      && (hasLower && KeyEncoding.isLong(lower.second) || hasUpper && KeyEncoding.isLong(upper.second))
  }

  /// The words of numbers that lie in the range, the first and the last; nil where there are none.
  var numbers: ClosedRange<UInt64>? {
    let isOpen = (lower: hasLower && lower.isAfter, upper: hasUpper && !upper.isAfter)
    let (first, last) = (hasLower ? lower.first : 0, hasUpper ? upper.first : .max)
    if isOpen.lower && first == .max || isOpen.upper && last == 0 { return nil }
    let words = (first: first + (isOpen.lower ? 1 : 0), last: last - (isOpen.upper ? 1 : 0))
    return words.first <= words.last ? words.first...words.last : nil
  }
}
