/// The names of a record type's fields, which are found by the words that they consist of as strings.
///
/// Whoever reads a record asks for each field by its name, and most names are short: a hash of their words takes less than
/// comparing a few, and one of their bytes takes longer.
struct FieldNames: Sendable {
  private struct Entry: Sendable {
    let words: StringWords
    let position: Int
  }

  /// In the order of the type.
  let names: [String]
  /// Twice as many as names at least, and a power of two: some are free, with a negative position.
  private let entries: [Entry]
  /// What makes a place of a hash.
  private let shift: UInt64

  init(_ names: [String]) {
    self.names = names
    let bits = UInt64(max(1, Int.bitWidth - names.count.leadingZeroBitCount + 1))
    shift = 64 - bits
    var entries = Array(repeating: Entry(words: .none, position: -1), count: 1 << Int(bits))
    for (position, name) in names.enumerated() {
      let words = StringWords(name)
      if words == .none { continue }
      var place = FieldNames.place(words, shift)
      while entries[place].position >= 0 { place = (place + 1) & (entries.count - 1) }
      entries[place] = Entry(words: words, position: position)
    }
    self.entries = entries
  }

  @inline(__always)
  private static func place(_ words: StringWords, _ shift: UInt64) -> Int {
    let mixed = (words.first ^ (words.second &<< 1 | words.second &>> 63)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> shift)
  }

  /// The position of a name whose words are known; nil says nothing of a longer name.
  @inline(__always)
  func position(_ words: StringWords) -> Int? {
    var place = FieldNames.place(words, shift)
    while true {
      let entry = entries[place]
      if entry.position < 0 { return nil }
      if entry.words == words { return entry.position }
      place = (place &+ 1) & (entries.count &- 1)
    }
  }
}
