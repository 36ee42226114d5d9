internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a reader and a writer of one zone cost each other: either alone, and beside the other on a thread of its own.
struct SharingSuite {
  static let reading = "read-beside-writer"
  static let writing = "write-beside-reader"
  /// The peer's name in the report.
  static let peer = "alone"

  let run: BenchmarkRun
  let source: QuestionSource

  /// - Parameters:
  ///   - engine: What is read.
  ///   - changes: What is written to it.
  ///   - count: How many records can be changed.
  /// - Throws: where a record is not found, and what engine and changes throw.
  func measure(_ engine: any EngineUnderTest, _ changes: any PreparedChanges, _ count: Int) throws {
    guard run.wants(Self.reading) || run.wants(Self.writing) else { return }
    let questions = try source.questions(.point).map { try engine.prepare($0, .ids) }
    for question in questions {
      var sink = RowSink(.digest)
      try question.run(into: &sink)
      if sink.count != 1 { throw BenchmarkError("a record that is there was not found") }
    }
    func read(_ range: Range<Int>) throws {
      var sink = RowSink(.touch)
      for index in range { try questions[index].run(into: &sink) }
      blackHole(sink.checksum)
    }
    func write(_ range: Range<Int>) throws {
      for index in range { try changes.update(index..<index + 1, .butStart) }
    }
    func undo(_ range: Range<Int>) throws {
      for index in range { try changes.undoUpdate(index..<index + 1, .butStart) }
    }

    if run.wants(Self.reading) {
      var next = 0
      let writer = Companion {
        try changes.update(next..<next + 1, .butStart)
        try changes.undoUpdate(next..<next + 1, .butStart)
        next = (next + 1) % count
      }
      let timings = try run.alternation(cycle: questions.count).run([
        Alternation.Competitor(
          name: ReportResult.ownEngine, before: { _ in try writer.start() }, after: { _ in try writer.stop() },
          run: read),
        Alternation.Competitor(name: Self.peer, run: read),
      ])
      add(Self.reading, .ids, timings)
    }
    if run.wants(Self.writing) {
      var next = 0
      let reader = Companion {
        try read(next..<next + 1)
        next = (next + 1) % questions.count
      }
      var alternation = run.alternation(cycle: count)
      alternation.mayRepeat = false
      let timings = try alternation.run([
        Alternation.Competitor(
          name: ReportResult.ownEngine, before: { _ in try reader.start() },
          after: { range in
            try reader.stop()
            try undo(range)
          }, run: write),
        Alternation.Competitor(name: Self.peer, after: undo, run: write),
      ])
      add(Self.writing, .records, timings)
    }
    run.addSetup(
      Self.peer,
      [
        "read-beside-writer: point reads while another thread updates records of the same zone, a commit each, without "
          + "a pause; write-beside-reader: such updates while another thread reads so. The peer is the same without "
          + "the other thread"
      ])
  }

  private func add(_ workload: String, _ variant: Variant, _ timings: [Alternation.Timing]) {
    run.add(
      ReportResult(
        suite: "write", workload: workload, variant: variant, records: source.generator.records,
        timings: zip([ReportResult.ownEngine, Self.peer], timings).map { (name: $0, timing: $1) },
        // Who waits spends no time of a processor.
        counters: ["wall_ratio": Quartiles(timings[1].wall).median / max(Quartiles(timings[0].wall).median, 1)]))
  }
}

/// Work that is done again and again on a thread of its own, from `start` to `stop`.
///
/// Proof of Sendable: between the two the work is called by that thread alone, which hands it back by `isDone`.
private final class Companion: @unchecked Sendable {
  private let work: () throws -> Void
  private var failure: (any Error)?
  private let rounds = Atomic(0)
  private let isStopping = Atomic(false)
  private let isDone = Atomic(true)

  init(_ work: @escaping () throws -> Void) { self.work = work }

  /// Begins, and returns when the work has been done once.
  func start() throws {
    isStopping.store(false, ordering: .relaxed)
    isDone.store(false, ordering: .relaxed)
    let before = rounds.load(ordering: .relaxed)
    Task.detached { self.repeatWork() }
    while rounds.load(ordering: .acquiring) == before, !isDone.load(ordering: .acquiring) { sched_yield() }
    if isDone.load(ordering: .acquiring) { try stop() }
  }

  /// Ends, and returns when the work is over.
  func stop() throws {
    isStopping.store(true, ordering: .releasing)
    while !isDone.load(ordering: .acquiring) { sched_yield() }
    if let failure { throw failure }
  }

  private func repeatWork() {
    do {
      while !isStopping.load(ordering: .acquiring) {
        try work()
        rounds.add(1, ordering: .releasing)
      }
    } catch {
      failure = error
    }
    isDone.store(true, ordering: .releasing)
  }
}
