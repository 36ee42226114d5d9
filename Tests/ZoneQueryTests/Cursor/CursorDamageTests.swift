import Foundation
import Testing

@testable import ZoneQuery

struct CursorDamageTests {
  /// A cursor of each kind, and the database that made them.
  private static func cursors(seed: UInt64 = 3) throws -> (Database, [QueryCursor]) {
    var random = SplitMix(seed: seed)
    let sample = try CursorSample(count: 30, &random)
    let cursors = try CursorSample.sorts.flatMap { sort in
      try [nil, CursorSample.zones[0]].map { zone in
        let query = Query(
          recordType: "Thing", predicate: try QueryPredicate(format: "x >= 0 AND text IN {'a', 'ä', 'b'}"), sort: sort)
        return try #require(try sample.database.records(matching: query, inZoneWith: zone, resultsLimit: 1).cursor)
      }
    }
    return (sample.database, cursors)
  }

  @Test func everyBitAndEveryTruncation() throws {
    let (database, cursors) = try Self.cursors()
    var checks = 0
    for cursor in cursors {
      for index in cursor.data.indices {
        for bit in 0..<8 where TestAmount.takes(index + bit) {
          var bytes = cursor.data
          bytes[index] ^= 1 << UInt8(bit)
          // The form may still be a cursor's; then the database refuses the tag.
          expectFailure(.invalidCursor) {
            try database.records(continuingMatchFrom: try QueryCursor(data: bytes))
          }
          checks += 1
        }
        expectFailure(.invalidCursor) {
          try database.records(continuingMatchFrom: try QueryCursor(data: Array(cursor.data[..<index])))
        }
        checks += 1
      }
      for surplus: [UInt8] in [[0], Array(repeating: 0, count: 16), cursor.data] {
        expectFailure(.invalidCursor) {
          try database.records(continuingMatchFrom: try QueryCursor(data: cursor.data + surplus))
        }
      }
      let text = cursor.description
      for end in text.utf8.indices.dropFirst() {
        let cut = String(text[..<end])
        if let read = QueryCursor(cut) {
          expectFailure(.invalidCursor) { try database.records(continuingMatchFrom: read) }
        }
        checks += 1
      }
    }
    print("damaged cursors: \(checks) refused")
    #expect(checks > TestAmount.of(30_000))
  }

