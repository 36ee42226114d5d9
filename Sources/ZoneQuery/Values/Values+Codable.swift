// The values that a predicate compares with, as they are encoded: so that `#Predicate` captures them, and programs keep them.
//
// JSON of them is what CloudKit Web Services has for them ("Data Types and Dictionaries"). As there, nothing is checked
// but the form: what names and numbers may be is checked where they enter the engine.

extension ZoneID: Codable {
  private enum Keys: String, CodingKey { case zoneName, ownerRecordName }

  /// Reads a zone's dictionary; without an owner the zone is the current user's.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    self.init(
      zoneName: try container.decode(String.self, forKey: .zoneName),
      ownerName: try container.decodeIfPresent(String.self, forKey: .ownerRecordName) ?? ZoneID.currentUserName)
  }

  /// Encodes the name as `zoneName` and, where that is not the current user, the owner as `ownerRecordName`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(zoneName, forKey: .zoneName)
    if !sameBytes(ownerName, ZoneID.currentUserName) { try container.encode(ownerName, forKey: .ownerRecordName) }
  }
}

extension RecordID: Codable {
  private enum Keys: String, CodingKey { case recordName, zoneID }

  /// Reads a name and a zone, the default one where there is none.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    self.init(
      recordName: try container.decode(String.self, forKey: .recordName),
      zoneID: try container.decodeIfPresent(ZoneID.self, forKey: .zoneID) ?? .default)
  }

  /// Encodes the name as `recordName` and, where that is not the default one, the zone as `zoneID`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(recordName, forKey: .recordName)
    if !zoneID.isDefault { try container.encode(zoneID, forKey: .zoneID) }
  }
}

extension Reference.Action: Codable {}

extension Reference: Codable {
  private enum Keys: String, CodingKey { case action }

  /// Reads a reference's dictionary; without an action there is none.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    self.init(
      try RecordID(from: decoder), action: try container.decodeIfPresent(Action.self, forKey: .action) ?? .none)
  }

  /// Encodes the ID as it encodes itself, and the action beside it as `action`.
  public func encode(to encoder: any Encoder) throws {
    try recordID.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(action, forKey: .action)
  }
}

extension Timestamp: Codable {
  /// Reads a number of milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// - Throws: `DecodingError` where it is no whole number.
  public init(from decoder: any Decoder) throws {
    self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Encodes the number of milliseconds since 1970-01-01T00:00:00Z.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }
}

extension Location: Codable {
  private enum Keys: String, CodingKey { case latitude, longitude }

  /// Reads a location's dictionary, of which latitude and longitude must be there.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    self.init(
      latitude: try container.decode(Double.self, forKey: .latitude),
      longitude: try container.decode(Double.self, forKey: .longitude), details: try Details(from: decoder))
  }

  /// Encodes latitude and longitude, and beside them what is known of the details.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(latitude, forKey: .latitude)
    try container.encode(longitude, forKey: .longitude)
    try details.encode(to: encoder)
  }
}
