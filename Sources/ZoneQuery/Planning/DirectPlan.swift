/// The form of a plan that needs nothing but the values of a run: one stretch of an ordered index, with perhaps numbers
/// or a member of a list to look at in each row.
///
/// The planner chose it for earlier values, and would again as long as it reads little; whoever runs it asks the planner
/// where it turns out to read much. Filling it in allocates nothing but the bytes of long texts, so that a query that is
/// cheap is not planned at each run.
struct DirectPlan: Sendable {
  /// Where a range comes from at each run.
  enum Operand: Sendable {
    case fixed(KeyRange)
    case relation(parameter: Int, ComparisonOperator, FieldType.Scalar, isMember: Bool)
    case between(Int, Int, FieldType.Scalar)
  }

  /// What each row is held against.
  struct Test: Sendable {
    enum Kind {
      case integer, double
      /// A list of texts has a member, which is asked where the index's word does not tell it from all others.
      case member
    }

    let field: FieldNumber
    let kind: Kind
    let operand: Operand
  }

  /// The index, and its number in the table.
  let shape: IndexShape
  let number: Int
  /// What is asked of the index's first fields: one value each.
  let points: [Operand]
  /// What is asked of the next.
  let ranges: [Operand]
  let tests: [Test]
  /// How many of the query's sort descriptors the index's order satisfies.
  let sorted: Int
  let isDescending: Bool
  /// Whether a query without a sort takes the rows as they stand in the index; else as they stand in the table.
  let isWalk: Bool
  let limit: Int

  /// The values that a run asks for.
  struct Bounds {
    var lower: SIMD4<UInt64> = .zero
    var upper: SIMD4<UInt64> = .zero
    var lowerCount = 0
    var upperCount = 0
    var lowerIsAfter = false
    var upperIsAfter = true
    /// Whether all entries have one key.
    var isPoint = false
    /// The bytes of the first and the second text among the words, where they are long.
    var lowerTexts: (first: [UInt8]?, second: [UInt8]?) = (nil, nil)
    var upperTexts: (first: [UInt8]?, second: [UInt8]?) = (nil, nil)
  }

  /// The form of a plan; nil where it has another.
  init?(
    _ plan: Plan, _ table: Table, _ template: PredicateTemplate, _ conjuncts: [PlannedConjunct], _ order: SortOrder,
    limit: Int, counts: Bool
  ) {
    guard let path = plan.path, plan.probes.isEmpty, conjuncts.count == template.parts.count,
      conjuncts.count < ConjunctSet.rest
    else { return nil }
    let shape = table.indexes[path.index].shape
    switch plan.source {
    case .walk(let walk) where !walk.addsMissing && !counts:
      (isWalk, isDescending, sorted) = (walk.sorted == 0, walk.isDescending, walk.sorted)
    case .access(.spans(_, let spans)) where spans.count == 1 && (counts || order.descriptors.isEmpty):
      (isWalk, isDescending, sorted) = (false, false, 0)
    default: return nil
    }
    func operand(_ number: Int) -> Operand? {
      Operand(template.parts[number], conjuncts[number].form, template.options)
    }
    var (points, ranges, tests): ([Operand], [Operand], [Test]) = ([], [], [])
    for number in path.points {
      guard let operand = operand(number) else { return nil }
      points.append(operand)
      if case .relation(_, _, .string, isMember: true) = operand {
        tests.append(Test(field: shape.components[points.count - 1].field, kind: .member, operand: operand))
      }
    }
    for number in path.interval {
      guard let operand = operand(number) else { return nil }
      ranges.append(operand)
    }
    for number in conjuncts.indices where plan.residual.contains(number) && !path.points.contains(number) {
      guard let operand = operand(number), case .interval(let field, _)? = conjuncts[number].form else { return nil }
      switch table.layout.type(of: field).scalar {
      case .int64, .timestamp: tests.append(Test(field: field, kind: .integer, operand: operand))
      case .double: tests.append(Test(field: field, kind: .double, operand: operand))
      default: return nil
      }
    }
    if counts, !tests.isEmpty { return nil }
    self.shape = shape
    number = path.index
    (self.points, self.ranges, self.tests) = (points, ranges, tests)
    self.limit = limit
  }

