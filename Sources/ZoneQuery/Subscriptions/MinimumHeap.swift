/// Elements of which the least is taken first.
///
/// Invariant: `elements` is a binary heap: none is less than the one at half its place, counted from one. Complexity: to
/// look at the least is constant; to insert and to take it take a logarithm of comparisons.
struct MinimumHeap<Element: Comparable & Sendable>: Sendable {
  private var elements: [Element]

  /// The elements of an ascending array, which is a heap as it is.
  init(ascending elements: [Element] = []) { self.elements = elements }

  var minimum: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var place = elements.count - 1
    while place > 0, elements[place] < elements[(place - 1) / 2] {
      elements.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes the least.
  @discardableResult
  mutating func removeMinimum() -> Element? {
    if elements.isEmpty { return nil }
    elements.swapAt(0, elements.count - 1)
    let least = elements.removeLast()
    siftDown()
    return least
  }

  /// Lets the first down to where none below is less.
  private mutating func siftDown() {
    var place = 0
    while true {
      var child = 2 * place + 1
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard child < elements.count, elements[child] < elements[place] else { return }
      elements.swapAt(place, child)
      place = child
    }
  }
}
