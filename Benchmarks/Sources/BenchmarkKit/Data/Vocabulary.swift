/// 50,000 different words of 4 to 11 small ASCII letters, none a stop word of the engine's.
struct Vocabulary {
  static let size = 50_000

  let words: [String]

  /// CloudKit's stop words, which token search does not see; SQLite's does.
  static let stopWords: Set<String> = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
  ]

  init(seed: UInt64) {
    var source = RandomSource(seed: seed &+ 0x0056_6F63_6162)
    let onsets = ["b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "st", "tr", "kl"]
    let nuclei = ["a", "e", "i", "o", "u"]
    let codas = ["", "", "", "n", "r", "s", "l", "m"]
    var seen = Vocabulary.stopWords
    var words: [String] = []
    words.reserveCapacity(Vocabulary.size)
    while words.count < Vocabulary.size {
      var word = ""
      for _ in 0..<source.within(2...4) {
        word += onsets[source.below(onsets.count)] + nuclei[source.below(nuclei.count)]
        word += codas[source.below(codas.count)]
      }
      if word.utf8.count >= 4, word.utf8.count <= 11, seen.insert(word).inserted { words.append(word) }
    }
    self.words = words
  }
}

extension String {
  /// The text with its first letter, an ASCII one, in capitals.
  var capitalisedASCII: String {
    guard let first = utf8.first, first >= 0x61, first <= 0x7A else { return self }
    return String(decoding: [first - 0x20] + Array(utf8.dropFirst()), as: UTF8.self)
  }
}
