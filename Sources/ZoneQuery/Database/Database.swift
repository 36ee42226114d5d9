internal import Synchronization

/// A database of record zones in memory: saves, fetches, deletes and queries records as a CloudKit database does.
///
/// ```swift
/// let database = try Database(schema: Schema(ckdb: text))
/// let saved = try database.save(records)
/// let query = Query(recordType: "Event", predicate: try QueryPredicate(format: "city = %@", "Seoul"),
///                   sort: [.descending("start")])
/// let page = try database.records(matching: query, resultsLimit: 50)
/// ```
///
/// Any number of threads may use one database. A reader works on the zone as of the last commit and never waits for a
/// writer; each zone has one writer at a time; a commit is seen whole or not at all.
///
/// Differs from `CKDatabase`: calls are synchronous, and what fails throws a ``ZoneQueryError`` where it happens.
public final class Database: Sendable {
  /// The settings it was made with; of one that ``acting(as:)`` gave, with that user.
  public let configuration: Configuration
  /// Whether saving defines the schema.
  public let environment: Environment
  /// The user who saves, and whose subscriptions are meant.
  let user: RecordID
  /// The record name of the user whom its zones belong to.
  let zoneOwnerName: String
  /// What cursors are marked with.
  let cursorKey: SipHash.Key
  /// Tells the database from every other, in another process too.
  let epoch: UInt64
  /// The subscriptions, and the order of commits.
  let standing: StandingSubscriptions
  /// What was asked before.
  let repeated: RepeatedQueries
  /// What was prepared.
  let prepared: PreparedQueries
  private let catalogue: Locked<Catalogue>
  private let versions: Versions
  /// Held by saves in development, which may change the schema.
  private let schemaWriter: Locked<Void>

  /// How often zones and schema changed; it goes with the last who has the database.
  private final class Versions: Sendable {
    let zones = Atomic<Int>(0)
    let schema = Atomic<Int>(0)
    private let standing: StandingSubscriptions

    init(_ standing: StandingSubscriptions) { self.standing = standing }

    /// Ends the sequences of notifications, which do not keep the database.
    deinit { standing.end() }
  }

  private struct Catalogue: Sendable {
    var schema: Schema
    var zones: [ZoneID: Zone] = [:]
    /// The one of the zones that was asked for last.
    var last: Zone?
    /// The zones by name and owner; nil until somebody asks.
    var sorted: [Zone]?
    var indexes = IndexChoice()
    /// Grows with every zone that is made and with every one that is entered later: no two zones get one number.
    var generation: Int64 = 0
    /// What the zones keep for later commits, in all.
    let reusable = ReusableMemory()
    /// How many deleted records a custom zone remembers.
    let rememberedDeletions: Int

    /// The zone of an ID, which most often is that of the last call.
    mutating func zone(_ id: ZoneID) -> Zone? {
      if let last, last.id == id { return last }
      guard let zone = zones[id] else { return nil }
      last = zone
      return zone
    }

    /// Takes a zone out, which publishes nothing any more.
    mutating func remove(_ id: ZoneID) -> Zone? {
      guard let zone = zones.removeValue(forKey: id) else { return nil }
      last = nil
      sorted = nil
      zone.markDeleted()
      return zone
    }

    /// Makes an empty zone.
    mutating func makeZone(_ id: ZoneID) -> Zone {
      generation += 1
      return Zone(
        id, generation: generation, indexes: indexes, rememberedDeletions: id.isDefault ? nil : rememberedDeletions,
        reusable)
    }
  }

