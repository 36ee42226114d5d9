internal import PredicateSyntax
internal import ZoneQuery

/// The way the records came in leaves no trace in what is found.
struct OrderOfInsertionOracle: Oracle {
  let name = "insertion"
  let summary = "Records loaded in another order, or deleted and saved again, are found alike."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    let predicate = subject.testCase.predicate
    var random = subject.random
    let plain = try subject.found(predicate)
    // Children come after their parents wherever they stand, so order is free.
    let shuffled = random.shuffled(subject.records)
    let doomed = shuffled.filter { _ in random.chance(1, of: 3) }
    let other = try subject.answer("loading in another order") { () throws(ZoneQueryError) in
      try subject.testCase.database(loading: shuffled)
    }
    try expect(
      sameTexts(try subject.found(predicate, in: other), plain), "loaded in another order, other records are found")
    // A record that others belong to cannot go before them.
    let leaves = doomed.filter { leaf in
      !subject.records.contains { $0.parent?.recordID == leaf.recordID }
        && !subject.records.contains { record in
          record.fields.contains { $0.value.references(leaf.recordID) }
        }
    }
    let gone = Set(leaves.map(\.recordID))
    let remaining = plain.filter { name in !leaves.contains { sameBytes($0.recordID.description, name) } }
    try subject.answer("deleting and saving again") { () throws(ZoneQueryError) in
      for id in gone.sorted(by: { precedes($0.description, $1.description) }) { _ = try other.deleteRecord(withID: id) }
    }
    try expect(
      sameTexts(try subject.found(predicate, in: other), remaining), "deleted records are found, or others lost")
    try subject.answer("deleting and saving again") { () throws(ZoneQueryError) in _ = try other.load(leaves) }
    try expect(
      sameTexts(try subject.found(predicate, in: other), plain), "deleted and saved again, other records are found")
    return 3
  }
}

extension FieldValue {
  fileprivate func references(_ id: RecordID) -> Bool {
    switch self {
    case .reference(let reference): reference.recordID == id
    case .referenceList(let references): references.contains { $0.recordID == id }
    default: false
    }
  }
}

/// A query over all zones finds what the queries of each zone find.
struct ZoneOracle: Oracle {
  let name = "zones"
  let summary = "All zones together give the union of each, and the sum of their counts."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    let query = subject.query(subject.testCase.predicate)
    var union: [String] = []
    var count = 0
    for zone in subject.database.zoneIDs {
      let page = try subject.page(query, in: subject.database, zone: zone)
      try expect(page.records.allSatisfy { $0.recordID.zoneID == zone }, "a record of another zone than \(zone) came")
      union += page.records.map(\.recordID.description)
      count += try subject.answer("count") { () throws(ZoneQueryError) in
        try subject.database.count(matching: query, inZoneWith: zone)
      }
    }
    let all = try subject.found(query.predicate.root)
    try expect(sameTexts(union.sorted(by: precedes), all), "the zones give \(union), all together \(all)")
    try expect(count == all.count, "the zones count \(count), all together are \(all.count)")
    return 2
  }
}

/// A sorted answer is the naive sort of what the predicate finds; a limited one is its beginning.
struct SortOracle: Oracle {
  let name = "sort"
  let summary = "A sorted answer is in the one order the descriptors leave, and a limit gives its beginning."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    var random = subject.random
    let predicate = subject.testCase.predicate
    let found = try subject.page(subject.query(predicate), in: subject.database).records
    let order = NaiveOrder.random(for: subject.testCase, &random)
    let query = subject.query(predicate, sort: order.keys)
    let sorted = try subject.page(query, in: subject.database).records
    func names(_ records: some Sequence<Record>) -> [String] { records.map(\.recordID.description) }
    if let expected = order.sorted(found) {
      try expect(
        sameTexts(names(sorted), names(expected)),
        "sorted by \(order) came \(names(sorted)), not \(names(expected))")
    } else {
      try expect(
        Set(sorted.map(\.recordID)) == Set(found.map(\.recordID)) && sorted.count == found.count,
        "sorting by \(order) changed what is found")
    }
    var checks = 1
    for limit in [1, random.below(found.count + 2) + 1, found.count + 1] {
      let page = try subject.page(query, in: subject.database, limit: limit)
      try expect(
        sameTexts(names(page.records), names(sorted.prefix(limit))),
        "the first \(limit) by \(order) are \(names(page.records)), all are \(names(sorted))")
      try expect(page.hasMore == (sorted.count > limit), "hasMore is \(page.hasMore) for \(limit) of \(sorted.count)")
      let loose = try subject.page(subject.query(predicate), in: subject.database, limit: limit)
      try expect(
        loose.records.count == min(limit, found.count) && Set(loose.records).isSubset(of: Set(found))
          && loose.hasMore == (found.count > limit),
        "unsorted, the limit \(limit) gives \(names(loose.records)) of \(names(found))")
      checks += 3
    }
    return checks
  }
}

/// An order of records computed the direct way.
struct NaiveOrder: CustomStringConvertible {
  let keys: [SortKey]
  private let evaluator: NaiveEvaluator

