/// A record zone: what is stored in it, and the one writer it has at a time.
///
/// Readers take the published state, a value that never changes under them; a writer changes a copy, which shares all
/// pages it does not touch, and publishes it whole. A commit that fails publishes nothing.
final class Zone: Sendable {
  let id: ZoneID
  /// Tells the zone from every other there was under its name in the database.
  let generation: Int64
  private let published: Locked<ZoneState>
  private let writer = Locked(())

  /// Creates an empty zone; `generation` tells it from every other zone there was under its name, so that no change
  /// tag comes twice.
  init(_ id: ZoneID, generation: Int64 = 0) {
    self.id = id
    self.generation = generation
    published = Locked(ZoneState(id: id, generation: generation))
  }

  /// The state as of the last commit. Complexity: constant.
  var snapshot: ZoneState { published.withLock { $0 } }

  /// Runs one commit: whole, or not at all where `body` throws.
  func commit<Result, Failure: Error>(
    _ body: (inout ZoneState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try writer.withLock { (_: inout Void) throws(Failure) -> Result in
      var next = snapshot
      let result = try body(&next)
      published.withLock { $0 = next }
      return result
    }
  }
}

/// Everything stored in a zone: a table for each record type that has records in it.
struct ZoneState: Sendable {
  let id: ZoneID
  private(set) var tables: [Table] = []
  /// Counts the saves, from a start of the zone's own; each gives the record it saves its change tag.
  private var changeNumber: Int64
  /// How many `.deleteSelf` references the zone's records hold.
  private var cascadingReferences = 0

  init(id: ZoneID, generation: Int64) {
    self.id = id
    changeNumber = generation &<< 36
  }

  /// The position of a type's table.
  private func position(of recordType: String) -> Int? {
    tables.firstIndex { sameBytes($0.layout.recordType.name, recordType) }
  }

  func table(_ recordType: String) -> Table? { position(of: recordType).map { tables[$0] } }

  /// The table and slot of a record, whatever its type. Complexity: linear in the number of types.
  private func place(of recordName: String) -> (table: Int, slot: Int)? {
    for position in tables.indices {
      if let slot = tables[position].slot(of: recordName) { return (position, slot) }
    }
    return nil
  }

  /// The record of a name, with the fields named or all.
  func record(_ recordName: String, desiredKeys: [String]? = nil) -> Record? {
    guard let (table, slot) = place(of: recordName) else { return nil }
    let fields = desiredKeys.map { keys in
      Set(keys.compactMap { tables[table].layout.recordType.position(of: $0) }).sorted().map {
        FieldNumber.position($0)
      }
    }
    return tables[table].record(slot, fields: fields)
  }

  func contains(_ recordName: String) -> Bool { place(of: recordName) != nil }

  /// Stores a record in place of the one of its name, under a new change tag, and returns it as stored.
  mutating func store(_ record: Record, as recordType: RecordType) -> Record {
    var record = record
    if cascadingReferences > 0, let old = self.record(record.recordID.recordName) {
      cascadingReferences -= old.cascadingTargets.count
    }
    cascadingReferences += record.cascadingTargets.count
    let position: Int
    if let known = self.position(of: record.recordType) {
      position = known
      if tables[position].layout.recordType.fields.count < recordType.fields.count {
        tables[position].adopt(recordType)
      }
    } else {
      position = tables.count
      tables.append(Table(zoneID: id, recordType: recordType))
    }
    changeNumber += 1
    tables[position].store(record, changeNumber: changeNumber)
    record.changeTag = String(changeNumber, radix: 36)
    return record
  }

  /// Deletes a record and all that refer to it by `.deleteSelf`, those that refer to these, and so on; the IDs of all.
  ///
  /// Complexity: constant while no record of the zone holds such a reference; else linear in the zone's records for
  /// each record deleted.
  mutating func delete(_ recordName: String) -> [RecordID] {
    var deleted: [RecordID] = []
    var pending = [recordName]
    while let name = pending.popLast() {
      guard let (position, slot) = place(of: name) else { continue }
      if cascadingReferences > 0 {
        cascadingReferences -= tables[position].record(slot).cascadingTargets.count
        pending += referrers(to: name)
      }
      tables[position].delete(name)
      deleted.append(RecordID(recordName: name, zoneID: id))
    }
    return deleted
  }

  /// The names of the records that refer to one by `.deleteSelf`.
  func referrers(to recordName: String) -> [String] {
    var names: [String] = []
    for table in tables {
      for slot in 0..<table.slotCount where table.isLive(slot) {
        let record = table.record(slot)
        if record.cascadingTargets.contains(where: { sameBytes($0.recordName, recordName) }) {
          names.append(record.recordID.recordName)
        }
      }
    }
    return names
  }

  var holdsCascadingReferences: Bool { cascadingReferences > 0 }
}

extension Record {
  /// The records whose deletion deletes this one.
  var cascadingTargets: [RecordID] {
    fields.flatMap { field -> [RecordID] in
      switch field.value {
      case .reference(let reference): reference.action == .deleteSelf ? [reference.recordID] : []
      case .referenceList(let references):
        references.filter { $0.action == .deleteSelf }.map(\.recordID)
      default: []
      }
    }
  }
}
