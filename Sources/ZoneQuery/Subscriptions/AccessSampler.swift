/// A sample of the records that came, drawn evenly (Vitter's algorithm R), and when to plan anew by it.
struct AccessSampler {
  private(set) var samples: [AccessStatistics.Sample] = []
  private(set) var seenCount = 0
  private var next = 0
  private var planAt = 64
  private var state: UInt64

  static let capacity = 512
  /// The most words, keys of values and orders that are kept of one record: of more, some that are evenly drawn.
  static let mostOfRecord = 1_024

  init(seed: UInt64) { state = seed }

  /// Whether the next record is to be looked at.
  var wantsNext: Bool { seenCount == next }

  /// Counts a record that is not looked at.
  mutating func skip() { seenCount += 1 }

  /// Whether so many records have come since the last plan that a new one is worth while.
  var wantsPlan: Bool { seenCount >= planAt }

  /// Takes a record.
  mutating func add(_ record: RecordEncoding, _ statistics: AccessStatistics, fields: [FieldNumber]) {
    let sample = AccessSampler.sample(record, statistics, fields: fields)
    seenCount += 1
    if samples.count < Self.capacity {
      samples.append(sample)
      next = seenCount
    } else {
      samples[Int(random() % UInt64(Self.capacity))] = sample
      // The gaps grow as the chance of a record to be drawn falls.
      next = seenCount + Int(random() % UInt64(2 * seenCount / Self.capacity + 1))
    }
  }

  /// Takes note that the plan is right for the sample as it is.
  mutating func settle() { planAt = max(64, seenCount * (samples.count < Self.capacity ? 16 : 4)) }

  private mutating func random() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return ByteHash.fold(state, 0xD6E8_FEB8_6659_FD93)
  }

  /// What statistics need of a record.
  static func sample(
    _ record: RecordEncoding, _ statistics: AccessStatistics, fields: [FieldNumber]
  ) -> AccessStatistics.Sample {
    var sample = AccessStatistics.Sample()
    for hash in record.tokens.hashes { sample.keys.append(AccessUse(.token).key(hash, statistics.hash)) }
    sample.keys.thin(from: 0, to: mostOfRecord)
    sample.wordCount = sample.keys.count
    for field in fields where record.presence[field] && 2 * field < statistics.codings.count {
      AccessGeneration.appendKeys(
        of: record, AccessUse(.equal, field: field), 1, statistics, to: &sample.keys)
      let slot = 2 * field
      let coding = statistics.codings[slot]
      if coding == .none { continue }
      if coding == .textHash {
        AccessGeneration.appendKeys(of: record, AccessUse(.name, field: field), 1, statistics, to: &sample.keys)
      }
      let isPlace = coding == .latitude
      let places = record.isList[field] || isPlace ? record.memberRange(field) : 0..<1
      for index in 0..<places.count {
        let place = places.lowerBound + (isPlace ? 2 * index : index)
        let value = record.isList[field] || isPlace ? record.members[place] : record.words[field]
        switch coding {
        case .integer: sample.orders.append((slot, ValueCodes.order(Int64(bitPattern: value))))
        case .double: sample.orders.append((slot, ValueCodes.order(Double(bitPattern: value))))
        case .textHash:
          let text = record.bytes.span.extracting(record.range(value))
          sample.orders.append((slot, UInt64(ValueCodes.code(hash: statistics.hash.hash(text)))))
          if statistics.codings[slot + 1] == .textOrder { sample.orders.append((slot + 1, text.leadingWord())) }
        case .latitude:
          sample.orders.append((slot, UInt64(ValueCodes.code(latitude: Double(bitPattern: value)))))
          sample.orders.append(
            (slot + 1, UInt64(ValueCodes.code(longitude: Double(bitPattern: record.members[place + 1])))))
        case .none, .textOrder, .longitude: break
        }
      }
    }
    sample.keys.thin(from: sample.wordCount, to: mostOfRecord)
    sample.orders.thin(from: 0, to: mostOfRecord)
    return sample
  }
}

extension Array {
  /// Keeps at most a number of the elements from a place on: each third, fifth or so, by an odd step, since what is told of
  /// one value may be two elements.
  fileprivate mutating func thin(from start: Int, to most: Int) {
    if count - start <= most { return }
    let step = (count - start + most - 1) / most | 1
    self = Array(self[..<start]) + stride(from: start, to: count, by: step).map { self[$0] }
  }
}
