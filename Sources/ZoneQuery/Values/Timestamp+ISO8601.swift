extension Timestamp: CustomStringConvertible {
  /// The moment as ISO 8601 has it, in UTC: `2026-09-01T09:00:00Z`, with milliseconds where there are any. Years before 0 and
  /// behind 9999 have a sign and six digits at least; the calendar is the Gregorian, carried on without end.
  ///
  /// ```swift
  /// Timestamp(milliseconds: 1_788_220_800_123).iso8601    // 2026-09-01T00:00:00.123Z
  /// ```
  public var iso8601: String {
    let (second, millisecond) = Self.divided(milliseconds, by: 1_000)
    let (day, secondOfDay) = Self.divided(second, by: 86_400)
    let date = Self.civilDate(day)
    let year =
      date.year >= 0 && date.year <= 9_999
      ? Self.padded(date.year, 4) : (date.year < 0 ? "-" : "+") + Self.padded(abs(date.year), 6)
    let time = [secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60].map { Self.padded($0, 2) }
    return "\(year)-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))T\(time.joined(separator: ":"))"
      + (millisecond == 0 ? "" : "." + Self.padded(millisecond, 3)) + "Z"
  }

  /// The moment as ``iso8601`` has it.
  public var description: String { iso8601 }

  /// Reads a moment as ISO 8601 has it (its extended form): date, `T` and time of day to the minute at least, then `Z` or what
  /// the clock is ahead of UTC; nil where the text is none. What is finer than milliseconds is rounded to the nearest.
  ///
  /// ```swift
  /// Timestamp(iso8601: "2026-09-01T00:00:00.123Z")          // 1_788_220_800_123 milliseconds
  /// Timestamp(iso8601: "2026-09-01T09:00+09:00")            // 1_788_220_800_000 milliseconds
  /// Timestamp(iso8601: "2026-09-01")                        // nil
  /// ```
  ///
  /// Source: ISO 8601-1, 5.4.2.1 and 5.4.3. Complexity: linear in the text.
  public init?(iso8601 text: String) {
    // Not read by Foundation's `Date.ISO8601FormatStyle`: that takes the 29th of any February for a day of March, and
    // none of the years with a sign that ``iso8601`` writes.
    var text = text.utf8[...]
    func takes(_ letters: String) -> Bool {
      guard let first = text.first, letters.utf8.contains(first) else { return false }
      text.removeFirst()
      return true
    }
    func number(_ digits: ClosedRange<Int>) -> Int64? {
      let found = text.prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard digits.contains(found.count) else { return nil }
      text.removeFirst(found.count)
      return found.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    /// Hours and minutes, in minutes.
    func clock() -> Int64? {
      guard let hour = number(2...2), hour < 24, takes(":"), let minute = number(2...2), minute < 60 else { return nil }
      return hour * 60 + minute
    }
    let isNegative = text.first == UInt8(ascii: "-")
    let isLong = takes("+-")
    guard let year = number(isLong ? 6...9 : 4...4), takes("-"), let month = number(2...2), takes("-"),
      let day = number(2...2), month >= 1, month <= 12, day >= 1, takes("Tt"), let minutes = clock()
    else { return nil }
    var (second, millisecond): (Int64, Int64) = (0, 0)
    var finer: Substring.UTF8View = ""[...].utf8
    if takes(":") {
      guard let whole = number(2...2), whole < 60 else { return nil }
      second = whole
      if takes(".,") {
        let digits = text.prefix { $0 >= 0x30 && $0 <= 0x39 }
        if digits.isEmpty { return nil }
        text.removeFirst(digits.count)
        for place in 0..<3 {
          let digit = digits.dropFirst(place).first.map { Int64($0 - 0x30) } ?? 0
          millisecond = millisecond * 10 + digit
        }
        finer = digits.dropFirst(3)
      }
    }
    var ahead: Int64 = 0
    if !takes("Zz") {
      let isBehind = text.first == UInt8(ascii: "-")
      guard takes("+-"), let offset = clock() else { return nil }
      ahead = isBehind ? -offset : offset
    }
    guard text.isEmpty else { return nil }
    let date = (year: isNegative ? -year : year, month: month, day: day)
    let days = Self.days(of: date)
    // A day that its month lacks is another month's.
    guard Self.civilDate(days) == date else { return nil }
    let seconds = days * 86_400 + (minutes - ahead) * 60 + second
    // A half goes up, as with numbers of seconds.
    if let digit = finer.first, digit >= UInt8(ascii: "5") { millisecond += 1 }
    // Towards zero, so that the earliest moment is not left on the way to it.
    let (whole, rest) = seconds < 0 ? (seconds + 1, millisecond - 1_000) : (seconds, millisecond)
    let product = whole.multipliedReportingOverflow(by: 1_000)
    let sum = product.partialValue.addingReportingOverflow(rest)
    if product.overflow || sum.overflow { return nil }
    self.init(milliseconds: sum.partialValue)
  }

  /// The quotient rounded down, and the remainder, never negative.
  private static func divided(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func padded(_ value: Int64, _ count: Int) -> String {
    let digits = "\(value)"
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }

  /// The day of a date, counted from 1970-01-01, as ``civilDate(_:)`` has it.
  private static func days(of date: (year: Int64, month: Int64, day: Int64)) -> Int64 {
    let year = date.month <= 2 ? date.year - 1 : date.year
    let (era, yearOfEra) = divided(year, by: 400)
    let monthFromMarch = date.month > 2 ? date.month - 3 : date.month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + date.day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date of a day counted from 1970-01-01, in the Gregorian calendar carried on without end. Years are counted
  /// from March, so that the leap day is a year's last.
  private static func civilDate(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = divided(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}
