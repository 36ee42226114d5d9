import Testing

@testable import ZoneQuery

/// Where saving ends: batches whose records fail one after the other, full schemas, foreign types, many desired keys.
struct SavingLimitsTests {
  /// A batch of pairs: each first one takes the place of a stored record that keeps the second's reference from being taken,
  /// and is without its parent where the pair before was not saved.
  private struct Chain {
    let database: Database
    var batch: [Record] = []

    init(pairs: Int) throws {
      var configuration = Database.Configuration()
      configuration.limits.cascadingReferences = 1
      database = try Database(configuration: configuration)
      for pair in 1...pairs {
        try database.save(note("t\(pair)"))
        try database.save(Self.dependent("r\(pair)", on: pair))
      }
      var first = note("d0")
      first["n"] = "no number"
      try database.save(note("known", n: 1))
      batch = [first]
      for pair in 1...pairs {
        var freeing = note("r\(pair)", n: 1)
        freeing["ref"] = nil
        freeing.parent = Reference(RecordID(recordName: "d\(pair - 1)"))
        batch += [freeing, Self.dependent("d\(pair)", on: pair)]
      }
    }

    private static func dependent(_ name: String, on pair: Int) -> Record {
      var record = note(name)
      record["ref"] = .reference(Reference(RecordID(recordName: "t\(pair)"), action: .deleteSelf))
      return record
    }
  }

  @Test func recordsThatLoseTheirParentsOneAfterTheOther() throws {
    let chain = try Chain(pairs: 10)
    let before = try chain.database.count(recordType: "T")
    let results = try chain.database.modify(saving: chain.batch + [note("apart")], policy: .allKeys)
    #expect(failureCode { try results.saves[0].get() } == .invalidRecord)
    for pair in 1...10 {
      #expect(failureCode { try results.saves[2 * pair - 1].get() } == .referenceViolation)
      #expect(failureCode { try results.saves[2 * pair].get() } == .limitExceeded)
    }
    #expect(try results.saves[21].get().recordID.recordName == "apart")
    #expect(try chain.database.count(recordType: "T") == before + 1)
  }

  @Test func tooManyOfThemEndTheOperation() throws {
    let chain = try Chain(pairs: 40)
    let before = try chain.database.count(recordType: "T")
    let results = try chain.database.modify(
      saving: chain.batch + [note("apart")], deleting: [RecordID(recordName: "known")], policy: .allKeys)
    #expect(results.saves.allSatisfy { result in failureCode { try result.get() } != nil })
    #expect(failureCode { try results.saves[81].get() } == .limitExceeded)
    #expect(failureCode { try results.deletions[0].get() } == .limitExceeded)
    if case .failure(let error) = results.saves[81] {
      #expect(error.recordID?.recordName == "apart" && error.hint?.contains("parents first") == true)
    }
    #expect(try chain.database.count(recordType: "T") == before)
  }

  @Test func aFullSchemaLearnsNoMoreTypes() throws {
    var configuration = Database.Configuration()
    configuration.environment = .development
    let most = SchemaTextOptions().recordTypes
    let types = (0..<most).map { RecordType("T\($0)", fields: [FieldDefinition("n", .int64)]) }
    let database = try Database(schema: Schema(types), configuration: configuration)
    expectFailure(.limitExceeded) { try database.save(note("a", n: 1, type: "Other")) }
    try database.save(note("a", n: 1, type: "T7"))
    let roomy = try Database(schema: Schema(types.dropLast()), configuration: configuration)
    try roomy.save(note("a", n: 1, type: "Other"))
    expectFailure(.limitExceeded) { try roomy.save(note("b", n: 1, type: "Another")) }
    #expect(roomy.schema.recordTypes.count == most)
  }

