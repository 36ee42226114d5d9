/// What leads from one list of records to another.
///
/// Records that are in both and keep their order among each other stay; of all such choices the one that keeps the most
/// (a longest increasing subsequence, by Schensted's piles: "Longest increasing and decreasing subsequences", Canadian
/// J. Math. 13, 1961). Complexity: the lists' lengths times the logarithm of the shorter.
struct RecordListDifference {
  private(set) var changes: [LiveRecords.Change] = []

  init(from old: [Record], to new: [Record]) {
    var places: [RecordID: Int] = [:]
    places.reserveCapacity(old.count)
    for (index, record) in old.enumerated() { places[record.recordID] = index }
    let sources = new.map { places[$0.recordID] }
    var isKept = [Bool](repeating: false, count: old.count)
    for source in sources { if let source { isKept[source] = true } }
    for index in old.indices where !isKept[index] {
      changes.append(.removed(old[index].recordID, from: index))
    }
    let isStable = RecordListDifference.longestIncreasing(sources)
    for (index, record) in new.enumerated() {
      if let source = sources[index] {
        if !isStable[index] {
          changes.append(.moved(record, from: source, to: index))
        } else if record != old[source] {
          changes.append(.updated(record, at: index))
        }
      } else {
        changes.append(.inserted(record, at: index))
      }
    }
  }

  /// Which of the numbers make up a longest increasing subsequence.
  private static func longestIncreasing(_ numbers: [Int?]) -> [Bool] {
    // For each length, where the subsequence of that length ends that has the least end.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      guard let number else { continue }
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if (numbers[ends[middle]] ?? 0) < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var isChosen = [Bool](repeating: false, count: numbers.count)
    var index = ends.last ?? -1
    while index >= 0 {
      isChosen[index] = true
      index = previous[index]
    }
    return isChosen
  }
}
