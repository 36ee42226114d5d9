/// An error dictionary of CloudKit Web Services, as an answer of CloudKit's has it in place of a record or of a zone's
/// records. (What this engine itself refuses is a ``ZoneQueryError``.)
public struct WebServicesError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, for programs: `NOT_FOUND`, `ACCESS_DENIED`, `THROTTLED`.
  public let serverErrorCode: String
  /// What went wrong, for people.
  public let reason: String?
  /// The record that there is none of.
  public let recordID: RecordID?
  /// The zone that there is nothing of.
  public let zoneID: ZoneID?
  /// The seconds to wait before asking again, where that may help.
  public let retryAfter: Double?
  /// What names the error in CloudKit's own logs.
  public let uuid: String?

  /// Reads a dictionary; nil where it is no error.
  init?(_ object: JSONObject, _ values: WebServicesValueReader) throws(WebServicesFault) {
    guard let code = try object.read("serverErrorCode", values.string) else { return nil }
    serverErrorCode = code
    reason = object["reason"]?.string
    let zone = try object.read("zoneID", values.zoneID)
    recordID = try object.read("recordName", values.string).map {
      RecordID(recordName: $0, zoneID: zone ?? values.zoneID)
    }
    zoneID = recordID == nil ? zone : nil
    // Whatever else it has, the code is to be told.
    retryAfter = values.number(object["retryAfter"] ?? .null)?.double
    uuid = object["uuid"]?.string
  }

  /// The status of the HTTP response that CloudKit gives with such an error; 400 of a code that is not among those it
  /// documents ("Error Codes").
  public var httpStatus: Int {
    WebServicesError.statuses.first { sameBytes($0.code, serverErrorCode) }?.status ?? 400
  }

  private static let statuses: [(code: String, status: Int)] = [
    ("ACCESS_DENIED", 403), ("ATOMIC_ERROR", 400), ("AUTHENTICATION_FAILED", 401), ("AUTHENTICATION_REQUIRED", 421),
    ("BAD_REQUEST", 400), ("CONFLICT", 409), ("EXISTS", 409), ("INTERNAL_ERROR", 500), ("NOT_FOUND", 404),
    ("QUOTA_EXCEEDED", 413), ("THROTTLED", 429), ("TRY_AGAIN_LATER", 503), ("VALIDATING_REFERENCE_ERROR", 412),
    ("ZONE_NOT_FOUND", 404),
  ]

  /// What of, if that is said, the code and the reason: `keynote: NOT_FOUND: Record not found`.
  public var description: String {
    let subject = recordID.map(\.description) ?? zoneID.map(\.description)
    return [subject, serverErrorCode, reason].compactMap { $0.map { SyntaxError.excerpt($0, most: 512) } }
      .joined(separator: ": ")
  }

  /// Whether both say the same, texts by their bytes.
  public static func == (left: WebServicesError, right: WebServicesError) -> Bool {
    func isSame(_ left: String?, _ right: String?) -> Bool { left.map(ByteKey.init) == right.map(ByteKey.init) }
    return sameBytes(left.serverErrorCode, right.serverErrorCode) && isSame(left.reason, right.reason)
      && left.recordID == right.recordID && left.zoneID == right.zoneID && left.retryAfter == right.retryAfter
      && isSame(left.uuid, right.uuid)
  }

  /// Feeds the code and what it is about.
  public func hash(into hasher: inout Hasher) {
    hashBytes(serverErrorCode, into: &hasher)
    hasher.combine(recordID)
    hasher.combine(zoneID)
  }
}
