internal import ZoneQuery

/// What must hold of change tokens from outside: those that a database did not tag it refuses; behind those that it did,
/// whatever they say, come changes of their zone, each once, and an end.
struct TokenTarget {
  private let database: Database
  /// The bytes of a token of each kind before their tags.
  let contents: [[UInt8]]

  private static let zone = ZoneID(zoneName: "A")
  private static let cursorKey = [UInt8](1...16)
  private static let tagLength = 16
  static let sample = try? TokenTarget()

  /// A zone with records of two types, some of them under tags of their own, and deletions.
  private init() throws(ZoneQueryError) {
    var configuration = Database.Configuration()
    configuration.cursorKey = TokenTarget.cursorKey
    configuration.limits.rememberedDeletions = 5
    database = try Database(configuration: configuration)
    func record(_ type: String, _ name: String) -> Record {
      Record(recordType: type, recordName: name, zoneID: TokenTarget.zone)
    }
    var tagged: [Record] = []
    for number in 0..<6 {
      let text = #"{"recordName":"t\#(number)","recordType":"A","recordChangeTag":"\#(1 + number / 3)"}"#
      tagged.append(try Record(webServicesJSON: text, zoneID: TokenTarget.zone))
    }
    try database.load(tagged)
    var tokens = [try database.databaseChanges().changeToken]
    for number in 0..<20 { try database.save(record(number % 2 == 0 ? "A" : "B", "r\(number)")) }
    for limit in [2, 9, 100] {
      let changes = try database.recordZoneChanges(inZoneWith: TokenTarget.zone, resultsLimit: limit)
      tokens.append(changes.changeToken)
    }
    for number in 0..<4 {
      try database.deleteRecord(withID: record("A", "r\(number)").recordID)
      tokens.append(try database.recordZoneChanges(inZoneWith: TokenTarget.zone).changeToken)
    }
    contents = tokens.map { $0.data.dropLast(TokenTarget.tagLength) }
  }

  /// Checks bytes as they are, and under the database's own tag: those that begin like a token as its contents, others as
  /// changes of one that the database made.
  static func check(_ bytes: [UInt8]) throws(OracleFailure) {
    guard let sample else { throw OracleFailure("the zone whose changes are asked for cannot be made") }
    if let token = try? ChangeToken(data: bytes) { try sample.expectRefusal(of: token) }
    if let token = ChangeToken(String(decoding: bytes, as: UTF8.self)) { try sample.expectRefusal(of: token) }
    let content =
      bytes.starts(with: "ZQT".utf8)
      ? bytes
      : FuzzTarget.changed(sample.contents[Int(bytes.first ?? 0) % sample.contents.count], by: bytes.dropFirst())
    if let token = ChangeToken(tagging: content, cursorKey: cursorKey) { _ = try sample.walk(token) }
  }

  private func expectRefusal(of token: ChangeToken) throws(OracleFailure) {
    try FuzzTarget.require(ChangeToken(token.description) == token, "\(token) is another token when read")
    do throws(ZoneQueryError) {
      _ = try database.recordZoneChanges(inZoneWith: TokenTarget.zone, since: token)
    } catch {
      return try FuzzTarget.require(error.code == .invalidChangeToken, "\(token) is refused as \(error.code)")
    }
    throw OracleFailure("\(token) is taken, and was not tagged")
  }

  /// Goes on from a token to the end; returns how many changes came.
  func walk(_ token: ChangeToken) throws(OracleFailure) -> Int {
    if let changes = try? database.databaseChanges(since: token) {
      try FuzzTarget.require(changes.changedZoneIDs.count <= 1, "more zones than there are")
      return changes.changedZoneIDs.count
    }
    var found: Set<RecordID> = []
    var next = token
    while let changes = try? database.recordZoneChanges(inZoneWith: TokenTarget.zone, since: next, resultsLimit: 7) {
      let ids = changes.records.map(\.recordID) + changes.deletions.map(\.recordID)
      try FuzzTarget.require(ids.count <= 7, "a page of 7 has \(ids.count) changes")
      for id in ids { try FuzzTarget.require(found.insert(id).inserted, "\(id) comes twice behind \(token)") }
      try FuzzTarget.require(!changes.moreComing || !ids.isEmpty, "an empty page says that more is coming")
      next = changes.changeToken
      if !changes.moreComing { return found.count }
    }
    return found.count
  }

  /// Goes on from the sample's own token of a number.
  func walk(_ number: Int) throws(OracleFailure) -> Int {
    guard let token = ChangeToken(tagging: contents[number], cursorKey: TokenTarget.cursorKey) else {
      throw OracleFailure("token \(number) does not read")
    }
    return try walk(token)
  }
}
