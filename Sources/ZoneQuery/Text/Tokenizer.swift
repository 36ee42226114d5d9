/// Splits text into the tokens that token search compares.
///
/// - **Splitting**: Unicode's word boundaries (UAX #29). A segment is kept where it holds a letter, a digit or
///   an ideograph: a scalar of general category L or N or of the properties Alphabetic or Ideographic, that
///   decomposes to more than combining marks. Han, Hiragana and Thai come out one character a segment.
/// - **Folding**: compatibility decomposition (NFKD), full case folding, combining marks (general category M)
///   removed, ’ read as '.
/// - **Stop words**: a folded segment among CloudKit's documented stop words is no token.
///
/// No stemming, no dictionary, no language: the same text always gives the same tokens. Text of any shape takes
/// linear time.
///
/// ```swift
/// Tokenizer().tokens(of: "The Café ’Ünïcode’, 3.14 €")   // ["cafe", "unicode", "3.14"]
/// ```
public struct Tokenizer: Sendable {
  /// Creates a tokenizer. Complexity: constant.
  public init() {}

  /// The distinct tokens of `text`, folded, without stop words, in order of first appearance.
  ///
  /// - Parameter text: Any text.
  /// - Returns: The tokens, decomposed as they are folded: of `서울` the five letters it is made of. Compare them with other
  ///   tokens, by their UTF-8: Swift's `==` on strings merges different bytes.
  ///
  /// Complexity: linear in the text's bytes.
  ///
  /// ```swift
  /// Tokenizer().tokens(of: "to be or not to be, Hamlet's hamlet's")   // ["hamlet's"]
  /// Tokenizer().tokens(of: "東京タワー")                                // ["東", "京", "タワー"]
  /// ```
  public func tokens(of text: String) -> [String] {
    distinctTokens(of: Array(text.utf8).span).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The distinct tokens of UTF-8, as `tokens(of:)` gives them. Complexity: linear.
  package func distinctTokens(in utf8: [UInt8]) -> [[UInt8]] {
    distinctTokens(of: utf8.span).map(Array.init)
  }

  private func distinctTokens(of utf8: Span<UInt8>) -> DistinctTokens {
    var tokens = DistinctTokens()
    var scratch = TokenScratch()
    forEachToken(in: utf8, using: &scratch) { tokens.insert($0) }
    return tokens
  }

  /// Calls `body` with each folded token of UTF-8 that is no stop word, in order, repeated ones each time.
  ///
  /// - Parameters:
  ///   - utf8: The text. What comes of bytes that are no UTF-8 is unspecified, but neither traps nor takes
  ///     longer.
  ///   - scratch: Room for folding, to be kept from one text to the next.
  ///   - body: Gets the token's bytes, for the time of the call.
  /// - Throws: What `body` throws, at once.
  ///
  /// Complexity: linear. A token that folds to itself is read in place, any other through `scratch`, so nothing
  /// is allocated once that has grown to the longest token.
  public func forEachToken<Failure: Error>(
    in utf8: Span<UInt8>, using scratch: inout TokenScratch, _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var segmenter: WordSegmenter?
    let stopWords = StopWords.shared
    let kinds = ASCIIKind.table
    var position = 0
    while position < utf8.count {
      let first = kinds[Int(utf8[position])]
      if first & ASCIIKind.other == 0, first & ASCIIKind.word == 0 {
        position &+= 1
        // What follows may belong to this byte: a combining mark does. Other ASCII never does, unless neither
        // is part of a token.
        guard position < utf8.count, utf8[position] >= 0x80 else { continue }
        position &-= 1
      } else if first & ASCIIKind.word != 0 {
        let word = ASCIIWord(in: utf8, at: position, kinds)
        if word.isComplete {
          let token = utf8.extracting(position..<word.end)
          position = word.end
          if word.kinds & ASCIIKind.keeps == 0 { continue }
          if stopWords.contain(key: word.key) { continue }
          if word.kinds & ASCIIKind.upper == 0 {
            try body(token)
          } else {
            scratch.lowercase(token)
            try body(scratch.lowercased.span.extracting(0..<token.count))
          }
          continue
        }
      }
      let segments = segmenter ?? WordSegmenter(UnicodeTables.shared)
      segmenter = segments
      let segment = segments.segment(in: utf8, at: position)
      let source = utf8.extracting(position..<segment.end)
      position = segment.end
      guard segment.properties.keepsSegment else { continue }
      if segment.properties.foldsInTokens {
        scratch.folded.removeAll(keepingCapacity: true)
        FoldingTable.tokens.fold(source, into: &scratch.folded)
        if !stopWords.contain(scratch.folded.span) { try body(scratch.folded.span) }
      } else if !stopWords.contain(source) {
        try body(source)
      }
    }
  }

  /// Every segment of `text` between two word boundaries, in order, with what became of it. Their sources, put
  /// together, are the text.
  ///
  /// Complexity: linear in the text's bytes.
  ///
  /// ```swift
  /// for segment in Tokenizer().explain("The Café!") { print(segment.source, segment.outcome) }
  /// // The stopWord("the")
  /// //   noLetterOrDigit
  /// // Café token("cafe")
  /// // ! noLetterOrDigit
  /// ```
  public func explain(_ text: String) -> [ExplainedSegment] {
    let bytes = Array(text.utf8)
    let segmenter = WordSegmenter(UnicodeTables.shared)
    var segments: [ExplainedSegment] = []
    var folded: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let segment = segmenter.segment(in: bytes.span, at: position)
      let range = position..<segment.end
      position = segment.end
      let outcome: ExplainedSegment.Outcome
      if segment.properties.keepsSegment {
        folded.removeAll(keepingCapacity: true)
        FoldingTable.tokens.fold(bytes.span.extracting(range), into: &folded)
        let token = String(decoding: folded, as: UTF8.self)
        outcome = StopWords.shared.contain(folded.span) ? .stopWord(token) : .token(token)
      } else {
        outcome = .noLetterOrDigit
      }
      segments.append(
        ExplainedSegment(
          source: String(decoding: bytes[range], as: UTF8.self), utf8Range: range, outcome: outcome))
    }
    return segments
  }
}
