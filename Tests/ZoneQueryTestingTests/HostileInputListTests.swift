import Foundation
import Testing
import ZoneQueryTesting

/// What `HostileInputs.md` names is there.
struct HostileInputListTests {
  @Test func everyTestNamedIsThere() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let tests = folder.deletingLastPathComponent()
    var sources: [String: String] = [:]
    for case let file as URL in FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil) ?? .init()
    where file.pathExtension == "swift" && !file.path.contains("/.build") {
      sources[file.deletingPathExtension().lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
    }
    let list = try String(contentsOf: folder.appending(path: "HostileInputs.md"), encoding: .utf8)
    var names = 0
    for row in list.split(separator: "\n").drop(while: { !$0.hasPrefix("| ---") }).dropFirst() {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let tested = try #require(cells.last)
      let named = tested.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter {
        $0.offset % 2 == 1
      }
      #expect(cells.count >= 2 && !named.isEmpty, "\(row)")
      for (_, name) in named {
        names += 1
        let parts = name.split(separator: ".").map(String.init)
        let isThere =
          switch parts.count {
          case 2: sources[parts[0]]?.contains("func \(parts[1])(") ?? false
          case _ where name.contains("/"):
            FileManager.default.fileExists(atPath: tests.deletingLastPathComponent().appending(path: "\(name)").path)
          default:
            sources[parts[0]] != nil || sources["HostileInputTests"]?.contains("func \(name)(") ?? false
              || Oracles.named(String(name)) != nil
          }
        #expect(isThere, "\(name)")
      }
    }
    #expect(names >= 50)
  }
}
