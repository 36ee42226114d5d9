// An unsafe leaf: a program run over 256 rows at once, which lie in chunks that stay while the caller holds the version.
//
// Each instruction gets the set of rows that come to it and passes on those it answers with true and with false. Since
// a jump never goes back, one pass over the instructions brings every row to its end, and a conjunct of one instruction,
// the common case, needs no sets at all but the rows that are left. What a kernel can answer for all rows of a column is
// left to it where many rows ask; everything else is asked row by row, of the rows that came so far and no others. So
// each row gets the answers that `matches` gives it, in an order in which nothing can be told apart.
//
// 256 rows and not more: they are the storage's groups and their bits fit four words, and a program of one range takes
// no longer, as far as can be measured, than its kernel alone: larger calls have nothing to save.

extension Program {
  /// With fewer rows than this a column is not gone through for them: a kernel takes 64 rows for the time of some four
  /// rows asked one by one, and rows that are left over are spread over all four words.
  static var leastRowsForKernel: Int { 24 }

  /// The greatest set that is gone through value by value for every row.
  static var greatestSetForKernel: Int { 8 }

  /// The rows among the candidates for which the predicate holds.
  func mask<Block: RowBlock>(_ block: Block, _ candidates: SIMD4<UInt64>) -> SIMD4<UInt64> {
    mask(block, candidates, conjuncts: order)
  }

  /// The rows among the candidates that pass the conjuncts of these numbers, tried in this order.
  func mask<Block: RowBlock>(
    _ block: Block, _ candidates: SIMD4<UInt64>, conjuncts numbers: [Int]
  ) -> SIMD4<UInt64> {
    var rows = candidates
    var index = 0
    while index < numbers.count, !rows.isEmptySet {
      rows = passing(conjuncts[numbers[index]], block, rows)
      index += 1
    }
    return rows
  }

  /// The same within a time: of conditions that may take long with one row few rows are asked at once, and none once it is
  /// over.
  func mask<Block: RowBlock>(
    _ block: Block, _ candidates: SIMD4<UInt64>, conjuncts numbers: [Int], within limit: inout TimeLimit
  ) -> SIMD4<UInt64> {
    if !limit.isSet { return mask(block, candidates, conjuncts: numbers) }
    var rows = candidates
    for number in numbers where !rows.isEmptySet {
      rows =
        mayTakeLong(conjuncts[number])
        ? passing(conjuncts[number], block, rows, within: &limit) : passing(conjuncts[number], block, rows)
    }
    return rows
  }

  private func passing<Block: RowBlock>(
    _ conjunct: Conjunct, _ block: Block, _ rows: SIMD4<UInt64>, within limit: inout TimeLimit
  ) -> SIMD4<UInt64> {
    var passed = SIMD4<UInt64>()
    for word in 0..<rows.scalarCount {
      for first in stride(from: 0, to: 64, by: TimeLimit.rows) {
        let some = rows[word] & ~(~0 << UInt64(TimeLimit.rows)) << UInt64(first)
        if some == 0 { continue }
        if limit.check() { return SIMD4() }
        var part = SIMD4<UInt64>()
        part[word] = some
        passed |= passing(conjunct, block, part)
      }
    }
    return passed
  }

  /// Whether one row may take a conjunct more than some hundred nanoseconds: by its texts, by its lists, or by what is computed
  /// of it.
  private func mayTakeLong(_ conjunct: Conjunct) -> Bool {
    instructions[Int(conjunct.start)..<Int(conjunct.end)].contains { instruction in
      if instruction.subject != .value { return true }
      return switch instruction.operation {
      case .text: !texts[Int(instruction.constant)].isQuick
      case .textSet: !textSets[Int(instruction.constant)].folding.isEmpty
      case .textRange: !textRanges[Int(instruction.constant)].folding.isEmpty
      case .tokens, .computed: true
      default: false
      }
    }
  }

