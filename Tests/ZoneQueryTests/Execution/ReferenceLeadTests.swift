import Testing

@testable import ZoneQuery

/// Indexes that begin with a reference or a list of references, whose word is not taken to tell a record from all others.
@Suite struct ReferenceLeadTests {
  private static let posts = ["post 8082", "post 338078", "post 1", "post 2", "p"]

  private struct Comment {
    var name: String
    var post: String?
    var authors: [String]
    var likes: Int?

    var record: Record {
      func reference(_ name: String, _ action: Reference.Action = .none) -> Reference {
        Reference(RecordID(recordName: name), action: action)
      }
      var record = Record(recordType: "Comment", recordName: name)
      record["post"] = post.map { .reference(reference($0)) }
      record["authors"] = authors.isEmpty ? nil : .referenceList(authors.map { reference($0) })
      record["likes"] = likes.map { .int64(Int64($0)) }
      return record
    }
  }

  /// A word stands for a record, but is not taken to tell it from all others.
  @Test func recordsWithOneWord() {
    let words = Self.posts.map { KeyEncoding.memberWord(RecordID(recordName: $0).encoded, .reference) }
    #expect(Set(words.map(\.word)).count == Self.posts.count && words.allSatisfy { !$0.isExact })
    #expect(words.allSatisfy { !KeyEncoding.isExactMember($0.word) })
  }

  /// What is found along the indexes is what a look at all records finds, while records come, change and go, sorted and not,
  /// page by page, with an index of postings on the reference (which can tell that a word is one record's alone) and without.
  @Test(arguments: ["", " QUERYABLE"]) func answers(index: String) throws {
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Comment (
            post REFERENCE\(index), authors LIST<REFERENCE>\(index), likes INT64 QUERYABLE SORTABLE);
          """))
    for lead in ["post", "authors", "creatorUserRecordID"] {
      try database.addIndex(IndexDefinition(recordType: "Comment", keys: [lead, "likes"]))
    }
    var samples = SplitMix(seed: 61)
    var held: [String: Comment] = [:]
    var (checks, asked) = (0, 0)
    func comment(_ name: String) -> Comment {
      func post() -> String { Self.posts[samples.below(Self.posts.count)] }
      return Comment(
        name: name, post: samples.below(9) == 0 ? nil : post(), authors: (0..<samples.below(4)).map { _ in post() },
        likes: asked < 2 || samples.below(40) > 0 ? samples.below(30) : nil)
    }
    func check(_ format: String, _ arguments: [any PredicateArgument], _ matches: (Comment) -> Bool) throws {
      let predicate = try QueryPredicate(format: format, arguments: arguments)
      for sort in [[SortKey.ascending("likes")], [.descending("likes")], [.ascending("post")], []] {
        let query = Query(recordType: "Comment", predicate: predicate, sort: sort)
        var expected = held.values.filter(matches)
        switch sort.first?.key {
        case "likes":
          let isDescending = sort[0].order == .descending
          expected.sort {
            let (left, right) = ($0.likes ?? -1, $1.likes ?? -1)
            return left == right ? $0.name < $1.name : isDescending ? left > right : left < right
          }
        case "post": expected.sort { ($0.post ?? "", $0.name) < ($1.post ?? "", $1.name) }
        default: expected.sort { $0.name < $1.name }
        }
        var names = try database.names(matching: query, pagesOf: 7)
        if sort.isEmpty { names.sort() }
        #expect(names == expected.map(\.name), "\(format) \(arguments) \(sort)")
        checks += 1
      }
      #expect(
        try database.count(matching: Query(recordType: "Comment", predicate: predicate))
          == held.values.count(where: matches))
    }
    for round in 0..<(TestAmount.isFull ? 8 : 4) {
      for _ in 0..<50 {
        let name = "c\(samples.below(200))"
        if samples.below(5) == 0, held.removeValue(forKey: name) != nil {
          try database.deleteRecord(withID: RecordID(recordName: name))
        } else {
          let comment = comment(name)
          held[name] = comment
          try database.save(comment.record, policy: .replace)
        }
      }
      asked = round
      let likes = samples.below(30)
      for name in Self.posts + ["none such"] {
        let post = Reference(RecordID(recordName: name))
        try check("post = %@", [post]) { $0.post == name }
        try check("post = %@ AND likes > %d", [post, likes]) { $0.post == name && ($0.likes ?? -1) > likes }
        try check("post = %@ AND likes = %d", [post, likes]) { $0.post == name && $0.likes == likes }
        try check("authors CONTAINS %@ AND likes >= %d", [post, likes]) {
          $0.authors.contains(name) && ($0.likes ?? -1) >= likes
        }
        try check("post = %@ AND authors CONTAINS %@", [post, post]) { $0.post == name && $0.authors.contains(name) }
      }
      let user = Reference(
        try #require(
          try database.records(
            matching: Query(recordType: "Comment", predicate: QueryPredicate(format: "TRUEPREDICATE"))
          ).records.first?.creatorUserRecordID))
      try check("creatorUserRecordID = %@ AND likes < %d", [user, likes]) { ($0.likes ?? 99) < likes }
      try check("TRUEPREDICATE", []) { _ in true }
    }
    print("references that lead: \(checks) answers")
    #expect(checks >= (TestAmount.isFull ? 1_000 : 500))
  }

  /// The newest comments on a post are read one after the other, however many it has.
  @Test func walk() throws {
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE Comment (post REFERENCE QUERYABLE, likes INT64 QUERYABLE SORTABLE);"))
    try database.load(
      (0..<2_000).map { Comment(name: "c\($0)", post: "post \($0 % 2)", authors: [], likes: $0).record })
    let query = Query(
      recordType: "Comment",
      predicate: try QueryPredicate(format: "post = %@", Reference(RecordID(recordName: "post 1"))),
      sort: [.descending("likes")])
    let before = try database.explain(query, resultsLimit: 10)
    try database.addIndex(IndexDefinition(recordType: "Comment", keys: ["post", "likes"]))
    let after = try database.explain(query, resultsLimit: 10)
    #expect(before.counters.rowsReturned == 10 && after.counters.rowsReturned == 10 && before.counters.entriesRead > 11)
    #expect(after.counters.entriesRead == 11 && after.counters.rowsExamined == 0, "\(after)")
    #expect("\(after)".contains("(post, likes): post = \"post 1\""), "\(after)")
  }

  @Test(arguments: [
    (["likes", "post"], "keys behind the first"), (["photo", "likes"], "the first key is"),
    (["place", "likes"], "the first key is"), (["likes", "tags"], "keys behind the first"),
  ])
  func refusals(keys: [String], hint: String) throws {
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Comment (
            post REFERENCE, photo BYTES, place LOCATION, tags LIST<STRING>, likes INT64 QUERYABLE SORTABLE);
          """))
    #expect {
      try database.addIndex(IndexDefinition(recordType: "Comment", keys: keys))
    } throws: { "\($0)".contains(hint) }
  }
}
