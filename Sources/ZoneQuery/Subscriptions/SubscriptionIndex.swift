internal import Synchronization

/// Standing subscriptions: which of a million predicates a record matches, in microseconds.
///
/// The index stands by itself, for those who keep their records elsewhere; a database uses it for its own. Every
/// subscription is compiled to the same program that queries run; the index chooses for each a value, a prefix, an
/// interval, a circle or a word that few records have, and asks a record's own for the subscriptions that may match.
///
/// ```swift
/// let index = SubscriptionIndex()
/// let type = RecordType("Order", fields: [FieldDefinition("price", .int64), FieldDefinition("city", .string)])
/// let cheap = try index.add(QueryPredicate(format: "city = 'Oslo' AND price < 100"), for: type)
/// var order = Record(recordType: "Order", recordName: "1")
/// order["city"] = "Oslo"
/// order["price"] = 90
/// index.matches(created: order)   // [cheap]
/// ```
///
/// What matches never depends on what was chosen. The choice rests on a sample of the records that came: it is made anew
/// after 64 records and 1,024, and then whenever the sample has come to look different, which is asked after four times
/// as many again; a few subscriptions move with each record, the more the longer matching takes.
/// ``learn(from:recordType:)`` chooses anew at once.
///
/// Any thread may call any method; calls that concern one index take turns.
public final class SubscriptionIndex: Sendable {
  /// What names a subscription in the index it was added to; in another index it names none.
  public struct Handle: Sendable, Hashable {
    let owner: UInt32
    let table: UInt32
    let value: UInt64

    /// A small number that no other subscription to the same record type has at the same time: a place in an array of
    /// whatever belongs to the subscription.
    public var index: Int { Int(value >> 32) }
  }

  /// The kinds of changes a subscription hears of.
  public typealias Events = QuerySubscription.Events

  /// What the update of a record means to subscriptions, each list in an order that depends on the index alone.
  public struct Changes: Sendable, Hashable {
    /// Those that it matches now and did not before.
    public var entered: [Handle]
    /// Those that it matched before and still does.
    public var stayed: [Handle]
    /// Those that it matched before and does not any more, of those that hear of leaving.
    public var left: [Handle]
  }

  /// A predicate compiled for a record type, ready to be added as often as wanted.
  ///
  /// Where the index knew the type, and no constant is long, it has chosen what to wait under by what the index knew of
  /// records; otherwise, and where the index has learnt more since, it chooses when it is added.
  public struct Prepared: Sendable {
    let addition: SubscriptionTable.Addition

    var recordType: RecordType { addition.recordType }
  }

  private let state: Locked<TableList>
  /// Tells its handles from those of other indexes.
  private let number: UInt32
  private static let lastNumber = Atomic<UInt32>(0)
  private let options: PredicateOptions

  /// Creates an index without subscriptions.
  ///
  /// - Parameter options: Dialect and switches of the predicates.
  public convenience init(options: PredicateOptions = PredicateOptions()) { self.init(options: options, seed: nil) }

  /// One whose tables hash by a seed, so that a test can be run again as it was; by seeds of their own where it is nil.
  package init(options: PredicateOptions = PredicateOptions(), seed: UInt64?) {
    self.options = options
    number = SubscriptionIndex.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    state = Locked(TableList(seed: seed))
  }

  // MARK: Subscribing

  /// Adds a predicate.
  ///
  /// - Parameters:
  ///   - predicate: What records must satisfy.
  ///   - recordType: Their type. All subscriptions to a type share its fields; a later call may name it with more.
  ///   - events: The changes to hear of.
  ///   - zone: The zone the records must lie in; nil for any.
  ///   - parameters: The values of `$name` parameters.
  ///   - now: The moment `now()` stands for; the system's time where nil.
  /// - Returns: What names the subscription from now on.
  /// - Throws: `invalidPredicate` with the first twenty faults' places; `limitExceeded` where the index holds more than it can;
  ///   `invalidSchema` where it knows a type of the same name with other fields; `invalidSubscription` where it names no
  ///   kind of change.
  ///
  /// Complexity: linear in the predicate, which is compiled; ``prepare(_:for:events:zone:parameters:now:)`` takes that
  /// part of the work apart.
  public func add(
    _ predicate: QueryPredicate, for recordType: RecordType, events: Events = .all, zone: ZoneID? = nil,
    parameters: [String: any PredicateArgument] = [:], now: Timestamp? = nil
  ) throws(ZoneQueryError) -> Handle {
    try add(prepare(predicate, for: recordType, events: events, zone: zone, parameters: parameters, now: now))
  }

  /// Adds a query subscription's predicate, events and zone; its name and what it shows are the caller's to keep.
  ///
  /// - Throws: as ``add(_:for:events:zone:parameters:now:)``, and `invalidSubscription` where it is to records of another type.
  public func add(
    _ subscription: QuerySubscription, for recordType: RecordType, now: Timestamp? = nil
  ) throws(ZoneQueryError) -> Handle {
    if !sameBytes(subscription.recordType, recordType.name) {
      throw ZoneQueryError(
        .database, .invalidSubscription,
        "The subscription is to '\(SyntaxError.excerpt(subscription.recordType))', not to "
          + "'\(SyntaxError.excerpt(recordType.name))'",
        hint: "give the record type that it names")
    }
    return try add(
      subscription.predicate, for: recordType, events: subscription.firesOn, zone: subscription.zoneID, now: now)
  }

