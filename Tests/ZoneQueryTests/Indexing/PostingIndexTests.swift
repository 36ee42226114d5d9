import Testing

@testable import ZoneQuery

/// The posting index against a dictionary of sets, with versions held while others follow.
@Suite("Posting index")
struct PostingIndexTests {
  /// What lists look like in a zone: which slots come, in which order, and how many terms share them.
  struct Shape: Sendable, CustomTestStringConvertible {
    var name: String
    var terms: Int
    var slots: UInt32
    /// Of 100 insertions, how many are above all slots before.
    var ascending: Int
    /// Of 100 operations, how many take out.
    var removals: Int
    var testDescription: String { name }
  }

  static let shapes = [
    Shape(name: "few dense terms, appended to", terms: 3, slots: 40_000, ascending: 97, removals: 3),
    Shape(name: "few dense terms, anywhere", terms: 2, slots: 12_000, ascending: 0, removals: 30),
    Shape(name: "sparse terms", terms: 5, slots: .max, ascending: 20, removals: 25),
    Shape(name: "terms in a zone of a million", terms: 12, slots: 1_000_000, ascending: 90, removals: 8),
    Shape(name: "many terms", terms: 6000, slots: 3000, ascending: 30, removals: 35),
    Shape(name: "terms that come and go", terms: 40, slots: 400, ascending: 30, removals: 49),
  ]

  @Test(arguments: shapes.indices)
  func `lists hold what was inserted, in every version`(_ index: Int) {
    var world = PostingWorld(shape: PostingIndexTests.shapes[index], seed: UInt64(index) + 1)
    let floor = TestAmount.of(18_000, long: 1_000_000)
    world.build(pairs: floor / 10)
    world.run(operations: floor)
    world.drain()
    print(
      "posting index, \(PostingIndexTests.shapes[index].name): \(world.operations) operations, \(world.checks) checks, "
        + "\(world.unsorted) of slots in no order")
    #expect(world.faults == [])
    #expect(world.operations >= floor)
    #expect(world.checks >= floor / 80)
  }

  @Test(arguments: shapes.indices)
  func `more pairs than a builder keeps in one piece are built at once`(_ index: Int) {
    var world = PostingWorld(shape: PostingIndexTests.shapes[index], seed: UInt64(index) + 101)
    let pieces = TestAmount.isFull || index == 0 ? 2 : 1
    world.build(pairs: pieces * PostingIndexBuilder.pieceSize + 77)
    world.drain()
    print("built postings, \(PostingIndexTests.shapes[index].name): \(world.checks) checks")
    #expect(world.faults == [])
    #expect(world.checks >= min(PostingIndexTests.shapes[index].terms, 500))
  }

