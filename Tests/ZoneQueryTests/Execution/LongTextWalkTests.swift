import Testing

@testable import ZoneQuery

/// Sorts by texts that begin alike, of which an index's words tell the beginning alone.
@Suite struct LongTextWalkTests {
  private struct Page {
    var name: String
    var url: String?
    var rank: Int
    var zone: ZoneID
  }

  private static let zones = [ZoneID.default, ZoneID(zoneName: "B")]

  private func pages(_ count: Int, zones: Int, _ samples: inout SplitMix) -> [Page] {
    (0..<count).map { number in
      let path = samples.below(count)
      return Page(
        name: "n\(number)",
        url: number % 50 == 3 ? nil : "https://example.org/a/path/that/all/have/\(path % 3 == 0 ? 0 : path)",
        rank: samples.below(5), zone: Self.zones[samples.below(zones)])
    }
  }

  private func database(_ pages: [Page], keys: [String]) throws -> Database {
    let database = try Database(
      schema: Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE Page (url STRING QUERYABLE SORTABLE, rank INT64 QUERYABLE SORTABLE);"))
    for zone in Self.zones where !zone.isDefault { try database.createZone(zone) }
    if keys.count > 1 { try database.addIndex(IndexDefinition(recordType: "Page", keys: keys)) }
    try database.load(
      pages.map { page in
        var record = Record(recordType: "Page", recordName: page.name, zoneID: page.zone)
        record["url"] = page.url.map { .string($0) }
        record["rank"] = .int64(Int64(page.rank))
        return record
      })
    return database
  }

  /// Pages along the index have the records of a sort by hand, of one zone and of two, filtered and not.
  @Test(arguments: [1, 2]) func answers(zones: Int) throws {
    var samples = SplitMix(seed: 62)
    let pages = pages(400, zones: zones, &samples)
    let database = try database(pages, keys: ["rank", "url"])
    var checks = 0
    for (format, matches) in [
      ("TRUEPREDICATE", { _ in true }), ("rank = 2", { $0.rank == 2 }), ("rank != 2", { $0.rank != 2 }),
      (
        "url > 'https://example.org/a/path/that/all/have/2'",
        {
          ($0.url ?? "") > "https://example.org/a/path/that/all/have/2"
        }
      ),
      (
        "url BEGINSWITH 'https://example.org/a/path/that/all/have/1'",
        {
          $0.url?.hasPrefix("https://example.org/a/path/that/all/have/1") == true
        }
      ),
    ] as [(String, (Page) -> Bool)] {
      for sort in [
        [SortKey.ascending("url")], [.descending("url")], [.ascending("url"), .descending("rank")],
        [.descending("url"), .descending("rank")],
      ] {
        let predicate = try QueryPredicate(format: format)
        let query = Query(recordType: "Page", predicate: predicate, sort: sort)
        let expected = pages.filter(matches).sorted { left, right in
          if left.url != right.url {
            return ((left.url ?? "") < (right.url ?? "")) == (sort[0].order == .ascending)
          }
          if sort.count > 1, left.rank != right.rank { return left.rank > right.rank }
          return (left.name, left.zone.zoneName) < (right.name, right.zone.zoneName)
        }
        let names = try database.names(matching: query, pagesOf: 9)
        #expect(names == expected.map(\.name), "\(format), \(sort)")
        checks += names.count
      }
    }
    print("sorts by long texts: \(checks) rows")
    #expect(checks > 4_000)
  }

  /// A page is as many entries as it has records, and what has the last one's text.
  @Test func entries() throws {
    var samples = SplitMix(seed: 63)
    let pages = pages(3_000, zones: 1, &samples).filter { $0.url?.hasSuffix("/0") == false }
    let database = try database(pages, keys: ["rank", "url"])
    func read(_ format: String, _ sort: SortKey) throws -> Int {
      let query = Query(recordType: "Page", predicate: try QueryPredicate(format: format), sort: [sort])
      return try database.explain(query, inZoneWith: .default, resultsLimit: 20).counters.entriesRead
    }
    for sort in [SortKey.ascending("url"), .descending("url")] {
      #expect(try read("TRUEPREDICATE", sort) < 30)
      #expect(try read("rank = 2", sort) < 30)
      #expect(try read("url > 'https://example.org/a/path/that/all/have/2'", sort) < 30)
    }
  }
}
