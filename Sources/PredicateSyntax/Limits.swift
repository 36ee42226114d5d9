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
  /// How many nodes the tree may have, list elements apart.
  public var nodes = 4_096
  /// How many elements one list may have.
  public var listElements = 65_536

  /// The defaults.
  public init() {}
}
