/// The standing subscriptions of one record type: their packed programs, and the keys they wait under.
///
/// Each subscription is a block of words in one arena:
///
///   0  slot 63…32, its generation 31…0
///   1  number of keys 63…48, flags 47…40, events 39…32, zone 31…0
///   2  entry 63…48, words of the program 47…32, words of the block 31…0
///   3  the program; then its place in the pool, if it has one; then for each key two words: the key, and its use 63…32
///      and its position in its bucket 31…0
///
/// Invariant: every live block is entered once under each of its keys, in the buckets of the generation its flag names,
/// at the positions it says; and every record that its program matches has one of its keys and passes its entry's two
/// intervals. So what a record's keys do not lead to cannot match, whatever the statistics are.
struct SubscriptionTable: ~Copyable {
  private(set) var layout: FieldLayout
  let hash: ByteHash
  let arena = WordArena()
  let pool = ProgramPool()
  /// For each slot, its generation 63…32 and its block 31…0, 0 where it is free.
  private var slots: [UInt64] = []
  private var freeSlots: [UInt32] = []
  private(set) var count = 0
  /// How many want to know when a record leaves.
  private(set) var leavingCount = 0
  /// The fields that subscriptions read.
  private(set) var fields: [FieldNumber] = []
  private(set) var tokenCount = 0
  private var zones: [ZoneID: (number: UInt32, count: Int)] = [:]
  private var zoneIDs: [UInt32: ZoneID] = [:]
  private var zoneCount: UInt32 = 0

  /// Room for matching.
  var after: RecordEncoding
  var before: RecordEncoding
  let candidates = CandidateList()

  var current: AccessGeneration
  /// The generation that subscriptions are being moved out of.
  var previous: AccessGeneration?
  private var cursor = 0
  private var parity: UInt64 = 0
  /// Keeps reads that are made for the sake of the cache.
  private var touched: UInt64 = 0
  var sampler: AccessSampler

  private enum Flag {
    static let parity: UInt64 = 1
    static let isPooled: UInt64 = 2
    static let isWhole: UInt64 = 4
    static let searchesWords: UInt64 = 8
  }

  init(_ recordType: RecordType, seed: UInt64) {
    layout = FieldLayout(recordType: recordType)
    hash = ByteHash(seed: seed)
    sampler = AccessSampler(seed: 1)
    after = RecordEncoding(hash: hash)
    before = after
    current = AccessGeneration(
      statistics: AccessStatistics(layout, samples: [], hash: hash), arena: arena, tokenFields: layout.searchable)
  }

  var tokenFields: [FieldNumber] { tokenCount > 0 ? layout.searchable : [] }

  /// Whether a sample of records would be worth more than it costs: while subscriptions are few, and not with each.
  var wantsSample: Bool { sampler.seenCount == 0 && count < 1_024 && count & (count - 1) == 0 }

  /// The bytes taken for subscriptions, their programs and the index, but for constants too rare to be packed.
  var reservedBytes: Int {
    arena.usedCount * 8 + current.buckets.table.reservedBytes + slots.count * 8 + freeSlots.count * 4
  }

  // MARK: Adding and removing

  /// What is added: a compiled predicate, what it reads, and what it waits under by the statistics there were.
  final class Addition: Sendable {
    let recordType: RecordType
    let code: PackedCode
    let fields: [FieldNumber]
    let searchesWords: Bool
    let events: UInt8
    let zone: ZoneID?
    /// Nothing where the index did not know the type, or not all its fields, and where the program has constants for the
    /// pool, which it has not entered.
    let plan: AccessPlan?

    init(
      _ bound: BoundPredicate, of recordType: RecordType, events: UInt8, zone: ZoneID?,
      planner: consuming AccessPlanner?
    ) {
      var reads = FieldReads()
      reads.visit(bound)
      self.recordType = recordType
      code = PackedCode(Program(bound))
      fields = reads.fields.sorted()
      searchesWords = reads.searchesWords
      self.events = events
      self.zone = zone
      if code.rest == nil, var planner {
        // Nothing of the program lies in a pool, so none is looked into.
        plan = code.withProgram(pool: ProgramPool()) { planner.plan($0) }
      } else {
        plan = nil
      }
    }
  }

