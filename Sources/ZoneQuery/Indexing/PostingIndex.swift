// An unsafe leaf: reads the numbers that a dictionary points to, while its version is pinned or of the running commit.

/// The slots of the records that have a term: tokens of texts, references, members of lists.
///
/// A term is told from all others by two words (``PostingTerm``). One of one slot keeps it in the dictionary; one of more has
/// a list, whose entry is found by a number, so that a term that is known is added to without a change of the dictionary.
///
/// A value that belongs to one version of a zone; a copy is the next version's, and changes pages as `PageHeap` says.
/// Which terms a record has is for the caller to know: a slot is inserted once for each distinct term, and taken out
/// once.
///
/// Invariant: a number in the dictionary is a slot, or, with its highest bit set, the number of an entry; two terms never
/// have the same entry. `postings` is the sum of the lists' counts.
///
/// Complexity: finding a list is logarithmic in the terms. Adding a slot above a known term's others copies the pages on
/// the way to its entry, 256 and 512 bytes, and now and then its list's directory; any other change copies a block and the
/// directory, or a page a level of the dictionary.
struct PostingIndex: Sendable {
  private var dictionary = PostingDictionary()
  private var entries = PostingEntries()
  /// How many pairs of a term and a slot there are.
  private(set) var postings = 0

  static let listBit: UInt32 = 1 << 31

  init() {}

  init(dictionary: PostingDictionary, entries: PostingEntries, postings: Int) {
    self.dictionary = dictionary
    self.entries = entries
    self.postings = postings
  }

  /// How many terms there are.
  var termCount: Int { dictionary.count }

  // MARK: Asking

  /// The slots with a term; nil where there are none.
  func list(_ term: Span<UInt8>) -> PostingList? { list(PostingTerm(term)) }

  func list(_ term: PostingTerm) -> PostingList? {
    guard let number = unsafe dictionary.number(of: term) else { return nil }
    return unsafe list(number)
  }

  /// The lists of those terms that a condition holds for, which may ask for the list of one.
  ///
  /// Complexity: linear in the terms.
  func lists(where isWanted: (PostingTerm, () -> PostingList?) -> Bool) -> [PostingList] {
    var lists: [PostingList] = []
    unsafe dictionary.forEachTerm { term, number in
      if isWanted(term, { unsafe list(number) }), let list = unsafe list(number) { lists.append(list) }
    }
    return lists
  }

  private func list(_ number: UnsafePointer<UInt32>) -> PostingList? {
    if unsafe number.pointee < PostingIndex.listBit {
      return unsafe PostingList(count: 1, directory: nil, directoryCount: 0, tail: number, tailCount: 1)
    }
    guard let entry = unsafe entries.entry(Int(number.pointee & ~PostingIndex.listBit)) else { return nil }
    return unsafe StoredPostings.list(entry)
  }

  // MARK: Changing

  /// Adds a slot to a term's; returns whether it was not there.
  @discardableResult
  mutating func insert(_ term: Span<UInt8>, slot: UInt32, heap: PageHeap) -> Bool {
    insert(PostingTerm(term), slot: slot, heap: heap)
  }

  @discardableResult
  mutating func insert(_ term: PostingTerm, slot: UInt32, heap: PageHeap) -> Bool {
    guard let number = unsafe dictionary.number(of: term)?.pointee else {
      let number =
        slot < PostingIndex.listBit
        ? slot : UInt32(entries.add(SIMD2(slot, 0), count: 1, heap)) | PostingIndex.listBit
      dictionary.insert(term, number: number, heap: heap)
      postings += 1
      return true
    }
    if number < PostingIndex.listBit {
      if number == slot { return false }
      let list = entries.add(SIMD2(min(number, slot), max(number, slot)), count: 2, heap)
      dictionary.setNumber(of: term, to: UInt32(list) | PostingIndex.listBit, heap: heap)
      postings += 1
      return true
    }
    let place = Int(number & ~PostingIndex.listBit)
    guard let entry = unsafe entries.entry(place) else { return false }
    let list = unsafe StoredPostings.list(entry)
    if unsafe list.tail.map({ unsafe $0[max(list.tailCount - 1, 0)] < slot }) != true || list.tailCount == 0,
      list.contains(slot)
    {
      return false
    }
    guard let entry = unsafe entries.writable(place, heap) else { return false }
    unsafe StoredPostings.insert(slot, entry: entry, heap: heap)
    postings += 1
    return true
  }

