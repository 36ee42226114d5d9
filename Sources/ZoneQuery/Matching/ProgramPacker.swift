// An unsafe leaf: a circle, a value without references, is copied into words as it lies in memory, and the words are lent
// by their place for the time of a call.

/// Packs programs into words, for ``PackedProgram`` to read.
///
/// Constants that are small lie beside their instruction; the others stay in a program of their own in a pool, to
/// which the instruction refers. Complexity: linear in the program.
struct ProgramPacker {
  /// The words of the last program.
  private(set) var words: [UInt64] = []
  /// The instruction it begins with, or its answer.
  private(set) var entry: Int32 = 0
  /// The place in the pool of what could not be packed, -1 where all was.
  private(set) var pooledProgram = -1
  private var places: [Int] = []

  /// The most bytes of a text, and the most numbers of a set, that are packed.
  private static let packedBytes = 2_000
  private static let packedNumbers = 32

  /// Packs a program; false where it is too large or speaks of too many fields.
  mutating func pack(_ program: Program, pool: ProgramPool) -> Bool {
    words.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    pooledProgram = -1
    var constants = Program()
    for instruction in program.instructions {
      if Int(instruction.field) > PackedProgram.fieldLimit || words.count > PackedProgram.limit { return false }
      places.append(words.count)
      words.append(0)
      let length = packConstant(instruction, program) ?? poolConstant(instruction, program, &constants)
      let kind =
        UInt64(instruction.operation.rawValue) | UInt64(instruction.subject.rawValue) << 4
        | (instruction.isNegated ? 0x40 : 0) | (instruction.whenMissing ? 0x80 : 0)
      words[places[places.count - 1]] = kind | UInt64(instruction.field) << 8 | UInt64(length) << 48
    }
    if words.count > PackedProgram.limit { return false }
    if constants.entry != Program.accept {
      constants.entry = Program.accept
      pooledProgram = pool.add(constants)
    }
    for (index, instruction) in program.instructions.enumerated() {
      words[places[index]] |= target(instruction.ifTrue) << 20 | target(instruction.ifFalse) << 34
      if words[places[index]] >> 48 == UInt64(PackedProgram.pooled) {
        words[places[index] + 1] |= UInt64(pooledProgram) << 32
      }
    }
    entry = program.entry < 0 ? program.entry : Int32(places[Int(program.entry)])
    return true
  }

  /// Lends the last program.
  mutating func withProgram<Result>(pool: ProgramPool, _ body: (PackedProgram) -> Result) -> Result {
    let entry = entry
    // A word more, so that there is something to point to.
    words.append(0)
    defer { words.removeLast() }
    return unsafe words.withUnsafeMutableBufferPointer { words in
      body(
        PackedProgram(
          words: unsafe Words(base: words.baseAddress.unsafelyUnwrapped), start: 0, entry: entry, pool: pool))
    }
  }

  private func target(_ instruction: Int32) -> UInt64 {
    switch instruction {
    case Program.accept: PackedProgram.acceptTarget
    case Program.reject: PackedProgram.rejectTarget
    default: UInt64(places[Int(instruction)])
    }
  }