  /// Adds a subscription; its slot and generation, nil where the index is full.
  ///
  /// Complexity: linear in the program and its keys, amortised.
  mutating func add(_ addition: Addition) -> UInt64? {
    let slot = freeSlots.popLast() ?? UInt32(slots.count)
    if Int(slot) == slots.count { slots.append(0) }
    for field in addition.fields where !fields.contains(field) {
      fields.append(field)
      fields.sort()
    }
    let zone = number(of: addition.zone)
    guard let rest = addition.code.rest else { return add(addition, addition.code, slot, zone, pooled: -1) }
    let pooled = pool.add(rest)
    var code = addition.code
    code.settle(at: pooled)
    return add(addition, code, slot, zone, pooled: pooled)
  }

  /// Adds a subscription, some of whose constants lie in a place of the pool or, where it is −1, none.
  private mutating func add(
    _ addition: Addition, _ code: PackedCode, _ slot: UInt32, _ zone: UInt32, pooled: Int
  ) -> UInt64? {
    var flags = parity
    if addition.searchesWords { flags |= Flag.searchesWords }
    if pooled >= 0 { flags |= Flag.isPooled }
    if code.isWhole { flags |= Flag.isWhole }
    let programCount = code.count
    let plan = addition.plan.flatMap { $0.statistics === current.statistics ? $0 : nil } ?? plan(code)
    let total = 3 + programCount + (pooled >= 0 ? 1 : 0) + 2 * plan.keys.count
    approach(total, plan.keys, zone: zone)
    let generation = ((slots[Int(slot)] >> 32) + 1) & 0xFFFF_FFFF
    let block = arena.isHalfFull ? 0 : arena.allocate(total)
    if block == 0 {
      freeSlots.append(slot)
      release(zone: zone)
      if pooled >= 0 { pool.remove(pooled) }
      return nil
    }
    let words = arena.words
    words[block] = UInt64(slot) << 32 | generation
    words[block + 1] = flags << 40 | UInt64(addition.events) << 32 | UInt64(zone)
    let entry = UInt64(UInt16(truncatingIfNeeded: code.entry))
    words[block + 2] = entry << 48 | UInt64(programCount) << 32 | UInt64(total)
    for index in 0..<programCount { words[block + 3 + index] = code.words[index] }
    if pooled >= 0 { words[block + 3 + programCount] = UInt64(pooled) }
    slots[Int(slot)] = generation << 32 | UInt64(block)
    count += 1
    if UInt64(addition.events) & Event.leaving != 0 { leavingCount += 1 }
    if addition.searchesWords { tokenCount += 1 }
    guard link(block, plan, zone: zone) else {
      free(block, slot: slot)
      return nil
    }
    return UInt64(slot) << 32 | generation
  }

  /// Asks for the memory that entering a block under keys takes, all at once: each is somewhere else, and not in the
  /// cache.
  private mutating func approach(_ total: Int, _ keys: [AccessKey], zone: UInt32) {
    var sum = arena.touch(total)
    let table = current.buckets.table.view
    for key in keys.prefix(8) { sum ^= table.touch(hash.zoned(key.key, zone)) }
    touched = sum
  }

  /// What plans as the current generation does, where that knows all fields of a type.
  func planner(for recordType: RecordType) -> AccessPlanner? {
    if recordType.fields.count > layout.recordType.fields.count || !isLike(recordType) { return nil }
    // One of its own: what it has room for stays with the plan.
    return AccessPlanner(statistics: current.statistics, tokenFields: layout.searchable)
  }

  /// Plans a program by the current generation.
  private mutating func plan(_ code: PackedCode) -> AccessPlan {
    code.isWhole ? current.planForEveryRecord() : code.withProgram(pool: pool) { current.plan($0) }
  }

  /// Removes a subscription by slot and generation; whether it was there.
  mutating func remove(_ handle: UInt64) -> Bool {
    guard let block = block(of: handle) else { return false }
    unlink(block)
    free(block, slot: UInt32(handle >> 32))
    return true
  }

  /// The block of a subscription, if it is there.
  func block(of handle: UInt64) -> Int? {
    let slot = Int(handle >> 32)
    guard slot < slots.count, slots[slot] >> 32 == handle & 0xFFFF_FFFF else { return nil }
    let block = Int(slots[slot] & 0xFFFF_FFFF)
    return block == 0 ? nil : block
  }

