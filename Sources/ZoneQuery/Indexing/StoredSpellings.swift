// An unsafe leaf: reads the long texts of an index's entries where their rows lie.
//
// Invariant: the table is one of a version that the caller holds, and the index one of its own.

/// The texts of a table's field as they are stored, sought in the order of an index on the field.
@safe
struct StoredSpellings {
  private let index: TableIndex
  private let ties: RowTies
  /// How many more searches there may be.
  private(set) var left: Int
  /// The text that was come to last.
  private var stored: [UInt8] = []

  /// Nil where no index has all texts of the field in their order. There may be as many searches as `most`.
  init?(_ field: FieldNumber, _ table: Table, most: Int) {
    guard let number = StoredSpellings.index(field, table) else { return nil }
    let index = table.indexes[number]
    self.init(index, RowTies(table, index.shape), most: most)
  }

  /// The texts that an index has of its first field, of whose rows it finds the long ones.
  init(_ index: TableIndex, _ ties: RowTies, most: Int) { (self.index, self.ties, left) = (index, ties, most) }

  private static func index(_ field: FieldNumber, _ table: Table) -> Int? {
    if let number = table.indexNumber(of: field, .ordered) { return number }
    // Records that lack a later field are in no compound index.
    return table.indexes.indices.first { number in
      let index = table.indexes[number]
      return index.shape.kind == .ordered && index.shape.field == field && index.shape.components[0].isInOrder
        && index.incomplete == 0
    }
  }

  /// Adds the intervals of the stored texts that fold to a text, or to one that begins with it: ascending, apart, and but for
  /// a beginning one text each. False where that takes more searches than there may be, or is not known.
  ///
  /// Complexity: a search for each text that is found, and for each beginning of one where those asked for go on otherwise
  /// than those stored: of names in letters some ten.
  mutating func add(_ text: [UInt8], _ folding: Folding, isPrefix: Bool, to intervals: inout [ValueInterval]) -> Bool {
    guard var sought = FoldedText(text, folding, isPrefix: isPrefix) else { return false }
    while let next = sought.next {
      if left == 0 { return false }
      left -= 1
      guard seek(next) else { return true }
      switch sought.step(stored.span) {
      case .passed: continue
      case .found: intervals.append(ValueInterval(text: stored))
      case .foundBeginning(let count):
        guard let interval = ValueInterval(.prefix, Array(stored.prefix(count))) else { return false }
        intervals.append(interval)
        sought.pass(beginning: stored.prefix(count))
      }
    }
    return true
  }

  /// Comes to the first text that is not before another; false where there is none.
  private mutating func seek(_ text: [UInt8]) -> Bool {
    switch index.entries {
    case .one, .postings: false
    case .two(let index): seek(text, index)
    case .three(let index): seek(text, index)
    case .four(let index): seek(text, index)
    }
  }

  private mutating func seek<Key: IndexKey>(_ text: [UInt8], _ index: OrderedIndex<Key>) -> Bool {
    let bytes = text.span
    let words = KeyEncoding.words(bytes)
    let entry = LentTexts().adding(0, bytes) { texts in
      let key = Key(Key4(Key2(words.first, words.second)))
      return index.entry(at: index.seek(IndexBound(key: key, words: 2, isAfter: false, texts: texts), ties: ties))
    }
    guard let entry else { return false }
    stored.removeAll(keepingCapacity: true)
    if KeyEncoding.isLong(entry.key[1]) {
      unsafe stored.append(contentsOf: ties.text(slot: entry.slot, component: 0))
    } else {
      KeyEncoding.append(entry.key[0], entry.key[1], to: &stored)
    }
    return true
  }
}