  /// Appends a constant and gives its length; nil where it is to be pooled.
  private mutating func packConstant(_ instruction: Program.Instruction, _ program: Program) -> Int? {
    let constant = Int(instruction.constant)
    switch instruction.operation {
    case .none, .every: return 0
    case .integers:
      let range = program.integers[constant]
      words.append(UInt64(bitPattern: range.lowerBound))
      if range.lowerBound == range.upperBound { return 1 }
      words.append(UInt64(bitPattern: range.upperBound))
      return 2
    case .integerSet:
      let set = program.integerSets[constant]
      if set.count > Self.packedNumbers || instruction.subject == .holdsAll { return nil }
      for value in set { words.append(UInt64(bitPattern: value)) }
      return set.count
    case .doubles:
      words.append(program.doubles[constant].lowerBound.bitPattern)
      words.append(program.doubles[constant].upperBound.bitPattern)
      return 2
    case .text:
      let text = program.texts[constant]
      guard text.folding.isEmpty, text.relation == .equal || text.relation == .prefix,
        text.operand.count <= Self.packedBytes
      else { return nil }
      append(text.operand)
      return text.operand.count << 4 | Int(text.relation.rawValue)
    case .textSet where program.textSets[constant].folding.isEmpty && instruction.subject != .holdsAll:
      return pack(program.textSets[constant].texts)
    case .references where instruction.subject != .holdsAll, .recordNames where instruction.subject != .holdsAll:
      return pack(program.references[constant])
    case .location:
      words.append(program.locations[constant].latitude.bitPattern)
      words.append(program.locations[constant].longitude.bitPattern)
      return 2
    case .distance:
      let count = MemoryLayout<GeodesicRadiusTest>.stride / 8
      let start = words.count
      words.append(contentsOf: repeatElement(0, count: count))
      unsafe words.withUnsafeMutableBytes { bytes in
        unsafe bytes.storeBytes(of: program.circles[constant], toByteOffset: start * 8, as: GeodesicRadiusTest.self)
      }
      return count
    case .doubleSet, .textSet, .textRange, .references, .recordNames, .tokens, .computed: return nil
    }
  }

  private mutating func pack(_ texts: [[UInt8]]) -> Int? {
    if texts.count > Self.packedNumbers { return nil }
    var bytes: [UInt8] = []
    for text in texts {
      if bytes.count + text.count > Self.packedBytes { return nil }
      bytes.append(UInt8(truncatingIfNeeded: text.count))
      bytes.append(UInt8(truncatingIfNeeded: text.count >> 8))
      bytes += text
    }
    append(bytes)
    return texts.count
  }

  private mutating func append(_ bytes: [UInt8]) {
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word |= UInt64(byte) << UInt64(index & 7 * 8)
      if index & 7 == 7 {
        words.append(word)
        word = 0
      }
    }
    if bytes.count & 7 != 0 { words.append(word) }
  }

  /// Copies a constant into the program that is to be pooled, and appends its number.
  private mutating func poolConstant(
    _ instruction: Program.Instruction, _ program: Program, _ constants: inout Program
  ) -> Int {
    func moved<Constant>(_ from: [Constant], _ to: inout [Constant]) -> Int {
      to.append(from[Int(instruction.constant)])
      return to.count - 1
    }
    let number =
      switch instruction.operation {
      case .none, .every: 0
      case .integers: moved(program.integers, &constants.integers)
      case .integerSet: moved(program.integerSets, &constants.integerSets)
      case .doubles: moved(program.doubles, &constants.doubles)
      case .doubleSet: moved(program.doubleSets, &constants.doubleSets)
      case .text, .textSet, .textRange, .references, .recordNames:
        constants.appendText(of: instruction, from: program)
      case .location: moved(program.locations, &constants.locations)
      case .distance: moved(program.circles, &constants.circles)
      case .tokens: moved(program.tokens, &constants.tokens)
      case .computed: moved(program.computations, &constants.computations)
      }
    constants.entry = Program.reject
    words.append(UInt64(number))
    return PackedProgram.pooled
  }
}

extension Program {
  /// Appends the texts that an instruction of another program compares with, and gives their number.
  fileprivate mutating func appendText(of instruction: Instruction, from program: Program) -> Int {
    let constant = Int(instruction.constant)
    switch instruction.operation {
    case .text:
      let text = program.texts[constant]
      let (relation, runs) = program.textRuns[constant]
      textRuns.append((relation, runs == nil ? nil : constantBytes.append([text.operand])))
      texts.append(text)
      return texts.count - 1
    case .textSet:
      let set = program.textSets[constant]
      textSetRuns.append(program.textSetRuns[constant] == nil ? nil : constantBytes.append(set.texts))
      textSets.append(set)
      return textSets.count - 1
    case .textRange:
      let range = program.textRanges[constant]
      textRangeRuns.append(
        program.textRangeRuns[constant] == nil ? nil : constantBytes.append([range.lower, range.upper]))
      textRanges.append(range)
      return textRanges.count - 1
    default:
      let encodings = program.references[constant]
      referenceRuns.append(constantBytes.append(encodings))
      references.append(encodings)
      return references.count - 1
    }
  }
}
