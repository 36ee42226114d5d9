// How a zone goes on with the changes of another process's zone, whose records are loaded under their own change tags.
//
// Numbers go on far above the last one that is known: that process may have given others since, whose records are lost.
// Tokens that name such a number have expired, and none of them is given again.

extension ZoneState {
  /// What the zone knows of its changes; nil where it does not track them. Complexity: linear in the deletions.
  var changeState: ZoneChangeState? {
    if !tracksChanges { return nil }
    var known: [ZoneChangeState.Deletion] = []
    for table in deletions {
      known.reserveCapacity(table.count)
      table.changes?.forEachChange { change in
        known.append(
          ZoneChangeState.Deletion(
            recordName: table.withName(Int(change.slot)) { String(copying: $0) },
            recordType: tables[self.table(ofDeletion: change.slot)].layout.recordType.name,
            number: Int64(bitPattern: change.number)))
        return true
      }
    }
    return ZoneChangeState(
      zoneID: id, changeNumber: changeNumber, forgotten: forgottenChanges, gaps: gaps, deletions: known)
  }

  /// Begins the loading of the records that a state was of, into an empty zone.
  mutating func beginRestoring(_ state: ZoneChangeState) {
    let first = state.changeNumber + 1
    let next = state.changeNumber + Int64.random(in: 1 << 41..<1 << 42)
    let gaps = state.gaps + [first...next - 1]
    let (forgotten, kept) = (gaps.dropLast(ZoneChangeState.mostGaps), gaps.suffix(ZoneChangeState.mostGaps))
    begin(at: next, forgotten: forgotten.reduce(state.forgotten) { max($0, $1.upperBound + 1) }, gaps: Array(kept))
  }

  /// Ends the loading of the records that a state was of: it knows of the deletions, too.
  ///
  /// Complexity: n log n in the records, and in the deletions.
  mutating func endRestoring(_ state: ZoneChangeState, _ schema: Schema) {
    var forgotten = forgottenChanges
    if !areNumbersDistinct { forgotten = changeNumber }
    let known = state.deletions.sorted { $0.number < $1.number }
    let newest = known.suffix(rememberedDeletions ?? 0)
    if newest.startIndex > 0 { forgotten = max(forgotten, known[newest.startIndex - 1].number) }
    for deletion in newest where deletion.number > forgotten {
      let place = place(of: deletion.recordName)
      if place.isFound || isRemembered(deletion.recordName, place) { continue }
      if let table = position(of: deletion.recordType) ?? schema[deletion.recordType].map({ table(for: $0) }) {
        remember(deletion.recordName, place.hash, ofTable: table, deletion.number)
      } else {
        forgotten = deletion.number
      }
    }
    end(forgotten: max(forgotten, forgottenChanges))
  }

  /// Whether no two records have tags of one number: tokens that end between them would not tell them apart.
  private var areNumbersDistinct: Bool {
    var numbers: [UInt64] = []
    for table in tables {
      table.changes?.forEachChange {
        numbers.append($0.number)
        return true
      }
    }
    numbers.sort()
    return zip(numbers, numbers.dropFirst()).allSatisfy { $0 != $1 }
  }
}
