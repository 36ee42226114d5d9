#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// An unsafe leaf: finding places in an ordered index. See OrderedIndex.swift for the invariants.

extension OrderedIndexNode {
  /// How many of the first word's places, of which the first `count` are used, hold less than `word`.
  @inline(__always)
  static func below(_ words: UnsafePointer<UInt64>, _ count: Int, room: Int, _ word: UInt64) -> Int {
    if room < 16 { return unsafe SortedRun.below(words, count, word) }
    // Unused places hold what is greatest, so that the parts are always as many.
    var (block, last) = (0, 15)
    while last < room {
      block &+= unsafe SortedRun.bit(words[last] < word)
      last &+= 16
    }
    block &*= 16
    return unsafe block == room ? room : block &+ SortedRun.below(words + block, 16, word)
  }

  /// The places, among the first `count`, whose first word is `word`.
  @inline(__always)
  func run(_ word: UInt64, _ count: Int) -> (low: Int, high: Int) {
    let words = unsafe UnsafePointer(words(0))
    let room = unsafe room
    // Where the first of several words has few values, most nodes hold one of them alone.
    if Key.wordCount > 1, count > 0, unsafe words[0] == word, unsafe words[count &- 1] == word { return (0, count) }
    let low = unsafe Self.below(words, count, room: room, word)
    if unsafe low == count || words[low] != word { return (low, low) }
    let next = low &+ 1
    if unsafe next == count || words[next] != word { return (low, next) }
    if word == .max { return (low, count) }
    return unsafe (low, Self.below(words, count, room: room, word &+ 1))
  }

  /// The part of a run of equal earlier words whose `position`-th word is `word`.
  @inline(__always)
  func narrow(_ position: Int, _ word: UInt64, _ low: inout Int, _ high: inout Int) {
    let words = unsafe UnsafePointer(words(position))
    unsafe low = SortedRun.lower(words, low, high, word)
    if unsafe low == high || words[low] != word {
      high = low
    } else if unsafe low &+ 1 == high || words[low &+ 1] != word {
      high = low &+ 1
    } else if word != .max {
      unsafe high = SortedRun.lower(words, low &+ 1, high, word &+ 1)
    }
  }

  /// The part of a run of equal words whose texts are equal to a text.
  @inline(never)
  func narrow<Ties: KeyTies>(
    text: UnsafeRawBufferPointer, component: Int, ties: Ties, _ low: inout Int, _ high: inout Int
  ) {
    if low == high { return }
    func order(_ index: Int) -> Int {
      unsafe Self.order(ties.text(slot: slots[index], component: component), text)
    }
    // Mostly all are equal: the texts lie where the rows do, each of them to be waited for.
    let (first, last) = (order(low), order(high &- 1))
    if first < 0 { low = unsafe split(low &+ 1, high) { order($0) < 0 } }
    if last > 0 { high = unsafe split(low, high &- 1) { order($0) <= 0 } }
  }

