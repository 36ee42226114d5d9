import Testing

@testable import ZoneQuery

/// Changes an ordered index and its model alike, in commits of which some fail, and compares them.
struct OrderedIndexDrill<Key: IndexKey> {
  let parts: [KeyShape.Component]
  /// Makes a value of a component.
  let value: (KeyShape.Component, inout SplitMix) -> ModelValue
  /// How many entries there are at most.
  let most: Int
  var checks = 0

  var random: SplitMix
  private let heap = PageHeap()
  private var pins: VersionPins
  private(set) var index: OrderedIndex<Key>
  private(set) var model = IndexModel()
  private(set) var pool = TextPool()
  private var kept: [(pins: VersionPins, index: OrderedIndex<Key>, model: IndexModel)] = []
  private var isGrowing = true
  private var taken: Set<UInt32> = []

  init(
    _ parts: [KeyShape.Component], most: Int, seed: UInt64,
    value: @escaping (KeyShape.Component, inout SplitMix) -> ModelValue
  ) {
    (self.parts, self.most, self.value) = (parts, most, value)
    random = SplitMix(seed: seed)
    pins = VersionPins(generation: 0)
    index = OrderedIndex(shape: KeyShape(parts))
  }

  private var hasTies: Bool { parts.contains(.text) }

  func key(_ values: [ModelValue]) -> Key {
    var (key, word) = (Key(), 0)
    for value in values {
      switch value {
      case .number(let number):
        key[word] = KeyEncoding.word(number)
        word += 1
      case .text(let text):
        (key[word], key[word + 1]) = KeyEncoding.words(text)
        word += 2
      }
    }
    return key
  }

  func words(_ count: Int) -> Int { parts.prefix(count).reduce(0) { sum, part in sum + (part == .number ? 1 : 2) } }

  mutating func values() -> [ModelValue] {
    var values: [ModelValue] = []
    for part in parts { values.append(value(part, &random)) }
    return values
  }