  /// Compiles a predicate, to be added later, and mostly chooses what it waits under: see ``Prepared``.
  ///
  /// - Throws: `invalidPredicate` with the first twenty faults' places; `invalidSubscription` where it names no kind of change.
  public func prepare(
    _ predicate: QueryPredicate, for recordType: RecordType, events: Events = .all, zone: ZoneID? = nil,
    parameters: [String: any PredicateArgument] = [:], now: Timestamp? = nil
  ) throws(ZoneQueryError) -> Prepared {
    if events.isDisjoint(with: .all) {
      throw ZoneQueryError(
        .database, .invalidSubscription, "The subscription fires on nothing",
        hint: "name at least one kind of change in events")
    }
    let values = [ByteKey: ArgumentValue](parameters: parameters)
    let bound = try Binder.bind(
      predicate, scope: .recordType(recordType), options: options, now: now ?? Database.systemClock(),
      parameters: values)
    let planner = state.withLock { tables in
      tables.number(named: recordType.name).flatMap { tables[$0].table.planner(for: recordType) }
    }
    return Prepared(
      addition: SubscriptionTable.Addition(
        bound, of: recordType, events: events.rawValue, zone: zone, planner: planner))
  }

  /// Adds what was prepared. Complexity: amortised linear in the program and the values it asks for.
  ///
  /// - Throws: `limitExceeded` where the index holds more than it can: 16 gigabytes; `invalidSchema` where it knows a type
  ///   of the same name with other fields.
  public func add(_ prepared: Prepared) throws(ZoneQueryError) -> Handle {
    let (isLike, handle) = state.withLock { tables -> (Bool, Handle?) in
      guard let number = tables.number(for: prepared.recordType) else { return (false, nil) }
      let value = tables[number].table.add(prepared.addition)
      return (true, value.map { self.handle($0, ofTable: number) })
    }
    if !isLike {
      throw ZoneQueryError(
        .schema, .invalidSchema,
        "The index knows a type '\(prepared.recordType.name)' with other fields, or with its fields in another order",
        hint: "A type may only get more fields, behind those it has; use an index for each schema.")
    }
    guard let handle else {
      throw ZoneQueryError(.database, .limitExceeded, "The index holds more subscriptions than it can")
    }
    return handle
  }

  /// Removes a subscription. Returns whether it was there: false for a handle of another index.
  ///
  /// Complexity: amortised linear in the values it asks for.
  @discardableResult
  public func remove(_ handle: Handle) -> Bool {
    if handle.owner != number { return false }
    return state.withLock { tables in
      Int(handle.table) < tables.count && tables[Int(handle.table)].table.remove(handle.value)
    }
  }

  /// The number of subscriptions.
  public var count: Int { state.withLock { tables in (0..<tables.count).reduce(0) { $0 + tables[$1].table.count } } }

  /// Takes records as a sample of those to come, and plans all subscriptions to their type by it, at once; does nothing
  /// where the index knows a type of this name with other fields. The records are read under the index's lock: what they
  /// do when they are read must not ask the index.
  ///
  /// Complexity: linear in the records and the type's subscriptions.
  public func learn(from records: some Sequence<some KeyedFields>, recordType: RecordType) {
    state.withLock { tables in
      guard let number = tables.number(for: recordType) else { return }
      tables[number].table.learn(from: records)
    }
  }

  /// Whether subscriptions to a type wait for records to learn from, and are not so many that it would take long.
  func wantsSample(of recordType: String) -> Bool {
    state.withLock { tables in tables.number(named: recordType).map { tables[$0].table.wantsSample } ?? true }
  }

  // MARK: Matching

  /// The subscriptions that the creation of a record concerns.
  public func matches(created record: Record) -> [Handle] {
    matches(created: record, recordType: record.recordType, zone: record.zoneID)
  }

  /// The subscriptions that the creation of something with fields concerns. Its fields are read under the index's lock:
  /// what it does when it is asked for one must not ask the index.
  ///
  /// Complexity: linear in the fields, and about in what may match: see the type's description.
  public func matches(created value: some KeyedFields, recordType: String, zone: ZoneID? = nil) -> [Handle] {
    handles(created: KeyedSource(value), recordType, zone)
  }

  func handles(created record: some RecordSource, _ recordType: String, _ zone: ZoneID?) -> [Handle] {
    withTable(recordType) { table, number in
      table.encodeAfter(record)
      return handles(
        table.matches(.after, event: SubscriptionTable.Event.creation, zone: table.zoneNumber(zone)), number)
    } ?? []
  }

