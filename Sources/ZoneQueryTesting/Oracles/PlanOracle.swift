internal import PredicateSyntax
internal import ZoneQuery

/// Whatever plan answers a query, from whatever indexes, over records that came in whatever way: the answer is that of
/// looking at every row.
struct PlanOracle: Oracle {
  let name = "plans"
  let summary =
    "The planner's plan, every plan considered, pages, count and a prepared query find what looking at each row finds."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    var random = subject.random
    // What costs a hundred times the other rules is asked of fewer predicates, so that these come to more.
    guard random.chance(1, of: 2) else { return 0 }
    let world = try subject.answer("storing the records in a roundabout way") { () throws(ZoneQueryError) in
      try RoundaboutDatabase(subject.testCase, &random)
    }
    var checks = try checkRecords(world, subject)
    let zones = world.database.zoneIDs
    // Over many records a turn takes as long as many over few.
    for turn in 0..<(world.isThrong ? 2 : 5) {
      let keys = turn == 0 ? [] : turn == 1 ? [SortKey.ascending("recordID")] : order(subject, &random)
      let zone = random.chance(1, of: 2) ? nil : random.pick(zones)
      let comparison = Comparison(subject, world.database, subject.query(subject.testCase.predicate, sort: keys), zone)
      checks += try comparison.run(&random)
    }
    if world.isThrong {
      for predicate in world.pairsOfMembers(&random) {
        checks += try Comparison(subject, world.database, subject.query(predicate), nil).runPlans()
      }
    }
    return checks + (try checkPagesBesideWrites(world, subject, &random))
  }

  private func order(_ subject: OracleSubject, _ random: inout SeededRandom) -> [SortKey] {
    NaiveOrder.random(for: subject.testCase, &random).keys
  }

  /// The database holds the records, each with its fields, and no others.
  private func checkRecords(_ world: RoundaboutDatabase, _ subject: OracleSubject) throws(OracleFailure) -> Int {
    let checked = world.isThrong ? Array(world.records.suffix(40)) : world.records
    for record in checked {
      let stored = try subject.answer("fetching \(record.recordID)") { () throws(ZoneQueryError) in
        try world.database.record(for: record.recordID)
      }
      try expect(
        stored.fieldNames.count == record.fieldNames.count
          && record.fields.allSatisfy { field in stored[field.name] == field.value },
        "\(record.recordID) is stored otherwise: \(stored.fields), not \(record.fields)")
    }
    let count = try subject.answer("counting") { () throws(ZoneQueryError) in
      try world.database.count(recordType: subject.testCase.recordType.name)
    }
    try expect(count == world.records.count, "there are \(count) records of \(world.records.count)")
    return checked.count + 1
  }

  /// A record that does not change while someone pages comes once.
  private func checkPagesBesideWrites(
    _ world: RoundaboutDatabase, _ subject: OracleSubject, _ random: inout SeededRandom
  ) throws(OracleFailure) -> Int {
    let keys = random.chance(1, of: 2) ? [] : order(subject, &random)
    let query = subject.query(subject.testCase.predicate, sort: keys)
    let touched = world.records.filter { $0.parent == nil && random.chance(1, of: 3) }
    let moving = Set(touched.map(\.recordID))
    let whole = try subject.page(query, in: world.database).records.map(\.recordID)
    let limit = 1 + random.below(max(1, whole.count))
    var page = try subject.page(query, in: world.database, limit: limit)
    var found = page.records.map(\.recordID)
    var checks = 0
    while let cursor = page.cursor {
      try subject.answer("writing between pages") { () throws(ZoneQueryError) in
        if let record = random.pick(touched) {
          if random.chance(1, of: 3) {
            _ = try? world.database.deleteRecord(withID: record.recordID)
          } else {
            try world.store([world.wrong(record, &random)], &random)
          }
        }
      }
      // A query without a sort may follow an index, and ends with it.
      if !keys.isEmpty, random.chance(1, of: 4) { world.changeIndexes(of: subject.testCase.recordType, &random) }
      page = try subject.answer("a cursor beside writes") { () throws(ZoneQueryError) in
        try world.database.records(continuingMatchFrom: cursor, resultsLimit: limit)
      }
      found += page.records.map(\.recordID)
      checks += 1
      try expect(checks <= 4 * world.records.count + 8, "pages do not end")
    }
    let still = found.filter { !moving.contains($0) }
    let expected = whole.filter { !moving.contains($0) }
    try expect(
      keys.isEmpty ? still.count == Set(still).count && Set(still) == Set(expected) : still == expected,
      "beside writes, pages of \(limit) by \(keys.map(\.key)) give \(still) of what stays, not \(expected)")
    return checks + 1
  }
}

