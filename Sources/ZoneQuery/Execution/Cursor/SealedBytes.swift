/// The form of cursors and change tokens: a header, whose last byte is the version of the format, a content, and a keyed
/// tag over both (SipHash-2-4, 128 bits).
struct SealedBytes {
  let header: [UInt8]
  /// The most bytes there may be, those of the tag included.
  let maximumSize: Int
  /// What they are called in messages: `cursor`.
  let name: String
  /// The error that says why some bytes are none.
  let refusal: @Sendable (String) -> ZoneQueryError

  /// A writer behind the header.
  var writer: CursorWriter { CursorWriter(bytes: header) }

  /// What was written, with its tag.
  func seal(_ writer: CursorWriter, key: SipHash.Key) -> [UInt8] {
    writer.bytes + SipHash.tag(of: writer.bytes, key: key)
  }

  /// A reader of the content of bytes whose tag is looked at only if a key is given.
  func open(_ bytes: [UInt8], key: SipHash.Key?) throws(ZoneQueryError) -> CursorReader {
    guard bytes.count <= maximumSize else { throw refusal("it has \(bytes.count) bytes, more than any \(name)") }
    let isKnown = bytes.starts(with: header.dropLast())
    guard isKnown, bytes.count >= header.count + SipHash.Key.length else {
      throw refusal(isKnown ? "it ends too early" : "the bytes are no \(name)'s")
    }
    guard bytes[header.count - 1] == header[header.count - 1] else {
      throw refusal("its format is version \(bytes[header.count - 1]), which is not known here")
    }
    let end = bytes.count - SipHash.Key.length
    if let key, !SipHash.areSame(SipHash.tag(of: Array(bytes[..<end]), key: key), bytes[end...]) {
      throw refusal("it was changed, or made by a database with another key")
    }
    return CursorReader(bytes: bytes, offset: header.count, end: end, refusal: refusal)
  }
}
