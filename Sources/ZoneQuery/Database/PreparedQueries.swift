/// The prepared queries of a database, which it does not keep: what they keep of zones goes with these.
final class PreparedQueries: Sendable {
  private struct Entry: Sendable {
    private(set) weak var query: BoundQuery?
  }

  private struct Entries: Sendable {
    var all: [Entry] = []
    /// How many there are when those are let go of whose queries have gone.
    var mostKept = 64
  }

  private let entries = Locked(Entries())

  /// Takes a query in. Complexity: amortised constant.
  func add(_ query: BoundQuery) {
    entries.withLock { entries in
      if entries.all.count >= entries.mostKept {
        entries.all.removeAll { $0.query == nil }
        entries.mostKept = max(64, 2 * entries.all.count)
      }
      entries.all.append(Entry(query: query))
    }
  }

  /// Has all of them let go of what their runs keep, which may be of a zone that is none any more. What runs right now goes
  /// with its next run.
  func letGo() {
    let all = entries.withLock { $0.all.compactMap(\.query) }
    for query in all { query.letGo() }
  }
}