/// One query, answered in all ways there are.
private struct Comparison {
  let subject: OracleSubject
  let database: Database
  let query: Query
  let zone: ZoneID?

  init(_ subject: OracleSubject, _ database: Database, _ query: Query, _ zone: ZoneID?) {
    self.subject = subject
    self.database = database
    self.query = query
    self.zone = zone
  }

  func run(_ random: inout SeededRandom) throws(OracleFailure) -> Int {
    let prepared = try ask("prepare") { () throws(ZoneQueryError) in
      try database.prepare(query, inZoneWith: zone)
    }
    let scanned = try ask("scan") { () throws(ZoneQueryError) in try prepared.answer(forcing: .scan) }
    let whole = scanned.ids
    subject.plans.add(scanned.notes.kinds)
    let limit = 1 + random.below(whole.count + 2)
    // The planner's own choice.
    try expectWhole(try page(.max).records.map(\.recordID), whole, "the plan")
    try expectFirst(try page(limit), limit, whole, "the plan")
    try expectCount(try ask("count") { () throws(ZoneQueryError) in try prepared.count() }, whole, "the plan")
    var checks = 3
    // Each plan there was, with a limit and without.
    let most = try forced(.considered(0), .max, prepared, whole)
    for number in 1..<max(1, most) { _ = try forced(.considered(number), .max, prepared, whole) }
    let mostLimited = try forced(.considered(0), limit, prepared, whole)
    for number in 1..<max(1, mostLimited) { _ = try forced(.considered(number), limit, prepared, whole) }
    checks += max(1, most) + max(1, mostLimited)
    if query.sort.isEmpty {
      var (number, kinds) = (0, 1)
      while number < kinds {
        let counted = try ask("count by plan \(number)") { () throws(ZoneQueryError) in
          try prepared.count(forcing: .considered(number))
        }
        try expectCount(counted.count, whole, "plan \(number)")
        kinds = counted.notes.most
        number += 1
        checks += 1
      }
    }
    checks += try pages(limit, whole)
    return checks + (try parameters(whole, limit, &random))
  }

  /// The whole answer by each plan there is, and nothing else.
  func runPlans() throws(OracleFailure) -> Int {
    let prepared = try ask("prepare") { () throws(ZoneQueryError) in try database.prepare(query, inZoneWith: zone) }
    let whole = try ask("scan") { () throws(ZoneQueryError) in try prepared.answer(forcing: .scan) }.ids
    let most = max(1, try forced(.considered(0), .max, prepared, whole))
    for number in 1..<most { _ = try forced(.considered(number), .max, prepared, whole) }
    return most
  }

  /// The answer by a forced plan; how many there are to force.
  private func forced(
    _ plan: ForcedPlan, _ limit: Int, _ prepared: PreparedQuery, _ whole: [RecordID]
  ) throws(OracleFailure) -> Int {
    let answer = try ask("\(plan)") { () throws(ZoneQueryError) in
      try prepared.answer(forcing: plan, resultsLimit: limit)
    }
    if limit == .max {
      try expectWhole(answer.ids, whole, "\(plan)")
    } else {
      try expectFirst(answer.ids, answer.hasMore, limit, whole, "\(plan)")
    }
    return answer.notes.most
  }

  private func pages(_ limit: Int, _ whole: [RecordID]) throws(OracleFailure) -> Int {
    var page = try page(limit)
    var found = page.records.map(\.recordID)
    var checks = 1
    while let cursor = page.cursor {
      page = try ask("a cursor") { () throws(ZoneQueryError) in
        try database.records(continuingMatchFrom: cursor, resultsLimit: limit)
      }
      guard !page.records.isEmpty, found.count < whole.count else {
        throw OracleFailure("\(words): a page of \(limit) behind \(found) of \(whole) is empty or too many")
      }
      found += page.records.map(\.recordID)
      checks += 1
    }
    try expectWhole(found, whole, "pages of \(limit)")
    return checks
  }

