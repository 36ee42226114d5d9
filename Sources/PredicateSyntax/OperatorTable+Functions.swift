extension OperatorTable {
  /// The facts of a built-in function.
  public struct Function: Sendable, Hashable {
    /// The function; its raw value is the selector.
    public let function: BuiltinFunction
    /// The selector, as it is printed: `sum:`.
    public let selector: String
    /// The spelling without colons: `sum`; `nil` where there is none.
    public let shortName: String?
    /// How many arguments it takes.
    public let argumentCount: ClosedRange<Int>
    /// The dialects that evaluate it.
    public let dialects: Set<Dialect>
    /// Why no dialect does; `nil` where one does.
    public let refusal: String?
  }

  private static let chance = "the answer to a query depends on nothing but its records"

  /// The built-in functions, in the order of `BuiltinFunction.allCases`.
  public static let functions: [Function] = BuiltinFunction.allCases.map { function in
    let selector = function.rawValue
    let parts = selector.utf8.count { $0 == UInt8(ascii: ":") }
    let dialects: Set<Dialect>
    var refusal: String?
    switch function {
    case .now, .distance, .tokenize: dialects = both
    case .random, .randomBelow:
      dialects = []
      refusal = chance
    case .noIndex:
      dialects = []
      refusal = "the planner chooses among indexes by itself"
    default: dialects = [.extended]
    }
    let shortName = function == .subtract ? nil : String(selector.prefix { $0 != ":" })
    return Function(
      function: function, selector: selector, shortName: shortName, argumentCount: parts...parts,
      dialects: dialects, refusal: refusal)
  }

  /// The facts of `function`.
  public static func facts(of function: BuiltinFunction) -> Function {
    functionsByCase[function] ?? functions[0]
  }

  private static let functionsByCase: [BuiltinFunction: Function] = {
    var table: [BuiltinFunction: Function] = [:]
    for row in functions { table[row.function] = row }
    return table
  }()

  /// Every accepted spelling of every function, as bytes: the selector, the selector without its last colon,
  /// and the short name.
  private static let functionsBySpelling: [[UInt8]: BuiltinFunction] = {
    var table: [[UInt8]: BuiltinFunction] = [:]
    for row in functions {
      let selector = Array(row.selector.utf8)
      table[selector] = row.function
      if selector.last == UInt8(ascii: ":") {
        table[selector.dropLast()] = row.function
      } else {
        table[selector + [UInt8(ascii: ":")]] = row.function
      }
      if let short = row.shortName {
        table[Array(short.utf8)] = row.function
        table[Array(short.utf8) + [UInt8(ascii: ":")]] = row.function
      }
    }
    return table
  }()

  /// The function that `spelling` names: its selector, its short name, or either with or without the last
  /// colon. Letter case counts.
  ///
  ///     OperatorTable.function("sum")            // .sum
  ///     OperatorTable.function("modulus:by:")    // .modulus
  ///     OperatorTable.function("soundex")        // nil
  public static func function(_ spelling: String) -> BuiltinFunction? {
    function(Array(spelling.utf8))
  }

  /// The function that the bytes of a spelling name.
  package static func function(_ spelling: [UInt8]) -> BuiltinFunction? {
    spelling.count > 64 ? nil : functionsBySpelling[spelling]
  }

  /// The spelling of a function that a dialect evaluates and that differs least from `spelling`, if any is near enough to
  /// be meant.
  package static func functionNearest(to spelling: [UInt8]) -> String? {
    guard spelling.count <= 48 else { return nil }
    let wanted = spelling.map(lowercased)
    let names = functions.lazy.filter { !$0.dialects.isEmpty }
      .flatMap { [$0.shortName, $0.selector].compactMap(\.self) }
      .map { (name: $0, bytes: $0.utf8.map(lowercased)) }
    let best = EditDistance.nearest(to: wanted, among: names, most: max(1, wanted.count / 3))
    guard let best, best.distance <= max(1, min(wanted.count, best.name.utf8.count) / 3) else { return nil }
    return best.name
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}
