extension Query {
  /// What a database with a schema would refuse of the query, all of it: the type, the predicate's faults, the sort's; empty
  /// where it would take the query. A parameter may stand without a value.
  ///
  /// ```swift
  /// let query = Query(recordType: "Event", predicate: try QueryPredicate(format: "citty = 'Seoul'"))
  /// query.faults(in: schema).first?.description   // 1:1: Did not find field: 'citty' in type: 'Event' … did you mean 'city'?
  /// ```
  ///
  /// Which indexes the schema lacks for the query ``IndexRequirements`` tells.
  ///
  /// - Parameters:
  ///   - schema: The schema; nothing else is asked, so that a test needs no database.
  ///   - options: The predicate's dialect and switches.
  /// - Returns: What would be refused; a predicate's faults are one error, with its first twenty diagnostics.
  ///
  /// Complexity: linear in the query.
  public func faults(in schema: Schema, options: PredicateOptions = PredicateOptions()) -> [ZoneQueryError] {
    let type: RecordType
    do throws(ZoneQueryError) {
      type = try recordType(in: schema)
    } catch {
      return [error]
    }
    var faults: [ZoneQueryError] = []
    do throws(ZoneQueryError) {
      try predicate.check(for: type, options)
    } catch {
      faults.append(error)
    }
    for key in sort {
      do throws(ZoneQueryError) {
        _ = try SortOrder([key], type)
      } catch {
        faults.append(error)
      }
    }
    return faults
  }

  /// The record type asked for.
  ///
  /// - Throws: `unknownRecordType`, or `invalidQuery` for the type of user records.
  package func recordType(in schema: Schema) throws(ZoneQueryError) -> RecordType {
    if RecordType.isSystemType(recordType) {
      throw ZoneQueryError(.query, .invalidQuery, "Can't query system types")
    }
    return try schema.recordType(recordType, for: .query)
  }
}

extension RecordType {
  /// Whether a name is that of a type that CloudKit keeps for itself: it is in schemas, and cannot be asked for.
  package static func isSystemType(_ name: String) -> Bool { sameBytes(name, "Users") }
}
