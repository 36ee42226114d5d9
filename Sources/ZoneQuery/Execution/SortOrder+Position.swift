extension SortOrder {
  /// Whether a place has values of the types that the descriptors sort by.
  func fits(_ position: SortPosition) -> Bool {
    guard position.values.count == descriptors.count else { return false }
    return zip(position.values, descriptors).allSatisfy { value, descriptor in
      switch (value, descriptor.type) {
      case (.missing, _), (.integer, .int64), (.integer, .timestamp), (.double, .double), (.double, .location),
        (.bytes, .string), (.bytes, .reference):
        true
      default: false
      }
    }
  }
}
