internal import FoundationEssentials

extension Report {
  /// The report as JSON, keys in alphabetical order.
  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  init(json: [UInt8]) throws {
    self = try JSONDecoder().decode(Report.self, from: Data(json))
  }

  /// The present moment, as reports write it.
  static var now: String { Date.now.ISO8601Format() }
}

/// Files read and written whole.
enum ReportFile {
  static func read(_ path: String) throws -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw BenchmarkError("cannot read '\(path)': \(error)")
    }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try Data(bytes).write(to: URL(filePath: path))
    } catch {
      throw BenchmarkError("cannot write '\(path)': \(error)")
    }
  }
}
