import Testing

@testable import ZoneQuery

/// References by `.validate`: what they point to has to be there when the one that holds them is saved.
struct RequiredTargetTests {
  private static func reference(_ name: String, _ zone: ZoneID = .default) -> Reference {
    Reference(RecordID(recordName: name, zoneID: zone), action: .validate)
  }

  @Test func whatIsReferredToIsThere() throws {
    let database = try Database()
    var holder = note("h", n: 1)
    holder["to"] = .reference(Self.reference("t"))
    do throws(ZoneQueryError) {
      try database.save(holder)
      Issue.record("it was saved")
    } catch {
      #expect(error.code == .referenceViolation && error.serverErrorCode == "VALIDATING_REFERENCE_ERROR")
      #expect(error.message.hasPrefix("Field 'to' refers by .validate to 't', which does not exist"))
    }
    // With it, in whichever order; to itself; in a list.
    _ = try database.save([holder, note("t")]).get()
    #expect(try database.record(for: holder.recordID)["to"] == .reference(Self.reference("t")))
    var own = note("own")
    own["many"] = .referenceList([Self.reference("own"), Self.reference("t")])
    try database.save(own)
    own["many"] = .referenceList([Self.reference("own"), Self.reference("gone")])
    expectFailure(.referenceViolation) { try database.save(own, policy: .allKeys) }
    // The other actions may dangle, and what is deleted leaves those behind that refer to it.
    holder["to"] = .reference(Reference(RecordID(recordName: "gone")))
    try database.save(holder, policy: .allKeys)
    try database.deleteRecord(withID: RecordID(recordName: "t"))
    #expect(try database.record(for: own.recordID)["many"] != nil)
    // A field that stays as it is stored is looked at too.
    var changed = try database.record(for: own.recordID, desiredKeys: [])
    changed["n"] = 5
    expectFailure(.referenceViolation) { try database.save(changed, policy: .changedKeys) }
    changed["many"] = nil
    try database.save(changed, policy: .changedKeys)
  }

  /// Of several that are missing the first is named, and one that fails itself behind those that are nowhere.
  @Test func theFirstIsNamed() throws {
    for _ in 0..<20 {
      let database = try Database()
      try database.save(note("sample", n: 1))
      var bad = note("bad")
      bad["n"] = "none"
      var holder = note("h")
      holder["a"] = .reference(Self.reference("second"))
      holder["b"] = .referenceList([Self.reference("h"), Self.reference("bad")])
      var second = note("second")
      second["to"] = .reference(Self.reference("bad"))
      let results = try database.save([holder, second, bad])
      let messages = results.map { result -> String in
        if case .failure(let error) = result { error.message } else { "saved" }
      }
      #expect(messages[0].hasPrefix("Field 'b' refers by .validate to 'bad'"), "\(messages[0])")
      #expect(messages[1].hasPrefix("Field 'to' refers by .validate to 'bad'"), "\(messages[1])")
    }
  }

  @Test func ofRequests() throws {
    let database = try Database()
    func ask(_ names: [String]) throws -> String {
      let operations = names.map { name in
        let to = name == "h" ? #""to": {"value": {"recordName": "t", "action": "VALIDATE"}}"# : ""
        let record = #"{"recordType": "T", "recordName": "\#(name)", "fields": {\#(to)}}"#
        return #"{"operationType": "create", "record": \#(record)}"#
      }
      return try database.webServicesResponse(toModify: #"{"operations": [\#(operations.joined(separator: ","))]}"#)
    }
    #expect(try ask(["h"]).contains("VALIDATING_REFERENCE_ERROR"))
    #expect(try ask(["h", "t"]).contains(#""to":{"value":{"recordName":"t","action":"VALIDATE"},"type":"REFERENCE"}"#))
  }

  /// Batches of records that need each other, some of which fail, beside a plain rule: of what can be saved for itself those
  /// go, again and again, that need one that is neither stored nor left.
  @Test func batchesAsAPlainRuleHasThem() throws {
    var (checks, refused, kept) = (0, 0, 0)
    let custom = ZoneID(zoneName: "Z")
    for seed in 0..<TestAmount.of(120) {
      var random = SplitMix(seed: UInt64(9_000 + seed))
      let zone = seed % 2 == 0 ? ZoneID.default : custom
      let database = try Database()
      try database.createZone(custom)
      try database.save(note("sample", zone, n: 0))
      var stored: [String: [String]] = [:]
      for _ in 0..<12 {
        var records: [Record] = []
        var needs: [String: [String]] = [:]
        var bad: Set<String> = []
        for name in (0..<8).map({ "r\($0)" }) where random.below(2) == 0 {
          var record = note(name, zone, n: Int64(random.below(5)))
          func target() -> String { "r\(random.below(8))" }
          var targets: [String] = []
          if random.below(3) == 0 {
            targets.append(target())
            record.parent = Reference(RecordID(recordName: targets[0], zoneID: zone))
          }
          if random.below(2) == 0 {
            let one = target()
            targets.append(one)
            record["one"] = .reference(Self.reference(one, zone))
          }
          let many = (0..<random.below(3)).map { _ in target() }
          targets += many
          record["many"] = .referenceList(many.map { Self.reference($0, zone) })
          record["weak"] = .reference(Reference(RecordID(recordName: target(), zoneID: zone)))
          if random.below(5) == 0 {
            // It cannot be saved, whatever else is.
            bad.insert(name)
            record["n"] = "none"
          }
          needs[name] = targets
          records.append(record)
        }
        if records.isEmpty { continue }
        var left = Set(needs.keys).subtracting(bad)
        while let orphan = left.first(where: { name in
          needs[name]?.contains { stored[$0] == nil && !left.contains($0) } ?? false
        }) {
          left.remove(orphan)
        }
        let isAtomic = random.below(2) == 0 && zone == custom
        if isAtomic, left.count < records.count { left = [] }
        let keys: [String]? = random.below(2) == 0 ? nil : []
        let results = try database.modify(
          saving: records, policy: .replace, atomically: isAtomic, desiredKeys: keys
        ).saves
        for (record, result) in zip(records, results) {
          let isSaved = failureCode(result.get) == nil
          #expect(isSaved == left.contains(record.recordName), "seed \(seed): \(record.recordName)")
          if !isSaved, !isAtomic, !bad.contains(record.recordName) {
            #expect(failureCode(result.get) == .referenceViolation)
            refused += 1
          }
          kept += isSaved ? 1 : 0
          checks += 1
        }
        for name in left { stored[name] = needs[name] ?? [] }
        if random.below(3) == 0, let name = stored.keys.sorted().first {
          try database.deleteRecord(withID: RecordID(recordName: name, zoneID: zone))
          stored[name] = nil
        }
        for name in (0..<8).map({ "r\($0)" }) {
          let isThere = (try? database.record(for: RecordID(recordName: name, zoneID: zone))) != nil
          #expect(isThere == (stored[name] != nil))
        }
      }
    }
    #expect(checks >= TestAmount.of(4_000) && refused >= TestAmount.of(400) && kept >= TestAmount.of(400))
    print("batches of records that need each other: \(checks) checks, \(refused) refused, \(kept) saved")
  }
}
