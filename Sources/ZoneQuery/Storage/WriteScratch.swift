// An unsafe leaf: has lists of pages, which it gives the memory of back.

/// Room that writers use again from record to record and from commit to commit, so that saving a record asks the system
/// for little memory.
///
/// A ``PageHeap`` has one while a commit runs, touched by the zone's one writer alone; then it goes back to the pool. No
/// property is touched while a change of it runs, as no method calls what it was not given; so accesses to them are not
/// checked while running.
@safe
final class WriteScratch {
  static let pool = Pool<WriteScratch>()

  /// The pages that the running commit allocated, and those it did without: the heap's own while it runs, else empty.
  @unsafe @exclusivity(unchecked) var born = unsafe PageList<UnsafeMutableRawPointer>()
  @unsafe @exclusivity(unchecked) var retired = unsafe PageList<UnsafeMutableRawPointer>()
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  @exclusivity(unchecked) private var idle: [TermScratch] = []
  @exclusivity(unchecked) private var old: [(index: Int, terms: TermScratch)] = []
  @exclusivity(unchecked) private var changes: [IndexChange] = []

  deinit {
    unsafe born.release()
    unsafe retired.release()
  }

  /// Whether it is worth keeping: a large text's terms, or a load's pages, take room that hardly any other commit needs.
  var isSmall: Bool {
    unsafe born.capacity <= WriteScratch.mostPages && retired.capacity <= WriteScratch.mostPages
      && bytes.capacity <= WriteScratch.mostBytes
      && idle.allSatisfy { $0.terms.capacity <= WriteScratch.mostTerms }
  }

  /// Bytes for the encoding of a value, to be put back.
  func takeBytes() -> [UInt8] {
    defer { unsafe bytes = [] }
    return unsafe bytes
  }

  func put(_ bytes: [UInt8]) { unsafe self.bytes = bytes }

  /// Terms of a row, to be put back.
  func takeTerms() -> TermScratch { unsafe idle.popLast() ?? TermScratch() }

  func put(_ terms: TermScratch) {
    if unsafe idle.count < WriteScratch.mostIdle { unsafe idle.append(terms) }
  }

  /// Room for the changes of ordered indexes, with none in it, to be put back.
  func takeChanges() -> [IndexChange] {
    defer { unsafe changes = [] }
    return unsafe changes
  }

  func put(_ changes: [IndexChange]) {
    if changes.capacity <= WriteScratch.mostChanges { unsafe self.changes = changes }
  }

  /// More are kept no room for: a long list has a change for each member.
  private static var mostChanges: Int { 1024 }
  /// Half a megabyte of each of the lists.
  private static var mostPages: Int { 1 << 16 }
  private static var mostIdle: Int { 16 }
  private static var mostBytes: Int { 1 << 20 }
  private static var mostTerms: Int { 1 << 14 }

  /// Keeps the terms that the row being written had in an index.
  func keepOld(_ terms: TermScratch, of index: Int) { unsafe old.append((index, terms)) }

  func takeOld() -> (index: Int, terms: TermScratch)? { unsafe old.popLast() }
}
