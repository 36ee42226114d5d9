/// A `LIKE` pattern: `*` stands for any run of characters, `?` for one, `\` makes the next character ordinary. A
/// character is a Unicode code point.
///
/// The pattern is cut at its stars. The first and last pieces stand at the text's ends; each piece between is taken
/// where it is found first, which finds a match if there is one. A piece is searched for by the shift-and automaton
/// (Baeza-Yates and Gonnet, "A new approach to text searching", CACM 35(10), 1992), so that no text makes it go back.
/// Complexity: the length of the text times a 64th of the longest piece.
struct LikePattern: Sendable {
  /// A run of characters; `nil` stands for any one.
  typealias Piece = [Unicode.Scalar?]

  private let pieces: [Piece]
  private let least: Int

  init(_ pattern: [UInt8]) {
    var pieces: [Piece] = [[]]
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
    self.pieces = pieces
    self.least = pieces.reduce(0) { $0 + $1.count }
  }

  func matches(_ text: Span<UInt8>) -> Bool {
    matches(Array(String(decoding: Array(copying: text), as: UTF8.self).unicodeScalars))
  }

  private func matches(_ text: [Unicode.Scalar]) -> Bool {
    guard text.count >= least else { return false }
    let first = pieces[0]
    guard LikePattern.stands(first, in: text, at: 0) else { return false }
    if pieces.count == 1 { return text.count == first.count }
    let last = pieces[pieces.count - 1]
    let end = text.count - last.count
    guard LikePattern.stands(last, in: text, at: end) else { return false }
    var position = first.count
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let found = LikePattern.end(of: piece, in: text, from: position, to: end) else { return false }
      position = found
    }
    return position <= end
  }

  private static func stands(_ piece: Piece, in text: [Unicode.Scalar], at start: Int) -> Bool {
    for (offset, scalar) in piece.enumerated() {
      if let scalar, text[start + offset] != scalar { return false }
    }
    return true
  }

  /// The position just past the first occurrence of a piece.
  private static func end(of piece: Piece, in text: [Unicode.Scalar], from start: Int, to end: Int) -> Int? {
    let words = (piece.count + 63) / 64
    var anything = [UInt64](repeating: 0, count: words)
    var masks: [Unicode.Scalar: [UInt64]] = [:]
    for (position, scalar) in piece.enumerated() {
      if let scalar {
        masks[scalar, default: [UInt64](repeating: 0, count: words)][position / 64] |= 1 << UInt64(position % 64)
      } else {
        anything[position / 64] |= 1 << UInt64(position % 64)
      }
    }
    let final = UInt64(1) << UInt64((piece.count - 1) % 64)
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
