internal import ZoneQuery

/// Makes records of any record type of a schema. A tenth of the values is missing.
struct SchemaRecordGenerator: RecordGenerator {
  private var random: RandomSource
  private let recordType: RecordType
  private let count: Int
  private var made = 0
  private let words = ZipfDistribution(count: 5_000)
  private let numbers = ZipfDistribution(count: 10_000)
  private let places: PlaceSource

  /// 2020-01-01T00:00:00Z, and the seconds of ten years.
  private static let firstMoment: Int64 = 1_577_836_800_000
  private static let seconds = 315_360_000

  init(_ recordType: RecordType, count: Int, seed: UInt64) {
    random = RandomSource(seed: seed)
    self.recordType = recordType
    self.count = max(count, 1)
    places = PlaceSource(&random)
  }

  mutating func next() -> Record {
    var record = Record(recordType: recordType.name, recordName: Self.name(made))
    made += 1
    for field in recordType.fields where random.below(10) > 0 { record[field.name] = value(of: field.type) }
    return record
  }

  /// Numbered, so that references lead to records that are there.
  private static func name(_ number: Int) -> String { "record-\(number)" }

  private mutating func value(of type: FieldType) -> FieldValue {
    guard type.isList else { return value(of: type.scalar) }
    let length = random.below(6)
    switch type.scalar {
    case .string: return .stringList((0..<length).map { _ in Vocabulary.word(words.draw(&random)) })
    case .int64: return .int64List((0..<length).map { _ in int64() })
    case .double: return .doubleList((0..<length).map { _ in double() })
    case .bytes: return .bytesList((0..<length).map { _ in bytes() })
    case .timestamp: return .timestampList((0..<length).map { _ in moment() })
    case .location: return .locationList((0..<length).map { _ in places.next(&random) })
    case .reference: return .referenceList((0..<length).map { _ in reference() })
    case .asset: return .assetList((0..<length).map { _ in asset() })
    }
  }

  private mutating func value(of scalar: FieldType.Scalar) -> FieldValue {
    switch scalar {
    case .string:
      let length = random.within(1...4)
      return .string((0..<length).map { _ in Vocabulary.word(words.draw(&random)) }.joined(separator: " "))
    case .int64: return .int64(int64())
    case .double: return .double(double())
    case .bytes: return .bytes(bytes())
    case .timestamp: return .timestamp(moment())
    case .location: return .location(places.next(&random))
    case .reference: return .reference(reference())
    case .asset: return .asset(asset())
    }
  }

  private mutating func int64() -> Int64 { Int64(numbers.draw(&random)) }

  private mutating func double() -> Double { Double(random.within(-100_000...100_000)) / 100 }

  private mutating func bytes() -> [UInt8] { (0..<16).map { _ in UInt8(random.below(256)) } }

  private mutating func moment() -> Timestamp {
    Timestamp(milliseconds: Self.firstMoment + Int64(random.below(Self.seconds)) * 1_000)
  }

  private mutating func reference() -> Reference {
    Reference(RecordID(recordName: Self.name(random.below(count))))
  }

  private mutating func asset() -> Asset {
    Asset(fileChecksum: random.uuid(), size: Int64(random.below(1_000_000)))
  }
}
