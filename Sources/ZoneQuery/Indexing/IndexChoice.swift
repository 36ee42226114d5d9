/// Which indexes a database has beside, or without, those of its schema.
struct IndexChoice: Sendable {
  /// An index that was added or dropped.
  private struct Item: Equatable {
    var definition: IndexDefinition
    /// Whether it is that of the words, whose name a field may have too.
    var isOfWords: Bool

    /// What it is on in a record type; nil where there can be no such index.
    func shape(_ layout: FieldLayout) -> IndexShape? {
      isOfWords ? IndexShape(tokensOf: layout) : try? IndexShape.make(definition, layout)
    }
  }

  private var added: [Item] = []
  private var dropped: [Item] = []
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

  /// The indexes of a record type: the schema's, then those added.
  func shapes(_ layout: FieldLayout) -> [IndexShape] {
    let type = layout.recordType.name
    var shapes = IndexShape.all(of: layout)
    for item in dropped where sameBytes(item.definition.recordType, type) {
      if let gone = item.shape(layout) { shapes.removeAll { $0.isSameIndex(as: gone) } }
    }
    for item in added where sameBytes(item.definition.recordType, type) {
      // One that does not fit was refused when it was added.
      if let shape = item.shape(layout) { shapes.append(shape) }
    }
    return shapes
  }

  /// Adds an index that the type does not have; false where it has it.
  ///
  /// - Throws: `invalidSchema` where there can be no such index.
  mutating func add(_ definition: IndexDefinition, _ layout: FieldLayout) throws(ZoneQueryError) -> Bool {
    let shapes = shapes(layout)
    let named = try IndexShape.named(definition, layout)
    guard let shape = named.first(where: { one in !shapes.contains { $0.isSameIndex(as: one) } }) else { return false }
    known = Locked([:])
    if let position = dropped.firstIndex(where: { isItem($0, shape, layout) }) {
      dropped.remove(at: position)
    } else {
      added.append(Item(definition: definition, isOfWords: shape.kind == .tokens))
    }
    return true
  }

  /// Drops an index that the type has; false where it has none.
  mutating func drop(_ definition: IndexDefinition, _ layout: FieldLayout) -> Bool {
    let shapes = shapes(layout)
    let named = (try? IndexShape.named(definition, layout)) ?? []
    guard let shape = named.first(where: { one in shapes.contains { $0.isSameIndex(as: one) } }) else { return false }
    known = Locked([:])
    if let position = added.firstIndex(where: { isItem($0, shape, layout) }) {
      added.remove(at: position)
    } else {
      dropped.append(Item(definition: definition, isOfWords: shape.kind == .tokens))
    }
    return true
  }

  private func isItem(_ item: Item, _ shape: IndexShape, _ layout: FieldLayout) -> Bool {
    sameBytes(item.definition.recordType, layout.recordType.name) && item.shape(layout)?.isSameIndex(as: shape) == true
  }
}

extension IndexChoice: Equatable {
  static func == (left: IndexChoice, right: IndexChoice) -> Bool {
    left.added == right.added && left.dropped == right.dropped
  }
}
