extension Database {
  /// Reads, checks and binds a query once, to be run many times.
  ///
  /// The zone need not be there yet, and may go and come: each run looks for it.
  ///
  /// - Throws: `unknownRecordType`, `invalidQuery` for the sort, `invalidPredicate` with the first twenty faults' places (a
  ///   comparison that no value of its parameter could make right is one), and `missingIndex` where the configuration's
  ///   `indexPolicy` demands indexes that the schema lacks.
  public func prepare(_ query: Query, inZoneWith zoneID: ZoneID? = nil) throws(ZoneQueryError) -> PreparedQuery {
    let prepared = try PreparedQuery(self, query, zoneID, runs: .many)
    if !prepared.template.parameters.isEmpty {
      try query.predicate.check(for: prepared.recordType, configuration.predicateOptions)
    }
    return prepared
  }

  /// A field of a record type, to be read in place of records that no query found: what
  /// ``forEachRecordZoneChange(inZoneWith:since:resultsLimit:_:deleted:)`` lends.
  ///
  /// - Throws: `unknownRecordType`, `invalidQuery` where the type has no such field.
  public func field(_ name: String, ofType recordType: String) throws(ZoneQueryError) -> RecordField {
    try RecordField(name, of: schema.recordType(recordType, for: .query))
  }
}