  /// The words between which a run's entries lie; nil where the values have to be looked at more closely.
  func bounds(_ values: [ArgumentValue?]) -> Bounds? {
    var bounds = Bounds()
    var component = 0
    var texts = 0
    for operand in points {
      guard let range = operand.range(values), range.isPoint else { return nil }
      let (word, wordCount) = (shape.components[component].word, shape.components[component].wordCount)
      bounds.lower[word] = range.lower.first
      if wordCount == 2 {
        bounds.lower[word + 1] = range.lower.second
        if range.isLong(wordCount: 2) {
          let text = operand.text(values)
          if texts == 0 { bounds.lowerTexts.first = text } else { bounds.lowerTexts.second = text }
        }
        texts += 1
      }
      bounds.lowerCount += wordCount
      component += 1
    }
    bounds.upper = bounds.lower
    bounds.upperCount = bounds.lowerCount
    bounds.upperTexts = bounds.lowerTexts
    bounds.isPoint = component == shape.components.count
    guard !ranges.isEmpty else { return bounds }
    guard var range = ranges[0].range(values) else { return nil }
    for operand in ranges.dropFirst() {
      guard let other = operand.range(values) else { return nil }
      range = range.intersection(other)
    }
    let (word, wordCount) = (shape.components[component].word, shape.components[component].wordCount)
    if range.isLong(wordCount: wordCount) {
      // Of several ranges one would have to tell whose text an end is.
      guard ranges.count == 1 else { return nil }
      let text = ranges[0].text(values)
      if range.hasLower { if texts == 0 { bounds.lowerTexts.first = text } else { bounds.lowerTexts.second = text } }
      if range.hasUpper { if texts == 0 { bounds.upperTexts.first = text } else { bounds.upperTexts.second = text } }
    }
    if range.hasLower {
      bounds.lower[word] = range.lower.first
      if wordCount == 2 { bounds.lower[word + 1] = range.lower.second }
      bounds.lowerCount += wordCount
      bounds.lowerIsAfter = range.lower.isAfter
    }
    if range.hasUpper {
      bounds.upper[word] = range.upper.first
      if wordCount == 2 { bounds.upper[word + 1] = range.upper.second }
      bounds.upperCount += wordCount
      bounds.upperIsAfter = range.upper.isAfter
    }
    bounds.isPoint = range.isPoint && component + 1 == shape.components.count
    return bounds
  }
}

extension DirectPlan.Operand {
  /// Nil where the part of a predicate asks for no range, or for one that is only known when it is bound.
  init?(_ part: PredicateTemplate.Part, _ form: Sargable?, _ options: PredicateOptions) {
    switch part {
    case .fixed:
      switch form {
      case .interval(_, let interval)?:
        guard let range = KeyRange(interval) else { return nil }
        self = .fixed(range)
      default: return nil
      }
    case .relation(let relation):
      guard relation.comparison != .notEqual, options.stringEquality == .exact else { return nil }
      self = .relation(
        parameter: relation.parameter, relation.comparison, relation.type, isMember: relation.isMember)
    case .form(.between(_, let type, let lower, let upper), _):
      if type == .string { return nil }
      self = .between(lower, upper, type)
    case .form, .anew: return nil
    }
  }

  /// The bytes of the text that a run's range is made of.
  func text(_ values: [ArgumentValue?]) -> [UInt8]? {
    guard case .relation(let parameter, _, .string, _) = self, case .literal(.string(let text))? = values[parameter]
    else { return nil }
    return Array(text.utf8)
  }

  /// The range for the values of a run; nil where a look at the value does not tell.
  @inline(__always)
  func range(_ values: [ArgumentValue?]) -> KeyRange? {
    switch self {
    case .fixed(let range): return range
    case .between(let lower, let upper, let type):
      guard case .literal(let first)? = values[lower], case .literal(let last)? = values[upper],
        let least = KeyRange(.greaterOrEqual, first, type), let most = KeyRange(.lessOrEqual, last, type)
      else { return nil }
      return least.intersection(most)
    case .relation(let parameter, let comparison, let type, let isMember):
      guard case .literal(let literal)? = values[parameter] else { return nil }
      guard type == .string else { return KeyRange(isMember ? .equal : comparison, literal, type) }
      guard case .string(let text) = literal else { return nil }
      return withUTF8(of: text) { text in
        if !isMember { return KeyRange(comparison, text) }
        let word = KeyEncoding.memberWord(text)
        return KeyRange(word: word, through: word)
      }
    }
  }
}

extension KeyRange {
  /// The numbers or moments in a relation to one; nil where there are none, and where the types differ.
  @inline(__always)
  init?(_ comparison: ComparisonOperator, _ literal: Literal, _ type: FieldType.Scalar) {
    switch (type, literal) {
    case (.int64, .integer(let number)), (.timestamp, .date(let number)):
      let word = KeyEncoding.word(number)
      self.init(comparison, word: word)
    case (.double, .double(let number)):
      if number.isNaN { return nil }
      self.init(comparison, word: KeyEncoding.word(number))
    case (.double, .integer(let number)):
      guard let exact = Double(exactly: number) else { return nil }
      self.init(comparison, word: KeyEncoding.word(exact))
    default: return nil
    }
  }

  @inline(__always)
  private init?(_ comparison: ComparisonOperator, word: UInt64) {
    self.init(word: word, through: word)
    switch comparison {
    case .equal: break
    case .less: (hasLower, isPoint, upper.isAfter) = (false, false, false)
    case .lessOrEqual: (hasLower, isPoint) = (false, false)
    case .greater: (hasUpper, isPoint, lower.isAfter) = (false, false, true)
    case .greaterOrEqual: (hasUpper, isPoint) = (false, false)
    default: return nil
    }
  }
}