  /// Creates an empty database.
  ///
  /// - Parameters:
  ///   - schema: The record types. Without one the database learns them from what is saved: it is in development, unless the
  ///     configuration says production, where nothing is learned and no record can be saved.
  ///   - configuration: The settings.
  /// - Throws: `invalidSchema` where a type has more fields than the limit, or a name that cannot be a type's or a field's;
  ///   `invalidConfiguration` where the cursors' key has not 16 bytes, the user's name is none or a limit is negative.
  public init(schema: Schema? = nil, configuration: Configuration = Configuration()) throws(ZoneQueryError) {
    self.configuration = configuration
    user = RecordID(recordName: configuration.userRecordName)
    epoch = .random(in: .min ... .max)
    repeated = RepeatedQueries()
    prepared = PreparedQueries()
    schemaWriter = Locked(())
    if let bytes = configuration.cursorKey {
      guard let key = SipHash.Key(bytes) else {
        throw ZoneQueryError(
          .database, .invalidConfiguration,
          "The cursors' key has \(bytes.count) byte\(bytes.count == 1 ? "" : "s"); it needs \(SipHash.Key.length)")
      }
      cursorKey = key
    } else {
      cursorKey = .random()
    }
    if let (name, limit) = configuration.limits.negative {
      throw ZoneQueryError(
        .database, .invalidConfiguration, "Limits.\(name) is \(limit); a limit is 0 or more",
        hint: name == "subscriptions" ? "Int.max sets no limit" : nil)
    }
    if let duration = configuration.limits.queryDuration, duration < .zero {
      throw ZoneQueryError(
        .database, .invalidConfiguration, "Limits.queryDuration is \(duration); a limit is 0 or more",
        hint: "nil sets no limit")
    }
    try Database.checkUser(configuration)
    zoneOwnerName = configuration.userRecordName
    environment = configuration.environment ?? (schema == nil ? .development : .production)
    var catalogue = Catalogue(
      schema: schema ?? Schema(), rememberedDeletions: configuration.limits.rememberedDeletions)
    for type in catalogue.schema.recordTypes { try Database.check(type, configuration.limits) }
    if configuration.scope != .shared { catalogue.zones[.default] = Zone(.default, catalogue.reusable) }
    self.catalogue = Locked(catalogue)
    standing = StandingSubscriptions(configuration)
    versions = Versions(standing)
  }

  private init(_ database: Database, _ configuration: Configuration) {
    self.configuration = configuration
    user = RecordID(recordName: configuration.userRecordName)
    environment = database.environment
    zoneOwnerName = database.zoneOwnerName
    cursorKey = database.cursorKey
    epoch = database.epoch
    standing = database.standing
    repeated = database.repeated
    prepared = database.prepared
    catalogue = database.catalogue
    versions = database.versions
    schemaWriter = database.schemaWriter
  }

  /// The same database in the hands of another user: for servers, where many users write to one public database, or to a
  /// zone that somebody shares with them.
  ///
  /// Zones, records, indexes and schema, cursors, change tokens and what was prepared are the same, whoever asks. A user's own
  /// are the records they create and modify, which say so (`creatorUserRecordID`, `lastModifiedUserRecordID`), and their
  /// subscriptions, as in CloudKit: their IDs are looked for among that user's alone, two users may subscribe to the same,
  /// and each hears of their own, where notifications are not asked for of all users.
  ///
  /// ```swift
  /// let alice = try database.acting(as: "_alice")
  /// try alice.save(Record(recordType: "Note", recordName: "n")).creatorUserRecordID?.recordName   // "_alice"
  /// try database.count(matching: Query(recordType: "Note", predicate: QueryPredicate(
  ///   format: "creatorUserRecordID = %@", RecordID(recordName: "_alice"))))                         // 1
  /// ```
  ///
  /// Nothing is translated: a user's own name is stored and found as it was given here, not as `__defaultOwner__`; and the
  /// zones of a private database stay those of the user it was made for. Who may do what is for the caller to decide.
  ///
  /// - Parameter userRecordName: The user's record name, taken as ``Configuration/userRecordName`` is.
  /// - Returns: The database, which is kept by each that there is of it. Complexity: constant.
  /// - Throws: `invalidConfiguration` where a user cannot be named so.
  public func acting(as userRecordName: String) throws(ZoneQueryError) -> Database {
    var configuration = configuration
    configuration.userRecordName = userRecordName
    try Database.checkUser(configuration)
    return Database(self, configuration)
  }

