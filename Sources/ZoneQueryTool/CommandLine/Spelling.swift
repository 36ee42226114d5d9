/// Compares what a user typed with what there is, and finds what may have been meant.
enum Spelling {
  /// Whether two texts are the same bytes, the case of ASCII letters apart where asked for.
  static func isSame(_ left: String, _ right: String, ignoringCase: Bool = false) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    return zip(left.utf8, right.utf8).allSatisfy { $0 == $1 || ignoringCase && lowered($0) == lowered($1) }
  }

  /// The text where it is plain ASCII and short enough to be a word of the tool's own; else nothing.
  static func short(_ text: String) -> String {
    text.utf8.count <= 32 && text.utf8.allSatisfy { $0 < 0x80 } ? text : ""
  }

  /// The names in a list with commas, without the blanks around them; those without a letter are left out.
  static func names(_ list: String) -> [String] {
    list.utf8.split(separator: UInt8(ascii: ",")).compactMap { part in
      let name = withoutBlanks(part)
      return name.isEmpty ? nil : name
    }
  }

  /// A text without the blanks around it.
  static func withoutBlanks(_ text: Substring.UTF8View) -> String {
    var text = text
    while text.first == 0x20 { text.removeFirst() }
    while text.last == 0x20 { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  /// The candidate that differs least from `text`, where that is little enough to be a slip.
  static func nearest(to text: String, among candidates: [String]) -> String? {
    let typed = text.utf8.prefix(40).map(lowered)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let wanted = candidate.utf8.map(lowered)
      let isBeginning = typed.count >= 3 && wanted.starts(with: typed)
      let distance = isBeginning ? 1 : distance(typed, wanted)
      if distance <= max(1, min(typed.count, wanted.count) / 3), distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    return best?.name
  }

  /// The number of letters to put in, take out, replace or exchange with their neighbour.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var least = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (byte == other ? 0 : 1))
        if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
          least = min(least, beforePrevious[column - 1] + 1)
        }
        current.append(least)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}

/// Lists of names as sentences have them.
enum TextList {
  /// `a, b or c`.
  static func alternatives(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}
