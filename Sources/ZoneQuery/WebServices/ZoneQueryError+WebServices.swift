internal import FoundationEssentials

extension ZoneQueryError {
  /// The error's code in the answers of CloudKit Web Services, of which this engine has those of its own doing:
  ///
  /// | `serverErrorCode` | error |
  /// | --- | --- |
  /// | `ATOMIC_ERROR` | ``Code/batchRequestFailed`` |
  /// | `CONFLICT` | ``Code/serverRecordChanged`` |
  /// | `EXISTS` | ``Code/serverRecordChanged``, of a record that was made anew; ``Code/duplicateSubscription`` |
  /// | `NOT_FOUND` | ``Code/unknownItem`` |
  /// | `VALIDATING_REFERENCE_ERROR` | ``Code/referenceViolation`` |
  /// | `ZONE_NOT_FOUND` | ``Code/zoneNotFound`` |
  /// | that of the ``refusal`` | ``Code/requestRefused`` |
  /// | `BAD_REQUEST` | all others |
  public var serverErrorCode: String { webServicesCode.name }

  /// The status of an HTTP response that carries the error: 400, 404, 409 or 412, or that of the ``refusal``.
  public var httpStatus: Int { webServicesCode.status }

  private var webServicesCode: (name: String, status: Int) {
    if let refusal { return (refusal.serverErrorCode, refusal.httpStatus) }
    return switch code {
    case .batchRequestFailed: ("ATOMIC_ERROR", 400)
    case .serverRecordChanged:
      conflict.map { $0.clientRecord.changeTag == nil } == true ? ("EXISTS", 409) : ("CONFLICT", 409)
    case .duplicateSubscription: ("EXISTS", 409)
    case .unknownItem: ("NOT_FOUND", 404)
    case .referenceViolation: ("VALIDATING_REFERENCE_ERROR", 412)
    case .zoneNotFound: ("ZONE_NOT_FOUND", 404)
    default: ("BAD_REQUEST", 400)
    }
  }

  /// The error dictionary of CloudKit Web Services, on one line, each time with a `uuid` of its own.
  ///
  /// ```swift
  /// var (status, response) = (200, "")
  /// do throws(ZoneQueryError) {
  ///   response = try database.webServicesResponse(toQuery: request.body)
  /// } catch {
  ///   (status, response) = (error.httpStatus, error.webServicesJSON)
  ///   // {"reason":"Did not find field: 'seats' in type: 'Event'","serverErrorCode":"BAD_REQUEST","uuid":"…"}
  /// }
  /// ```
  ///
  /// `reason` is the ``message``, with the ``hint`` in brackets where it is about the JSON of the request; `recordName` and
  /// `zoneID` are those of the record it is about, if any.
  public var webServicesJSON: String {
    var json = JSONWriter()
    write(webServicesTo: &json)
    return json.text
  }

  /// Writes the error dictionary of a record, of a zone or of a subscription.
  func write(webServicesTo json: inout JSONWriter, zoneID: ZoneID? = nil, subscriptionID: String? = nil) {
    json.beginObject()
    json.member("subscriptionID", subscriptionID)
    if let recordID { json.members(of: recordID) }
    if let zoneID { json.member("zoneID", zoneID) }
    // Other hints speak of this library, and of settings that are for whoever runs it.
    let hint = stage == .webServices ? hint : nil
    json.member("reason", hint.map { "\(message) (\($0))" } ?? message)
    json.member("serverErrorCode", serverErrorCode)
    json.member("uuid", UUID().uuidString)
    json.endObject()
  }
}