  /// Slots that ascend, that descend, and that come back, each with several terms; no piece ends where a slot does.
  @Test(arguments: [1, -1, 0])
  func `the terms of a slot may lie in two pieces`(_ step: Int) {
    let count = PostingIndexBuilder.pieceSize
    let heap = PageHeap()
    var builder = PostingIndexBuilder(slots: count)
    var expected: [[UInt8]: Set<UInt32>] = [:]
    for index in 0..<count {
      let slot = UInt32(step > 0 ? index : step < 0 ? count - index : index * 7 % 1_000)
      for term in 0..<3 {
        let name = Array("term \(term) \(index % (term * 2 + 5))".utf8)
        builder.add(name.span, slot: slot)
        expected[name, default: []].insert(slot)
      }
    }
    heap.begin()
    let index = builder.finish(heap: heap)
    heap.finish(replacing: VersionPins(generation: 0))
    #expect(index.termCount == expected.count && expected.count == 21)
    for (name, slots) in expected { #expect(index.list(name.span)?.slots == slots.sorted()) }
  }

  @Test func `a list of hundreds of blocks grows at its end, and gives its room back`() {
    let term = Array("seen everywhere".utf8)
    let heap = PageHeap()
    var index = PostingIndex()
    var pins = VersionPins(generation: 0)
    var model: [UInt32] = []
    var checks = 0
    func commit(_ change: (inout PostingIndex) -> Void) {
      heap.begin()
      change(&index)
      let old = pins
      pins = VersionPins(generation: heap.generation)
      heap.finish(replacing: old)
    }
    func verify(_ index: PostingIndex, _ model: [UInt32]) {
      let list = index.list(term.span)
      #expect(list?.slots == model)
      #expect(list?.count == model.count)
      checks += 1
    }
    // So far apart that no block holds more than 248.
    for start in stride(from: 0, to: 60_000, by: 50) {
      commit { index in
        for number in start..<start + 50 {
          let slot = UInt32(number * 977)
          if number & 1 == 0 {
            index.insert(term.span, slot: slot, heap: heap)
          } else {
            index.insert(all: [PostingTerm(term.span)], slot: slot, heap: heap)
          }
          model.append(slot)
        }
      }
      if start % 5_000 == 0 { verify(index, model) }
    }
    verify(index, model)
    #expect(index.list(term.span)?.directoryCount ?? 0 > 200)
    let (held, heldModel, heldPins) = (index, model, pins)
    heldPins.pin()
    let most = index.footprint
    // All but a few of the first, which lie in two blocks.
    while model.count > 70 {
      let gone = model.suffix(min(500, model.count - 70))
      commit { index in for slot in gone { index.remove(term.span, slot: slot, heap: heap) } }
      model.removeLast(gone.count)
      verify(index, model)
    }
    #expect(index.check())
    #expect(index.footprint < most / 100, "\(index.footprint) bytes of \(most)")
    // Once more, where there is less room again.
    for number in 70..<10_000 {
      commit { index in index.insert(term.span, slot: UInt32(number * 977), heap: heap) }
      model.append(UInt32(number * 977))
    }
    verify(index, model)
    verify(held, heldModel)
    heldPins.unpin()
    commit { _ in }
    #expect(index.check())
    #expect(index.footprint == heap.liveBytes)
    print("a posting list of hundreds of blocks: \(checks) checks")
    #expect(checks >= 130)
  }
}

/// An index, its heap, the model, and versions of both that readers hold.
struct PostingWorld {
  typealias Model = [[UInt8]: SortedSlots]

  struct Version {
    var index: PostingIndex
    var model: Model
    var pins: VersionPins
  }

  let shape: PostingIndexTests.Shape
  var random: SplitMix
  let heap = PageHeap()
  var newest = Version(index: PostingIndex(), model: [:], pins: VersionPins(generation: 0))
  var held: [Version] = []
  var top: UInt32 = 0
  var operations = 0
  var checks = 0
  var unsorted = 0
  var faults: [String] = []
  var undo: [(term: [UInt8], slot: UInt32, wasThere: Bool)] = []
  let vocabulary: [[UInt8]]

  init(shape: PostingIndexTests.Shape, seed: UInt64) {
    self.shape = shape
    random = SplitMix(seed: seed)
    var random = random
    vocabulary = (0..<shape.terms).map { PostingWorld.term($0, &random) }
  }

  /// A term of its own, of any length, with zeros and common beginnings.
  static func term(_ number: Int, _ random: inout SplitMix) -> [UInt8] {
    var name = Array(String(number, radix: 7).utf8)
    switch random.below(6) {
    case 0: name.append(contentsOf: repeatElement(0, count: random.below(9)))
    case 1: name = [0, 0, 0, 0, 0, 0, 0] + name
    case 2: name = Array("a common beginning, and then ".utf8) + name
    case 3: name = Array("abcdefg".utf8) + name
    case 4: name += Array("and an ending that is long".utf8)
    default: break
    }
    return [UInt8(number & 3)] + name
  }

  mutating func fault(_ text: String) { if faults.count < 5 { faults.append(text) } }

  /// Begins with an index that is built at once, of pairs in any order and some twice.
  mutating func build(pairs count: Int) {
    var builder = PostingIndexBuilder(slots: count)
    var slot: UInt32 = 0
    for _ in 0..<count {
      operations += 1
      let term = vocabulary[min(random.below(shape.terms), random.below(shape.terms))]
      if random.below(100) < shape.ascending { slot = min(slot + UInt32(random.below(3)), shape.slots) }
      let other = random.below(10) == 0 || shape.ascending < 50 ? UInt32(random.below(Int(shape.slots))) : slot
      builder.add(term.span, slot: other)
      setModel(term, other, to: true)
    }
    heap.begin()
    newest.index = builder.finish(heap: heap)
    let old = newest.pins
    newest.pins = VersionPins(generation: heap.generation)
    heap.finish(replacing: old)
    top = slot
    verifyWhole(newest)
  }

