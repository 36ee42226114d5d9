extension Database {
  /// Adds an index beside those of the schema, or one of the schema's that was dropped, and fills it.
  ///
  /// Queries that run meanwhile see each zone without it or with the whole of it. The words of all SEARCHABLE fields are
  /// one index, whose only key is `allTokens`; where a field is called so, too, the key means the words' index, and the
  /// field's where that is there already (``dropIndex(_:)``: gone already). An added index is no mark of the schema's: what
  /// ``IndexPolicy/required`` refuses without it is refused with it.
  ///
  /// - Throws: `unknownRecordType`, and `invalidSchema` where a key cannot stand in an index or the index is there
  ///   already.
  ///
  /// Complexity: for each zone, that of sorting the keys of its records.
  public func addIndex(_ definition: IndexDefinition) throws(ZoneQueryError) {
    try changeIndexes(.addIndex, definition) { (choice, layout) throws(ZoneQueryError) in
      guard try choice.add(definition, layout) else {
        throw ZoneQueryError(.schema, .invalidSchema, "There is an index \(definition.excerpt) already")
      }
    }
  }

  /// Drops an index, whether it was added or is the schema's. What it served is then answered by others, or by a scan.
  ///
  /// - Throws: `unknownRecordType`, and `invalidSchema` where there is no such index.
  public func dropIndex(_ definition: IndexDefinition) throws(ZoneQueryError) {
    try changeIndexes(.dropIndex, definition) { (choice, layout) throws(ZoneQueryError) in
      guard choice.drop(definition, layout) else {
        let names = choice.shapes(layout).map(\.name).joined(separator: "; ")
        throw ZoneQueryError(
          .schema, .invalidSchema, "There is no index \(definition.excerpt)", hint: "the type's indexes are \(names)")
      }
    }
  }

  /// The indexes of a record type: the schema's, then those added.
  public func indexes(of recordType: String) -> [IndexDefinition] {
    guard let type = schema[recordType] else { return [] }
    let layout = FieldLayout(recordType: type)
    return indexChoice.shapes(layout).map { IndexDefinition($0, layout) }
  }

  private func changeIndexes(
    _ operation: DatabaseEvent.Operation, _ definition: IndexDefinition,
    _ change: (inout IndexChoice, FieldLayout) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) {
    try telling(DatabaseEvent(operation, definition)) { _ throws(ZoneQueryError) in
      let type = try schema.recordType(definition.recordType, for: .schema)
      try withIndexChoice { (choice: inout IndexChoice) throws(ZoneQueryError) in
        try change(&choice, FieldLayout(recordType: type))
        // Zones created from now on have the new choice; those there are get it one by one.
        publish(choice)
        for zone in zones { zone.commit { $0.choose(choice) } }
      }
    }
  }
}
