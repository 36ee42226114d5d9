extension Program {
  /// Compiles a bound predicate. Complexity: linear in its size.
  init(_ predicate: BoundPredicate) {
    if case .and(let parts) = predicate { self.init(conjuncts: parts) } else { self.init(conjuncts: [predicate]) }
  }

  /// Compiles the conjunction of some predicates, which keep their numbers. Complexity: linear in their size.
  init(conjuncts parts: [BoundPredicate]) {
    // Instructions are made from the last to the first, so that where each goes on is known when it is made; then
    // they are turned round.
    conjuncts = [Conjunct](repeating: Conjunct(entry: 0, start: 0, end: 0), count: parts.count)
    order = Program.cheapestFirst(parts)
    var isNever = false
    for number in order.reversed() {
      let start = Int32(instructions.count)
      let first = emit(parts[number], ifTrue: entry, ifFalse: Program.reject)
      conjuncts[number] = Conjunct(entry: first, start: start, end: Int32(instructions.count))
      // What never holds is left out of the row, so that "holds" and "rejects" stay apart in the parts before it.
      if first == Program.reject { isNever = true } else { entry = first }
    }
    let count = Int32(instructions.count)
    func turned(_ target: Int32) -> Int32 { target < 0 ? target : count - 1 - target }
    instructions.reverse()
    for index in instructions.indices {
      instructions[index].ifTrue = turned(instructions[index].ifTrue)
      instructions[index].ifFalse = turned(instructions[index].ifFalse)
    }
    conjuncts = conjuncts.map {
      Conjunct(entry: turned($0.entry), start: count - $0.end, end: count - $0.start)
    }
    entry = isNever ? Program.reject : turned(entry)
  }

  private mutating func emit(_ predicate: BoundPredicate, ifTrue: Int32, ifFalse: Int32) -> Int32 {
    switch predicate {
    case .constant(let value): return value ? ifTrue : ifFalse
    case .comparison(let comparison): return emit(comparison, ifTrue: ifTrue, ifFalse: ifFalse)
    case .and(let parts):
      var next = ifTrue
      for number in Program.cheapestFirst(parts).reversed() {
        next = emit(parts[number], ifTrue: next, ifFalse: ifFalse)
      }
      return next
    case .or(let parts):
      var next = ifFalse
      for number in Program.cheapestFirst(parts).reversed() {
        next = emit(parts[number], ifTrue: ifTrue, ifFalse: next)
      }
      return next
    }
  }

  /// The numbers of the parts in the order to try them: nothing depends on it but time.
  private static func cheapestFirst(_ parts: [BoundPredicate]) -> [Int] {
    let costs = parts.map(cost)
    return parts.indices.sorted { (costs[$0], $0) < (costs[$1], $1) }
  }

  private static func cost(_ predicate: BoundPredicate) -> Int {
    switch predicate {
    case .constant: 0
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + cost($1) }
    case .comparison(let comparison):
      switch comparison.condition {
      case .value(_, let test): cost(test)
      case .anyMember(_, let test), .allMembers(_, let test), .holdsAll(_, let test): 4 * cost(test)
      case .computed: 100
      case .tokens: 1_000
      }
    }
  }

  private static func cost(_ test: ValueTest) -> Int {
    switch test {
    case .none, .every, .integers, .doubles, .location: 1
    case .integerSet, .doubleSet: 2
    case .referenceSet, .recordNameSet: 4
    case .distance: 5
    case .textRange(_, _, let folding), .textSet(_, let folding): folding.isEmpty ? 4 : 40
    case .text(let text):
      (text.relation.rawValue >= TextTest.Relation.substring.rawValue ? 20 : 3)
        * (text.folding.isEmpty ? 1 : 10)
    }
  }

  private mutating func emit(_ comparison: BoundComparison, ifTrue: Int32, ifFalse: Int32) -> Int32 {
    var instruction = Instruction(
      operation: .none, subject: .value, isNegated: comparison.isNegated, whenMissing: comparison.whenMissing,
      field: 0, constant: 0, ifTrue: ifTrue, ifFalse: ifFalse)
    switch comparison.condition {
    case .value(let field, let test):
      (instruction.operation, instruction.constant) = add(test)
      instruction.field = Int32(field)
    case .anyMember(let field, let test):
      (instruction.operation, instruction.constant) = add(test)
      instruction.subject = .anyMember
      instruction.field = Int32(field)
    case .allMembers(let field, let test):
      (instruction.operation, instruction.constant) = add(test)
      instruction.subject = .allMembers
      instruction.field = Int32(field)
    case .holdsAll(let field, let test):
      (instruction.operation, instruction.constant) = add(test)
      instruction.subject = .holdsAll
      instruction.field = Int32(field)
    case .tokens(let search):
      instruction.operation = .tokens
      instruction.constant = Program.append(TokenMatcher(search), to: &tokens)
    case .computed(let left, let relation, let right):
      instruction.operation = .computed
      instruction.constant = Program.append(
        Computation(left: left, relation: relation, right: right), to: &computations)
    }
    instructions.append(instruction)
    return Int32(instructions.count - 1)
  }

  private mutating func add(_ test: ValueTest) -> (Operation, Int32) {
    switch test {
    case .none: (.none, 0)
    case .every: (.every, 0)
    case .integers(let range): (.integers, Program.append(range, to: &integers))
    case .integerSet(let values): (.integerSet, Program.append(values, to: &integerSets))
    case .doubles(let range): (.doubles, Program.append(range, to: &doubles))
    case .doubleSet(let values): (.doubleSet, Program.append(values, to: &doubleSets))
    case .text(let test):
      (
        .text,
        {
          textRuns.append((test.relation, test.isPlain ? constantBytes.append([test.operand]) : nil))
          return Program.append(TextMatcher(test), to: &texts)
        }()
      )
    case .textSet(let values, let folding):
      (
        .textSet,
        {
          textSetRuns.append(folding.isEmpty ? constantBytes.append(values) : nil)
          return Program.append(TextSet(texts: values, folding: folding), to: &textSets)
        }()
      )
    case .textRange(let lower, let upper, let folding):
      (
        .textRange,
        {
          textRangeRuns.append(folding.isEmpty ? constantBytes.append([lower, upper]) : nil)
          return Program.append(TextRange(lower: lower, upper: upper, folding: folding), to: &textRanges)
        }()
      )
    case .referenceSet(let encodings): (.references, append(encodings))
    case .recordNameSet(let names): (.recordNames, append(names))
    case .location(let latitude, let longitude):
      (.location, Program.append((latitude, longitude), to: &locations))
    case .distance(let circle): (.distance, Program.append(GeodesicRadiusTest(circle), to: &circles))
    }
  }

  private mutating func append(_ encodings: [[UInt8]]) -> Int32 {
    referenceRuns.append(constantBytes.append(encodings))
    return Program.append(encodings, to: &references)
  }

  private static func append<Constant>(_ constant: Constant, to constants: inout [Constant]) -> Int32 {
    constants.append(constant)
    return Int32(constants.count - 1)
  }
}

extension TextTest {
  /// Whether the test is a comparison of bytes that needs no preparation. An empty prefix is one that nothing has.
  var isPlain: Bool {
    folding.isEmpty && relation != .substring && relation != .pattern
      && !(operand.isEmpty && (relation == .prefix || relation == .suffix))
  }
}
