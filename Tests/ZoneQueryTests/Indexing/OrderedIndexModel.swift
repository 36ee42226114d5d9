@testable import ZoneQuery

/// A component of a key as what it means.
enum ModelValue: Equatable {
  case number(Int64)
  case text([UInt8])

  /// Below 0, 0 or above.
  func order(_ other: ModelValue) -> Int {
    switch (self, other) {
    case (.number(let one), .number(let two)): one < two ? -1 : one == two ? 0 : 1
    case (.text(let one), .text(let two)): one == two ? 0 : one.lexicographicallyPrecedes(two) ? -1 : 1
    default: 0
    }
  }
}

/// An entry of the model: values in place of words.
struct ModelEntry: Equatable {
  var values: [ModelValue]
  var slot: UInt32

  func order(_ other: [ModelValue]) -> Int {
    for (one, two) in zip(values, other) {
      let order = one.order(two)
      if order != 0 { return order }
    }
    return 0
  }
}

/// A sorted array that an ordered index is compared with.
struct IndexModel {
  private(set) var entries: [ModelEntry] = []

  /// How many entries a condition that holds for the first ones holds for.
  func count(while isBefore: (ModelEntry) -> Bool) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(entries[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func place(_ entry: ModelEntry) -> Int {
    count { other in
      let order = other.order(entry.values)
      return order < 0 || order == 0 && other.slot < entry.slot
    }
  }

  mutating func insert(_ entry: ModelEntry) -> Bool {
    let place = place(entry)
    if place < entries.count, entries[place] == entry { return false }
    entries.insert(entry, at: place)
    return true
  }

  mutating func remove(_ entry: ModelEntry) -> Bool {
    let place = place(entry)
    guard place < entries.count, entries[place] == entry else { return false }
    entries.remove(at: place)
    return true
  }
}

/// The long texts of slots, kept until the pool goes.
struct TextPool: KeyTies {
  static var areBroken: Bool { true }

  @safe
  private final class Memory {
    @unsafe var blocks: [UnsafeMutableRawBufferPointer] = unsafe []
    deinit {
      for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    }
  }

  private let memory = Memory()
  private var texts: [Int: Int] = [:]

  mutating func set(_ values: [ModelValue], slot: UInt32) {
    for (component, value) in values.enumerated() {
      guard case .text(let text) = value, KeyEncoding.isLong(KeyEncoding.words(text).second) else { continue }
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
      unsafe block.copyBytes(from: text)
      texts[Int(slot) * 4 + component] = unsafe memory.blocks.count
      unsafe memory.blocks.append(block)
    }
  }

  func text(slot: UInt32, component: Int) -> UnsafeRawBufferPointer {
    guard let index = texts[Int(slot) * 4 + component] else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeRawBufferPointer(memory.blocks[index])
  }
}