  /// Takes a slot out of a term's; returns whether it was there.
  @discardableResult
  mutating func remove(_ term: Span<UInt8>, slot: UInt32, heap: PageHeap) -> Bool {
    remove(PostingTerm(term), slot: slot, heap: heap)
  }

  @discardableResult
  mutating func remove(_ term: PostingTerm, slot: UInt32, heap: PageHeap) -> Bool {
    guard let number = unsafe dictionary.number(of: term)?.pointee else { return false }
    if number < PostingIndex.listBit {
      if number != slot { return false }
      dictionary.remove(term, heap: heap)
      postings -= 1
      return true
    }
    let place = Int(number & ~PostingIndex.listBit)
    guard let entry = unsafe entries.entry(place) else { return false }
    let list = unsafe StoredPostings.list(entry)
    if !list.contains(slot) { return false }
    postings -= 1
    if list.count == 1 {
      dictionary.remove(term, heap: heap)
      entries.free(place, heap)
      return true
    }
    // So few lie in the entry itself.
    if list.count == 2, case let slots = unsafe StoredPostings.inline(entry),
      case let other = unsafe slots[0] == slot ? slots[1] : slots[0], other < PostingIndex.listBit
    {
      dictionary.setNumber(of: term, to: other, heap: heap)
      entries.free(place, heap)
      return true
    }
    guard let entry = unsafe entries.writable(place, heap) else { return false }
    unsafe StoredPostings.remove(slot, entry: entry, heap: heap)
    return true
  }

  // MARK: Changing many

  /// Adds a slot to the lists of terms, each of which it is known not to be in.
  mutating func insert(all terms: [PostingTerm], slot: UInt32, heap: PageHeap) {
    changeLists(of: terms, isAdded: true, slot: { _ in slot }) { index, number, list in
      guard let list, let entry = unsafe index.entries.writable(list, heap) else {
        index.insert(terms[number], slot: slot, heap: heap)
        return
      }
      assert(unsafe !StoredPostings.list(entry).contains(slot))
      unsafe StoredPostings.insert(slot, entry: entry, heap: heap)
      index.postings += 1
    }
  }

  /// Terms, by their words, and a slot of the list of each.
  typealias Pairs = ContiguousArray<IndexEntry<Key2>>

  /// Adds slots to the lists of terms, which are not there already; each term is looked up once for all its slots.
  mutating func insert(_ pairs: consuming Pairs, heap: PageHeap) {
    changeLists(of: &pairs, isAdded: true) { index, term, slots, list in
      guard let list, let entry = unsafe index.entries.writable(list, heap) else {
        for place in slots.indices { index.insert(term, slot: slots[place].slot, heap: heap) }
        return
      }
      for place in slots.indices {
        let slot = slots[place].slot
        assert(unsafe !StoredPostings.list(entry).contains(slot))
        unsafe StoredPostings.insert(slot, entry: entry, heap: heap)
      }
      index.postings += slots.count
    }
  }

  /// Takes slots out of the lists of terms, in which they are; each term is looked up once for all its slots.
  mutating func remove(_ pairs: consuming Pairs, heap: PageHeap) {
    changeLists(of: &pairs, isAdded: false) { index, term, slots, list in
      guard let list, let entry = unsafe index.entries.writable(list, heap),
        unsafe StoredPostings.count(entry) > slots.count + 1
      else {
        for place in slots.indices { index.remove(term, slot: slots[place].slot, heap: heap) }
        return
      }
      for place in slots.indices {
        let slot = slots[place].slot
        assert(unsafe StoredPostings.list(entry).contains(slot))
        unsafe StoredPostings.remove(slot, entry: entry, heap: heap)
      }
      index.postings -= slots.count
    }
  }

  /// Calls `change` with each term of some pairs, which are sorted by it and then by slot, its pairs and the number of its
  /// list, nil where it has none.
  private mutating func changeLists(
    of pairs: inout Pairs, isAdded: Bool,
    _ change: (inout PostingIndex, PostingTerm, Span<IndexEntry<Key2>>, _ list: Int?) -> Void
  ) {
    OrderedIndex<Key2>.sort(&pairs, shape: KeyShape([.number, .number]), ties: NoTies())
    unsafe pairs.withUnsafeBufferPointer { pairs in
      var (terms, ends): ([PostingTerm], [Int]) = ([], [])
      for place in pairs.indices {
        let key = unsafe pairs[place].key
        if unsafe place + 1 < pairs.count && pairs[place + 1].key == key { continue }
        terms.append(PostingTerm(head: key[0], tail: key[1]))
        ends.append(place + 1)
      }
      unsafe ends.withUnsafeBufferPointer { ends in
        changeLists(of: terms, isAdded: isAdded) { number in
          unsafe pairs[number == 0 ? 0 : ends[number - 1]].slot
        } _: { index, number, list in
          let slots = unsafe pairs.span.extracting((number == 0 ? 0 : ends[number - 1])..<ends[number])
          change(&index, terms[number], slots, list)
        }
      }
    }
  }

