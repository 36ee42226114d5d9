internal import PredicateSyntax
internal import ZoneQuery

/// Query and count find what the naive evaluator finds.
struct EvaluatorOracle: Oracle {
  let name = "evaluator"
  let summary = "Query and count find the records that the naive evaluator finds."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    let predicate = subject.testCase.predicate
    let found = Set(try subject.page(subject.query(predicate), in: subject.database).records.map(\.recordID))
    var checks = 0
    let evaluator = subject.testCase.evaluator
    for record in subject.records {
      let truth = evaluator.truth(of: predicate, for: record)
      if truth == .undecided { continue }
      checks += 1
      try expect(
        (truth == .yes) == found.contains(record.recordID),
        "the evaluator says \(truth.rawValue) of \(record.recordID), the query "
          + (found.contains(record.recordID) ? "finds it" : "does not find it"))
    }
    let count = try subject.answer("count") { () throws(ZoneQueryError) in
      try subject.database.count(matching: subject.query(predicate))
    }
    try expect(count == found.count, "count says \(count), the query finds \(found.count)")
    return checks + 1
  }
}

/// A matcher says of each record what the query says, bound to the type or to what the record shows.
struct MatcherOracle: Oracle {
  let name = "matcher"
  let summary = "A matcher says of each record what the query does, with the type known and without."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    let testCase = subject.testCase
    let found = Set(try subject.page(subject.query(testCase.predicate), in: subject.database).records.map(\.recordID))
    let predicate = QueryPredicate(testCase.predicate)
    let keys = testCase.recordType.fields.filter { $0.indexes.contains(.searchable) }.map(\.name)
    let truths = try subject.answer("the matcher") { () throws(ZoneQueryError) in
      let typed = try Matcher(predicate, for: testCase.recordType, options: testCase.options, now: testCase.now)
      let shaped = try Matcher(predicate, options: testCase.options, now: testCase.now)
      return try subject.records.map { record throws(ZoneQueryError) in
        let searchable = SearchableRecord(record: record, searchableKeys: keys)
        return (typed: try typed.matches(record), shaped: try shaped.matches(searchable))
      }
    }
    for (record, truth) in zip(subject.records, truths) {
      let isFound = found.contains(record.recordID)
      try expect(
        truth.typed == isFound && truth.shaped == isFound,
        "of \(record.recordID) the query says \(isFound), the matcher \(truth.typed), without the type \(truth.shaped)")
    }
    return subject.records.count * 2
  }

  /// A record of which only the type's searchable fields are searched for words.
  private struct SearchableRecord: KeyedFields {
    let record: Record
    let searchableKeys: [String]
    func fieldValue(forKey key: String) -> FieldValue? { record.fieldValue(forKey: key) }
  }
}

/// What p finds, what NOT p finds and what is unknown are all records, and no record twice.
struct PartitionOracle: Oracle {
  let name = "partition"
  let summary = "In the extended dialect p, NOT p and what is unknown part the records."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    let predicate = subject.testCase.predicate
    guard subject.testCase.options.dialect == .extended else { return 0 }
    let yes = Set(try subject.page(subject.query(predicate), in: subject.database).records.map(\.recordID))
    let negation = PredicateNode.not(NotNode(predicate))
    let no = Set(try subject.page(subject.query(negation), in: subject.database).records.map(\.recordID))
    for record in subject.records {
      let (isYes, isNo) = (yes.contains(record.recordID), no.contains(record.recordID))
      try expect(!(isYes && isNo), "both p and NOT p find \(record.recordID)")
      switch subject.testCase.evaluator.truth(of: predicate, for: record) {
      case .unknown: try expect(!isYes && !isNo, "\(record.recordID) is unknown, but found")
      case .yes, .no: try expect(isYes || isNo, "neither p nor NOT p finds \(record.recordID)")
      case .undecided:
        let isTwoValued = subject.testCase.options.missingFields == .likeNSPredicate
        try expect(!isTwoValued || isYes || isNo, "neither p nor NOT p finds \(record.recordID)")
      }
    }
    return subject.records.count
  }
}

/// A predicate turned so that it must hold of one record finds that record, and alone where its ID is asked for too.
struct PivotOracle: Oracle {
  let name = "pivot"
  let summary = "A predicate made to hold of a record finds it, and with its ID finds it alone."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    var random = subject.random
    guard let pivot = subject.chosen else { return 0 }
    let predicate = subject.testCase.predicate
    let isExtended = subject.testCase.options.dialect == .extended
    let wrapped: PredicateNode
    switch subject.testCase.evaluator.truth(of: predicate, for: pivot) {
    case .yes: wrapped = predicate
    case .no where isExtended: wrapped = .not(NotNode(predicate))
    default: return 0
    }
    guard case .literal(let id) = pivot.recordID.predicateArgument else { return 0 }
    let isPivot = PredicateNode.comparison(
      ComparisonNode(.key(KeyNode("recordID")), .equal, .literal(LiteralNode(id))))
    let name = pivot.recordID.description
    try expect(try subject.found(wrapped).contains { sameBytes($0, name) }, "\(name) is not found")
    let alone = try subject.found(.all(of: random.shuffled([wrapped, isPivot])))
    try expect(sameTexts(alone, [name]), "\(name) with its ID finds \(alone)")
    return 2
  }
}
