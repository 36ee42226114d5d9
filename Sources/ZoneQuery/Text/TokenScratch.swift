/// Room for the tokens that do not fold to themselves, kept from one text to the next.
public struct TokenScratch: Sendable {
  /// The last token folded through the tables.
  var folded: [UInt8] = []
  /// Starts with the last ASCII token whose case was folded.
  private(set) var lowercased: [UInt8] = []

  /// Creates an empty scratch. Nothing is allocated.
  public init() {}

  /// Writes ASCII `bytes` to the start of `lowercased` with A…Z as a…z.
  @inline(__always)
  mutating func lowercase(_ bytes: Span<UInt8>) {
    if lowercased.count < bytes.count {
      lowercased = [UInt8](repeating: 0, count: max(32, 2 * bytes.count))
    }
    var room = lowercased.mutableSpan
    for index in bytes.indices { room[index] = bytes[index].asciiLowercased }
  }
}