  private static func checkUser(_ configuration: Configuration) throws(ZoneQueryError) {
    let limit = configuration.limits.nameLength
    if let fault = RecordID.nameFault(configuration.userRecordName, limit: limit, mayBeServerGiven: true) {
      throw ZoneQueryError(.database, .invalidConfiguration, "The user cannot be named so: \(fault)")
    }
  }

  /// The record types as they are now.
  public var schema: Schema { catalogue.withLock { $0.schema } }

  private static func check(_ type: RecordType, _ limits: Limits) throws(ZoneQueryError) {
    if type.fields.count > limits.mostFields {
      throw ZoneQueryError(
        .schema, .invalidSchema,
        "Type '\(type.name)' has \(type.fields.count) fields; a type has at most \(limits.mostFields)")
    }
    if type.name.utf8.isEmpty { throw ZoneQueryError(.schema, .invalidSchema, "A record type has no name") }
    if let fault = typeNameFault(type.name, limit: limits.nameLength) {
      throw ZoneQueryError(.schema, .invalidSchema, fault)
    }
    for field in type.fields {
      if let fault = FieldDefinition.nameFault(field.name) {
        throw ZoneQueryError(.schema, .invalidSchema, "Type '\(type.name)': \(fault)")
      }
    }
  }

  // MARK: Zones

  /// The zones, by owner and name.
  public var zoneIDs: [ZoneID] {
    catalogue.withLock { Array($0.zones.keys) }.sorted { $0.precedesByOwner($1) }
  }

  /// Creates an empty zone.
  ///
  /// - Throws: `invalidZone` where the zone exists, it is the default zone, its name cannot be a zone's, or the database has
  ///   no custom zones (public) or none of this owner (private ones are the current user's, shared ones another user's).
  public func createZone(_ id: ZoneID) throws(ZoneQueryError) {
    try telling(DatabaseEvent(.createZone, zoneID: id)) { _ throws(ZoneQueryError) in
      if try !makeZone(id).isNew {
        throw ZoneQueryError(.database, .invalidZone, "The zone '\(id)' exists already")
      }
    }
  }

  /// The zone of an ID, created where there is none.
  ///
  /// - Throws: `invalidZone` as ``createZone(_:)`` does, but for a zone that exists.
  func makeZone(_ id: ZoneID) throws(ZoneQueryError) -> (zone: Zone, isNew: Bool) {
    if id.isDefault {
      throw ZoneQueryError(
        .database, .invalidZone,
        "The default zone is not created: a database has it from the start, but for a shared one, which has none")
    }
    try check(id)
    return catalogue.withLock { catalogue in
      if let zone = catalogue.zones[id] { return (zone, false) }
      let zone = catalogue.makeZone(id)
      enter(zone, in: &catalogue)
      return (zone, true)
    }
  }

  /// A zone may be named so in this database; `recordID` is that of a record in it, for the fault to name.
  private func check(_ id: ZoneID, of recordID: RecordID? = nil) throws(ZoneQueryError) {
    func invalid(_ message: String) -> ZoneQueryError {
      ZoneQueryError(.database, .invalidZone, message, recordID: recordID)
    }
    let name = SyntaxError.excerpt(id.zoneName)
    if let fault = RecordID.nameFault(id.zoneName, limit: configuration.limits.nameLength) {
      throw invalid("The zone '\(name)' cannot be named so: \(fault)")
    }
    if id.zoneName.utf8.contains(UInt8(ascii: "/")) {
      throw invalid("The zone '\(name)' cannot be named so: a zone's name has no slash")
    }
    let isOwn = sameBytes(id.ownerName, ZoneID.currentUserName)
    if sameBytes(id.ownerName, zoneOwnerName), !isOwn, configuration.scope != .public {
      throw invalid(
        "The owner of '\(id.zoneName)' is the database's own user, whose zones are named without the owner or with "
          + "'\(ZoneID.currentUserName)'")
    }
    switch configuration.scope {
    case .public: throw invalid("The public database has its default zone only; '\(id.zoneName)' is another")
    case .private where !isOwn:
      throw invalid(
        "A private database has its own user's zones only; '\(id.zoneName)' is \(SyntaxError.excerpt(id.ownerName))'s")
    case .shared where isOwn:
      throw invalid("A shared database has other users' zones only; '\(id.zoneName)' is its own user's")
    default: break
    }
    // No record of the zone could be told from others.
    if let fault = RecordID(recordName: "x", zoneID: id).encodingFault {
      throw invalid("The zone's owner cannot be named so: \(fault)")
    }
  }