  /// The first index of a run that is not among those, all at its beginning, that a condition holds for.
  @inline(__always)
  private func split(_ start: Int, _ end: Int, where isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (start, end)
    while low < high {
      let middle = (low &+ high) >> 1
      if isBefore(middle) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// The places among the first `count` whose keys begin as a bound's.
  @inline(__always)
  func run<Ties: KeyTies>(
    _ bound: IndexBound<Key>, _ count: Int, shape: KeyShape, ties: Ties
  ) -> (low: Int, high: Int) {
    if bound.words == 0 { return (0, count) }
    var (low, high) = unsafe run(bound.key[0], count)
    unsafe narrow(bound, words: 1..<bound.words, shape: shape, ties: ties, &low, &high)
    return (low, high)
  }

  /// The part of a run of equal earlier words whose next words are those of a bound.
  @inline(__always)
  private func narrow<Ties: KeyTies>(
    _ bound: IndexBound<Key>, words: Range<Int>, shape: KeyShape, ties: Ties, _ low: inout Int, _ high: inout Int
  ) {
    var word = words.lowerBound
    while word < Key.wordCount, word < words.upperBound, low < high {
      unsafe narrow(word, bound.key[word], &low, &high)
      if Ties.areBroken, low < high, shape.isLong(word, bound.key[word]),
        let text = unsafe bound.texts[shape.tiesBefore(word)]
      {
        unsafe narrow(text: text, component: shape.component(word), ties: ties, &low, &high)
      }
      word &+= 1
    }
  }

  /// The places that two bounds give among the first `count`, of which so many words are shared: at least one.
  @inline(__always)
  func places<Ties: KeyTies>(
    _ lower: IndexBound<Key>, _ upper: IndexBound<Key>, shared: Int, _ count: Int, shape: KeyShape, ties: Ties
  ) -> (lower: Int, upper: Int) {
    var (low, high) = unsafe run(lower.key[0], count)
    unsafe narrow(lower, words: 1..<shared, shape: shape, ties: ties, &low, &high)
    var (otherLow, otherHigh) = (low, high)
    unsafe narrow(lower, words: shared..<lower.words, shape: shape, ties: ties, &low, &high)
    unsafe narrow(upper, words: shared..<upper.words, shape: shape, ties: ties, &otherLow, &otherHigh)
    return (lower.isAfter ? high : low, upper.isAfter ? otherHigh : otherLow)
  }

  /// How many of the first `count` places come before an entry, and whether the next is it.
  @inline(__always)
  func place<Ties: KeyTies>(
    _ entry: IndexEntry<Key>, _ count: Int, shape: KeyShape, ties: Ties
  ) -> (index: Int, isFound: Bool) {
    var (low, high) = unsafe run(entry.key[0], count)
    var word = 1
    while word < Key.wordCount, low < high {
      unsafe narrow(word, entry.key[word], &low, &high)
      if Ties.areBroken, low < high, shape.isLong(word, entry.key[word]) {
        let component = shape.component(word)
        unsafe narrow(
          text: ties.text(slot: entry.slot, component: component), component: component, ties: ties, &low, &high)
      }
      word &+= 1
    }
    if low == high { return (low, false) }
    let slots = unsafe UnsafePointer(slots)
    let index = unsafe SortedRun.lower(slots, low, high, entry.slot)
    return unsafe (index, index < high && slots[index] == entry.slot)
  }

  /// Whether an entry of the node is behind another; nil where only the bytes of texts tell.
  @inline(__always)
  func isBehind<Ties: KeyTies>(_ entry: IndexEntry<Key>, _ index: Int, shape: KeyShape, ties: Ties) -> Bool? {
    var word = 0
    while word < Key.wordCount {
      let (own, other) = unsafe (words(word)[index], entry.key[word])
      if own != other { return own > other }
      if Ties.areBroken, shape.isLong(word, other) { return nil }
      word &+= 1
    }
    return unsafe slots[index] > entry.slot
  }

  /// Orders a text against another by bytes: below, above or 0 where they are equal.
  static func order(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    let shared = min(text.count, other.count)
    if let start = text.baseAddress, let otherStart = other.baseAddress, shared > 0 {
      let order = unsafe memcmp(start, otherStart, shared)
      if order != 0 { return Int(order) }
    }
    return text.count - other.count
  }
}

/// A bound that gives no more than the first word.
private struct FirstWordBound {
  /// Whether all entries are before it; else those are that hold less than the word.
  private let isEnd: Bool
  private let word: UInt64

  /// Nil where a bound gives more words.
  @inline(__always)
  init?<Key: IndexKey>(_ bound: IndexBound<Key>) {
    if bound.words > 1 { return nil }
    let first = bound.words == 0 ? 0 : bound.key[0]
    isEnd = bound.isAfter && (bound.words == 0 || first == .max)
    word = bound.isAfter && !isEnd ? first + 1 : first
  }

  /// How many of the first `count` places of a node come before the bound: no branch depends on what they hold.
  @inline(__always)
  func place<Key: IndexKey>(in node: OrderedIndexNode<Key>, _ count: Int) -> Int {
    if isEnd { return count }
    return unsafe OrderedIndexNode<Key>.below(UnsafePointer(node.words(0)), count, room: node.room, word)
  }
}

/// A way down an ordered index, from its root.
@unsafe
private struct Descent<Key: IndexKey> {
  var node: OrderedIndexNode<Key>
  private var page: UnsafeMutableRawPointer
  private var rank = 0
  private var path: UInt64 = 0

  @inline(__always)
  init(_ root: UnsafeMutableRawPointer) {
    unsafe page = root
    unsafe node = OrderedIndexNode(root)
  }

  /// The way that led to the first place of a leaf.
  @inline(__always)
  init?(_ start: IndexPosition) {
    guard let leaf = unsafe start.leaf else { return nil }
    unsafe page = leaf
    unsafe node = OrderedIndexNode(leaf)
    unsafe (rank, path) = (start.rank, start.path)
  }

  @inline(__always)
  mutating func enter(_ child: Int) {
    unsafe path = path << 8 | UInt64(truncatingIfNeeded: child)
    unsafe rank &+= node.before(child)
    unsafe page = node.children[child]
    unsafe node = OrderedIndexNode(page)
  }

  /// Enters the child in which an entry is, or would be.
  @inline(__always)
  mutating func step<Ties: KeyTies>(to entry: IndexEntry<Key>, shape: KeyShape, ties: Ties) {
    let place = unsafe node.place(entry, node.count &- 1, shape: shape, ties: ties)
    unsafe enter(place.index &+ (place.isFound ? 1 : 0))
  }

  /// Whether another way led to the same node.
  @inline(__always)
  func isBeside(_ other: Descent) -> Bool { unsafe page == other.page }

  /// The place before an entry of the leaf that was come to.
  @inline(__always)
  func position(_ index: Int) -> IndexPosition {
    unsafe IndexPosition(rank: rank &+ index, leaf: page, index: index, path: path)
  }

  /// The child that a bound leads to; in a leaf, with `count` the number of its entries, the entry.
  @inline(__always)
  func child<Ties: KeyTies>(_ bound: IndexBound<Key>, _ count: Int, shape: KeyShape, ties: Ties) -> Int {
    let run = unsafe node.run(bound, count, shape: shape, ties: ties)
    return bound.isAfter ? run.high : run.low
  }
}

extension OrderedIndex {
  /// The place that a bound gives.
  func seek<Ties: KeyTies>(_ bound: Bound, ties: Ties) -> IndexPosition {
    guard let root = unsafe root else { return .empty }
    var way = unsafe Descent<Key>(root)
    var level = height
    if let bound = FirstWordBound(bound) {
      while level > 0 {
        unsafe way.enter(bound.place(in: way.node, way.node.count &- 1))
        level &-= 1
      }
      return unsafe way.position(bound.place(in: way.node, way.node.count))
    }
    while level > 0 {
      unsafe way.enter(way.child(bound, way.node.count &- 1, shape: shape, ties: ties))
      level &-= 1
    }
    return unsafe way.position(way.child(bound, way.node.count, shape: shape, ties: ties))
  }

  /// The place that a bound gives in an index whose keys have no long texts, or none that count.
  func seek(_ bound: Bound) -> IndexPosition { seek(bound, ties: NoTies()) }

  /// The places that two bounds give, sooner than one after the other: where nodes are not near, both ways wait together.
  func seek<Ties: KeyTies>(
    _ lower: Bound, _ upper: Bound, ties: Ties
  ) -> (lower: IndexPosition, upper: IndexPosition) {
    guard let root = unsafe root else { return (.empty, .empty) }
    var (low, high) = unsafe (Descent<Key>(root), Descent<Key>(root))
    var level = height
    if let lower = FirstWordBound(lower), let upper = FirstWordBound(upper) {
      while level > 0 {
        let children = unsafe (
          lower.place(in: low.node, low.node.count &- 1), upper.place(in: high.node, high.node.count &- 1)
        )
        unsafe low.enter(children.0)
        unsafe high.enter(children.1)
        level &-= 1
      }
      return unsafe (
        low.position(lower.place(in: low.node, low.node.count)),
        high.position(upper.place(in: high.node, high.node.count))
      )
    }
    let shared = lower.sharedWords(upper, shape)
    while level > 0, shared > 0, unsafe low.isBeside(high) {
      let children = unsafe low.node.places(
        lower, upper, shared: shared, low.node.count &- 1, shape: shape, ties: ties)
      unsafe low.enter(children.lower)
      unsafe high.enter(children.upper)
      level &-= 1
    }
    while level > 0 {
      unsafe low.enter(low.child(lower, low.node.count &- 1, shape: shape, ties: ties))
      unsafe high.enter(high.child(upper, high.node.count &- 1, shape: shape, ties: ties))
      level &-= 1
    }
    if shared > 0, unsafe low.isBeside(high) {
      let places = unsafe low.node.places(lower, upper, shared: shared, low.node.count, shape: shape, ties: ties)
      return unsafe (low.position(places.lower), high.position(places.upper))
    }
    return unsafe (
      low.position(low.child(lower, low.node.count, shape: shape, ties: ties)),
      high.position(high.child(upper, high.node.count, shape: shape, ties: ties))
    )
  }

  /// The places before and behind all entries whose keys begin as a bound's: one descent, where a leaf holds them.
  @inline(__always)
  func places<Ties: KeyTies>(_ bound: Bound, ties: Ties) -> (lower: IndexPosition, upper: IndexPosition) {
    guard let root = unsafe root else { return (.empty, .empty) }
    var way = unsafe Descent<Key>(root)
    var level = height
    while level > 0 {
      unsafe way.enter(way.node.run(bound, way.node.count &- 1, shape: shape, ties: ties).low)
      level &-= 1
    }
    let run = unsafe way.node.run(bound, way.node.count, shape: shape, ties: ties)
    let (lower, upper) = unsafe (way.position(run.low), way.position(run.high))
    if unsafe run.high < way.node.count || upper.rank == count { return (lower, upper) }
    var after = bound
    after.isAfter = true
    return (lower, seek(after, ties: ties))
  }

  /// How many entries lie before a bound.
  func rank<Ties: KeyTies>(_ bound: Bound, ties: Ties) -> Int { seek(bound, ties: ties).rank }

  /// Where an entry is, or would be; `leaf` is the start of the leaf that it belongs to, where that is known.
  @inline(__always)
  func place<Ties: KeyTies>(
    of entry: Entry, in leaf: IndexPosition? = nil, ties: Ties
  ) -> (position: IndexPosition, isFound: Bool) {
    guard let way = unsafe leaf.flatMap(Descent<Key>.init) ?? way(to: entry, ties: ties) else { return (.empty, false) }
    let place = unsafe way.node.place(entry, way.node.count, shape: shape, ties: ties)
    return unsafe (way.position(place.index), place.isFound)
  }

  /// The first step to the leaf in which an entry is, or would be: the start of a child of the root, which is asked for and
  /// not read; of the root itself, where leaves are its children.
  func firstStep<Ties: KeyTies>(to entry: Entry, ties: Ties) -> IndexPosition {
    guard let root = unsafe root else { return .empty }
    var way = unsafe Descent<Key>(root)
    if height > 1 {
      unsafe way.step(to: entry, shape: shape, ties: ties)
      unsafe way.node.prefetchWords()
    }
    return unsafe way.position(0)
  }

  /// The start of the leaf in which an entry is, or would be, behind the first step to it; nothing of the leaf is read.
  func leaf<Ties: KeyTies>(of entry: Entry, behind step: IndexPosition, ties: Ties) -> IndexPosition {
    guard var way = unsafe Descent<Key>(step) else { return .empty }
    var level = height > 1 ? height &- 1 : height
    while level > 0 {
      unsafe way.step(to: entry, shape: shape, ties: ties)
      level &-= 1
    }
    return unsafe way.position(0)
  }

  /// Asks for the node above the leaf at the end of a way, of which the first words were read.
  func prefetchNode(above way: IndexPosition) {
    guard height > 1, unsafe way.leaf != nil, var page = unsafe root else { return }
    var level = height &- 1
    while level > 0 {
      let (node, child) = unsafe (Node(page), way.child(level))
      // Where nodes were split or joined since, the way may lead nowhere.
      if unsafe child >= node.count { return }
      unsafe page = node.children[child]
      level &-= 1
    }
    unsafe Node(page).prefetchRest()
  }

  /// Asks for the leaf at the end of a way: for as much as a full one has, as most nearly are.
  func prefetchLeaf(_ way: IndexPosition) {
    guard height > 0, let leaf = unsafe way.leaf else { return }
    unsafe PageHeap.prefetch(leaf, Node.leafBytes(Node.leafRoom, isCoded: shape.isCoded))
  }

  /// The way down to the leaf in which an entry is, or would be.
  @inline(__always)
  private func way<Ties: KeyTies>(to entry: Entry, ties: Ties) -> Descent<Key>? {
    guard let root = unsafe root else { return nil }
    var way = unsafe Descent<Key>(root)
    var level = height
    while level > 0 {
      unsafe way.step(to: entry, shape: shape, ties: ties)
      level &-= 1
    }
    return unsafe way
  }

  /// Whether there is an entry.
  func contains<Ties: KeyTies>(_ key: Key, slot: UInt32, ties: Ties) -> Bool {
    place(of: Entry(key: key, slot: slot), ties: ties).isFound
  }

  /// The place behind so many entries.
  func position(rank: Int) -> IndexPosition {
    let rank = min(max(rank, 0), count)
    guard var page = unsafe root else { return .empty }
    var (rest, path) = (rank, UInt64(0))
    var level = height
    while level > 0 {
      let node = unsafe Node(page)
      // The last child before which no more entries lie.
      let child = unsafe SortedRun.lower(node.before, 1, node.count, UInt32(truncatingIfNeeded: rest &+ 1)) &- 1
      path = path << 8 | UInt64(truncatingIfNeeded: child)
      unsafe rest &-= node.before(child)
      unsafe page = node.children[child]
      level &-= 1
    }
    return unsafe IndexPosition(rank: rank, leaf: page, index: rest, path: path)
  }

  var start: IndexPosition { position(rank: 0) }
  var end: IndexPosition { position(rank: count) }
}
