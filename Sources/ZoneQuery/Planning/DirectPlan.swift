/// The form of a plan that needs nothing but the values of a run: one way into one index, or what stretches of several
/// have in common, or a record's name, or a table's first rows, with perhaps values and other conditions to hold each row
/// against, and posting lists to look its slot up in.
///
/// The planner chose it for earlier values, and would again as long as it reads little; whoever runs it asks the planner
/// where it turns out to read much. Filling it in hardly allocates but for texts and references that rows are held
/// against, and conditions that have to be bound, so that a query that is cheap is not planned at each run.
struct DirectPlan: Sendable {
  /// Where a range comes from at each run.
  enum Operand: Sendable {
    case fixed(KeyRange)
    case relation(parameter: Int, ComparisonOperator, FieldType.Scalar, isMember: Bool)
    case between(Int, Int, FieldType.Scalar)
  }

  /// Where the rows come from.
  enum Source: Sendable {
    /// One stretch of an ordered index, between the points and the ranges.
    case stretch
    /// The entries of each of some values of an ordered index's first field: `field IN $list`.
    case among(Values)
    /// The entries of each of some values of an index's first field, in the order of the next: `field IN $list` or
    /// `ANY list IN $list`, sorted; so many at most. Where words may not tell values apart, these are looked up, or rows are
    /// held against the condition.
    case stretches(Values, Lookup?, isTested: Bool, most: Int)
    /// The slots that are in the lists of all terms.
    case lists
    /// The slots that are in any of some lists.
    case anyList(Lookup)
    /// What stretches of ordered indexes, each on a number, have in common, of which the planner took so many entries.
    case overlap([Stretch], entries: Int)
    /// The cover of a circle in a location index.
    case circle(PredicateTemplate.Form)
    /// The record of a name: `recordID = $id`.
    case record(parameter: Int)
    /// The first rows that pass, as they stand in the table.
    case scan
    /// No row, since conditions that no value of a run is part of cannot hold together.
    case nothing

    var isScan: Bool { if case .scan = self { true } else { false } }
  }

  /// Where the values of an index's first field come from at each run.
  enum Values: Sendable {
    /// They are a list's members.
    case members(parameter: Int)
    /// They are the stored texts that are equal to a text, or begin with it, but for case or marks.
    case spellings(Spellings)
  }

  /// The entries of an ordered index on one number that lie in a range.
  struct Stretch: Sendable {
    let number: Int
    let range: Operand
  }

  /// Terms whose posting lists are asked for.
  enum Terms: Sendable {
    case fixed([PostingTerm])
    /// `list CONTAINS $name`, or `field = $name`, of a reference.
    case member(parameter: Int, FieldType.Scalar)
    /// `ANY list IN $names`, or `field IN $names`, of references.
    case among(parameter: Int, FieldType.Scalar)
    /// `ALL tokenize($words, 'Cdl') IN allTokens`, or `self CONTAINS $words`, of one word.
    case tokens(parameter: Int, requiresAll: Bool)
  }

  /// Terms and the index that they are looked up in.
  struct Lookup: Sendable {
    let number: Int
    let terms: Terms
  }

  /// What each row is held against.
  enum Test: Sendable {
    /// A number lies in a range.
    case number(FieldNumber, isDouble: Bool, Operand)
    /// A list has a member, or a field refers to a record: asked where the index's word does not tell it from all others, and
    /// of the posting list where there is one.
    case member(FieldNumber, parameter: Int, Lookup?)
    /// A text or a reference is in a relation to a value.
    case bytes(PredicateTemplate.Relation)
  }

  /// What a word of each entry is held against.
  struct EntryTest: Sendable {
    let word: Int
    let operand: Operand
  }

