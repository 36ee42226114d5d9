/// A `LIKE` pattern: `*` stands for any run of characters, `?` for one, `\` makes the next character ordinary. A
/// character is a Unicode code point. Where case or marks are ignored, it is one of the text's folding, in which `ß` is
/// `ss`: texts that are equal so match the same patterns.
///
/// The pattern is cut at its stars. The first and last pieces stand at the text's ends; each piece between is taken
/// where it is found first, which finds a match if there is one, and no text is ever gone back in. A piece without `?`
/// is searched for as ``ByteSearch`` does; one with `?` by the shift-and automaton (Baeza-Yates and Gonnet, "A new
/// approach to text searching", CACM 35(10), 1992), which takes a step for every 64 of its characters, so such pieces
/// are bounded by ``longestOpenPiece``. Complexity: linear in the text.
struct LikePattern: Sendable {
  /// The most characters of a piece that has a `?` in it and a star on either side.
  static let longestOpenPiece = 4_096

  /// What stands at the text's ends, without a star.
  private let first: [Part]
  private let last: [Part]
  private let middle: [Piece]
  private let hasStar: Bool

  /// Bytes that stand for themselves, or, where nil, any one character.
  private typealias Part = [UInt8]?

  private enum Piece: Sendable {
    case closed(ByteSearch)
    case open(ShiftAnd)
  }

