internal import PredicateSyntax
internal import ZoneQuery

/// ZoneQuery's stages before a query runs, each with those before it, through the public interface.
struct ZoneQueryStages {
  private let forms: [ZoneQueryForm]
  private let recordType: RecordType
  private let stopping: PredicateParser
  private let options = PredicateOptions(dialect: .extended)

  init(_ questions: [Question]) throws {
    forms = questions.map { ZoneQueryForm($0) }
    guard let type = try Schema(ckdb: ZoneQueryEngine.schemaText)[ZoneQueryEngine.recordType] else {
      throw BenchmarkError("the schema has no type \(ZoneQueryEngine.recordType)")
    }
    recordType = type
    var limits = SyntaxLimits()
    limits.nodes = 0
    stopping = PredicateParser(limits: limits)
  }

  /// Reads the tokens; the parser stops at its first node.
  func lex(_ index: Int) throws {
    do {
      _ = try stopping.parse(forms[index].formatOfArguments, arguments: forms[index].arguments)
    } catch {
      return
    }
    throw BenchmarkError("a predicate of no nodes was read: \(forms[index].format)")
  }

  func parse(_ index: Int) throws {
    _ = try PredicateParser().parse(forms[index].formatOfArguments, arguments: forms[index].arguments)
  }

  /// Reads, and binds to the record type.
  func bind(_ index: Int) throws {
    try QueryPredicate(format: forms[index].formatOfArguments, arguments: forms[index].arguments).check(
      for: recordType, options)
  }
}