  /// What ``matches(created:)`` gives, by asking every subscription in turn: a measure to hold the index against.
  ///
  /// Complexity: linear in the subscriptions to the type.
  public func matchesByScanning(created record: Record) -> [Handle] {
    withTable(record.recordType) { table, number in
      table.encodeAfter(KeyedSource(record))
      let zone = table.zoneNumber(record.zoneID)
      let found = table.scan(.after, event: SubscriptionTable.Event.creation, zone: zone)
      return handles(found.sorted(), number)
    } ?? []
  }

  /// The bytes that the subscriptions to a type take: their programs and the index, the rare constants apart that are
  /// kept as they were compiled.
  public func memorySize(ofRecordType recordType: String) -> Int {
    withTable(recordType) { table, _ in table.reservedBytes } ?? 0
  }

  /// The subscriptions that the deletion of a record concerns: those that it matched.
  public func matches(deleted record: Record) -> [Handle] {
    matches(deleted: record, recordType: record.recordType, zone: record.zoneID)
  }

  /// The subscriptions that the deletion of something with fields concerns.
  public func matches(deleted value: some KeyedFields, recordType: String, zone: ZoneID? = nil) -> [Handle] {
    handles(deleted: KeyedSource(value), recordType, zone)
  }

  func handles(deleted record: some RecordSource, _ recordType: String, _ zone: ZoneID?) -> [Handle] {
    withTable(recordType) { table, number in
      table.encodeBefore(record)
      return handles(
        table.matches(.before, event: SubscriptionTable.Event.deletion, zone: table.zoneNumber(zone)), number)
    } ?? []
  }

  /// What the update of a record means to subscriptions.
  public func matches(updated before: Record, to after: Record) -> Changes {
    matches(updated: before, to: after, recordType: after.recordType, zone: after.zoneID)
  }

  /// What the update of something with fields means to subscriptions.
  ///
  /// Complexity: that of one match, and of another where some subscription to the type hears of leaving.
  public func matches(
    updated before: some KeyedFields, to after: some KeyedFields, recordType: String, zone: ZoneID? = nil
  ) -> Changes {
    changes(from: KeyedSource(before), to: KeyedSource(after), recordType, zone)
  }

  func changes(
    from before: some RecordSource, to after: some RecordSource, _ recordType: String, _ zone: ZoneID?
  ) -> Changes {
    withTable(recordType) { table, number in
      table.encodeAfter(after)
      table.encodeBefore(before)
      let changes = table.changes(zone: table.zoneNumber(zone))
      return Changes(
        entered: handles(changes.entered, number),
        stayed: handles(changes.stayed, number),
        left: handles(changes.left, number))
    } ?? Changes(entered: [], stayed: [], left: [])
  }

  private func handles(_ values: [UInt64], _ table: Int) -> [Handle] {
    values.map { handle($0, ofTable: table) }
  }

  /// The handle of this index that has such a value in one of its tables.
  func handle(_ value: UInt64, ofTable table: Int) -> Handle {
    Handle(owner: number, table: UInt32(truncatingIfNeeded: table), value: value)
  }

  private func withTable<Result: Sendable>(
    _ recordType: String, _ body: (inout SubscriptionTable, Int) -> Result
  ) -> Result? {
    withBox(recordType) { box, number in body(&box.table, number) }
  }

  /// Where the table of a record type lies, if any subscribe to it.
  private func withBox<Result: Sendable>(
    _ recordType: String, _ body: (SubscriptionTableBox, Int) -> Result
  ) -> Result? {
    state.withLock { tables in
      guard let number = tables.number(named: recordType), tables[number].table.count > 0 else { return nil }
      return body(tables[number], number)
    }
  }

  /// The table of a record type, for tests and measurements.
  package func withTable<Result: Sendable>(named recordType: String, _ body: (SubscriptionTableView) -> Result)
    -> Result?
  {
    withBox(recordType) { box, _ in body(SubscriptionTableView(box: box)) }
  }
}

/// The tables of an index, by record type.
///
/// Sendable, though its tables are objects that change: it lies in the index's lock, and neither it nor a table is kept by
/// what is done under it.
struct TableList: @unchecked Sendable {
  private var tables: [SubscriptionTableBox] = []
  private var numbers: [ByteKey: Int] = [:]
  private let seed: UInt64?

  init(seed: UInt64?) { self.seed = seed }

  var count: Int { tables.count }
  subscript(number: Int) -> SubscriptionTableBox { tables[number] }
  func number(named name: String) -> Int? { numbers[ByteKey(name)] }

  /// The table of a record type; nil where there is one of a type of this name with other fields.
  mutating func number(for recordType: RecordType) -> Int? {
    if let number = numbers[ByteKey(recordType.name)] {
      guard tables[number].table.isLike(recordType) else { return nil }
      tables[number].table.define(recordType)
      return number
    }
    numbers[ByteKey(recordType.name)] = tables.count
    let seed = seed ?? UInt64.random(in: .min ... .max)
    tables.append(SubscriptionTableBox(SubscriptionTable(recordType, seed: seed)))
    return tables.count - 1
  }
}

/// Where a table lies: nobody copies it.
final class SubscriptionTableBox {
  var table: SubscriptionTable

  init(_ table: consuming SubscriptionTable) { self.table = table }
}