  /// Takes a slot out of the lists of terms, in each of which it is known to be.
  mutating func remove(all terms: [PostingTerm], slot: UInt32, heap: PageHeap) {
    changeLists(of: terms, isAdded: false, slot: { _ in slot }) { index, number, list in
      // The entry is changed in either case.
      guard let list, let entry = unsafe index.entries.writable(list, heap), unsafe StoredPostings.count(entry) > 2
      else {
        index.remove(terms[number], slot: slot, heap: heap)
        return
      }
      assert(unsafe StoredPostings.list(entry).contains(slot))
      unsafe StoredPostings.remove(slot, entry: entry, heap: heap)
      index.postings -= 1
    }
  }

  /// Calls `change` with the number of each of some terms and that of its list, nil where it has none; it is to add slots to
  /// the term's, or take them out, of which `slot` tells the first.
  ///
  /// What memory the lists are changed in is rarely near. While one is changed, that of the next three is asked for: piece
  /// by piece, of which each tells where the next lies.
  private mutating func changeLists(
    of terms: [PostingTerm], isAdded: Bool, slot: (Int) -> UInt32,
    _ change: (inout PostingIndex, _ number: Int, _ list: Int?) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: terms.count) { numbers in
      // Only a change of the term itself changes its number. Where there is none, 0 stands for no list, as a lone slot does.
      unsafe dictionary.writeNumbers(of: terms, to: numbers, none: 0) { number in
        if let list = PostingIndex.list(number) { entries.prefetch(list) }
      }
      for step in 0..<terms.count + 3 {
        if let entry = unsafe entry(numbers, step) { unsafe StoredPostings.prefetchPage(entry) }
        if let entry = unsafe entry(numbers, step - 1) { unsafe StoredPostings.prefetchEnd(entry, isAdded: isAdded) }
        if let entry = unsafe entry(numbers, step - 2) {
          unsafe StoredPostings.prefetch(slot(step - 2), entry, isAdded: isAdded)
        }
        if step >= 3 { unsafe change(&self, step - 3, PostingIndex.list(numbers[step - 3])) }
      }
    }
  }

  /// The number of the list that a number in the dictionary stands for.
  @inline(__always)
  private static func list(_ number: UInt32) -> Int? { number < listBit ? nil : Int(number & ~listBit) }

  /// The entry that a number at a place stands for.
  @inline(__always)
  private func entry(_ numbers: UnsafeMutableBufferPointer<UInt32>, _ place: Int) -> UnsafeMutableRawPointer? {
    guard place >= 0, place < numbers.count, let list = unsafe PostingIndex.list(numbers[place]) else { return nil }
    return unsafe entries.entry(list)
  }

  /// Retires every page, and leaves no term.
  mutating func removeAll(heap: PageHeap) {
    unsafe forEachPage { unsafe heap.retire($0) }
    self = PostingIndex()
  }

  // MARK: The whole

  /// Calls `body` with every page that the index reaches.
  func forEachPage(_ body: (UnsafeMutableRawPointer) -> Void) {
    unsafe dictionary.forEachTerm { _, number in
      if unsafe number.pointee >= PostingIndex.listBit,
        let entry = unsafe entries.entry(Int(number.pointee & ~PostingIndex.listBit))
      {
        unsafe StoredPostings.forEachPage(entry, body)
      }
    }
    unsafe entries.forEachPage(body)
    unsafe dictionary.forEachPage(body)
  }

  /// The bytes of all pages, headers included.
  var footprint: Int {
    var sum = 0
    unsafe forEachPage { unsafe sum += PageHeap.capacity(of: $0) + PageHeap.headerSize }
    return sum
  }

  /// Whether the index keeps its invariants: for tests.
  func check() -> Bool {
    var sum = 0
    var isSound = dictionary.check() && entries.check()
    unsafe dictionary.forEachTerm { _, number in
      if unsafe number.pointee < PostingIndex.listBit {
        sum += 1
      } else if let entry = unsafe entries.entry(Int(number.pointee & ~PostingIndex.listBit)) {
        isSound = unsafe isSound && StoredPostings.check(entry)
        unsafe sum += StoredPostings.count(entry)
      }
    }
    return isSound && sum == postings
  }
}
