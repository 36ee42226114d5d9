extension Database {
  /// Why a zone is left as it is.
  private enum Unchanged: Error {
    case nothingMatches
    case refused(ZoneQueryError)
  }

  /// Deletes the records that match a query, and with them those that refer to them by `.deleteSelf`.
  ///
  /// ```swift
  /// let past = Query(recordType: "Session", predicate: try QueryPredicate(format: "end < now()"))
  /// let gone = try database.deleteRecords(matching: past)
  /// try database.count(matching: past)   // 0
  /// ```
  ///
  /// The records are looked for, by the plan that a query has, while no one else writes to their zone, and deleted in
  /// one commit: exactly those go that match as it is published. Zones are independent: each has its own commit, and
  /// what is saved in one meanwhile is not looked for in another. `now()` is the same moment for all.
  ///
  /// Beyond CloudKit. The limit on the items of an operation does not bind it; the query's sort says nothing.
  ///
  /// - Parameters:
  ///   - query: The record type and the predicate.
  ///   - zoneID: The zone to look in; every zone of the database where nil, which the shared database refuses.
  ///   - parameters: The values of `$name` parameters of the predicate.
  /// - Returns: The IDs of all records deleted, zone by zone, those that match before those that went with them.
  /// - Throws: what ``records(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)`` throws; then nothing is deleted.
  ///   Where no zone is named, one that somebody deletes meanwhile has nothing to delete.
  ///
  /// Complexity: that of the query, and of each record's deletion.
  @discardableResult
  public func deleteRecords(
    matching query: Query, inZoneWith zoneID: ZoneID? = nil, parameters: [String: any PredicateArgument] = [:]
  ) throws(ZoneQueryError) -> [RecordID] {
    let query = Query(recordType: query.recordType, predicate: query.predicate)
    return try telling(DatabaseEvent(.deleteMatching, query, zoneID: zoneID)) { outcome throws(ZoneQueryError) in
      let deleted = try delete(query, zoneID, parameters)
      outcome.deleted = deleted.count
      return deleted
    }
  }

  private func delete(
    _ query: Query, _ zoneID: ZoneID?, _ parameters: [String: any PredicateArgument]
  ) throws(ZoneQueryError) -> [RecordID] {
    let now = configuration.clock()
    _ = try recordType(of: query, zoneID)
    var deleted: [RecordID] = []
    for zone in try zones(zoneID) {
      // What is wrong with the query is wrong in the first zone that is there, before anything is deleted.
      do throws(ZoneQueryError) {
        let prepared = try PreparedQuery(self, query, zone.id)
        deleted += try delete(prepared, prepared.arguments(known: parameters), from: zone, now: now)
      } catch {
        if zoneID != nil || !zone.isDeleted { throw error }
      }
    }
    return deleted
  }

  /// Deletes what a query finds in one zone, in one commit; where it finds nothing there is none.
  private func delete(
    _ query: PreparedQuery, _ arguments: QueryArguments, from zone: Zone, now: Timestamp
  ) throws(ZoneQueryError) -> [RecordID] {
    do throws(Unchanged) {
      let deleted = try zone.commit(publishing: { deleted, before, after, publish in
        standing.publish(deleted.map(\.recordName), of: zone, from: before, to: after) {
          publish()
          return true
        }
      }) { (state: inout ZoneState) throws(Unchanged) -> [RecordID] in
        // The published state is the one that this commit began with, and nobody publishes another before it ends.
        let found: [RecordID]
        do throws(ZoneQueryError) {
          found = try query.records(arguments, [], .max, now: now).map(\.recordID)
        } catch {
          throw .refused(error)
        }
        if found.isEmpty { throw .nothingMatches }
        var deleted: [RecordID] = []
        var cascaded: [RecordID] = []
        state.beginBatch(found.count)
        for id in found {
          // A record that went with an earlier one gives nothing.
          for gone in state.delete(id.recordName) {
            if gone == id { deleted.append(gone) } else { cascaded.append(gone) }
          }
        }
        state.endBatch()
        if cascaded.isEmpty { return deleted }
        let matching = Set(found)
        return deleted + cascaded.filter(matching.contains) + cascaded.filter { !matching.contains($0) }
      }
      guard let deleted else { throw .refused(zoneNotFound(zone.id)) }
      standing.deliver()
      return deleted
    } catch {
      switch error {
      case .nothingMatches: return []
      case .refused(let error): throw error
      }
    }
  }
}
