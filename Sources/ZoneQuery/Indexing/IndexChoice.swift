/// Which indexes a database has beside, or without, those of its schema.
struct IndexChoice: Sendable, Equatable {
  private(set) var added: [IndexDefinition] = []
  private(set) var dropped: [IndexDefinition] = []

  /// The indexes of a record type.
  func shapes(_ layout: FieldLayout) -> [IndexShape] {
    let type = layout.recordType.name
    var shapes = IndexShape.all(of: layout)
    for definition in dropped where sameBytes(definition.recordType, type) {
      shapes.removeAll { sameBytes($0.name, definition.name) }
    }
    for definition in added where sameBytes(definition.recordType, type) {
      // One that does not fit was refused when it was added.
      if let shape = try? IndexShape.make(definition, layout) { shapes.append(shape) }
    }
    return shapes
  }

  /// Adds an index that the type does not have; false where it has it.
  mutating func add(_ definition: IndexDefinition, _ layout: FieldLayout) -> Bool {
    if shapes(layout).contains(where: { sameBytes($0.name, definition.name) }) { return false }
    if let position = dropped.firstIndex(of: definition) {
      dropped.remove(at: position)
    } else {
      added.append(definition)
    }
    return true
  }

  /// Drops an index that the type has; false where it has none.
  mutating func drop(_ definition: IndexDefinition, _ layout: FieldLayout) -> Bool {
    guard shapes(layout).contains(where: { sameBytes($0.name, definition.name) }) else { return false }
    if let position = added.firstIndex(of: definition) {
      added.remove(at: position)
    } else {
      dropped.append(definition)
    }
    return true
  }
}
