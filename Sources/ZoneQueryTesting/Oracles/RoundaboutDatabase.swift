internal import PredicateSyntax
internal import ZoneQuery

/// Records that came into a database in a roundabout way: by loads and saves in another order, stored wrongly first,
/// deleted and stored again, beside batches that failed, while indexes were added and dropped.
struct RoundaboutDatabase {
  let database: Database
  /// What the database must hold in the end.
  let records: [Record]
  /// Whether there are so many records that posting lists are kept in blocks.
  let isThrong: Bool
  /// The records that the others have their values of.
  private let originals: [Record]
  /// The lists whose members a throng may be asked for.
  private let lists: [String]
  private let recordType: RecordType
  /// The fields that the case's predicate names, for indexes that it can use.
  private let named: [String]

  /// Draws a way for the records of a case, sometimes with many more like them beside.
  init(
    _ testCase: FuzzCase, _ random: inout SeededRandom, throngs: (part: Int, whole: Int) = (1, 48)
  ) throws(ZoneQueryError) {
    recordType = testCase.recordType
    named = testCase.predicate.keyNames
    // A case made smaller may hold two records of one ID; only one of them is stored in the end.
    var known: Set<RecordID> = []
    originals = testCase.records.filter { known.insert($0.recordID).inserted }
    lists = recordType.fields.filter { field in
      switch field.type.scalar {
      case .string, .int64, .timestamp: field.type.isList && !field.isEncrypted
      default: false
      }
    }.map(\.name)
    isThrong = !lists.isEmpty && !originals.isEmpty && random.chance(throngs.part, of: throngs.whole)
    let others =
      isThrong
      ? RoundaboutDatabase.throng(originals, &random)
      : RoundaboutDatabase.crowd(originals, random.one(of: 0, 0, 0, 0, 0, 0, 0, 3, 3, 14), &random)
    records = originals + others
    var empty = testCase
    empty.records = []
    database = try empty.database()
    for record in records where !database.zoneIDs.contains(record.recordID.zoneID) {
      try database.createZone(record.recordID.zoneID)
    }
    try fill(&random)
  }

  /// So many times more records of the same zones, each with values of several of them.
  private static func crowd(_ records: [Record], _ times: Int, _ random: inout SeededRandom) -> [Record] {
    var known = Set(records.map(\.recordID))
    var crowd: [Record] = []
    for turn in 0..<times {
      for (index, record) in records.enumerated() {
        let zone = record.recordID.zoneID
        var other = Record(
          recordType: record.recordType,
          recordID: RecordID(recordName: "z\(turn)-\(index)-\(random.below(1_000))", zoneID: zone))
        mix(&other, records.filter { $0.recordID.zoneID == zone }, &random)
        if known.insert(other.recordID).inserted { crowd.append(other) }
      }
    }
    return crowd
  }

  /// Many records of one zone, which have some of the records' values far more often than others: posting lists whose
  /// lengths differ much, in blocks of every kind.
  private static func throng(_ records: [Record], _ random: inout SeededRandom) -> [Record] {
    guard let first = random.pick(records) else { return [] }
    let zone = first.recordID.zoneID
    let peers = random.shuffled(records)
    var names: [String] = []
    for name in peers.flatMap(\.fieldNames) where !names.contains(where: { sameBytes($0, name) }) { names.append(name) }
    func peer(_ random: inout SeededRandom) -> Record {
      peers[Int(random.fraction() * random.fraction() * random.fraction() * Double(peers.count))]
    }
    return (0..<400 + random.below(1_000)).map { index in
      var other = Record(recordType: first.recordType, recordID: RecordID(recordName: "y\(index)", zoneID: zone))
      for name in names {
        let example = peer(&random)
        // References stay in their zone.
        if example.recordID.zoneID == zone || !(example[name]?.isReference ?? false) { other[name] = example[name] }
        if let value = other[name], let more = peer(&random)[name] { other[name] = value.followed(by: more) }
      }
      other.creationDate = peer(&random).creationDate
      other.modificationDate = peer(&random).modificationDate
      other.creatorUserRecordID = first.creatorUserRecordID
      other.lastModifiedUserRecordID = peer(&random).lastModifiedUserRecordID
      return other
    }
  }

