/// The keys of subscriptions as one set of statistics has them: which wait under what, and what a record asks for.
struct AccessGeneration {
  let statistics: AccessStatistics
  let buckets: EntryBuckets
  private(set) var uses = AccessUses()
  private var planner: AccessPlanner
  private(set) var codes: [UInt16] = []
  /// The slots that entries were made to look at.
  private var isAsked: [Bool]
  /// The keys of the record that is matched.
  private(set) var recordKeys: [UInt64] = []

  init(statistics: AccessStatistics, arena: WordArena, tokenFields: [FieldNumber]) {
    self.statistics = statistics
    buckets = EntryBuckets(arena: arena)
    isAsked = [Bool](repeating: false, count: statistics.codings.count)
    planner = AccessPlanner(statistics: statistics, tokenFields: tokenFields)
  }

  /// Plans a program.
  mutating func plan(_ program: PackedProgram) -> AccessPlan { planner.plan(program) }

  /// Plans a program that cannot be looked into.
  func planForEveryRecord() -> AccessPlan { planner.planForEveryRecord() }

  /// Has the codes of records made that a filter looks at.
  mutating func ask(_ filter: EntryBuckets.Filter) {
    if filter.width < EntryBuckets.codeLimit { isAsked[Int(filter.slot)] = true }
  }

  mutating func add(_ use: AccessUse) { uses.add(use) }
  mutating func remove(_ use: AccessUse) { uses.remove(use) }

  /// Adds to `candidates` the blocks under a record's keys, those of its zone among them.
  mutating func collect(
    _ record: RecordEncoding, fields: [FieldNumber], _ zone: UInt32, _ words: Words, into candidates: CandidateList
  ) {
    statistics.encode(record, fields: fields, isAsked, into: &codes)
    recordKeys.removeAll(keepingCapacity: true)
    appendKeys(of: record)
    if zone != 0 {
      for index in recordKeys.indices { recordKeys.append(statistics.hash.zoned(recordKeys[index], zone)) }
    }
    candidates.collect(recordKeys, from: buckets.table.view, words, codes: codes)
  }

  /// Appends the keys that a record has of those in use. Complexity: linear in the record and the levels in use.
  private mutating func appendKeys(of record: RecordEncoding) {
    for group in uses.active {
      let levels = uses.levels[Int(group)]
      let use = AccessUse(rawValue: group << 7)
      if use.kind == .always {
        recordKeys.append(use.key(0, statistics.hash))
      } else if use.kind == .token {
        for hash in record.tokens.hashes { recordKeys.append(use.key(hash, statistics.hash)) }
      } else if record.presence[use.field] {
        AccessGeneration.appendKeys(of: record, use, levels, statistics, to: &recordKeys)
      }
    }
  }

  /// Appends a record's keys of one field and kind, at some levels; of a list's members each once.
  static func appendKeys(
    of record: RecordEncoding, _ use: AccessUse, _ levels: UInt64, _ statistics: AccessStatistics,
    to keys: inout [UInt64]
  ) {
    let field = use.field
    let coding = statistics.codings[2 * field]
    if !record.isList[field] {
      let isPlace = coding == .latitude
      let place = isPlace ? record.memberRange(field).lowerBound : 0
      appendKeys(
        of: record, isPlace ? record.members[place] : record.words[field], isPlace ? record.members[place + 1] : 0,
        coding == .textHash ? record.hashes[field] : 0, use, levels, statistics, to: &keys)
      return
    }
    let start = keys.count
    let members = record.memberRange(field)
    for index in 0..<members.count {
      let place = coding == .latitude ? members.lowerBound + 2 * index : members.lowerBound + index
      let second = coding == .latitude ? record.members[place + 1] : 0
      var hash: UInt64 = 0
      if coding == .textHash, use.kind == .equal, levels & 1 == 1 {
        hash = statistics.hash.hash(record.bytes.span.extracting(record.range(record.members[place])))
      }
      appendKeys(of: record, record.members[place], second, hash, use, levels, statistics, to: &keys)
    }
    if keys.count - start > 1 {
      keys[start...].sort()
      var end = start + 1
      for index in (start + 1)..<keys.count where keys[index] != keys[end - 1] {
        keys[end] = keys[index]
        end += 1
      }
      keys.removeSubrange(end...)
    }
  }

  /// Appends the keys of one value: a number, the place of a text, or a latitude and a longitude.
  private static func appendKeys(
    of record: RecordEncoding, _ value: UInt64, _ second: UInt64, _ textHash: UInt64, _ use: AccessUse,
    _ levels: UInt64, _ statistics: AccessStatistics, to keys: inout [UInt64]
  ) {
    let hash = statistics.hash
    let field = use.field
    let coding = statistics.codings[2 * field]
    func each(_ body: (_ level: Int, _ use: AccessUse) -> Void) {
      var left = levels
      while left != 0 {
        let level = left.trailingZeroBitCount
        left &= left &- 1
        body(level, AccessUse(rawValue: use.rawValue | UInt32(level)))
      }
    }
    switch use.kind {
    case .always, .token: break
    case .equal:
      switch coding {
      case .integer: keys.append(use.key(value, hash))
      case .double: keys.append(use.key(hash.payload(Double(bitPattern: value)), hash))
      case .latitude:
        keys.append(use.key(hash.payload(Double(bitPattern: value), Double(bitPattern: second)), hash))
      case .textHash:
        each { level, use in
          if level == 0 {
            keys.append(use.key(textHash, hash))
          } else {
            let text = Array(record.bytes[record.range(value)])
            keys.append(use.key(hash.hash(TextFolding(rawValue: UInt8(level)).fold(text).span), hash))
          }
        }
      case .none, .textOrder, .longitude: break
      }
    case .name:
      let text = record.bytes.span.extracting(record.range(value))
      if let start = text.recordNameStart {
        keys.append(use.key(hash.hash(text.extracting(start..<text.count)), hash))
      }
    case .prefix:
      let range = record.range(value)
      each { level, use in
        if range.count >= level {
          let text = record.bytes.span.extracting(range.lowerBound..<range.lowerBound + level)
          keys.append(use.key(hash.hash(text), hash))
        }
      }
    case .range:
      let code: UInt16
      switch coding {
      case .integer: code = statistics.code(2 * field, ValueCodes.order(Int64(bitPattern: value)))
      case .double: code = statistics.code(2 * field, ValueCodes.order(Double(bitPattern: value)))
      default:
        let text = record.bytes.span.extracting(record.range(value))
        code = statistics.code(2 * field + 1, text.leadingWord())
      }
      each { level, use in keys.append(use.key(UInt64(code >> UInt16(level)), hash)) }
    case .place:
      let latitude = ValueCodes.code(latitude: Double(bitPattern: value))
      let longitude = ValueCodes.code(longitude: Double(bitPattern: second))
      each { level, use in
        keys.append(
          use.key(UInt64(latitude >> UInt16(level)) << 16 | UInt64(longitude >> UInt16(level)), hash))
      }
    }
  }
}
