/// The sort of a query bound to the fields of one record type, and the total order it makes: the descriptors in turn,
/// then record name, zone name and zone owner.
struct SortOrder: Sendable {
  struct Descriptor: Sendable {
    var field: FieldNumber
    var type: FieldType.Scalar
    var isDescending: Bool
    /// Where distances are measured from.
    var origin: GeodesicPoint?
  }

  let descriptors: [Descriptor]
  /// The types of their fields.
  let types: [FieldType.Scalar]
  /// Whether rows with one key (``RankKey``) differ in their names alone: where they are ordered by one number.
  let isOfOneNumber: Bool

  init(descriptors: [Descriptor]) {
    (self.descriptors, types) = (descriptors, descriptors.map(\.type))
    isOfOneNumber = types == [.int64] || types == [.timestamp] || types == [.double]
  }

  /// Binds sort keys to a record type, those that decide something.
  ///
  /// - Throws: `invalidQuery` where a field does not exist or cannot be sorted by, or there are too many distances.
  init(_ keys: [SortKey], _ recordType: RecordType) throws(ZoneQueryError) {
    var descriptors: [Descriptor] = []
    let decisive = keys.decisive
    for key in decisive { descriptors.append(try SortOrder.bind(key, recordType)) }
    if decisive.count > SortOrder.mostDistances,
      decisive.reduce(0, { $1.origin == nil ? $0 : $0 + 1 }) > SortOrder.mostDistances
    {
      throw ZoneQueryError(
        .query, .invalidQuery, "A query is sorted by at most \(SortOrder.mostDistances) distances",
        hint: "leave out those that decide nothing: records hardly lie equally far from several places")
    }
    self.init(descriptors: descriptors)
  }

  /// The most distances that a query is sorted by: each is measured for every record that those before it leave equal.
  static let mostDistances = 16

  private static func bind(_ key: SortKey, _ recordType: RecordType) throws(ZoneQueryError) -> Descriptor {
    let field: FieldNumber
    if let position = recordType.position(of: key.key) {
      if recordType.fields[position].isEncrypted {
        throw ZoneQueryError(.query, .invalidQuery, "'\(key.key)' is encrypted: the server cannot sort by it")
      }
      field = .position(position)
    } else if let system = SystemField(key: key.key) {
      field = FieldNumber(system)
    } else {
      throw ZoneQueryError(
        .query, .invalidQuery, "Did not find field: '\(SyntaxError.excerpt(key.key))' in type: '\(recordType.name)'",
        hint: Binder.suggestion(for: key.key, in: recordType))
    }
    let type = FieldLayout(recordType: recordType).type(of: field)
    if let origin = key.origin {
      guard type == .location else {
        throw ZoneQueryError(
          .query, .invalidQuery, "'\(key.key)' is \(type); a sort by distance needs a LOCATION field")
      }
      if let fault = origin.fault { throw ZoneQueryError(.query, .invalidQuery, "Sort by distance: \(fault)") }
      return Descriptor(
        field: field, type: .location, isDescending: false,
        origin: GeodesicPoint(latitude: origin.latitude, longitude: origin.longitude))
    }
    guard type.isSortable else {
      throw ZoneQueryError(
        .query, .invalidQuery,
        "'\(key.key)' is \(type), which cannot be sorted by"
          + (type == .location ? " without a relativeLocation" : ""),
        hint: type == .location ? "sort by distance from a place" : nil)
    }
    return Descriptor(field: field, type: type.scalar, isDescending: key.order == .descending, origin: nil)
  }

  /// Whether it is first by the distance of a field from the centre of a circle.
  func measures(_ field: FieldNumber, fromCentreOf circle: CircleTest) -> Bool {
    guard let first = descriptors.first, let origin = first.origin, first.field == field else { return false }
    return origin.latitude == circle.latitude
      && origin.longitude == GeodesicPoint.reducedLongitude(circle.longitude)
  }

  /// The value a row is sorted by.
  func value(_ row: TableRow, _ descriptor: Descriptor) -> SortValue {
    guard row.isPresent(descriptor.field) else { return .missing }
    switch descriptor.type {
    case .int64, .timestamp: return .integer(row.integer(descriptor.field))
    case .double: return .double(row.double(descriptor.field))
    case .location:
      guard let origin = descriptor.origin else { return .missing }
      let (latitude, longitude) = row.degrees(descriptor.field)
      return .double(
        Geodesic.distance(from: origin, to: GeodesicPoint(latitude: latitude, longitude: longitude)))
    default: return row.withBytes(descriptor.field) { .bytes(Array(copying: $0)) }
    }
  }

  func compare(_ left: SortValue, _ right: SortValue, _ descriptor: Descriptor) -> Int {
    switch (left, right) {
    case (.missing, .missing): return 0
    // A missing value comes before all others ascending, after them descending; without a place, last always.
    case (.missing, _): return descriptor.isDescending || descriptor.origin != nil ? 1 : -1
    case (_, .missing): return descriptor.isDescending || descriptor.origin != nil ? -1 : 1
    default:
      let order = left.compare(right)
      return descriptor.isDescending ? -order : order
    }
  }
}

extension [SortKey] {
  /// The keys without those that say once more what one before them said: of a field that was sorted by already under the
  /// same name, whichever way, or of the distance from the same place. Complexity: linear on average.
  var decisive: [SortKey] {
    if count < 2 { return self }
    var fields: Set<ByteKey> = []
    var places: Set<Place> = []
    return filter { key in
      let name = ByteKey(key.key)
      guard let origin = key.origin else { return fields.insert(name).inserted }
      return places.insert(Place(name: name, latitude: origin.latitude, longitude: origin.longitude)).inserted
    }
  }

  private struct Place: Hashable {
    let name: ByteKey
    let latitude: Double
    let longitude: Double
  }
}

/// A value a record is sorted by.
enum SortValue: Sendable, Equatable {
  case missing
  case integer(Int64)
  case double(Double)
  case bytes([UInt8])

  /// Negative, 0 or positive as the value comes before, equals, or comes after another of its kind.
  func compare(_ other: SortValue) -> Int {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.double(let a), .double(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.bytes(let a), .bytes(let b)): a.span.compare(b)
    default: 0
    }
  }
}
