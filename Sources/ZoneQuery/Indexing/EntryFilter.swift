// An unsafe leaf: reads the words, codes and slots of a leaf's entries by pointers, while the caller holds the version.

/// What the entries of an index on several fields are held against by their own words, so that no row is looked at: up to
/// two ranges of numbers, each of a later field than those that the entries are in order by.
///
/// Making, copying and asking one allocates and counts nothing.
struct EntryFilter: Sendable, BitwiseCopyable {
  /// A range that one word of a key is to lie in, both ends included.
  struct Test: Sendable, BitwiseCopyable {
    fileprivate(set) var word = 0
    fileprivate var lower: UInt64 = 0
    fileprivate var distance: UInt64 = .max

    @inline(__always)
    func holds(_ value: UInt64) -> Bool { value &- lower <= distance }

    fileprivate var lowest: UInt64 { lower }
    fileprivate var highest: UInt64 { lower &+ distance }

    /// Asks for what lies in a range too; false where nothing does.
    fileprivate mutating func narrow(_ range: ClosedRange<UInt64>) -> Bool {
      let (lower, upper) = (max(lower, range.lowerBound), min(lower + distance, range.upperBound))
      if lower > upper { return false }
      (self.lower, distance) = (lower, upper - lower)
      return true
    }
  }

  /// The most words that are looked at.
  static let most = 2

  private(set) var first = Test()
  /// Holds for the first word of every key where there is no second: none asks for that one.
  private(set) var second = Test()
  private var count = 0
  /// Whether no entry passes.
  private(set) var isHopeless = false

  /// A filter that every entry passes.
  init() {}

  var isEmpty: Bool { count == 0 && !isHopeless }

  /// Asks a word to lie in a range too; nil holds for no word. False where there is no room for it.
  mutating func add(_ word: Int, _ range: ClosedRange<UInt64>?) -> Bool {
    guard let range else {
      isHopeless = true
      return true
    }
    if count > 0, first.word == word {
      isHopeless = !first.narrow(range) || isHopeless
    } else if count > 1, second.word == word {
      isHopeless = !second.narrow(range) || isHopeless
    } else if count < EntryFilter.most {
      let test = Test(word: word, lower: range.lowerBound, distance: range.upperBound - range.lowerBound)
      if count == 0 { first = test } else { second = test }
      count += 1
    } else {
      return false
    }
    return true
  }
}

extension IndexRun {
  /// Whether the `index`-th entry that the walk comes to passes.
  @inline(__always)
  func passes(_ filter: EntryFilter, _ index: Int) -> Bool {
    filter.first.holds(word(filter.first.word, index)) && filter.second.holds(word(filter.second.word, index))
  }

  /// Which of some entries pass, a bit each: at most 32, from the `first`-th on that the walk comes to.
  @inline(__always)
  func passing(_ filter: EntryFilter, _ first: Int, _ count: Int) -> UInt32 {
    var (passing, index): (UInt32, UInt32) = (0, 0)
    while index < count {
      let entry = first &+ Int(index)
      let isFirst = SortedRun.bit(filter.first.holds(word(filter.first.word, entry)))
      let isSecond = SortedRun.bit(filter.second.holds(word(filter.second.word, entry)))
      passing |= UInt32(truncatingIfNeeded: isFirst & isSecond) &<< index
      index &+= 1
    }
    return passing
  }

  /// Writes the slots of the entries that pass to where there is room for all, in ascending order of the entries, whatever
  /// the direction; returns how many there are. No branch depends on what they hold.
  @inline(__always)
  fileprivate func write(passing filter: EntryFilter, to kept: UnsafeMutablePointer<UInt32>) -> Int {
    let slots = unsafe slots
    let words = unsafe words(filter.first.word)
    var (index, passed) = (0, 0)
    if filter.second.word == 0 {
      while index < count {
        unsafe kept[passed] = slots[index]
        passed &+= unsafe SortedRun.bit(filter.first.holds(words[index]))
        index &+= 1
      }
      return passed
    }
    let others = unsafe self.words(filter.second.word)
    while index < count {
      unsafe kept[passed] = slots[index]
      passed &+=
        unsafe SortedRun.bit(filter.first.holds(words[index]))
        & SortedRun.bit(filter.second.holds(others[index]))
      index &+= 1
    }
    return passed
  }
}

