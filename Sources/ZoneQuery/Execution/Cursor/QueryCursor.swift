/// The place where a page of a query's answer ended, from which the next page goes on.
///
/// ```swift
/// var page = try database.records(matching: query, resultsLimit: 50)
/// while let cursor = page.cursor {
///   page = try database.records(continuingMatchFrom: cursor, resultsLimit: 50)
/// }
/// ```
///
/// A cursor is opaque and can be archived, as ``data`` or as text. It is signed and not encrypted: whoever is given one can
/// read the predicate and its constants out of it. It holds the query, what its predicate is read by
/// (``PredicateOptions``), its scope, the values of its parameters, what `now()` was for the first page, and the last record's
/// place, which is its name and the values it is sorted by, whole; not the desired keys, and nothing of the database. Its size
/// is that of these, some 150 bytes and no more than 64 MiB: sort by short fields where it goes into a URL. Whatever is
/// written between two pages, a record that nobody touches comes exactly once.
///
/// It carries a tag made with the database's ``Database/Configuration/cursorKey``: a cursor that was damaged, changed
/// or made under another key or other ``PredicateOptions`` is refused with ``ZoneQueryError/Code/invalidCursor``. A cursor of
/// a sorted query names a place among the values, so that any database with the key and the record type goes on from it. One
/// of a query without a sort names a place in the store that made it; where that is gone, as in another process or after the
/// zone was deleted and created again, it is refused with ``ZoneQueryError/Code/cursorExpired``.
///
/// Differs from `CKQueryOperation.Cursor`: it can be written down as text.
public struct QueryCursor: Sendable, Hashable {
  /// The cursor as bytes. Complexity: linear in them where they were not read but made in this process, which writes them
  /// down each time they are asked for.
  public var data: [UInt8] { made.map { $0.content.encoded(key: $0.key) } ?? read }
  /// The bytes that were read.
  private let read: [UInt8]
  /// What a database of this process made in their place: it need be neither written, read nor proved.
  private let made: Made?

  private final class Made: Sendable {
    let content: CursorContent
    let key: SipHash.Key
    let origin: Origin

    init(_ content: CursorContent, _ key: SipHash.Key, _ origin: Origin) {
      (self.content, self.key, self.origin) = (content, key, origin)
    }
  }

  /// The prepared query that made a cursor, and the values it was run with.
  struct Origin: Sendable {
    let query: BoundQuery.Identity
    let arguments: [ArgumentValue?]
  }

  /// Reads the bytes of a cursor, whose form alone is looked at; whether a database made them is checked by the one
  /// that goes on from them. Complexity: linear in the bytes.
  ///
  /// - Throws: `invalidCursor`.
  public init(data: [UInt8]) throws(ZoneQueryError) {
    _ = try CursorContent(encoded: data, key: nil)
    read = data
    made = nil
  }

  init(_ content: CursorContent, key: SipHash.Key, origin: Origin) throws(ZoneQueryError) {
    try content.checkSize(key: key)
    read = []
    made = Made(content, key, origin)
  }

  /// The query and the values that made it; nil where that was another process.
  var origin: Origin? { made?.origin }

  /// Whether a prepared query is known to have made the cursor in a run with these values.
  func isFrom(_ query: BoundQuery.Identity, _ arguments: [ArgumentValue?]) -> Bool {
    guard let origin = made?.origin, origin.query === query, origin.arguments.count == arguments.count else {
      return false
    }
    return zip(origin.arguments, arguments).allSatisfy { known, given in
      if let known, let given { known.isIdentical(to: given) } else { known == nil && given == nil }
    }
  }

  /// What the cursor says to the database with a key.
  ///
  /// - Throws: `invalidCursor` where it was not made with the key.
  func content(key: SipHash.Key) throws(ZoneQueryError) -> CursorContent {
    if let made, made.key == key { return made.content }
    return try CursorContent(encoded: data, key: key)
  }

