/// A record as the generator makes it, before any engine has its own form of it.
struct Event: Sendable, Equatable {
  /// What is generated for a record beside its text, and cheap to make again.
  struct Keys: Sendable, Equatable {
    var nameRank: Int
    var city: Int
    /// Milliseconds since 1970; unique.
    var start: Int64
  }

  var recordName: String
  var name: String
  var city: String
  /// Milliseconds since 1970; unique.
  var start: Int64
  var attendees: Int64
  /// Unique.
  var price: Double
  /// Unique.
  var rating: Double
  var tags: [String]
  var place: Place
  var title: String
  var body: String
  var owner: String

  /// What stands between the tags where they are written as one text.
  static let tagSeparator: UInt8 = 0x1F
  /// The moment all records were created and changed, in milliseconds since 1970.
  static let savedAt: Int64 = 1_735_689_600_000
  /// The user who did so.
  static let savedBy = "_benchmark"
}