  /// Predicates that ask for two members of a list of a throng, one of which may be as rare as they come.
  func pairsOfMembers(_ random: inout SeededRandom) -> [PredicateNode] {
    var predicates: [PredicateNode] = []
    for _ in 0..<32 where predicates.count < 20 {
      guard let list = random.pick(lists),
        let rare = random.pick(PredicateGenerator.literals(random.pick(originals)?[list])),
        let common = random.pick(PredicateGenerator.literals(random.pick(records)?[list]))
      else { continue }
      let members = ListNode([rare, common].map { .literal(LiteralNode($0)) })
      predicates.append(.comparison(ComparisonNode(.all, .list(members), .in, .key(KeyNode(list)))))
    }
    return predicates
  }

  /// Gives a record values of others of its zone.
  private static func mix(_ record: inout Record, _ peers: [Record], _ random: inout SeededRandom) {
    for name in peers.flatMap(\.fieldNames) where record[name] == nil {
      record[name] = random.pick(peers)?[name]
    }
    guard let peer = random.pick(peers) else { return }
    record.creationDate = peer.creationDate
    record.modificationDate = random.pick(peers)?.modificationDate
    record.creatorUserRecordID = peer.creatorUserRecordID
    record.lastModifiedUserRecordID = peer.lastModifiedUserRecordID
  }

  private func fill(_ random: inout SeededRandom) throws(ZoneQueryError) {
    // Where slots come in their order, lists are filled from their ends alone.
    var pending = isThrong && random.chance(1, of: 2) ? records : random.shuffled(records)
    var stored: [Record] = []
    // What comes between is not to go on for ever.
    var detours = 8
    while !pending.isEmpty {
      if detours > 0, random.chance(1, of: 2) {
        detours -= 1
        switch random.below(5) {
        case 0, 1: changeIndexes(of: recordType, &random)
        case 2: try store(some(pending, &random).map { wrong($0, &random) }, &random)
        case 3: fail(some(pending + stored, &random), &random)
        default:
          let doomed = some(stored, &random)
          for record in doomed { try database.deleteRecord(withID: record.recordID) }
          let ids = Set(doomed.map(\.recordID))
          stored.removeAll { ids.contains($0.recordID) }
          pending += doomed
        }
        continue
      }
      let batch = random.chance(1, of: 3) ? pending : some(pending, &random)
      try store(batch, &random)
      stored += batch
      let ids = Set(batch.map(\.recordID))
      pending.removeAll { ids.contains($0.recordID) }
    }
    for _ in 0...random.below(3) { changeIndexes(of: recordType, &random) }
    // A list that the predicate asks for, with what no record lacks.
    let lists = recordType.fields.filter { $0.type.isList && !$0.isEncrypted }.map(\.name)
    let asked = lists.filter { name in named.contains { sameBytes($0, name) } }
    if isThrong {
      for name in lists + ["allTokens"] {
        try? database.addIndex(IndexDefinition(recordType: recordType.name, keys: [name]))
      }
    }
    if random.chance(2, of: 3), let list = random.pick(asked) {
      try? database.addIndex(IndexDefinition(recordType: recordType.name, keys: [list, "modificationDate"]))
    }
  }

  private func some(_ records: [Record], _ random: inout SeededRandom) -> [Record] {
    let start = random.below(records.count)
    return records.isEmpty ? [] : Array(records[start..<min(records.count, start + 1 + random.below(12))])
  }

  /// The record with values of others.
  func wrong(_ record: Record, _ random: inout SeededRandom) -> Record {
    var wrong = Record(recordType: record.recordType, recordID: record.recordID)
    RoundaboutDatabase.mix(&wrong, originals.filter { $0.recordID.zoneID == record.recordID.zoneID }, &random)
    return wrong
  }

  /// Stores records, by a load, a save, or one at a time.
  func store(_ batch: [Record], _ random: inout SeededRandom) throws(ZoneQueryError) {
    // A save asks for the parents, a load does not.
    let isSaved = random.chance(1, of: 2) && batch.allSatisfy { $0.parent == nil } && batch.count <= 300
    if !isSaved {
      _ = try database.load(batch)
    } else if random.chance(1, of: 2) {
      for record in batch { _ = try database.save(record, policy: .replace) }
    } else {
      for result in try database.save(batch, policy: .replace) { _ = try result.get() }
    }
  }

