/// What a zone knows of its changes as of one commit, beside its records: with both a zone is restored in another process, where
/// change tokens from before go on.
///
/// ```swift
/// let records = try database.allRecords(inZoneWith: notes)
/// if let state = records.changeState { try write(state.json) }
/// for record in records { try write(record.webServicesJSON) }
/// // In the next process, which has the same cursorKey:
/// let restored = try lines.map { line in try Record(webServicesJSON: line) }
/// try database.load(restored, restoring: try ZoneChangeState(json: text))
/// ```
///
/// Beyond CloudKit.
public struct ZoneChangeState: Sendable, Hashable {
  /// The zone.
  public let zoneID: ZoneID
  /// The number of the last change.
  let changeNumber: Int64
  /// The number up to which deletions are not known any more.
  let forgotten: Int64
  /// Numbers that no change of the zone has: between them it was restored.
  let gaps: [ClosedRange<Int64>]
  /// The deletions that are remembered, the oldest first.
  let deletions: [Deletion]

  /// A record that was deleted.
  struct Deletion: Sendable, Hashable {
    let recordName: String
    let recordType: String
    let number: Int64

    static func == (left: Deletion, right: Deletion) -> Bool {
      left.number == right.number && sameBytes(left.recordName, right.recordName)
        && sameBytes(left.recordType, right.recordType)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  init(
    zoneID: ZoneID, changeNumber: Int64, forgotten: Int64, gaps: [ClosedRange<Int64>], deletions: [Deletion]
  ) {
    (self.zoneID, self.changeNumber, self.forgotten) = (zoneID, changeNumber, forgotten)
    (self.gaps, self.deletions) = (gaps, deletions)
  }

  /// The greatest number that is restored: above those that databases begin with, and half a million restorations below the
  /// greatest there is, as many saves between them as there may be.
  static let mostChanges: Int64 = 3 << 61

  /// How many restorations are remembered: tokens from before older ones expire.
  static let mostGaps = 32
}

extension ZoneChangeState {
  /// The state as JSON on one line.
  ///
  /// Complexity: linear in the deletions that the zone remembers (``Database/Limits/rememberedDeletions``).
  public var json: String {
    var json = JSONWriter()
    json.beginObject()
    json.member("zoneID", zoneID)
    json.member("changeNumber", changeNumber)
    json.member("forgotten", forgotten)
    json.key("gaps")
    json.beginArray()
    for gap in gaps {
      json.beginArray()
      json.integer(gap.lowerBound)
      json.integer(gap.upperBound)
      json.endArray()
    }
    json.endArray()
    json.key("deletions")
    json.beginArray()
    for deletion in deletions {
      json.beginArray()
      json.string(deletion.recordName)
      json.string(deletion.recordType)
      json.integer(deletion.number)
      json.endArray()
    }
    json.endArray()
    json.endObject()
    return json.text
  }

  /// Reads a state that ``json`` wrote.
  ///
  /// - Throws: `invalidJSON` where the text is no JSON, or none that a state is written as.
  ///
  /// Complexity: linear in the text.
  public init(json text: String) throws(ZoneQueryError) {
    let json: JSONValue
    do throws(JSONError) {
      // Nobody but a database has written it, and it is as long as what that remembers.
      json = try JSONReader.read(text, limits: JSONReader.Limits(maximumBytes: .max))
    } catch {
      throw ZoneQueryError(.webServices, .invalidJSON, "The state of a zone's changes is no JSON: \(error.description)")
    }
    do throws(WebServicesFault) {
      guard let object = json.object else { throw WebServicesFault.expected("an object", json) }
      try self.init(object)
    } catch {
      throw error.error(in: "The state of a zone's changes")
    }
  }

  private init(_ object: JSONObject) throws(WebServicesFault) {
    let values = WebServicesValueReader()
    func array(_ json: JSONValue, of count: Int) throws(WebServicesFault) -> [JSONValue] {
      guard let array = json.array, array.count == count else {
        throw WebServicesFault.expected("an array of \(count)", json)
      }
      return array
    }
    func number(_ json: JSONValue) throws(WebServicesFault) -> Int64 {
      guard let number = json.number?.integer else { throw WebServicesFault.expected("a whole number", json) }
      guard number > 0 else { throw WebServicesFault("\(number) is not above 0") }
      return number
    }
    zoneID = try object.require("zoneID") { json throws(WebServicesFault) in
      let zoneID = try values.zoneID(json)
      if zoneID.isDefault { throw WebServicesFault("the default zone does not track changes") }
      return zoneID
    }
    let last = try object.require("changeNumber", number)
    func past(_ json: JSONValue) throws(WebServicesFault) -> Int64 {
      let number = try number(json)
      if number > last { throw WebServicesFault("\(number) is above the changeNumber") }
      return number
    }
    func list<Member>(
      _ json: JSONValue, _ body: (JSONValue) throws(WebServicesFault) -> Member
    ) throws(WebServicesFault) -> [Member] {
      guard let members = json.array else { throw WebServicesFault.expected("an array", json) }
      return try WebServicesFault.each(members, body)
    }
    changeNumber = last
    forgotten = try object.require("forgotten", past)
    gaps = try object.require("gaps") { json throws(WebServicesFault) in
      try list(json) { json throws(WebServicesFault) in
        let bounds = try array(json, of: 2)
        let (lower, upper) = (try past(bounds[0]), try past(bounds[1]))
        if lower > upper { throw WebServicesFault("\(lower) is above \(upper)") }
        return lower...upper
      }
    }
    deletions = try object.require("deletions") { json throws(WebServicesFault) in
      try list(json) { json throws(WebServicesFault) in
        let parts = try array(json, of: 3)
        return Deletion(
          recordName: try values.string(parts[0]), recordType: try values.string(parts[1]), number: try past(parts[2]))
      }
    }
  }
}
