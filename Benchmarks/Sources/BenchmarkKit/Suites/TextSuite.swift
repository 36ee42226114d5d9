internal import ZoneQuery

/// The kernels under token search and distance, through the public interface.
struct TextSuite {
  private let run: BenchmarkRun
  private let generator: EventGenerator

  init(_ run: BenchmarkRun, _ generator: EventGenerator) {
    self.run = run
    self.generator = generator
  }

  func measure() throws {
    let texts = (0..<min(generator.records, 1_000)).map { index in
      let event = generator.event(at: index)
      return event.title + " " + event.body
    }
    if run.wants("tokenize-ascii") { try timeTokens("tokenize-ascii", texts, isASCII: true) }
    if run.wants("tokenize-mixed") {
      var mixed = MixedText(seed: generator.seed)
      try timeTokens("tokenize-mixed", mixed.texts(1_000), isASCII: false)
    }
    if run.wants("distance") { try timeDistance() }
    if run.options.peer != .none {
      run.addSetup(
        "fts5-unicode61",
        [
          "SQLite's own tokenizer for FTS5, called directly; it folds case and removes marks, splits at every character "
            + "that is no letter or digit, and hands out each token in place",
          "ours splits by UAX #29, folds by NFKD and full case folding, drops stop words, and hands out each token in "
            + "place",
        ])
    }
  }

  private func timeTokens(_ name: String, _ texts: [String], isASCII: Bool) throws {
    let tokenizer = Tokenizer()
    let encoded = texts.map { Array($0.utf8) }
    var scratch = TokenScratch()
    var competitors = [
      Alternation.Competitor(name: ReportResult.ownEngine) { range in
        var total = 0
        for index in range {
          let text = encoded[index]
          tokenizer.forEachToken(in: text.span, using: &scratch) { total += $0.count }
        }
        blackHole(UInt64(total))
      }
    ]
    if run.options.peer != .none {
      let peer = try SQLiteTokenizer()
      if isASCII {
        for text in texts {
          let (own, other) = (Set(tokenizer.tokens(of: text)), peer.tokens(of: text))
          if own != other {
            throw BenchmarkError("the tokenizers differ in '\(text)': \(own.symmetricDifference(other).sorted())")
          }
        }
      }
      competitors.append(
        Alternation.Competitor(name: "fts5-unicode61") { range in
          var total = 0
          for index in range { peer.touchTokens(of: texts[index], &total) }
          blackHole(UInt64(total))
        })
    }
    let timings = try run.alternation(cycle: texts.count).run(competitors)
    let bytes = Double(texts.reduce(0) { $0 + $1.utf8.count }) / Double(texts.count)
    var counters = ["bytes_per_text": bytes]
    for (competitor, timing) in zip(competitors, timings) {
      counters["\(competitor.name).mb_per_s"] = bytes / Quartiles(timing.cpu).median * 1_000
      counters["\(competitor.name).allocations"] = timing.allocations
    }
    add(name, competitors, timings, counters)
  }

  private func timeDistance() throws {
    let schema = try Schema(ckdb: ZoneQueryEngine.schemaText)
    guard let recordType = schema[ZoneQueryEngine.recordType] else { return }
    let places = (0..<min(generator.records, 10_000)).map { generator.place(at: $0) }
    let records = places.map { place in
      var record = Record(recordType: ZoneQueryEngine.recordType, recordName: "place")
      record["location"] = .location(Location(latitude: place.latitude, longitude: place.longitude))
      return record
    }
    let circles = generator.circles[2]
    let matchers = try circles.map { circle in
      try Matcher(
        try QueryPredicate(
          format: "distanceToLocation:fromLocation:(location, %@) < %@",
          Location(latitude: circle.centre.latitude, longitude: circle.centre.longitude), circle.metres),
        for: recordType)
    }
    for (circle, matcher) in zip(circles, matchers) {
      for (place, record) in zip(places, records) {
        let isNear = NaivePredicate.haversine(place, circle.centre) < circle.metres
        let isInCircle = GeodesicCircle(
          center: Location(latitude: circle.centre.latitude, longitude: circle.centre.longitude), radius: circle.metres
        ).contains(
          GeodesicCircle.Place(Location(latitude: place.latitude, longitude: place.longitude)))
        if try matcher.matches(record) != isNear || isInCircle != isNear {
          throw BenchmarkError("distance: the matcher and the sphere differ in \(place) from \(circle.centre)")
        }
      }
    }
    let count = places.count
    let locations = places.map { Location(latitude: $0.latitude, longitude: $0.longitude) }
    let tests = circles.map {
      GeodesicCircle(
        center: Location(latitude: $0.centre.latitude, longitude: $0.centre.longitude), radius: $0.metres)
    }
    var competitors = [
      Alternation.Competitor(name: ReportResult.ownEngine) { range in
        var found: UInt64 = 0
        for operation in range {
          // Both are given the place in degrees.
          let place = GeodesicCircle.Place(locations[operation % count])
          if tests[operation / count].contains(place) { found += 1 }
        }
        blackHole(found)
      }
    ]
    if run.options.peer != .none {
      competitors.append(
        Alternation.Competitor(name: "naive") { range in
          var found: UInt64 = 0
          for operation in range {
            let circle = circles[operation / count]
            if NaivePredicate.haversine(places[operation % count], circle.centre) < circle.metres { found += 1 }
          }
          blackHole(found)
        })
    }
    let timings = try run.alternation(cycle: count * circles.count).run(competitors)
    add("distance", competitors, timings, ["circles": Double(circles.count)])
  }

  private func add(
    _ name: String, _ competitors: [Alternation.Competitor], _ timings: [Alternation.Timing],
    _ counters: [String: Double]
  ) {
    run.add(
      ReportResult(
        suite: "text", workload: name, variant: .records, records: generator.records,
        timings: zip(competitors, timings).map { (name: $0.name, timing: $1) }, counters: counters))
  }
}

/// Texts of words in the scripts of the world.
struct MixedText {
  private static let alphabets: [[UInt32]] = [
    Array(0x61...0x7A) + [0xE4, 0xE9, 0xEA, 0xF1, 0xF6, 0xFC, 0xDF, 0xE7, 0x11F, 0x142],
    Array(0x61...0x7A), Array(0x430...0x44F), Array(0x3B1...0x3C9), Array(0x5D0...0x5EA), Array(0x627...0x64A),
    Array(0xAC00...0xD7A3), Array(0x3041...0x3096), Array(0x30A1...0x30FA), Array(0x4E00...0x9FA5),
    Array(0x915...0x939) + [0x93E, 0x93F, 0x940],
  ]
  private var source: RandomSource

  init(seed: UInt64) { source = RandomSource(seed: seed &+ 77) }

  /// So many texts of 5 to 40 words, each text in up to three scripts.
  mutating func texts(_ count: Int) -> [String] {
    (0..<count).map { _ in
      let scripts = (0..<3).map { _ in MixedText.alphabets[source.below(MixedText.alphabets.count)] }
      var text = ""
      for word in 0..<source.within(5...40) {
        let alphabet = scripts[source.below(3)]
        if word > 0 { text += source.below(8) == 0 ? ", " : " " }
        for _ in 0..<source.within(2...9) {
          if let scalar = Unicode.Scalar(alphabet[source.below(alphabet.count)]) { text.unicodeScalars.append(scalar) }
        }
      }
      return text
    }
  }
}