  mutating func run(operations count: Int) {
    while operations < count, faults.isEmpty {
      commit()
      if random.below(60) == 0 {
        newest.pins.pin()
        held.append(newest)
      }
      if held.count > 4 || !held.isEmpty && random.below(60) == 0 {
        let version = held.remove(at: random.below(held.count))
        verifySome(version, count: 3)
        version.pins.unpin()
      }
      if random.below(25) == 0 { verifySome(held.isEmpty ? newest : held[random.below(held.count)], count: 2) }
      if random.below(400) == 0 { verifyWhole(newest) }
    }
    verifyWhole(newest)
    for version in held {
      verifyWhole(version)
      version.pins.unpin()
    }
    held = []
  }

  mutating func commit() {
    heap.begin()
    var index = newest.index
    undo = []
    let oldTop = top
    for _ in 0..<1 + random.below(30) {
      switch random.below(64) {
      case 0..<4: changeMany(&index)
      case 4: changeBatch(&index)
      default: change(&index)
      }
    }
    if random.below(10) == 0 {
      heap.rollback()
      top = oldTop
      for (term, slot, wasThere) in undo.reversed() { setModel(term, slot, to: wasThere) }
    } else {
      let old = newest.pins
      newest.index = index
      newest.pins = VersionPins(generation: heap.generation)
      heap.finish(replacing: old)
    }
  }

  /// Changes the model in place: a copy is what a reader holds, and is made when it takes one.
  mutating func setModel(_ term: [UInt8], _ slot: UInt32, to isThere: Bool) {
    if isThere {
      newest.model[term, default: SortedSlots()].insert(slot)
    } else {
      newest.model[term]?.remove(slot)
      if newest.model[term]?.slots.isEmpty == true { newest.model[term] = nil }
    }
  }

  mutating func change(_ index: inout PostingIndex) {
    operations += 1
    let term = vocabulary[min(random.below(shape.terms), random.below(shape.terms))]
    if random.below(100) < shape.removals {
      // Mostly what is there.
      var slot = UInt32(random.below(Int(shape.slots)))
      if random.below(4) > 0, let slots = newest.model[term]?.slots { slot = slots[random.below(slots.count)] }
      let isThere = newest.model[term]?.contains(slot) ?? false
      if index.remove(term.span, slot: slot, heap: heap) != isThere { fault("remove \(term) \(slot)") }
      if isThere { undo.append((term, slot, true)) }
      setModel(term, slot, to: false)
      return
    }
    var slot = UInt32(random.below(Int(shape.slots)))
    if random.below(100) < shape.ascending {
      top = top &+ UInt32(random.below(random.below(50) == 0 ? Int(shape.slots) / 500 + 2 : 3))
      if top > shape.slots { top = 0 }
      slot = top
    }
    let isThere = newest.model[term]?.contains(slot) ?? false
    if index.insert(term.span, slot: slot, heap: heap) == isThere { fault("insert \(term) \(slot)") }
    if !isThere { undo.append((term, slot, false)) }
    setModel(term, slot, to: true)
  }

  /// Puts a slot into the lists of several terms at once, or takes it out of those that have it.
  mutating func changeMany(_ index: inout PostingIndex) {
    operations += 1
    var slot = UInt32(random.below(Int(shape.slots)))
    if random.below(2) == 0, let slots = newest.model[vocabulary[random.below(shape.terms)]]?.slots {
      slot = slots[random.below(slots.count)]
    }
    let terms = Set((0..<1 + random.below(20)).map { _ in random.below(shape.terms) }).sorted().map { vocabulary[$0] }
    let isRemoval = random.below(2) == 0
    let changed = terms.filter { (newest.model[$0]?.contains(slot) ?? false) == isRemoval }
    let before = index.postings
    if isRemoval {
      index.remove(all: changed.map { PostingTerm($0.span) }, slot: slot, heap: heap)
    } else {
      index.insert(all: changed.map { PostingTerm($0.span) }, slot: slot, heap: heap)
    }
    if abs(index.postings - before) != changed.count { fault("change of \(changed.count) terms at \(slot)") }
    for term in changed {
      undo.append((term, slot, isRemoval))
      setModel(term, slot, to: !isRemoval)
    }
  }

