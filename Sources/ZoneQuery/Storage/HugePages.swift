#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// An unsafe leaf: tells the system about memory, none of which is read or written here.

/// Huge pages for what is loaded: rows that a query picks from all over a zone are found without a walk through the tables
/// of small pages for each. All of it are hints, and nothing depends on whether they are followed.
enum HugePages {
  /// The bytes of one.
  static var size: Int { 1 << 21 }
  /// How much ``foresee()`` asks for: a little less than the largest blocks that glibc cuts from its heap.
  static var foreseenBytes: Int { 31 << 20 }

  /// Has what the C library hands out next mapped by huge pages as it is first written to. To know where that is, a large
  /// block is asked for and given back; glibc, having seen such a block freed, keeps up to two of them at the end of its heap
  /// before it gives memory back to the system.
  static func foresee() {
    #if canImport(Glibc)
      // glibc maps a large block apart, and, once one was given back, cuts such from its heap, as it does small ones.
      for _ in 0..<2 {
        guard let block = unsafe malloc(foreseenBytes) else { return }
        let mask = ~UInt(size - 1)
        let first = (UInt(bitPattern: block) + ~mask) & mask
        let end = (UInt(bitPattern: block) + UInt(foreseenBytes)) & mask
        if first < end, let start = unsafe UnsafeMutableRawPointer(bitPattern: first) {
          _ = unsafe madvise(start, Int(end - first), advice)
        }
        unsafe free(block)
      }
    #endif
  }

  #if os(Linux)
    /// Has one mapped where memory that is in use lies already.
    ///
    /// - Parameters:
    ///   - number: Which one: its address divided by its size.
    ///   - atOnce: Whether to wait for it, as Linux does from 6.1 on. Else the system does it in its own time.
    static func gather(_ number: UInt, atOnce: Bool) {
      guard let start = unsafe UnsafeMutableRawPointer(bitPattern: number * UInt(size)) else { return }
      _ = unsafe madvise(start, size, atOnce ? collapse : advice)
    }

    /// `MADV_HUGEPAGE` of Linux.
    private static var advice: Int32 { 14 }
    /// `MADV_COLLAPSE` of Linux 6.1, which earlier ones refuse.
    private static var collapse: Int32 { 25 }
  #endif
}
