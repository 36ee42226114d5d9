/// Anything that can tell the value of a field by its key: a record, a dictionary, the metadata of a file.
///
/// ```swift
/// struct FileMetadata: KeyedFields {
///   var name: String
///   var size: Int64
///
///   func fieldValue(forKey key: String) -> FieldValue? {
///     switch key {
///     case "name": .string(name)
///     case "size": .int64(size)
///     default: nil
///     }
///   }
/// }
///
/// let matcher = try Matcher(QueryPredicate(format: "name BEGINSWITH 'IMG' AND #size > 1000"))   // size is a reserved word
/// try matcher.matches(FileMetadata(name: "IMG_0001.jpg", size: 48_213))   // true
/// ```
public protocol KeyedFields {
  /// The value under a key; nil where there is none.
  func fieldValue(forKey key: String) -> FieldValue?

  /// The keys of the texts whose words a token search sees, where no record type says which they are: with one, they are
  /// its SEARCHABLE fields.
  var searchableKeys: [String] { get }
}

extension KeyedFields {
  /// None.
  public var searchableKeys: [String] { [] }
}

extension Record: KeyedFields {
  /// The value of a field, or of a system field under one of its keys.
  public func fieldValue(forKey key: String) -> FieldValue? {
    self[key] ?? SystemField(key: key).flatMap(systemValue)
  }

  /// The names of all fields that hold a text or a list of texts.
  public var searchableKeys: [String] {
    fields.filter { $0.value.type.scalar == .string }.map(\.name)
  }
}

extension Dictionary: KeyedFields where Key == String, Value == FieldValue {
  /// The value under a key; none for a key longer than a field's name can be, since hashing a long one may take
  /// quadratic time.
  public func fieldValue(forKey key: String) -> FieldValue? { key.utf8.count <= 255 ? self[key] : nil }

  /// The keys of all texts and lists of texts.
  public var searchableKeys: [String] {
    filter { $0.value.type.scalar == .string }.map(\.key).sorted()
  }
}
