/// How the values of a field lie in a group's chunks.
///
/// | kind | types | eight bytes a row |
/// | --- | --- | --- |
/// | `integer` | INT64, TIMESTAMP | the number |
/// | `double` | DOUBLE | the number |
/// | `location` | LOCATION | latitude; in a second plane longitude; in a third, where any has them, details |
/// | `name` | record names | some times eight bytes: ``RowGroup/name(_:)`` |
/// | `bytes` | STRING, BYTES, ASSET | ``ByteSlot`` |
/// | `reference` | REFERENCE | ``ByteSlot``: the action, then the ID's encoding |
/// | `list` | lists but of references and locations | ``ByteSlot`` |
/// | `locationList` | LIST of LOCATION | ``ByteSlot``; in a second plane, where any has them, details |
/// | `referenceList` | LIST of REFERENCE | ``ByteSlot`` |
///
/// Encrypted fields lie as others of their type; no predicate is ever bound to them.
enum ColumnKind: UInt8, Sendable {
  case integer, double, location, name, bytes, reference, list, locationList, referenceList

  init(_ type: FieldType) {
    self =
      switch (type.scalar, type.isList) {
      case (.int64, false), (.timestamp, false): .integer
      case (.double, false): .double
      case (.location, false): .location
      case (.reference, false): .reference
      case (.string, false), (.bytes, false), (.asset, false): .bytes
      case (.location, true): .locationList
      case (.reference, true): .referenceList
      case (.int64, true), (.timestamp, true), (.double, true), (.string, true), (.bytes, true), (.asset, true): .list
      }
  }

  /// The number of planes that every chunk of a field has; one more is for details.
  var planes: Int { self == .location ? 2 : 1 }

  /// Whether a column may have one cell for all its rows while they have one value.
  var mayBeConstant: Bool { self != .name && self != .location && self != .locationList }

  /// Whether the first plane is of byte slots.
  var holdsBytes: Bool { rawValue >= ColumnKind.bytes.rawValue }

  /// Whether a plane is of byte slots.
  func holdsBytes(plane: Int) -> Bool { plane == planes || holdsBytes }

  var isList: Bool { rawValue >= ColumnKind.list.rawValue }
}
