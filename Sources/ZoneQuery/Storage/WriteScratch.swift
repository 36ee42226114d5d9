/// Room that a zone's writer uses again from record to record and from commit to commit, so that saving a record asks the
/// system for little memory.
///
/// It belongs to a ``PageHeap``, and is touched by the zone's one writer alone.
final class WriteScratch {
  private var bytes: [UInt8] = []
  private var idle: [TermScratch] = []
  private var old: [(index: Int, terms: TermScratch)] = []
  private var changes: [IndexChange] = []
  /// What was loaded only to have it near: kept, so that it is loaded.
  private(set) var touched: UInt64 = 0

  /// Bytes for the encoding of a value, to be put back.
  func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  func put(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Terms of a row, to be put back.
  func takeTerms() -> TermScratch { idle.popLast() ?? TermScratch() }

  func put(_ terms: TermScratch) { idle.append(terms) }

  /// Room for the changes of ordered indexes, with none in it, to be put back.
  func takeChanges() -> [IndexChange] {
    defer { changes = [] }
    return changes
  }

  func put(_ changes: [IndexChange]) {
    if changes.capacity <= WriteScratch.mostChanges { self.changes = changes }
  }

  /// More are kept no room for: a long list has a change for each member.
  private static var mostChanges: Int { 1024 }

  func note(_ touched: UInt64) { self.touched ^= touched }

  /// Keeps the terms that the row being written had in an index.
  func keepOld(_ terms: TermScratch, of index: Int) { old.append((index, terms)) }

  func takeOld() -> (index: Int, terms: TermScratch)? { old.popLast() }
}
