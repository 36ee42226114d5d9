extension Database {
  /// Which of a container's databases is meant.
  public enum Scope: String, Sendable, Hashable, CaseIterable {
    /// One for all users; it has the default zone only.
    case `public`
    /// One a user, with the default zone and custom zones.
    case `private`
    /// The zones that other users share with this one; every query names one of them.
    case shared
  }

  /// Whether saving defines the schema.
  public enum Environment: String, Sendable, Hashable, CaseIterable {
    /// Saving a record of an unknown type, or with an unknown field, defines it, with every index it can have; a
    /// field's type is then fixed.
    case development
    /// Unknown types and fields are refused.
    case production
  }

  /// Which record wins where the stored one may be newer than the saved one.
  ///
  /// A record that was fetched with some of its fields only keeps, under every policy but `replace`, the stored values
  /// of the others. A field that was set to nil goes under each policy, and so does the parent.
  public enum SavePolicy: String, Sendable, Hashable, CaseIterable {
    /// The stored one: saving fails with `serverRecordChanged` unless the saved record carries its change tag.
    case ifServerRecordUnchanged
    /// The saved one's changes: the fields, and the parent, that are not as they were when a database gave it, those set to
    /// nil included; of a record that no database gave, all it has. Everything else stays as it is stored, whoever wrote it.
    /// A field that was set to the value it had is no change (with `CKRecord` it is one). Where nothing is stored any more,
    /// a record is created of what the saved one has, as by `forceUpdate` of CloudKit Web Services: of one that was fetched
    /// in part, that part alone.
    case changedKeys
    /// All that the saved one has: each of its fields, changed or not. What only the stored record has stays, as CloudKit
    /// says of `CKRecordSaveAllKeys`: fields that somebody else added, or that were not fetched.
    case allKeys
    /// The saved one, whole: what only the stored record has goes, its parent and share too, as by `forceReplace` of CloudKit
    /// Web Services.
    case replace
  }

  /// The most of everything, never less than nothing; CloudKit's documented limits are the defaults.
  public struct Limits: Sendable, Hashable {
    /// The size of a record without its assets, in bytes; 1 GiB at most, whatever is set.
    public var recordSize = 1_000_000
    /// The length of a record's or a zone's name, in ASCII characters.
    public var nameLength = 255
    /// The number of fields of a record type, system fields apart; 4,096 at most, whatever is set.
    public var fieldsPerType = 256
    /// The number of records in one save, fetch or deletion; `load` is not bound by it.
    public var itemsPerOperation = 400
    /// The number of records, zones or operations in one request of CloudKit Web Services; a query that asks for more
    /// records gets so many, and a marker to go on from.
    public var itemsPerRequest = 200
    /// The number of `.deleteSelf` references to one record.
    public var cascadingReferences = 750
    /// The number of subscriptions of a database, those of all users together; CloudKit documents no limit.
    public var subscriptions = Int.max
    /// How long a query may look for its records; for ever where nil.
    ///
    /// A query, a page and a count that do not end in time throw ``ZoneQueryError/Code/limitExceeded``, with none of the records
    /// read. The clock is looked at between some hundred rows, between a few where texts are searched, and at the end; what is
    /// done with the records found is not counted. Live queries, deletions of what matches and explanations take the time that
    /// they need. A time that few queries take is right for a server that answers predicates of its users: a thousand conditions
    /// joined by OR, each on a text that no index helps with, take their time over each record. Beyond CloudKit, which ends
    /// requests by times of its own.
    public var queryDuration: Duration?
    /// The number of deleted records that a custom zone remembers for those who fetch its changes. Of more than that the
    /// oldest are forgotten, and change tokens from before them have expired. Each takes some 60 bytes and its name. As many
    /// deleted zones a database remembers, some hundreds of bytes each.
    public var rememberedDeletions = 100_000

    /// The defaults.
    public init() {}

    /// The number of fields of a record type. So many hold less than 4 GiB in 256 records' texts of at most 2 KiB, which
    /// lie together.
    var mostFields: Int { min(fieldsPerType, 4_096) }

    /// The first that is negative.
    var negative: (name: String, limit: Int)? {
      let all = [
        ("recordSize", recordSize), ("nameLength", nameLength), ("fieldsPerType", fieldsPerType),
        ("itemsPerOperation", itemsPerOperation), ("itemsPerRequest", itemsPerRequest),
        ("cascadingReferences", cascadingReferences), ("subscriptions", subscriptions),
        ("rememberedDeletions", rememberedDeletions),
      ]
      return all.first { $0.1 < 0 }
    }
  }

  /// What becomes of a query that the schema's indexes do not serve.
  public enum IndexPolicy: String, Sendable, Hashable, CaseIterable {
    /// It is answered by looking at every record of its type.
    case scanAllowed
    /// It is refused with CloudKit's own errors, so that a test finds the index that production would miss. Only the
    /// schema's marks count: an index of ``Database/addIndex(_:)`` answers queries faster, and none that they lack a mark for.
    case required
  }

  /// The settings of a database.
  public struct Configuration: Sendable {
    /// Which of the container's databases it is.
    public var scope: Scope = .private
    /// Whether saving defines the schema; where nil, a database that is given a schema is in production and one that
    /// is not in development.
    public var environment: Environment?
    /// The switches of predicates.
    public var predicateOptions = PredicateOptions()
    /// The most of everything.
    public var limits = Limits()
    /// The record name of the user who saves; ``Database/acting(as:)`` gives the database to others.
    public var userRecordName = ZoneID.currentUserName
    /// What becomes of a query that the schema's indexes do not serve.
    public var indexPolicy: IndexPolicy = .scanAllowed
    /// The 16 bytes that cursors and change tokens are marked with, so that no one else can make one; drawn by chance where
    /// nil. Databases with one key take each other's cursors, and a server that keeps its key takes those of sorted queries
    /// after a restart (of change tokens of the process before it says that they have expired, and not that they are none).
    public var cursorKey: [UInt8]?
    /// Tells the time of saves and of `now()`. It is called while a save has its zone to itself: it must not call the same
    /// database.
    public var clock: @Sendable () -> Timestamp
    /// Who is told what the database does; nobody where nil.
    public var instrumentation: Instrumentation?

    /// Creates the default settings: a private database, CloudKit's dialect, the system's clock.
    public init() {
      clock = Database.systemClock
    }
  }
}