  /// A batch that fails after its first records, in zones that take all or none.
  private func fail(_ batch: [Record], _ random: inout SeededRandom) {
    guard let zone = batch.first(where: { !$0.recordID.zoneID.isDefault })?.recordID.zoneID else { return }
    let part = batch.filter { $0.recordID.zoneID == zone }.map { wrong($0, &random) }
    let refused = Record(recordType: "Unknown", recordID: RecordID(recordName: "refused", zoneID: zone))
    if random.chance(1, of: 2) {
      _ = try? database.load(part + [refused])
    } else {
      _ = try? database.modify(
        saving: part + [refused], deleting: part.prefix(1).map(\.recordID), policy: .replace)
    }
  }

  /// Adds an index or drops one.
  func changeIndexes(of type: RecordType, _ random: inout SeededRandom) {
    if random.chance(1, of: 3), let index = random.pick(database.indexes(of: type.name)) {
      try? database.dropIndex(index)
      return
    }
    let fields = type.fields.filter { !$0.isEncrypted }
    let ordered = fields.filter {
      switch $0.type.scalar {
      case .string, .int64, .double, .timestamp: true
      default: false
      }
    }
    // What may stand first alone.
    let leads =
      fields.filter { $0.type.isList || $0.type.scalar == .reference }.map(\.name) + ["parent", "creatorUserRecordID"]
    let system = ["creationDate", "modificationDate"]
    let scalars = ordered.filter { !$0.type.isList }.map(\.name) + system
    // What cannot stand in an index is refused, which changes nothing.
    switch random.below(4) {
    case 0:
      let key = random.chance(1, of: 4) ? "recordID" : random.pick(fields)?.name ?? "x"
      try? database.addIndex(IndexDefinition(recordType: type.name, keys: [key]))
    case 1: try? database.addIndex(IndexDefinition(recordType: type.name, keys: ["allTokens"]))
    default:
      let lead = random.chance(1, of: 2) ? pick(leads, &random) : pick(scalars, &random)
      // A record that lacks one of the fields keeps an index from answering; none lacks the system's.
      let pool = random.shuffled((random.chance(1, of: 2) ? scalars : system).filter { !sameBytes($0, lead ?? "") })
      let others = (random.chance(1, of: 2) ? pool.filter(isNamed) + pool.filter { !isNamed($0) } : pool)
        .prefix(random.one(of: 1, 1, 2))
      let last = random.chance(1, of: 4) ? ["recordID"] : []
      try? database.addIndex(IndexDefinition(recordType: type.name, keys: (lead.map { [$0] } ?? []) + others + last))
    }
  }

  /// Whether the predicate has a name too.
  private func isNamed(_ name: String) -> Bool { named.contains { sameBytes($0, name) } }

  /// One of the names, more often one that the predicate has too.
  private func pick(_ names: [String], _ random: inout SeededRandom) -> String? {
    let useful = names.filter(isNamed)
    return random.pick(useful.isEmpty || random.chance(1, of: 4) ? names : useful)
  }
}

extension PredicateNode {
  /// The names of the keys, some more than once.
  var keyNames: [String] {
    switch self {
    case .constant: []
    case .not(let node): node.operand.keyNames
    case .and(let node), .or(let node): node.parts.flatMap(\.keyNames)
    case .comparison(let node): [node.left, node.right].compactMap(\.keyName)
    }
  }
}

extension ExpressionNode {
  /// The name of the key, or of that which a function has for its first argument.
  fileprivate var keyName: String? {
    switch self {
    case .key(let node): node.name
    case .function(let node): node.arguments.lazy.compactMap(\.keyName).first
    default: nil
    }
  }
}

extension FieldValue {
  fileprivate var isReference: Bool {
    switch self {
    case .reference, .referenceList: true
    default: false
    }
  }

  /// A list with another's members behind its own, so that members meet which no drawn record has both.
  fileprivate func followed(by other: FieldValue) -> FieldValue {
    switch (self, other) {
    case (.stringList(let own), .stringList(let more)): .stringList(own + more)
    case (.int64List(let own), .int64List(let more)): .int64List(own + more)
    case (.timestampList(let own), .timestampList(let more)): .timestampList(own + more)
    default: self
    }
  }
}
