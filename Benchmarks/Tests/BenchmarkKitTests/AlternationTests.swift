import Testing

@testable import BenchmarkKit

@Suite struct AlternationTests {
  @Test func competitorsTakeTurnsOverTheSameOperations() throws {
    var log: [String] = []
    let alternation = Alternation(cycle: 6, turns: 3, budget: 1e15, mayRepeat: false)
    let competitors = ["a", "b"].map { name in
      Alternation.Competitor(name: name) { log.append("\(name)\($0.lowerBound)-\($0.upperBound)") }
    }
    let timings = try alternation.run(competitors)
    // Each is warmed up over more and more of the cycle, until it has taken long enough, then they alternate.
    let turns = Array(repeating: ["a0-6", "b0-6"], count: 3).joined()
    #expect(log.suffix(turns.count) == ArraySlice(turns))
    let warming = log.dropLast(turns.count)
    for name in ["a", "b"] {
      let own = warming.filter { $0.hasPrefix(name) }
      #expect(!own.isEmpty && ["0-1", "0-4", "0-6"].map { name + $0 }.starts(with: own))
    }
    #expect(warming.sorted() == Array(warming))
    #expect(timings.map(\.cpu.count) == [3, 3])
    #expect(timings.map(\.wall.count) == [3, 3])
  }

  @Test func aTurnBeginsWithAnUntimedPassOverTheOperationsBefore() throws {
    #expect(try turns(budget: 1e15) == ["0-2", "0-2", "0-2", "0-2"])
    // One at a time, which is too short to get going by, but there is only one other.
    #expect(try turns(budget: 1) == ["1-2", "0-1", "0-1", "1-2"])
  }

  /// The operations of two turns of a competitor.
  private func turns(budget: Double) throws -> [String] {
    var log: [String] = []
    _ = try Alternation(cycle: 2, turns: 2, budget: budget).run([
      Alternation.Competitor(name: "a") { range in
        log.append("\(range.lowerBound)-\(range.upperBound)")
        // Longer than the shortest stretch, so that nothing is repeated, and none of what others do meanwhile.
        let watch = Stopwatch()
        while watch.lap().cpu < 300_000 {}
      }
    ])
    // Two are what it was warmed up by.
    #expect(log.starts(with: ["0-1", "0-2"]))
    return Array(log.dropFirst(2))
  }

  @Test func inputIsApproachedBeforeEachTimedPart() throws {
    var log: [String] = []
    _ = try Alternation(cycle: 600, turns: 1, budget: 1e15, mayRepeat: false).run([
      Alternation.Competitor(
        name: "a", approach: { log.append("approach \($0.lowerBound)-\($0.upperBound)") },
        run: { log.append("run \($0.lowerBound)-\($0.upperBound)") })
    ])
    let parts = ["0-256", "256-512", "512-600"].flatMap { ["approach \($0)", "run \($0)"] }
    #expect(log.suffix(parts.count) == ArraySlice(parts))
    #expect(log.count { $0.hasPrefix("approach") } == 3)
  }

  @Test func thePassBeforeASliceTakesLongEnoughToGetGoing() {
    let alternation = Alternation(cycle: 4_096, turns: nil, budget: 1)
    // As many as are timed where these take 10 ms, else as many as take so long, but none of those that are timed, unless
    // these are all.
    #expect(alternation.pass(of: 128, cost: 600_000) == 128)
    #expect(alternation.pass(of: 128, cost: 8_000) == 1_250)
    #expect(alternation.pass(of: 128, cost: 500) == 3_968)
    #expect(alternation.pass(of: 3_072, cost: 500) == 3_072)
    #expect(alternation.pass(of: 4_096, cost: 500) == 4_096)
    #expect(Alternation.operations(128, before: 256, of: 4_096) == [128..<256])
    #expect(Alternation.operations(1_250, before: 0, of: 4_096) == [2_846..<4_096])
    #expect(Alternation.operations(1_250, before: 128, of: 4_096) == [2_974..<4_096, 0..<128])
    #expect(Alternation.operations(3_968, before: 128, of: 4_096) == [256..<4_096, 0..<128])
    #expect(Alternation.operations(4_096, before: 0, of: 4_096) == [0..<4_096])
  }

  @Test func slicesAreEvenPartsOfTheCycle() {
    let alternation = Alternation(cycle: 48, turns: nil, budget: 1)
    #expect([0, 1, 2, 5, 10, 47, 48, 1_000].map { alternation.slice(atMost: $0) } == [1, 1, 2, 4, 8, 24, 48, 48])
    #expect(Alternation(cycle: 1, turns: nil, budget: 1).slice(atMost: 0) == 1)
  }

  @Test func allocationsAreCounted() {
    let count = AllocationCount()
    let array = [UInt8](repeating: 1, count: 100_000)
    blackHole(UInt64(array.count))
    #expect(count.since >= 1 || Machine.versions["allocations"] != "counted")
  }
}
