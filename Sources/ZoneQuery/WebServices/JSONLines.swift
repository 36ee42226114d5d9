/// Splits JSON lines: text of one JSON value a line, from a buffer or in chunks as they arrive.
///
/// A line ends at a line feed, with or without a carriage return before it; the last may lack it. Lines of nothing
/// but spaces, tabs and carriage returns are passed over, yet counted. Time is linear in the bytes, however they are
/// cut into chunks, and no more than one line and one chunk are held.
///
///     var lines = JSONLines(bytes)
///     while let line = try lines.next() { records.append(try line.read()) }
package struct JSONLines<Failure: Error> {
  /// Why there is no next line.
  package enum Stop: Error {
    /// A line is longer than the limit. The next call goes on behind it.
    case lineTooLong(JSONError)
    /// The source of the chunks failed.
    case source(Failure)
  }

  /// Where the chunks come from: `nil` at the end, an empty one where nothing has arrived yet.
  package typealias Source = () throws(Failure) -> [UInt8]?

  private let maximumLineLength: Int
  private let source: Source
  private var chunk: ArraySlice<UInt8> = []
  /// The beginning of a line whose end is in no chunk yet.
  private var begun: [UInt8] = []
  private var isAtEnd = false
  private var isSkipping = false
  private var number = 1
  private var offset = 0

  /// Creates a splitter of what `source` gives. A line may have `maximumLineLength` bytes, its end not counted.
  package init(maximumLineLength: Int = 16 << 20, source: @escaping Source) {
    self.maximumLineLength = max(0, maximumLineLength)
    self.source = source
  }

  /// The next line that is not blank; `nil` behind the last.
  package mutating func next() throws(Stop) -> JSONLine? {
    while !(isAtEnd && chunk.isEmpty) {
      if chunk.isEmpty {
        try fill()
        if isAtEnd, let line = finish() { return line }
        continue
      }
      if let newline = chunk.firstIndex(of: 0x0A) {
        let part = chunk[..<newline]
        chunk = chunk[(newline + 1)...]
        if isSkipping {
          endSkipping(part.count)
          continue
        }
        try check(part, isComplete: true)
        if let line = take(part, terminator: 1) { return line }
      } else {
        let part = chunk
        chunk = []
        if isSkipping {
          offset += part.count
          continue
        }
        try check(part, isComplete: false)
        begun.append(contentsOf: part)
      }
    }
    return nil
  }

  private mutating func fill() throws(Stop) {
    do {
      guard let next = try source() else {
        isAtEnd = true
        return
      }
      chunk = next[...]
    } catch {
      throw .source(error)
    }
  }

  private mutating func finish() -> JSONLine? {
    guard !isSkipping, !begun.isEmpty else { return nil }
    return take([], terminator: 0)
  }

  /// The line of what had begun and `rest`, or `nil` where it is blank.
  private mutating func take(_ rest: ArraySlice<UInt8>, terminator: Int) -> JSONLine? {
    var content = rest
    if !begun.isEmpty {
      begun.append(contentsOf: rest)
      content = begun[...]
      begun = []
    }
    defer {
      number += 1
      offset += content.count + terminator
    }
    let isBlank = content.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    if isBlank { return nil }
    return JSONLine(
      number: number, offset: offset, bytes: content.last == 0x0D ? content.dropLast() : content)
  }

  /// Throws where the line is too long with `part`; what is left of the line is then passed over.
  private mutating func check(_ part: ArraySlice<UInt8>, isComplete: Bool) throws(Stop) {
    let length = begun.count + part.count
    // The carriage return of a line end may come before its line feed is seen.
    let last = part.last ?? begun.last
    guard length > maximumLineLength, !(length == maximumLineLength + 1 && last == 0x0D) else { return }
    let error = JSONError(
      message: "the line is longer than \(maximumLineLength) bytes", offset: offset, line: number,
      column: 1)
    offset += begun.count
    begun = []
    isSkipping = true
    if isComplete { endSkipping(part.count) } else { offset += part.count }
    throw .lineTooLong(error)
  }

  private mutating func endSkipping(_ count: Int) {
    isSkipping = false
    number += 1
    offset += count + 1
  }
}

extension JSONLines<Never> {
  /// Creates a splitter of one buffer, whose lines share its memory.
  package init(_ bytes: ArraySlice<UInt8>, maximumLineLength: Int = 16 << 20) {
    self.init(maximumLineLength: maximumLineLength, source: { () throws(Never) -> [UInt8]? in nil })
    chunk = bytes
  }

  /// Creates a splitter of one buffer, whose lines share its memory.
  package init(_ bytes: [UInt8], maximumLineLength: Int = 16 << 20) {
    self.init(bytes[...], maximumLineLength: maximumLineLength)
  }
}