  /// The constants given as parameters.
  private func parameters(
    _ whole: [RecordID], _ limit: Int, _ random: inout SeededRandom
  ) throws(OracleFailure) -> Int {
    var parameterised = ParameterisedPredicate(random: random)
    var query = query
    query.predicate = QueryPredicate(parameterised.parameterised(self.query.predicate.root))
    random = parameterised.random
    if parameterised.values.isEmpty { return 0 }
    let values = parameterised.values
    let others = values.mapValues { ParameterisedPredicate.other($0.predicateArgument) }
    let (ids, counted, first) = try ask("the parameters of \(query.predicate)") { () throws(ZoneQueryError) in
      let prepared = try database.prepare(query, inZoneWith: zone)
      // What a run with other values leaves behind is not to show.
      _ = try? prepared.count(others)
      var ids: [RecordID] = []
      try prepared.forEachRecord(values) { ids.append($0.recordID) }
      return (ids, try prepared.count(values), try prepared.records(values, resultsLimit: limit))
    }
    try expectWhole(ids, whole, "with parameters")
    try expectCount(counted, whole, "with parameters")
    try expectFirst(first, limit, whole, "with parameters")
    return 3
  }

  private func page(_ limit: Int) throws(OracleFailure) -> QueryPage {
    try subject.page(query, in: database, zone: zone, desiredKeys: [], limit: limit)
  }

  // MARK: Comparing

  /// What was asked, and of which indexes.
  private var words: String {
    let sort = query.sort.map { "\($0.key) \($0.order.rawValue)" }.joined(separator: ", ")
    let indexes = database.indexes(of: query.recordType).map(\.name).joined(separator: "; ")
    return "\(query.predicate) in \(zone.map { "\($0)" } ?? "all zones"), sorted by [\(sort)], indexes [\(indexes)]"
  }

  private func ask<Answer>(
    _ name: String, _ call: () throws(ZoneQueryError) -> Answer
  ) throws(OracleFailure) -> Answer {
    do throws(ZoneQueryError) {
      return try call()
    } catch {
      throw OracleFailure("\(words): \(name) was refused: \(error.message) \(error)")
    }
  }

  private func expectWhole(_ ids: [RecordID], _ whole: [RecordID], _ way: String) throws(OracleFailure) {
    let isSame =
      query.sort.isEmpty ? ids.count == whole.count && Set(ids) == Set(whole) : ids == whole
    if !isSame { throw OracleFailure("\(words): \(way) finds \(ids), the scan \(whole)") }
  }

  private func expectFirst(
    _ page: QueryPage, _ limit: Int, _ whole: [RecordID], _ way: String
  ) throws(OracleFailure) {
    try expectFirst(page.records.map(\.recordID), page.cursor != nil, limit, whole, way)
  }

  private func expectFirst(
    _ ids: [RecordID], _ hasMore: Bool, _ limit: Int, _ whole: [RecordID], _ way: String
  ) throws(OracleFailure) {
    let isRight =
      query.sort.isEmpty
      ? ids.count == min(limit, whole.count) && Set(ids).count == ids.count && Set(ids).isSubset(of: whole)
      : ids.elementsEqual(whole.prefix(limit))
    if !isRight || hasMore != (whole.count > limit) {
      throw OracleFailure(
        "\(words): \(way) finds as the first \(limit) \(ids), more \(hasMore), the scan \(whole)")
    }
  }

  private func expectCount(_ count: Int, _ whole: [RecordID], _ way: String) throws(OracleFailure) {
    if count != whole.count { throw OracleFailure("\(words): \(way) counts \(count), the scan \(whole)") }
  }
}

/// A predicate with parameters in the places of constants.
private struct ParameterisedPredicate {
  var random: SeededRandom
  var values: [String: any PredicateArgument] = [:]

  /// A value as a predicate holds it.
  private struct Value: PredicateArgument {
    let predicateArgument: ArgumentValue
  }

  init(random: SeededRandom) { self.random = random }

  /// Another value of the type.
  static func other(_ value: ArgumentValue) -> any PredicateArgument { Value(predicateArgument: different(value)) }

