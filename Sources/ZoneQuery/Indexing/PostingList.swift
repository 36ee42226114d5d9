// An unsafe leaf: a posting list to be read.
//
// Invariant: the pointers are into pages of a version that is pinned, or of the running commit until its next change;
// no list is kept longer. Places behind the counts are never read, since a writer may be writing there.

/// The slots of the records that have a term, ascending and each once.
///
/// A list may be read while its version is pinned, and within a commit until its next change.
@safe
struct PostingList {
  /// How many slots there are.
  let count: Int
  @unsafe let directory: UnsafePointer<PostingBlock>?
  let directoryCount: Int
  @unsafe let tail: UnsafePointer<UInt32>?
  let tailCount: Int

  /// The list of no slots.
  static var empty: PostingList {
    unsafe PostingList(count: 0, directory: nil, directoryCount: 0, tail: nil, tailCount: 0)
  }

  @inline(__always)
  init(
    count: Int, directory: UnsafePointer<PostingBlock>?, directoryCount: Int, tail: UnsafePointer<UInt32>?,
    tailCount: Int
  ) {
    self.count = count
    unsafe self.directory = unsafe directory
    self.directoryCount = directoryCount
    unsafe self.tail = unsafe tail
    self.tailCount = tailCount
  }

  /// Blocks and tail alike.
  var segmentCount: Int { directoryCount + (tailCount > 0 ? 1 : 0) }

  @inline(__always)
  func segment(_ index: Int) -> PostingBlock {
    if index < directoryCount, let directory = unsafe directory { return unsafe directory[index] }
    // Callers go from 0 to `segmentCount`, which counts a tail only where there is one, or ask `segment(of:)` of a list that
    // is not empty: no input leads here.
    guard let tail = unsafe tail else { preconditionFailure("a list has no segment behind its last") }
    return unsafe PostingBlock(
      page: UnsafeMutableRawPointer(mutating: tail), base: tail[0], count: tailCount, kind: PostingBlock.wide)
  }

  /// The first segment from `start` on that a slot may be in: the last whose base is not above it.
  @inline(__always)
  func segment(of slot: UInt32, from start: Int) -> Int {
    var low = start
    if tailCount > 0, let tail = unsafe tail, unsafe tail[0] <= slot { return directoryCount }
    guard let directory = unsafe directory else { return start }
    // Galloping: those that ask go forward.
    var step = 1
    while low + step < directoryCount, unsafe directory[low + step].base <= slot {
      low += step
      step <<= 1
    }
    var high = min(low + step, directoryCount)
    while high - low > 1 {
      let middle = (low + high) >> 1
      if unsafe directory[middle].base <= slot { low = middle } else { high = middle }
    }
    return low
  }

  /// The segment that a slot may be in: the last whose base is not above it, or else the first. The list is not empty.
  @inline(__always)
  func segment(of slot: UInt32) -> Int {
    if tailCount > 0, let tail = unsafe tail, unsafe tail[0] <= slot { return directoryCount }
    guard let directory = unsafe directory else { return 0 }
    return unsafe StoredPostings.block(of: slot, directory, directoryCount)
  }

  /// The greatest slot.
  var last: UInt32? { unsafe segmentCount == 0 ? nil : segment(segmentCount - 1).last }
  /// The least slot.
  var first: UInt32? {
    var masks = PostingMasks(self)
    return masks.next().map { $0.group << 8 + GroupMasks.lowest($0.mask) }
  }

  /// Whether a slot is in the list.
  ///
  /// Complexity: logarithmic.
  func contains(_ slot: UInt32) -> Bool {
    unsafe segmentCount > 0 && segment(segment(of: slot)).contains(slot)
  }

  /// Those of the 256 slots from `256 * group` on that are in the list.
  func mask(group: UInt32) -> SIMD4<UInt64> {
    var masks = PostingMasks(self)
    return masks.mask(of: group)
  }

  /// How many slots are handed over at a time, at most.
  static let chunk = 512

  /// Calls `body` with the slots in order, up to 512 at a time, until it returns false.
  func forEachChunk(_ body: (UnsafeMutableBufferPointer<UInt32>) -> Bool) {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: PostingList.chunk) { buffer in
      guard let target = buffer.baseAddress else { return }
      for index in 0..<segmentCount {
        let block = unsafe segment(index)
        guard unsafe block.kind == PostingBlock.bitmap else {
          unsafe block.decode(to: target)
          if unsafe !body(UnsafeMutableBufferPointer(start: target, count: block.count)) { return }
          continue
        }
        var word = 0
        while unsafe word < PostingBlock.words {
          let end = unsafe min(word + PostingList.chunk / 64, PostingBlock.words)
          let count = unsafe PostingBlock.decode(block.bits, words: word..<end, base: block.base, to: target)
          if count > 0, unsafe !body(UnsafeMutableBufferPointer(start: target, count: count)) { return }
          word = end
        }
      }
    }
  }

  /// Fills an array with the slots in order, up to 512 at a time, and calls `body` with each filling until it returns false.
  func forEachFilling(of some: inout [UInt32], _ body: (inout [UInt32]) -> Bool) {
    unsafe forEachChunk { chunk in
      some.removeAll(keepingCapacity: true)
      unsafe some.append(contentsOf: chunk)
      return body(&some)
    }
  }

  /// Appends the slots in order, or so many of them.
  func append(to slots: inout [UInt32], first most: Int = .max) {
    var left = min(most, count)
    slots.reserveCapacity(slots.count + left)
    unsafe forEachChunk { chunk in
      unsafe slots.append(contentsOf: chunk.prefix(left))
      left -= min(left, chunk.count)
      return left > 0
    }
  }

  /// The slots in order.
  var slots: [UInt32] {
    var result: [UInt32] = []
    append(to: &result)
    return result
  }
}
