/// A predicate as queries, subscriptions and matchers take it, whichever way it was made.
///
/// ```swift
/// let predicate = try QueryPredicate(format: "%K = %@ AND capacity > %d", "city", "Seoul", 100)
/// predicate.description   // city == "Seoul" AND capacity > 100
/// ```
///
/// Differs from `NSPredicate`: making one checks the language alone and never raises; fields, types and dialect are
/// checked where the predicate is used, and both kinds of fault come as errors with a place.
public struct QueryPredicate: Sendable, Hashable {
  /// The syntax tree.
  public let root: PredicateNode
  /// The text it was read from; `nil` for a predicate built in Swift.
  public let source: SourceText?

  /// Every record.
  public static let `true` = QueryPredicate(.true)
  /// No record.
  public static let `false` = QueryPredicate(.false)

  /// Creates the predicate of a tree.
  public init(_ root: PredicateNode) {
    self.root = root
    self.source = nil
  }

  package init(_ parsed: ParsedPredicate) {
    self.root = parsed.root
    self.source = parsed.source
  }

  /// Reads a format string. Complexity: linear in its length.
  ///
  /// - Parameters:
  ///   - format: The predicate in Apple's format language.
  ///   - arguments: One value for each conversion (`%@`, `%K`, `%d` …), left to right.
  /// - Throws: A ``ZoneQueryError`` of stage `syntax` with every fault's line, column and caret.
  public init(format: String, _ arguments: (any PredicateArgument)?...) throws(ZoneQueryError) {
    try self.init(format: format, arguments: arguments)
  }

  /// Reads a format string with its arguments in an array, within limits other than the default ones.
  public init(
    format: String, arguments: [(any PredicateArgument)?], limits: SyntaxLimits = SyntaxLimits()
  ) throws(ZoneQueryError) {
    do throws(SyntaxError) {
      self.init(try PredicateParser(limits: limits).parse(format, arguments: arguments))
    } catch {
      throw ZoneQueryError(error)
    }
  }

  /// Whether the trees are equal; the texts may differ.
  public static func == (left: QueryPredicate, right: QueryPredicate) -> Bool { left.root == right.root }

  /// Feeds the tree.
  public func hash(into hasher: inout Hasher) { hasher.combine(root) }
}

extension QueryPredicate: CustomStringConvertible {
  /// The predicate's canonical text, which reads back as the same predicate.
  public var description: String { root.predicateFormat }
}
