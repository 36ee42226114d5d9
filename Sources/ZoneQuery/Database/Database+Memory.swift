extension Database {
  /// The memory that a zone's records and indexes take, as of its last commit.
  ///
  /// ```swift
  /// let memory = try database.memory(ofZone: .default)
  /// memory.liveBytes      // of records and indexes as they are now
  /// memory.heldBytes      // 0, where nobody reads an older version
  /// ```
  ///
  /// It counts the pages of records and indexes, and not what a zone itself takes (of which its first record type and
  /// the accounts of its pages are kilobytes), nor subscriptions, nor what the writers of all databases keep to work in, mostly some kilobytes for each that runs at once.
  ///
  /// - Complexity: constant.
  /// - Throws: `zoneNotFound`.
  public func memory(ofZone id: ZoneID) throws(ZoneQueryError) -> ZoneMemory { try zone(id).memory }

  /// What each index of a record type takes, in the order of ``indexes(of:)``.
  ///
  /// ```swift
  /// for size in try database.indexSizes(of: "Event") {
  ///   print(size.index, size.entryCount, size.byteCount)     // Event (city, start) 100000 4063232
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - recordType: The name of the type.
  ///   - zoneID: The zone whose indexes are meant; those of all zones are summed where nil.
  /// - Returns: An element for each index.
  /// - Complexity: linear in the memory of the indexes.
  /// - Throws: `unknownRecordType`, `zoneNotFound`.
  public func indexSizes(
    of recordType: String, inZoneWith zoneID: ZoneID? = nil
  ) throws(ZoneQueryError) -> [IndexSize] {
    let layout = FieldLayout(recordType: try schema.recordType(recordType, for: .schema))
    let shapes = indexChoice.shapes(layout)
    var sizes = shapes.map { IndexSize(IndexDefinition($0, layout)) }
    for zone in try zoneID.map({ id throws(ZoneQueryError) in [try zone(id)] }) ?? zones {
      zone.read { state in
        guard let table = state.table(recordType) else { return }
        for number in table.indexes.indices {
          let index = table.indexes[number]
          guard let place = shapes.firstIndex(where: { $0.isSameIndex(as: index.shape) }) else { continue }
          sizes[place].entryCount += index.count
          sizes[place].byteCount += index.byteCount
        }
      }
    }
    return sizes
  }

  /// The memory that the records and indexes of all zones take, each zone's as of its last commit.
  ///
  /// - Complexity: linear in the zones.
  public var memory: ZoneMemory { zones.reduce(ZoneMemory()) { $0 + $1.memory } }
}
