/// How many columns of a terminal text takes.
enum DisplayWidth {
  /// The columns of a text: wide East Asian characters take two, marks that join the one before take none.
  static func columns(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // The vowels and finals of a Hangul syllable in parts join its first consonant.
    if scalar.value >= 0x1160, scalar.value <= 0x11FF { return 0 }
    return isWide(scalar.value) ? 2 : 1
  }

  /// The text, cut to so many columns with … at its end where it is longer. Of marks heaped on one another a few
  /// are kept, so that a text never takes more room in a file than its columns warrant.
  static func cut(_ text: String, to limit: Int) -> String {
    if text.utf8.count <= limit { return text }
    var kept = String.UnicodeScalarView()
    var width = 0
    var marks = 0
    var bytes = 0
    // The bytes before the cut if the text turns out too long.
    var fitting = 0
    for scalar in text.unicodeScalars {
      let columns = columns(of: scalar)
      width += columns
      if width > limit { return String(decoding: String(kept).utf8.prefix(fitting), as: UTF8.self) + "…" }
      marks = columns == 0 ? marks + 1 : 0
      if marks > mostMarks { continue }
      kept.append(scalar)
      bytes += UTF8.width(scalar)
      if width < limit { fitting = bytes }
    }
    return String(kept)
  }

  private static let mostMarks = 8

  private static func isWide(_ value: UInt32) -> Bool {
    if value < 0x1100 { return false }
    var low = 0
    var high = wideRanges.count
    while low < high {
      let middle = (low + high) / 2
      if wideRanges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wideRanges.count && wideRanges[low].contains(value)
  }

  /// East_Asian_Width W and F (Unicode 15), with the unassigned places of the blocks around them.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
    0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
    0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
    0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
    0x3040...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7AF, 0xF900...0xFAFF,
    0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320,
    0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3,
    0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC,
    0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596,
    0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2,
    0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EF, 0x1F6F4...0x1F6FF, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A,
    0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
  ]
}