  /// Whether two cursors are the same bytes, which are compared. Complexity: as ``data``.
  public static func == (left: QueryCursor, right: QueryCursor) -> Bool {
    left.made != nil && left.made === right.made || left.data == right.data
  }
  /// Feeds the bytes to a hasher. Complexity: as ``data``.
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }

  /// The record type that the cursor says it is about; whether it may say so is not looked at.
  package var recordType: String? { try? said.recordType }

  /// The dialect and the switches that the cursor says its predicate is of; whether it may say so is not looked at.
  package var predicateOptions: PredicateOptions? { try? said.options }

  /// The query that the cursor says it goes on with; whether it may say so is not looked at.
  package var query: Query? { try? said.queryAsWritten() }

  private var said: CursorContent {
    get throws(ZoneQueryError) {
      if let made { return made.content }
      return try CursorContent(encoded: data, key: nil)
    }
  }

  /// Puts a key's tag behind bytes that no database need have written, for tests of what one does with them; nil where
  /// they have not a cursor's form, or the key not 16 bytes.
  package init?(tagging content: [UInt8], cursorKey: [UInt8]) {
    guard let key = SipHash.Key(cursorKey),
      let cursor = try? QueryCursor(data: content + SipHash.tag(of: content, key: key))
    else { return nil }
    self = cursor
  }

  static func invalid(_ reason: String, hint: String? = nil) -> ZoneQueryError {
    ZoneQueryError(
      .query, .invalidCursor, "The cursor cannot be used: \(reason)",
      hint: hint
        ?? "ask the query again from its beginning; databases that share cursors need the same cursorKey")
  }

  static func expired(_ reason: String) -> ZoneQueryError {
    ZoneQueryError(
      .query, .cursorExpired, "The cursor's place is gone: \(reason)",
      hint: "ask the query again from its beginning; with a sort its cursors would outlive this")
  }
}

extension ArgumentValue {
  /// Whether a value is the same to the last bit, where `==` takes canonically equivalent texts for one.
  fileprivate func isIdentical(to other: ArgumentValue) -> Bool {
    switch (self, other) {
    case (.literal(.string(let text)), .literal(.string(let other))): sameBytes(text, other)
    case (.literal(.integer(let number)), .literal(.integer(let other))): number == other
    case (.literal(.double(let number)), .literal(.double(let other))): number.bitPattern == other.bitPattern
    case (.literal(.date(let moment)), .literal(.date(let other))): moment == other
    // Others are compared by the text they make.
    default: false
    }
  }
}

extension QueryCursor: LosslessStringConvertible, Codable {
  /// The cursor as text: its bytes in the alphabet of Base64 that is safe in URLs, without padding. Complexity: as
  /// ``data``.
  public var description: String { Base64.encodeForURL(data) }

  /// Reads the text of a cursor, whose form alone is looked at, as that of its bytes is. Complexity: linear in the text.
  ///
  /// ```swift
  /// try QueryCursor(text: request.query["after"] ?? "")   // what came from outside is told what is wrong with it
  /// ```
  ///
  /// - Throws: `invalidCursor`.
  public init(text: String) throws(ZoneQueryError) {
    guard let data = Base64.decodeFromURL(text, limit: CursorFormat.maximumSize) else {
      throw QueryCursor.invalid(Base64.urlFault)
    }
    try self.init(data: data)
  }

  /// Reads the text of a cursor; nil where it has not a cursor's form, of which ``init(text:)`` says more. Complexity: linear
  /// in the text.
  public init?(_ description: String) {
    guard let cursor = try? QueryCursor(text: description) else { return nil }
    self = cursor
  }

  /// Reads a cursor that was encoded as its text.
  ///
  /// - Throws: `DecodingError` where it is no text, or no cursor's; then it holds the `ZoneQueryError`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { (text) throws(ZoneQueryError) in try QueryCursor(text: text) }
  }

  /// Encodes the cursor as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
