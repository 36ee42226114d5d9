/// What the writer and the reader of cursors agree on.
enum CursorFormat {
  /// The first bytes, the last of them the version of the format.
  static let header = Array("ZQC".utf8) + [4]
  /// The most bytes a cursor has: several times what the longest predicate within the parser's limits prints to.
  static let maximumSize = 64 << 20

  /// The form of a cursor.
  static let bytes = SealedBytes(
    header: header, maximumSize: maximumSize, name: "cursor", refusal: { QueryCursor.invalid($0) })

  // The bits of a predicate's options.
  static let extended: UInt8 = 1
  static let likeNSPredicate: UInt8 = 2
  static let caseInsensitive: UInt8 = 4

  // Whether a zone follows.
  static let absent: UInt8 = 0
  static let present: UInt8 = 1

  // The kinds of sort keys.
  static let ascending: UInt8 = 0
  static let descending: UInt8 = 1
  static let distance: UInt8 = 2

  /// The types of fields, a byte each: its place here.
  static let types: [FieldType.Scalar] = [
    .string, .int64, .double, .bytes, .timestamp, .location, .reference, .asset,
  ]

  // The kinds of values.
  static let missing: UInt8 = 0
  static let integer: UInt8 = 1
  static let double: UInt8 = 2
  static let byteString: UInt8 = 3

  // The kinds of positions.
  static let sorted: UInt8 = 0
  static let table: UInt8 = 1
  static let index: UInt8 = 2
}
