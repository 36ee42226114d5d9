import Testing

@testable import ZoneQuery

/// A zone's tables against a dictionary of records, by seed, with failed commits between and readers that stay.
struct TableTests {
  private struct Refused: Error {}

  private typealias Model = [String: Record]

  /// Compares a state with the model it must be like; the number of checks.
  /// Names of all the lengths that lie in different ways: in cells that widen, in an arena, in pages of their own.
  private func name(_ number: Int) -> String {
    let length = number % 97 == 96 ? 3_000 : number % 13 == 12 ? 80 : number % 5 == 4 ? number % 64 : 0
    return "r\(number)" + String(repeating: "é", count: length / 2)
  }

  private func compare(_ state: ZoneState, _ model: Model, names: Int) -> Int {
    guard let table = state.table("T") else {
      #expect(model.isEmpty)
      return 1
    }
    #expect(table.count == model.count)
    var checks = 1
    var slots: [UInt32] = []
    for number in 0..<table.groupCount {
      let group = table.group(number)
      slots += (0..<RowGroup.size).filter(group.isLive).map { UInt32(number << RowGroup.shift + $0) }
    }
    #expect(slots.count == model.count)
    // Each by itself, and in blocks that records of several users share.
    var reader = RecordReader(table)
    var together: [Record] = []
    reader.append(slots, 0..<slots.count, to: &together)
    for record in slots.map({ table.record(Int($0)) }) + together {
      let same = StorageSamples.isSame(record, model[record.recordID.recordName])
      #expect(same, "\(record.recordID)")
      checks += 1
    }
    // The users of records that are read in part.
    var partial = RecordReader(table, fields: [])
    var few: [Record] = []
    partial.append(slots, 0..<slots.count, to: &few)
    for record in few {
      let saved = model[record.recordID.recordName]
      #expect(record.creatorUserRecordID == saved?.creatorUserRecordID)
      #expect(record.lastModifiedUserRecordID == saved?.lastModifiedUserRecordID)
    }
    for number in 0..<names where state.contains(name(number)) != (model[name(number)] != nil) {
      Issue.record("\(name(number)) is found and should not be, or the other way round")
    }
    return checks + names
  }

  private func run(seed: UInt64, commits: Int, names: Int, perCommit: Int, filled: Int) -> Int {
    var samples = StorageSamples(random: SplitMix(seed: seed))
    let zone = Zone(ZoneID(zoneName: "Z"))
    var model: Model = [:]
    var readers: [(ZoneSnapshot, Model)] = []
    var checks = 0
    for step in 0..<commits {
      var next = model
      let isRefused = samples.below(5) == 0
      // Sometimes most records go, so that groups empty and fill again.
      let deletes = step % 40 >= 32 ? 8 : 3
      do throws(Refused) {
        try zone.commit { state throws(Refused) in
          for _ in 0..<1 + samples.below(perCommit) {
            let name = name(samples.below(names))
            if samples.below(10) < deletes {
              #expect(state.delete(name).contains { $0.recordName == name } == (next[name] != nil))
              next[name] = nil
            } else if var record = next[name], samples.below(2) == 0 {
              // Some fields of a record alone, or none.
              for field in StorageSamples.type.fields where samples.below(12) == 0 {
                record[field.name] = samples.below(3) == 0 ? nil : samples.value(field.type)
              }
              next[name] = state.store(record, as: StorageSamples.type)
            } else {
              let record = samples.record(name, zoneID: zone.id, filled: filled)
              next[name] = state.store(record, as: StorageSamples.type)
            }
          }
          if isRefused { throw Refused() }
        }
        model = next
      } catch {}
      if samples.below(12) == 0 { readers.append((zone.pinned(), model)) }
      if readers.count > samples.below(8) {
        let (snapshot, known) = readers.remove(at: samples.below(readers.count))
        checks += compare(snapshot.state, known, names: names)
      }
      if step % 8 == 0 {
        let fault = zone.read { $0.check() }
        #expect(fault == nil)
        checks += 1
      }
    }
    for (snapshot, known) in readers { checks += compare(snapshot.state, known, names: names) }
    readers = []
    checks += zone.read { compare($0, model, names: names) }
    zone.commit { _ in }
    #expect(zone.memory.heldBytes == 0)
    return checks
  }

