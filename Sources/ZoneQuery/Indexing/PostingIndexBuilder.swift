/// Makes a posting index of many records at once.
///
/// Terms are numbered as they come, in a hash table with a seed of its own; their numbers are collected, slot by slot,
/// brought together by counting, and written as packed lists. Slots may come in any order and pairs more than once;
/// ascending slots need no sorting. Complexity: linear in the pairs, and sorting in the distinct terms; four bytes a pair,
/// and eight each time another slot comes, until all have come.
struct PostingIndexBuilder {
  /// A term, and what is known of its pairs: together, as adding a pair needs all of it.
  private struct Known {
    let term: PostingTerm
    /// The slot that it had last: one that comes again at once is not kept.
    var lastSlot: UInt32
    /// How many pairs it has.
    var count: UInt32
  }

  /// By the terms' numbers.
  private var terms: ContiguousArray<Known> = []
  /// The numbers of terms plus one, by hash; 0 is free.
  private var table = [UInt32](repeating: 0, count: 64)
  /// The numbers of the terms of all pairs, in pieces: one array would be copied each time it grows, to memory that
  /// the system clears first.
  private var numbers: [ContiguousArray<UInt32>] = []
  /// What comes behind them.
  private var piece: ContiguousArray<UInt32> = []
  /// Slots as they come, each with how many pairs it has before another comes.
  private var runs: ContiguousArray<(slot: UInt32, pairs: UInt32)> = []
  private var isAscending = true
  private let seeds: (UInt64, UInt64) = (.random(in: 1 ... .max), .random(in: 1 ... .max))

  /// The pairs of a piece.
  static let pieceSize = 1 << 16

  /// - Parameter slots: How many slots to make room for.
  init(slots: Int) {
    runs.reserveCapacity(slots)
  }

  /// Adds a slot to a term's.
  @inline(__always)
  mutating func add(_ term: Span<UInt8>, slot: UInt32) { add(PostingTerm(term), slot: slot) }

  @inline(__always)
  mutating func add(_ term: PostingTerm, slot: UInt32) {
    let number = Int(number(of: term))
    if terms[number].count > 0, terms[number].lastSlot == slot { return }
    terms[number].lastSlot = slot
    terms[number].count &+= 1
    if runs.last?.slot != slot { begin(slot) }
    runs[runs.count &- 1].pairs &+= 1
    if piece.count == PostingIndexBuilder.pieceSize { endPiece() }
    piece.append(UInt32(truncatingIfNeeded: number))
  }

  private mutating func begin(_ slot: UInt32) {
    if let last = runs.last, slot < last.slot { isAscending = false }
    runs.append((slot, 0))
  }

  private mutating func endPiece() {
    numbers.append(piece)
    piece = []
    piece.reserveCapacity(PostingIndexBuilder.pieceSize)
  }

  @inline(__always)
  private func hash(_ term: PostingTerm) -> Int {
    let product = (term.head ^ seeds.0).multipliedFullWidth(by: term.tail ^ seeds.1)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }

  @inline(__always)
  private mutating func number(of term: PostingTerm) -> UInt32 {
    let mask = table.count &- 1
    var place = hash(term) & mask
    while table[place] != 0 {
      let number = table[place] &- 1
      if terms[Int(number)].term == term { return number }
      place = (place &+ 1) & mask
    }
    return newNumber(of: term, at: place)
  }

  private mutating func newNumber(of term: PostingTerm, at place: Int) -> UInt32 {
    terms.append(Known(term: term, lastSlot: 0, count: 0))
    table[place] = UInt32(terms.count)
    if terms.count * 2 > table.count { grow() }
    return UInt32(terms.count - 1)
  }

  private mutating func grow() {
    var larger = [UInt32](repeating: 0, count: table.count * 4)
    let mask = larger.count - 1
    for number in terms.indices {
      var place = hash(terms[number].term) & mask
      while larger[place] != 0 { place = (place + 1) & mask }
      larger[place] = UInt32(number + 1)
    }
    table = larger
  }

  /// Writes the index to pages of the running commit.
  consuming func finish(heap: PageHeap) -> PostingIndex {
    // Where the slots of each term begin.
    var starts = [Int](repeating: 0, count: terms.count + 1)
    for term in terms.indices { starts[term + 1] = starts[term] + Int(terms[term].count) }
    var sorted = slots(from: starts)

    var entries = PostingEntries()
    var numbers = [UInt32](repeating: 0, count: terms.count)
    var postings = 0
    for term in terms.indices {
      let range = starts[term]..<starts[term + 1]
      if !isAscending { sorted[range].sort() }
      var end = range.lowerBound + 1
      for index in range.dropFirst() where sorted[index] != sorted[end - 1] {
        sorted[end] = sorted[index]
        end += 1
      }
      let count = end - range.lowerBound
      postings += count
      let first = sorted[range.lowerBound]
      if count == 1, first < PostingIndex.listBit {
        numbers[term] = first
      } else {
        numbers[term] = UInt32(entries.add(sorted.span.extracting(range.lowerBound..<end), heap)) | PostingIndex.listBit
      }
    }

    var order = terms.indices.map { (term: terms[$0].term, number: numbers[$0]) }
    order.sort { $0.term < $1.term }
    return PostingIndex(
      dictionary: PostingDictionary(ascending: order, heap: heap), entries: entries, postings: postings)
  }

  /// The slots of all pairs, those of each term together from where they begin.
  private func slots(from starts: [Int]) -> [UInt32] {
    var next = starts
    var slots = [UInt32](repeating: 0, count: starts[terms.count])
    var (run, left) = (-1, UInt32(0))
    func place(_ numbers: ContiguousArray<UInt32>) {
      for number in numbers {
        if left == 0 {
          run += 1
          left = runs[run].pairs
        }
        left &-= 1
        slots[next[Int(number)]] = runs[run].slot
        next[Int(number)] += 1
      }
    }
    for piece in numbers { place(piece) }
    place(piece)
    return slots
  }
}