  /// What the table's indexes were on: with others the planner is asked.
  let indexes: TableIndexes.Directory
  /// The index, or the first of several, and its number in the table; of a record's name the shape says nothing.
  let shape: IndexShape
  let number: Int
  let source: Source
  /// What is asked of the index's first fields: one value each.
  let points: [Operand]
  /// What is asked of the next.
  let ranges: [Operand]
  /// What is asked of fields behind that.
  let entryTests: [EntryTest]
  /// How many entries that are held against ranges are read without the planner: some thousands, or twice what it took
  /// the plan to read.
  let mostEntries: Int
  /// How many of the index's fields something is asked of.
  let fieldsAsked: Int
  let tests: [Test]
  /// What each row is held against that no value of a run is part of.
  let conditions: [BoundPredicate]
  /// Other conditions, which a run's values are bound to.
  let volatileConditions: [PredicateTemplate.Part]
  /// The lists that the rows come from where the source is of lists, and those that each row's slot is looked up in.
  let lists: [Lookup]
  let probes: [Lookup]
  /// How many of the query's sort descriptors the index's order satisfies.
  let sorted: Int
  let isDescending: Bool
  /// Whether a query without a sort takes the rows as they stand in the index; else as they stand in the table.
  let isWalk: Bool
  /// Whether all rows are found before they are put into the query's order, and how many that may be.
  let isRanked: Bool
  let mostRanked: Int
  /// How many entries are collected without the planner, where all are before any row is known to be wanted, or how many rows
  /// a scan looks at.
  let mostCollected: Int
  let limit: Int
  /// How many rows are taken as they come.
  let taken: Int
  /// Whether rows are to be tested.
  let isFiltered: Bool

  /// The values that a run asks for, but for the bytes of long texts.
  struct Bounds: BitwiseCopyable {
    var lower = Key4()
    var upper = Key4()
    var lowerCount = 0
    var upperCount = 0
    var lowerIsAfter = false
    var upperIsAfter = true
    /// Whether all entries have one key.
    var isPoint = false
    /// Whether one of the points is a long text.
    var hasLongPoint = false
    /// The parameters that give the first and the second text among the words of either, where they are long; else -1.
    private var firstParameter = -1
    private var secondParameter = -1

    fileprivate mutating func setText(_ number: Int, _ operand: Operand) {
      guard case .relation(let parameter, _, .string, _) = operand else { return }
      if number == 0 { firstParameter = parameter } else { secondParameter = parameter }
    }

    /// Calls `body` with the long texts.
    @inline(__always)
    func withTexts<Result>(_ values: [ArgumentValue?], _ body: (LentTexts) -> Result) -> Result {
      if firstParameter < 0, secondParameter < 0 { return body(LentTexts()) }
      return Bounds.with(LentTexts(), 0, values, firstParameter) { texts in
        Bounds.with(texts, 1, values, secondParameter, body)
      }
    }

    private static func with<Result>(
      _ texts: LentTexts, _ number: Int, _ values: [ArgumentValue?], _ parameter: Int, _ body: (LentTexts) -> Result
    ) -> Result {
      guard parameter >= 0, case .literal(.string(let text))? = values[parameter] else { return body(texts) }
      return withUTF8(of: text) { texts.adding(number, $0, body) }
    }
  }

