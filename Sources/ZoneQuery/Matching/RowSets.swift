// An unsafe leaf: working memory for the sets of rows that a program passes from instruction to instruction.
//
// Invariant: `sets` points to `count` initialised sets until the closure that got them returns; they are trivial, so
// nothing needs to be undone. The struct cannot be copied, and the closure borrows it.

/// A set of the rows of a block for each instruction of a conjunct.
@safe
struct RowSets: ~Copyable {
  @unsafe private let sets: UnsafeMutablePointer<SIMD4<UInt64>>
  private let count: Int

  private init(_ buffer: UnsafeMutableBufferPointer<SIMD4<UInt64>>, start: UnsafeMutablePointer<SIMD4<UInt64>>) {
    unsafe buffer.initialize(repeating: SIMD4())
    unsafe sets = start
    count = buffer.count
  }

  /// Calls `body` with so many empty sets: on the stack, unless there are many.
  static func with(_ count: Int, _ body: (borrowing RowSets) -> SIMD4<UInt64>) -> SIMD4<UInt64> {
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<UInt64>.self, capacity: count) { buffer in
      guard let start = buffer.baseAddress else { return SIMD4() }
      return body(unsafe RowSets(buffer, start: start))
    }
  }

  subscript(index: Int) -> SIMD4<UInt64> {
    get {
      precondition(index >= 0 && index < count)
      return unsafe sets[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count)
      unsafe sets[index] = newValue
    }
  }
}