  /// Puts several slots into the lists of several terms at once, or takes some out.
  mutating func changeBatch(_ index: inout PostingIndex) {
    operations += 1
    let isRemoval = random.below(2) == 0
    var pairs: [(term: [UInt8], slot: UInt32)] = []
    for _ in 0..<1 + random.below(12) {
      let term = vocabulary[min(random.below(shape.terms), random.below(shape.terms))]
      if pairs.contains(where: { $0.term == term }) { continue }
      let there = newest.model[term]?.slots ?? []
      var slots: Set<UInt32> = []
      if isRemoval {
        // Few, most or all.
        let count = [1, 2, there.count - 1, there.count - 2, there.count][random.below(5)]
        if !there.isEmpty {
          let first = random.below(there.count)
          for place in 0..<max(0, min(count, 300)) { slots.insert(there[(first + place) % there.count]) }
        }
      } else {
        let first = UInt32(random.below(Int(shape.slots)))
        for _ in 0..<[1, 2, 3, 40, 300][random.below(5)] {
          let next = min(first &+ UInt32(slots.count), shape.slots)
          slots.insert(random.below(2) == 0 ? UInt32(random.below(Int(shape.slots))) : next)
        }
        slots.subtract(there)
      }
      pairs += slots.map { (term, $0) }
    }
    let before = index.postings
    let entries = PostingIndex.Pairs(
      pairs.map { pair in
        let term = PostingTerm(pair.term.span)
        return IndexEntry(key: Key2(term.head, term.tail), slot: pair.slot)
      })
    if isRemoval { index.remove(entries, heap: heap) } else { index.insert(entries, heap: heap) }
    if abs(index.postings - before) != pairs.count { fault("change of \(pairs.count) pairs at once") }
    for (term, slot) in pairs {
      undo.append((term, slot, isRemoval))
      setModel(term, slot, to: !isRemoval)
    }
  }

  mutating func verifySome(_ version: Version, count: Int) {
    for _ in 0..<count { verify(vocabulary[random.below(vocabulary.count)], version) }
  }

  mutating func verify(_ term: [UInt8], _ version: Version) {
    checks += 1
    let model = version.model[term] ?? SortedSlots()
    let expected = model.slots
    let list = version.index.list(term.span) ?? .empty
    if list.slots != expected || list.count != expected.count { fault("list of \(term)") }
    if list.first != expected.first || list.last != expected.last { fault("bounds of \(term)") }
    for _ in 0..<4 where !expected.isEmpty {
      checks += 1
      let slot = expected[random.below(expected.count)] &+ UInt32(random.below(3))
      let isThere = model.contains(slot)
      if list.contains(slot) != isThere { fault("contains \(term) \(slot)") }
      if list.mask(group: slot >> 8)[Int(slot >> 6 & 3)] >> UInt64(slot & 63) & 1 != (isThere ? 1 : 0) {
        fault("mask \(term) \(slot)")
      }
    }
    let masks = GroupMasks(list)
    var (stream, read) = (PostingMasks(list), GroupMasks())
    while let (group, mask) = stream.next() { read.append(group, mask) }
    if read.groups != masks.groups || read.masks != masks.masks { fault("stream of \(term)") }
    if masks.count != expected.count || masks.slots != expected { fault("masks of \(term)") }
    verifySets(list, model, version)
    verifyUnsorted(list, model)
  }

  /// Slots in no order, held against a list: all of the list's, and some that lie by these or 8,192 away.
  mutating func verifyUnsorted(_ list: PostingList, _ model: SortedSlots) {
    checks += 1
    var chosen: Set<UInt32> = []
    let most = random.below(140)
    while chosen.count < most {
      guard !model.slots.isEmpty, random.below(8) > 0 else {
        chosen.insert(UInt32(random.below(Int(shape.slots))))
        continue
      }
      let slot = model.slots[random.below(model.slots.count)]
      chosen.insert([slot, slot, slot &+ 8192, slot ^ 8192, slot &+ UInt32(random.below(200))][random.below(5)])
    }
    var slots = chosen.shuffled(using: &random)
    if list.keep(unsorted: &slots) {
      unsorted += 1
      if slots != chosen.sorted().filter({ model.contains($0) }) { fault("unsorted slots") }
    } else if 8...128 ~= chosen.count {
      fault("unsorted slots are not kept")
    }
  }

