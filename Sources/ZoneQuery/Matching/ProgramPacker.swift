// An unsafe leaf: a circle, a value without references, is copied into words as it lies in memory, and the words are lent
// by their place for the time of a call.

/// A program packed into words for ``PackedProgram``, but for its place in the pool, which it gets when it is added.
struct PackedCode: Sendable {
  /// The words, and one more, so that there is always something to point to.
  fileprivate(set) var words: [UInt64] = [0]
  /// The instruction it begins with, or its answer.
  let entry: Int32
  /// What could not be packed.
  let rest: PooledProgram?
  /// Whether nothing could: the program is too large or speaks of too many fields.
  let isWhole: Bool
  /// The words that refer to what could not be packed.
  private let references: [Int]

  var count: Int { words.count - 1 }

  /// Complexity: linear in the program.
  init(_ program: Program) {
    var packer = ProgramPacker()
    isWhole = !packer.pack(program)
    if isWhole {
      (entry, rest, references) = (Program.reject, PooledProgram(program), [])
      return
    }
    words = packer.words
    words.append(0)
    entry = packer.entry
    rest = packer.rest.map(PooledProgram.init)
    references = packer.references
  }

  /// Completes the program with its place in the pool.
  mutating func settle(at place: Int) {
    for reference in references { words[reference] |= UInt64(place) << 32 }
  }

  /// Lends the program.
  func withProgram<Result>(pool: ProgramPool, _ body: (PackedProgram) -> Result) -> Result {
    unsafe words.withUnsafeBufferPointer { buffer in
      // Read alone, as everywhere but where a program is written.
      let base = unsafe UnsafeMutablePointer(mutating: buffer.baseAddress.unsafelyUnwrapped)
      return body(PackedProgram(words: unsafe Words(base: base), start: 0, entry: entry, pool: pool))
    }
  }
}

/// Packs a program into words.
///
/// Constants that are small lie beside their instruction; the others stay in a program of their own, to which the
/// instruction refers. Complexity: linear in the program.
private struct ProgramPacker {
  private(set) var words: [UInt64] = []
  /// The instruction it begins with, or its answer.
  private(set) var entry: Int32 = 0
  /// What could not be packed, and the words that refer to it.
  private(set) var rest: Program?
  private(set) var references: [Int] = []
  private var places: [Int] = []

  /// The most bytes of a text, and the most numbers of a set, that are packed.
  private static let packedBytes = 2_000
  private static let packedNumbers = 32

  /// Packs a program; false where it is too large or speaks of too many fields.
  mutating func pack(_ program: Program) -> Bool {
    words.reserveCapacity(4 * program.instructions.count + 1)
    places.reserveCapacity(program.instructions.count)
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
    for (index, instruction) in program.instructions.enumerated() {
      words[places[index]] |= target(instruction.ifTrue) << 20 | target(instruction.ifFalse) << 34
    }
    if !references.isEmpty { rest = constants }
    entry = program.entry < 0 ? program.entry : Int32(places[Int(program.entry)])
    return true
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
    case .tokens:
      let search = program.tokens[constant]
      guard search.fields.count <= PackedSearch.fieldLimit,
        search.fields.allSatisfy({ $0 <= PackedProgram.fieldLimit })
      else { return nil }
      words.append(PackedSearch.head(of: search))
      guard let count = pack(search.tokens) else {
        words.removeLast()
        return nil
      }
      return count
    case .doubleSet, .textSet, .textRange, .references, .recordNames, .computed: return nil
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
    references.append(words.count)
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