extension OrderedIndex {
  /// Adds the slots of the entries between two places that pass, in ascending order of the entries, leaf by leaf, until
  /// there are as many as are wanted or as many entries were read; false where that many were read and less was found.
  @discardableResult
  func collect(
    from lower: IndexPosition, to upper: IndexPosition, passing filter: EntryFilter, wanted: Int = .max,
    mostEntries: Int = .max, into found: inout [UInt32]
  ) -> Bool {
    if filter.isHopeless { return true }
    if shape.isCoded, filter.second.word == 0 {
      return collect(
        from: lower, to: upper, passing: filter.first, wanted: wanted, mostEntries: mostEntries, into: &found)
    }
    // A leaf's entries find room behind those that are not handed over yet.
    let most = 256
    var entries = mostEntries
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: most) { buffer in
      guard let kept = buffer.baseAddress else { return }
      var passed = 0
      forEachRun(from: lower, to: upper) { run in
        if unsafe passed > most - Node.leafRoom {
          unsafe found.append(contentsOf: UnsafeBufferPointer(start: kept, count: passed))
          passed = 0
        }
        unsafe passed &+= run.write(passing: filter, to: kept + passed)
        entries &-= run.count
        return entries > 0 && found.count &+ passed < wanted
      }
      unsafe found.append(contentsOf: UnsafeBufferPointer(start: kept, count: passed))
    }
    return entries > 0 || found.count >= wanted
  }

  /// The same where leaves have codes of what is tested: where its words are spread evenly, hardly any but the entries that
  /// pass are looked at.
  private func collect(
    from lower: IndexPosition, to upper: IndexPosition, passing test: EntryFilter.Test, wanted: Int, mostEntries: Int,
    into found: inout [UInt32]
  ) -> Bool {
    guard upper.rank > lower.rank, let page = unsafe lower.leaf else { return mostEntries > 0 || found.count >= wanted }
    return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: CodedEntries<Key>.room) { places in
      unsafe withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer.self, capacity: CodedEntries<Key>.leafRoom) {
        leaves in
        guard let places = places.baseAddress, let pages = leaves.baseAddress else { return true }
        var kept = unsafe CodedEntries<Key>(places, pages, test)
        return unsafe collect(
          from: page, lower.index, Leaves(path: lower.path), count: upper.rank &- lower.rank, &kept, wanted,
          mostEntries,
          &found)
      }
    }
  }

  /// The walk itself. It goes from leaf to leaf as `forEachRun` does, but by itself: what a closure would change lies in
  /// memory, and the leaves that follow are asked for ahead.
  private func collect(
    from first: UnsafeMutableRawPointer, _ start: Int, _ leaves: Leaves, count: Int, _ kept: inout CodedEntries<Key>,
    _ wanted: Int, _ mostEntries: Int, _ found: inout [UInt32]
  ) -> Bool {
    var (page, start, leaves, rest, entries) = unsafe (first, start, leaves, count, mostEntries)
    var touched: UInt64 = 0
    while true {
      // What is looked at soon is asked for.
      if let following = unsafe leaf(ahead: 2, of: leaves) { unsafe touched &+= Node(following).touchCodes() }
      let count = unsafe min(Node(page).count &- start, rest)
      if count > 0 {
        unsafe kept.take(from: Node(page), start, start &+ count)
        rest &-= count
        entries &-= count
        let mayBeEnough = unsafe found.count &+ kept.count >= wanted
        if unsafe kept.isFull || mayBeEnough || entries <= 0 { unsafe kept.hand(to: &found) }
        // So many bytes are never read: that they were read is to have some effect.
        if entries <= 0 || found.count >= wanted || touched == .max { break }
      }
      guard rest > 0, let next = unsafe self.leaf(beside: &leaves, forward: true) else { break }
      unsafe (page, start) = (next, 0)
    }
    unsafe kept.hand(to: &found)
    return entries > 0 || found.count >= wanted
  }
}

/// Entries of some leaves whose codes say that they may pass a test, to be held against it together: what memory they lie
/// in is waited for at once.
@unsafe
private struct CodedEntries<Key: IndexKey> {
  /// A leaf by its number among those taken, and an entry's place in it in the lowest byte; then the slots of those that pass.
  private let places: UnsafeMutablePointer<UInt32>
  private let leaves: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private let test: EntryFilter.Test
  private(set) var count = 0
  private var leafCount = 0

  /// How many entries and leaves there is room for: so little memory is taken from the stack.
  static var room: Int { 256 }
  static var leafRoom: Int { 32 }