  @Test func changeTagsAreNumbersInBase36() {
    var checks = 0
    var random = SplitMix(seed: 36)
    var numbers: [UInt64] = [0, 1, 35, 36, 37, 1_295, 1_296, 1 << 36, UInt64(Int64.max), .max]
    for bits in 0..<64 { for _ in 0..<20 { numbers.append(random.next() >> UInt64(bits)) } }
    for number in numbers {
      #expect(String(base36: number) == String(number, radix: 36))
      checks += 1
    }
    #expect(checks >= 1_290)
  }

  @Test func againstADictionary() {
    let times = TestAmount.isLong ? 20 : 1
    var checks = 0
    for round in 0..<UInt64(times) {
      checks += run(seed: 1 + round * 10, commits: TestAmount.of(240), names: 30, perCommit: 4, filled: 4)
      checks += run(seed: 2 + round * 10, commits: TestAmount.of(80), names: 400, perCommit: 40, filled: 2)
      checks += run(seed: 3 + round * 10, commits: TestAmount.of(24), names: 700, perCommit: 150, filled: 1)
    }
    print("tables: \(checks) checks")
    #expect(checks >= TestAmount.of(9_000))
  }

  /// What a program reads of a row is what the row of the same values says.
  @Test func rowsReadInPlace() throws {
    var samples = StorageSamples(random: SplitMix(seed: 11))
    let zone = Zone(ZoneID(zoneName: "Z", ownerName: "someone"))
    var records: [Record] = []
    for number in 0..<300 { records.append(samples.record("r\(number)", zoneID: zone.id)) }
    zone.commit { state in for record in records { _ = state.store(record, as: StorageSamples.type) } }
    var checks = 0
    let snapshot = zone.pinned()
    let source = TableRow.Source(try #require(snapshot.state.table("T")))
    let layout = source.table.layout
    for record in records {
      let slot = try #require(source.table.slot(of: record.recordID.recordName))
      let row = TableRow(source, source.table.group(slot >> 8), number: slot >> 8, row: slot & 255)
      var values: [FieldValue?] = SystemField.allCases.map { record.systemValue($0) }
      values += layout.recordType.fields.map { record[$0.name] }
      let model = ValuesRow(values: values)
      for field in 0..<layout.count where field != FieldNumber(.changeTag) {
        let type = layout.type(of: field)
        #expect(row.isPresent(field) == model.isPresent(field))
        guard row.isPresent(field), type.isQueryable else { continue }
        if type.isList {
          var (left, right): ([String], [String]) = ([], [])
          row.forEachMember(field, type) {
            left.append("\($0())")
            return true
          }
          model.forEachMember(field, type) {
            right.append("\($0())")
            return true
          }
          #expect(left == right)
        } else {
          #expect("\(row.computedValue(field, type))" == "\(model.computedValue(field, type))")
        }
        checks += 1
      }
    }
    withExtendedLifetime((snapshot, source)) {}
    print("rows in place: \(checks) checks")
    #expect(checks >= 2000)
  }

  /// Every length at which a value moves from one place to another.
  @Test func lengths() {
    let type = RecordType("T", fields: [FieldDefinition("a", .bytes), FieldDefinition("b", .string)])
    let lengths = [0, 1, 6, 7, 8, 9, 63, 64, 65, 2047, 2048, 2049, 70_000]
    let zone = Zone(.default)
    var checks = 0
    for old in lengths {
      for new in lengths {
        for length in [old, new] {
          var record = Record(recordType: "T", recordName: "r")
          record["a"] = .bytes([UInt8](repeating: UInt8(old & 0xFF), count: length))
          record["b"] = .string(String(repeating: "\u{0}", count: length))
          zone.commit { state in
            _ = state.store(record, as: type)
          }
          #expect(zone.read { $0.record("r") }?.hasSameFields(as: record) == true)
          checks += 1
        }
      }
    }
    #expect(checks == 2 * lengths.count * lengths.count)
  }

  /// A type that gains fields while its table has records.
  @Test func newFields() {
    let zone = Zone(.default)
    var fields = [FieldDefinition("f0", .int64)]
    for round in 0..<40 {
      var record = Record(recordType: "T", recordName: "r\(round)")
      for number in 0...round { record["f\(number)"] = .int64(Int64(number)) }
      let type = RecordType("T", fields: fields)
      zone.commit { state in _ = state.store(record, as: type) }
      fields.append(FieldDefinition("f\(round + 1)", .int64))
    }
    for round in 0..<40 { #expect(zone.read { $0.record("r\(round)") }?.fieldCount == round + 1) }
    #expect(zone.read { $0.check() } == nil)
    // One field after the other is one that all records have, whose bits are those of the live rows.
    let before = zone.pinned()
    for round in 0..<39 {
      zone.commit { state in _ = state.delete("r\(round)") }
      #expect(zone.read { $0.check() } == nil)
      let rows: (full: Int, held: [Int]) = zone.read { state in
        guard let group = state.table("T")?.group(0) else { return (0, []) }
        let fields = (0..<40).map { FieldNumber.position($0) }
        return (
          fields.count { group.presenceOffset($0) == group.presenceOffset(0) },
          fields.map { field in (0..<40).reduce(0) { $0 + (group.isPresent($1, field) ? 1 : 0) } }
        )
      }
      #expect(rows.full == round + 2)
      #expect(rows.held == (0..<40).map { min(39 - round, 40 - $0) })
    }
    for round in 0..<40 { #expect(before.state.record("r\(round)")?.fieldCount == round + 1) }
    withExtendedLifetime(before) {}
  }

  /// Small zones are cheap, and what a commit does not touch it does not copy.
  @Test func memory() {
    let type = RecordType(
      "T", fields: [FieldDefinition("a", .int64), FieldDefinition("b", .string), FieldDefinition("c", .double)])
    func record(_ number: Int) -> Record {
      var record = Record(recordType: "T", recordName: "record \(number)")
      record["a"] = .int64(Int64(number))
      record["b"] = .string("the title of number \(number)")
      record["c"] = .double(Double(number))
      record.creationDate = Timestamp(milliseconds: 5)
      record.modificationDate = Timestamp(milliseconds: 5)
      record.creatorUserRecordID = RecordID(recordName: ZoneID.currentUserName)
      record.lastModifiedUserRecordID = RecordID(recordName: ZoneID.currentUserName)
      return record
    }
    let zone = Zone(.default)
    #expect(zone.memory == ZoneMemory())
    for number in 0..<100 { zone.commit { state in _ = state.store(record(number), as: type) } }
    let small = zone.memory.liveBytes
    zone.commit { state in for number in 100..<20_000 { _ = state.store(record(number), as: type) } }
    let large = zone.memory.liveBytes
    print("bytes a record: \(small / 100) of 100, \(large / 20_000) of 20,000")
    // 8 cells of 8 bytes, and the bytes of name and title.
    #expect(small / 100 <= 170 && large / 20_000 <= 140)
    do {
      let snapshot = zone.pinned()
      zone.commit { state in
        var changed = record(7000)
        changed["a"] = 1
        _ = state.store(changed, as: type)
      }
      // The header, two chunks, and the way to them.
      #expect(zone.memory.heldBytes > 0 && zone.memory.heldBytes <= 8000)
      withExtendedLifetime(snapshot) {}
    }
    zone.commit { state in for number in 0..<20_000 { _ = state.delete("record \(number)") } }
    zone.commit { _ in }
    #expect(zone.memory.liveBytes < large / 5 && zone.memory.heldBytes == 0)
    #expect(zone.read { $0.check() } == nil)
  }

  @Test func runLengths() {
    var run: [UInt8] = []
    let members = [0, 1, 127, 128, 300, 20_000].map { [UInt8](repeating: 7, count: $0) }
    for member in members { RunLength.append(member.span, to: &run) }
    var position = 0
    var lengths: [Int] = []
    while let member = RunLength.next(in: run.span, &position) { lengths.append(member.count) }
    #expect(lengths == members.map(\.count))
  }
}
