internal import CPrefetch

// An unsafe leaf: names places in memory, of which none is read but what `approach` reads.

extension UnsafeRawPointer {
  /// Asks for the memory here to be brought near, without waiting for it.
  ///
  /// There is to be work between: a processor has room for some sixteen such requests, and of more each waits for an earlier
  /// one. Where nothing else is to be done, reading one place after the other, which waits for them together, is sooner.
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

extension TableRows {
  /// Reads the beginnings of some fields' values in some rows, as ``approach(_:fields:isWhole:_:)`` does, for the sake of the
  /// cache alone.
  func bringNear(_ numbers: Range<Int>, fields: UInt64, _ slot: (Int) -> UInt32) {
    zonequery_keep(approach(numbers, fields: fields, slot))
  }
}
