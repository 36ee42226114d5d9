// An unsafe leaf: a list in memory of its own.
//
// Invariant: `elements` has room for `capacity` of them, of which the first `count` are initialised; they are trivial.

/// A list that only grows or is emptied, without the questions that an array asks at each step. It belongs to one owner,
/// who gives its memory back.
@unsafe
struct PageList<Element> {
  private var elements: UnsafeMutablePointer<Element>?
  private(set) var count = 0
  private(set) var capacity = 0

  init() { unsafe elements = nil }

  @inline(__always)
  mutating func append(_ element: Element) {
    if unsafe count == capacity { unsafe grow() }
    if let elements = unsafe elements { unsafe (elements + count).initialize(to: element) }
    unsafe count &+= 1
  }

  private mutating func grow() {
    let wider = unsafe UnsafeMutablePointer<Element>.allocate(capacity: max(8, capacity * 2))
    if let elements = unsafe elements {
      unsafe wider.moveInitialize(from: elements, count: count)
      unsafe elements.deallocate()
    }
    unsafe (elements, capacity) = (wider, max(8, capacity * 2))
  }

  /// An element at a place before `count`.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutablePointer<Element> {
    // Callers go from 0 to `count`, or ask first: no input leads here, and a place beyond must never be written to.
    guard let elements = unsafe elements, unsafe index < count else { preconditionFailure("no such element") }
    return unsafe elements + index
  }

  /// Takes all out, and keeps the room.
  mutating func empty() { unsafe count = 0 }

  /// Takes all out, and gives the room back.
  mutating func release() {
    unsafe elements?.deallocate()
    unsafe self = PageList()
  }
}
