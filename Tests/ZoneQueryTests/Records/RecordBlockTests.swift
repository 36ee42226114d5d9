import Testing

@testable import ZoneQuery

/// Records of answers, which lie together as they are stored, against the records that were saved.
struct RecordBlockTests {
  /// A database of one type, with records by name.
  private struct Sample {
    let database: Database
    var records: [String: Record] = [:]

    init(_ type: RecordType, count: Int, seed: UInt64, _ fill: (inout StorageSamples, Int) -> Record) throws {
      database = try Database(schema: Schema([type]))
      var samples = StorageSamples(random: SplitMix(seed: seed), zone: .default)
      for number in 0..<count {
        var record = fill(&samples, number)
        record.parent = nil
        for (name, value) in record.fields where value.fault != nil { record[name] = nil }
        records[record.recordID.recordName] = record
      }
      try database.load(records.values.sorted { $0.recordID.recordName < $1.recordID.recordName })
    }

    func page(_ type: String, keys: [String]? = nil, limit: Int = 10_000) throws -> [Record] {
      try database.records(
        matching: Query(recordType: type, sort: [.ascending("modificationDate")]), desiredKeys: keys,
        resultsLimit: limit
      ).records
    }
  }

  /// A type of more fields than a word has bits, of which records have some.
  private static let wide = RecordType("W", fields: (0..<150).map { FieldDefinition("f\($0)", .string) })

