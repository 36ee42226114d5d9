internal import ZoneQuery

/// The values at which engines go wrong: where types end, where rounding begins, where two spellings look alike.
enum BoundaryValues {
  static let strings = [
    "", "a", "A", "b", "ab", "abc", "B", "z", "aa", "\u{E9}", "e\u{301}", "E\u{301}", "\u{C9}", "Stra\u{DF}e",
    "STRASSE",
    "strasse", "\u{DF}", "ss", "SS", "\u{1E9E}", "\u{130}", "i\u{307}", "I", "i", "\u{131}", "\u{FB01}", "fi",
    "\u{FFFF}", "\u{10000}", "\u{1F600}", "a\u{0}b", "the", "The of", "'", "\"", "\\", "*", "?", "a*b", "a?b", " ",
    "\u{301}", "a b", "\u{3C3}", "\u{3C2}", "\u{3A3}", "\u{212A}", "k", "\u{E4}b", "a\u{308}b", "%@", "{0}", "nil",
  ]

  /// Texts whose words a token search finds; stop words, accents and joined words among them.
  static let texts = [
    "", "after session", "After the Session", "maps of the sea", "the", "to be or not to be", "Caf\u{E9} tables",
    "cafe", "CAFE\u{301}", "night sky", "sky", "don't stop", "3.14", "a b c", "sea-side", "x_y", "Stra\u{DF}e",
    "strasse night", "session", "maps", "\u{6771}\u{4EAC}", "sea, sea; sea", "...", "Sky NIGHT", "tables\u{0}maps",
  ]

  /// Texts of more than seven bytes that begin alike, pairs of which have the same upper half of a hash (FNV-1a of 64
  /// bits): engines that keep a beginning and a hash of a text take one for the other, unless they look.
  static let alike = [
    "seats 6604", "seats 102901", "seats 6606", "seats 102903", "seats 6607", "seats 102900", "seats 6608",
  ]

  /// Texts that begin alike for as long as an index's key holds of a text, some twenty letters, and a little less and
  /// more: engines that compare keys alone take one for the other.
  static let long = [
    "the quick brown fox ju", "the quick brown fox jum", "the quick brown fox jump", "the quick brown fox jumps",
    "the quick brown fox jumped", "the quick brown fox jum\u{0}", "the quick brown fox jum\u{E9}",
    "aaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaab",
    "\u{44F}\u{44F}\u{44F}\u{44F}\u{44F}\u{44F}\u{44F}", "\u{44F}\u{44F}\u{44F}\u{44F}\u{44F}\u{44F}\u{44F}\u{44F}",
  ]

  static let words = [
    "after", "session", "maps", "sea", "cafe", "tables", "night", "sky", "the", "x_y", "3.14", "Caf\u{E9}",
  ]

  static let integers: [Int64] = [
    0, 1, -1, 2, 3, .max, .min, .max - 1, .min + 1, 1 << 53, 1 << 53 + 1, 1 << 53 - 1, -(1 << 53), -(1 << 53) - 1,
    1 << 31, 1 << 32, 1 << 62,
  ]

  static let doubles: [Double] = [
    0, -0.0, 0.5, 1, -1, 1.5, 2, 0x1p53, 0x1p53 + 2, -0x1p53, 0x1p53 - 1, 0x1p63, -0x1p63, (0x1p63).nextDown, .infinity,
    -.infinity,
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, 1e300, 3, 2.5,
  ]

  static let moments: [Int64] = [
    0, 1, -1, 999, 1000, 978_307_200_000, 978_307_200_001, 978_307_199_999, 725_760_000_000, 1_788_000_000_000,
    .max, .min, 1_000_000_000_000,
  ]

  static let places: [(latitude: Double, longitude: Double)] = [
    (0, 0), (0, 180), (0, -180), (90, 0), (90, 123), (-90, 5), (-90, -180), (0, 179.9999), (0, -179.9999),
    (-16.8, 179.99), (-16.8, -179.99), (37.783, -122.404), (0, 1e-9), (30, 0), (-30, 180), (-30, 179.7),
    (48.8566, 2.3522),
    (45.764, 4.8357), (89.9999, 10), (89.9999, -170),
  ]

  static let names = ["r0", "r1", "r2", "anna", "ben", "a/b", "x y", "R0", "r10"]
}
