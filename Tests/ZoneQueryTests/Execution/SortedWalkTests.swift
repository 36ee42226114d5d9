import Testing

@testable import ZoneQuery

/// Walks along an index, open and filtered, against all entries sorted: with few and many equal keys, in both directions,
/// for any number of rows.
struct SortedWalkTests {
  /// The place of a slot among those with its key: any order that is not the index's.
  private static func place(_ slot: UInt32) -> UInt32 { slot &* 2_654_435_761 }

  @Test func againstAModel() throws {
    let type = try #require(try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (n INT64 SORTABLE);")["T"])
    let shape = try IndexShape.make(IndexDefinition(recordType: "T", keys: ["n"]), FieldLayout(recordType: type))
    var random = SplitMix(seed: 97)
    var (checks, spent, compared, stops) = (0, 0, 0, 0)
    for size in [1, 15, 16, 17, 144, 300, 3_000] {
      for distinct in [1, 3, size / 4 + 1, 1_000_000] {
        let heap = PageHeap()
        heap.begin()
        var entries = ContiguousArray(
          (0..<UInt32(size)).map { IndexEntry(key: Key1(UInt64(random.below(distinct))), slot: $0) })
        OrderedIndex<Key1>.sort(&entries, shape: .number, ties: NoTies())
        let index = OrderedIndex<Key1>.build(entries, shape: .number, heap: heap)
        for _ in 0..<60 {
          let isDescending = random.below(2) == 0
          let wanted = [1, 2, 7, 20, 101, size, size + 9][random.below(7)]
          let places = (random.below(size + 1), random.below(size + 1))
          let (low, high) = (min(places.0, places.1), max(places.0, places.1))
          let share = UInt32([1, 2, 3, 10, 200][random.below(5)])
          let odd = UInt32(random.below(3)) + 1
          func isPassing(_ slot: UInt32) -> Bool { slot &* 40_503 % share == 0 }
          func isAdmitted(_ slot: UInt32) -> Bool { slot % odd == 0 }
          let order = try SortOrder([isDescending ? .descending("n") : .ascending("n")], type)
          let walk = SortedWalk(order, number: 0, shape, from: 0, sorted: 1, wanted: wanted)
          func settle(_ rows: inout [UInt32], _ start: Int) {
            rows[start...].sort { Self.place($0) < Self.place($1) }
          }
          func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
            compared += 1
            return Self.place(left) < Self.place(right)
          }
          func expected(_ passes: (UInt32) -> Bool) -> [UInt32] {
            let keys = entries[low..<high].filter { passes($0.slot) }.sorted {
              let isBefore = isDescending ? $0.key.word0 > $1.key.word0 : $0.key.word0 < $1.key.word0
              return $0.key == $1.key ? Self.place($0.slot) < Self.place($1.slot) : isBefore
            }
            return keys.prefix(wanted).map(\.slot)
          }
          let (lower, upper) = (index.position(rank: low), index.position(rank: high))

          var found: [UInt32] = []
          var visited = 0
          let budget = random.below(4) == 0 ? random.below(size + 1) : .max
          let isDone = walk.takePassing(
            index, from: lower, to: upper, descending: isDescending, budget: budget, into: &found,
            stops: { false },
            passing: { run, first, count in
              visited += count
              return (0..<count).reduce(0) { $0 | (isPassing(run.slot(first + $1)) ? 1 << UInt32($1) : 0) }
            }, where: odd > 1 ? { slot, _ in isAdmitted(slot) } : nil, settle: settle, precedes: precedes,
            areTied: { _, _ in true })
          if budget < .max { #expect(visited < budget + RowTests.together) }
          if isDone {
            #expect(Array(found.prefix(wanted)) == expected { isPassing($0) && isAdmitted($0) })
          } else {
            spent += 1
            #expect(visited >= budget)
          }

          var all: [UInt32] = []
          let open = walk.take(
            index, from: lower, to: upper, descending: isDescending, into: &all, stops: { false },
            takesAll: { odd == 1 },
            where: { run, entry, _ in isAdmitted(run.slot(entry)) }, settle: settle, precedes: precedes,
            areTied: { _, _ in true })
          #expect(!open.isSpent && Array(all.prefix(wanted)) == expected(isAdmitted))
          // One that is to stop sees a leaf's entries at most.
          var (asked, few) = (0, [UInt32]())
          let stopped = walk.take(
            index, from: lower, to: upper, descending: isDescending, into: &few,
            stops: {
              asked += 1
              return asked > 1
            }, takesAll: { false }, where: { _, _, _ in false }, settle: settle, precedes: precedes,
            areTied: { _, _ in true })
          #expect(few.isEmpty && stopped.visited <= 128)
          if asked > 1 { stops += 1 }
          checks += 2
        }
      }
    }
    print("sorted walks: \(checks) checked, \(spent) gave up, \(compared) rows compared with the last wanted")
    #expect(checks >= 3_000 && spent >= 50 && compared >= 10_000 && stops >= 50)
  }
}
