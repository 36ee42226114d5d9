/// Makes the records of a benchmark from a seed, each by itself: a million take no more memory than one.
///
/// The shape is that of an events app: names by Zipf's law (a tenth as many as records), a thousand cities, unique
/// starts over two years, attendance by Zipf's law, price and rating unique, up to five of 500 tags, four fifths of the
/// places in 50 clusters and the rest anywhere, 5 to 40 words of text by Zipf's law.
struct EventGenerator: Sendable {
  static let cityCount = 1_000
  static let tagCount = 500
  static let ownerCount = 10_000
  static let clusterCount = 50
  static let circlesPerRadius = 16
  static let radii: [Double] = [1_000, 10_000, 100_000]

  let seed: UInt64
  /// The number of records; more can be asked for, up to `capacity`.
  let records: Int
  /// Starts, prices and ratings are places in a shuffling of this many numbers.
  let capacity: Int
  /// The circles of radius queries, by radius in the order of `radii`.
  let circles: [[QueryCircle]]

  private let tables: Tables
  private let clusters: [Place]
  private let startOrder: Permutation
  private let priceOrder: Permutation
  private let ratingOrder: Permutation

  private final class Tables: Sendable {
    let words: [String]
    let wordRanks: ZipfDistribution
    let nameRanks: ZipfDistribution
    let attendance = ZipfDistribution(count: 10_000)
    let cities: [String]
    let tags: [String]

    init(seed: UInt64, records: Int) {
      words = Vocabulary(seed: seed).words
      wordRanks = ZipfDistribution(count: words.count)
      nameRanks = ZipfDistribution(count: max(1, records / 10))
      cities = words[2_000..<2_000 + EventGenerator.cityCount].map(\.capitalisedASCII)
      tags = Array(words[4_000..<4_000 + EventGenerator.tagCount])
    }
  }

  private enum Purpose: UInt64 {
    case recordName = 1
    case name, city, numbers, tags, place, text, clusters, circles, nameText
  }

  init(seed: UInt64, records: Int) {
    self.seed = seed
    self.records = records
    var bits = 12
    while 1 << bits < records * 2 { bits += 1 }
    capacity = 1 << bits
    startOrder = Permutation(bits: bits, seed: seed &+ 101)
    priceOrder = Permutation(bits: bits, seed: seed &+ 102)
    ratingOrder = Permutation(bits: bits, seed: seed &+ 103)
    tables = Tables(seed: seed, records: records)
    var source = RandomSource(seed: seed, index: 0, purpose: Purpose.clusters.rawValue)
    clusters = (0..<EventGenerator.clusterCount).map { _ in
      Place(latitude: source.unit() * 110 - 55, longitude: source.unit() * 330 - 165)
    }
    var circles: [[QueryCircle]] = []
    for (number, radius) in EventGenerator.radii.enumerated() {
      var source = RandomSource(seed: seed, index: number, purpose: Purpose.circles.rawValue)
      circles.append(
        (0..<EventGenerator.circlesPerRadius).map { [clusters] circle in
          let cluster = clusters[(circle * 3 + number) % clusters.count]
          return QueryCircle(centre: EventGenerator.near(cluster, 0.4, &source), metres: radius)
        })
    }
    self.circles = circles
  }

  /// All records, one after another.
  var events: some Sequence<Event> { (0..<records).lazy.map { event(at: $0) } }

  func word(rank: Int) -> String { tables.words[rank] }
  func city(_ number: Int) -> String { tables.cities[number] }
  func tag(_ number: Int) -> String { tables.tags[number] }
  var nameCount: Int { tables.nameRanks.count }

  // MARK: One record

  func event(at index: Int) -> Event {
    let keys = keys(at: index)
    var numbers = source(index, .numbers)
    let (title, body) = text(at: index)
    return Event(
      recordName: recordName(at: index), name: name(rank: keys.nameRank), city: city(keys.city), start: keys.start,
      attendees: Int64(tables.attendance.draw(&numbers) + 1), price: Double(priceOrder(index)) / 100,
      rating: Double(ratingOrder(index)) / Double(capacity) * 5, tags: tags(at: index), place: place(at: index),
      title: title, body: body, owner: "user-\(10_000 + numbers.below(EventGenerator.ownerCount))")
  }

