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
  private let sampledCodes: [[UInt16]]
  private let frequencies: KeyTable

  /// What is kept of one record.
  struct Sample: Sendable {
    var keys: [UInt64] = []
    /// Slots and their values' orders (codes, where the coding needs no map).
    var orders: [(slot: Int, order: UInt64)] = []
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
    var sampledCodes = [[UInt16]](repeating: [], count: codings.count)
    for slot in codings.indices where !orders[slot].isEmpty {
      orders[slot].sort()
      switch codings[slot] {
      case .integer, .double, .textOrder:
        let map = CodeMap(sorted: orders[slot])
        maps[slot] = map
        sampledCodes[slot] = orders[slot].map { map.code($0) }
      default: sampledCodes[slot] = orders[slot].map { UInt16(truncatingIfNeeded: $0) }
      }
    }
    self.maps = maps
    self.sampledCodes = sampledCodes
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

  /// The share of records with a code within an interval.
  func share(_ slot: Int, _ low: UInt16, _ high: UInt16) -> Double {
    let codes = sampledCodes[slot]
    if codes.isEmpty { return max(0.02, Double(high - low) / 65_536) }
    func position(_ code: UInt32) -> Int {
      var (from, to) = (0, codes.count)
      while from < to {
        let middle = (from &+ to) / 2
        if UInt32(codes[middle]) < code { from = middle &+ 1 } else { to = middle }
      }
      return from
    }
    let count = position(UInt32(high) + 1) - position(UInt32(low))
    return min(1, (Double(count) + 0.25) / Double(sampleCount))
  }

  /// The codes of a record, for each slot of the fields given.
  func encode(_ record: RecordEncoding, fields: [FieldNumber], into codes: inout [UInt16]) {
    if codes.count != codings.count { codes = [UInt16](repeating: 0, count: codings.count) }
    for field in fields {
      let slot = 2 &* field
      codes[slot] = 0
      codes[slot &+ 1] = 0
      guard record.presence[field], !record.isList[field] else { continue }
      switch codings[slot] {
      case .integer: codes[slot] = code(slot, ValueCodes.order(Int64(bitPattern: record.words[field])))
      case .double: codes[slot] = code(slot, ValueCodes.order(Double(bitPattern: record.words[field])))
      case .textHash:
        codes[slot] = ValueCodes.code(hash: record.hashes[field])
        if codings[slot &+ 1] == .textOrder {
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
