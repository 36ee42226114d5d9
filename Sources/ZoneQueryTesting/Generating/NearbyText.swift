internal import PredicateSyntax

/// Draws texts near others, by code points: what Swift takes for one character may be several.
enum NearbyText {
  /// A text itself, what it begins, ends or is a part of, a part of it, or another spelling.
  static func text(near constant: String, _ random: inout SeededRandom) -> String {
    let text = constant.utf8.contains { $0 == 0x2A || $0 == 0x3F } ? matching(constant, &random) : constant
    let scalars = text.unicodeScalars
    switch random.below(12) {
    case 0...3: return text
    // A mark makes another character of the letter before it.
    case 4: return text + random.one(of: "a", " ", "\u{301}")
    case 5: return random.one(of: "a", " ") + text
    case 6: return "a" + text + "b"
    case 7: return String(scalars.dropLast())
    case 8: return random.chance(1, of: 2) ? String(scalars.dropFirst()) : String(scalars.prefix(scalars.count / 2))
    case 9: return random.one(of: text.uppercased(), text.lowercased())
    default: return respelled(text, &random)
    }
  }

  /// A text that a pattern may match: of `*` and `?` they are mostly replaced, in case it is one.
  private static func matching(_ pattern: String, _ random: inout SeededRandom) -> String {
    if random.chance(1, of: 8) { return pattern }
    var text = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where !isEscaped: text += random.one(of: "", "a", "bc", " ")
      case "?" where !isEscaped: text += random.one(of: "a", "a", "b", "")
      default: text.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    return text
  }

  /// The text with marks added, taken away, or written apart from their letters.
  private static func respelled(_ text: String, _ random: inout SeededRandom) -> String {
    var result = String.UnicodeScalarView()
    let isMarked = text.unicodeScalars.contains { $0.value >= 0x80 }
    let form = random.below(isMarked ? 3 : 1)
    let place = random.below(text.unicodeScalars.count)
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let base = NaiveText(String(scalar)).folded(case: false, marks: true)?.scalars ?? [scalar.value]
      switch form {
      case 0:
        result.append(scalar)
        if index == place { result.append("\u{308}") }
      case 1: result.append(contentsOf: base.compactMap(Unicode.Scalar.init))
      default: result.append(contentsOf: apart(scalar, base))
      }
    }
    return String(result)
  }

  /// The letter and the mark that Swift takes for a letter with a mark; the scalar itself where it has none.
  private static func apart(_ scalar: Unicode.Scalar, _ base: [UInt32]) -> [Unicode.Scalar] {
    guard scalar.value >= 0x80, base.count == 1, let letter = base.first.flatMap(Unicode.Scalar.init) else {
      return [scalar]
    }
    for mark in (0x300...0x328 as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
      var pair = String.UnicodeScalarView()
      pair.append(contentsOf: [letter, mark])
      if String(pair) == String(scalar) { return [letter, mark] }
    }
    return [scalar]
  }

  /// The words of a text, some of them or all, in any order and case, with others between.
  static func words(of constant: String, _ random: inout SeededRandom) -> String {
    var words = constant.split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    if random.chance(1, of: 2), words.count > 1 { words.remove(at: random.below(words.count)) }
    if random.chance(1, of: 3) { words.append(random.pick(BoundaryValues.words) ?? "sea") }
    // A word with a letter more is another word.
    if random.chance(1, of: 6), let last = words.popLast() { words.append(last + "s") }
    let text = random.shuffled(words).joined(separator: random.one(of: " ", " ", ", "))
    return random.one(of: text, text, text.uppercased(), respelled(text, &random))
  }
}
