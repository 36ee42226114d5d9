/// The moment up to which somebody knows the changes of a zone, or of a database's zones: what is fetched from it is what
/// changed since.
///
/// ```swift
/// var known: ChangeToken?   // nil at first; kept with what was fetched
/// let changes = try database.recordZoneChanges(inZoneWith: notes, since: known)
/// known = changes.changeToken
/// ```
///
/// A token is opaque and can be archived, as ``data`` or as text; it has some 70 bytes, and the names of its zone and the
/// owner. It carries a tag made with the database's ``Database/Configuration/cursorKey``: one that was damaged, changed or
/// made under another key is refused with ``ZoneQueryError/Code/invalidChangeToken``. One of a zone that was deleted and
/// created again is refused with ``ZoneQueryError/Code/changeTokenExpired``; so is one of another process's zone under the same
/// key, unless that was restored here (``Database/load(_:restoring:)``), and one that is too old: a zone remembers
/// ``Database/Limits/rememberedDeletions`` deletions. Either way everything is to be fetched again.
///
/// Differs from `CKServerChangeToken`: it can be written down as text.
public struct ChangeToken: Sendable, Hashable {
  /// The token as bytes. Complexity: linear in the names of its zone where it was not read but made in this process, which
  /// writes it down each time it is asked for.
  public var data: [UInt8] { made.map { ChangeToken.encoded($0.content, key: $0.key) } ?? read }
  /// The bytes that were read.
  private let read: [UInt8]
  /// What a database of this process made in their place: it need be neither written, read nor proved.
  private let made: Made?

  private final class Made: Sendable {
    let content: Content
    let key: SipHash.Key

    init(_ content: Content, _ key: SipHash.Key) { (self.content, self.key) = (content, key) }
  }

  /// What a token says.
  enum Content: Sendable, Equatable {
    /// Where somebody stands in the changes of a zone.
    case zone(ZoneID, ChangePosition)
    /// Where somebody stands in the changes of a database's zones; a number drawn by chance tells it from every other.
    case database(epoch: UInt64, ChangedZones.Position)
  }

  /// Reads the bytes of a token, whose form alone is looked at; whether a database made them is checked by the one that is
  /// asked for the changes. Complexity: linear in the bytes.
  ///
  /// - Throws: `invalidChangeToken`.
  public init(data: [UInt8]) throws(ZoneQueryError) {
    _ = try ChangeToken.content(data, key: nil)
    read = data
    made = nil
  }

  init(_ content: Content, key: SipHash.Key) {
    read = []
    made = Made(content, key)
  }

  private static func encoded(_ content: Content, key: SipHash.Key) -> [UInt8] {
    var writer = ChangeToken.form.writer
    switch content {
    case .zone(let zoneID, let position):
      writer.write(position.place == nil ? Kind.zone : Kind.partOfZone)
      writer.write(zoneID)
      writer.write(UInt64(bitPattern: position.since))
      writer.write(UInt64(bitPattern: position.readAt))
      if let place = position.place {
        writer.write(place.number)
        writer.write(UInt64(place.table))
        writer.write(UInt64(place.slot))
      }
    case .database(let epoch, let position):
      writer.write(position.place == nil ? Kind.database : Kind.partOfDatabase)
      writer.write(epoch)
      writer.write(position.since)
      if let place = position.place { writer.write(place) }
    }
    return ChangeToken.form.seal(writer, key: key)
  }

  /// Puts a key's tag behind bytes that no database need have written, for tests of what one does with them; nil where
  /// they have not a token's form, or the key not 16 bytes.
  package init?(tagging content: [UInt8], cursorKey: [UInt8]) {
    guard let key = SipHash.Key(cursorKey),
      let token = try? ChangeToken(data: content + SipHash.tag(of: content, key: key))
    else { return nil }
    self = token
  }

  /// What the token says to the database with a key.
  ///
  /// - Throws: `invalidChangeToken` where it was not made with the key.
  func content(key: SipHash.Key) throws(ZoneQueryError) -> Content {
    if let made, made.key == key { return made.content }
    return try ChangeToken.content(data, key: key)
  }

