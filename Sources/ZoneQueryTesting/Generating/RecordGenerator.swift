public import ZoneQuery

/// Draws records of a type: values that repeat, values at boundaries, missing values, several zones.
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// let records = RecordGenerator(recordType: type).records(20, &random)
/// ```
///
/// Few of such records satisfy a given predicate. Near one, about half do, and the others mostly miss it by one value:
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// let predicate = try QueryPredicate(format: "name BEGINSWITH 'Sea' AND name != 'Sea maps'")
/// let near = try RecordGenerator(recordType: type, near: predicate).records(20, &random)
/// near.map { $0.string("name") }   // such as "Seaa", "Sea maps", "SEA", nil
/// ```
public struct RecordGenerator: Sendable {
  /// The type of the records.
  public let recordType: RecordType
  /// The zones they lie in.
  public var zones = [ZoneID.default, ZoneID(zoneName: "A"), ZoneID(zoneName: "B")]
  /// How many values of a hundred are missing.
  public var missingPercentage = 20

  private let neighbourhood: PredicateNeighbourhood?

  /// Creates a generator of records of a type.
  public init(recordType: RecordType) {
    self.recordType = recordType
    neighbourhood = nil
  }

  /// Creates a generator of records near a predicate.
  ///
  /// Fields that the predicate names have its constants and their neighbours for values: what lies just below and above
  /// a number or a moment, beginnings and extensions of a text, its other cases and spellings, lists of some members or
  /// all, places within a radius and beyond, words of token searches, records that are referred to; and now and then
  /// none, or any. About half of the records satisfy the predicate, where records can.
  ///
  /// - Parameters:
  ///   - recordType: The type of the records.
  ///   - predicate: The predicate.
  ///   - options: Dialect and switches.
  ///   - parameters: The values of `$name` parameters.
  ///   - now: The moment `now()` stands for.
  /// - Throws: `invalidPredicate` where dialect or type refuse the predicate, or a parameter has no value.
  ///
  /// Complexity: linear in the predicate; of each record, as that of asking the predicate of it some hundred times at
  /// most.
  public init(
    recordType: RecordType, near predicate: QueryPredicate, options: PredicateOptions = PredicateOptions(),
    parameters: [String: any PredicateArgument] = [:], now: Timestamp = FuzzCase.defaultNow
  ) throws(ZoneQueryError) {
    self.recordType = recordType
    neighbourhood = try PredicateNeighbourhood(
      predicate.replacing(parameters), of: recordType, options: options, now: now)
  }

  /// So many records in all, spread over the zones; no two of a zone have one name.
  public func records(_ count: Int, _ random: inout SeededRandom) -> [Record] {
    var records: [Record] = []
    for index in 0..<max(0, count) {
      if let neighbourhood {
        records.append(record(index, near: neighbourhood, among: records, &random))
        continue
      }
      var record = Record(recordType: recordType.name, recordID: recordID(index, among: records, &random))
      fill(&record, among: records, &random)
      records.append(record)
    }
    return records
  }

  private func recordID(_ index: Int, among others: [Record], _ random: inout SeededRandom) -> RecordID {
    let zone = random.pick(zones) ?? .default
    let name = random.chance(1, of: 4) ? random.pick(BoundaryValues.names) ?? "r" : "r\(index)"
    return unused(RecordID(recordName: name, zoneID: zone), index, among: others)
  }

  /// An ID, under another name where a record has it: records of two zones may share a name; those of one may not.
  private func unused(_ wanted: RecordID, _ index: Int, among others: [Record]) -> RecordID {
    var (id, number) = (wanted, index)
    while others.contains(where: { $0.recordID == id }) {
      id = RecordID(recordName: "n\(number)", zoneID: wanted.zoneID)
      number += others.count
    }
    return id
  }

  private func record(
    _ index: Int, near neighbourhood: PredicateNeighbourhood, among others: [Record], _ random: inout SeededRandom
  ) -> Record {
    let isToMatch = random.chance(1, of: 2)
    var (record, isMatch) = walk(index, towards: neighbourhood, among: others, &random)
    if !isToMatch {
      // Where the zone or the name is what keeps the record from matching, it misses by that alone.
      neighbourhood.leave(&record, missing: missingPercentage, &random)
      return record
    }
    // What the zone and the name decide no walk changes, so another begins under others.
    for _ in 0..<3 where !isMatch { (record, isMatch) = walk(index, towards: neighbourhood, among: others, &random) }
    return record
  }

  private func walk(
    _ index: Int, towards neighbourhood: PredicateNeighbourhood, among others: [Record], _ random: inout SeededRandom
  ) -> (record: Record, isMatch: Bool) {
    var id = recordID(index, among: others, &random)
    // References stay in a zone: where one is asked for, the record has to lie there.
    if let named = random.pick(neighbourhood.recordIDs), random.chance(3, of: 4) {
      let name = neighbourhood.asksForRecordID ? named.recordName : id.recordName
      id = unused(RecordID(recordName: name, zoneID: named.zoneID), index, among: others)
    }
    var record = Record(recordType: recordType.name, recordID: id)
    fill(&record, among: others, &random)
    neighbourhood.scatter(&record, missing: missingPercentage, &random)
    let isMatch = neighbourhood.approach(&record, missing: missingPercentage, &random)
    return (record, isMatch)
  }

  private func fill(_ record: inout Record, among others: [Record], _ random: inout SeededRandom) {
    let values = ValueGenerator(zoneID: record.recordID.zoneID)
    for field in recordType.fields where !random.chance(missingPercentage, of: 100) {
      // A value of another record makes ties, for sorts and for equality.
      let shared = random.chance(1, of: 4) ? random.pick(others)?[field.name] : nil
      record[field.name] = field.type.scalar == .reference ? nil : shared
      if record[field.name] == nil { record[field.name] = values.value(of: field.type, &random) }
    }
    record.creationDate = values.moment(&random)
    record.modificationDate = values.moment(&random)
    record.creatorUserRecordID = RecordID(recordName: random.one(of: "_anna", "_ben"))
    record.lastModifiedUserRecordID = RecordID(recordName: random.one(of: "_anna", "_ben"))
    let siblings = others.filter { $0.recordID.zoneID == record.recordID.zoneID }
    if random.chance(1, of: 4), let parent = random.pick(siblings) { record.parent = Reference(parent.recordID) }
  }
}
