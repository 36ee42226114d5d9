/// The end of the page before, in a query's order.
final class SortAnchor: Sendable {
  let key: RankKey
  let position: SortPosition

  init(key: RankKey, position: SortPosition) { (self.key, self.position) = (key, position) }
}

extension RankKey {
  /// The key of every row in a query without a sort.
  static let none = RankKey(high: 0, low: 0)
}

extension SortOrder {
  /// The order of a query without sort descriptors.
  static let none = SortOrder(descriptors: [])

  /// The key of a row that lacks the first descriptor's field.
  var missingKey: RankKey {
    guard let first = descriptors.first else { return .none }
    if first.origin != nil { return RankKey(high: 2, low: 0) }
    return first.isDescending ? RankKey(high: 0, low: 0).turned : RankKey(high: 0, low: 0)
  }

  /// The key of a row whose first descriptor's value has these words in an index.
  @inline(__always)
  func key(_ word: UInt64, _ second: UInt64, isText: Bool) -> RankKey {
    RankKey(word, second, isText: isText, isDescending: descriptors[0].isDescending)
  }

  /// The key of a value of the first descriptor's field.
  func key(_ value: SortValue) -> RankKey {
    switch value {
    case .missing: return missingKey
    case .integer(let number): return key(KeyEncoding.word(number), 0, isText: false)
    case .double(let number): return key(KeyEncoding.word(number), 0, isText: false)
    case .bytes where descriptors[0].type == .reference: return tiedKey
    case .bytes(let bytes):
      let words = KeyEncoding.words(bytes)
      return key(words.first, words.second, isText: true)
    }
  }

  /// The key of every row that has a value that words say nothing of: references begin alike, with their zone.
  var tiedKey: RankKey { descriptors[0].isDescending ? RankKey(high: 1, low: 0).turned : RankKey(high: 1, low: 0) }

  func anchor(_ position: SortPosition) -> SortAnchor {
    SortAnchor(key: position.values.first.map { key($0) } ?? .none, position: position)
  }

  /// Whether one row comes before another, by all that orders them.
  func precedes(_ left: TableRow, _ right: TableRow) -> Bool {
    for descriptor in descriptors {
      let order = compare(left, right, descriptor)
      if order != 0 { return order < 0 }
    }
    let order = left.withName { leftName in right.withName { leftName.compare($0) } }
    if order != 0 { return order < 0 }
    return left.zoneID.compare(right.zoneID) < 0
  }

  /// How two rows are ordered by one descriptor, read in place.
  private func compare(_ left: TableRow, _ right: TableRow, _ descriptor: Descriptor) -> Int {
    let (isLeft, isRight) = (left.isPresent(descriptor.field), right.isPresent(descriptor.field))
    if !isLeft || !isRight {
      // A missing value comes before all others ascending, after them descending; without a place, last always.
      let isMissingLast = descriptor.isDescending || descriptor.origin != nil
      return isLeft == isRight ? 0 : isLeft == isMissingLast ? -1 : 1
    }
    let order: Int
    switch descriptor.type {
    case .int64, .timestamp:
      let (a, b) = (left.integer(descriptor.field), right.integer(descriptor.field))
      order = a < b ? -1 : a > b ? 1 : 0
    case .double:
      let (a, b) = (left.double(descriptor.field), right.double(descriptor.field))
      order = a < b ? -1 : a > b ? 1 : 0
    case .location: return compare(value(left, descriptor), value(right, descriptor), descriptor)
    default:
      order = left.withBytes(descriptor.field) { text in right.withBytes(descriptor.field) { text.compare($0) } }
    }
    return descriptor.isDescending ? -order : order
  }

  /// How a row is ordered against a value by one descriptor.
  private func compare(_ row: TableRow, _ place: SortValue, _ descriptor: Descriptor) -> Int {
    guard case .bytes(let bytes) = place, row.isPresent(descriptor.field) else {
      return compare(value(row, descriptor), place, descriptor)
    }
    let order = row.withBytes(descriptor.field) { $0.compare(bytes.span) }
    return descriptor.isDescending ? -order : order
  }

  /// How many descriptors the order of an index satisfies, whose components before a position have one value each.
  func covered(by shape: IndexShape, from position: Int) -> Int {
    var count = 0
    while count < descriptors.count, position + count < shape.components.count,
      shape.components[position + count].field == descriptors[count].field,
      shape.components[position + count].isInOrder, descriptors[count].origin == nil,
      descriptors[count].isDescending == descriptors[0].isDescending
    {
      count += 1
    }
    return count
  }

  /// How a row is ordered against a place by the first descriptors alone.
  func compare(_ row: TableRow, _ position: SortPosition, first count: Int) -> Int {
    for index in 0..<min(count, descriptors.count) {
      let order = compare(row, position.values[index], descriptors[index])
      if order != 0 { return order }
    }
    return 0
  }

