internal import ZoneQuery

/// The built-in type: events of the shape that the engine is measured with.
///
/// Names are a tenth as many as records and drawn by Zipf's law, cities a thousand, starts unique; attendees by
/// Zipf's law; none to five tags of five hundred; places in fifty clusters and anywhere; titles and bodies of five to
/// forty words in all from a vocabulary of fifty thousand, by Zipf's law.
struct EventGenerator: RecordGenerator {
  private var random: RandomSource
  private let count: Int
  private var made = 0
  private let names: ZipfDistribution
  private let crowds = ZipfDistribution(count: 5_000)
  private let words = ZipfDistribution(count: 50_000)
  private let places: PlaceSource

  static let typeName = "Event"

  /// 2026-01-01T00:00:00Z.
  private static let firstStart: Int64 = 1_767_225_600_000
  /// A prime, so that multiples of it modulo a smaller number take every value.
  private static let stride: Int64 = 2_654_435_761

  init(count: Int, seed: UInt64) {
    random = RandomSource(seed: seed)
    self.count = max(count, 1)
    names = ZipfDistribution(count: max(count / 10, 1))
    places = PlaceSource(&random)
  }

  mutating func next() -> Record {
    var record = Record(recordType: Self.typeName, recordName: random.uuid())
    record["name"] = .string("\(Vocabulary.name(names.draw(&random))) \(random.below(2) == 0 ? "Meeting" : "Evening")")
    record["city"] = .string(Vocabulary.name(random.below(1_000)))
    record["start"] = .timestamp(Timestamp(milliseconds: start()))
    record["attendees"] = .int64(Int64(crowds.draw(&random) + 1))
    record["price"] = .double(Double(random.below(20_000)) / 100)
    record["rating"] = .double(Double(random.below(501)) / 100)
    record["tags"] = .stringList(tags())
    record["location"] = .location(places.next(&random))
    record["title"] = .string(text(random.within(1...6)))
    record["body"] = .string(text(random.within(4...34)))
    record["owner"] = .reference(Reference(RecordID(recordName: "user-\(random.below(1_000))")))
    made += 1
    return record
  }

  /// A minute of its own for each event, in no order.
  private func start() -> Int64 {
    let slot = Int64(made % count) * Self.stride % Int64(count)
    return Self.firstStart + slot * 60_000
  }

  private mutating func tags() -> [String] {
    var tags: [Int] = []
    for _ in 0..<random.below(6) {
      let tag = random.below(500)
      if !tags.contains(tag) { tags.append(tag) }
    }
    return tags.map(Vocabulary.word)
  }

  private mutating func text(_ length: Int) -> String {
    (0..<length).map { _ in Vocabulary.word(words.draw(&random)) }.joined(separator: " ")
  }
}
