/// Which zones changed in a database since a change token was made: see ``Database/databaseChanges(since:resultsLimit:)``.
public struct DatabaseChanges: Sendable, Hashable {
  /// The zones that were created, or in which something was saved or deleted, in the order of their last changes.
  public var changedZoneIDs: [ZoneID] = []
  /// The zones that were deleted and are not there again, in the order of their deletions.
  public var deletedZoneIDs: [ZoneID] = []
  /// What to go on from.
  public var changeToken: ChangeToken
  /// Whether there is more to fetch at once, from the token.
  public var moreComing: Bool

  /// How many zones there are.
  var count: Int { changedZoneIDs.count + deletedZoneIDs.count }
}
