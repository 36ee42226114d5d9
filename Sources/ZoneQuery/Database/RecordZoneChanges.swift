/// What changed in a zone since a change token was made: see
/// ``Database/recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)``.
public struct RecordZoneChanges: Sendable, Hashable {
  /// A record that was deleted.
  public struct Deletion: Sendable, Hashable {
    /// Its ID.
    public let recordID: RecordID
    /// The name of its type.
    public let recordType: String
  }

  /// The records that were created or changed, as they are now, in the order in which they were last saved; those that were
  /// loaded under change tags of their own, which are told where all are, in the order of these.
  public var records: [Record] = []
  /// The records that were deleted and are not there again, in the order of their deletions.
  public var deletions: [Deletion] = []
  /// What to go on from.
  public var changeToken: ChangeToken
  /// Whether there is more to fetch at once, from the token.
  public var moreComing: Bool

  /// How many records and deletions there are.
  var count: Int { records.count + deletions.count }
}
