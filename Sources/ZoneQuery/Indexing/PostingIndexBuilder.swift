/// Makes a posting index of many records at once.
///
/// Terms are numbered as they come, in a hash table with a seed of its own; pairs of a term's number and a slot are
/// collected, brought together by counting, and written as packed lists. Slots may come in any order and pairs more than
/// once; ascending slots need no sorting. Complexity: linear in the pairs, and sorting in the distinct terms.
struct PostingIndexBuilder {
  private var heads: [UInt64] = []
  private var tails: [UInt64] = []
  /// The numbers of terms plus one, by hash; 0 is free.
  private var table = [UInt32](repeating: 0, count: 64)
  private var terms: [UInt32] = []
  private var slots: [UInt32] = []
  private var isAscending = true
  private let seeds: (UInt64, UInt64) = (.random(in: 1 ... .max), .random(in: 1 ... .max))

  init() {}

  /// - Parameter postings: How many pairs to make room for.
  init(postings: Int) {
    terms.reserveCapacity(postings)
    slots.reserveCapacity(postings)
  }

  /// How many pairs were added.
  var count: Int { terms.count }

  /// Adds a slot to a term's.
  @inline(__always)
  mutating func add(_ term: Span<UInt8>, slot: UInt32) { add(PostingTerm(term), slot: slot) }

  mutating func add(_ term: PostingTerm, slot: UInt32) {
    if let last = slots.last, slot < last { isAscending = false }
    terms.append(number(of: term))
    slots.append(slot)
  }

  @inline(__always)
  private func hash(_ head: UInt64, _ tail: UInt64) -> Int {
    let product = (head ^ seeds.0).multipliedFullWidth(by: tail ^ seeds.1)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }

  private mutating func number(of term: PostingTerm) -> UInt32 {
    let mask = table.count - 1
    var place = hash(term.head, term.tail) & mask
    while table[place] != 0 {
      let number = Int(table[place]) - 1
      if heads[number] == term.head, tails[number] == term.tail { return UInt32(number) }
      place = (place + 1) & mask
    }
    heads.append(term.head)
    tails.append(term.tail)
    table[place] = UInt32(heads.count)
    if heads.count * 2 > table.count { grow() }
    return UInt32(heads.count - 1)
  }

  private mutating func grow() {
    var larger = [UInt32](repeating: 0, count: table.count * 4)
    let mask = larger.count - 1
    for number in heads.indices {
      var place = hash(heads[number], tails[number]) & mask
      while larger[place] != 0 { place = (place + 1) & mask }
      larger[place] = UInt32(number + 1)
    }
    table = larger
  }

  /// Writes the index to pages of the running commit.
  consuming func finish(heap: PageHeap) -> PostingIndex {
    // Where the slots of each term begin.
    var starts = [Int](repeating: 0, count: heads.count + 1)
    for term in terms { starts[Int(term) + 1] += 1 }
    for term in heads.indices { starts[term + 1] += starts[term] }
    var next = starts
    var sorted = [UInt32](repeating: 0, count: slots.count)
    for index in terms.indices {
      let term = Int(terms[index])
      sorted[next[term]] = slots[index]
      next[term] += 1
    }

    var entries = PostingEntries()
    var numbers = [UInt32](repeating: 0, count: heads.count)
    var postings = 0
    for term in heads.indices {
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

    var order = heads.indices.map { (term: PostingTerm(head: heads[$0], tail: tails[$0]), number: numbers[$0]) }
    order.sort { $0.term < $1.term }
    return PostingIndex(
      dictionary: PostingDictionary(ascending: order, heap: heap), entries: entries, postings: postings)
  }
}
