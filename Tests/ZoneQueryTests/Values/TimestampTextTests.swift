import Testing

@testable import ZoneQuery

/// Moments as ISO 8601 writes them, and read back.
struct TimestampTextTests {
  private static let day: Int64 = 86_400_000

  /// A day's count by another way: the days of all years and months before it.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
    var count = 0
    for other in min(year, 1970)..<max(year, 1970) {
      count += (isLeap(other) ? 366 : 365) * (year < 1970 ? -1 : 1)
    }
    let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return Int64(count + lengths[..<(month - 1)].reduce(0, +) + day - 1)
  }

  @Test func firstAndLastDaysOfMonths() {
    for year in [-401, -1, 0, 1, 1582, 1899, 1900, 1969, 1970, 1999, 2000, 2024, 2026, 2100, 2400, 9999, 10_000] {
      for month in 1...12 {
        for day in [1, 2, 27, 28] {
          let moment = Timestamp(milliseconds: Self.days(year, month, day) * Self.day)
          let written = moment.iso8601
          let sign = year < 0 ? "-" : year > 9_999 ? "+" : ""
          let digits = "\(abs(year))"
          let padded = String(repeating: "0", count: (sign.isEmpty ? 4 : 6) - digits.count) + digits
          let date = "\(sign)\(padded)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
          #expect(written == date + "T00:00:00Z")
          #expect(Timestamp(iso8601: written) == moment)
          let last = Timestamp(milliseconds: moment.milliseconds + Self.day - 1)
          #expect(last.iso8601 == date + "T23:59:59.999Z" && Timestamp(iso8601: last.iso8601) == last)
        }
      }
    }
  }

  @Test(arguments: [
    ("1970-01-01T00:00Z", 0), ("1970-01-01t00:00:00z", 0), ("1970-01-01T00:00:59Z", 59_000),
    ("1970-01-01T23:59Z", 86_340_000), ("1970-01-01T00:00:00.5Z", 500), ("1970-01-01T00:00:00,25Z", 250),
    ("1970-01-01T00:00:00.0004Z", 0), ("1970-01-01T00:00:00.0005Z", 1), ("1970-01-01T00:00:00.99949Z", 999),
    ("1970-01-01T00:00:00.9995Z", 1_000), ("1969-12-31T23:59:59.9Z", -100), ("1969-12-31T23:59:59.0004Z", -1_000),
    ("1970-01-01T09:00+09:00", 0), ("1969-12-31T23:30-00:30", 0), ("1970-01-01T00:00+23:59", -86_340_000),
    ("+001970-01-01T00:00Z", 0), ("+000001970-01-01T00:00Z", 0), ("1972-02-29T00:00Z", 68_169_600_000),
    ("-000001-01-01T00:00Z", -62_198_755_200_000),
  ])
  func reads(text: String, milliseconds: Int64) {
    #expect(Timestamp(iso8601: text) == Timestamp(milliseconds: milliseconds))
  }

  @Test(arguments: [
    "", "1970", "1970-01-01", "1970-01-01T", "1970-01-01T00Z", "1970-01-01T00:00", "1970-01-01 00:00Z",
    "1970-1-01T00:00Z", "1970-00-01T00:00Z", "1970-13-01T00:00Z", "1970-01-00T00:00Z", "1970-01-32T00:00Z",
    "1970-02-29T00:00Z", "1900-02-29T00:00Z", "1970-04-31T00:00Z", "1970-01-01T24:00Z", "1970-01-01T00:60Z",
    "1970-01-01T00:00:60Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:0Z", "1970-01-01T00:00.5Z",
    "1970-01-01T00:00Zx", "1970-01-01T00:00ZZ", "1970-01-01T00:00+1", "1970-01-01T00:00+24:00",
    "1970-01-01T00:00+0900", "970-01-01T00:00Z", "01970-01-01T00:00Z", "+1970-01-01T00:00Z",
    "+0000001970-01-01T00:00Z", "1970/01-01T00:00Z", "1970-01/01T00:00Z", "1970-01-01T00.00Z", "x1970-01-01T00:00Z",
    "1970-0a-01T00:00Z", "1970-01-01T0a:00Z", "1970-01-01T00:00:00.aZ", "+999999999-01-01T00:00Z",
  ])
  func refuses(text: String) { #expect(Timestamp(iso8601: text) == nil) }

  @Test func theFarthestMoments() {
    for milliseconds in [Int64.max, .min, .max - 1, .min + 1] {
      let moment = Timestamp(milliseconds: milliseconds)
      #expect(Timestamp(iso8601: moment.iso8601) == moment)
    }
  }
}
