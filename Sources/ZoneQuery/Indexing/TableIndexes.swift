/// The indexes of a table: those its schema gives it, then those added.
struct TableIndexes: Sendable {
  private(set) var all: [TableIndex] = []
  private var directory: Directory

  /// What they are on, which they refer to without counting: it only changes where one comes or goes.
  private final class Directory: Sendable {
    let shapes: [IndexShape]
    /// The number of the index on a field alone, by field; -1 where there is none.
    let single: [Int16]
    /// The number of the index of words.
    let tokens: Int?

    init(_ shapes: [IndexShape], _ layout: FieldLayout) {
      self.shapes = shapes
      tokens = shapes.firstIndex { $0.kind == .tokens }
      var single: [Int16] = Array(repeating: -1, count: layout.count)
      for (number, shape) in shapes.enumerated() where shape.kind != .tokens && !shape.isCompound {
        single[shape.field] = Int16(truncatingIfNeeded: number)
      }
      self.single = single
    }
  }

  /// Empty indexes.
  init(_ shapes: [IndexShape], _ layout: FieldLayout) {
    directory = Directory(shapes, layout)
    all = shapes.map { TableIndex($0) }
  }

  var isEmpty: Bool { all.isEmpty }

  /// The number of the index of words.
  var tokens: Int? { directory.tokens }

  /// Adds an index behind the others, with the entries that `fill` gives it.
  mutating func append(_ shape: IndexShape, _ layout: FieldLayout, fill: (inout TableIndex) -> Void) {
    directory = Directory(directory.shapes + [shape], layout)
    var index = TableIndex(shape)
    fill(&index)
    all.append(index)
  }

  /// Puts another shape in place of that of an index, whose entries stay.
  mutating func replaceShape(at position: Int, by shape: IndexShape, _ layout: FieldLayout) {
    var shapes = directory.shapes
    shapes[position] = shape
    directory = Directory(shapes, layout)
    all[position].shape = shape
  }

  /// Takes out the index at a position.
  mutating func remove(at position: Int, _ layout: FieldLayout) {
    var shapes = directory.shapes
    shapes.remove(at: position)
    all.remove(at: position)
    directory = Directory(shapes, layout)
  }

  /// The index on a field alone.
  func number(of field: FieldNumber) -> Int? {
    guard field < directory.single.count, directory.single[field] >= 0 else { return nil }
    return Int(directory.single[field])
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
