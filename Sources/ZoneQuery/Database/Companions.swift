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

/// A record that has to be there when another one is saved: its parent, or what a reference by `.validate` points to.
struct RequiredTarget: Sendable {
  let recordName: String
  /// The field that refers to it; nil of a parent.
  let field: String?

  /// All of a record, the parent first.
  static func all(of record: Record) -> [RequiredTarget] {
    var targets: [RequiredTarget] = []
    if let parent = record.parent { targets.append(RequiredTarget(recordName: parent.recordID.recordName, field: nil)) }
    if !record.holdsReferences { return targets }
    func add(_ reference: Reference, _ field: String) {
      if reference.action != .validate { return }
      targets.append(RequiredTarget(recordName: reference.recordID.recordName, field: field))
    }
    for field in record.fields {
      switch field.value {
      case .reference(let reference): add(reference, field.name)
      case .referenceList(let references): for reference in references { add(reference, field.name) }
      default: break
      }
    }
    return targets
  }
}

extension Database {
  /// The error of a record that refers to one that has to be there and is neither stored nor saved.
  static func missing(_ target: RequiredTarget, of record: Record) -> ZoneQueryError {
    guard let field = target.field.map({ SyntaxError.excerpt($0) }) else { return parentMissing(record) }
    return ZoneQueryError(
      .record, .referenceViolation,
      "Field '\(field)' refers by .validate to '\(SyntaxError.excerpt(target.recordName))', which does not exist and is not "
        + "saved with the record",
      hint: "save that record with it, or refer to it by .none", recordID: record.recordID)
  }

  /// The error of a record whose parent is neither stored nor saved.
  static func parentMissing(_ record: Record) -> ZoneQueryError {
    let parent = record.parent.map { "'\(SyntaxError.excerpt("\($0.recordID)"))' " } ?? ""
    return ZoneQueryError(
      .record, .referenceViolation, "The parent \(parent)does not exist and is not saved with the record",
      hint: "save the parent with it, or set the record's parent to nil", recordID: record.recordID)
  }

  /// The places of the records of a commit that is given up which cannot be saved, as their parents are not, or others that
  /// have to be there, each with the first that is missing: one that is nowhere before one that fails for the same reason.
  ///
  /// Such a record is there if it is stored in `state`, the one before the commit, or was saved and is no orphan itself. Those
  /// that were saved come with what each as it would be stored needs to be there. Complexity: linear in these.
  static func orphans(
    _ saved: [(index: Int, name: String, targets: [RequiredTarget])], in state: ZoneState
  ) -> [Int: RequiredTarget] {
    let all = Set(saved.map { ByteKey($0.name) })
    var left = all
    var holders: [ByteKey: [ByteKey]] = [:]
    for (_, name, targets) in saved {
      for target in targets { holders[ByteKey(target.recordName), default: []].append(ByteKey(name)) }
    }
    var missing = holders.keys.filter { !all.contains($0) }
    while let absent = missing.popLast() {
      if state.contains(absent.text) { continue }
      for name in holders[absent] ?? [] where left.remove(name) != nil { missing.append(name) }
    }
    var orphans: [Int: RequiredTarget] = [:]
    for (index, name, targets) in saved where !left.contains(ByteKey(name)) {
      let absent = targets.filter { !left.contains(ByteKey($0.recordName)) && !state.contains($0.recordName) }
      orphans[index] = absent.first { !all.contains(ByteKey($0.recordName)) } ?? absent.first
    }
    return orphans
  }
}