  private func passing<Block: RowBlock>(
    _ conjunct: Conjunct, _ block: Block, _ rows: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    guard conjunct.contains(conjunct.entry) else { return conjunct.entry == Program.reject ? SIMD4() : rows }
    let count = Int(conjunct.end - conjunct.start)
    if count == 1 {
      let instruction = instructions[Int(conjunct.start)]
      let answer = answer(instruction, block, rows)
      return (instruction.ifTrue == Program.reject ? SIMD4() : answer)
        | (instruction.ifFalse == Program.reject ? SIMD4() : rows & ~answer)
    }
    return RowSets.with(count) { pending in
      var passed = SIMD4<UInt64>()
      pending[Int(conjunct.entry - conjunct.start)] = rows
      var index = 0
      while index < count {
        let rows = pending[index]
        if !rows.isEmptySet {
          let instruction = instructions[Int(conjunct.start) + index]
          let answer = answer(instruction, block, rows)
          if conjunct.contains(instruction.ifTrue) {
            pending[Int(instruction.ifTrue - conjunct.start)] |= answer
          } else if instruction.ifTrue != Program.reject {
            passed |= answer
          }
          if conjunct.contains(instruction.ifFalse) {
            pending[Int(instruction.ifFalse - conjunct.start)] |= rows & ~answer
          } else if instruction.ifFalse != Program.reject {
            passed |= rows & ~answer
          }
        }
        index += 1
      }
      return passed
    }
  }

  /// The rows for which one comparison is true.
  private func answer<Block: RowBlock>(
    _ instruction: Instruction, _ block: Block, _ rows: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    let field = Int(instruction.field)
    if instruction.operation == .tokens || instruction.operation == .computed {
      return rows.filtered { answer(instruction, block.row($0)) }
    }
    let present = rows & block.presence(field)
    let missing = instruction.whenMissing ? rows & ~present : SIMD4()
    if present.isEmptySet { return missing }
    if block.isConstant(field) {
      return missing | (answer(instruction, block.row(present.firstRow)) ? present : SIMD4())
    }
    guard instruction.subject == .value else {
      return missing | present.filtered { answer(instruction, block.row($0)) }
    }
    var passing: SIMD4<UInt64>
    switch instruction.operation {
    case .none: passing = SIMD4()
    case .every: passing = present
    case .text:
      let constant = Int(instruction.constant)
      let (relation, runs) = textRuns[constant]
      if let number = runs?.first {
        passing = present.filtered { block.row($0).withBytes(field) { passes(relation, number, $0) } }
      } else {
        passing = present.filtered { block.row($0).withBytes(field) { texts.span[constant].matches($0) } }
      }
    case .textSet, .textRange, .references, .recordNames, .tokens, .computed:
      return missing | present.filtered { answer(instruction, block.row($0)) }
    case .integers, .integerSet, .doubles, .doubleSet, .location, .distance:
      guard
        let known = present.countOfRows >= Program.leastRowsForKernel
          ? kernel(instruction, block, field, present) : few(instruction, block, field, present)
      else { return missing | present.filtered { answer(instruction, block.row($0)) } }
      passing = known
    }
    if instruction.isNegated { passing = ~passing }
    return missing | present & passing
  }

  /// The rows whose number lies in a range, which is asked of each; nil where the comparison is another.
  private func few<Block: RowBlock>(
    _ instruction: Instruction, _ block: Block, _ field: FieldNumber, _ present: SIMD4<UInt64>
  ) -> SIMD4<UInt64>? {
    guard let values = unsafe block.fixedValues(field) else { return nil }
    switch instruction.operation {
    case .integers:
      let range = integers[Int(instruction.constant)]
      let (lower, upper) = (range.lowerBound, range.upperBound)
      return present.filtered {
        let value = unsafe values.load(fromByteOffset: 8 &* $0, as: Int64.self)
        return value >= lower && value <= upper
      }
    case .doubles:
      let range = doubles[Int(instruction.constant)]
      let (lower, upper) = (range.lowerBound, range.upperBound)
      return present.filtered {
        let value = unsafe values.load(fromByteOffset: 8 &* $0, as: Double.self)
        return value >= lower && value <= upper
      }
    default: return nil
    }
  }