  mutating func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) {
    checks += 1
    if !isTrue { Issue.record("\(message()) after \(checks) checks of \(Key.self) \(parts)") }
  }

  // MARK: Changing

  /// Runs commits until so many checks were done.
  mutating func run(checks target: Int) {
    while checks < target { commit() }
    for version in kept {
      compare(version.index, version.model)
      version.pins.unpin()
    }
    kept = []
    heap.releaseUnpinned()
    expect(heap.heldBytes == 0, "pages are held for nobody")
    expect(heap.check(), "the heap's accounts are wrong")
    heap.begin()
    index.removeAll(heap: heap)
    heap.finish(replacing: pins)
    expect(heap.liveBytes == 0, "pages are lost")
  }

  private mutating func commit() {
    let old = (index, model, pool, taken)
    heap.begin()
    if random.below(12) == 0 {
      changeMany()
      probe()
    }
    let changes = random.below(10) == 0 ? 1 + random.below(most / 8 + 2) : 1 + random.below(4)
    for _ in 0..<changes {
      change()
      probe()
    }
    if random.below(8) == 0 {
      heap.rollback()
      (index, model, pool, taken) = old
    } else {
      let next = VersionPins(generation: heap.generation)
      if random.below(16) == 0, kept.count < 4 {
        pins.pin()
        kept.append((pins, old.0, old.1))
      }
      heap.finish(replacing: pins)
      pins = next
    }
    if random.below(max(1, model.entries.count / 4)) == 0 { compare(index, model) }
    if !kept.isEmpty, random.below(24 + model.entries.count / 4) == 0 {
      let version = kept.remove(at: random.below(kept.count))
      compare(version.index, version.model)
      version.pins.unpin()
    }
  }

  private mutating func change() {
    if model.entries.count >= most { isGrowing = false }
    if model.entries.isEmpty { isGrowing = true }
    if random.below(4000) == 0 { isGrowing.toggle() }
    let inserts = random.below(10) < (isGrowing ? 8 : 2)
    if inserts {
      // With ties a slot has one entry at a time, as a record has.
      let slot = UInt32(random.below(hasTies ? 4 * most : most / 4 + 2))
      let values = values()
      if hasTies {
        if !taken.insert(slot).inserted { return }
        pool.set(values, slot: slot)
      }
      let isNew = model.insert(ModelEntry(values: values, slot: slot))
      let leaf = leaf(values, slot)
      expect(
        index.insert(key(values), slot: slot, in: leaf, heap: heap, ties: pool) == isNew, "inserting answers wrongly")
      expect(!index.insert(key(values), slot: slot, heap: heap, ties: pool), "an entry was inserted twice")
    } else if random.below(8) == 0, !hasTies {
      let entry = ModelEntry(values: values(), slot: UInt32(random.below(most / 4 + 2)))
      let isThere = model.remove(ModelEntry(values: entry.values, slot: entry.slot))
      let leaf = leaf(entry.values, entry.slot)
      expect(
        index.remove(key(entry.values), slot: entry.slot, in: leaf, heap: heap, ties: pool) == isThere,
        "removing answers wrongly")
    } else if !model.entries.isEmpty {
      let edge = random.below(12)
      let place = edge == 0 ? 0 : edge == 1 ? model.entries.count - 1 : random.below(model.entries.count)
      let entry = model.entries[place]
      _ = model.remove(entry)
      taken.remove(entry.slot)
      let leaf = leaf(entry.values, entry.slot)
      expect(
        index.remove(key(entry.values), slot: entry.slot, in: leaf, heap: heap, ties: pool), "an entry was not found")
      expect(!index.contains(key(entry.values), slot: entry.slot, ties: pool), "an entry stayed")
    }
    expect(index.count == model.entries.count, "the count is wrong")
    if model.entries.count < 40 || random.below(model.entries.count) == 0 {
      let fault = index.fault(ties: pool)
      expect(fault == nil, fault ?? "")
    }
  }

  /// Takes entries out and puts others in at once: few or many, from all over or side by side.
  private mutating func changeMany() {
    let size = [1, 4, 30, 200, most][random.below(5)]
    let count = model.entries.count
    let removals = random.below(min(isGrowing ? size / 4 : size, count) + 1)
    var places: Set<Int> = []
    if removals > 0, random.below(2) == 0 {
      let first = random.below(count - removals + 1)
      places = Set(first..<first + removals)
    } else {
      for _ in 0..<removals { places.insert(random.below(count)) }
    }
    let removed = places.map { model.entries[$0] }
    for entry in removed { _ = model.remove(entry) }
    var added: [ModelEntry] = []
    let near = random.below(3) == 0 && !model.entries.isEmpty ? model.entries[random.below(model.entries.count)] : nil
    for _ in 0..<random.below(max(1, min(isGrowing ? size : size / 4, most - model.entries.count))) {
      let slot = UInt32(random.below(hasTies ? 4 * most : most / 4 + 2))
      var entry = ModelEntry(values: near.map(\.values) ?? values(), slot: slot)
      // One that is taken out may come again.
      if !hasTies, !removed.isEmpty, random.below(8) == 0 { entry = removed[random.below(removed.count)] }
      // What its row holds tells the place of an entry that is taken out.
      if hasTies {
        if !taken.insert(slot).inserted { continue }
        pool.set(entry.values, slot: slot)
      }
      if model.insert(entry) { added.append(entry) }
    }
    for entry in removed { taken.remove(entry.slot) }
    func sorted(_ entries: [ModelEntry]) -> ContiguousArray<IndexEntry<Key>> {
      var sorted = ContiguousArray(entries.map { IndexEntry(key: key($0.values), slot: $0.slot) })
      OrderedIndex<Key>.sort(&sorted, shape: index.shape, ties: pool)
      return sorted
    }
    index.change(removing: sorted(removed), adding: sorted(added), heap: heap, ties: pool)
    expect(index.count == model.entries.count, "the count is wrong after many changes")
    for entry in added.prefix(8) {
      expect(
        index.contains(key(entry.values), slot: entry.slot, ties: pool), "an entry is not there after many changes")
    }
    if model.entries.count < 400 || random.below(8) == 0 {
      let fault = index.fault(ties: pool)
      expect(fault == nil, (fault ?? "") + " after many changes")
      compare(index, model)
    }
  }

  /// The start of the leaf that an entry belongs to, looked up beforehand by every other change.
  private mutating func leaf(_ values: [ModelValue], _ slot: UInt32) -> IndexPosition? {
    if random.below(2) == 0 { return nil }
    let entry = IndexEntry(key: key(values), slot: slot)
    return index.leaf(of: entry, behind: index.firstStep(to: entry, ties: pool), ties: pool)
  }
}
