// An unsafe leaf: looks into its array without asking each time how long that is.
//
// Invariant: the number of entries is a power of two, and `shift` leaves as many bits of a hash as this has; places are such
// hashes, or counted on from one and cut off.

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
    /// The type's ``FieldType/code``.
    let code: UInt8
  }

  /// In the order of the type.
  let names: [String]
  private let recordType: RecordType
  /// Names by the hashes of their words, or behind those that others took. There are four times as many as names at least,
  /// and a power of two.
  private let entries: [Entry]
  /// What makes a place of a hash.
  private let shift: UInt64
  /// What the hash multiplies the words by: drawn, so that nobody can choose names that have one place.
  private let factors: (UInt64, UInt64)

  init(_ recordType: RecordType) {
    self.recordType = recordType
    names = recordType.fields.map(\.name)
    let bits = Int.bitWidth - names.count.leadingZeroBitCount + 2
    shift = UInt64(64 - bits)
    factors = (.random(in: 0 ... .max) | 1, .random(in: 0 ... .max) | 1)
    var entries = Array(repeating: Entry(words: StringWords(""), position: -1, code: 0), count: 1 << bits)
    for (position, field) in recordType.fields.enumerated() where StringWords.areKnown {
      let words = StringWords(field.name)
      var place = FieldNames.place(words, factors, shift)
      while entries[place].position >= 0 { place = (place + 1) & (entries.count - 1) }
      entries[place] = Entry(words: words, position: Int32(truncatingIfNeeded: position), code: field.type.code)
    }
    self.entries = entries
  }

  @inline(__always)
  private static func place(_ words: StringWords, _ factors: (UInt64, UInt64), _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (words.first &* factors.0 &+ words.second &* factors.1) &>> shift)
  }

  /// The position and the type of the field with a name. Complexity: constant.
  func field(_ name: String) -> (position: Int, type: FieldType)? {
    // Another string of the same bytes may consist of other words.
    let position = entry(name).map { Int($0.position) } ?? recordType.position(of: name)
    return position.map { ($0, recordType.fields[$0].type) }
  }

  /// The position of the field with a name, and whether it is of a type; nil also where a field has the name, but as a string
  /// of other words.
  @inline(__always)
  func fieldByWords(_ name: String, _ type: FieldType) -> (position: Int, isOfType: Bool)? {
    entry(name).map { (Int($0.position), $0.code == type.code) }
  }

  /// The entry of the field with a name, by its words.
  @inline(__always)
  private func entry(_ name: String) -> Entry? {
    let words = StringWords(name)
    return unsafe entries.withUnsafeBufferPointer { entries in
      var place = FieldNames.place(words, factors, shift)
      while true {
        let entry = unsafe entries[place]
        if entry.position < 0 { return nil }
        if entry.words == words { return entry }
        place = (place &+ 1) & (entries.count &- 1)
      }
    }
  }
}

extension FieldType {
  /// A number that no other type has: two of these are compared sooner than two types.
  @inline(__always)
  fileprivate var code: UInt8 {
    let scalar: UInt8 =
      switch self.scalar {
      case .string: 0
      case .int64: 1
      case .double: 2
      case .bytes: 3
      case .timestamp: 4
      case .location: 5
      case .reference: 6
      case .asset: 7
      }
    return isList ? scalar | 8 : scalar
  }
}
