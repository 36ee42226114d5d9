/// Writes the values that indexes have in words.
enum ValueText {
  /// A text in quotes; of a long one the beginning.
  static func text(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(60), as: UTF8.self) + (bytes.count > 60 ? "…" : "")
    return ExpressionNode.literal(LiteralNode(.string(text))).predicateFormat
  }

  /// An end's value.
  static func text(_ end: ValueInterval.End, _ type: FieldType.Scalar) -> String {
    switch type {
    case .int64: return "\(KeyEncoding.int64(end.first))"
    case .timestamp: return Timestamp(milliseconds: KeyEncoding.int64(end.first)).iso8601
    case .double: return "\(KeyEncoding.double(end.first))"
    default:
      if let text = end.text { return ValueText.text(text) }
      return ValueText.text(KeyEncoding.text(end.first, end.second))
    }
  }

  /// A term of an index of list members or references.
  static func text(term: [UInt8], _ type: FieldType.Scalar) -> String {
    switch type {
    case .int64, .timestamp, .double:
      return text(ValueInterval.End(first: term.reduce(0) { $0 << 8 | UInt64($1) }, isAfter: false), type)
    case .reference:
      // Zone name, zone owner, record name, with zeros between.
      return text(term.split(separator: 0, omittingEmptySubsequences: false).last.map { Array($0) } ?? term)
    default: return text(term)
    }
  }

  /// An interval as a condition on a field.
  static func relation(_ field: String, _ interval: ValueInterval, _ type: FieldType.Scalar) -> String {
    if interval.isPoint, let lower = interval.lower { return "\(field) = \(text(lower, type))" }
    var (lower, upper) = (interval.lower, interval.upper)
    if type == .double {
      if let end = lower, KeyEncoding.double(end.first) == -.infinity { lower = nil }
      if let end = upper, KeyEncoding.double(end.first) == .infinity { upper = nil }
    }
    switch (lower, upper) {
    case (nil, nil): return "\(field) any"
    case (let lower?, nil): return "\(field) \(lower.isAfter ? ">" : ">=") \(text(lower, type))"
    case (nil, let upper?): return "\(field) \(upper.isAfter ? "<=" : "<") \(text(upper, type))"
    case (let lower?, let upper?):
      return "\(field) \(lower.isAfter ? ">" : ">=") \(text(lower, type)) and \(upper.isAfter ? "<=" : "<") "
        + text(upper, type)
    }
  }
}