  private static func different(_ value: ArgumentValue) -> ArgumentValue {
    switch value {
    case .literal(.integer(let number)): .literal(.integer(number &+ 1))
    case .literal(.string(let text)): .literal(.string(text + "a"))
    case .literal(.date(let milliseconds)): .literal(.date(milliseconds: milliseconds &+ 1))
    case .list(let values): .list(values.map(different))
    case .literal, .unsupported: value
    }
  }

  mutating func parameterised(_ node: PredicateNode) -> PredicateNode {
    switch node {
    case .constant: return node
    case .not(let not): return .not(NotNode(parameterised(not.operand)))
    case .and(let compound): return .and(CompoundNode(parts: parameterised(compound.parts)))
    case .or(let compound): return .or(CompoundNode(parts: parameterised(compound.parts)))
    case .comparison(var comparison):
      comparison.left = operand(comparison.left)
      comparison.right = operand(comparison.right)
      return .comparison(comparison)
    }
  }

  private mutating func parameterised(_ parts: [PredicateNode]) -> [PredicateNode] {
    var results: [PredicateNode] = []
    for part in parts { results.append(parameterised(part)) }
    return results
  }

  private mutating func operand(_ node: ExpressionNode) -> ExpressionNode {
    switch node {
    case .literal(let literal):
      if case .null = literal.value { return node }
      return random.chance(3, of: 4) ? variable(.literal(literal.value)) : node
    case .list(let list):
      var members: [ArgumentValue] = []
      for element in list.elements {
        guard case .literal(let literal) = element, literal.value != .null else { return node }
        members.append(.literal(literal.value))
      }
      if random.chance(1, of: 2) { return variable(.list(members)) }
      var elements: [ExpressionNode] = []
      for element in list.elements { elements.append(operand(element)) }
      return .list(ListNode(elements))
    case .function(let call) where call.function == .distance:
      var arguments = call.arguments
      for index in arguments.indices { arguments[index] = operand(arguments[index]) }
      return .function(FunctionNode(call.function, arguments))
    default: return node
    }
  }

  private mutating func variable(_ value: ArgumentValue) -> ExpressionNode {
    let name = "p\(values.count)"
    values[name] = Value(predicateArgument: value)
    return .variable(VariableNode(name))
  }
}

/// What the planner expects to find.
struct EstimateOracle: Oracle {
  let name = "estimates"
  let summary = "A condition more never raises the number of records expected above what is expected or found without."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    var random = subject.random
    let predicate = subject.testCase.predicate
    guard case .and(let compound) = predicate, compound.parts.count > 1 else { return 0 }
    let all = try estimate(predicate, subject)
    try expect(
      all.estimate >= 0 && all.estimate <= Double(subject.records.count) + 0.001,
      "\(all.estimate) of \(subject.records.count) are expected")
    var checks = 1
    for index in compound.parts.indices {
      var fewer = compound.parts
      fewer.remove(at: index)
      if fewer.count > 2, random.chance(1, of: 2) { fewer.removeLast() }
      let part = try estimate(.all(of: fewer), subject)
      // Where no index tells, the share of rows is a guess, and may lie below what an index tells of more conditions; and
      // the planner takes a path of fewer than eight entries of a zone without a look at the others.
      try expect(
        all.estimate <= max(part.estimate, Double(part.count)) * 1.001 + 8 * Double(subject.database.zoneIDs.count),
        "\(all.estimate) are expected of \(predicate.predicateFormat), \(part.estimate) of all but part \(index), "
          + "of which there are \(part.count)")
      // What cannot be is seen before any share is asked for.
      try expect(
        all.estimate == 0 || all.product <= part.product * 1.001 + 0.001,
        "the shares of \(predicate.predicateFormat) make \(all.product) rows, of all but part \(index) \(part.product)")
      checks += 2
    }
    return checks
  }

  private func estimate(
    _ predicate: PredicateNode, _ subject: OracleSubject
  ) throws(OracleFailure) -> (estimate: Double, product: Double, count: Int) {
    try subject.answer("the estimate of \(predicate.predicateFormat)") { () throws(ZoneQueryError) in
      let prepared = try subject.database.prepare(subject.query(predicate))
      return (try prepared.estimate(), try prepared.estimate(forcing: .scan), try prepared.count())
    }
  }
}
