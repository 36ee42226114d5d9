public import FoundationEssentials

extension Date: RecordValue, RecordListMember {
  /// A TIMESTAMP: ``Timestamp/init(_:)``.
  public var fieldValue: FieldValue { .timestamp(Timestamp(self)) }
  /// A LIST of TIMESTAMP.
  public static func fieldValue(of members: [Date]) -> FieldValue { .timestampList(members.map(Timestamp.init)) }
}

extension Data: RecordValue, RecordListMember {
  /// BYTES.
  public var fieldValue: FieldValue { .bytes(Array(self)) }
  /// A LIST of BYTES.
  public static func fieldValue(of members: [Data]) -> FieldValue { .bytesList(members.map { Array($0) }) }
}
