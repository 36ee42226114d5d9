/// A bound predicate compiled: what queries and subscriptions alike are decided by (``ProgramCode`` runs it).
///
/// ```
/// city = "Seoul" AND (start > 5 OR name BEGINSWITH "a")
///
///   0  field 8  text 0        true → 1       false → reject
///   1  field 9  integers 0    true → accept  false → 2
///   2  field 10 text 1        true → accept  false → reject
/// ```
///
/// Each instruction is one comparison and says where to go on. Instructions refer to constants by number, and a constant
/// that owns memory is read through a span, which lends it where an array's own subscript would copy it: so running a
/// program touches no reference counts, but for folding, searches, words and computed values. Complexity: at most each
/// comparison once.
struct Program: ProgramCode, Sendable {
  /// What an instruction tests, as a number into the constants of its kind.
  enum Operation: UInt8, Sendable {
    case none, every, integers, integerSet, doubles, doubleSet, text, textSet, textRange, references, recordNames
    case location, distance, tokens, computed
  }

  /// Which of a field's values are tested.
  enum Subject: UInt8, Sendable {
    case value, anyMember, allMembers, holdsAll
  }

  struct Instruction: Sendable {
    var operation: Operation
    var subject: Subject
    var isNegated: Bool
    var whenMissing: Bool
    var field: Int32
    var constant: Int32
    var ifTrue: Int32
    var ifFalse: Int32
  }

  struct TextSet: Sendable {
    var texts: [[UInt8]]
    var folding: TextFolding

    @inline(never)
    func contains(_ text: Span<UInt8>) -> Bool {
      if folding.isEmpty { return texts.containsSorted(text) }
      return texts.containsSorted(folding.fold(Array(copying: text)).span)
    }
  }

  struct TextRange: Sendable {
    var lower: [UInt8]
    var upper: [UInt8]
    var folding: TextFolding

    @inline(never)
    func contains(_ text: Span<UInt8>) -> Bool {
      if folding.isEmpty { return text.compare(lower) >= 0 && text.compare(upper) <= 0 }
      let folded = folding.fold(Array(copying: text))
      return folded.span.compare(lower) >= 0 && folded.span.compare(upper) <= 0
    }
  }

  /// A class, since copying it for each row would count the references of all that it has.
  final class Computation: Sendable {
    private let left: BoundExpression
    private let relation: ComputedRelation
    private let right: BoundExpression
    /// The relation to a constant text, made ready.
    private let matcher: TextMatcher?
    /// The whole, where it is of numbers alone.
    private let numbers: NumericComparison?
    /// The constant texts that a text is looked for among.
    private let texts: TextSet?

    init(left: BoundExpression, relation: ComputedRelation, right: BoundExpression) {
      self.left = left
      self.relation = relation
      self.right = right
      matcher = relation.matcher(for: right)
      numbers = NumericComparison(left, relation, right)
      texts = Computation.texts(relation, right)
    }

    /// Texts in order, where there are many and nothing else.
    private static func texts(_ relation: ComputedRelation, _ right: BoundExpression) -> TextSet? {
      guard relation.kind == .member, case .constant(.list(let members)) = right, members.count > 8 else { return nil }
      let texts = members.compactMap { if case .text(let text) = $0 { relation.folding.fold(text) } else { nil } }
      if texts.count < members.count { return nil }
      return TextSet(texts: texts.sorted { $0.span.compare($1) < 0 }, folding: relation.folding)
    }

    @inline(never)
    func answer<Row: ProgramRow>(_ row: Row) -> Bool? {
      if let numbers { return numbers.answer(row) }
      let value = left.evaluate(row)
      if let texts, case .text(let text) = value { return texts.contains(text.span) }
      return relation.holds(value, right.evaluate(row), matcher: matcher)
    }
  }

  static let accept: Int32 = -1
  static let reject: Int32 = -2

  var entry: Int32 = Program.accept
  /// The parts of the conjunction, by the numbers of the predicates they were made of.
  var conjuncts: [Conjunct] = []
  /// The numbers of the parts, cheap ones first.
  var order: [Int] = []
  var instructions: [Instruction] = []
  var integers: [ClosedRange<Int64>] = []
  var integerSets: [[Int64]] = []
  var doubles: [ClosedRange<Double>] = []
  var doubleSets: [[Double]] = []
  var texts: [TextMatcher] = []
  var textSets: [TextSet] = []
  var textRanges: [TextRange] = []
  var references: [[[UInt8]]] = []
  var locations: [(latitude: Double, longitude: Double)] = []
  var circles: [GeodesicRadiusTest] = []
  /// The operands of `texts`, `textSets`, `textRanges` and `references` once more, where nothing is folded and nothing
  /// searched; no runs where something is.
  var constantBytes = ConstantBytes()
  var textRuns: [(relation: TextTest.Relation, runs: ConstantBytes.Runs?)] = []
  var textSetRuns: [ConstantBytes.Runs?] = []
  var textRangeRuns: [ConstantBytes.Runs?] = []
  var referenceRuns: [ConstantBytes.Runs] = []
  var tokens: [TokenMatcher] = []
  var computations: [Computation] = []

  /// Whether a field's list holds every value of a set. Complexity: the list's length times the logarithm of the set's.
  func holdsAll<Row: ProgramRow>(
    _ operation: Operation, _ field: FieldNumber, _ constant: Int, _ row: Row
  ) -> Bool {
    switch operation {
    case .integerSet:
      let set = integerSets[constant]
      var missing = MissingValues(set.count)
      return row.anyInteger(field) { missing.find(set.sortedIndex(of: $0, by: <)) }
    case .doubleSet:
      let set = doubleSets[constant]
      var missing = MissingValues(set.count)
      return row.anyDouble(field) { missing.find(set.sortedIndex(of: $0, by: <)) }
    case .textSet:
      let set = textSets[constant]
      var missing = MissingValues(set.texts.count)
      return row.anyBytes(field) { text in
        if set.folding.isEmpty { return missing.find(set.texts.sortedIndex(of: text)) }
        return missing.find(set.texts.sortedIndex(of: set.folding.fold(Array(copying: text)).span))
      }
    case .references:
      let set = references[constant]
      var missing = MissingValues(set.count)
      return row.anyBytes(field) { missing.find(set.sortedIndex(of: $0)) }
    // One value alone.
    default: return anyMember(operation, field, constant, row, expecting: true)
    }
  }

