/// Changes of a table's indexes that a commit of many records has yet to make, to be made together: sorted, so that a page
/// that several of them come to lie in is copied for all.
///
/// A row is among them once: what changes it again makes them first. While they wait, entries that are to be added are in no
/// index, and those that are to be taken out are there still, of rows that hold something else by now, or none. Such have no
/// long text, and are asked for one only where they have; so their order does not rest on what their rows hold.
struct WaitingChanges: Sendable {
  private struct Row {
    var slot: UInt32
    /// What was changed of it; nil for a new one.
    var changed: FieldSet?

    /// Whether it is new, or a field was changed that an index is on.
    @inline(__always)
    func isFor(_ shape: IndexShape?) -> Bool {
      guard let changed else { return true }
      return shape?.isOn(changed) ?? false
    }
  }

  private var rows: [Row] = []
  private var slots: Set<UInt32> = []
  /// That of the rows which was added last; negative where none was. A row is mostly added several times, one after the other.
  private var last = -1
  /// What is to be taken out of the indexes, by their numbers: of ordered ones keys, of postings terms.
  private(set) var removedKeys: [ContiguousArray<IndexEntry<Key4>>]
  private(set) var removedTerms: [PostingIndex.Pairs]
  /// About how many bytes wait: of rows, which give at most an entry for some of them, and of what is taken out.
  private var bytes = 0

  init(indexes: Int) {
    removedKeys = Array(repeating: [], count: indexes)
    removedTerms = Array(repeating: [], count: indexes)
  }

  /// The most rows, and bytes, that wait: what they take up is to stay near, and to be little.
  private static var most: Int { 4_096 }
  private static var mostBytes: Int { 2 << 20 }

  var isEmpty: Bool { slots.isEmpty }
  var isFull: Bool { slots.count >= WaitingChanges.most || bytes >= WaitingChanges.mostBytes }

  func contains(_ slot: Int) -> Bool { !slots.isEmpty && slots.contains(UInt32(truncatingIfNeeded: slot)) }

  /// Adds a row of so many bytes that is to be put into the indexes: a new one, or one of which some fields were changed.
  mutating func append(_ slot: UInt32, _ changed: FieldSet?, bytes: Int) {
    rows.append(Row(slot: slot, changed: changed))
    note(slot)
    self.bytes += bytes
  }

  @inline(__always)
  private mutating func note(_ slot: UInt32) {
    if last == Int(slot) { return }
    last = Int(slot)
    slots.insert(slot)
  }

  /// Adds an entry that is to be taken out of an index.
  mutating func remove(_ key: Key4, _ slot: UInt32, from index: Int) {
    removedKeys[index].append(IndexEntry(key: key, slot: slot))
    note(slot)
    bytes += 16
  }

  /// Adds a row that is to be taken out of the lists of some terms.
  mutating func remove(_ terms: [PostingTerm], _ slot: UInt32, from index: Int) {
    for term in terms { removedTerms[index].append(IndexEntry(key: Key2(term.head, term.tail), slot: slot)) }
    note(slot)
    bytes += terms.count * 16
  }

  /// Calls `body` with each row that is to be put into an index, as it is in its table: with new ones, and where `shape` is
  /// given with those of which a field was changed that the index is on.
  @inline(__always)
  func forEachRow(of table: TableRows, changedOn shape: IndexShape?, _ body: (IndexedRow, UInt32) -> Void) {
    // By their numbers: an array's elements are copied, each with a reference counted.
    for index in rows.indices where rows[index].isFor(shape) {
      let number = Int(rows[index].slot)
      let row = IndexedRow(group: table.group(number >> RowGroup.shift), row: number & (RowGroup.size - 1))
      body(row, rows[index].slot)
    }
  }
}