  @Test func valuesAreThoseSaved() throws {
    let sample = try Sample(StorageSamples.type, count: 700, seed: 1) { samples, number in
      samples.record("r\(number)", zoneID: .default, filled: number % 7)
    }
    var checks = 0
    for record in try sample.page("T") {
      let saved = try #require(sample.records[record.recordID.recordName])
      #expect(record.fieldCount == saved.fieldCount)
      #expect(Set(record.fieldNames) == Set(saved.fieldNames))
      for (name, value) in saved.fields {
        #expect(record[name] == value, "\(record.recordID): \(name)")
        checks += 1
      }
      for (name, value) in record.fields { #expect(saved[name] == value) }
      #expect(record.hasSameFields(as: saved) && saved.hasSameFields(as: record))
      #expect(record["nothing"] == nil)
      #expect(record == (try sample.database.record(for: record.recordID)))
      checks += record.fieldCount + 6
    }
    print("records of answers: \(checks) checks")
    #expect(checks > 14_000)
  }

  @Test func manyFields() throws {
    let sample = try Sample(RecordBlockTests.wide, count: 300, seed: 2) { samples, number in
      var record = Record(recordType: "W", recordName: "w\(number)")
      for field in 0..<150 where samples.below(number % 20 + 2) == 0 {
        record["f\(field)"] = .string("\(number) \(field)")
      }
      return record
    }
    for record in try sample.page("W") {
      #expect(record.hasSameFields(as: try #require(sample.records[record.recordID.recordName])))
    }
    for record in try sample.page("W", keys: ["f3", "f149"]) {
      let saved = try #require(sample.records[record.recordID.recordName])
      #expect(record["f3"] == saved["f3"] && record["f149"] == saved["f149"] && record["f4"] == nil)
      #expect(record.fieldCount == ["f3", "f149"].count { saved[$0] != nil })
    }
  }

  /// A copy that is changed leaves the other copies, and the records beside it, as they are.
  @Test func copiesAreIndependent() throws {
    let sample = try Sample(StorageSamples.type, count: 40, seed: 3) { samples, number in
      var record = samples.record("r\(number)", zoneID: .default)
      if number % 2 == 0 {
        for (name, value) in record.fields where value.type.scalar == .reference { record[name] = nil }
        record.share = nil
      }
      return record
    }
    let records = try sample.page("T")
    let before = records
    var changed = records[3]
    changed["f_INT64"] = 4
    changed["f_STRING"] = nil
    #expect(changed["f_INT64"] == 4 && changed.string("f_STRING") == nil)
    #expect(records == before)
    #expect(changed.recordID == records[3].recordID && changed.changeTag == records[3].changeTag)
    #expect(changed.creatorUserRecordID == records[3].creatorUserRecordID)
    #expect(changed.creationDate == records[3].creationDate)
    var again = changed
    again["f_INT64"] = 5
    #expect(changed["f_INT64"] == 4 && again["f_INT64"] == 5)
    again["f_INT64"] = 4
    #expect(again == changed && again.hashValue == changed.hashValue)
    // What was made of its parts equals what lies in a block.
    var parts = records[3]
    parts.parent = records[3].parent
    #expect(parts == records[3] && records[3] == parts && parts.hashValue == records[3].hashValue)
    // Saved again it is the same record.
    let sound = try #require(records.first { !$0.holdsReferences })
    let saved = try sample.database.save(sound, policy: .replace)
    #expect(saved.hasSameFields(as: sound) && saved != sound)
  }

  @Test func valuesUnderTheirType() throws {
    let database = try Database()
    var record = Record(recordType: "T", recordName: "a")
    record["text"] = "A longer text than would have room in a word or two"
    record["whole"] = 7
    record["number"] = 7.5
    record["moment"] = .timestamp(Timestamp(milliseconds: 5))
    record["place"] = .location(Location(latitude: 1, longitude: 2))
    record["other"] = .reference(Reference(RecordID(recordName: "b")))
    record["texts"] = .stringList(["a", "b"])
    record["raw"] = .bytes([1, 2])
    record["file"] = .asset(Asset(fileChecksum: "c", size: 9))
    record["wholes"] = .int64List([1, 2])
    record["numbers"] = .doubleList([1.5])
    record["raws"] = .bytesList([[1], []])
    record["moments"] = .timestampList([Timestamp(milliseconds: 1)])
    record["places"] = .locationList([Location(latitude: 3, longitude: 4)])
    record["others"] = .referenceList([Reference(RecordID(recordName: "c"))])
    record["files"] = .assetList([Asset(fileChecksum: "d", size: 1)])
    try database.save(record)
    let fetched = try #require(
      try database.records(matching: Query(recordType: "T")).records.first)
    for record in [record, fetched] {
      #expect(record.string("text") == "A longer text than would have room in a word or two")
      #expect(record.int64("whole") == 7 && record.double("number") == 7.5)
      #expect(record.timestamp("moment") == Timestamp(milliseconds: 5))
      #expect(record.location("place") == Location(latitude: 1, longitude: 2))
      #expect(record.reference("other")?.recordID == RecordID(recordName: "b"))
      #expect(record.stringList("texts") == ["a", "b"])
      #expect(record.bytes("raw") == [1, 2] && record.asset("file")?.size == 9)
      #expect(record.int64List("wholes") == [1, 2] && record.doubleList("numbers") == [1.5])
      #expect(record.bytesList("raws") == [[1], []] && record.timestampList("moments")?.count == 1)
      #expect(record.locationList("places") == [Location(latitude: 3, longitude: 4)])
      #expect(record.referenceList("others")?.first?.recordID.recordName == "c")
      #expect(record.assetList("files")?.first?.fileChecksum == "d" && record.assetList("file") == nil)
      #expect(record.bytes("text") == nil && record.doubleList("wholes") == nil && record.int64List("whole") == nil)
      #expect(record.string("whole") == nil && record.int64("number") == nil && record.double("whole") == nil)
      #expect(record.timestamp("whole") == nil && record.int64("moment") == nil && record.stringList("text") == nil)
      #expect(record.string("nothing") == nil && record.location("text") == nil && record.reference("text") == nil)
    }
  }

