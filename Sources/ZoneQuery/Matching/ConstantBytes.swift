/// The texts that a program compares without folding, in one array.
///
/// Reading an array that lies within another costs a retain and a release, which for a comparison of texts is most of
/// the time, and more yet when several threads do it; reading a run of this one costs neither.
///
/// Invariant: every run lies within `bytes`. A text is put in place of another where it fits, else behind all others; a
/// program that has grown to ``limit`` in this way refuses. Complexity: a comparison is linear in the shorter text.
struct ConstantBytes: Sendable {
  /// Where a text lies, and how many bytes there are for one in its place.
  struct Run: Sendable {
    var start: Int
    var count: Int
    var capacity: Int
  }

  /// Sorted texts: so many runs from the first on.
  struct Runs: Sendable {
    var first: Int
    var count: Int
  }

  private var bytes: [UInt8] = []
  private var runs: [Run] = []
  /// How many bytes replaced texts may let the array grow to.
  private var limit = 4_096

  mutating func append(_ texts: [[UInt8]]) -> Runs {
    for text in texts { append(text) }
    limit = max(limit, 2 * bytes.count)
    return Runs(first: runs.count - texts.count, count: texts.count)
  }

  private mutating func append(_ text: [UInt8]) {
    let capacity = (text.count + 31) & ~15
    runs.append(Run(start: bytes.count, count: text.count, capacity: capacity))
    bytes.append(contentsOf: text)
    bytes.append(contentsOf: repeatElement(0, count: capacity - text.count))
  }

  /// Puts texts in the place of others; whether there was room.
  mutating func replace(_ old: inout Runs, with texts: [[UInt8]]) -> Bool {
    if texts.count == old.count, texts.indices.allSatisfy({ texts[$0].count <= runs[old.first + $0].capacity }) {
      for (index, text) in texts.enumerated() {
        runs[old.first + index].count = text.count
        var offset = runs[old.first + index].start
        for byte in text {
          bytes[offset] = byte
          offset += 1
        }
      }
      return true
    }
    let needed = texts.reduce(bytes.count + 16 * runs.count) { $0 + $1.count + 48 }
    guard needed <= limit else { return false }
    for text in texts { append(text) }
    old = Runs(first: runs.count - texts.count, count: texts.count)
    return true
  }

  /// Negative, 0 or positive as the text comes before, is, or comes after the one of a number.
  @inline(__always)
  func compare(_ text: Span<UInt8>, _ number: Int) -> Int {
    let run = runs[number]
    return ByteOrder.compare(text, bytes.span.extracting(run.start..<run.start + run.count))
  }

  @inline(__always)
  func areEqual(_ text: Span<UInt8>, _ number: Int) -> Bool {
    let run = runs[number]
    return ByteOrder.areEqual(text, bytes.span.extracting(run.start..<run.start + run.count))
  }

  /// Whether a text begins with the one of a number, or ends with it.
  @inline(__always)
  func stands(_ number: Int, in text: Span<UInt8>, atEnd: Bool) -> Bool {
    let run = runs[number]
    return ByteOrder.stands(
      bytes.span.extracting(run.start..<run.start + run.count), in: text, at: atEnd ? text.count - run.count : 0)
  }

  /// Whether a text is among sorted ones. Complexity: logarithmic in their number.
  func contains(_ text: Span<UInt8>, _ sorted: Runs) -> Bool {
    var (low, high) = (sorted.first, sorted.first + sorted.count)
    while low < high {
      let middle = (low + high) / 2
      let order = compare(text, middle)
      if order == 0 { return true }
      if order > 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }
}
