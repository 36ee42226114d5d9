public import FoundationEssentials

extension Timestamp {
  /// Creates the millisecond nearest to a date, the distant ends of the range where the date lies beyond it.
  ///
  /// ```swift
  /// Timestamp(Date(timeIntervalSince1970: 1.0004)).milliseconds   // 1000
  /// ```
  public init(_ date: Date) {
    let seconds = date.timeIntervalSince1970
    self =
      Timestamp(secondsSince1970: seconds)
      ?? Timestamp(milliseconds: seconds < 0 ? .min : .max)
  }

  /// The date.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Date: PredicateArgument {
  /// The date, rounded to the nearest millisecond.
  public var predicateArgument: ArgumentValue {
    guard let moment = Timestamp(secondsSince1970: timeIntervalSince1970) else {
      return .unsupported("the date is beyond the range of 64-bit milliseconds")
    }
    return .literal(.date(milliseconds: moment.milliseconds))
  }
}

extension FieldValue {
  /// The `TIMESTAMP` value of a date, rounded to the nearest millisecond.
  public static func date(_ date: Date) -> FieldValue { .timestamp(Timestamp(date)) }

  /// The `BYTES` value of data.
  public static func data(_ data: Data) -> FieldValue { .bytes(Array(data)) }
}
