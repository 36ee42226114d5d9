// What the cascades of a table hold: the targets of the `.deleteSelf` references of its records.
//
// They are as those of an index of postings on all fields with references, which the schema says nothing of: they change with
// each row, are emptied when a bulk load begins, and built from all rows at its end.

extension Table {
  // MARK: Following a row

  /// Adds a new row, where it has such references.
  mutating func insertCascades(_ slot: Int, _ heap: PageHeap) {
    guard !isBulk, hasReferences else { return }
    let scratch = heap.scratch
    let terms = cascades(of: slot, scratch)
    if !terms.terms.isEmpty { cascades.insert(all: terms.terms, slot: UInt32(truncatingIfNeeded: slot), heap: heap) }
    scratch.put(terms)
  }

  /// Takes out a row that is about to go.
  mutating func removeCascades(_ slot: Int, _ heap: PageHeap) {
    guard !isBulk, hasReferences, cascades.postings > 0 else { return }
    let scratch = heap.scratch
    let terms = cascades(of: slot, scratch)
    if !terms.terms.isEmpty { cascades.remove(all: terms.terms, slot: UInt32(truncatingIfNeeded: slot), heap: heap) }
    scratch.put(terms)
  }

  /// The targets of a row before some of its fields change; nil where none of these matters.
  func cascadesBefore(_ slot: Int, _ changed: FieldSet, _ heap: PageHeap) -> TermScratch? {
    guard !isBulk, shape.references.contains(where: changed.contains) else { return nil }
    return cascades(of: slot, heap.scratch)
  }

  /// Takes a row that has changed out of the lists of the targets it has no more, and into those of the ones it has now.
  mutating func replaceCascades(_ old: TermScratch, _ slot: Int, _ heap: PageHeap) {
    let scratch = heap.scratch
    let new = cascades(of: slot, scratch)
    let place = UInt32(truncatingIfNeeded: slot)
    cascades.remove(all: old.terms(notIn: new), slot: place, heap: heap)
    cascades.insert(all: new.terms(notIn: old), slot: place, heap: heap)
    scratch.put(new)
    scratch.put(old)
  }

  /// The targets of a row as it is now, each once.
  private func cascades(of slot: Int, _ scratch: WriteScratch) -> TermScratch {
    var terms = scratch.takeTerms()
    fillCascades(of: slot, &terms)
    return terms
  }

  private func fillCascades(of slot: Int, _ terms: inout TermScratch) {
    terms.removeAll()
    forEachCascade(slot) { terms.insert($0) }
  }

  /// Calls `body` with the targets of a row, as often as they are in it.
  private func forEachCascade(_ slot: Int, _ body: (PostingTerm) -> Void) {
    forEachCascadingReference(slot) { body(PostingTerm($0)) }
  }

  /// Whether records may refer to others.
  private var hasReferences: Bool { !shape.references.isEmpty }

  // MARK: All rows at once

  /// Builds them from all rows; they are empty. Complexity: linear in the rows, where they may refer to others.
  mutating func buildCascades(_ heap: PageHeap) {
    guard hasReferences else { return }
    var builder = PostingIndexBuilder(slots: 0)
    forEachRow { _, slot in forEachCascade(Int(slot)) { builder.add($0, slot: slot) } }
    cascades = builder.finish(heap: heap)
  }

  // MARK: Checking

  /// What is wrong with them, nil where nothing is: they have just what the rows have, each once.
  ///
  /// Complexity: a search for each target of a row.
  var cascadesFault: String? {
    if !cascades.check() { return "its cascades' structure" }
    var (expected, missing) = (0, 0)
    if !isBulk, hasReferences {
      var terms = TermScratch()
      forEachRow { _, slot in
        fillCascades(of: Int(slot), &terms)
        expected += terms.terms.count
        for term in terms.terms where cascades.list(term)?.contains(slot) != true { missing += 1 }
      }
    }
    if missing > 0 { return "\(missing) cascades are missing" }
    return expected == cascades.postings ? nil : "\(cascades.postings) cascades, \(expected) in fact"
  }
}
