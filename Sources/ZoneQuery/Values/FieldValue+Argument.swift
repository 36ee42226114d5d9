extension FieldValue: PredicateArgument {
  /// The value as a constant, or as a list of constants. Bytes and assets are unsupported, as no predicate compares them.
  ///
  /// ```swift
  /// let alike = try QueryPredicate(format: "city = %@", record["city"])
  /// let built = Field("city") == record["city"]
  /// ```
  public var predicateArgument: ArgumentValue {
    switch self {
    case .string(let value): value.predicateArgument
    case .int64(let value): value.predicateArgument
    case .double(let value): value.predicateArgument
    case .timestamp(let value): value.predicateArgument
    case .location(let value): value.predicateArgument
    case .reference(let value): value.predicateArgument
    case .stringList(let values): values.predicateArgument
    case .int64List(let values): values.predicateArgument
    case .doubleList(let values): values.predicateArgument
    case .timestampList(let values): values.predicateArgument
    case .locationList(let values): values.predicateArgument
    case .referenceList(let values): values.predicateArgument
    case .bytes, .bytesList: .unsupported("bytes cannot be compared")
    case .asset, .assetList: .unsupported("assets cannot be compared")
    }
  }
}
