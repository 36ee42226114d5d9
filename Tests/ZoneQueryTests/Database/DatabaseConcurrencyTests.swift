import Testing

@testable import ZoneQuery

/// Readers beside a writer: each sees whole commits only, in their order. Run under the thread sanitizer too.
struct DatabaseConcurrencyTests {
  @Test func readersSeeWholeCommits() async throws {
    let zone = ZoneID(zoneName: "Z")
    let database = try Database()
    try database.createZone(zone)
    let commits: Int64 = 150
    let names = (0..<8).map { "r\($0)" }
    let save: @Sendable (Int64) throws -> Void = { version in
      let records = names.map { name in
        var record = Record(recordType: "T", recordName: name, zoneID: zone)
        record["version"] = .int64(version)
        record["text"] = .string("version \(version)")
        return record
      }
      for result in try database.save(records, policy: .replace) { _ = try result.get() }
    }
    try save(0)
    let reads = try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        for version in 1...commits {
          try save(version)
          await Task.yield()
        }
        return 0
      }
      for reader in 0..<3 {
        group.addTask {
          var last: Int64 = 0
          var count = 0
          while last < commits {
            let page = try database.records(matching: Query(recordType: "T", sort: [.ascending("recordID")]))
            let versions = Set(page.records.map { $0["version"] })
            #expect(page.records.count == names.count && versions.count == 1)
            guard case .int64(let version)?? = versions.first else { break }
            #expect(version >= last && page.records.allSatisfy { $0["text"] == .string("version \(version)") })
            last = version
            count += 1
            if reader == 0 { _ = try database.record(for: RecordID(recordName: "r3", zoneID: zone)) }
            await Task.yield()
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    print("concurrent reads: \(reads)")
    #expect(reads >= 30)
  }

  @Test func oneMatcherServesManyTasks() async throws {
    let matcher = try Matcher(QueryPredicate(format: "a = 1 AND b BEGINSWITH 'x'"))
    let matches = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var count = 0
          for index in 0..<400 {
            var fields: [String: FieldValue] = ["a": .int64(Int64(index % 2)), "b": "xyz"]
            if (index + task) % 7 == 0 { fields["b"] = nil }
            if try matcher.matches(fields) { count += 1 }
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(matches > 600 && matches < 800)
  }
}