  /// Whether two tokens are the same bytes, which are compared. Complexity: as ``data``.
  public static func == (left: ChangeToken, right: ChangeToken) -> Bool {
    if let one = left.made, let other = right.made, one.key == other.key { return one.content == other.content }
    return left.data == right.data
  }

  /// Feeds the bytes to a hasher. Complexity: as ``data``.
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }

  private static func content(_ data: [UInt8], key: SipHash.Key?) throws(ZoneQueryError) -> Content {
    var reader = try form.open(data, key: key)
    let content: Content
    switch try reader.byte() {
    case Kind.zone:
      content = .zone(
        try reader.zoneID(),
        ChangePosition(since: Int64(bitPattern: try reader.word()), readAt: Int64(bitPattern: try reader.word())))
    case Kind.partOfZone:
      let (zoneID, since) = (try reader.zoneID(), Int64(bitPattern: try reader.word()))
      let readAt = Int64(bitPattern: try reader.word())
      let number = try reader.word()
      guard number > 0, let table = Int(exactly: try reader.word()), let slot = UInt32(exactly: try reader.word())
      else { throw invalid("its position is no place in a zone") }
      content = .zone(
        zoneID,
        ChangePosition(since: since, place: ChangePlace(number: number, table: table, slot: slot), readAt: readAt))
    case let kind where kind == Kind.database || kind == Kind.partOfDatabase:
      let (epoch, since) = (try reader.word(), try reader.word())
      let place = kind == Kind.database ? nil : try reader.word()
      content = .database(epoch: epoch, ChangedZones.Position(since: since, place: place))
    default: throw invalid("a part of it is of no known kind")
    }
    try reader.finish()
    return content
  }

  /// What follows the header.
  private enum Kind {
    static let zone: UInt8 = 0
    static let partOfZone: UInt8 = 1
    static let database: UInt8 = 2
    static let partOfDatabase: UInt8 = 3
  }

  private static let form = SealedBytes(
    header: Array("ZQT".utf8) + [1], maximumSize: CursorFormat.maximumSize, name: "change token",
    refusal: { invalid($0) })

  static func invalid(
    _ reason: String,
    hint: String = "fetch everything, without a token; databases that share tokens need the same cursorKey"
  ) -> ZoneQueryError {
    ZoneQueryError(
      .database, .invalidChangeToken, "The change token cannot be used: \(reason)", hint: hint)
  }

  static func expired(_ reason: String) -> ZoneQueryError {
    ZoneQueryError(
      .database, .changeTokenExpired, "The change token has expired: \(reason)",
      hint: "fetch everything, without a token, and let go of what is known and not among it")
  }
}

extension ChangeToken: LosslessStringConvertible, Codable {
  /// The token as text: its bytes in the alphabet of Base64 that is safe in URLs, without padding. Complexity: as ``data``.
  public var description: String { Base64.encodeForURL(data) }

  /// Reads the text of a token, whose form alone is looked at, as that of its bytes is. Complexity: linear in the text.
  ///
  /// - Throws: `invalidChangeToken`.
  public init(text: String) throws(ZoneQueryError) {
    guard let data = Base64.decodeFromURL(text, limit: ChangeToken.form.maximumSize) else {
      throw ChangeToken.invalid(Base64.urlFault)
    }
    try self.init(data: data)
  }

  /// Reads the text of a token; nil where it has not a token's form, of which ``init(text:)`` says more. Complexity: linear
  /// in the text.
  public init?(_ description: String) {
    guard let token = try? ChangeToken(text: description) else { return nil }
    self = token
  }

  /// Reads a token that was encoded as its text.
  ///
  /// - Throws: `DecodingError` where it is no text, or no token's; then it holds the `ZoneQueryError`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { (text) throws(ZoneQueryError) in try ChangeToken(text: text) }
  }

  /// Encodes the token as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
