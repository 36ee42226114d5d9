/// Byte strings one after the other, each behind its length in seven-bit groups, the lowest first.
enum RunLength {
  static func append(_ member: Span<UInt8>, to run: inout [UInt8]) {
    var length = member.count
    while length >= 0x80 {
      run.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    run.append(UInt8(length))
    run.append(contentsOf: member)
  }

  /// The place of the member at `position`, which moves behind it; nil at the end.
  @inline(__always)
  static func next(in run: Span<UInt8>, _ position: inout Int) -> Range<Int>? {
    // Most are short.
    if position < run.count, run[position] < 0x80 {
      let start = position &+ 1
      position = start &+ Int(run[position])
      return start..<position
    }
    var (length, shift) = (0, 0)
    while position < run.count {
      let byte = run[position]
      position += 1
      length |= Int(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 {
        let start = position
        position += length
        return start..<position
      }
    }
    return nil
  }
}
