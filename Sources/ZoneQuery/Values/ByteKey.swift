/// A text as the key of a dictionary or a set, compared and hashed by its bytes.
///
/// Swift's own `String` merges texts that Unicode calls equivalent, and hashing one with long runs of combining
/// marks takes quadratic time; names from outside must do neither.
package struct ByteKey: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ByteKey, right: ByteKey) -> Bool { sameBytes(left.text, right.text) }

  package func hash(into hasher: inout Hasher) { hashBytes(text, into: &hasher) }

  package var description: String { text }
}
