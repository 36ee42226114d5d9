import Foundation
import Testing
import ZoneQuery

@testable import ZoneQueryTesting

/// The targets of the byte fuzzers, on inputs that once broke them and on mutated seeds.
struct FuzzTargetTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fuzz")

  private func inputs(_ folder: String) -> [(target: FuzzTarget, name: String, bytes: [UInt8])] {
    FuzzTarget.allCases.flatMap { target in
      let path = Self.folder.appendingPathComponent(folder).appendingPathComponent(target.rawValue)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path.path)) ?? []
      return names.sorted().compactMap { name in
        (try? Data(contentsOf: path.appendingPathComponent(name))).map { (target, name, Array($0)) }
      }
    }
  }

  @Test func crashersStayFixed() throws {
    let crashers = inputs("Crashers")
    #expect(!crashers.isEmpty)
    for (target, name, bytes) in crashers {
      #expect(throws: Never.self, "\(target) \(name)") { try target.check(bytes) }
    }
  }

  /// What the byte fuzzer changes are cursors that go on as they are.
  @Test func cursorsGoOn() throws {
    let target = try #require(CursorTarget.sample)
    #expect(target.contents.count == 7)
    for number in target.contents.indices { #expect(try target.walk(number) > 0, "\(number)") }
    #expect(throws: Never.self) { try FuzzTarget.cursor.check([0]) }
  }

  /// What the byte fuzzer changes are tokens that go on as they are; of the newest nothing has changed since.
  @Test func tokensGoOn() throws {
    let target = try #require(TokenTarget.sample)
    #expect(try target.contents.indices.map { try target.walk($0) } == [1, 24, 20, 4, 3, 2, 1, 0])
    #expect(throws: Never.self) { try FuzzTarget.changeToken.check([0]) }
  }

  @Test func mutatedSeeds() throws {
    let seeds = inputs("Seeds")
    #expect(seeds.count >= 40 && Set(seeds.map(\.target)).count == FuzzTarget.allCases.count)
    var random = SeededRandom(seed: 9)
    var checks = 0
    for (target, name, bytes) in seeds {
      for round in 0..<(target == .structured ? 3 : TestAmount.isFull ? 40 : 12) {
        var mutated = bytes
        for _ in 0..<round % 6 where !mutated.isEmpty {
          let index = random.below(mutated.count)
          switch random.below(4) {
          case 0: mutated.remove(at: index)
          case 1: mutated.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
          case 2: mutated[index] ^= 1 << UInt8(random.below(8))
          default: mutated.append(contentsOf: mutated[index...].prefix(12))
          }
        }
        #expect(throws: Never.self, "\(target) \(name) as \(mutated)") { try target.check(mutated) }
        checks += 1
      }
    }
    print("mutated seeds: \(checks) inputs")
    #expect(checks >= (TestAmount.isFull ? 1_000 : 300))
  }
}
