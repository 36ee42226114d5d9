import Testing

@testable import BenchmarkKit

@Suite struct CommandLineTests {
  @Test func optionsAreRead() throws {
    let options = try CommandLineOptions([
      "--records", "1000,200", "--suite=query,memory", "--peer", "none", "--repeat", "5", "--json", "a", "--html=b",
      "--baseline", "c", "--seed", "9", "--seconds", "0.5", "--workload", "point,memory",
    ])
    #expect(options.records == [200, 1_000])
    #expect(options.suites == [.query, .memory])
    #expect(options.peer == .none)
    #expect(options.turns == 5)
    #expect((options.json, options.html, options.baseline) == ("a", "b", "c"))
    #expect(options.seed == 9)
    #expect(options.budget == 500_000_000)
    #expect(options.workloads == ["point", "memory"])
    #expect(try CommandLineOptions([]).records == [10_000, 100_000, 1_000_000])
    #expect(try CommandLineOptions([]).suites.contains(.subscribe))
    #expect(try CommandLineOptions(["-h"]).action == .help)
    #expect(try CommandLineOptions(["--list"]).action == .list)
  }

  @Test(arguments: [
    ["--records"], ["--records", "x"], ["--records", "10,,20"], ["--records", "99"], ["--records", ""],
    ["--suite", "none"],
    ["--peer", "x"], ["--repeat", "0"], ["--nothing"], ["stray"], ["--help=1"], ["--seed", "-1"], ["--seconds", "0"],
    ["--workload", "x"],
  ])
  func misuseIsExitCode64(arguments: [String]) {
    #expect(BenchmarkCommand.run(arguments) == 64)
  }

  @Test func everyWorkloadOfTheListIsNamed() {
    let promised = """
      point equality equality-sort-limit range-limit indexed-sort range-other-sort equality-and-range range-and-range \
      prefix contains-1 contains-2 contains-sort in-20 radius-1km radius-10km radius-100km nearest-10 nearest-20 \
      tokens-2 tokens-sort tokens-range-equality materialise-10pct deep-page scan-count scan-top50 count load insert \
      update delete memory add-index lex parse bind plan match rare-token-range-equality update-but-start update-any \
      equality-other-sort in-sort-limit equality-no-case prefix-no-case part part-no-case pattern member-prefix computed
      """
    for name in promised.split(separator: " ") { #expect(WorkloadList.names.contains(String(name)), "\(name)") }
  }
}
