/// The names of a record type's fields, which are found by the words that they consist of as strings.
///
/// Whoever reads a record asks for each field by its name, and most names are short: a hash of their words takes less than
/// comparing a few, and one of their bytes takes longer.
struct FieldNames: Sendable {
  private struct Entry: Sendable {
    let words: StringWords
    /// −1 where there is no name.
    let position: Int
  }

  /// In the order of the type.
  let names: [String]
  /// Names by the hashes of their words, or behind those that others took. There are twice as many as names at least, and a
  /// power of two.
  private let entries: [Entry]
  /// What makes a place of a hash.
  private let shift: UInt64

  init(_ names: [String]) {
    self.names = names
    let bits = Int.bitWidth - names.count.leadingZeroBitCount + 1
    shift = UInt64(64 - bits)
    var entries = Array(repeating: Entry(words: StringWords(""), position: -1), count: 1 << bits)
    for (position, name) in names.enumerated() where StringWords.areKnown {
      let words = StringWords(name)
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

  /// The position of a name that consists of some words. Nil says nothing: another string of the same bytes may have others.
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
