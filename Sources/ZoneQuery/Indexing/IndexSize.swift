/// What an index takes: see ``Database/indexSizes(of:inZoneWith:)``.
public struct IndexSize: Sendable, Hashable {
  /// What the index is on.
  public let index: IndexDefinition
  /// How many entries it has: of a list one for each member, of words one for each word of a record, of other fields one for
  /// each record that has the field, or all of several.
  public internal(set) var entryCount = 0
  /// The bytes of its pages, a part of ``ZoneMemory/liveBytes``.
  public internal(set) var byteCount = 0

  init(_ index: IndexDefinition) { self.index = index }
}
