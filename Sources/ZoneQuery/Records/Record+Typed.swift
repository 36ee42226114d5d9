// Values under the type that is expected of them: each is nil where the record lacks the field, or has a value of another
// type. Of a record that a database returned nothing but that value is made. Those that are asked for most find it there by
// the words of the name, and leave whatever is not found so to a function that knows all ways: it is called behind
// everything else, so that nothing has to be kept for it.

extension Record {
  /// The text of a STRING field.
  ///
  /// ```swift
  /// record["title"] = "Maps of the sea"
  /// record.string("title")      // "Maps of the sea"
  /// record.int64("title")       // nil
  /// ```
  ///
  /// - Returns: Nil where the record lacks the field, or its value is of another type.
  ///
  /// Complexity: as that of asking for the value.
  public func string(_ name: String) -> String? {
    guard let index = content.index(name, .string) else { return anyString(name) }
    return content.block.string(content.start, index)
  }

  @inline(never)
  private func anyString(_ name: String) -> String? {
    if case .string(let value)? = self[name] { value } else { nil }
  }

  /// The number of an INT64 field.
  public func int64(_ name: String) -> Int64? {
    guard let index = content.index(name, .int64) else { return anyInt64(name) }
    return content.block.int64(content.start, index)
  }

  @inline(never)
  private func anyInt64(_ name: String) -> Int64? {
    if case .int64(let value)? = self[name] { value } else { nil }
  }

  /// Whether the number of an INT64 field is another than 0, as a Boolean is stored.
  public func bool(_ name: String) -> Bool? { int64(name).map { $0 != 0 } }

  /// The number of a DOUBLE field.
  public func double(_ name: String) -> Double? {
    guard let index = content.index(name, .double) else { return anyDouble(name) }
    return content.block.double(content.start, index)
  }

  @inline(never)
  private func anyDouble(_ name: String) -> Double? {
    if case .double(let value)? = self[name] { value } else { nil }
  }

  /// The moment of a TIMESTAMP field.
  public func timestamp(_ name: String) -> Timestamp? {
    guard let index = content.index(name, .timestamp) else { return anyTimestamp(name) }
    return content.block.timestamp(content.start, index)
  }

  @inline(never)
  private func anyTimestamp(_ name: String) -> Timestamp? {
    if case .timestamp(let value)? = self[name] { value } else { nil }
  }

  /// The bytes of a BYTES field.
  public func bytes(_ name: String) -> [UInt8]? {
    if case .bytes(let value)? = self[name] { value } else { nil }
  }

  /// The place of a LOCATION field.
  public func location(_ name: String) -> Location? {
    guard let index = content.index(name, .location) else { return anyLocation(name) }
    return content.block.location(content.start, index)
  }

  @inline(never)
  private func anyLocation(_ name: String) -> Location? {
    if case .location(let value)? = self[name] { value } else { nil }
  }

  /// The reference of a REFERENCE field.
  public func reference(_ name: String) -> Reference? {
    if case .reference(let value)? = self[name] { value } else { nil }
  }

  /// The description of an ASSET field.
  public func asset(_ name: String) -> Asset? {
    if case .asset(let value)? = self[name] { value } else { nil }
  }

  /// The texts of a LIST of STRING.
  public func stringList(_ name: String) -> [String]? {
    guard let index = content.index(name, .list(.string)) else { return anyStringList(name) }
    return content.block.stringList(content.start, index)
  }

  @inline(never)
  private func anyStringList(_ name: String) -> [String]? {
    if case .stringList(let value)? = self[name] { value } else { nil }
  }

  /// The numbers of a LIST of INT64.
  public func int64List(_ name: String) -> [Int64]? {
    if case .int64List(let value)? = self[name] { value } else { nil }
  }

  /// The numbers of a LIST of DOUBLE.
  public func doubleList(_ name: String) -> [Double]? {
    if case .doubleList(let value)? = self[name] { value } else { nil }
  }

  /// The members of a LIST of BYTES.
  public func bytesList(_ name: String) -> [[UInt8]]? {
    if case .bytesList(let value)? = self[name] { value } else { nil }
  }

  /// The moments of a LIST of TIMESTAMP.
  public func timestampList(_ name: String) -> [Timestamp]? {
    if case .timestampList(let value)? = self[name] { value } else { nil }
  }

  /// The places of a LIST of LOCATION.
  public func locationList(_ name: String) -> [Location]? {
    if case .locationList(let value)? = self[name] { value } else { nil }
  }

  /// The references of a LIST of REFERENCE.
  public func referenceList(_ name: String) -> [Reference]? {
    if case .referenceList(let value)? = self[name] { value } else { nil }
  }

  /// The descriptions of a LIST of ASSET.
  public func assetList(_ name: String) -> [Asset]? {
    if case .assetList(let value)? = self[name] { value } else { nil }
  }
}
