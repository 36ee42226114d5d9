#if os(Linux)
  import FoundationEssentials
  import Testing

  /// What the modules ask the linker for, read from their object files: the names of libraries stand in them as
  /// `-lName` between zero bytes.
  struct LinkageTests {
    private func libraries(of module: String) throws -> Set<String> {
      let bundle = CommandLine.arguments[0]
      let folder = bundle[..<(bundle.lastIndex(of: "/") ?? bundle.endIndex)] + "/\(module).build"
      var found: Set<String> = []
      var files = 0
      for name in try FileManager.default.contentsOfDirectory(atPath: String(folder)) where name.hasSuffix(".o") {
        let bytes = try #require(FileManager.default.contents(atPath: folder + "/" + name))
        files += 1
        for text in bytes.split(separator: 0) where text.starts(with: "-l".utf8) {
          found.insert(String(decoding: text.dropFirst(2), as: UTF8.self))
        }
      }
      try #require(files > 0, "no object files in \(folder)")
      return found
    }

    @Test func predicateSyntaxLinksNoFoundation() throws {
      let libraries = try libraries(of: "PredicateSyntax")
      #expect(libraries.contains("swiftCore") && !libraries.contains { $0.contains("Foundation") }, "\(libraries)")
    }

    @Test(arguments: ["ZoneQuery", "ZoneQueryTool"])
    func nothingLinksMoreFoundationThanEssentials(_ module: String) throws {
      let libraries = try libraries(of: module).filter { $0.contains("Foundation") }
      #expect(
        libraries.isSubset(of: ["FoundationEssentials", "_FoundationCollections", "_FoundationCShims"]), "\(libraries)")
    }
  }
#endif
