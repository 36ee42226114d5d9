import PredicateSyntax

/// A word of the schema language. Letter case does not matter where the word is expected; where a name is expected,
/// the word in capitals is reserved and must be quoted, and any other spelling is a name.
enum SchemaWord: String, Sendable, CaseIterable {
  case define = "DEFINE"
  case schema = "SCHEMA"
  case create = "CREATE"
  case role = "ROLE"
  case record = "RECORD"
  case type = "TYPE"
  case grant = "GRANT"
  case read = "READ"
  case write = "WRITE"
  case to = "TO"
  case queryable = "QUERYABLE"
  case sortable = "SORTABLE"
  case searchable = "SEARCHABLE"
  case list = "LIST"
  case encrypted = "ENCRYPTED"
  case number = "NUMBER"
  case preferred = "PREFERRED"
  case asWord = "AS"
  case asset = "ASSET"
  case bytes = "BYTES"
  case double = "DOUBLE"
  case int64 = "INT64"
  case location = "LOCATION"
  case reference = "REFERENCE"
  case string = "STRING"
  case timestamp = "TIMESTAMP"

  private static let spellings = allCases.map { (word: $0, bytes: Array($0.rawValue.utf8)) }

  /// The word that bytes spell in any letter case.
  init?(_ bytes: ArraySlice<UInt8>) {
    for (word, spelling) in Self.spellings where Self.matches(spelling, bytes) {
      self = word
      return
    }
    return nil
  }

  private static func matches(_ spelling: [UInt8], _ bytes: ArraySlice<UInt8>) -> Bool {
    guard spelling.count == bytes.count else { return false }
    var index = 0
    while index < spelling.count {
      if spelling[index] != uppercase(bytes[bytes.startIndex + index]) { return false }
      index += 1
    }
    return true
  }

  private static func uppercase(_ byte: UInt8) -> UInt8 { byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte }

  /// The type the word names, if it names one.
  var scalar: FieldType.Scalar? { FieldType.Scalar(rawValue: rawValue) }

  /// Whether a field's type can begin with the word.
  var beginsType: Bool { scalar != nil || self == .list || self == .encrypted || self == .number }

  /// The index the word asks for, if it is one of these words.
  var index: IndexKinds? {
    switch self {
    case .queryable: .queryable
    case .sortable: .sortable
    case .searchable: .searchable
    default: nil
    }
  }

  /// The right the word grants, if it is one of these words.
  var permission: RecordType.Grant.Permission? { RecordType.Grant.Permission(rawValue: rawValue) }
}

extension SchemaWord {
  /// The spelling among `candidates` that a misspelled word most likely meant: at most a third of its letters differ,
  /// whatever their case. Words longer than any candidate could be are not looked at.
  static func nearest(to bytes: ArraySlice<UInt8>, among candidates: [String]) -> String? {
    guard bytes.count <= 32 else { return nil }
    let word = bytes.map(uppercase)
    let spellings = candidates.lazy.map { (name: $0, bytes: $0.utf8.map(uppercase)) }
    return EditDistance.nearest(to: word, among: spellings, most: max(1, word.count / 3))?.name
  }

  /// What a type of another language is called here.
  static func typeMeant(by bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count <= 32 else { return nil }
    switch String(decoding: bytes.map(uppercase), as: UTF8.self) {
    case "TEXT", "VARCHAR", "CHAR", "UUID", "URL", "NSSTRING": return "STRING"
    case "INT", "INTEGER", "LONG", "BIGINT", "INT32", "INT16", "UINT64", "BOOL", "BOOLEAN": return "INT64"
    case "FLOAT", "REAL", "DECIMAL", "NUMERIC": return "DOUBLE"
    case "DATE", "DATETIME", "TIME": return "TIMESTAMP"
    case "DATA", "BLOB", "BINARY", "BYTE": return "BYTES"
    case "FILE", "ASSETID", "CKASSET": return "ASSET"
    case "GEOPOINT", "POINT", "CLLOCATION": return "LOCATION"
    case "CKREFERENCE", "REF": return "REFERENCE"
    case "ARRAY", "SET": return "LIST<…>"
    default:
      let types = FieldType.Scalar.allCases
      let list = types.first { matches(Array("\($0.rawValue)_LIST".utf8), bytes) }
      if let list { return "LIST<\(list.rawValue)>" }
      return nearest(to: bytes, among: types.map(\.rawValue) + ["LIST", "NUMBER", "ENCRYPTED"])
    }
  }
}
