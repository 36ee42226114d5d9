import ZoneQuery

extension Database {
  /// Saves records, all of which can be.
  func saveAll(_ records: [Record]) throws {
    for result in try save(records) { _ = try result.get() }
  }
}
