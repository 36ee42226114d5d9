public import FoundationEssentials

extension Timestamp {
  /// Creates the millisecond nearest to a date, the later of two that are as near; the distant ends of the range where the
  /// date lies beyond it, the latest where it is no number.
  ///
  /// ```swift
  /// Timestamp(Date(timeIntervalSince1970: 1.0004)).milliseconds   // 1000
  /// ```
  public init(_ date: Date) {
    self =
      Timestamp(exactly: date)
      ?? Timestamp(milliseconds: date.timeIntervalSinceReferenceDate < 0 ? .min : .max)
  }

  /// The millisecond nearest to a date; nil where the date is no number, or lies beyond the range.
  fileprivate init?(exactly date: Date) {
    // A date is held by its distance from 2001: the one from 1970 has fewer digits behind the point.
    let scaled = CastLiteral.nearest(date.timeIntervalSinceReferenceDate * 1000)
    if let near = Int64(exactly: scaled) {
      let (sum, isBeyond) = near.addingReportingOverflow(CastLiteral.referenceDate)
      if isBeyond { return nil }
      self.init(milliseconds: sum)
    } else {
      guard let far = Int64(exactly: scaled + Double(CastLiteral.referenceDate)) else { return nil }
      self.init(milliseconds: far)
    }
  }

  /// The date.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Date: PredicateArgument {
  /// The date, rounded to the nearest millisecond.
  public var predicateArgument: ArgumentValue {
    guard let moment = Timestamp(exactly: self) else {
      let isNumber = !timeIntervalSinceReferenceDate.isNaN
      return .unsupported(
        isNumber
          ? "the date is beyond the range of 64-bit milliseconds, which Timestamp(_:) gives the end of"
          : "the date is NaN, which is no moment")
    }
    return .literal(.date(milliseconds: moment.milliseconds))
  }
}

extension FieldValue {
  /// The `TIMESTAMP` value of a date, rounded to the nearest millisecond; of one beyond what 64 bits of milliseconds hold, or
  /// of none (NaN), the one that ``Timestamp/init(_:)`` gives.
  public static func date(_ date: Date) -> FieldValue { .timestamp(Timestamp(date)) }

  /// The `BYTES` value of data.
  public static func data(_ data: Data) -> FieldValue { .bytes(Array(data)) }
}

extension Record {
  /// The moment of a TIMESTAMP field as a date; ``timestamp(_:)`` is exact for every moment.
  public func date(_ name: String) -> Date? { timestamp(name)?.date }

  /// The bytes of a BYTES field as data.
  public func data(_ name: String) -> Data? { bytes(name).map { Data($0) } }
}
