/// The names of the records that are saved together.
struct Companions {
  private let records: [Record]
  private let saving: [Int]
  private var names: Set<ByteKey>?

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
}

extension Database {
  /// The error of a record whose parent is neither stored nor saved.
  static func parentMissing(_ record: Record) -> ZoneQueryError {
    let parent = record.parent.map { "'\(SyntaxError.excerpt("\($0.recordID)"))' " } ?? ""
    return ZoneQueryError(
      .record, .referenceViolation, "The parent \(parent)does not exist and is not saved with the record",
      hint: "save the parent with it, or set the record's parent to nil", recordID: record.recordID)
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