  /// Rows of which many fields are read are read while those behind them are asked for: few rows and many, all of their
  /// fields, few, and others than of the rows before; as values, too.
  @Test func rowsReadInTurn() throws {
    let long = String(repeating: "long ", count: 700)
    let kinds = try Sample(StorageSamples.type, count: 700, seed: 7) { samples, number in
      let name = number % 5 == 0 ? "r\(number)" + String(repeating: "n", count: 90) : "r\(number)"
      return samples.record(name, zoneID: .default, filled: number % 7)
    }
    let wide = try Sample(RecordBlockTests.wide, count: 700, seed: 8) { _, number in
      var record = Record(recordType: "W", recordName: "w\(number)")
      for field in 0..<150 where (number + field) % 3 > 0 {
        record["f\(field)"] = .string(field == number % 150 ? long : "the text \(field) of \(number)")
      }
      return record
    }
    var checks = 0
    for (sample, type) in [(kinds, StorageSamples.type), (wide, RecordBlockTests.wide)] {
      let names = type.fields.map(\.name)
      let query = try sample.database.prepare(Query(recordType: type.name), inZoneWith: .default)
      for limit in [700, 1, 2, 15, 16, 17, 257] + (TestAmount.isLong ? [3, 255, 256, 513, 700] : []) {
        // In the short form the many are not read a second time.
        for read in TestAmount.isFull || limit < 100 ? [names.count, 3, names.count] : [limit == 257 ? 3 : names.count]
        {
          var number = 0
          try query.forEachRecord(resultsLimit: limit) { record in
            // Behind the five hundredth row it is other fields.
            let some = number < 500 ? names.prefix(read) : names.suffix(read)
            let recordName = record.withRecordName { String(copying: $0) }
            let saved = sample.records[recordName]
            if record.recordID.recordName != recordName { Issue.record("\(recordName) is \(record.recordID)") }
            for name in some where record.value(name) != saved?[name] {
              Issue.record("\(recordName), \(name), of \(limit)")
            }
            number += 1
            checks += some.count
          }
          #expect(number == limit)
        }
        for record in try query.records(resultsLimit: limit).records {
          let saved = try #require(sample.records[record.recordID.recordName])
          #expect(record.hasSameFields(as: saved))
          checks += 1
        }
      }
    }
    print("rows read in turn: \(checks) checks")
    #expect(checks > (TestAmount.isLong ? 950_000 : TestAmount.isFull ? 340_000 : 130_000))
  }