  /// Whether a row comes behind a place, to which it is equal by the descriptors before one.
  func isBehind(_ row: TableRow, _ position: SortPosition, from first: Int = 0) -> Bool {
    for index in min(first, descriptors.count)..<descriptors.count {
      let order = compare(row, position.values[index], descriptors[index])
      if order != 0 { return order > 0 }
    }
    let order = row.withName { name in withUTF8(of: position.recordName) { name.compare($0) } }
    if order != 0 { return order > 0 }
    return row.zoneID.compare(position.zoneID) > 0
  }

  /// The place of a row.
  func position(of row: TableRow) -> SortPosition {
    SortPosition(
      types: types, values: descriptors.map { value(row, $0) }, recordName: row.withName { String(copying: $0) },
      zoneID: row.zoneID)
  }
}

/// Reads the keys of a table's rows.
struct Ranker {
  let source: TableRow.Source
  let number: UInt32
  private let order: SortOrder
  private let field: FieldNumber
  private let kind: Kind
  private let origin: GeodesicPoint?

  private enum Kind {
    case word, double, text, distance, tied, none
  }

  init(_ order: SortOrder, _ source: TableRow.Source, _ number: UInt32) {
    self.order = order
    self.source = source
    self.number = number
    let first = order.descriptors.first
    field = first?.field ?? 0
    origin = first?.origin
    kind =
      switch first?.type {
      case nil: .none
      case .int64?, .timestamp?: .word
      case .double?: .double
      case .location?: .distance
      case .reference?: .tied
      default: .text
      }
  }

  /// Of some rows of a group those whose key may not be beyond another, by a look at the whole column where that is of
  /// numbers; rows whose key is beyond it are of no use once there are enough before it.
  func rows(_ rows: SIMD4<UInt64>, of view: RowBlockView, upTo last: RankKey) -> SIMD4<UInt64> {
    guard kind == .word || kind == .double, rows.countOfRows >= Program.leastRowsForKernel else { return rows }
    let isDouble = kind == .double
    // The greatest and the least word of a double are those of the infinities.
    let least = isDouble ? KeyEncoding.word(-Double.infinity) : 0
    let greatest = isDouble ? KeyEncoding.word(Double.infinity) : .max
    if order.descriptors[0].isDescending {
      let bound = last.turned
      // Missing values come last: a bound among them leaves all rows.
      if bound.high == 0 { return rows }
      return view.rows(rows, of: field, isDouble: isDouble, from: max(bound.low, least), through: greatest)
    }
    let missing = rows & ~view.presence(field)
    if last.high == 0 { return missing }
    return missing | view.rows(rows, of: field, isDouble: isDouble, from: least, through: min(last.low, greatest))
  }

  /// The group of a slot, and its row there.
  @inline(__always)
  func place(_ slot: UInt32) -> (group: RowGroup, row: Int) {
    (source.rows.group(Int(slot) >> RowGroup.shift), Int(slot) & (RowGroup.size - 1))
  }

  /// The place of a row, where distances are sorted by.
  @inline(__always)
  func degrees(_ group: RowGroup, _ row: Int) -> (latitude: Double, longitude: Double) { group.degrees(row, field) }

  /// Whether a row is certainly not among the first, as its chord tells, so that its distance need not be measured.
  @inline(__always)
  func passesOver(_ group: RowGroup, _ row: Int, _ first: inout FirstRows) -> Bool {
    guard kind == .distance, group.isPresent(row, field) else { return false }
    let (latitude, longitude) = degrees(group, row)
    return first.passesOver(latitude: latitude, longitude: longitude)
  }

  /// Whether a row with a key comes behind the end of the page before.
  func isBehind(_ key: RankKey, _ slot: UInt32, _ place: SortAnchor) -> Bool {
    key == place.key ? order.isBehind(source.row(Int(slot)), place.position) : place.key < key
  }

  @inline(__always)
  func key(_ slot: UInt32) -> RankKey {
    let (group, row) = place(slot)
    return key(group, row)
  }

  @inline(__always)
  func key(_ group: RowGroup, _ row: Int) -> RankKey {
    if kind == .none { return .none }
    guard group.isPresent(row, field) else { return order.missingKey }
    switch kind {
    case .word: return order.key(KeyEncoding.word(group.integer(row, field)), 0, isText: false)
    case .double: return order.key(KeyEncoding.word(group.double(row, field)), 0, isText: false)
    case .text:
      return group.withBytes(row, field) { bytes in
        let words = KeyEncoding.words(bytes)
        return order.key(words.first, words.second, isText: true)
      }
    case .distance:
      guard let origin else { return order.missingKey }
      let (latitude, longitude) = group.degrees(row, field)
      let distance = Geodesic.distance(
        from: origin, to: GeodesicPoint(latitude: latitude, longitude: longitude))
      return order.key(KeyEncoding.word(distance), 0, isText: false)
    case .tied: return order.tiedKey
    case .none: return .none
    }
  }
}
