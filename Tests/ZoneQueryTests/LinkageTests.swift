#if os(Linux)
  import FoundationEssentials
  import Glibc
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
        found.formUnion(libraries(in: bytes))
      }
      try #require(files > 0, "no object files in \(folder)")
      return found
    }

    /// The names in one file. The C library looks for what they begin with: in a debug build many millions of bytes take
    /// seconds.
    private func libraries(in bytes: Data) -> Set<String> {
      var found: Set<String> = []
      unsafe bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        var place = 0
        while let dash = unsafe memchr(start + place, 0x2D, bytes.count - place) {
          place = unsafe UnsafeRawPointer(dash) - start + 1
          guard place > 1, place < bytes.count else { continue }
          guard unsafe bytes[place - 2] == 0 && bytes[place] == UInt8(ascii: "l") else { continue }
          let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[(place + 1)...].prefix { $0 != 0 })
          unsafe found.insert(String(decoding: name, as: UTF8.self))
        }
      }
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