  /// Deletes a zone with all its records. Subscriptions stay, and fire for a zone that is created under the name again.
  ///
  /// Zone and database subscriptions fire, those to a record type where the zone has records of it; query subscriptions do
  /// not, which CloudKit's documentation is silent about: one notification tells of all the records.
  ///
  /// - Throws: `zoneNotFound` where there is no such zone, `invalidZone` for the default zone, which stays.
  public func deleteZone(_ id: ZoneID) throws(ZoneQueryError) {
    try telling(DatabaseEvent(.deleteZone, zoneID: id)) { _ throws(ZoneQueryError) in try delete(id) }
  }

  private func delete(_ id: ZoneID) throws(ZoneQueryError) {
    if id.isDefault { throw ZoneQueryError(.database, .invalidZone, "The default zone cannot be deleted") }
    let found = standing.publishDeletion {
      catalogue.withLock { catalogue in
        guard let zone = catalogue.remove(id) else { return nil }
        standing.changedZones.noteDeletion(of: id)
        versions.zones.add(1, ordering: .releasing)
        return zone
      }
    }
    if !found { throw zoneNotFound(id) }
    repeated.removeAll()
    prepared.letGo()
    standing.deliver()
  }

  /// Creates an empty zone that is none of the database's yet, and the indexes it has.
  ///
  /// - Throws: `invalidZone` as ``createZone(_:)`` does, but for a zone that exists.
  func unlistedZone(
    _ id: ZoneID, of recordID: RecordID? = nil
  ) throws(ZoneQueryError) -> (zone: Zone, indexes: IndexChoice) {
    try check(id, of: recordID)
    return catalogue.withLock { ($0.makeZone(id), $0.indexes) }
  }

  /// Makes a zone with some indexes one of the database's, and what its records defined the schema; false where there is one
  /// of its name, or the indexes are others by now. To be called where commits are published.
  func enter(_ zone: Zone, _ indexes: IndexChoice, _ schema: Schema) -> Bool {
    catalogue.withLock { catalogue in
      guard catalogue.zones[zone.id] == nil, catalogue.indexes == indexes else { return false }
      publish(schema, in: &catalogue)
      catalogue.generation += 1
      enter(zone, in: &catalogue)
      return true
    }
  }

  private func enter(_ zone: Zone, in catalogue: inout Catalogue) {
    catalogue.zones[zone.id] = zone
    standing.changedZones.note(zone, isNew: true)
    versions.zones.add(1, ordering: .releasing)
    catalogue.sorted = nil
  }

  /// The zone of an ID, which a record is looked for in, if one is.
  func zone(_ id: ZoneID, of recordID: RecordID? = nil) throws(ZoneQueryError) -> Zone {
    guard let zone = catalogue.withLock({ $0.zone(id) }) else { throw zoneNotFound(id, recordID: recordID) }
    return zone
  }

  var zones: [Zone] { catalogue.withLock { Array($0.zones.values) } }

  /// The zones, and those of some deletions whose zones are not among them.
  func zones(
    without deletions: [ChangedZones.Deletion]
  ) -> (zones: [Zone], deletions: [ChangedZones.Deletion]) {
    catalogue.withLock { catalogue in
      (Array(catalogue.zones.values), deletions.filter { catalogue.zones[$0.id] == nil })
    }
  }

