/// Draws the parameters of questions, by seed, from what the records hold: so many for each workload that they lead all
/// over the data, and no cache answers for an index. (Of circles there are only so many.)
struct QuestionSource {
  static let questionsPerWorkload = 4_096

  let generator: EventGenerator
  /// How many records have each name.
  private let nameCounts: [Int32]
  /// The names with their counts, in order of their bytes.
  private let names: [(name: String, count: Int)]
  /// The names 5 to 20 records have, or as near to that as there are.
  private let commonNames: [Int]
  private let commonWords: Set<String>
  private let middlingWords: Set<String>
  /// The place of every record in the order of city and start.
  private let pages: [(city: Int32, start: Int64)]

  /// Complexity: n log n in the number of records.
  init(_ generator: EventGenerator) {
    self.generator = generator
    commonWords = Set((90...900).map { generator.word(rank: $0) })
    middlingWords = Set((500...5_000).map { generator.word(rank: $0) })
    var counts = [Int32](repeating: 0, count: generator.nameCount)
    var pages: [(city: Int32, start: Int64)] = []
    pages.reserveCapacity(generator.records)
    let cityOrder = (0..<EventGenerator.cityCount).sorted {
      generator.city($0).utf8.lexicographicallyPrecedes(generator.city($1).utf8)
    }
    var cityPlace = [Int32](repeating: 0, count: cityOrder.count)
    for (place, city) in cityOrder.enumerated() { cityPlace[city] = Int32(place) }
    for index in 0..<generator.records {
      let keys = generator.keys(at: index)
      counts[keys.nameRank] += 1
      pages.append((cityPlace[keys.city], keys.start))
    }
    pages.sort { ($0.city, $0.start) < ($1.city, $1.start) }
    for index in pages.indices { pages[index].city = Int32(cityOrder[Int(pages[index].city)]) }
    self.pages = pages
    nameCounts = counts
    names = counts.indices.filter { counts[$0] > 0 }
      .map { (generator.name(rank: $0), Int(counts[$0])) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    let common = counts.indices.filter { (5...20).contains(counts[$0]) }
    commonNames = common.count >= 20 ? common : counts.indices.filter { counts[$0] > 0 }
  }

  func questions(_ workload: Workload) -> [Question] {
    var source = RandomSource(seed: generator.seed ^ QuestionSource.hash(workload.rawValue))
    return (0..<QuestionSource.questionsPerWorkload).map { question(workload, number: $0, &source) }
  }

  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private func question(_ workload: Workload, number: Int, _ source: inout RandomSource) -> Question {
    switch workload {
    case .point: return .point(recordName: generator.recordName(at: source.below(generator.records)))
    case .equality: return .equality(name: commonName(&source))
    case .equalitySortLimit: return .equalitySortLimit(city: city(&source), limit: 50)
    case .equalityOtherSort: return .equalityOtherSort(name: commonName(&source))
    case .equalityNoCase: return .equalityNoCase(name: otherCase(commonName(&source), &source))
    case .prefixNoCase: return .prefixNoCase(otherCase(prefix(&source), &source))
    case .inSortLimit: return .inSortLimit(cities: (0..<5).map { _ in city(&source) }, limit: 50)
    case .rangeLimit: return .rangeLimit(after: half(&source, from: 0.05, to: 0.9), limit: 100)
    case .indexedSort: return .indexedSort(after: half(&source), limit: 20)
    case .rangeOtherSort: return .rangeOtherSort(after: half(&source), limit: 20)
    case .equalityAndRange: return .equalityAndRange(city: city(&source), after: half(&source))
    case .rangeAndRange:
      let price = source.unit() * 0.95
      return .rangeAndRange(
        starts: starts(share: 0.05, &source),
        prices: generator.price(above: price)...generator.price(above: price + 0.05))
    case .prefix: return .prefix(prefix(&source))
    case .contains1: return .contains([generator.tag(source.below(EventGenerator.tagCount))])
    case .contains2: return .contains(twoTags(&source))
    case .containsSort:
      return .containsSort(tag: generator.tag(source.below(EventGenerator.tagCount)), limit: 50)
    case .in20: return .names((0..<20).map { _ in commonName(&source) })
    case .radius1km, .radius10km, .radius100km:
      let radius = workload == .radius1km ? 0 : workload == .radius10km ? 1 : 2
      let circle = generator.circles[radius][number % EventGenerator.circlesPerRadius]
      return .radius(centre: circle.centre, metres: circle.metres)
    case .nearest10, .nearest20:
      let circle = generator.circles[2][number % EventGenerator.circlesPerRadius]
      return .nearest(centre: circle.centre, within: circle.metres, limit: workload == .nearest10 ? 10 : 20)
    case .tokens2: return .tokens(twoWords(30...300, &source))
    case .tokensSort: return .tokensSort(twoWords(0...19, &source), limit: 50)
    case .tokensRangeEquality: return wordInCity(commonWords, &source)
    case .rareTokenRangeEquality: return wordInCity(middlingWords, &source)
    case .materialise: return .starts(starts(share: 0.1, &source))
    case .deepPage:
      let first = generator.records >= 20_000 ? 9_900 : generator.records / 2
      let last = max(first, generator.records - 102)
      let page = pages[min(source.within(first...last), pages.count - 1)]
      return .deepPage(city: generator.city(Int(page.city)), start: page.start, limit: 100)
    case .scanCount:
      return .scanCount(rating: 4.7 + 0.1 * source.unit(), attendees: Int64(source.within(7_900...8_500)))
    case .memberPrefix:
      let tag = generator.tag(source.below(EventGenerator.tagCount))
      return .memberPrefix(String(tag.dropLast()))
    case .computed: return .computed(Int64(source.within(16_000...17_000)))
    case .part: return .part(part(&source), ignoresCase: false)
    case .partNoCase: return .part(otherCase(part(&source), &source), ignoresCase: true)
    case .pattern: return .pattern([part(&source), part(&source)])
    case .scanTop50: return .scanTop(limit: 50)
    case .count: return .count(starts(share: 0.1, &source))
    }
  }

  private func city(_ source: inout RandomSource) -> String {
    generator.city(source.below(EventGenerator.cityCount))
  }

  /// A moment about half of the records start after.
  private func half(_ source: inout RandomSource, from low: Double = 0.45, to high: Double = 0.55) -> Int64 {
    generator.start(after: low + (high - low) * source.unit())
  }

  /// A stretch of starts that a given share of all records lies in.
  private func starts(share: Double, _ source: inout RandomSource) -> ClosedRange<Int64> {
    let first = source.unit() * (1 - share)
    return generator.start(after: first)...generator.start(after: first + share)
  }

  private func commonName(_ source: inout RandomSource) -> String {
    generator.name(rank: commonNames[source.below(commonNames.count)])
  }

  /// A part of some record's text: a word without its first letter, and the space and the letter behind it.
  private func part(_ source: inout RandomSource) -> String {
    let words = generator.event(at: source.below(generator.records)).body.split(separator: " ")
    let first = source.below(max(1, words.count - 1))
    let next = first + 1 < words.count ? " " + words[first + 1].prefix(1) : ""
    return words[first].dropFirst() + next
  }

  /// A text of ASCII in capitals, in small letters or in both.
  private func otherCase(_ text: String, _ source: inout RandomSource) -> String {
    let kind = source.below(3)
    return String(
      decoding: text.utf8.enumerated().map { place, byte in
        guard byte | 0x20 >= 0x61, byte | 0x20 <= 0x7A else { return byte }
        return kind == 0 || kind == 2 && place % 2 == 1 ? byte & ~0x20 : byte | 0x20
      }, as: UTF8.self)
  }

  /// The shortest beginning of some record's name, of two letters or more, that at most 200 records share.
  private func prefix(_ source: inout RandomSource) -> String {
    let bytes = Array(names[source.below(names.count)].name.utf8)
    for length in 2..<bytes.count {
      let prefix = bytes[..<length]
      var low = 0
      var high = names.count
      while low < high {
        let middle = (low + high) / 2
        if names[middle].name.utf8.lexicographicallyPrecedes(prefix) { low = middle + 1 } else { high = middle }
      }
      var count = 0
      while low < names.count, names[low].name.utf8.starts(with: prefix), count <= 200 {
        count += names[low].count
        low += 1
      }
      if count <= 200 { return String(decoding: prefix, as: UTF8.self) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// One of some words, the city and a bound of the start that some record satisfies. One record of about 45 to 450 has a
  /// common word, of about 250 to 2,500 a middling one. With common ones SQLite takes somewhat less than for two words,
  /// as it does in the measurements that the questions are after.
  private func wordInCity(_ chosen: Set<String>, _ source: inout RandomSource) -> Question {
    while true {
      let event = generator.event(at: source.below(generator.records))
      let after = half(&source)
      let words = event.body.split { $0 == " " || $0 == "." }.map { $0.lowercased() }
      if event.start > after, let word = words.first(where: { chosen.contains($0) }) {
        return .tokensRangeEquality(word: word, city: event.city, after: after)
      }
    }
  }

  private func twoTags(_ source: inout RandomSource) -> [String] {
    while true {
      let tags = generator.tags(at: source.below(generator.records))
      if tags.count >= 2 { return Array(tags.prefix(2)) }
    }
  }

  private func twoWords(_ ranks: ClosedRange<Int>, _ source: inout RandomSource) -> [String] {
    let first = source.within(ranks)
    var second = first
    while second == first { second = source.within(ranks) }
    return [generator.word(rank: first), generator.word(rank: second)]
  }
}
