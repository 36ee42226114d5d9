/// What a sample of records tells: how many have a key, how many a code within an interval, and how to make codes.
///
/// It decides which of a predicate's comparisons a subscription waits under, and so only how fast matching is, never
/// what matches. Immutable: codes and cells of one table are all made by one of these.
final class AccessStatistics: Sendable {
  let sampleCount: Int
  let hash: ByteHash
  /// For each slot of codes, two a field.
  let codings: [ValueCodes.Coding]
  private let maps: [CodeMap]
  /// The codes of the samples, ascending, one slot's behind another's.
  private let sampledCodes: [UInt16]
  /// For each slot, where the codes begin that have each value of the upper byte, and where the last end.
  private let places: [Int32]
  private let frequencies: KeyTable
  /// For each slot, how many codes there are for a sample: more than one where lists have several members.
  private let density: [Double]
  /// In how many other samples a sample's word is found, on average.
  private let repetition: Double

  /// What is kept of one record.
  struct Sample: Sendable {
    /// The keys of its words, then those of its values.
    var keys: [UInt64] = []
    var wordCount = 0
    /// Slots and their values' orders (codes, where the coding needs no map).
    var orders: [(slot: Int, order: UInt64)] = []
  }

  /// An interval of a slot's codes, both ends within.
  struct Interval {
    var slot: Int
    var low: UInt16
    var high: UInt16
  }

  init(_ layout: FieldLayout, samples: [Sample], hash: ByteHash) {
    self.hash = hash
    sampleCount = samples.count
    var codings: [ValueCodes.Coding] = []
    for field in 0..<layout.count {
      let (first, second) = ValueCodes.codings(layout.type(of: field))
      codings += [first, second]
    }
    self.codings = codings
    var orders = [[UInt64]](repeating: [], count: codings.count)
    frequencies = KeyTable(minimumCapacity: samples.reduce(0) { $0 + $1.keys.count })
    for sample in samples {
      for key in sample.keys { frequencies[frequencies.insert(key)] += 1 }
      for (slot, order) in sample.orders where slot < orders.count { orders[slot].append(order) }
    }
    var maps = [CodeMap](repeating: CodeMap(), count: codings.count)
    var sampledCodes: [UInt16] = []
    var places: [Int32] = []
    for slot in codings.indices {
      orders[slot].sort()
      let start = sampledCodes.count
      switch codings[slot] {
      case .integer, .double, .textOrder:
        if orders[slot].isEmpty { break }
        let map = CodeMap(sorted: orders[slot])
        maps[slot] = map
        for order in orders[slot] { sampledCodes.append(map.code(order)) }
      default: for order in orders[slot] { sampledCodes.append(UInt16(truncatingIfNeeded: order)) }
      }
      var next = start
      for byte in 0...256 {
        while next < sampledCodes.count, Int(sampledCodes[next] >> 8) < byte { next += 1 }
        places.append(Int32(next))
      }
    }
    self.maps = maps
    self.sampledCodes = sampledCodes
    self.places = places
    density = orders.map { Double($0.count) / Double(max(1, samples.count)) }
    var (total, again) = (0.0, 0.0)
    for sample in samples {
      for key in sample.keys.prefix(sample.wordCount) {
        total += 1
        again += Double(frequencies[frequencies.find(key)] - 1)
      }
    }
    repetition = again / max(1, total)
  }

  /// Whether other samples look as if they were of the same records, as far as some fields are concerned.
  ///
  /// That is so where no slot's codes are distributed so differently that chance would do it in one case of a thousand
  /// (N. Smirnov's test of two samples, 1948), nor much rarer or more frequent; and words are found about as often as
  /// they were. Complexity: linear in the samples, times the logarithm of their number.
  func agrees(with samples: [Sample], fields: [FieldNumber]) -> Bool {
    if sampleCount == 0 || samples.isEmpty { return sampleCount == samples.count }
    var codes = [[UInt16]](repeating: [], count: codings.count)
    var (total, found) = (0.0, 0.0)
    for sample in samples {
      for (slot, order) in sample.orders where slot < codes.count {
        switch codings[slot] {
        case .integer, .double, .textOrder: codes[slot].append(code(slot, order))
        default: codes[slot].append(UInt16(truncatingIfNeeded: order))
        }
      }
      for key in sample.keys.prefix(sample.wordCount) {
        total += 1
        let place = frequencies.find(key)
        if place >= 0 { found += Double(frequencies[place]) }
      }
    }
    let again = found / max(1, total)
    if total > 0, again > 2 * repetition + 1 || repetition > 2 * again + 1 { return false }
    for slot in fields.flatMap({ [2 * $0, 2 * $0 + 1] }) where slot < codes.count {
      let count = Double(codes[slot].count) / Double(samples.count)
      if abs(count - density[slot]) > 0.15 * max(1, density[slot]) { return false }
      codes[slot].sort()
      let old = sampledCodes[Int(places[257 * slot])..<Int(places[257 * slot + 256])]
      if old.isEmpty || codes[slot].isEmpty { continue }
      let limit = 1.95 * (1 / Double(old.count) + 1 / Double(codes[slot].count)).squareRoot()
      if AccessStatistics.distance(old, codes[slot]) > limit { return false }
    }
    return true
  }