  func passes(_ operation: Operation, _ constant: Int, _ value: Int64) -> Bool {
    operation == .integers
      ? integers[constant].contains(value) : integerSets.span[constant].containsSorted(value, by: <)
  }

  func passes(_ operation: Operation, _ constant: Int, _ value: Double) -> Bool {
    operation == .doubles
      ? doubles[constant].contains(value) : doubleSets.span[constant].containsSorted(value, by: <)
  }

  func passes(_ operation: Operation, _ constant: Int, _ latitude: Double, _ longitude: Double) -> Bool {
    operation == .distance
      ? circles.span[constant].matches(latitude: latitude, longitude: longitude)
      : locations[constant] == Location.distinct(latitude: latitude, longitude: longitude)
  }

  @inline(__always)
  func passes(_ operation: Operation, _ constant: Int, _ text: Span<UInt8>) -> Bool {
    switch operation {
    case .text:
      let (relation, runs) = textRuns[constant]
      guard let runs else { return texts.span[constant].matches(text) }
      return passes(relation, runs.first, text)
    case .textSet:
      if let runs = textSetRuns[constant] { return constantBytes.contains(text, runs) }
      return textSets.span[constant].contains(text)
    case .textRange:
      guard let runs = textRangeRuns[constant] else { return textRanges.span[constant].contains(text) }
      return constantBytes.compare(text, runs.first) >= 0 && constantBytes.compare(text, runs.first + 1) <= 0
    case .references: return constantBytes.contains(text, referenceRuns[constant])
    case .recordNames:
      guard let start = text.recordNameStart else { return false }
      return constantBytes.contains(text.extracting(start..<text.count), referenceRuns[constant])
    default: return false
    }
  }

  /// Whether a text stands in a relation, which needs no preparation, to the one of a number.
  @inline(__always)
  func passes(_ relation: TextTest.Relation, _ number: Int, _ text: Span<UInt8>) -> Bool {
    switch relation {
    case .equal: constantBytes.areEqual(text, number)
    case .less: constantBytes.compare(text, number) < 0
    case .lessOrEqual: constantBytes.compare(text, number) <= 0
    case .greater: constantBytes.compare(text, number) > 0
    case .greaterOrEqual: constantBytes.compare(text, number) >= 0
    case .prefix: constantBytes.stands(number, in: text, atEnd: false)
    case .suffix: constantBytes.stands(number, in: text, atEnd: true)
    case .substring, .pattern: false
    }
  }

  @inline(__always)
  func instruction(at index: Int32) -> Instruction { instructions[Int(index)] }

  @inline(__always)
  func passesDistance<Row: ProgramRow>(_ constant: Int, _ field: FieldNumber, _ row: Row) -> Bool {
    row.passes(circles.span[constant], field)
  }

  @inline(__always)
  func passesWhole<Row: ProgramRow>(_ operation: Operation, _ constant: Int, _ row: Row) -> Bool? {
    operation == .tokens ? row.passes(tokens.span[constant]) : computations.span[constant].answer(row)
  }
}

extension ProgramRow {
  /// Whether a list field has any member at all.
  func anyMember(_ field: FieldNumber) -> Bool {
    anyInteger(field) { _ in true } || anyDouble(field) { _ in true } || anyBytes(field) { _ in true }
      || anyDegrees(field) { _, _ in true }
  }
}

extension Array {
  /// Whether a sorted array holds a value. Complexity: logarithmic.
  func containsSorted(_ value: Element, by precedes: (Element, Element) -> Bool) -> Bool {
    sortedIndex(of: value, by: precedes) != nil
  }

  /// Where a sorted array holds a value. Complexity: logarithmic.
  func sortedIndex(of value: Element, by precedes: (Element, Element) -> Bool) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(self[middle], value) { low = middle + 1 } else { high = middle }
    }
    return low < count && !precedes(value, self[low]) ? low : nil
  }
}

extension Array where Element == [UInt8] {
  /// Whether a sorted array holds the bytes. Complexity: logarithmic in the array's length.
  func containsSorted(_ bytes: Span<UInt8>) -> Bool { sortedIndex(of: bytes) != nil }

  /// Where a sorted array holds the bytes. Complexity: logarithmic in the array's length.
  func sortedIndex(of bytes: Span<UInt8>) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let order = bytes.compare(span[middle])
      if order == 0 { return middle }
      if order > 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}

extension Span where Element == UInt8 {
  /// Where the record name begins in the encoding of a reference: after its second zero byte.
  var recordNameStart: Int? {
    var zeros = 0
    for index in indices where self[index] == 0 {
      zeros += 1
      if zeros == 2 { return index + 1 }
    }
    return nil
  }
}

/// Which values of a set have not been come across yet.
struct MissingValues {
  private var isFound: [Bool]
  private var count: Int

  init(_ count: Int) {
    isFound = [Bool](repeating: false, count: count)
    self.count = count
  }

  /// Takes note of a value by its place in the set, if it is there; whether none is missing any more.
  mutating func find(_ index: Int?) -> Bool {
    if let index, !isFound[index] {
      isFound[index] = true
      count -= 1
    }
    return count == 0
  }
}
