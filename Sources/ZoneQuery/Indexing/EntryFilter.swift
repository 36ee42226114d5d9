// An unsafe leaf: reads the words and slots of a leaf's entries by pointers, while the caller holds the version.

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
      let isFirst = unsafe OrderedIndexNode<Key>.bit(filter.first.holds(word(filter.first.word, entry)))
      let isSecond = unsafe OrderedIndexNode<Key>.bit(filter.second.holds(word(filter.second.word, entry)))
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
        passed &+= unsafe OrderedIndexNode<Key>.bit(filter.first.holds(words[index]))
        index &+= 1
      }
      return passed
    }
    let others = unsafe self.words(filter.second.word)
    while index < count {
      unsafe kept[passed] = slots[index]
      passed &+=
        unsafe OrderedIndexNode<Key>.bit(filter.first.holds(words[index]))
        & OrderedIndexNode<Key>.bit(filter.second.holds(others[index]))
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
}