  /// The same where a reader stops or fails on the way, and where some rows are of before their type had all fields.
  @Test func rowsReadInTurnInPart() throws {
    let database = try Database()
    let count = 600
    func text(_ number: Int, _ field: Int) -> String { "the text \(field) of number \(number)" }
    for number in 0..<count {
      var record = Record(recordType: "T", recordName: "r\(number)")
      record["n"] = .int64(Int64(number))
      for field in 0..<(number < 300 ? 9 : 20) { record["f\(field)"] = .string(text(number, field)) }
      try database.save(record)
    }
    let query = try database.prepare(Query(recordType: "T", sort: [.ascending("n")]), inZoneWith: .default)
    var checks = 0
    func read(_ record: borrowing RecordView, _ number: Int) {
      #expect(record.int64("n") == Int64(number))
      for field in 0..<20 {
        #expect(record.string("f\(field)") == (field < 9 || number >= 300 ? text(number, field) : nil))
        checks += 1
      }
    }
    for end in [count, 0, 1, 2, 14, 15, 16, 17, 255, 256, 257, 299, 300, 301, count - 1] {
      var number = 0
      try query.forEachRecord { record, stop in
        read(record, number)
        number += 1
        stop = number > end
      }
      #expect(number == min(end + 1, count))
      number = 0
      let failure = #expect(throws: ZoneQueryError.self) {
        try query.forEachRecord { record throws(ZoneQueryError) in
          read(record, number)
          number += 1
          if number > end || number == count { throw Database.unknownItem(RecordID(recordName: "enough")) }
        }
      }
      #expect(failure?.code == .unknownItem)
      #expect(number == min(end + 1, count))
    }
    for (number, record) in try query.records(resultsLimit: count).records.enumerated() {
      #expect(record.fieldCount == (number < 300 ? 10 : 21) && record.string("f8") == text(number, 8))
    }
    print("rows read in turn in part: \(checks) checks")
    #expect(checks > 80_000)
  }

  /// Texts of every length, which are copied in different ways, beside others that are longer or shorter than those before.
  @Test func textsOfEveryLength() throws {
    let type = RecordType("L", fields: (0..<70).map { FieldDefinition("f\($0)", .string) })
    func text(_ length: Int, _ seed: Int) -> String {
      String(decoding: (0..<length).map { UInt8(truncatingIfNeeded: 65 + ($0 &* 7 + seed) % 58) }, as: UTF8.self)
    }
    let sample = try Sample(type, count: 600, seed: 11) { samples, number in
      let nameLength = 4 + number % 100
      var record = Record(recordType: "L", recordName: "\(1_000 + number)" + text(nameLength - 4, number))
      for field in 0..<70 where samples.below(3) > 0 {
        record["f\(field)"] = .string(text(samples.below(number % 3 == 0 ? 100 : 12), field))
      }
      return record
    }
    var checks = 0
    for limit in [600, 1, 8, 9] {
      for record in try sample.page("L", limit: limit) {
        let saved = try #require(sample.records[record.recordID.recordName])
        #expect(record.fieldCount == saved.fieldCount)
        for field in 0..<70 where record.string("f\(field)") != saved.string("f\(field)") {
          Issue.record("\(record.recordID), f\(field)")
        }
        checks += 71
      }
    }
    print("texts of every length: \(checks) checks")
    #expect(checks >= 43_000)
  }

  /// Values as long as each way of keeping them takes, in rows that were written at once and in such whose values were
  /// changed one by one, so that they lie apart from one another.
  @Test func valuesOfEverySize() throws {
    let type = RecordType(
      "V",
      fields: [
        FieldDefinition("text", .string), FieldDefinition("raw", .bytes), FieldDefinition("texts", .list(.string)),
        FieldDefinition("place", .location), FieldDefinition("places", .list(.location)),
        FieldDefinition("end", .string),
      ])
    let sizes = [0, 1, 6, 7, 8, 9, 15, 16, 40, 255, 2_047, 2_048, 2_049, 5_000, 70_000]
    func change(_ record: inout Record, _ samples: inout StorageSamples, _ field: Int) {
      let size = sizes[min(samples.below(sizes.count), samples.below(sizes.count))]
      let text = String(decoding: (0..<size).map { _ in UInt8(65 + samples.below(26)) }, as: UTF8.self)
      var place: Location {
        var details = Location.Details()
        if samples.below(2) == 0 { details.altitude = Double(samples.below(9_000)) }
        return Location(
          latitude: Double(samples.below(90)), longitude: Double(samples.below(180)), details: details)
      }
      switch field {
      case 0: record["text"] = .string(text)
      case 1: record["raw"] = .bytes(Array(text.utf8))
      case 2: record["texts"] = .stringList([text, "", "b"])
      case 3: record["place"] = .location(place)
      case 4: record["places"] = .locationList((0..<min(size, 300)).map { _ in place })
      default: record["end"] = samples.below(4) == 0 ? nil : .string(text)
      }
    }
    var sample = try Sample(type, count: 500, seed: 13) { samples, number in
      let name = "\(1_000 + number)" + String(repeating: "n", count: number % 251)
      var record = Record(recordType: "V", recordName: name)
      for field in 0..<6 where samples.below(5) > 0 { change(&record, &samples, field) }
      return record
    }
    var samples = StorageSamples(random: SplitMix(seed: 14), zone: .default)
    var checks = 0
    for round in 0..<(TestAmount.isFull ? 4 : 2) {
      for limit in round % 2 == 0 ? [500, 1, 7] : [500] {
        for record in try sample.page("V", limit: limit) {
          let saved = try #require(sample.records[record.recordID.recordName])
          let alone = try sample.database.record(for: record.recordID)
          #expect(record.hasSameFields(as: saved) && record == alone && record.fieldCount == saved.fieldCount)
          #expect(record.string("text") == saved.string("text") && record.string("end") == saved.string("end"))
          #expect(record.location("place") == saved.location("place"))
          #expect(record.stringList("texts") == saved.stringList("texts"))
          #expect(record.creatorUserRecordID == alone.creatorUserRecordID)
          checks += 6 + record.fieldCount
        }
      }
      for record in try sample.page("V", keys: ["raw", "places", "end"]) {
        let saved = try #require(sample.records[record.recordID.recordName])
        #expect(record["raw"] == saved["raw"] && record["places"] == saved["places"] && record["end"] == saved["end"])
        #expect(record["text"] == nil && record.string("texts") == nil && record.location("place") == nil)
        checks += 6
      }
      for name in sample.records.keys.sorted() where samples.below(2) == 0 {
        let id = RecordID(recordName: name)
        var record = try sample.database.record(for: id)
        change(&record, &samples, samples.below(6))
        let saved = try sample.database.save(record)
        let fetched = try sample.database.record(for: id)
        #expect(saved.hasSameFields(as: record) && saved == fetched)
        sample.records[name] = record
      }
    }
    print("values of every size: \(checks) checks")
    #expect(checks > (TestAmount.isFull ? 30_000 : 15_000))
  }

  /// Records all of whose texts are ASCII are read in another way than those that have one other letter anywhere.
  @Test func textsWithOneOtherLetter() throws {
    let type = RecordType(
      "A",
      fields: [
        FieldDefinition("first", .string), FieldDefinition("raw", .bytes), FieldDefinition("list", .list(.string)),
        FieldDefinition("last", .string),
      ])
    let others = ["é", "日", "\u{80}", "\u{301}", "👩🏽‍🚀"]
    let count = TestAmount.of(3_000)
    let sample = try Sample(type, count: count, seed: 16) { samples, number in
      var record = Record(recordType: "A", recordName: "a\(10_000 + number)")
      // In one of four fields, of every length, at every place, or nowhere.
      let odd = number % 5
      func text(_ field: Int) -> String {
        let length =
          number % 7 == 0 ? [samples.below(2_400), 2_030 + samples.below(20)][number % 2] : samples.below(48)
        var letters = (0..<length).map { _ in String(UnicodeScalar(UInt8(32 + samples.below(95)))) }
        if odd == field {
          let place = number % 3 == 0 ? length : samples.below(length + 1)
          letters.insert(others[samples.below(others.count)], at: place)
        }
        return letters.joined()
      }
      record["first"] = .string(text(0))
      record["raw"] = .bytes(Array(text(1).utf8))
      record["list"] = .stringList((0..<samples.below(8)).map { _ in text(2) })
      record["last"] = .string(text(3))
      return record
    }
    var checks = 0
    for limit in [count, 9] {
      for record in try sample.page("A", limit: limit) {
        let saved = try #require(sample.records[record.recordID.recordName])
        for field in ["first", "last"] {
          let (read, kept) = (try #require(record.string(field)), try #require(saved.string(field)))
          #expect(read == kept && read.utf16.count == kept.utf16.count && Array(read.utf8) == Array(kept.utf8))
          #expect(read.unicodeScalars.elementsEqual(kept.unicodeScalars) && read.hashValue == kept.hashValue)
          checks += 5
        }
        let (read, kept) = (try #require(record.stringList("list")), try #require(saved.stringList("list")))
        #expect(read == kept && read.map(\.utf16.count) == kept.map(\.utf16.count) && record["list"] == saved["list"])
        let alone = try sample.database.record(for: record.recordID)
        #expect(record["raw"] == saved["raw"] && record == alone)
        checks += 5
      }
    }
    print("texts with one other letter: \(checks) checks")
    #expect(checks == 15 * (count + 9))
  }

  /// Records of users whom their blocks know, and of others: whoever saved first or last; what a file does
  /// not say is the database's own.
  @Test func usersOfRecords() throws {
    let own = RecordID(recordName: ZoneID.currentUserName)
    let users =
      ["_defaultUser", "u", "_a0123456789abcdef0123456789abcdef"].map { RecordID(recordName: $0) } + [
        RecordID(recordName: "elsewhere", zoneID: ZoneID(zoneName: "Users", ownerName: "somebody")),
        RecordID(recordName: "n", zoneID: ZoneID(zoneName: "Z", ownerName: "o")),
        RecordID(recordName: "name", zoneID: ZoneID(zoneName: "Z", ownerName: "o")),
      ]
    let sample = try Sample(RecordType("U", fields: [FieldDefinition("n", .int64)]), count: 600, seed: 17) {
      samples, number in
      var record = Record(recordType: "U", recordName: "u\(number)")
      // Long stretches of one user, short ones of several.
      let several = number % 100 < 50
      func user() -> RecordID? {
        let drawn = samples.below(several ? users.count + 1 : 40)
        return drawn < users.count ? users[drawn] : drawn == users.count ? nil : users[2]
      }
      (record.creatorUserRecordID, record.lastModifiedUserRecordID) = (user(), user())
      record["n"] = .int64(Int64(number))
      return record
    }
    var checks = 0
    for keys in [nil, ["n"], []] {
      for limit in [600, 1, 7] {
        for record in try sample.page("U", keys: keys, limit: limit) {
          let saved = try #require(sample.records[record.recordID.recordName])
          let (first, last) = (saved.creatorUserRecordID ?? own, saved.lastModifiedUserRecordID ?? own)
          #expect(record.creatorUserRecordID == first)
          #expect(record.lastModifiedUserRecordID == last)
          #expect(record.systemValue(.creatorUserRecordID) == .reference(Reference(first)))
          var parts = record
          parts.makeValues()
          #expect(parts == record && parts.lastModifiedUserRecordID == last)
          checks += 5
          if keys == nil {
            let alone = try sample.database.record(for: record.recordID)
            #expect(alone == record && record == alone && alone.hashValue == record.hashValue)
            checks += 3
          }
        }
      }
    }
    print("users of records: \(checks) checks")
    #expect(checks == 608 * (8 + 5 + 5))
  }

  /// A name is found by its words where it is short or the same string, else by its bytes.
  @Test func namesOfFields() {
    func type(_ name: String) -> FieldType { name.count % 2 == 0 ? .int64 : .list(.string) }
    for count in [0, 1, 2, 10, 31, 32, 33, 700] {
      let names = (0..<count).map { $0 % 3 == 0 ? "aNameThatIsNoShortOne\($0)" : "f\($0)" }
      let shape = TableShape(
        zoneID: .default, TableFields(RecordType("T", fields: names.map { FieldDefinition($0, type($0)) })))
      for (position, name) in names.enumerated() {
        #expect(shape.field(name)?.position == position)
        #expect(shape.field(String(decoding: Array(name.utf8), as: UTF8.self))?.position == position)
        #expect(shape.field(name)?.type == type(name))
        #expect(shape.field(name + "_") == nil)
      }
      for name in ["", "f", "f\(count)", "aNameThatIsNoShortOne", "e\u{301}"] {
        #expect(shape.field(name) == nil)
      }
    }
  }

  /// Strings are made by three ways, one for the short ones, one for what is known to be ASCII.
  @Test func stringsOfBytes() {
    let texts = ["", "a", "é", "ab", "日本", "e\u{301}", "👩🏽‍🚀", "\u{0}", "a\u{0}b", "Zürich", "Πλάτων ὁ σοφός"]
    var checks = 0
    for text in texts {
      for length in 0...24 {
        let text = text + String("abcdefghijklmnopqrstuvwx".prefix(length))
        let bytes = Array(text.utf8)
        for isASCII in [false, bytes.allSatisfy { $0 < 0x80 }] {
          let copied = String(copying: bytes.span, isASCII: isASCII)
          #expect(Array(copied.utf8) == bytes && copied == text)
          checks += 1
        }
      }
    }
    #expect(checks == 550 && ByteSlot.inlineLimit <= String.shortLimit)
  }

  /// An answer takes far fewer pieces of memory than it has records.
  @Test func recordsShareBlocks() throws {
    let database = try Database()
    for number in 0..<100 {
      var record = Record(recordType: "T", recordName: "r\(number)")
      record["title"] = .string("the title of number \(number)")
      try database.save(record)
    }
    let records = try database.records(matching: Query(recordType: "T")).records
    let blocks = Dictionary(grouping: records.map(\.content.block)) { ObjectIdentifier($0) }
    #expect(blocks.count == 2 && blocks.values.allSatisfy { $0[0].capacity <= RecordReader.blockSize * 5 / 4 })
  }

  /// A long record takes no room for others beside it, and a read of few fields none for those left out.
  @Test func blocksAreNoLargerThanNeeded() throws {
    let sample = try Sample(RecordBlockTests.wide, count: 64, seed: 5) { _, number in
      var record = Record(recordType: "W", recordName: "w\(number)")
      record["f149"] = .string(String(repeating: "x", count: number == 5 ? 700_000 : 3))
      return record
    }
    func capacity(_ records: [Record]) -> Int {
      var blocks: [ObjectIdentifier: Int] = [:]
      for record in records { blocks[ObjectIdentifier(record.content.block)] = record.content.block.capacity }
      return blocks.values.reduce(0, +)
    }
    #expect(capacity(try sample.page("W")) < 700_000 + 64 * 3_000)
    #expect(capacity(try sample.page("W", keys: [])) < 64 * 400)
    #expect(capacity(try sample.page("W", keys: ["f1"])) < 64 * 400)
    #expect(try sample.page("W", keys: []).allSatisfy { $0.fieldCount == 0 && $0.changeTag != nil })
  }

  /// Whatever sizes follow one another, blocks take little more than their records do.
  @Test func blocksOfMixedSizes() throws {
    let sizes: [[Int]] = [
      (0..<200).map { $0 % 2 == 0 ? 3_500 : 8 },
      (0..<200).map { $0 == 0 ? 3_500 : 8 },
      (0..<200).map { $0 % 40 == 20 ? 20_000 : 8 },
      (0..<200).map { $0 % 4 < 2 ? 3_500 : 8 },
      (0..<200).map { [5_000, 8, 8, 200, 4_000, 8][$0 % 6] },
      (0..<200).map { $0 * 40 },
      (0..<200).map { 8_000 - $0 * 40 },
    ]
    for sizes in sizes {
      let type = RecordType("M", fields: [FieldDefinition("text", .string)])
      let sample = try Sample(type, count: sizes.count, seed: 15) { _, number in
        var record = Record(recordType: "M", recordName: "m\(1_000 + number)")
        record["text"] = .string(String(repeating: "x", count: sizes[number]))
        return record
      }
      let records = try sample.page("M")
      #expect(records.count == sizes.count && records[7].string("text")?.utf8.count == sizes[7])
      let blocks = Dictionary(grouping: records.map(\.content.block)) { ObjectIdentifier($0) }.values.map { $0[0] }
      let alone = try records.map { try sample.database.record(for: $0.recordID).content.block.capacity }
      let (taken, needed) = (blocks.map(\.capacity).reduce(0, +), alone.reduce(0, +))
      #expect(taken <= needed * 3 / 2 + RecordReader.blockSize, "\(taken) of \(needed)")
      #expect(blocks.allSatisfy { $0.capacity <= max(RecordReader.blockSize * 5 / 4, alone.max() ?? 0) })
    }
  }

  /// Records of several zones that follow one another share blocks where they are of one zone.
  @Test func recordsOfSeveralZones() throws {
    let database = try Database()
    for zone in ["A", "B", "C"] {
      let id = ZoneID(zoneName: zone)
      try database.createZone(id)
      for number in 0..<20 {
        var record = Record(recordType: "T", recordName: "\(zone)\(number)", zoneID: id)
        record["rank"] = .int64(Int64(zone == "A" ? number : 100 + 2 * number + (zone == "B" ? 0 : 1)))
        record["title"] = .string("\(zone) number \(number) of its zone")
        try database.save(record)
      }
    }
    let page = try database.records(matching: Query(recordType: "T", sort: [.ascending("rank")]))
    #expect(page.records.count == 60)
    for record in page.records {
      #expect(record == (try database.record(for: record.recordID)))
      #expect(record.string("title")?.hasPrefix(record.recordID.zoneID.zoneName) == true)
    }
    #expect(Set(page.records.prefix(20).map { ObjectIdentifier($0.content.block) }).count == 1)
    #expect(Set(page.records.map { ObjectIdentifier($0.content.block) }).count == 41)
  }

  @Test func descriptionsOfValues() {
    #expect("\(Timestamp(milliseconds: 1_788_220_800_123))" == "2026-09-01T00:00:00.123Z")
    #expect("\(FieldValue.timestamp(Timestamp(milliseconds: 0)))" == "1970-01-01T00:00:00Z")
    #expect("\(FieldValue.string("Suva"))" == "\"Suva\"" && "\(FieldValue.int64(-3))" == "-3")
    let elsewhere = RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Trip"))
    #expect("\(Reference(elsewhere, action: .deleteSelf))" == "\(elsewhere)")
    #expect("\(FieldValue.stringList((0..<9).map { "t\($0)" }))" == #"["t0", "t1", "t2", "t3", … (9)]"#)
  }

  @Test func descriptions() throws {
    var record = Record(recordType: "Event", recordName: "keynote")
    #expect("\(record)" == "Event keynote {}")
    record["title"] = "Maps of the sea"
    record["capacity"] = 120
    record["tags"] = .stringList((0..<9).map { "t\($0)" })
    #expect(
      record.description
        == #"Event keynote {title: "Maps of the sea", capacity: 120, tags: ["t0", "t1", "t2", "t3", … (9)]}"#)
    record["text"] = .string(String(repeating: "e\u{301}", count: 100_000))
    for number in 0..<200 { record["n\(number)"] = 1 }
    #expect(record.description.utf8.count < 1_000)
    let database = try Database()
    try database.save(record)
    let fetched = try database.record(for: record.recordID)
    #expect(fetched.description.utf8.count < 1_000)
    #expect(Mirror(reflecting: fetched).children.contains { $0.label == "capacity" })
    var dumped = ""
    dump(fetched["capacity"], to: &dumped)
    #expect(dumped.contains("120"))
  }
}