  static func random(for testCase: FuzzCase, _ random: inout SeededRandom) -> NaiveOrder {
    let own = testCase.recordType.fields.filter { !$0.isEncrypted && !$0.type.isList }
    let sortable = own.filter {
      switch $0.type.scalar {
      case .string, .int64, .double, .timestamp, .reference: true
      case .bytes, .location, .asset: false
      }
    }
    let places = own.filter { $0.type == .location }
    let system = SystemField.allCases.filter { $0 != .changeTag }
    var keys: [SortKey] = []
    for _ in 0..<random.one(of: 1, 1, 2, 3) {
      let isSystem = sortable.isEmpty || random.chance(1, of: 5)
      if let place = random.pick(places), random.chance(1, of: 6) {
        keys.append(.distance(place.name, from: ValueGenerator().place(&random)))
      } else if let name = isSystem ? random.pick(system)?.key : random.pick(sortable)?.name {
        keys.append(random.chance(1, of: 2) ? .ascending(name) : .descending(name))
      }
    }
    return NaiveOrder(keys: keys, evaluator: testCase.evaluator)
  }

  var description: String {
    keys.map { "\($0.key) \($0.origin.map { "from \($0.latitude), \($0.longitude)" } ?? $0.order.rawValue)" }
      .joined(separator: ", ")
  }

  /// The records in order; nil where two distances lie too close to tell.
  func sorted(_ records: [Record]) -> [Record]? {
    var isTold = true
    let sorted = records.sorted { left, right in
      for key in keys {
        let order = compare(left, right, key)
        if order == 2 { isTold = false }
        if order == -1 || order == 1 { return order == -1 }
      }
      let (a, b) = (left.recordID, right.recordID)
      for (x, y) in [
        (a.recordName, b.recordName), (a.zoneID.zoneName, b.zoneID.zoneName), (a.zoneID.ownerName, b.zoneID.ownerName),
      ] where !sameBytes(x, y) {
        return precedes(x, y)
      }
      return false
    }
    return isTold ? sorted : nil
  }

  /// −1, 0 or 1; 2 where it cannot be told.
  private func compare(_ left: Record, _ right: Record, _ key: SortKey) -> Int {
    func value(_ record: Record) -> NaiveValue {
      evaluator.value(of: .key(KeyNode(key.key)), record)
    }
    let (a, b) = (value(left), value(right))
    if let origin = key.origin {
      // Records without a place come last.
      switch (a, b) {
      case (.place(let a), .place(let b)):
        if a.latitude == b.latitude && a.longitude == b.longitude { return 0 }
        let (a, b) = (ReferenceDistance.bounds(origin, a), ReferenceDistance.bounds(origin, b))
        if a.upperBound < b.lowerBound { return -1 }
        if b.upperBound < a.lowerBound { return 1 }
        return a.lowerBound == a.upperBound && a == b ? 0 : 2
      case (.place, _): return -1
      case (_, .place): return 1
      default: return 0
      }
    }
    let ascending: Int
    switch (a, b) {
    case (.missing, .missing): ascending = 0
    case (.missing, _): ascending = -1
    case (_, .missing): ascending = 1
    case (.record(let a), .record(let b)):
      // By zone, then by name.
      let parts = [
        (a.zoneID.zoneName, b.zoneID.zoneName), (a.zoneID.ownerName, b.zoneID.ownerName), (a.recordName, b.recordName),
      ]
      ascending = parts.first { !sameBytes($0.0, $0.1) }.map { precedes($0.0, $0.1) ? -1 : 1 } ?? 0
    case (.text(let a), .text(let b)): ascending = sameBytes(a, b) ? 0 : precedes(a, b) ? -1 : 1
    default:
      if evaluator.compare(a, .less, [], b) == .yes {
        ascending = -1
      } else if evaluator.compare(a, .greater, [], b) == .yes {
        ascending = 1
      } else {
        ascending = 0
      }
    }
    return key.order == .ascending ? ascending : -ascending
  }
}

/// A query that asks for some fields returns those fields of the same records.
struct DesiredKeysOracle: Oracle {
  let name = "desired-keys"
  let summary = "Asking for some fields returns the same records with those fields alone."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    var random = subject.random
    let query = subject.query(subject.testCase.predicate, sort: [.ascending("recordID")])
    let whole = try subject.page(query, in: subject.database).records
    let keys = subject.testCase.recordType.fields.map(\.name).filter { _ in random.chance(1, of: 2) }
    let parts = try subject.page(query, in: subject.database, desiredKeys: keys).records
    try expect(parts.map(\.recordID) == whole.map(\.recordID), "other records come for the keys \(keys)")
    for (part, record) in zip(parts, whole) {
      for (name, value) in record.fields {
        let isWanted = keys.contains { sameBytes($0, name) }
        try expect(
          part[name] == (isWanted ? value : nil), "of \(record.recordID), \(name) is \(String(describing: part[name]))")
      }
      try expect(
        part.creationDate == record.creationDate && part.changeTag == record.changeTag && part.parent == record.parent,
        "the system fields of \(record.recordID) differ")
    }
    return whole.count + 1
  }
}
