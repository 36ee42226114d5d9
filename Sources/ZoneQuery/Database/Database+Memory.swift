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

  /// The memory that the records and indexes of all zones take, each zone's as of its last commit.
  ///
  /// - Complexity: linear in the zones.
  public var memory: ZoneMemory { zones.reduce(ZoneMemory()) { $0 + $1.memory } }
}
