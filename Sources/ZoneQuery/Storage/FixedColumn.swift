/// The values of one field that are all of one size, by slot.
///
/// Invariant: the element of an absent slot is the filler, so that scans may read without looking at presence.
struct FixedColumn<Element: Sendable>: Sendable {
  private let filler: Element
  private var elements = Paged<Element>()
  private var presence = Bitmap()

  init(filler: Element) { self.filler = filler }

  func isPresent(_ slot: Int) -> Bool { presence.contains(slot) }

  /// The element of a slot; the filler where it has none.
  subscript(slot: Int) -> Element { slot < elements.count ? elements[slot] : filler }

  mutating func set(_ slot: Int, _ element: Element) {
    elements.grow(to: slot + 1, with: filler)
    elements[slot] = element
    presence.insert(slot)
  }

  mutating func clear(_ slot: Int) {
    guard isPresent(slot) else { return }
    elements[slot] = filler
    presence.remove(slot)
  }
}