  /// How long a query may look for its records; for ever where nil.
  var queryDuration: Duration? { configuration.limits.queryDuration }

  /// Changes with every zone that is created or deleted.
  var zonesVersion: Int { versions.zones.load(ordering: .acquiring) }

  /// The zones in an order that depends on their names alone.
  var sortedZones: [Zone] {
    let (known, zones, generation) = catalogue.withLock { catalogue -> ([Zone]?, [Zone], Int64) in
      if let sorted = catalogue.sorted { return (sorted, [], catalogue.generation) }
      return (nil, Array(catalogue.zones.values), catalogue.generation)
    }
    if let known { return known }
    let sorted = zones.sorted { $0.id.compare($1.id) < 0 }
    // One that was created or deleted meanwhile makes this order stale: both count, since one may go as another comes.
    catalogue.withLock {
      if $0.generation == generation, $0.zones.count == sorted.count { $0.sorted = sorted }
    }
    return sorted
  }

  /// Which indexes there are beside those of the schema.
  var indexChoice: IndexChoice { catalogue.withLock { $0.indexes } }

  /// Lets zones that are created from now on have other indexes.
  func publish(_ choice: IndexChoice) { catalogue.withLock { $0.indexes = choice } }

  /// Runs a change of the indexes, one at a time and none beside a change of the schema.
  func withIndexChoice(
    _ body: (inout IndexChoice) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) {
    try schemaWriter.withLock { (_: inout Void) throws(ZoneQueryError) in
      var choice = indexChoice
      try body(&choice)
    }
  }

  func zoneNotFound(_ id: ZoneID, recordID: RecordID? = nil) -> ZoneQueryError {
    let isUsers = sameBytes(id.ownerName, zoneOwnerName) && !sameBytes(id.ownerName, ZoneID.currentUserName)
    return ZoneQueryError(
      .database, .zoneNotFound, "There is no zone '\(SyntaxError.excerpt("\(id)", most: 512))'",
      hint: isUsers ? "the zones of the database's own user are named without the owner" : nil, recordID: recordID)
  }

  /// Runs a save with the schema it may define, which becomes the database's where ``publish(_:)`` is called with it.
  func withSchema<Result>(
    _ body: (inout Schema) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result {
    if environment == .production {
      var schema = schema
      return try body(&schema)
    }
    return try schemaWriter.withLock { (_: inout Void) throws(ZoneQueryError) -> Result in
      var schema = schema
      return try body(&schema)
    }
  }

  /// Makes what a save defined the schema. To be called before its records are published, so that nobody finds values
  /// of fields that there are not yet.
  func publish(_ schema: Schema) {
    if environment == .production { return }
    catalogue.withLock { publish(schema, in: &$0) }
  }

  private func publish(_ schema: Schema, in catalogue: inout Catalogue) {
    let isKnown = schema.recordTypes.span.isIdentical(to: catalogue.schema.recordTypes.span)
    if environment == .production || isKnown { return }
    catalogue.schema = schema
    versions.schema.add(1, ordering: .releasing)
  }

  /// Changes with every type and field that is defined.
  var schemaVersion: Int { versions.schema.load(ordering: .acquiring) }
}

extension FieldDefinition {
  /// Why a name cannot be a field's, if it cannot: a letter, then letters, digits and `_`, and no system field's name.
  static func nameFault(_ name: String) -> String? {
    if name.utf8.count > 255 { return "a field name of \(name.utf8.count) bytes is longer than 255" }
    if !isName(name) {
      return "'\(SyntaxError.excerpt(name))' is no field name: a letter of ASCII, then letters, digits and _"
    }
    if SystemField(key: name) != nil { return "'\(name)' is the name of a system field" }
    return nil
  }

  /// Whether a name is a letter, then letters, digits and `_`, all of ASCII, 255 at most.
  static func isName(_ name: String) -> Bool {
    name.utf8.count <= 255 && withUTF8(of: name) { SchemaReader.isIdentifier($0) }
  }
}