  /// What a kernel says of the rows, of others anything; nil where there is no kernel.
  private func kernel<Block: RowBlock>(
    _ instruction: Instruction, _ block: Block, _ field: FieldNumber, _ present: SIMD4<UInt64>
  ) -> SIMD4<UInt64>? {
    let constant = Int(instruction.constant)
    let capacity = block.rowCapacity
    switch instruction.operation {
    case .integers:
      guard let values = unsafe block.fixedValues(field) else { return nil }
      let range = integers[constant]
      return unsafe ColumnKernels.integers(
        values, rows: capacity, wanted: present, from: range.lowerBound, through: range.upperBound)
    case .integerSet:
      guard integerSets[constant].count <= Program.greatestSetForKernel, let values = unsafe block.fixedValues(field)
      else { return nil }
      return unsafe ColumnKernels.integers(
        values, rows: capacity, wanted: present, among: integerSets[constant])
    case .doubles:
      guard let values = unsafe block.fixedValues(field) else { return nil }
      let range = doubles[constant]
      return unsafe ColumnKernels.doubles(
        values, rows: capacity, wanted: present, from: range.lowerBound, through: range.upperBound)
    case .doubleSet:
      let set = doubleSets[constant]
      guard set.count <= Program.greatestSetForKernel, let values = unsafe block.fixedValues(field) else { return nil }
      var passing = SIMD4<UInt64>()
      for value in set {
        unsafe passing |= ColumnKernels.doubles(values, rows: capacity, wanted: present, from: value, through: value)
      }
      return passing
    case .location:
      let place = locations[constant]
      // Of these a row may have other degrees.
      guard place.longitude != 180, abs(place.latitude) != 90, let columns = unsafe block.locations(field) else {
        return nil
      }
      let parallel = unsafe ColumnKernels.doubles(
        columns.latitudes, rows: capacity, wanted: present, from: place.latitude, through: place.latitude)
      let meridian = unsafe ColumnKernels.doubles(
        columns.longitudes, rows: capacity, wanted: parallel & present, from: place.longitude,
        through: place.longitude)
      return parallel & meridian
    case .distance:
      guard let columns = unsafe block.locations(field) else { return nil }
      let circle = circles[constant]
      // What lies outside of the circle's bounds is decided by two columns; the test itself would say the same.
      let parallels = unsafe ColumnKernels.doubles(
        columns.latitudes, rows: capacity, wanted: present, from: circle.south, through: circle.north)
      let near =
        unsafe parallels & present
        & ColumnKernels.longitudes(
          columns.longitudes, rows: capacity, wanted: parallels & present, near: circle.center.longitude,
          halfWidth: circle.halfWidth)
      let inside = near.filtered {
        unsafe circle.matches(
          latitude: columns.latitudes.load(fromByteOffset: 8 * $0, as: Double.self),
          longitude: columns.longitudes.load(fromByteOffset: 8 * $0, as: Double.self))
      }
      return circle.isNearer ? inside : inside | ~near
    default: return nil
    }
  }
}

/// A set of the rows of a block.
extension SIMD4<UInt64> {
  var isEmptySet: Bool { self[0] | self[1] | self[2] | self[3] == 0 }

  var countOfRows: Int {
    self[0].nonzeroBitCount + self[1].nonzeroBitCount + self[2].nonzeroBitCount + self[3].nonzeroBitCount
  }

  /// The first row of a set that is not empty.
  var firstRow: Int {
    var word = 0
    while word < 3, self[word] == 0 { word += 1 }
    return 64 * word + self[word].trailingZeroBitCount
  }

  /// The rows of the set that the predicate holds for.
  @inline(__always)
  func filtered(_ isIncluded: (Int) -> Bool) -> SIMD4<UInt64> {
    var result = SIMD4<UInt64>()
    var word = 0
    while word < 4 {
      var (left, kept) = (self[word], UInt64(0))
      while left != 0 {
        let bit = left.trailingZeroBitCount
        kept |= (isIncluded(64 * word + bit) ? 1 : 0) &<< UInt64(bit)
        left &= left &- 1
      }
      result[word] = kept
      word += 1
    }
    return result
  }
}
