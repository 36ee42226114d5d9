extension QueryExplanation {
  /// The explanation as JSON: the same figures, times in nanoseconds.
  ///
  /// ```json
  /// {"recordType":"Event",…,"rowsReturned":50,…,"entriesRead":51,…,
  ///  "tables":[{"zones":1,…,"plan":{"operation":"limit",…},…}],…}
  /// ```
  public var json: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("recordType", recordType)
    writer.member("predicate", predicate)
    if let resultsLimit { writer.member("resultsLimit", resultsLimit) }
    writer.member("rowsReturned", counters.rowsReturned)
    writer.key("hasMore")
    writer.bool(hasMore)
    writer.member("entriesRead", counters.entriesRead)
    writer.member("rowsExamined", counters.rowsExamined)
    writer.member("nanoseconds", Int(nanoseconds))
    writer.member("planningNanoseconds", Int(planningNanoseconds))
    writer.member("zonesPassedOver", zonesPassedOver)
    writer.key("tables")
    writer.beginArray()
    for tables in tables { Self.write(tables, to: &writer) }
    writer.endArray()
    writer.key("missingIndexes")
    writer.beginArray()
    for index in missingIndexes {
      writer.beginObject()
      writer.member("field", index.field)
      writer.member("message", index.message)
      if let item = index.item { writer.member("item", item) }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  private static func write(_ tables: Tables, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("zones", tables.zoneCount)
    writer.member("firstZone", tables.firstZone.zoneName)
    writer.member("firstZoneOwner", tables.firstZone.ownerName)
    writer.member("records", tables.recordCount)
    writer.key("plan")
    write(tables.plan, to: &writer)
    if let abandoned = tables.abandoned {
      writer.key("abandoned")
      write(abandoned, to: &writer)
    }
    writer.key("paths")
    writer.beginArray()
    for path in tables.paths {
      writer.beginObject()
      writer.member("detail", path.detail)
      write(path.indexes, to: &writer)
      writer.member("cost", path.cost)
      writer.member("estimatedRows", path.estimatedRows)
      writer.key("isChosen")
      writer.bool(path.isChosen)
      writer.member("reason", path.reason)
      writer.member("zones", path.zoneCount)
      if let measured = path.measured {
        writer.key("measured")
        writer.beginObject()
        writer.member("entriesRead", measured.entriesRead)
        writer.member("rowsExamined", measured.rowsExamined)
        writer.member("nanoseconds", Int(measured.nanoseconds))
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  /// Writes the keys of indexes, where there are any.
  private static func write(_ indexes: [IndexDefinition], to writer: inout JSONWriter) {
    if indexes.isEmpty { return }
    writer.key("indexes")
    writer.beginArray()
    for index in indexes {
      writer.beginArray()
      for key in index.keys { writer.string(key) }
      writer.endArray()
    }
    writer.endArray()
  }

  private static func write(_ node: Node, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("operation", node.operation.rawValue)
    writer.member("detail", node.detail)
    write(node.indexes, to: &writer)
    if let rows = node.estimatedRows { writer.member("estimatedRows", rows) }
    if let rows = node.actualRows { writer.member("actualRows", rows) }
    writer.member("entriesRead", node.entriesRead)
    writer.member("rowsExamined", node.rowsExamined)
    if let ranges = node.ranges { writer.member("ranges", ranges) }
    if let budget = node.budget { writer.member("budget", budget) }
    if let time = node.nanoseconds { writer.member("nanoseconds", Int(time)) }
    writer.key("children")
    writer.beginArray()
    for child in node.children { write(child, to: &writer) }
    writer.endArray()
    writer.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: String, _ value: String) {
    self.key(key)
    string(value)
  }

  fileprivate mutating func member(_ key: String, _ value: Int) {
    self.key(key)
    integer(Int64(value))
  }

  /// A number; null where it is none.
  fileprivate mutating func member(_ key: String, _ value: Double) {
    self.key(key)
    if let value = JSONNumber(value) { number(value) } else { null() }
  }
}
