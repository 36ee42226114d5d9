/// The records that are saved together: their names, and what they refer to.
struct Companions {
  private let records: [Record]
  private let saving: [Int]
  private var names: Set<ByteKey>?
  private var targets: [[UInt8]: Int]?

  init(_ records: [Record], _ saving: [Int]) {
    self.records = records
    self.saving = saving
  }

  /// Whether a record is saved too. Complexity: constant, after the first question.
  mutating func contains(_ recordName: String) -> Bool {
    let known = names ?? Set(saving.map { ByteKey(records[$0].recordName) })
    names = known
    return known.contains(ByteKey(recordName))
  }

  /// The encoded IDs of all records that they refer to by `.deleteSelf`, with no counts yet. Complexity: constant, after
  /// the first question.
  mutating func cascadingTargets() -> [[UInt8]: Int] {
    if let targets { return targets }
    var all: [[UInt8]: Int] = [:]
    for index in saving {
      for target in CascadeTargets(of: records[index]).targets { all[target.encoded] = 0 }
    }
    targets = all
    return all
  }
}

extension Database {
  /// The error of a record whose parent is neither stored nor saved.
  static func parentMissing(_ record: Record) -> ZoneQueryError {
    let parent = record.parent.map { "'\($0.recordID)' " } ?? ""
    return ZoneQueryError(
      .record, .referenceViolation, "The parent \(parent)does not exist and is not saved with the record",
      recordID: record.recordID)
  }

  /// The places of the records of a commit that is given up which cannot be saved, as their parents are not.
  ///
  /// A parent is there if it is stored in `state`, the one before the commit, or was saved and is no such record itself.
  /// The records are as they would be stored: with the parents they keep. Complexity: linear in the records.
  static func orphans(_ saved: [(index: Int, record: Record)], in state: ZoneState) -> Set<Int> {
    var names = Set(saved.map { ByteKey($0.record.recordName) })
    var children: [ByteKey: [(index: Int, name: ByteKey)]] = [:]
    for (index, record) in saved {
      guard let parent = record.parent else { continue }
      children[ByteKey(parent.recordID.recordName), default: []].append((index, ByteKey(record.recordName)))
    }
    var orphans: Set<Int> = []
    var missing = children.keys.filter { !names.contains($0) }
    while let parent = missing.popLast() {
      if state.contains(parent.text) { continue }
      for (index, name) in children[parent] ?? [] where orphans.insert(index).inserted {
        if names.remove(name) != nil { missing.append(name) }
      }
    }
    return orphans
  }
}
