/// The names of the records that are saved together.
struct Companions {
  private let records: [Record]
  private let saving: [Int]
  private var names: Set<ByteKey>?
  /// Those that were asked for and are among them.
  private(set) var found: [String] = []

  init(_ records: [Record], _ saving: [Int]) {
    self.records = records
    self.saving = saving
  }

  /// Whether a record is saved too. Complexity: constant, after the first question.
  mutating func contains(_ recordName: String) -> Bool {
    let known = names ?? Set(saving.map { ByteKey(records[$0].recordID.recordName) })
    names = known
    guard known.contains(ByteKey(recordName)) else { return false }
    found.append(recordName)
    return true
  }
}

extension Database {
  static func orphan(_ record: Record) -> ZoneQueryError {
    let parent = record.parent.map { "'\($0.recordID)' " } ?? ""
    return ZoneQueryError(
      .record, .referenceViolation, "The parent \(parent)does not exist and is not saved with the record",
      recordID: record.recordID)
  }

  /// The places of those records that were saved beside their parents, which then were not saved and are not stored, of
  /// their children, and so on. Complexity: linear in the records.
  static func orphans(_ records: [Record], _ saving: [Int], isSaved: (Int) -> Bool, in state: ZoneState) -> [Int] {
    var children: [ByteKey: [Int]] = [:]
    var lost: [String] = []
    for index in saving {
      let record = records[index]
      if !isSaved(index) {
        lost.append(record.recordID.recordName)
      } else if let parent = record.parent {
        children[ByteKey(parent.recordID.recordName), default: []].append(index)
      }
    }
    var orphans: [Int] = []
    while let name = lost.popLast() {
      if state.contains(name) { continue }
      for index in children.removeValue(forKey: ByteKey(name)) ?? [] {
        orphans.append(index)
        lost.append(records[index].recordID.recordName)
      }
    }
    return orphans
  }
}
