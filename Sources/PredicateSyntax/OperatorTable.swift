/// The facts of every operator, word and function of the language.
///
/// Lexer, parser, printer, binder, documentation and tests all read them here and keep none of their own.
/// Every lookup takes constant time.
public enum OperatorTable {
  /// The facts of an operator between two expressions.
  public struct Comparison: Sendable, Hashable {
    /// The operator; its raw value is the canonical spelling.
    public let comparison: ComparisonOperator
    /// Every spelling, the canonical one first.
    public let spellings: [String]
    /// The operator that says the same with its sides exchanged: `a < b` is `b > a`, `a IN b` is
    /// `b CONTAINS a`. `nil` where there is none.
    public let mirrored: ComparisonOperator?
    /// The operator that holds exactly where this one does not, both sides being present; `nil` where there is
    /// none.
    public let complement: ComparisonOperator?
    /// Whether letters in brackets may follow.
    public let takesOptions: Bool
    /// The dialects that evaluate it.
    public let dialects: Set<Dialect>
    /// Why no dialect does; `nil` where one does.
    public let refusal: String?
  }

  /// The facts of an operator between two numbers.
  public struct Arithmetic: Sendable, Hashable {
    /// The operator.
    public let operation: ArithmeticOperator
    /// How tightly it binds, from 1 (`|`) to 7 (`**`); all associate to the left.
    public let precedence: Int
    /// The dialects that evaluate it.
    public let dialects: Set<Dialect>
  }

  /// The facts of an operator before one number.
  public struct Unary: Sendable, Hashable {
    /// The operator.
    public let operation: UnaryOperator
    /// How tightly it binds: more than every binary operator.
    public let precedence: Int
    /// The dialects that evaluate it.
    public let dialects: Set<Dialect>
  }

  /// The facts of an operator between predicates.
  public struct Logical: Sendable, Hashable {
    /// The operator.
    public let operation: LogicalOperator
    /// Every spelling, the canonical one first.
    public let spellings: [String]
    /// How tightly it binds: `OR` 1, `AND` 2, `NOT` 3.
    public let precedence: Int
    /// The dialects that evaluate it; what CloudKit's dialect takes under `NOT` is the binder's matter.
    public let dialects: Set<Dialect>
  }

  /// The facts of a word before a comparison.
  public struct Aggregate: Sendable, Hashable {
    /// The word.
    public let word: QuantifierWord
    /// The quantifier it is read as.
    public let quantifier: Quantifier
    /// Whether the quantified comparison is then negated: `NONE p` is `NOT (ANY p)`.
    public let isNegated: Bool
    /// The dialects that evaluate it, with some operators at least.
    public let dialects: Set<Dialect>
  }

  static let both: Set<Dialect> = [.cloudKit, .extended]

  /// The operators between expressions, in the order of `ComparisonOperator.allCases`.
  public static let comparisons: [Comparison] = [
    relation(.equal, ["==", "="], mirrored: .equal, complement: .notEqual),
    relation(.notEqual, ["!=", "<>"], mirrored: .notEqual, complement: .equal),
    relation(.less, ["<"], mirrored: .greater, complement: .greaterOrEqual),
    relation(.lessOrEqual, ["<=", "=<"], mirrored: .greaterOrEqual, complement: .greater),
    relation(.greater, [">"], mirrored: .less, complement: .lessOrEqual),
    relation(.greaterOrEqual, [">=", "=>"], mirrored: .lessOrEqual, complement: .less),
    word(.between, takesOptions: false),
    word(.in, mirrored: .contains),
    word(.contains, mirrored: .in),
    word(.beginsWith),
    word(.endsWith, dialects: [.extended]),
    word(.like, dialects: [.extended]),
    word(
      .matches, dialects: [],
      refusal: "a regular expression can take unbounded time on hostile input"),
    word(.tokenMatches),
  ]

  private static func relation(
    _ comparison: ComparisonOperator, _ spellings: [String], mirrored: ComparisonOperator,
    complement: ComparisonOperator
  ) -> Comparison {
    Comparison(
      comparison: comparison, spellings: spellings, mirrored: mirrored, complement: complement,
      takesOptions: true, dialects: both, refusal: nil)
  }

  private static func word(
    _ comparison: ComparisonOperator, mirrored: ComparisonOperator? = nil, takesOptions: Bool = true,
    dialects: Set<Dialect> = both, refusal: String? = nil
  ) -> Comparison {
    Comparison(
      comparison: comparison, spellings: [comparison.rawValue], mirrored: mirrored, complement: nil,
      takesOptions: takesOptions, dialects: dialects, refusal: refusal)
  }