  /// The form of a plan; nil where it has another.
  init?(
    _ plan: Plan, _ table: Table, _ template: PredicateTemplate, _ conjuncts: [PlannedConjunct], _ order: SortOrder,
    limit: Int, counts: Bool
  ) {
    guard conjuncts.count == template.parts.count, conjuncts.count < ConjunctSet.rest,
      template.mentions.reduce(0, +) <= VariableMentions.mostOfSmall, template.constantBytes <= VariableMentions.mostOwn
    else { return nil }
    let draft = Draft(plan, table, template, conjuncts, order, limit: limit, counts: counts)
    guard let origin = draft.origin() else { return nil }
    let plan = draft.plan
    let path = origin.path
    let shape = table.indexes.indices.contains(path.index) ? table.indexes[path.index].shape : .recordName
    var (points, ranges, tests): ([Operand], [Operand], [Test]) = ([], [], [])
    for number in path.points {
      guard let operand = draft.operand(number) else { return nil }
      points.append(operand)
      if case .relation(let parameter, _, let type, let isMember) = operand, isMember || type == .reference,
        type == .string || type == .reference
      {
        tests.append(.member(shape.components[points.count - 1].field, parameter: parameter, draft.lookup(number)))
      }
    }
    for number in path.interval {
      guard let operand = draft.operand(number) else { return nil }
      ranges.append(operand)
    }
    var entryTests: [EntryTest] = []
    for number in path.tests {
      guard let operand = draft.operand(number), case .interval(let field, _)? = conjuncts[number].form,
        let component = shape.components.first(where: { $0.field == field })
      else { return nil }
      entryTests.append(EntryTest(word: component.word, operand: operand))
    }
    var (numbers, conditions): (Int, [BoundPredicate]) = (0, [])
    var volatileConditions: [PredicateTemplate.Part] = []
    for number in conjuncts.indices where !path.points.contains(number) {
      // What others imply with the values of one run they may not with those of the next.
      let isLeft = conjuncts[number].isImplied ? !conjuncts[number].isAlwaysImplied : plan.residual.contains(number)
      guard isLeft else { continue }
      // A scan holds many rows at once against what is compiled.
      if !origin.source.isScan,
        let test = Test(
          template.parts[number], conjuncts[number], table.layout, template.options,
          takesNumber: numbers < RowTests.most)
      {
        if case .number = test { numbers += 1 }
        tests.append(test)
      } else if case .fixed = template.parts[number] {
        conditions.append(conjuncts[number].predicate)
      } else {
        volatileConditions.append(template.parts[number])
      }
    }
    var probes: [Lookup] = []
    for probe in plan.probes {
      if let lookup = draft.lookup(probe.conjunct), !lookup.isOfAny {
        probes.append(lookup)
      } else if template.isFixed(probe.conjunct), conjuncts[probe.conjunct].cost < Cost.mostHeld {
        conditions.append(conjuncts[probe.conjunct].predicate)
      } else if conjuncts[probe.conjunct].cost < Cost.mostHeld {
        volatileConditions.append(template.parts[probe.conjunct])
      } else {
        return nil
      }
    }
    (indexes, self.shape, number) = (table.indexes.directory, shape, path.index)
    (source, isWalk, isDescending) = (origin.source, origin.isWalk, origin.isDescending)
    (sorted, isRanked, lists) = (origin.sorted, origin.isRanked, origin.lists)
    (self.points, self.ranges, self.tests, self.conditions) = (points, ranges, tests, conditions)
    self.volatileConditions = volatileConditions
    self.entryTests = entryTests
    let planned = 2 * Int(min(origin.source.isScan ? plan.rowsScanned(table, limit: limit) : plan.entries, 1e15))
    mostEntries = max(4 * RowTests.budget, planned)
    mostRanked = isRanked ? min(RowTests.budget, max(64, planned)) : .max
    mostCollected = min(mostRanked, mostEntries)
    fieldsAsked =
      points.count + (ranges.isEmpty ? 0 : 1) + Set(entryTests.map(\.word)).count + (path.several == nil ? 0 : 1)
    self.probes = probes
    isFiltered =
      !origin.source.isScan
      && !(tests.isEmpty && conditions.isEmpty && volatileConditions.isEmpty && probes.isEmpty)
    self.limit = limit
    taken = isRanked || limit == .max ? .max : limit + 1
  }

  /// What a run's entries are held against; nil where the values have to be looked at more closely.
  func entryFilter(_ values: [ArgumentValue?]) -> EntryFilter? {
    var filter = EntryFilter()
    var number = 0
    while number < entryTests.count {
      guard let range = entryTests[number].operand.range(values), filter.add(entryTests[number].word, range.numbers)
      else { return nil }
      number += 1
    }
    return filter
  }

  /// Fills in the words between which a run's entries lie; false where the values have to be looked at more closely.
  func fill(_ bounds: inout Bounds, _ values: [ArgumentValue?]) -> Bool {
    var component = 0
    var texts = 0
    // By number, which counts no references.
    while component < points.count {
      let operand = points[component]
      guard let range = operand.range(values), range.isPoint else { return false }
      let (word, wordCount) = (shape.components[component].word, shape.components[component].wordCount)
      bounds.lower[word] = range.lower.first
      if wordCount == 2 {
        bounds.lower[word + 1] = range.lower.second
        if range.isLong(wordCount: 2) {
          bounds.setText(texts, operand)
          bounds.hasLongPoint = true
        }
        texts += 1
      }
      bounds.lowerCount += wordCount
      component += 1
    }
    bounds.upper = bounds.lower
    bounds.upperCount = bounds.lowerCount
    bounds.isPoint = component == shape.components.count
    guard !ranges.isEmpty else { return true }
    guard var range = ranges[0].range(values) else { return false }
    var number = 1
    while number < ranges.count {
      guard let other = ranges[number].range(values) else { return false }
      range = range.intersection(other)
      number += 1
    }
    let (word, wordCount) = (shape.components[component].word, shape.components[component].wordCount)
    if range.isLong(wordCount: wordCount) {
      // Of several ranges one would have to tell whose text an end is.
      guard ranges.count == 1 else { return false }
      bounds.setText(texts, ranges[0])
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
    return true
  }
}

extension Plan {
  /// How many rows a scan that ends with the first rows is taken to look at.
  fileprivate func rowsScanned(_ table: Table, limit: Int) -> Double {
    Double(table.count) * min(1, Double(limit) / max(rows, 1))
  }
}
