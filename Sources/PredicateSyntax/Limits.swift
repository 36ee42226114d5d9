/// What a predicate's text may use up. Every limit is checked before the node or the token that would pass it is
/// built, so that hostile text costs no more than reading it once.
public struct SyntaxLimits: Sendable, Hashable {
  /// The longest text, in UTF-8 bytes.
  public var textLength = 1 << 20
  /// The longest string literal or string argument, in UTF-8 bytes.
  public var stringLength = 1 << 20
  /// How deep parentheses, braces, brackets, calls, `NOT`s and operator chains may nest.
  ///
  /// A level takes up to 2.5 KiB of the stack in an optimised build and up to 5 KiB in a debug build, so that the
  /// default fits the smallest stack a thread usually has (512 KiB) in the first and 1 MiB in the second. Raise it only
  /// as far as the stacks of the threads that parse allow.
  public var nesting = 128
  /// How many nodes the tree may have, list elements apart: a comparison is three, itself and its two sides.
  public var nodes = 4_096
  /// How many elements one list may have.
  public var listElements = 65_536
  /// How many bytes the constants may take in all: 64 for each, and those of its text in UTF-8.
  ///
  /// A constant is counted wherever it stands, so that an argument that is passed many times counts as often. So is a
  /// key that is passed for `%K`: 64 for each of its names, and their bytes. The values of `$name` parameters count
  /// too, for each mention, where a predicate gets them, and then against the default. That, 32 MiB, is enough for any
  /// text within the other defaults that holds its constants itself, and for eight lists of 65,536 numbers that are
  /// passed as arguments.
  public var constantBytes = 1 << 25

  /// The defaults.
  public init() {}
}

extension SyntaxLimits {
  /// What is wrong with a predicate whose constants take more than so many bytes.
  package static func tooManyConstants(_ most: Int) -> String {
    "The predicate's constants take more than \(most) bytes: each takes 64 and those of its text, wherever it stands."
  }

  /// What helps against that.
  package static let fewerConstants = "Compare with a long list once, or ask several queries."

  /// What helps where a key is one too many.
  package static let shorterKeys =
    "A key that is passed for %K counts as well, wherever it is passed: 64 for each of its names, and their bytes."
}

extension KeyNode {
  /// How many of ``SyntaxLimits/constantBytes`` a key takes that is passed as an argument.
  static func weight(of path: String) -> Int {
    path.utf8.reduce(64) { $0 + ($1 == UInt8(ascii: ".") ? 64 : 1) }
  }
}

extension Literal {
  /// How many of ``SyntaxLimits/constantBytes`` the constant takes.
  package var weight: Int {
    switch self {
    case .null, .integer, .double, .date, .location: 64
    case .string(let text): 64 + text.utf8.count
    case .reference(let name, let zone, let owner):
      64 + name.utf8.count + (zone?.utf8.count ?? 0) + (owner?.utf8.count ?? 0)
    }
  }
}