  /// The largest difference between the shares of two ascending lists that are not above a number.
  private static func distance(_ first: ArraySlice<UInt16>, _ second: [UInt16]) -> Double {
    var (place, other, distance) = (first.startIndex, 0, 0.0)
    while place < first.endIndex, other < second.count {
      let least = min(first[place], second[other])
      while place < first.endIndex, first[place] == least { place += 1 }
      while other < second.count, second[other] == least { other += 1 }
      let shares = (
        Double(place - first.startIndex) / Double(first.count), Double(other) / Double(second.count)
      )
      distance = max(distance, abs(shares.0 - shares.1))
    }
    return distance
  }

  /// The code of a value's order in a slot.
  @inline(__always)
  func code(_ slot: Int, _ order: UInt64) -> UInt16 { maps[slot].code(order) }

  /// The share of records that have a key.
  func share(_ key: UInt64, unknown: Double) -> Double {
    if sampleCount == 0 { return unknown }
    let found = frequencies.find(key)
    return (found < 0 ? 0.25 : Double(frequencies[found])) / Double(sampleCount)
  }

  /// The share of records with a code within an interval. Complexity: logarithmic in the codes of one upper byte.
  func share(_ interval: Interval) -> Double {
    let first = 257 * interval.slot
    if places[first] == places[first + 256] { return max(0.02, Double(interval.high - interval.low) / 65_536) }
    func position(_ code: UInt32) -> Int {
      let byte = Int(code >> 8)
      if byte > 255 { return Int(places[first + 256]) }
      var (from, to) = (Int(places[first + byte]), Int(places[first + byte + 1]))
      while from < to {
        let middle = (from &+ to) / 2
        if UInt32(sampledCodes[middle]) < code { from = middle &+ 1 } else { to = middle }
      }
      return from
    }
    let count = position(UInt32(interval.high) + 1) - position(UInt32(interval.low))
    return min(1, (Double(count) + 0.25) / Double(sampleCount))
  }

  /// The codes of a record as filters look at them, for each slot of the fields given that is asked for.
  func encode(_ record: RecordEncoding, fields: [FieldNumber], _ isAsked: [Bool], into codes: inout [UInt16]) {
    if codes.count != codings.count { codes = [UInt16](repeating: 0, count: codings.count) }
    for field in fields {
      let slot = 2 &* field
      let (first, second) = (isAsked[slot], isAsked[slot &+ 1])
      guard first || second else { continue }
      codes[slot] = 0
      codes[slot &+ 1] = 0
      guard record.presence[field], !record.isList[field] else { continue }
      defer {
        codes[slot] >>= EntryBuckets.codeShift
        codes[slot &+ 1] >>= EntryBuckets.codeShift
      }
      switch codings[slot] {
      case .integer: codes[slot] = code(slot, ValueCodes.order(Int64(bitPattern: record.words[field])))
      case .double: codes[slot] = code(slot, ValueCodes.order(Double(bitPattern: record.words[field])))
      case .textHash:
        codes[slot] = ValueCodes.code(hash: record.hashes[field])
        if second, codings[slot &+ 1] == .textOrder {
          let text = record.bytes.span.extracting(record.range(record.words[field]))
          codes[slot &+ 1] = code(slot &+ 1, text.leadingWord())
        }
      case .latitude:
        let place = record.memberRange(field).lowerBound
        codes[slot] = ValueCodes.code(latitude: Double(bitPattern: record.members[place]))
        codes[slot &+ 1] = ValueCodes.code(longitude: Double(bitPattern: record.members[place &+ 1]))
      case .none, .textOrder, .longitude: break
      }
    }
  }
}

extension AccessStatistics.Interval {
  init(slot: Int, _ codes: ClosedRange<UInt16>) {
    self.init(slot: slot, low: codes.lowerBound, high: codes.upperBound)
  }
}
