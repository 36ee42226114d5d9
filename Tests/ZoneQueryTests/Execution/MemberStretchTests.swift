import Testing

@testable import ZoneQuery

/// Lists' members in an index of a list and another field, whose word does not tell every text from all others.
@Suite struct MemberStretchTests {
  /// The first two have one word; the next are longer than posting lists hold whole, of which two begin alike.
  private static let tags = [
    "tag 117897 x", "tag 201059 x", "a tag longer than fifteen", "a tag longer than fifteen bytes", "swift", "seven77",
    "eight-88", "Ten_letter", "ten letter", "eleven_l-11", "architecture", "zzzzzzzzzzz", "zzzzzzzzzzzz", "Elevenlette",
    "twelve-12-12", "thirteenthree", "été à Suva",
  ]

  @Test func membersWithOneWord() {
    let words = Self.tags.map { KeyEncoding.memberWord(Array($0.utf8), .string) }
    #expect(words[0].word == words[1].word)
    #expect(Set(words.map(\.word)).count == Self.tags.count - 1)
    let exact = [
      "swift", "seven77", "eight-88", "Ten_letter", "eleven_l-11", "architecture", "zzzzzzzzzzz", "zzzzzzzzzzzz",
    ]
    #expect(Self.tags.indices.filter { words[$0].isExact }.map { Self.tags[$0] } == exact)
  }

  /// Walks along the index give what is found by looking at all records, whether or not the word is the member's alone,
  /// and read no more entries than they have to where it is.
  @Test func walks() throws {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerOperation = 1_000
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE Event (tags LIST<STRING> QUERYABLE, start INT64 QUERYABLE SORTABLE);"),
      configuration: configuration)
    try database.addIndex(IndexDefinition(recordType: "Event", keys: ["tags", "start"]))
    var samples = SplitMix(seed: 20)
    var held: [(name: String, tags: [String], start: Int)] = []
    for number in 0..<600 {
      // The second of the colliding tags comes later, and goes again.
      let known = Self.tags.indices.filter { $0 != 1 || (200..<400).contains(number) }
      let tags = (0..<samples.below(5)).map { _ in Self.tags[known[samples.below(known.count)]] }
      held.append((name: "r\(number)", tags: tags, start: samples.below(10_000)))
    }
    var checks = 0
    func check(_ records: [(name: String, tags: [String], start: Int)], _ when: String) throws {
      let sorted = try database.prepare(
        Query(
          recordType: "Event", predicate: try QueryPredicate(format: "tags CONTAINS $tag"), sort: [.descending("start")]
        ))
      let ranged = try database.prepare(
        Query(
          recordType: "Event", predicate: try QueryPredicate(format: "tags CONTAINS $tag AND start > $start"),
          sort: [.ascending("start")]))
      // The first question of each is planned, later ones take the plan of another's value.
      for round in 0..<3 {
        for (number, tag) in (Self.tags + ["none such at all"]).enumerated() {
          let start = samples.below(10_000)
          let having = records.filter { $0.tags.contains(tag) }
          let newest = having.sorted { ($1.start, $0.name) < ($0.start, $1.name) }.map(\.name)
          let later = having.filter { $0.start > start }.sorted { ($0.start, $0.name) < ($1.start, $1.name) }
            .map(\.name)
          var found: [String] = []
          try sorted.forEachRecord(["tag": tag], resultsLimit: 20) { found.append($0.recordID.recordName) }
          #expect(found == Array(newest.prefix(20)), "\(tag), \(when)")
          found = []
          try ranged.forEachRecord(["tag": tag, "start": start], resultsLimit: 20) {
            found.append($0.recordID.recordName)
          }
          #expect(found == Array(later.prefix(20)), "\(tag) after \(start), \(when)")
          checks += 2
          guard round == 0, number < Self.tags.count else { continue }
          let explanation = try sorted.explain(try sorted.arguments(["tag": tag]), resultsLimit: 20)
          #expect(explanation.counters.rowsReturned == min(20, newest.count))
          let isAlone = number > 3 || number < 2 && !records.contains { $0.tags.contains(Self.tags[1 - number]) }
          // One entry more tells whether there are more rows.
          if isAlone { #expect(explanation.counters.entriesRead <= 21, "\(tag), \(when)\n\(explanation)") }
        }
      }
    }
    func save(_ range: Range<Int>) throws {
      let records = held[range].map { held in
        var record = Record(recordType: "Event", recordName: held.name)
        record["tags"] = .stringList(held.tags)
        record["start"] = .int64(Int64(held.start))
        return record
      }
      for result in try database.save(records) { _ = try result.get() }
    }
    try save(0..<200)
    try check(Array(held[0..<200]), "while one of two with a word is there")
    try save(200..<600)
    try check(held, "while both are")
    for result in try database.deleteRecords(withIDs: held[200..<400].map { RecordID(recordName: $0.name) }) {
      _ = try result.get()
    }
    try check(Array(held[0..<200] + held[400...]), "when the other is gone")
    // A record without the second field is not in the index, so that nothing is told by how many entries there are.
    var record = Record(recordType: "Event", recordName: "without")
    record["tags"] = .stringList([Self.tags[0]])
    try database.save(record)
    let count = try database.count(
      matching: Query(recordType: "Event", predicate: try QueryPredicate(format: "tags CONTAINS 'tag 117897 x'")))
    #expect(count == (held[0..<200] + held[400...]).count { $0.tags.contains(Self.tags[0]) } + 1)
    print("stretches of members: \(checks) answers")
    #expect(checks >= 200)
  }

  /// A list of very many members has an entry for each different one.
  @Test func manyMembers() throws {
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE Event (tags LIST<INT64> QUERYABLE, start INT64 QUERYABLE SORTABLE);"))
    try database.addIndex(IndexDefinition(recordType: "Event", keys: ["tags", "start"]))
    var record = Record(recordType: "Event", recordName: "long")
    record["tags"] = .int64List((0..<60_000).map { Int64($0 % 50_000) })
    record["start"] = 1
    try database.save(record)
    for number in [0, 9_999, 49_999] {
      let predicate = try QueryPredicate(format: "tags CONTAINS %d AND start = 1", number)
      #expect(try database.count(matching: Query(recordType: "Event", predicate: predicate)) == 1)
    }
    try database.deleteRecord(withID: RecordID(recordName: "long"))
    #expect(
      try database.count(matching: Query(recordType: "Event", predicate: try QueryPredicate(format: "TRUEPREDICATE")))
        == 0)
  }
}

extension MemberStretchTests {
  /// Exact words are those of one text alone, whatever its length and letters.
  @Test func exactWordsDiffer() {
    var samples = SplitMix(seed: 29)
    let letters = Array("aazz09-_AZ".utf8)
    var texts: [UInt64: [UInt8]] = [:]
    var exact = 0
    for _ in 0..<TestAmount.of(40_000) {
      let text = (0..<7 + samples.below(7)).map { _ in letters[samples.below(samples.below(2) == 0 ? 4 : letters.count)]
      }
      let (word, isExact) = KeyEncoding.memberWord(text, .string)
      if !isExact { continue }
      exact += 1
      #expect(texts.updateValue(text, forKey: word).map { $0 == text } ?? true)
    }
    print("words of members: \(exact) checks")
    #expect(exact > TestAmount.of(15_000))
  }
}
