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
  /// The syntax tree; `FALSEPREDICATE` where ``faults`` is not empty.
  public let root: PredicateNode
  /// The text it was read from; `nil` for a predicate built in Swift.
  public let source: SourceText?
  /// What was wrong where the predicate was built in Swift, such as a field name that is none. Nothing evaluates
  /// such a predicate: it is refused with these diagnostics where it is used.
  public let faults: [Diagnostic]
  /// What reading the text found doubtful and took all the same: arguments that no conversion takes (`'%@'` in quotes is
  /// none), which `NSPredicate` ignores without a word, and dates written as arithmetic. Equality does not look at them.
  ///
  /// ```swift
  /// try QueryPredicate(format: "city = '%@'", "Suva").warnings.map(\.code)   // ["surplusArguments"]
  /// ```
  public let warnings: [Diagnostic]
  /// The tree's size where it is known already.
  let knownSize: TreeSize?

  /// Every record.
  public static let `true` = QueryPredicate(.true)
  /// No record.
  public static let `false` = QueryPredicate(.false)

  /// Creates the predicate of a tree. One that nests deeper than `SyntaxLimits.nesting` allows by default, or stands for
  /// more than 262,144 nodes or than `SyntaxLimits.constantBytes` by default, parts that it shares with itself counted
  /// each time, gives a predicate with a fault.
  /// Complexity: linear in the tree.
  public init(_ root: PredicateNode) {
    let size = TreeSize(of: root)
    let fault = if let size { size.faultOfNodes } else { Diagnostic.nestingTooDeep }
    self.init(root: fault == nil ? root : .false, size: fault == nil ? size : .leaf, faults: fault.map { [$0] } ?? [])
  }

  /// Creates a predicate that was built in Swift.
  init(root: PredicateNode, size: TreeSize?, faults: [Diagnostic]) {
    self.root = root
    self.source = nil
    self.faults = faults
    self.warnings = []
    self.knownSize = size
  }

  package init(_ parsed: ParsedPredicate) {
    self.root = parsed.root
    self.source = parsed.source
    self.faults = []
    self.warnings = parsed.warnings
    self.knownSize = nil
  }

  /// Reads a format string. Complexity: linear in its length.
  ///
  /// - Parameters:
  ///   - format: The predicate in Apple's format language.
  ///   - arguments: One value for each conversion (`%@`, `%K`, `%d` …), left to right.
  /// - Throws: A ``ZoneQueryError`` of stage `syntax` with line, column and caret of the first twenty faults.
  public init(format: String, _ arguments: (any PredicateArgument)?...) throws(ZoneQueryError) {
    try self.init(format: format, arguments: arguments)
  }

  /// Reads a format string with its arguments in an array, within limits other than the default ones.
  ///
  /// - Throws: As ``init(format:_:)``.
  public init(
    format: String, arguments: [(any PredicateArgument)?], limits: SyntaxLimits = SyntaxLimits()
  ) throws(ZoneQueryError) {
    do throws(SyntaxError) {
      self.init(try PredicateParser(limits: limits).parse(format, arguments: arguments))
    } catch {
      throw ZoneQueryError(error)
    }
  }

  /// Whether the trees are equal, and what is wrong with them; the texts may differ.
  public static func == (left: QueryPredicate, right: QueryPredicate) -> Bool {
    left.root == right.root && left.faults == right.faults
  }

  /// Feeds the tree.
  public func hash(into hasher: inout Hasher) { hasher.combine(root) }
}

extension QueryPredicate: CustomStringConvertible {
  /// The predicate's canonical text, which reads back as the same predicate within `SyntaxLimits`: long lists, and
  /// trees made node by node, may need larger ones. For one with ``QueryPredicate/faults``
  /// the first of them in angle brackets, which is no predicate's text.
  public var description: String { faults.first.map { "<\($0.message)>" } ?? root.predicateFormat }
}