  private mutating func free(_ block: Int, slot: UInt32) {
    let words = arena.words
    let flags = words[block + 1] >> 40
    if flags & Flag.isPooled != 0 { pool.remove(Int(words[block + 3 + programCount(words, block)])) }
    if words[block + 1] >> 32 & Event.leaving != 0 { leavingCount -= 1 }
    if flags & Flag.searchesWords != 0 { tokenCount -= 1 }
    release(zone: UInt32(truncatingIfNeeded: words[block + 1]))
    arena.free(block, Int(words[block + 2] & 0xFFFF_FFFF))
    slots[Int(slot)] = (slots[Int(slot)] >> 32) << 32
    freeSlots.append(slot)
    count -= 1
    if count == 0 { fields = [] }
  }

  private func programCount(_ words: Words, _ block: Int) -> Int { Int(words[block + 2] >> 32 & 0xFFFF) }

  /// Where a block's keys begin.
  private func keyPlace(_ words: Words, _ block: Int) -> Int {
    block + 3 + programCount(words, block) + (words[block + 1] >> 40 & Flag.isPooled == 0 ? 0 : 1)
  }

  /// Enters a block under keys of the current generation; false, and under none, where there is no room.
  private mutating func link(_ block: Int, _ plan: AccessPlan, zone: UInt32) -> Bool {
    current.ask(plan.filters.0)
    current.ask(plan.filters.1)
    var words = arena.words
    let place = keyPlace(words, block)
    words[block + 1] &= 0x0000_FFFF_FFFF_FFFF
    for index in plan.keys.indices {
      let key = plan.keys[index]
      let zoned = hash.zoned(key.key, zone)
      let position = current.buckets.add(UInt32(block), plan.filters.0, plan.filters.1, key: zoned)
      guard position >= 0 else {
        unlink(block)
        return false
      }
      current.add(key.use)
      words = arena.words
      words[place + 2 * index] = zoned
      words[place + 2 * index + 1] = UInt64(key.use.rawValue) << 32 | UInt64(position)
      words[block + 1] += 1 << 48
    }
    return true
  }

  /// Takes a block out of the buckets.
  private mutating func unlink(_ block: Int) {
    let isPrevious = previous != nil && arena.words[block + 1] >> 40 & Flag.parity != parity
    let buckets = isPrevious ? previous?.buckets ?? current.buckets : current.buckets
    let place = keyPlace(arena.words, block)
    let count = Int(arena.words[block + 1] >> 48)
    for index in 0..<count {
      let words = arena.words
      let key = words[place + 2 * index]
      let word = words[place + 2 * index + 1]
      let use = AccessUse(rawValue: UInt32(word >> 32))
      if isPrevious { previous?.remove(use) } else { current.remove(use) }
      guard let moved = buckets.remove(key: key, position: Int(word & 0xFFFF_FFFF)) else { continue }
      move(moved.block, key, from: moved.position, to: Int(word & 0xFFFF_FFFF))
    }
    arena.words[block + 1] &= 0x0000_FFFF_FFFF_FFFF
  }

  /// Tells a block that its entry under a key has moved.
  private func move(_ block: Int, _ key: UInt64, from old: Int, to new: Int) {
    let words = arena.words
    var place = keyPlace(words, block)
    while words[place] != key || words[place + 1] & 0xFFFF_FFFF != UInt64(old) { place += 2 }
    words[place + 1] = (words[place + 1] >> 32) << 32 | UInt64(new)
  }

  // MARK: Zones

  /// The number of a zone, from now on if it has none; 0 for any zone.
  private mutating func number(of zone: ZoneID?) -> UInt32 {
    guard let zone else { return 0 }
    if let known = zones[zone] {
      zones[zone] = (known.number, known.count + 1)
      return known.number
    }
    zoneCount &+= 1
    if zoneCount == 0 { zoneCount = 1 }
    zones[zone] = (zoneCount, 1)
    zoneIDs[zoneCount] = zone
    return zoneCount
  }

  private mutating func release(zone: UInt32) {
    if zone == 0 { return }
    guard let id = zoneIDs[zone], let known = zones[id] else { return }
    zones[id] = known.count > 1 ? (zone, known.count - 1) : nil
    if known.count == 1 { zoneIDs[zone] = nil }
  }

  /// The number of a zone that has subscriptions of its own; 0 where it has none.
  func zoneNumber(_ zone: ZoneID?) -> UInt32 {
    if zones.isEmpty { return 0 }
    return zone.flatMap { zones[$0]?.number } ?? 0
  }

