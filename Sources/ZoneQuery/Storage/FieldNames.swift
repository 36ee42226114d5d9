/// The names of a record type's fields, which are found by the words that they consist of as strings.
///
/// Whoever reads a record asks for each field by its name, and most names are short: a hash of their words takes less than
/// comparing a few, and one of their bytes takes longer.
///
/// An object, so that who asks for a field needs but one word of it.
final class FieldNames: Sendable {
  private struct Entry: Sendable {
    let words: StringWords
    /// −1 where there is no name.
    let position: Int32
    let type: FieldType
  }

  /// In the order of the type.
  let names: [String]
  private let recordType: RecordType
  /// Names by the hashes of their words, or behind those that others took. There are twice as many as names at least, and a
  /// power of two.
  private let entries: [Entry]
  /// What makes a place of a hash.
  private let shift: UInt64

  init(_ recordType: RecordType) {
    self.recordType = recordType
    names = recordType.fields.map(\.name)
    let bits = Int.bitWidth - names.count.leadingZeroBitCount + 1
    shift = UInt64(64 - bits)
    var entries = Array(repeating: Entry(words: StringWords(""), position: -1, type: .string), count: 1 << bits)
    for (position, field) in recordType.fields.enumerated() where StringWords.areKnown {
      let words = StringWords(field.name)
      var place = FieldNames.place(words, shift)
      while entries[place].position >= 0 { place = (place + 1) & (entries.count - 1) }
      entries[place] = Entry(words: words, position: Int32(truncatingIfNeeded: position), type: field.type)
    }
    self.entries = entries
  }

  @inline(__always)
  private static func place(_ words: StringWords, _ shift: UInt64) -> Int {
    let mixed = (words.first ^ (words.second &<< 1 | words.second &>> 63)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> shift)
  }

  /// The position and the type of the field with a name. Complexity: constant.
  func field(_ name: String) -> (position: Int, type: FieldType)? {
    // Another string of the same bytes may consist of other words.
    fieldByWords(name) ?? recordType.position(of: name).map { ($0, recordType.fields[$0].type) }
  }

  /// The same; nil also where a field has the name, but as a string of other words.
  @inline(__always)
  func fieldByWords(_ name: String) -> (position: Int, type: FieldType)? {
    let words = StringWords(name)
    var place = FieldNames.place(words, shift)
    while true {
      let entry = entries[place]
      if entry.position < 0 { return nil }
      if entry.words == words { return (Int(entry.position), entry.type) }
      place = (place &+ 1) & (entries.count &- 1)
    }
  }
}
