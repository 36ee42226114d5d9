/// What the reader of schema text accepts: its limits, and what it does with an index that could serve nothing.
///
/// ```swift
/// var options = SchemaTextOptions()
/// options.uselessIndexes = .dropped
/// let schema = try Schema(ckdb: exported, options: options)
/// ```
public struct SchemaTextOptions: Sendable, Hashable {
  /// What becomes of an index on a field whose type it cannot serve, such as `SORTABLE` on `BYTES`.
  public enum UselessIndexes: Sendable, Hashable, CaseIterable {
    /// It is an error.
    case refused
    /// It is left out of the schema. Schemas that CloudKit made from Core Data models hold such indexes.
    case dropped
  }

  /// The longest text, in UTF-8 bytes.
  public var textLength = 4 << 20
  /// How many record types a schema may have.
  public var recordTypes = 4_096
  /// How many roles a schema may create.
  public var roles = 4_096
  /// How many fields a type may have, system fields apart. CloudKit has this limit.
  public var fieldsPerType = 256
  /// How many grants a type may have.
  public var grantsPerType = 4_096
  /// The longest name of a type, a field or a role, in UTF-8 bytes.
  public var identifierLength = 255
  /// What becomes of an index on a field whose type it cannot serve.
  public var uselessIndexes = UselessIndexes.refused

  /// The defaults.
  public init() {}
}