  @Test func aSchemaOfTooManyFieldsIsNoDatabases() throws {
    var configuration = Database.Configuration()
    configuration.limits.fieldsPerType = 2
    func type(_ count: Int) -> RecordType {
      RecordType("T", fields: (0..<count).map { FieldDefinition("f\($0)", .int64) })
    }
    _ = try Database(schema: Schema([type(2)]), configuration: configuration)
    expectFailure(.invalidSchema) { try Database(schema: Schema([type(3)]), configuration: configuration) }
    // Whatever is set.
    configuration.limits.fieldsPerType = .max
    configuration.environment = .development
    let wide = try Database(schema: Schema([type(4_096)]), configuration: configuration)
    expectFailure(.invalidSchema) { try Database(schema: Schema([type(4_097)]), configuration: configuration) }
    var record = Record(recordType: "T", recordName: "a")
    record["f4095"] = 1
    try wide.save(record)
    record["f4096"] = 1
    expectFailure(.limitExceeded) { try wide.save(record, policy: .replace) }
  }

  @Test func aRecordKeepsItsType() throws {
    let database = try Database()
    for policy in [Database.SavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys, .replace] {
      let name = "\(policy)"
      let saved = try database.save(note(name, n: 1))
      var other = note(name, n: 2, type: "U")
      other.changeTag = saved.changeTag
      expectFailure(.invalidRecord) { try database.save(other, policy: policy) }
      #expect(try database.record(for: saved.recordID) == saved)
    }
  }

  /// A field that is new beside one whose value does not fit changes nothing of the type.
  @Test func aValueThatDoesNotFitBesideANewField() throws {
    let database = try Database()
    try database.save(note("a", n: 1))
    var record = note("b")
    record["new"] = 1
    record["n"] = "text"
    expectFailure(.invalidRecord) { try database.save(record) }
    #expect(database.schema["T"]?.fields.map(\.name) == ["n"])
    record["n"] = 2.0
    #expect(try database.save(record)["n"] == 2)
  }

  @Test func manyDesiredKeys() throws {
    let database = try Database()
    var record = note("a", n: 1)
    record["m"] = 2
    record["o"] = 3
    let others = (0..<300).map { "x\($0)" }
    let saved = try database.save(record, desiredKeys: others + ["m", "n", "m"])
    #expect(saved.fieldNames.sorted() == ["m", "n"])
    for keys in [others + ["o", "n"], ["n"] + others + ["o"]] {
      #expect(try database.record(for: saved.recordID, desiredKeys: keys).fieldNames.sorted() == ["n", "o"])
    }
    #expect(try database.record(for: saved.recordID, desiredKeys: others).fieldNames.isEmpty)
  }

  /// A share that a save brings along takes the place of the stored record's, whatever the policy.
  @Test(arguments: [Database.SavePolicy.changedKeys, .allKeys, .ifServerRecordUnchanged])
  func aShareTakesTheOthersPlace(policy: Database.SavePolicy) throws {
    let database = try Database()
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    var record = note("a", zone, n: 1)
    record.share = Reference(RecordID(recordName: "one", zoneID: zone))
    var saved = try database.save(record)
    let other = Reference(RecordID(recordName: "other", zoneID: zone))
    saved.share = other
    #expect(try database.save(saved, policy: policy).share == other)
    #expect(try database.record(for: saved.recordID).share == other)
  }

  /// What a client fetched and did not change takes no newer share's place.
  @Test func aShareThatIsNotChangedStaysTheStoredOnes() throws {
    let database = try Database()
    func share(_ name: String) -> Reference { Reference(RecordID(recordName: name)) }
    for ancestor in [nil, share("one")] {
      var record = note("a\(ancestor == nil)", n: 1)
      record.share = ancestor
      var client = try database.save(record)
      var other = client
      other.share = share("other")
      try database.save(other)
      client["n"] = 2
      #expect(try database.save(client, policy: .changedKeys).share == share("other"))
      let stored = try database.record(for: client.recordID)
      #expect(stored.share == share("other") && stored["n"] == 2)
    }
  }
}
