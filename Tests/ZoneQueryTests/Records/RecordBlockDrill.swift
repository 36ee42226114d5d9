import Testing

@testable import ZoneQuery

/// Records of answers against those saved, over drawn types: of so many fields that their bits fill words or just not, with
/// names of all lengths, values of all types and lengths, whole and in part, before and after changes.
struct RecordBlockDrill {
  private var random: SplitMix
  private var samples: StorageSamples
  private let type: RecordType
  private let database: Database
  private var saved: [String: Record] = [:]
  private(set) var checks = 0

  private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  init(fields count: Int, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let letters = Array("abcdefghij_0123")
    var names: Set<String> = []
    while names.count < count {
      let length = [1, 2, 7, 8, 9, 13, 14, 15, 16, 30, 60][Int(random.next() % 11)]
      names.insert("n" + String((0..<length).map { _ in letters[Int(random.next() % 15)] }))
    }
    type = RecordType(
      "T",
      fields: names.sorted().map { name in
        let scalar = FieldType.Scalar.allCases[Int(random.next() % 8)]
        return FieldDefinition(name, random.next() % 2 == 0 ? FieldType(scalar) : .list(scalar))
      })
    database = try Database(schema: Schema([type]))
    samples = StorageSamples(random: SplitMix(seed: seed + 1), zone: .default)
    self.random = random
  }

  /// A value of a type that can be saved; now and then an empty or a very long one.
  private mutating func value(_ type: FieldType) -> FieldValue? {
    switch (samples.value(type), below(12)) {
    case (.string, 0): .string(String(repeating: "z", count: [0, 2_047, 2_048, 2_049, 20_000][below(5)]))
    case (.stringList, 0): .stringList(below(2) == 0 ? [] : [""])
    case (.locationList, 0): .locationList([])
    case (.bytes, 0): .bytes([])
    case (.reference(let reference), _): .reference(Reference(reference.recordID))
    case (.referenceList(let list), _): .referenceList(list.map { Reference($0.recordID) })
    case (let value, _): value.fault == nil ? value : nil
    }
  }

  /// The record of a number, with a name of one of many lengths.
  private mutating func record(_ number: Int) -> Record {
    let lengths = [1, 6, 7, 8, 9, 15, 16, 31, 54, 55, 62, 63, 64, 100, 255]
    let name = "\(number)"
    let rest = String(repeating: "q", count: max(0, lengths[number % lengths.count] - name.utf8.count))
    var record = Record(recordType: "T", recordName: name + rest)
    let filled = below(12)
    for field in type.fields where below(10) < filled { record[field.name] = value(field.type) }
    return record
  }

  private mutating func check(_ record: Record, _ keys: Set<String>?) throws {
    let saved = try #require(saved[record.recordID.recordName])
    var count = 0
    for field in type.fields {
      let expected = keys.map { $0.contains(field.name) } ?? true ? saved[field.name] : nil
      if expected != nil { count += 1 }
      // The same name as a string that has its memory.
      var large = ""
      large.reserveCapacity(100)
      large += field.name
      if record[field.name] != expected || record[large] != expected {
        Issue.record("\(record.recordID.recordName), \(field.name)")
      }
      let isTyped = [field.name, large].allSatisfy { name in
        switch expected {
        case .string(let text)?: record.string(name) == text
        case .int64(let number)?: record.int64(name) == number
        case .double(let number)?: record.double(name) == number
        case .timestamp(let moment)?: record.timestamp(name) == moment
        case .location(let place)?: record.location(name) == place
        case .stringList(let texts)?: record.stringList(name) == texts
        default: record.string(name) == nil && record.double(name) == nil
        }
      }
      if !isTyped { Issue.record("\(record.recordID.recordName), \(field.name), under its type") }
      checks += 1
    }
    #expect(record.fieldCount == count && record.isPartial == (keys != nil))
    #expect(record["nothing"] == nil && record[""] == nil)
  }

  /// Asks for all and for some fields of many records and of few, twice.
  private mutating func read() throws {
    let names = type.fields.map(\.name)
    let some = names.filter { _ in below(3) == 0 }
    for keys in [nil, [], some, names] {
      for limit in [200, 1, 7, 9] {
        let query = Query(recordType: "T")
        let page = try database.records(matching: query, desiredKeys: keys, resultsLimit: limit).records
        let again = try database.records(matching: query, desiredKeys: keys, resultsLimit: limit).records
        #expect(page.count == min(limit, saved.count))
        for (number, (record, other)) in zip(page, again).enumerated() {
          if limit < 200 || TestAmount.takes(number) { try check(record, keys.map(Set.init)) }
          let (left, right) = (record.content, other.content)
          #expect(left.block.isSame(left.start, right.block, right.start))
          checks += 1
        }
        for record in page.prefix(limit == 9 ? 9 : 0) {
          let one = try database.record(for: record.recordID, desiredKeys: keys).content
          #expect(one.block.isSame(one.start, record.content.block, record.content.start))
        }
      }
    }
  }

  mutating func run() throws {
    for number in 0..<80 {
      let record = record(number)
      saved[record.recordID.recordName] = record
    }
    try database.load(saved.values.sorted { $0.recordID.recordName < $1.recordID.recordName })
    try read()
    for name in saved.keys.sorted() where below(3) == 0 {
      let id = RecordID(recordName: name)
      if below(3) == 0 {
        try database.deleteRecord(withID: id)
        saved[name] = nil
      } else if let field = type.fields.randomElement(using: &random) {
        var record = try database.record(for: id)
        record[field.name] = value(field.type)
        saved[name]?[field.name] = record[field.name]
        try database.save(record)
      }
    }
    try read()
  }
}

struct RecordBlockDrillTests {
  @Test func drawnTypes() throws {
    var checks = 0
    // Around 64 and 128 with the system fields, and few.
    let sizes =
      TestAmount.isLong
      ? [0, 1, 10, 55, 56, 57, 119, 120, 121, 200] : TestAmount.isFull ? [0, 1, 10, 56, 57, 121] : [0, 1, 10, 57]
    for (number, fields) in sizes.enumerated() {
      var drill = try RecordBlockDrill(fields: fields, seed: UInt64(100 + 2 * number))
      try drill.run()
      checks += drill.checks
    }
    print("records of drawn types: \(checks) checks")
    #expect(checks > (TestAmount.isFull ? 600 : 240) * sizes.reduce(0, +))
  }
}
