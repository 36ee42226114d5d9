import Testing

@testable import ZoneQuery

/// Each structure against a plain model, by seed, with copies held to see that a write never reaches them.
struct StorageTests {
  @Test func raggedColumn() {
    var random = SplitMix(seed: 1)
    var column = RaggedColumn<UInt8>()
    var model: [Int: [UInt8]] = [:]
    var snapshots: [(RaggedColumn<UInt8>, [Int: [UInt8]])] = []
    var checks = 0
    for step in 0..<20_000 {
      let slot = Int(random.next() % 3000)
      if random.next() % 4 == 0 {
        column.clear(slot)
        model[slot] = nil
      } else {
        let run = (0..<Int(random.next() % 20)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        column.set(slot, run)
        model[slot] = run
      }
      if step % 4000 == 0 { snapshots.append((column, model)) }
      let other = Int(random.next() % 3500)
      #expect(column.isPresent(other) == (model[other] != nil))
      #expect(column.withRun(other) { Array(copying: $0) } == model[other] ?? [])
      checks += 2
    }
    for (column, model) in snapshots + [(column, model)] {
      for slot in 0..<3500 {
        #expect(column.withRun(slot) { Array(copying: $0) } == model[slot] ?? [])
        checks += 1
      }
    }
    print("ragged column: \(checks) checks")
    #expect(checks >= 60_000)
  }

  @Test func nameIndexAndTable() throws {
    var random = SplitMix(seed: 2)
    let type = RecordType("T", fields: [FieldDefinition("n", .int64), FieldDefinition("s", .string)])
    var table = Table(zoneID: .default, recordType: type)
    var model: [String: (Int64, String)] = [:]
    var snapshot: (Table, [String: (Int64, String)])?
    var checks = 0
    for step in 0..<20_000 {
      let name = "r\(random.next() % 2500)"
      if random.next() % 3 == 0 {
        #expect(table.delete(name) == (model.removeValue(forKey: name) != nil))
      } else {
        let number = Int64(bitPattern: random.next())
        var record = Record(recordType: "T", recordName: name)
        record["n"] = .int64(number)
        record["s"] = .string("v\(number)")
        table.store(record, changeNumber: Int64(step))
        model[name] = (number, "v\(number)")
      }
      if step == 10_000 { snapshot = (table, model) }
      let other = "r\(random.next() % 3000)"
      let found = table.slot(of: other).map { table.record($0) }
      #expect(found?["n"] == model[other].map { .int64($0.0) } && found?["s"] == model[other].map { .string($0.1) })
      #expect(table.count == model.count)
      checks += 2
    }
    let states = try [#require(snapshot), (table, model)]
    for (table, model) in states {
      #expect((0..<table.slotCount).filter(table.isLive).count == model.count)
      for (name, value) in model {
        #expect(table.slot(of: name).map { table.record($0)["n"] } == .some(.int64(value.0)))
        checks += 1
      }
      #expect(table.slotCount <= 2500)
    }
    print("table: \(checks) checks")
    #expect(checks >= 40_000)
  }

  @Test func runLengths() {
    var run: [UInt8] = []
    let members = [0, 1, 127, 128, 300, 20_000].map { [UInt8](repeating: 7, count: $0) }
    for member in members { RunLength.append(member, to: &run) }
    var position = 0
    var lengths: [Int] = []
    while let member = RunLength.next(in: run.span, &position) { lengths.append(member.count) }
    #expect(lengths == members.map(\.count))
  }
}
