/// A `LIKE` pattern: `*` stands for any run of characters, `?` for one, `\` makes the next character ordinary. A
/// character is a Unicode code point. Where case or marks are ignored, it is one of the text's folding, in which `ß` is
/// `ss`: texts that are equal so match the same patterns.
///
/// The pattern is cut at its stars. The first and last pieces stand at the text's ends; each piece between is taken
/// where it is found first, which finds a match if there is one, and no text is ever gone back in. A piece without `?`
/// is searched for as ``RunSearch`` does; one with `?` by the shift-and automaton (Baeza-Yates and Gonnet, "A new
/// approach to text searching", CACM 35(10), 1992), which takes a step for every 64 of its characters, so such pieces
/// are bounded by ``longestOpenPiece``. Complexity: linear in the text.
struct LikePattern: Sendable {
  /// The most characters of a piece that has a `?` in it and a star on either side.
  static let longestOpenPiece = 4_096

  private let first: [Unicode.Scalar?]
  private let last: [Unicode.Scalar?]
  private let middle: [Piece]
  private let hasStar: Bool
  private let least: Int

  private enum Piece: Sendable {
    case closed(RunSearch<Unicode.Scalar>)
    case open(ShiftAnd)
  }

  /// Reads a pattern; nil where a piece with `?` is too long.
  init?(_ pattern: [UInt8]) {
    var pieces: [[Unicode.Scalar?]] = [[]]
    var isEscaped = false
    for scalar in String(decoding: pattern, as: UTF8.self).unicodeScalars {
      if isEscaped {
        pieces[pieces.count - 1].append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "*" {
        // Two stars are one.
        if pieces.count == 1 || pieces.last?.isEmpty == false { pieces.append([]) }
      } else {
        pieces[pieces.count - 1].append(scalar == "?" ? nil : scalar)
      }
    }
    if isEscaped { pieces[pieces.count - 1].append("\\") }
    first = pieces[0]
    last = pieces[pieces.count - 1]
    hasStar = pieces.count > 1
    least = hasStar ? pieces.reduce(0) { $0 + $1.count } : first.count
    var middle: [Piece] = []
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      let scalars = piece.compactMap { $0 }
      if scalars.count == piece.count {
        middle.append(.closed(RunSearch(scalars)))
      } else if piece.count <= LikePattern.longestOpenPiece {
        middle.append(.open(ShiftAnd(piece)))
      } else {
        return nil
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

  func matches(_ text: Span<UInt8>) -> Bool {
    matches(Array(String(copying: text).unicodeScalars))
  }

  private func matches(_ text: [Unicode.Scalar]) -> Bool {
    guard text.count >= least, LikePattern.stands(first, in: text, at: 0) else { return false }
    if !hasStar { return text.count == first.count }
    let end = text.count - last.count
    guard LikePattern.stands(last, in: text, at: end) else { return false }
    var position = first.count
    for piece in middle {
      let found =
        switch piece {
        case .closed(let search): search.end(in: text.span, from: position, to: end)
        case .open(let automaton): automaton.end(in: text, from: position, to: end)
        }
      guard let found else { return false }
      position = found
    }
    return position <= end
  }

  private static func stands(_ piece: [Unicode.Scalar?], in text: [Unicode.Scalar], at start: Int) -> Bool {
    for (offset, scalar) in piece.enumerated() {
      if let scalar, text[start + offset] != scalar { return false }
    }
    return true
  }

  /// The automaton of a piece with `?`: one bit for each character, set while the characters up to it have been seen.
  private struct ShiftAnd: Sendable {
    private let words: Int
    private let final: UInt64
    private let anything: [UInt64]
    private let masks: [Unicode.Scalar: [UInt64]]

    init(_ piece: [Unicode.Scalar?]) {
      words = (piece.count + 63) / 64
      final = 1 << UInt64((piece.count - 1) % 64)
      var anything = [UInt64](repeating: 0, count: words)
      var masks: [Unicode.Scalar: [UInt64]] = [:]
      for (position, scalar) in piece.enumerated() {
        let bit: UInt64 = 1 << UInt64(position % 64)
        if let scalar {
          masks[scalar, default: [UInt64](repeating: 0, count: words)][position / 64] |= bit
        } else {
          anything[position / 64] |= bit
        }
      }
      self.anything = anything
      self.masks = masks
    }

    /// The position just past the first occurrence.
    func end(in text: [Unicode.Scalar], from start: Int, to end: Int) -> Int? {
      var state = [UInt64](repeating: 0, count: words)
      var position = start
      while position < end {
        let mask = masks[text[position]]
        var carry: UInt64 = 1
        for word in 0..<words {
          let shifted = state[word] << 1 | carry
          carry = state[word] >> 63
          state[word] = shifted & (anything[word] | (mask?[word] ?? 0))
        }
        position += 1
        if state[words - 1] & final != 0 { return position }
      }
      return nil
    }
  }
}