  /// The facts of `comparison`.
  public static func facts(of comparison: ComparisonOperator) -> Comparison {
    comparisons[comparison.tableIndex]
  }

  /// The operators between numbers, in the order of `ArithmeticOperator.allCases`.
  public static let arithmetic: [Arithmetic] = [
    Arithmetic(operation: .add, precedence: 5, dialects: [.extended]),
    Arithmetic(operation: .subtract, precedence: 5, dialects: [.extended]),
    Arithmetic(operation: .multiply, precedence: 6, dialects: [.extended]),
    Arithmetic(operation: .divide, precedence: 6, dialects: [.extended]),
    Arithmetic(operation: .power, precedence: 7, dialects: [.extended]),
    Arithmetic(operation: .bitAnd, precedence: 3, dialects: [.extended]),
    Arithmetic(operation: .bitOr, precedence: 1, dialects: [.extended]),
    Arithmetic(operation: .bitXor, precedence: 2, dialects: [.extended]),
    Arithmetic(operation: .shiftLeft, precedence: 4, dialects: [.extended]),
    Arithmetic(operation: .shiftRight, precedence: 4, dialects: [.extended]),
  ]

  /// The facts of `operation`.
  public static func facts(of operation: ArithmeticOperator) -> Arithmetic {
    arithmetic[operation.tableIndex]
  }

  /// How tightly `operation` binds.
  package static func precedence(of operation: ArithmeticOperator) -> Int { precedences[operation.tableIndex] }

  private static let precedences = arithmetic.map(\.precedence)

  /// The operators before a number, in the order of `UnaryOperator.allCases`.
  public static let unary: [Unary] = [
    Unary(operation: .negate, precedence: 8, dialects: [.extended]),
    Unary(operation: .complement, precedence: 8, dialects: [.extended]),
  ]

  /// The facts of `operation`.
  public static func facts(of operation: UnaryOperator) -> Unary {
    unary[operation == .negate ? 0 : 1]
  }

  /// The operators between predicates, in the order of `LogicalOperator.allCases`.
  public static let logical: [Logical] = [
    Logical(operation: .and, spellings: ["AND", "&&"], precedence: 2, dialects: both),
    Logical(operation: .or, spellings: ["OR", "||"], precedence: 1, dialects: [.extended]),
    Logical(operation: .not, spellings: ["NOT", "!"], precedence: 3, dialects: both),
  ]

  /// The words before a comparison, in the order of `QuantifierWord.allCases`.
  public static let aggregates: [Aggregate] = [
    Aggregate(word: .any, quantifier: .any, isNegated: false, dialects: both),
    Aggregate(word: .someOf, quantifier: .any, isNegated: false, dialects: both),
    Aggregate(word: .all, quantifier: .all, isNegated: false, dialects: both),
    Aggregate(word: .noneOf, quantifier: .any, isNegated: true, dialects: both),
  ]

  /// The facts of `word`.
  public static func facts(of word: QuantifierWord) -> Aggregate {
    switch word {
    case .any: aggregates[0]
    case .someOf: aggregates[1]
    case .all: aggregates[2]
    case .noneOf: aggregates[3]
    }
  }

  /// The facts of `operation`.
  public static func facts(of operation: LogicalOperator) -> Logical {
    switch operation {
    case .and: logical[0]
    case .or: logical[1]
    case .not: logical[2]
    }
  }

  /// The option letters, in the order they are printed.
  public static let options: [(letter: Character, option: ComparisonOptions)] = [
    ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
  ]
}

extension ComparisonOperator {
  /// The row of ``OperatorTable/comparisons``.
  var tableIndex: Int {
    switch self {
    case .equal: 0
    case .notEqual: 1
    case .less: 2
    case .lessOrEqual: 3
    case .greater: 4
    case .greaterOrEqual: 5
    case .between: 6
    case .in: 7
    case .contains: 8
    case .beginsWith: 9
    case .endsWith: 10
    case .like: 11
    case .matches: 12
    case .tokenMatches: 13
    }
  }
}

extension ArithmeticOperator {
  /// The row of ``OperatorTable/arithmetic``.
  var tableIndex: Int {
    switch self {
    case .add: 0
    case .subtract: 1
    case .multiply: 2
    case .divide: 3
    case .power: 4
    case .bitAnd: 5
    case .bitOr: 6
    case .bitXor: 7
    case .shiftLeft: 8
    case .shiftRight: 9
    }
  }
}
