/// A folded text, as what is sought among texts in order: those that fold to it, or to one that begins with it.
///
/// The texts that are asked for are the words of an automaton: its places are those in the folded text, and a scalar leads
/// from one to where its folding ends. An index's texts are intersected with it as a dictionary's are with the automaton of
/// all words within a distance: from a text that is not asked for to the least that may be behind it.
///
/// ```
/// oslo, ignoring case:  "Odense" -> "OsLO"    "Osaka" -> "OslO"    "Oslo" is one    "Ottawa" -> "oSLO"
/// ```
///
/// Source: K. U. Schulz and S. Mihov, Fast string correction with Levenshtein automata, International Journal on Document
/// Analysis and Recognition 5 (2002).
struct FoldedText {
  /// What a text is to those asked for.
  enum Step: Equatable {
    /// It is one of them.
    case found
    /// All that begin with its first bytes, so many, are asked for, and it is one of them.
    case foundBeginning(Int)
    /// It is none.
    case passed
  }

  /// How many bytes are gone ahead of those that are known to be stored.
  private static var mostAhead: Int { 24 }

  private let text: [UInt8]
  private let isPrefix: Bool
  private let ignoresCase: Bool
  private let folded: FoldedScalars
  /// The least text that may be asked for behind those looked at; nil where there is none.
  private(set) var next: [UInt8]?
  /// Where each scalar of a text begins, in it and in the folded one.
  private var path: [(offset: Int, place: Int)] = []

  /// Nil where it is not known scalar by scalar what folds to the text: where marks are ignored in Hangul. By `isPrefix`
  /// what begins with the text is asked for, which then is not empty.
  init?(_ text: [UInt8], _ folding: Folding, isPrefix: Bool) {
    if folding != .caseAlone {
      let bytes = text.span
      var position = 0
      while position < bytes.count {
        let scalar = DecodedScalar(in: bytes, at: position)
        if FoldedScalars.isHangul(scalar.value) { return nil }
        position = scalar.end
      }
    }
    (self.text, self.isPrefix, ignoresCase) = (text, isPrefix, folding != .marksAlone)
    folded = .of(folding)
    var least: [UInt8] = []
    least.reserveCapacity(min(text.count, 64) + 8)
    path.reserveCapacity(min(text.count, 64) + 8)
    complete(&least, from: 0)
    next = least
  }

  /// Says what a text is to those asked for, and goes on behind it; behind a beginning with ``pass(beginning:)``.
  ///
  /// Complexity: linear in the text, as far as it goes with those asked for.
  mutating func step(_ bytes: Span<UInt8>) -> Step {
    path.removeAll(keepingCapacity: true)
    var (offset, place) = (0, 0)
    var step = Step.passed
    while true {
      if place == text.count, isPrefix { return .foundBeginning(offset) }
      if offset == bytes.count {
        if place == text.count {
          step = .found
        } else {
          // It begins as those asked for: the least of these that begin with it comes next.
          begin(bytes, place)
          return .passed
        }
        break
      }
      path.append((offset, place))
      guard let edge = follow(bytes, offset, place) else { break }
      (offset, place) = edge
    }
    if step == .found, let mark = folded.vanishing(from: 0) {
      next = Array(copying: bytes)
      next?.append(scalar: mark)
      return .found
    }
    // The longest beginning that a greater scalar can follow.
    while let (offset, place) = path.popLast() {
      if let edge = leastEdge(from: DecodedScalar(in: bytes, at: offset).value + 1, place) {
        begin(bytes.extracting(0..<offset), edge.place, edge.scalar)
        return step
      }
    }
    next = nil
    return step
  }

  /// Goes on behind all texts that begin with some bytes.
  mutating func pass(beginning: ArraySlice<UInt8>) {
    next = Array(beginning).endOfPrefix
  }

  /// The least text asked for that begins with some bytes, and perhaps a scalar, comes next.
  private mutating func begin(_ bytes: Span<UInt8>, _ place: Int, _ scalar: UInt32? = nil) {
    var text = next ?? []
    next = nil
    text.removeAll(keepingCapacity: true)
    for index in bytes.indices { text.append(bytes[index]) }
    if let scalar { text.append(scalar: scalar) }
    complete(&text, from: place)
    next = text
  }

  /// Where the scalar at an offset ends, and where it leads from a place; nil where it may not come there.
  @inline(__always)
  private func follow(_ bytes: Span<UInt8>, _ offset: Int, _ place: Int) -> (Int, Int)? {
    let byte = bytes[offset]
    if byte < 0x80 {
      let isNext = place < text.count && text[place] == (ignoresCase ? byte.asciiLowercased : byte)
      return isNext ? (offset &+ 1, place &+ 1) : nil
    }
    let scalar = DecodedScalar(in: bytes, at: offset)
    guard let edge = leastEdge(from: scalar.value, place), edge.scalar == scalar.value else { return nil }
    return (scalar.end, edge.place)
  }

  /// The least scalar, not below one, that may come at a place, and where it leads.
  private func leastEdge(from scalar: UInt32, _ place: Int) -> (scalar: UInt32, place: Int)? {
    if scalar < 0x80, place < text.count, text[place] < 0x80 {
      // Behind ASCII is all else.
      let own = UInt32(text[place])
      if ignoresCase, 0x61...0x7A ~= own, own & ~0x20 >= scalar { return (own & ~0x20, place &+ 1) }
      if own >= scalar { return (own, place &+ 1) }
    }
    var least = folded.vanishing(from: scalar).map { (scalar: $0, place: place) }
    if place == text.count { return least }
    let own = DecodedScalar(in: text.span, at: place)
    // What is folded folds to itself.
    if own.value >= scalar, own.value < least?.scalar ?? .max { least = (own.value, own.end) }
    folded.forEach(foldingTo: own.value) { other, folding in
      if other < scalar { return true }
      if other > least?.scalar ?? .max { return false }
      guard let end = folded.end(of: folding, in: text, at: place, mayGoOn: isPrefix) else { return true }
      least = (other, end)
      return false
    }
    return least
  }

  /// Appends the least scalars that lead on from a place, up to the end, to where scalars may come that fold to nothing, or so
  /// far as texts mostly differ: what begins as those asked for is not behind them.
  private func complete(_ text: inout [UInt8], from start: Int) {
    var place = start
    let most = text.count + FoldedText.mostAhead
    while place < self.text.count, text.count < most, let edge = leastEdge(from: 0, place) {
      text.append(scalar: edge.scalar)
      if edge.place == place { return }
      place = edge.place
    }
  }
}

extension [UInt8] {
  /// The first text behind all that begin with this one, which is its beginning with the last byte raised; nil where none is.
  var endOfPrefix: [UInt8]? {
    var end = self
    while end.last == .max { end.removeLast() }
    guard let last = end.popLast() else { return nil }
    return end + [last + 1]
  }

  /// Appends a scalar as UTF-8.
  @inline(__always)
  fileprivate mutating func append(scalar: UInt32) {
    if scalar < 0x80 { return append(UInt8(truncatingIfNeeded: scalar)) }
    if let scalar = Unicode.Scalar(scalar) { append(contentsOf: String(scalar).utf8) }
  }
}
