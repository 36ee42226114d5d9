/// Which indexes a database has beside, or without, those of its schema.
struct IndexChoice: Sendable {
  private(set) var added: [IndexDefinition] = []
  private(set) var dropped: [IndexDefinition] = []
  /// What tables of the record types that were asked for begin with, by the types' names. A changed choice has its own.
  private var known = Locked<[ByteKey: (fields: TableFields, indexes: TableIndexes)]>([:])

  /// The fields of a record type, and its indexes without entries. Tables that begin with them share what they are on.
  func beginning(of recordType: RecordType) -> (fields: TableFields, indexes: TableIndexes) {
    known.withLock { known in
      if let known = known[ByteKey(recordType.name)], known.fields.layout.recordType == recordType { return known }
      // Types that no save that succeeds has stay here too: not too many of them.
      if known.count >= IndexChoice.mostKnown { known = [:] }
      let fields = TableFields(recordType)
      let made = (fields: fields, indexes: TableIndexes(shapes(fields.layout), fields.layout))
      known[ByteKey(recordType.name)] = made
      return made
    }
  }

  private static let mostKnown = 256

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
    known = Locked([:])
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
    known = Locked([:])
    if let position = added.firstIndex(of: definition) {
      added.remove(at: position)
    } else {
      dropped.append(definition)
    }
    return true
  }
}

extension IndexChoice: Equatable {
  static func == (left: IndexChoice, right: IndexChoice) -> Bool {
    left.added == right.added && left.dropped == right.dropped
  }
}
