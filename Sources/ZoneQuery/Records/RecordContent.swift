// An unsafe leaf: what a record refers to, which is one of two kinds of object.
//
// Invariant: `start` is negative where the object is a `RecordValues`; else it is a `RecordBlock`, and `start` the place
// of the record in it.
// Proof of Sendable: values are changed behind `makeOwn` alone, which makes sure that no other content refers to them; a block
// does not change once a record refers to it.

/// What the copies of a record share.
class RecordObject: @unchecked Sendable {}

/// The parts of a record that was made, or changed since a database returned it.
final class RecordValues: RecordObject, @unchecked Sendable {
  @exclusivity(unchecked) var fields: RecordFields

  init(_ fields: RecordFields) { unsafe self.fields = fields }
}

/// What a record holds: its parts, or the place where its values lie as they were stored.
struct RecordContent: Sendable {
  private var object: RecordObject
  /// The place of the record in its block; negative where it has parts.
  let start: Int

  init(_ fields: RecordFields) {
    object = RecordValues(fields)
    start = -1
  }

  init(_ block: RecordBlock, _ start: Int) {
    object = block
    self.start = start
  }

  /// Whether it lies in a block.
  @inline(__always)
  var isCopied: Bool { start >= 0 }

  private var values: RecordValues { unsafe unsafeDowncast(object, to: RecordValues.self) }

  /// The parts of one that does not lie in a block.
  @inline(__always)
  var fields: RecordFields { _read { yield unsafe values.fields } }

  /// The block of one that lies in one.
  @inline(__always)
  var block: RecordBlock { unsafe unsafeDowncast(object, to: RecordBlock.self) }

  /// The parts, to be changed: this content's alone from then on.
  @inline(__always)
  var ownFields: RecordFields {
    mutating get {
      makeOwn()
      return unsafe values.fields
    }
    _modify {
      makeOwn()
      yield unsafe &values.fields
    }
  }

  /// Makes parts of what lies in a block or is shared.
  mutating func makeOwn() {
    if isCopied {
      self = RecordContent(block.fields(start))
    } else if !isKnownUniquelyReferenced(&object) {
      object = unsafe RecordValues(values.fields)
    }
  }
}