  /// Reads a pattern; nil where a piece with `?` is too long.
  init?(_ pattern: [UInt8]) {
    var pieces: [[Part]] = [[]]
    // Bytes are gathered by themselves: those that lie within parts might be copied for each.
    var run: [UInt8] = []
    var isEscaped = false
    func endRun() {
      if run.isEmpty { return }
      pieces[pieces.count - 1].append(run)
      run = []
    }
    for byte in pattern {
      if isEscaped {
        run.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "*") {
        endRun()
        // Two stars are one.
        if pieces.count == 1 || pieces.last?.isEmpty == false { pieces.append([]) }
      } else if byte == UInt8(ascii: "?") {
        endRun()
        pieces[pieces.count - 1].append(nil)
      } else {
        run.append(byte)
      }
    }
    if isEscaped { run.append(UInt8(ascii: "\\")) }
    endRun()
    first = pieces[0]
    last = pieces[pieces.count - 1]
    hasStar = pieces.count > 1
    var middle: [Piece] = []
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      if piece.count == 1, let run = piece[0] {
        middle.append(.closed(ByteSearch(run)))
      } else {
        let scalars = piece.flatMap { run in
          run.map { String(decoding: $0, as: UTF8.self).unicodeScalars.map { Optional($0.value) } } ?? [nil]
        }
        if scalars.count > LikePattern.longestOpenPiece { return nil }
        middle.append(.open(ShiftAnd(scalars)))
      }
    }
    self.middle = middle
  }

  /// The pattern with its ordinary characters folded, those behind a `\` among them, and so that they stay ordinary.
  static func folded(_ pattern: [UInt8], _ folding: TextFolding) -> [UInt8] {
    if folding.isEmpty { return pattern }
    var folded: [UInt8] = []
    var run: [UInt8] = []
    func endRun() {
      for byte in folding.fold(run) {
        if isSpecial(byte) { folded.append(UInt8(ascii: "\\")) }
        folded.append(byte)
      }
      run.removeAll(keepingCapacity: true)
    }
    var isEscaped = false
    for byte in pattern {
      if isEscaped {
        run.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if isSpecial(byte) {
        endRun()
        folded.append(byte)
      } else {
        run.append(byte)
      }
    }
    if isEscaped { run.append(UInt8(ascii: "\\")) }
    endRun()
    return folded
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\")
  }

  /// Whether a text matches; by `lowers` one of ASCII, whose capitals are taken for small letters.
  ///
  /// Complexity: linear in the text.
  func matches(_ text: Span<UInt8>, lowers: Bool) -> Bool {
    guard var position = LikePattern.end(of: first, in: text, lowers: lowers) else { return false }
    if !hasStar { return position == text.count }
    guard let end = LikePattern.start(of: last, in: text, from: position, lowers: lowers) else { return false }
    for piece in middle {
      let found =
        switch piece {
        case .closed(let search): search.end(in: text, from: position, to: end, lowers: lowers)
        case .open(let automaton): automaton.end(in: text, from: position, to: end, lowers: lowers)
        }
      guard let found else { return false }
      position = found
    }
    return true
  }

  /// Where a piece ends that stands at the beginning; nil where it does not stand there.
  private static func end(of piece: [Part], in text: Span<UInt8>, lowers: Bool) -> Int? {
    var position = 0
    for part in piece {
      if let part {
        guard ASCIICase.stands(part.span, in: text, at: position, lowers: lowers) else { return nil }
        position += part.count
      } else {
        guard position < text.count else { return nil }
        position = DecodedScalar(in: text, at: position).end
      }
    }
    return position
  }

  /// Where a piece begins that stands at the end, not before a position; nil where it does not stand there.
  private static func start(of piece: [Part], in text: Span<UInt8>, from start: Int, lowers: Bool) -> Int? {
    var position = text.count
    for part in piece.reversed() {
      position -= part?.count ?? 1
      guard position >= start else { return nil }
      if let part {
        guard ASCIICase.stands(part.span, in: text, at: position, lowers: lowers) else { return nil }
      } else {
        while position > start, text[position] & 0xC0 == 0x80 { position -= 1 }
      }
    }
    return position
  }

  /// The automaton of a piece with `?`: one bit for each character, set while the characters up to it have been seen.
  private struct ShiftAnd: Sendable {
    private let words: Int
    private let final: UInt64
    private let anything: [UInt64]
    private let masks: [UInt32: Mask]

    /// Where a character stands in the piece: a bit for each place, or, of one that stands at few, these, so that all of
    /// them together take no more than a few times the piece.
    private enum Mask: Sendable {
      case bits([UInt64])
      case places([UInt16])
    }

    init(_ piece: [UInt32?]) {
      words = (piece.count + 63) / 64
      final = 1 << UInt64((piece.count - 1) % 64)
      var anything = [UInt64](repeating: 0, count: words)
      var places: [UInt32: [UInt16]] = [:]
      for (position, scalar) in piece.enumerated() {
        if let scalar {
          places[scalar, default: []].append(UInt16(truncatingIfNeeded: position))
        } else {
          anything[position / 64] |= 1 << UInt64(position % 64)
        }
      }
      self.anything = anything
      let words = words
      masks = places.mapValues { places in
        if places.count < words { return .places(places) }
        var bits = [UInt64](repeating: 0, count: words)
        for place in places { bits[Int(place) / 64] |= 1 << UInt64(place % 64) }
        return .bits(bits)
      }
    }

    /// The position just past the first occurrence.
    func end(in text: Span<UInt8>, from start: Int, to end: Int, lowers: Bool) -> Int? {
      var state = [UInt64](repeating: 0, count: words)
      var shifted = state
      var position = start
      while position < end {
        let scalar = DecodedScalar(in: text, at: position)
        var carry: UInt64 = 1
        for word in 0..<words {
          shifted[word] = state[word] << 1 | carry
          carry = state[word] >> 63
          state[word] = shifted[word] & anything[word]
        }
        switch masks[lowers ? UInt32(text[position].asciiLowercased) : scalar.value] {
        case .bits(let bits)?: for word in 0..<words { state[word] |= shifted[word] & bits[word] }
        case .places(let places)?:
          for place in places { state[Int(place) / 64] |= shifted[Int(place) / 64] & (1 << UInt64(place % 64)) }
        case nil: break
        }
        position = scalar.end
        if state[words - 1] & final != 0 { return position }
      }
      return nil
    }
  }
}