  mutating func verifySets(_ list: PostingList, _ model: SortedSlots, _ version: Version) {
    checks += 1
    let terms = (0..<1 + random.below(3)).map { _ in vocabulary[random.below(vocabulary.count)] }
    let lists = [list] + terms.map { version.index.list($0.span) ?? .empty }
    let models = terms.map { version.model[$0] ?? SortedSlots() }
    let both = models.reduce(model) { $0.merged($1) { $0 && $1 } }.slots
    let any = models.reduce(model) { $0.merged($1) { $0 || $1 } }.slots
    let without = models.reduce(model) { $0.merged($1) { $0 && !$1 } }.slots
    var result: [UInt32] = []
    PostingList.intersection(lists, into: &result)
    if result != both { fault("intersection") }
    if !GroupMasks.intersection(lists).holds(both) { fault("intersection of masks") }
    if !GroupMasks.union(lists).holds(any) { fault("union") }
    var rest = GroupMasks(list)
    var other = GroupMasks(list)
    var third = GroupMasks(list)
    for list in lists.dropFirst() {
      rest.subtract(list)
      other.subtract(GroupMasks(list))
      third.formIntersection(GroupMasks(list))
    }
    if !rest.holds(without) || !other.holds(without) { fault("difference") }
    if !third.holds(both) { fault("intersection of sets") }
  }

  mutating func verifyWhole(_ version: Version) {
    checks += 1
    if !version.index.check() { fault("check") }
    if version.index.termCount != version.model.count { fault("terms") }
    if version.index.postings != version.model.values.reduce(0, { $0 + $1.slots.count }) { fault("postings") }
    if !heap.check() { fault("heap") }
    if version.pins === newest.pins, version.index.footprint != heap.liveBytes {
      fault("footprint \(version.index.footprint) of \(heap.liveBytes)")
    }
    for term in vocabulary where vocabulary.count < 50 || random.below(100) == 0 { verify(term, version) }
  }

  /// Takes everything out, in some order.
  mutating func drain() {
    heap.begin()
    var next = newest
    for (term, slots) in newest.model.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      for slot in slots.slots.sorted(by: { ($0 ^ 0x55) < ($1 ^ 0x55) }) {
        operations += 1
        if !next.index.remove(term.span, slot: slot, heap: heap) { fault("drain \(term) \(slot)") }
      }
    }
    next.model = [:]
    next.pins = VersionPins(generation: heap.generation)
    let old = newest.pins
    newest = next
    heap.finish(replacing: old)
    verifyWhole(newest)
    heap.begin()
    newest.index.removeAll(heap: heap)
    heap.finish(replacing: newest.pins)
    if heap.liveBytes != 0 || heap.heldBytes != 0 { fault("pages are left") }
  }
}

/// A set of slots as plainly as can be.
struct SortedSlots {
  var slots: [UInt32] = []

  func place(_ slot: UInt32) -> Int {
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if slots[middle] < slot { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func contains(_ slot: UInt32) -> Bool {
    let place = place(slot)
    return place < slots.count && slots[place] == slot
  }

  mutating func insert(_ slot: UInt32) { if !contains(slot) { slots.insert(slot, at: place(slot)) } }
  mutating func remove(_ slot: UInt32) { if contains(slot) { slots.remove(at: place(slot)) } }

  /// The slots for which `keeps` says yes to whether they are here and there.
  @inline(__always)
  func merged(_ other: SortedSlots, keeps: (Bool, Bool) -> Bool) -> SortedSlots {
    var result = SortedSlots()
    result.slots.reserveCapacity(
      (keeps(true, false) ? slots.count : 0) + (keeps(false, true) ? other.slots.count : 0)
        + (keeps(true, true) ? min(slots.count, other.slots.count) : 0))
    var (left, right) = (0, 0)
    while left < slots.count || right < other.slots.count {
      let a = left < slots.count ? UInt64(slots[left]) : .max
      let b = right < other.slots.count ? UInt64(other.slots[right]) : .max
      if keeps(a <= b, b <= a) { result.slots.append(UInt32(min(a, b))) }
      if a <= b { left += 1 }
      if b <= a { right += 1 }
    }
    return result
  }
}

extension GroupMasks {
  /// Whether these are the slots, no more and in order.
  fileprivate func holds(_ slots: [UInt32]) -> Bool {
    var count = 0
    var isSame = true
    forEachSlot { slot in
      isSame = count < slots.count && slots[count] == slot
      count += 1
      return isSame
    }
    return isSame && count == slots.count
  }
}
