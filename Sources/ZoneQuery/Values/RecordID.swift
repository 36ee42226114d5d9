/// The ID of a record zone: its name and the user who owns it.
public struct ZoneID: Sendable, Hashable, CustomStringConvertible {
  /// What an ID consists of.
  private final class Names: Sendable {
    let zoneName: String
    let ownerName: String

    init(_ zoneName: String, _ ownerName: String) { (self.zoneName, self.ownerName) = (zoneName, ownerName) }
  }

  /// Nil for the current user's default zone. IDs of records are copied often: so this part of theirs counts one reference
  /// at most, and of most records none.
  private let names: Names?

  /// The zone's name: at most 255 ASCII characters, no leading underscore but in the default zone's, and no
  /// slash.
  public var zoneName: String { names?.zoneName ?? ZoneID.defaultZoneName }
  /// The record name of the user who owns the zone.
  public var ownerName: String { names?.ownerName ?? ZoneID.currentUserName }

  /// The name that stands for the current user, CloudKit's `CKCurrentUserDefaultName`.
  public static let currentUserName = "__defaultOwner__"
  /// The name of the default zone.
  public static let defaultZoneName = "_defaultZone"
  /// The default zone of the current user.
  public static var `default`: ZoneID { ZoneID(nil) }

  private init(_ names: Names?) { self.names = names }

  /// Creates the ID of a zone, the current user's where no owner is given.
  public init(zoneName: String, ownerName: String = ZoneID.currentUserName) {
    let isDefault = sameBytes(zoneName, ZoneID.defaultZoneName) && sameBytes(ownerName, ZoneID.currentUserName)
    self.init(isDefault ? nil : Names(zoneName, ownerName))
  }

  /// Whether this is the current user's default zone.
  public var isDefault: Bool { names == nil }

  /// Whether name and owner are the same bytes.
  public static func == (left: ZoneID, right: ZoneID) -> Bool {
    if left.names === right.names { return true }
    guard let left = left.names, let right = right.names else { return false }
    return sameBytes(left.zoneName, right.zoneName) && sameBytes(left.ownerName, right.ownerName)
  }

  /// Feeds name and owner by their bytes; of the default zone that it is this.
  public func hash(into hasher: inout Hasher) {
    guard let names else { return hasher.combine(0 as UInt8) }
    hashBytes(names.zoneName, into: &hasher)
    hashBytes(names.ownerName, into: &hasher)
  }

  /// The name, with the owner before it where that is not the current user.
  public var description: String {
    sameBytes(ownerName, ZoneID.currentUserName) ? zoneName : "\(ownerName)/\(zoneName)"
  }
}

/// The ID of a record: its name, unique in its zone, and the zone.
public struct RecordID: Sendable, Hashable, CustomStringConvertible {
  /// The record's name: at most 255 ASCII characters, no leading underscore but in those that a server gives, as a user's.
  public let recordName: String
  /// The zone the record lives in.
  public let zoneID: ZoneID

  /// Creates the ID of a record, in the default zone where none is given.
  public init(recordName: String, zoneID: ZoneID = .default) {
    self.recordName = recordName
    self.zoneID = zoneID
  }

  /// Whether name and zone are the same bytes.
  public static func == (left: RecordID, right: RecordID) -> Bool {
    sameBytes(left.recordName, right.recordName) && left.zoneID == right.zoneID
  }

  /// Feeds the name and the zone by their bytes.
  public func hash(into hasher: inout Hasher) {
    hashBytes(recordName, into: &hasher)
    hasher.combine(zoneID)
  }

  /// The name, with the zone before it where that is not the default one.
  public var description: String { zoneID.isDefault ? recordName : "\(zoneID)/\(recordName)" }
}

/// A field's pointer to another record of the same zone.
public struct Reference: Sendable, Hashable, CustomStringConvertible {
  /// What happens to the record that holds the reference when the one it points to is deleted.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// Nothing; the reference may dangle.
    case none = "NONE"
    /// It is deleted too. The reference may be saved before the record it points to: a parent alone has to be there, as
    /// CloudKit has it (CKModifyRecordsOperation). A database takes at most 750 of them to one record, by default.
    case deleteSelf = "DELETE_SELF"
    /// Nothing; but the record pointed to has to be there when the one that holds the reference is saved, or is saved with it,
    /// as a parent has to. CloudKit Web Services has the word, in answers too, and says no more: what it means is **ours**.
    case validate = "VALIDATE"
  }

  /// The record pointed to.
  public var recordID: RecordID
  /// What happens when that record is deleted.
  public var action: Action

  /// Creates a reference.
  public init(_ recordID: RecordID, action: Action = .none) {
    self.recordID = recordID
    self.action = action
  }

  /// The ID of the record pointed to.
  public var description: String { recordID.description }
}

/// The description of a file kept elsewhere, as CloudKit Web Services gives it. The engine stores and returns it;
/// no predicate and no sort can use it.
public struct Asset: Sendable, Hashable {
  /// The signature of the file's content.
  public var fileChecksum: String
  /// The size of the file, in bytes; a negative one is refused where a record is saved.
  public var size: Int64
  /// Where the file can be fetched from.
  public var downloadURL: String?
  /// The signature of the reference of the uploaded file.
  public var referenceChecksum: String?
  /// The key that encrypts the file.
  public var wrappingKey: String?
  /// The receipt of the upload.
  public var receipt: String?

  /// Creates the description of a file.
  public init(fileChecksum: String, size: Int64, downloadURL: String? = nil) {
    self.fileChecksum = fileChecksum
    self.size = size
    self.downloadURL = downloadURL
  }

  /// Why no file is so, if none is.
  var fault: String? { size < 0 ? "a file has no fewer than 0 bytes; this one has \(size)" : nil }

  /// Whether all parts are the same bytes.
  public static func == (left: Asset, right: Asset) -> Bool {
    left.size == right.size && sameBytes(left.fileChecksum, right.fileChecksum)
      && sameBytes(left.downloadURL, right.downloadURL)
      && sameBytes(left.referenceChecksum, right.referenceChecksum)
      && sameBytes(left.wrappingKey, right.wrappingKey) && sameBytes(left.receipt, right.receipt)
  }

  /// Feeds the checksum and the size.
  public func hash(into hasher: inout Hasher) {
    hashBytes(fileChecksum, into: &hasher)
    hasher.combine(size)
  }
}

extension RecordID: PredicateArgument {
  /// The reference literal of the ID.
  public var predicateArgument: ArgumentValue {
    .literal(
      .reference(
        recordName: recordName,
        zoneName: zoneID.isDefault ? nil : zoneID.zoneName,
        ownerName: sameBytes(zoneID.ownerName, ZoneID.currentUserName) ? nil : zoneID.ownerName))
  }

  /// The ID that a reference literal names.
  init(recordName: String, zoneName: String?, ownerName: String?) {
    let zone = ZoneID(
      zoneName: zoneName ?? ZoneID.defaultZoneName, ownerName: ownerName ?? ZoneID.currentUserName)
    self.init(recordName: recordName, zoneID: zone)
  }
}

extension Reference: PredicateArgument {
  /// The reference literal of the record's ID; the action plays no part in comparisons.
  public var predicateArgument: ArgumentValue { recordID.predicateArgument }
}
