/// One token: its kind and its place, and for some kinds the index of a value kept beside the tokens.
package struct Token: Sendable, Hashable {
  /// What a token is. Words are one kind; which word it is stands in ``word``.
  package enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    case end
    /// Bytes that form no token; a diagnostic tells of them.
    case invalid
    case identifier, escapedIdentifier, atIdentifier, word, variable
    case integer, decimal, string
    case objectConversion, keyConversion, integerConversion, floatConversion
    case leftParenthesis, rightParenthesis, leftBracket, rightBracket, leftBrace, rightBrace
    case comma, point, colon, assign
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case plus, minus, star, slash, power, ampersand, bar, caret, shiftLeft, shiftRight, tilde
    case doubleAmpersand, doubleBar, exclamation
  }

  /// Marks a bracket that nothing closes, and a token without a payload.
  package static let noPayload = UInt32.max

  /// The offset of the first byte.
  package var start: UInt32
  /// The offset just past the last byte.
  package var end: UInt32
  /// A bracket: the index of the token that closes or opens it. A conversion: which argument it takes. A decimal number
  /// or a string with escapes: the index of its value. An integer: itself below 2³¹, else the complement of the index of
  /// its value. An escaped identifier or a variable: the offset of the
  /// name.
  package var payload: UInt32
  /// What the token is.
  package var kind: Kind
  /// Which word it is, where the kind is `word`.
  package var word: ReservedWord

  /// The bytes the token covers.
  package var range: SourceRange { SourceRange(Int(start), Int(end)) }
}

extension Token.Kind {
  /// The comparison a punctuation token stands for.
  package var relation: ComparisonOperator? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: nil
    }
  }

  /// The binary operator a punctuation token stands for.
  package var arithmetic: ArithmeticOperator? {
    switch self {
    case .plus: .add
    case .minus: .subtract
    case .star: .multiply
    case .slash: .divide
    case .power: .power
    case .ampersand: .bitAnd
    case .bar: .bitOr
    case .caret: .bitXor
    case .shiftLeft: .shiftLeft
    case .shiftRight: .shiftRight
    default: nil
    }
  }

  /// Whether an operand may end with such a token, words apart.
  fileprivate var endsOperand: Bool {
    switch self {
    case .identifier, .escapedIdentifier, .atIdentifier, .variable, .integer, .decimal, .string,
      .objectConversion, .keyConversion, .integerConversion, .floatConversion, .rightParenthesis,
      .rightBracket, .rightBrace, .invalid:
      true
    default: false
    }
  }
}

extension Token {
  /// Whether an operand may end with this token, so that a point after it is no decimal point.
  var endsOperand: Bool {
    guard kind == .word else { return kind.endsOperand }
    if case .quantifier = word.role { return false }
    return !word.role.isOperator
  }
}

/// The tokens of a text, the values that do not fit into them, and what was wrong.
package struct TokenStream: Sendable {
  /// The tokens in order; the last is always `end`.
  package var tokens: [Token] = []
  /// The magnitudes of integer tokens of 2³¹ and more: at most 2⁶³, which only a minus sign before it makes an `Int64`.
  package var integers: [UInt64] = []
  /// The values of decimal tokens, all finite.
  package var decimals: [Double] = []
  /// The contents of string tokens that hold an escape; the others are the bytes between their quotes.
  package var strings: [String] = []
  /// How many conversions there are.
  package var conversions = 0
  /// What is wrong, in the order of the text, but for brackets, which come last.
  package var diagnostics: [Diagnostic] = []
  /// What may be a mistake but is none of the language.
  package var warnings: [Diagnostic] = []
  /// Whether a limit ended the reading before the end of the text.
  package var isCutShort = false
}
