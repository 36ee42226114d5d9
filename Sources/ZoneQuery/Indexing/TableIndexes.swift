/// The indexes of a table: those its schema gives it, then those added.
struct TableIndexes: Sendable {
  private(set) var all: [TableIndex] = []
  /// The number of the index on a field alone, by field; -1 where there is none.
  private var single: [Int16] = []
  /// The number of the index of words.
  private(set) var tokens: Int?

  /// Empty indexes.
  init(_ shapes: [IndexShape], _ layout: FieldLayout) {
    single = Array(repeating: -1, count: layout.count)
    for shape in shapes { append(TableIndex(shape), layout) }
  }

  var isEmpty: Bool { all.isEmpty }

  /// Adds an index behind the others.
  mutating func append(_ index: TableIndex, _ layout: FieldLayout) {
    while single.count < layout.count { single.append(-1) }
    if index.shape.kind == .tokens {
      tokens = all.count
    } else if !index.shape.isCompound {
      single[index.shape.field] = Int16(truncatingIfNeeded: all.count)
    }
    all.append(index)
  }

  /// Takes out the index at a position.
  mutating func remove(at position: Int, _ layout: FieldLayout) {
    var rest = all
    rest.remove(at: position)
    self = TableIndexes([], layout)
    for index in rest { append(index, layout) }
  }

  /// The index on a field alone.
  func number(of field: FieldNumber) -> Int? {
    guard field < single.count, single[field] >= 0 else { return nil }
    return Int(single[field])
  }

  /// The index on a field alone, if it is of a kind.
  func number(of field: FieldNumber, _ kind: IndexShape.Kind) -> Int? {
    number(of: field).flatMap { all[$0].shape.kind == kind ? $0 : nil }
  }

  /// The position of the index of a name.
  func position(named name: String) -> Int? { all.firstIndex { sameBytes($0.shape.name, name) } }

  subscript(number: Int) -> TableIndex {
    @inline(__always) _read { yield all[number] }
    _modify { yield &all[number] }
  }

  var indices: Range<Int> { all.indices }
}
