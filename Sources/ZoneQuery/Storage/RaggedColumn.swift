/// The values of one field that are runs of elements (the bytes of a text, the members of a list), by slot.
///
/// Invariant: each page holds the runs of 1,024 slots in one flat array, with a start and a length for each; a length
/// of ``Page/absent`` means that the slot has no run. Elements that no run covers are garbage; a page is rewritten when
/// more than half of it is. Complexity: a run is three steps away; setting one is linear in it, amortised.
struct RaggedColumn<Element: Sendable>: Sendable {
  struct Page: Sendable {
    static var absent: UInt32 { .max }

    var starts: ContiguousArray<Int> = []
    var lengths: ContiguousArray<UInt32> = []
    var elements: ContiguousArray<Element> = []
    var garbage = 0
  }

  private static var shift: Int { 10 }
  private static var size: Int { 1 << shift }
  private var pages: ContiguousArray<Page> = []

  init() {}

  func isPresent(_ slot: Int) -> Bool {
    let (page, row) = (slot >> Self.shift, slot & (Self.size - 1))
    return page < pages.count && row < pages[page].lengths.count && pages[page].lengths[row] != Page.absent
  }

  /// Calls `body` with the run of a slot, in place; with an empty one where the slot has none.
  func withRun<Result>(_ slot: Int, _ body: (Span<Element>) -> Result) -> Result {
    guard isPresent(slot) else {
      let nothing = ContiguousArray<Element>()
      return body(nothing.span)
    }
    let (page, row) = (slot >> Self.shift, slot & (Self.size - 1))
    let start = pages[page].starts[row]
    let elements = pages[page].elements
    return body(elements.span.extracting(start..<start + Int(pages[page].lengths[row])))
  }

  mutating func set(_ slot: Int, _ run: some Collection<Element>) {
    let page = slot >> Self.shift
    while pages.count <= page { pages.append(Page()) }
    pages[page].set(slot & (Self.size - 1), run)
  }

  mutating func clear(_ slot: Int) {
    guard isPresent(slot) else { return }
    pages[slot >> Self.shift].clear(slot & (Self.size - 1))
  }
}

extension RaggedColumn.Page {
  mutating func set(_ row: Int, _ run: some Collection<Element>) {
    while lengths.count <= row {
      starts.append(0)
      lengths.append(Self.absent)
    }
    if lengths[row] != Self.absent { garbage += Int(lengths[row]) }
    starts[row] = elements.count
    lengths[row] = UInt32(run.count)
    elements.append(contentsOf: run)
    compactIfWasteful()
  }

  mutating func clear(_ row: Int) {
    garbage += Int(lengths[row])
    lengths[row] = Self.absent
    compactIfWasteful()
  }

  private mutating func compactIfWasteful() {
    guard garbage > 256, garbage > elements.count / 2 else { return }
    var kept: ContiguousArray<Element> = []
    kept.reserveCapacity(elements.count - garbage)
    for row in lengths.indices where lengths[row] != Self.absent {
      let start = starts[row]
      starts[row] = kept.count
      kept.append(contentsOf: elements[start..<start + Int(lengths[row])])
    }
    elements = kept
    garbage = 0
  }
}
