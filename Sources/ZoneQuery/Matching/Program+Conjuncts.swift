extension Program {
  /// One part of the conjunction that a program is: the instructions `start ..< end`. A jump out of them to anywhere but
  /// `reject` says that the part holds, so the parts can be run one by one as well as in a row.
  struct Conjunct: Sendable {
    var entry: Int32
    var start: Int32
    var end: Int32

    /// Whether a jump stays within the part.
    @inline(__always)
    func contains(_ target: Int32) -> Bool { target >= start && target < end }
  }

  /// Whether the record passes the conjuncts of these numbers, tried in this order.
  func matches<Row: ProgramRow>(_ row: Row, conjuncts numbers: [Int]) -> Bool {
    var index = 0
    while index < numbers.count {
      if !matches(row, conjunct: numbers[index]) { return false }
      index += 1
    }
    return true
  }

  /// Whether the record passes the conjunct of a number.
  @inline(__always)
  func matches<Row: ProgramRow>(_ row: Row, conjunct number: Int) -> Bool {
    let conjunct = conjuncts[number]
    var next = conjunct.entry
    while conjunct.contains(next) {
      let instruction = instructions[Int(next)]
      next = answer(instruction, row) ? instruction.ifTrue : instruction.ifFalse
    }
    return next != Program.reject
  }

  /// Puts another constant into a conjunct that is a single comparison, so that a prepared query need not be compiled
  /// again; false, and nothing changed, where the comparison is of another form.
  ///
  /// Complexity: constant, but for the constant's own preparation (a search for a substring, a pattern, words). Nothing
  /// is allocated for numbers, sets and circles, unless a copy of the program shares its constants.
  mutating func replaceConstant(ofConjunct number: Int, with comparison: BoundComparison) -> Bool {
    let conjunct = conjuncts[number]
    guard conjunct.end - conjunct.start == 1, conjunct.entry == conjunct.start else { return false }
    let index = Int(conjunct.start)
    let instruction = instructions[index]
    let isReplaced =
      switch comparison.condition {
      case .value(let field, let test): replace(instruction, .value, field, test)
      case .anyMember(let field, let test): replace(instruction, .anyMember, field, test)
      case .allMembers(let field, let test): replace(instruction, .allMembers, field, test)
      case .holdsAll(let field, let test): replace(instruction, .holdsAll, field, test)
      case .tokens(let search):
        instruction.operation == .tokens
          && {
            tokens[Int(instruction.constant)] = TokenMatcher(search); return true
          }()
      case .computed(let left, let relation, let right):
        instruction.operation == .computed
          && {
            computations[Int(instruction.constant)] = Computation(left: left, relation: relation, right: right)
            return true
          }()
      }
    guard isReplaced else { return false }
    instructions[index].isNegated = comparison.isNegated
    instructions[index].whenMissing = comparison.whenMissing
    return true
  }

  private mutating func replace(
    _ instruction: Instruction, _ subject: Subject, _ field: FieldNumber, _ test: ValueTest
  ) -> Bool {
    guard instruction.subject == subject, instruction.field == Int32(field) else { return false }
    let constant = Int(instruction.constant)
    switch (instruction.operation, test) {
    case (.none, .none), (.every, .every): break
    case (.integers, .integers(let range)): integers[constant] = range
    case (.integerSet, .integerSet(let values)): integerSets[constant] = values
    case (.doubles, .doubles(let range)): doubles[constant] = range
    case (.doubleSet, .doubleSet(let values)): doubleSets[constant] = values
    case (.text, .text(let test)):
      guard constantBytes.replace(&textRuns[constant].runs, with: test.isPlain ? [test.operand] : nil) else {
        return false
      }
      textRuns[constant].relation = test.relation
      texts[constant] = TextMatcher(test)
    case (.textSet, .textSet(let values, let folding)):
      guard constantBytes.replace(&textSetRuns[constant], with: folding.isEmpty ? values : nil) else { return false }
      textSets[constant] = TextSet(texts: values, folding: folding)
    case (.textRange, .textRange(let lower, let upper, let folding)):
      guard constantBytes.replace(&textRangeRuns[constant], with: folding.isEmpty ? [lower, upper] : nil) else {
        return false
      }
      textRanges[constant] = TextRange(lower: lower, upper: upper, folding: folding)
    case (.references, .referenceSet(let values)), (.recordNames, .recordNameSet(let values)):
      guard constantBytes.replace(&referenceRuns[constant], with: values) else { return false }
      references[constant] = values
    case (.location, .location(let latitude, let longitude)): locations[constant] = (latitude, longitude)
    case (.distance, .distance(let circle)): circles[constant] = GeodesicRadiusTest(circle)
    default: return false
    }
    return true
  }
}

extension ConstantBytes {
  /// Puts texts in the place of others; false where one of both is not plain, or there is no room.
  mutating func replace(_ old: inout Runs?, with texts: [[UInt8]]?) -> Bool {
    guard var runs = old, let texts else { return old == nil && texts == nil }
    guard replace(&runs, with: texts) else { return false }
    old = runs
    return true
  }
}

extension GeodesicRadiusTest {
  init(_ circle: CircleTest) {
    self.init(
      latitude: circle.latitude, longitude: circle.longitude, radius: circle.radius, comparison: circle.relation)
  }
}