  // MARK: Generations

  /// Whether a type has the fields that the table knows, or the first of them: programs of both find theirs by number.
  func isLike(_ recordType: RecordType) -> Bool {
    let known = layout.recordType.fields
    // Mostly it is the very type.
    if known.span.isIdentical(to: recordType.fields.span) { return true }
    return zip(known, recordType.fields).allSatisfy { sameBytes($0.name, $1.name) && $0.type == $1.type }
  }

  /// Takes the fields of a type like the table's as they are now: more may have come. Subscriptions are planned anew.
  mutating func define(_ recordType: RecordType) {
    if recordType.fields.count <= layout.recordType.fields.count { return }
    moveAll()
    layout = FieldLayout(recordType: recordType)
    beginGeneration()
    moveAll()
  }

  /// Begins to plan all subscriptions anew where the records have come to look different, or more is known of them.
  mutating func reviewGeneration() {
    let statistics = current.statistics
    if statistics.sampleCount >= AccessSampler.capacity, statistics.agrees(with: sampler.samples, fields: fields) {
      sampler.settle()
    } else {
      beginGeneration()
    }
  }

  /// Begins to plan all subscriptions anew, by the sample as it is now.
  mutating func beginGeneration() {
    moveAll()
    sampler.settle()
    let statistics = AccessStatistics(layout, samples: sampler.samples, hash: hash)
    let generation = AccessGeneration(statistics: statistics, arena: arena, tokenFields: layout.searchable)
    if count > 0 { previous = current }
    current = generation
    parity ^= Flag.parity
    cursor = 0
  }

  /// Moves all subscriptions that are left in the previous generation.
  mutating func moveAll() { while previous != nil { move(1_024) } }

  /// Moves some subscriptions from the previous generation to the current one.
  mutating func move(_ limit: Int) {
    guard previous != nil else { return }
    let end = min(slots.count, cursor + limit)
    while cursor < end {
      let block = Int(slots[cursor] & 0xFFFF_FFFF)
      if block != 0, arena.words[block + 1] >> 40 & Flag.parity != parity { replan(block, slot: cursor) }
      cursor += 1
    }
    if cursor == slots.count { previous = nil }
  }

  private mutating func replan(_ block: Int, slot: Int) {
    unlink(block)
    let words = arena.words
    let isWhole = words[block + 1] >> 40 & Flag.isWhole != 0
    let plan = isWhole ? current.planForEveryRecord() : current.plan(program(words, block))
    let keyCount = plan.keys.count
    let old = Int(words[block + 2] & 0xFFFF_FFFF)
    let fixed = keyPlace(words, block) - block
    var moved = block
    if fixed + 2 * keyCount != old {
      moved = arena.allocate(fixed + 2 * keyCount)
      precondition(moved != 0, "nothing is added to an arena more than half full")
      let words = arena.words
      for index in 0..<fixed { words[moved + index] = words[block + index] }
      words[moved + 2] = (words[moved + 2] >> 32) << 32 | UInt64(fixed + 2 * keyCount)
      arena.free(block, old)
      slots[slot] = (slots[slot] >> 32) << 32 | UInt64(moved)
    }
    arena.words[moved + 1] ^= Flag.parity << 40
    let zone = UInt32(truncatingIfNeeded: arena.words[moved + 1])
    let isLinked = link(moved, plan, zone: zone)
    precondition(isLinked, "nothing is added to an arena more than half full")
  }

  /// Calls `body` with the block of each subscription.
  func forEachBlock(_ body: (Int) -> Void) {
    for slot in slots where slot & 0xFFFF_FFFF != 0 { body(Int(slot & 0xFFFF_FFFF)) }
  }

  // MARK: Programs

  /// The program of a block.
  @inline(__always)
  func program(_ words: Words, _ block: Int) -> PackedProgram {
    let entry = Int32(Int16(truncatingIfNeeded: words[block + 2] >> 48))
    return PackedProgram(words: words, start: block + 3, entry: entry, pool: pool)
  }

  /// Whether the subscription of a block matches a record.
  @inline(__always)
  func matches(_ words: Words, _ block: Int, _ row: EncodedRow) -> Bool {
    if words[block + 1] >> 40 & Flag.isWhole != 0 {
      return pool[Int(words[block + 3])].program.matches(row)
    }
    return program(words, block).matches(row)
  }
}
