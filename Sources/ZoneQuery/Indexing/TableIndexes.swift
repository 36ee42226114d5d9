// An unsafe leaf: holds what its indexes are on, which they refer to without counting.
//
// Invariant: the shape of each index is the one at its position in the directory, and its entries are of the shape's kind.

/// The indexes of a table: those its schema gives it, then those added.
struct TableIndexes: Sendable {
  private(set) var all: [TableIndex]
  /// What they are on: another where one has come or gone since.
  private(set) var directory: Directory

  /// What the indexes of a table are on.
  final class Directory: Sendable {
    let shapes: [IndexShape]
    /// The number of the index on a field alone, by field; -1 where there is none.
    let single: [Int16]
    /// The number of the index of words.
    let tokens: Int?
    /// The numbers of the ordered ones, and of those of postings.
    let (ordered, ofPostings): ([Int], [Int])

    init(_ shapes: [IndexShape], _ layout: FieldLayout) {
      self.shapes = shapes
      tokens = shapes.firstIndex { $0.kind == .tokens }
      ordered = shapes.indices.filter { !shapes[$0].kind.isOfPostings }
      ofPostings = shapes.indices.filter { shapes[$0].kind.isOfPostings }
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
    all = shapes.map { unsafe TableIndex($0) }
  }

  /// What they are on.
  var shapes: [IndexShape] { directory.shapes }

  /// The number of the index of words.
  var tokens: Int? { directory.tokens }

  /// The numbers of the ordered ones.
  var ordered: [Int] { directory.ordered }

  /// The numbers of those whose entries are the slots that have a term.
  var ofPostings: [Int] { directory.ofPostings }

  /// Brings them to the shapes wanted: those that are among these keep their entries, others are no more, and behind them
  /// come new ones, which `fill` gives their entries.
  mutating func choose(_ wanted: [IndexShape], _ layout: FieldLayout, fill: (inout TableIndex) -> Void) {
    var (kept, indexes): ([IndexShape], [TableIndex]) = ([], [])
    for number in all.indices {
      guard let shape = wanted.first(where: { $0.isSameIndex(as: shapes[number]) }) else { continue }
      kept.append(shape)
      indexes.append(all[number])
      unsafe indexes[indexes.count - 1].refer(to: shape)
    }
    for shape in wanted where !shapes.contains(where: { $0.isSameIndex(as: shape) }) {
      var index = unsafe TableIndex(shape)
      fill(&index)
      kept.append(shape)
      indexes.append(index)
    }
    directory = Directory(kept, layout)
    all = indexes
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

  /// The position of the ordered index of a name.
  func position(ofOrdered name: String) -> Int? {
    directory.ordered.first { sameBytes(shapes[$0].name, name) }
  }

  subscript(number: Int) -> TableIndex {
    @inline(__always) _read { yield all[number] }
    _modify { yield &all[number] }
  }

  var indices: Range<Int> { all.indices }

  /// What is wrong with what they are on, nil where nothing is.
  var fault: String? {
    let areHeld = all.count == shapes.count && all.indices.allSatisfy { all[$0].shape === shapes[$0] }
    if !areHeld { return "an index is on what its table does not hold" }
    for number in all.indices where all[number].holdsPostings != shapes[number].kind.isOfPostings {
      return "the index \(shapes[number].name) has entries of another kind"
    }
    return nil
  }
}
