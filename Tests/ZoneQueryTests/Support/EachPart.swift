import Testing

/// Expects of a value that it equals itself, with the same hash, and none of those that differ from it in one part.
func expectEachPartCounts<Value: Hashable>(
  _ value: Value, _ changes: [(inout Value) -> Void], sourceLocation: SourceLocation = #_sourceLocation
) {
  let copy = value
  #expect(value == copy && value.hashValue == copy.hashValue, sourceLocation: sourceLocation)
  for (place, change) in changes.enumerated() {
    var other = value
    change(&other)
    #expect(value != other && other != value, "change \(place)", sourceLocation: sourceLocation)
    #expect(other == other, "change \(place)", sourceLocation: sourceLocation)
  }
}
