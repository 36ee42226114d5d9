/// A question to a database: a record type, a predicate, and the order of the answer.
///
/// ```swift
/// let query = Query(
///   recordType: "Event",
///   predicate: try QueryPredicate(format: "city = %@ AND start > %@", "Seoul", date),
///   sort: [.descending("start")])
/// ```
public struct Query: Sendable, Hashable {
  /// The name of the record type.
  public var recordType: String
  /// What the records must satisfy.
  public var predicate: QueryPredicate
  /// The order of the records: each descriptor in turn, then record name, zone name and zone owner. Without any,
  /// the records come in an order of the engine's own. Descriptors of a field that one before them sorts by decide nothing;
  /// at most 16 are by distance.
  public var sort: [SortKey]

  /// Creates a query; without a predicate it asks for all records of the type.
  public init(recordType: String, predicate: QueryPredicate = .true, sort: [SortKey] = []) {
    self.recordType = recordType
    self.predicate = predicate
    self.sort = sort
  }

  /// Whether type, predicate and sort are the same.
  public static func == (left: Query, right: Query) -> Bool {
    sameBytes(left.recordType, right.recordType) && left.predicate == right.predicate && left.sort == right.sort
  }

  /// Feeds type and predicate.
  public func hash(into hasher: inout Hasher) {
    hashBytes(recordType, into: &hasher)
    hasher.combine(predicate)
  }
}

extension Query: CustomStringConvertible {
  /// The query in a line: `Event where city == "Seoul" sorted by start descending`. What is long is cut short.
  public var description: String {
    var text = SyntaxError.excerpt(recordType)
    if predicate != .true { text += " where \(SyntaxError.excerpt("\(predicate)", most: 400))" }
    if !sort.isEmpty { text += " sorted by \(sort.map(\.description).joined(separator: ", "))" }
    return text
  }
}

/// One criterion of a query's order.
public struct SortKey: Sendable, Hashable {
  /// Which way the values run.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// The least value first; records without a value before all others.
    case ascending
    /// The greatest value first; records without a value after all others.
    case descending
  }

  /// The field, a system field under its key included.
  public let key: String
  /// Which way the values run; always ascending for a sort by distance.
  public let order: Order
  /// Where the distance is measured from, for a location field; records without a location come last.
  public let origin: Location?

  /// The least value of `key` first.
  public static func ascending(_ key: String) -> SortKey { SortKey(key: key, order: .ascending, origin: nil) }

  /// The greatest value of `key` first.
  public static func descending(_ key: String) -> SortKey { SortKey(key: key, order: .descending, origin: nil) }

  /// The record nearest to `origin` first, by the location field `key`.
  public static func distance(_ key: String, from origin: Location) -> SortKey {
    SortKey(key: key, order: .ascending, origin: origin)
  }

  /// Whether field, order and origin are the same.
  public static func == (left: SortKey, right: SortKey) -> Bool {
    sameBytes(left.key, right.key) && left.order == right.order && left.origin == right.origin
  }

  /// Feeds the order and the origin.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(order)
    hasher.combine(origin)
  }
}

extension SortKey: CustomStringConvertible {
  /// The field and the order: `start descending`, `place by distance from -18.1348,178.4232`.
  public var description: String {
    "\(SyntaxError.excerpt(key)) \(origin.map { "by distance from \($0)" } ?? order.rawValue)"
  }
}