  func keys(at index: Int) -> Event.Keys {
    var name = source(index, .name)
    var city = source(index, .city)
    return Event.Keys(
      nameRank: tables.nameRanks.draw(&name), city: city.below(EventGenerator.cityCount),
      start: start(rank: startOrder(index)))
  }

  /// 36 characters in the form of a UUID.
  func recordName(at index: Int) -> String {
    var source = source(index, .recordName)
    let (high, low) = (source.next(), source.next())
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    for digit in 0..<32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 { bytes.append(UInt8(ascii: "-")) }
      let word = digit < 16 ? high : low
      let nibble = UInt8(word >> UInt64(60 - 4 * (digit & 15)) & 15)
      bytes.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name of a rank: two words, the second of which tells names apart that share the first.
  func name(rank: Int) -> String {
    var source = source(rank, .nameText)
    let first = tables.words[source.below(3_000)]
    return first.capitalisedASCII + " " + tables.words[rank % tables.words.count].capitalisedASCII
      + (rank < tables.words.count ? "" : " \(rank / tables.words.count + 1)")
  }

  func tags(at index: Int) -> [String] {
    var source = source(index, .tags)
    var numbers: [Int] = []
    for _ in 0..<source.below(6) {
      let number = source.below(EventGenerator.tagCount)
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers.map { tables.tags[$0] }
  }

  private func text(at index: Int) -> (title: String, body: String) {
    var source = source(index, .text)
    let titleWords = source.within(3...6)
    let bodyWords = source.within(2...34)
    var title = tables.words[tables.wordRanks.draw(&source)].capitalisedASCII
    for _ in 1..<titleWords { title += " " + tables.words[tables.wordRanks.draw(&source)] }
    var body = tables.words[tables.wordRanks.draw(&source)].capitalisedASCII
    for _ in 1..<bodyWords { body += " " + tables.words[tables.wordRanks.draw(&source)] }
    return (title, body + ".")
  }

  func place(at index: Int) -> Place {
    var source = source(index, .place)
    var place = draw(&source)
    while isOnRim(place) { place = draw(&source) }
    return place
  }

  private func draw(_ source: inout RandomSource) -> Place {
    if source.below(5) > 0 { return EventGenerator.near(clusters[source.below(clusters.count)], 1, &source) }
    // The height above the equator's plane is uniform on a sphere; the square root stands for the arcsine's shape
    // closely enough and is the same on every machine.
    let height = source.unit() * 2 - 1
    let latitude = (1 - (1 - abs(height)).squareRoot()) * 89 * (height < 0 ? -1 : 1)
    return EventGenerator.rounded(latitude, source.unit() * 359.9 - 179.95)
  }

  /// A place about `deviations` times ten kilometres from a cluster's centre.
  private static func near(_ centre: Place, _ deviations: Double, _ source: inout RandomSource) -> Place {
    let box = centre.box(metres: 10_000)
    return rounded(
      centre.latitude + source.bell() * deviations * box.latitude,
      centre.longitude + source.bell() * deviations * box.longitude)
  }

  private static func rounded(_ latitude: Double, _ longitude: Double) -> Place {
    Place(latitude: (latitude * 1e6).rounded() / 1e6, longitude: (longitude * 1e6).rounded() / 1e6)
  }

  private func isOnRim(_ place: Place) -> Bool {
    let point = place.cartesian
    return circles.contains { $0.contains { $0.hasOnRim(point) } }
  }

  private func source(_ index: Int, _ purpose: Purpose) -> RandomSource {
    RandomSource(seed: seed, index: index, purpose: purpose.rawValue)
  }

  // MARK: Parts of all records

  private static let firstStart: Int64 = 1_704_067_200_000
  private var startStep: Int64 { 63_072_000_000 / Int64(capacity) }

  private func start(rank: Int) -> Int64 { EventGenerator.firstStart + Int64(rank) * startStep }

  /// A moment that a given share of all records starts before.
  func start(after share: Double) -> Int64 { start(rank: Int(share * Double(capacity))) }

  /// A price that a given share of all records is cheaper than.
  func price(above share: Double) -> Double { Double(Int(share * Double(capacity))) / 100 }
}
