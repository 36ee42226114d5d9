/// An array in pages of 1,024 elements, so that a copy shares all pages with its original until one of them writes.
///
/// Invariant: every page but the last is full. A table is made of these, which is what makes a snapshot of it a copy
/// that costs nothing, and a commit a copy of the pages it touches. Complexity: an element is two steps away; a write
/// to a page that a snapshot shares copies that page.
struct Paged<Element> {
  static var pageShift: Int { 10 }
  static var pageSize: Int { 1 << pageShift }

  private var pages: ContiguousArray<ContiguousArray<Element>> = []
  private(set) var count = 0

  init() {}

  init(repeating element: Element, count: Int) {
    grow(to: count, with: element)
  }

  subscript(index: Int) -> Element {
    get { pages[index >> Self.pageShift][index & (Self.pageSize - 1)] }
    _modify { yield &pages[index >> Self.pageShift][index & (Self.pageSize - 1)] }
  }

  mutating func append(_ element: Element) {
    if count & (Self.pageSize - 1) == 0 { pages.append([]) }
    pages[pages.count - 1].append(element)
    count += 1
  }

  /// Appends `element` until there are `wanted` elements.
  mutating func grow(to wanted: Int, with element: Element) {
    while count < wanted { append(element) }
  }
}

extension Paged: Sendable where Element: Sendable {}

/// A set of small numbers, one bit each.
struct Bitmap: Sendable {
  private var words = Paged<UInt64>()

  /// Whether the number is in the set.
  func contains(_ number: Int) -> Bool {
    let word = number >> 6
    return word < words.count && words[word] >> UInt64(number & 63) & 1 == 1
  }

  mutating func insert(_ number: Int) {
    words.grow(to: number >> 6 + 1, with: 0)
    words[number >> 6] |= 1 << UInt64(number & 63)
  }

  mutating func remove(_ number: Int) {
    if number >> 6 < words.count { words[number >> 6] &= ~(1 << UInt64(number & 63)) }
  }
}
