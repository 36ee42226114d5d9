#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// An unsafe leaf: memory of 64-bit words that small pieces are cut from and given back to.
//
// Invariants: a piece handed out lies within `capacity` words and overlaps no other piece in use; behind them lie `slack`
// more, so that the line of memory behind a piece's first word may be read, whatever is in it. `free` has the place of
// a free piece for each of `listCount` sizes; the first word of one is the place of the next, 0 at the end; word 0 is
// never handed out. Whoever holds a `Words` uses it on places that the arena handed out, and not after the next
// `allocate`, which may move the memory.
// Proof of Sendable: an arena belongs to one index and is touched under that index's lock alone.

/// Words of memory by their places, which are not checked.
@safe
struct Words {
  @unsafe let base: UnsafeMutablePointer<UInt64>

  @inline(__always)
  subscript(place: Int) -> UInt64 {
    get { unsafe base[place] }
    nonmutating set { unsafe base[place] = newValue }
  }
}

/// An arena of words, with a list of free pieces for each size.
///
/// Complexity: allocating and freeing are constant, but for growth, which the allocator does by moving pages. Sizes up
/// to 64 words are exact, larger ones are rounded up by at most a quarter.
@safe
final class WordArena: @unchecked Sendable {
  @unsafe private var base: UnsafeMutablePointer<UInt64>?
  private var capacity = 0
  private var end = 1
  @unsafe private let free: UnsafeMutablePointer<UInt32>
  /// Words in pieces that are in use, as rounded.
  private(set) var usedCount = 0

  /// How many words an arena holds at most: places are 32 bits wide.
  static let limit = Int(UInt32.max)

  /// How many words lie behind the places, which are read alone: a line of memory but for its first word.
  private static let slack = 7

  /// More than there are sizes up to `limit`: 64, and four for each doubling.
  private static let listCount = 192

  init() {
    unsafe free = .allocate(capacity: Self.listCount)
    unsafe free.initialize(repeating: 0, count: Self.listCount)
  }

  deinit {
    unsafe free.deallocate()
    unsafe Self.release(base)
  }

  private static func release(_ base: UnsafeMutablePointer<UInt64>?) {
    // The name `free` alone would be the lists of free pieces.
    #if canImport(Glibc)
      unsafe Glibc.free(base)
    #elseif canImport(Musl)
      unsafe Musl.free(base)
    #elseif canImport(Darwin)
      unsafe Darwin.free(base)
    #endif
  }

  /// The words, until the next `allocate`.
  var words: Words {
    if capacity == 0 { grow(to: 1_024) }
    return unsafe Words(base: base.unsafelyUnwrapped)
  }

  /// Whether more than half of the places are taken: then there is room to move what is there, but not for more.
  var isHalfFull: Bool { end > Self.limit / 2 }

  /// A size as it is allocated, and the list of its free pieces.
  private static func sizeClass(_ count: Int) -> (list: Int, rounded: Int) {
    if count <= 64 { return (count, max(1, count)) }
    let shift = Int.bitWidth - 1 - (count - 1).leadingZeroBitCount - 2
    let quarter = ((count - 1) >> shift) + 1
    return (64 + (shift - 4) * 4 + quarter - 4, quarter << shift)
  }

  /// Asks for the memory of the piece that `allocate` would give next, and gives a part of it, so that it is not optimised
  /// away.
  func touch(_ count: Int) -> UInt64 {
    let (list, rounded) = Self.sizeClass(count)
    let place = Int(unsafe free[list])
    return place == 0 ? 0 : words[place] ^ words[place + rounded - 1]
  }

  /// A piece of so many words, of any content; 0 where no place is left.
  func allocate(_ count: Int) -> Int {
    let (list, rounded) = Self.sizeClass(count)
    let place = Int(unsafe free[list])
    if place != 0 {
      unsafe free[list] = UInt32(truncatingIfNeeded: words[place])
      usedCount += rounded
      return place
    }
    guard end + rounded <= Self.limit else { return 0 }
    if end + rounded > capacity {
      // A large arena grows by less, since the allocator moves its pages and copies nothing.
      grow(to: max(1_024, end + rounded + (end + rounded) / (end < 1 << 17 ? 2 : 8)))
    }
    end += rounded
    usedCount += rounded
    return end - rounded
  }

  /// Gives back a piece of so many words.
  func free(_ place: Int, _ count: Int) {
    let (list, rounded) = Self.sizeClass(count)
    words[place] = UInt64(unsafe free[list])
    unsafe free[list] = UInt32(truncatingIfNeeded: place)
    usedCount -= rounded
  }

  private func grow(to count: Int) {
    let bytes = (count + Self.slack) * MemoryLayout<UInt64>.stride
    // Memory that is not to be had ends the process here, as everywhere in Swift.
    guard let memory = unsafe realloc(base, bytes) else { fatalError("out of memory") }
    unsafe base = memory.bindMemory(to: UInt64.self, capacity: count + Self.slack)
    capacity = count
  }
}
