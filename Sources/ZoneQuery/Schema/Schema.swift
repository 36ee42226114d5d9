/// The record types of a container, with their fields and indexes.
///
/// ```swift
/// let schema = try Schema(ckdb: """
///   DEFINE SCHEMA
///     RECORD TYPE Event (
///       "___recordID" REFERENCE QUERYABLE,
///       name STRING QUERYABLE SORTABLE SEARCHABLE,
///       start TIMESTAMP QUERYABLE SORTABLE
///     );
///   """)
/// schema["Event"]?.field("start")?.type   // TIMESTAMP
/// ```
public struct Schema: Sendable, Hashable {
  /// The record types, in the order they were defined.
  public private(set) var recordTypes: [RecordType] = []
  /// The security roles created beside those that exist always (`_creator`, `_world`, `_icloud`).
  public var roles: [String] = []
  private var positions: [ByteKey: Int] = [:]

  /// Creates a schema without record types.
  public init() {}

  /// Creates a schema of record types; of two with one name the later counts.
  public init(_ recordTypes: [RecordType]) {
    for type in recordTypes { self[type.name] = type }
  }

  /// The record type of a name. Setting one defines it or redefines it in place, under its own name whatever `name`
  /// is; setting nil removes it.
  /// Complexity: constant on average, linear in the number of types for a removal.
  public subscript(name: String) -> RecordType? {
    get { positions[ByteKey(name)].map { recordTypes[$0] } }
    set {
      if let newValue, !sameBytes(newValue.name, name) {
        self[newValue.name] = newValue
        return
      }
      let key = ByteKey(name)
      switch (positions[key], newValue) {
      case (let position?, let type?): recordTypes[position] = type
      case (nil, let type?):
        positions[key] = recordTypes.count
        recordTypes.append(type)
      case (let position?, nil):
        recordTypes.remove(at: position)
        positions = [:]
        for (index, type) in recordTypes.enumerated() { positions[ByteKey(type.name)] = index }
      case (nil, nil): break
      }
    }
  }

  /// Whether types (in any order) and roles are the same.
  public static func == (left: Schema, right: Schema) -> Bool {
    left.recordTypes.count == right.recordTypes.count && left.roles.elementsEqual(right.roles, by: sameBytes)
      && left.recordTypes.allSatisfy { right[$0.name] == $0 }
  }

  /// Feeds the number of types and roles.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(recordTypes.count)
    hasher.combine(roles.count)
  }
}
