extension Timestamp {
  /// The moment as ISO 8601 has it, in UTC: `2026-09-01T09:00:00Z`, with milliseconds where there are any.
  package var iso8601: String {
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

  /// The quotient rounded down, and the remainder, never negative.
  private static func divided(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func padded(_ value: Int64, _ count: Int) -> String {
    let digits = "\(value)"
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
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
