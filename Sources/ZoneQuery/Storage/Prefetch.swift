internal import CPrefetch

// An unsafe leaf: names places in memory, of which none is read.

extension UnsafeRawPointer {
  /// Asks for the memory here to be brought near, without waiting for it.
  ///
  /// To be mixed with work: of more than some sixteen places that are asked for at once each waits for one before it, and
  /// then reading them all one after the other, which waits for them together, takes half the time.
  @inline(__always)
  func prefetch() { unsafe zonequery_prefetch(self) }

  /// The same for some bytes: all lines of the cache that they lie in.
  @inline(__always)
  func prefetch(_ count: Int) {
    let line = 64
    unsafe prefetch()
    var place = unsafe self + (line - Int(bitPattern: self) & (line - 1))
    let end = unsafe self + count
    while unsafe place < end {
      unsafe place.prefetch()
      unsafe place += line
    }
  }
}
