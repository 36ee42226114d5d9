extension SortOrder {
  /// Whether a place has values of the types that the descriptors sort by.
  func fits(_ position: SortPosition) -> Bool {
    guard position.types == types, position.values.count == types.count else { return false }
    return zip(position.values, types).allSatisfy { value, type in
      switch (value, type) {
      case (.missing, _), (.integer, .int64), (.integer, .timestamp), (.double, .double), (.double, .location),
        (.bytes, .string), (.bytes, .reference):
        true
      default: false
      }
    }
  }
}
