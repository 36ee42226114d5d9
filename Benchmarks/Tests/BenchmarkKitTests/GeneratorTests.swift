import Testing

@testable import BenchmarkKit

@Suite struct GeneratorTests {
  /// FNV-1a over every field of the records of a range.
  private func hash(_ generator: EventGenerator, _ range: Range<Int>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ text: String) {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    for index in range {
      let event = generator.event(at: index)
      for text in [event.recordName, event.name, event.city, event.title, event.body, event.owner] + event.tags {
        add(text)
      }
      add("\(event.start) \(event.attendees) \(event.price) \(event.rating)")
      add("\(event.place.latitude) \(event.place.longitude)")
    }
    return hash
  }

  @Test func firstThousandRecordsAreThoseOfTheSeed() {
    #expect(hash(EventGenerator(seed: 1, records: 10_000), 0..<1_000) == 10_499_641_023_813_203_308)
    #expect(hash(EventGenerator(seed: 2, records: 10_000), 0..<1_000) != 10_499_641_023_813_203_308)
  }

  @Test func recordsDoNotDependOnWhatWasMadeBefore() {
    let generator = EventGenerator(seed: 7, records: 5_000)
    let alone = generator.event(at: 4_321)
    #expect(Array(generator.events)[4_321] == alone)
    #expect(generator.events.underestimatedCount <= 5_000)
  }

  @Test func recordsHaveTheShapeThatWasPromised() {
    let generator = EventGenerator(seed: 3, records: 5_000)
    let events = Array(generator.events)
    #expect(Set(events.map(\.recordName)).count == 5_000)
    #expect(events.allSatisfy { $0.recordName.utf8.count == 36 })
    #expect(Set(events.map(\.start)).count == 5_000)
    #expect(Set(events.map(\.price)).count == 5_000)
    #expect(Set(events.map(\.rating)).count == 5_000)
    #expect(Set(events.map(\.name)).count <= 500)
    #expect(Set(events.map(\.city)).count > 900)
    #expect(events.allSatisfy { $0.tags.count <= 5 && Set($0.tags).count == $0.tags.count })
    let words = events.map { $0.title.split(separator: " ").count + $0.body.split(separator: " ").count }
    #expect(words.allSatisfy { (5...40).contains($0) })
    let early = events.filter { $0.start < generator.start(after: 0.5) }.count
    #expect((2_300...2_700).contains(early))
    let cheap = events.filter { $0.price < generator.price(above: 0.1) }.count
    #expect((400...600).contains(cheap))
  }

  @Test func noRecordLiesOnTheRimOfACircle() {
    let generator = EventGenerator(seed: 3, records: 5_000)
    var checks = 0
    for index in 0..<5_000 {
      let place = generator.place(at: index)
      for circle in generator.circles.joined() {
        let distance = NaivePredicate.haversine(place, circle.centre)
        // The sphere is at most 0.57 % wrong.
        #expect(distance < circle.metres * 0.996 || distance > circle.metres * 1.004)
        checks += 1
      }
    }
    #expect(checks >= 200_000)
  }

  @Test func wordsAreDistinctSmallASCIIAndNoStopWords() {
    let words = Vocabulary(seed: 1).words
    #expect(Set(words).count == 50_000)
    #expect(Vocabulary.stopWords.isDisjoint(with: words))
    #expect(words.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A } })
  }

  @Test func ranksFollowZipf() {
    let ranks = ZipfDistribution(count: 1_000)
    var source = RandomSource(seed: 5)
    var counts = [Int](repeating: 0, count: 1_000)
    for _ in 0..<100_000 { counts[ranks.draw(&source)] += 1 }
    // 100,000 over the harmonic number of 1,000 is 13,360.
    #expect((12_900...13_800).contains(counts[0]))
    #expect((6_300...7_100).contains(counts[1]))
    #expect(counts[900...].reduce(0, +) > 0)
  }

  @Test(arguments: [12, 13, 16]) func permutationReachesEveryPlaceOnce(bits: Int) {
    let permutation = Permutation(bits: bits, seed: 9)
    #expect(Set((0..<1 << bits).map { permutation($0) }).count == 1 << bits)
  }

  @Test func questionsAreThoseOfTheSeedAndDiffer() {
    let source = QuestionSource(EventGenerator(seed: 1, records: 2_000))
    for workload in Workload.allCases where workload != .scanTop50 {
      let first = source.questions(workload).map { "\($0)" }
      #expect(first == source.questions(workload).map { "\($0)" })
      #expect(Set(first).count >= EventGenerator.circlesPerRadius, "\(workload.rawValue)")
    }
  }
}