  /// Contents that a database could not have written, under its own tag: an error or an answer, and never a trap.
  @Test func strangeContents() throws {
    let (database, cursors) = try Self.cursors(seed: 4)
    let key = try #require(SipHash.Key(CursorSample.key))
    var random = SplitMix(seed: 11)
    var checks = 0
    var answers = 0
    for _ in 0..<TestAmount.of(6_000, long: 200_000) {
      var bytes = cursors[Int(random.next() % UInt64(cursors.count))].data
      bytes.removeLast(16)
      for _ in 0...random.next() % 3 {
        let place = 4 + Int(random.next() % UInt64(bytes.count - 4))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[place] = [0, 1, 2, 3, 0x7F, 0x80, 0xFF][Int(random.next() % 7)]
        case 2: bytes.remove(at: place)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next() % 4), at: place)
        }
        if bytes.count < 8 { break }
      }
      bytes += SipHash.tag(of: bytes, key: key)
      if let cursor = try? QueryCursor(data: bytes),
        (try? database.records(continuingMatchFrom: cursor, resultsLimit: 2)) != nil
      {
        answers += 1
      }
      checks += 1
    }
    print("strange cursors: \(checks) taken, \(answers) of them answered")
    #expect(checks >= TestAmount.of(6_000) && answers > 0 && answers < checks)
  }

  @Test func hostileLengths() throws {
    let key = try #require(SipHash.Key(CursorSample.key))
    let database = try CursorSample.database()
    var checks = 0
    // A length of its own choice in front of every part, and lists of what takes no bytes.
    for length: UInt64 in [0, 1, 9, 1 << 20, 1 << 31, 1 << 32, 1 << 62, .max - 8, .max] {
      for prefix in 0..<12 {
        var bytes = CursorFormat.header
        for _ in 0..<prefix { bytes += Array(repeating: 0, count: 8) }
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
        for tail in [0, 1, 64] {
          var whole = bytes + Array(repeating: 0, count: tail)
          whole += SipHash.tag(of: whole, key: key)
          if let cursor = try? QueryCursor(data: whole) {
            #expect((try? database.records(continuingMatchFrom: cursor)) == nil)
          }
          checks += 1
        }
      }
    }
    #expect(checks == 324)
    for text in [
      "", "=", "A", "====", "WlFDAQ", "WlFDAQ==", "not a cursor", "é", String(repeating: "A", count: 10_000),
    ] {
      #expect(QueryCursor(text) == nil, "\(text.prefix(10))")
      expectFailure(.invalidCursor) { try QueryCursor(text: text) }
    }
  }

  @Test func otherKeysAndOtherDatabases() throws {
    let (database, cursors) = try Self.cursors()
    let sorted = cursors.count - 2
    // Another key, and a key drawn by chance.
    for key in [Array(repeating: UInt8(0), count: 16), nil] {
      let other = try CursorSample.database(key: key)
      for cursor in cursors { expectFailure(.invalidCursor) { try other.records(continuingMatchFrom: cursor) } }
    }
    // The same key and records: what a process finds after a restart.
    let restarted = try Self.cursors().0
    for (index, cursor) in cursors.enumerated() {
      if index < 2 {
        expectFailure(.cursorExpired) { try restarted.records(continuingMatchFrom: cursor) }
      } else {
        let names = try restarted.records(continuingMatchFrom: cursor, resultsLimit: .max).records.map(\.recordID)
        let expected = try database.records(continuingMatchFrom: cursor, resultsLimit: .max).records.map(\.recordID)
        #expect(names == expected && !names.isEmpty)
      }
    }
    // The same key, but no such type, or a field of another type.
    var configuration = Database.Configuration()
    configuration.cursorKey = CursorSample.key
    let empty = try Database(schema: Schema(), configuration: configuration)
    expectFailure(.unknownRecordType) { try empty.records(continuingMatchFrom: cursors[sorted]) }
    let retyped = try Database(
      schema: Schema([
        RecordType("Thing", fields: [FieldDefinition("x", .double), FieldDefinition("text", .string)])
      ]), configuration: configuration)
    expectFailure(.invalidCursor) { try retyped.records(continuingMatchFrom: cursors[2]) }
    configuration.cursorKey = [1, 2, 3]
    expectFailure(.invalidConfiguration) { try Database(configuration: configuration) }
  }

  /// A field that has become one of another type with values of the same kind: a cursor's place is none in its order.
  @Test func sortsOfOtherTypes() throws {
    let values: [FieldType.Scalar: @Sendable (Int) -> FieldValue] = [
      .int64: { .int64(Int64($0)) }, .timestamp: { .timestamp(Timestamp(milliseconds: Int64($0))) },
      .double: { .double(Double($0)) }, .string: { .string("\($0)") },
      .reference: { .reference(Reference(RecordID(recordName: "\($0)"))) },
    ]
    var databases: [FieldType.Scalar: Database] = [:]
    for (scalar, value) in values {
      var configuration = Database.Configuration()
      configuration.cursorKey = CursorSample.key
      let field = FieldDefinition("n", FieldType(scalar), [.queryable, .sortable])
      let database = try Database(
        schema: Schema([RecordType("T", fields: [field])]), configuration: configuration)
      for index in 0..<6 {
        var record = Record(recordType: "T", recordName: "r\(index)")
        if index > 1 { record["n"] = value(index) }
        try database.save(record)
      }
      databases[scalar] = database
    }
    var checks = 0
    for (scalar, database) in databases {
      // Behind a missing value, and behind one.
      for limit in [1, 3] {
        let query = Query(recordType: "T", predicate: .true, sort: [.ascending("n")])
        let cursor = try #require(try database.records(matching: query, resultsLimit: limit).cursor)
        for (other, database) in databases {
          checks += 1
          if other == scalar {
            #expect(try database.records(continuingMatchFrom: cursor).records.count == 6 - limit)
          } else {
            expectFailure(.invalidCursor) { try database.records(continuingMatchFrom: cursor) }
          }
        }
      }
    }
    #expect(checks == 50)
  }

  @Test func textsOfErrors() throws {
    let (database, cursors) = try Self.cursors()
    func text(_ bytes: [UInt8]) -> String {
      do {
        _ = try database.records(continuingMatchFrom: try QueryCursor(data: bytes))
        return "taken"
      } catch {
        return "\(error)"
      }
    }
    let hint = "\nhint: ask the query again from its beginning; databases that share cursors need the same cursorKey"
    let good = cursors[3].data
    #expect(text([]) == "The cursor cannot be used: the bytes are no cursor's" + hint)
    #expect(text(Array(good.dropLast(40))) == "The cursor cannot be used: it ends too early, or was changed" + hint)
    var other = good
    other[3] = 9
    #expect(text(other) == "The cursor cannot be used: its format is version 9, which is not known here" + hint)
    other = good
    other[good.count - 1] ^= 1
    #expect(
      text(other) == "The cursor cannot be used: it was changed, or made by a database with another key" + hint)
    let restarted = try CursorSample.database()
    do {
      _ = try restarted.records(continuingMatchFrom: cursors[0])
      Issue.record("taken")
    } catch {
      #expect(
        "\(error)" == """
          The cursor's place is gone: another database answered the query, which has no sort
          hint: ask the query again from its beginning; with a sort its cursors would outlive this
          """)
    }
  }

  @Test func archives() throws {
    let (_, cursors) = try Self.cursors()
    for cursor in cursors {
      let json = try JSONEncoder().encode([cursor])
      #expect(try JSONDecoder().decode([QueryCursor].self, from: json) == [cursor])
      #expect(
        QueryCursor(cursor.description) == cursor && cursor.description.utf8.allSatisfy { $0 < 0x7F && $0 > 0x2C })
      #expect(try QueryCursor(data: cursor.data).hashValue == cursor.hashValue)
    }
    do {
      _ = try JSONDecoder().decode([QueryCursor].self, from: Data("[\"x.\"]".utf8))
      Issue.record("taken")
    } catch DecodingError.dataCorrupted(let context) {
      #expect((context.underlyingError as? ZoneQueryError)?.code == .invalidCursor)
      #expect(
        context.debugDescription == """
          The cursor cannot be used: its text is longer than any, or is not in Base64 as URLs take it (A to Z, a to z, \
          0 to 9, - and _, unpadded)
          """)
    }
  }
}