  init(
    _ places: UnsafeMutablePointer<UInt32>, _ leaves: UnsafeMutablePointer<UnsafeMutableRawPointer>,
    _ test: EntryFilter.Test
  ) {
    unsafe (self.places, self.leaves, self.test) = (places, leaves, test)
  }

  /// Whether there is no room for another leaf's.
  var isFull: Bool {
    unsafe leafCount == CodedEntries.leafRoom || count > CodedEntries.room - OrderedIndexNode<Key>.leafRoom
  }

  /// Takes those between two places of a leaf whose codes may be.
  @inline(__always)
  mutating func take(from leaf: OrderedIndexNode<Key>, _ start: Int, _ end: Int) {
    guard let range = unsafe leaf.scale.codes(from: test.lowest, to: test.highest) else { return }
    unsafe leaves[leafCount] = leaf.base
    let number = unsafe UInt32(truncatingIfNeeded: leafCount &<< 8)
    unsafe leafCount &+= 1
    let (first, width) = (SIMD16(repeating: range.first), SIMD16(repeating: range.last &- range.first))
    let codes = unsafe UnsafeRawPointer(leaf.codes)
    var low: UInt64 = 0
    if end > 48 {
      for piece in 0..<4 { low |= unsafe CodedEntries.bits(codes + 16 &* piece, first, width) &<< UInt64(16 &* piece) }
    } else {
      var piece = 0
      while 16 &* piece < end {
        low |= unsafe CodedEntries.bits(codes + 16 &* piece, first, width) &<< UInt64(truncatingIfNeeded: 16 &* piece)
        piece &+= 1
      }
    }
    if start > 0 { low = start < 64 ? low & UInt64.max &<< UInt64(truncatingIfNeeded: start) : 0 }
    if end < 64 { low &= (1 &<< UInt64(truncatingIfNeeded: end)) &- 1 }
    unsafe write(low, number, steps: 8)
    if end <= 64 { return }
    // A leaf has no more than 80 entries.
    var high = unsafe CodedEntries.bits(codes + 64, first, width) & ((1 &<< UInt64(truncatingIfNeeded: end &- 64)) &- 1)
    if start > 64 { high &= UInt64.max &<< UInt64(truncatingIfNeeded: start &- 64) }
    unsafe write(high, number | 64, steps: 2)
  }

  /// Writes the places of some bits, which are mostly no more than `steps`: so many are written without asking how many
  /// there are.
  @inline(__always)
  private mutating func write(_ bits: UInt64, _ first: UInt32, steps: Int) {
    let next = unsafe places + count
    var rest = bits
    for step in 0..<steps {
      unsafe next[step] = first &+ UInt32(truncatingIfNeeded: rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
    var written = steps
    while rest != 0 {
      unsafe next[written] = first &+ UInt32(truncatingIfNeeded: rest.trailingZeroBitCount)
      rest &= rest &- 1
      written &+= 1
    }
    unsafe count &+= bits.nonzeroBitCount
  }

  /// Which of 16 codes lie in a range, a bit each.
  @inline(__always)
  private static func bits(_ codes: UnsafeRawPointer, _ first: SIMD16<UInt8>, _ width: SIMD16<UInt8>) -> UInt64 {
    let lanes = unsafe (codes.loadUnaligned(as: SIMD16<UInt8>.self) &- first) .<= width
    let halves = unsafe unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
    // Each lane keeps a bit of its own, and the highest byte of the product has the sum of all.
    let low = ((halves.x & 0x8040_2010_0804_0201) &* 0x0101_0101_0101_0101) &>> 56
    let high = ((halves.y & 0x8040_2010_0804_0201) &* 0x0101_0101_0101_0101) &>> 56
    return low | high &<< 8
  }

  /// Appends the slots of those that pass, and begins anew.
  mutating func hand(to found: inout [UInt32]) {
    var (index, passed) = (0, 0)
    while unsafe index < count {
      let place = unsafe places[index]
      let leaf = unsafe OrderedIndexNode<Key>(leaves[Int(truncatingIfNeeded: place &>> 8)])
      let entry = Int(truncatingIfNeeded: place & 0xFF)
      unsafe places[passed] = unsafe leaf.slots[entry]
      unsafe passed &+= SortedRun.bit(test.holds(leaf.words(1)[entry]))
      index &+= 1
    }
    unsafe found.append(contentsOf: UnsafeBufferPointer(start: places, count: passed))
    unsafe (count, leafCount) = (0, 0)
  }
}
