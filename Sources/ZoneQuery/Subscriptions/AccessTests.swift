/// What the tests of a program tell of the records that pass: keys that they have, intervals and cells that their codes lie
/// in, and how many they are, by the statistics.
struct AccessTests: Sendable {
  let statistics: AccessStatistics
  /// The fields whose words a record is split into.
  let tokenFields: [FieldNumber]

  /// The most keys that a subscription waits under.
  static let keyLimit = 1_024

  private var hash: ByteHash { statistics.hash }

  // MARK: Keys

  /// The share of records that have a key of an instruction; infinity where it gives none.
  func share(
    _ program: PackedProgram, _ instruction: Program.Instruction, _ interval: Interval?
  ) -> Double {
    var sum = 0.0
    var least = Double.infinity
    var count = 0
    let unknown: Double
    switch instruction.operation {
    case .tokens: unknown = 0.002
    default: unknown = 0.001
    }
    let form = forEachKey(program, instruction) { key in
      count += 1
      // What a long list's members add is told by its first ones.
      if count > 32 { return }
      let share = statistics.share(key.key, unknown: unknown)
      sum += share
      least = min(least, share)
    }
    switch form {
    case .none:
      if let interval { return statistics.share(Self.cells(of: interval).codes) }
      return placeCells(program, instruction)?.share ?? .infinity
    case .each where count > Self.keyLimit: return .infinity
    case .each: return count > 32 ? sum * Double(count) / 32 : sum
    case .rarest: return least
    }
  }

  /// How the keys of a test belong together.
  enum KeyForm {
    /// The test gives none of this kind.
    case none
    /// A matching record has one of them.
    case each
    /// A matching record has all of them.
    case rarest
  }

  /// Calls `body` with each key of equality, words or prefix that an instruction gives.
  func forEachKey(
    _ program: PackedProgram, _ instruction: Program.Instruction, _ body: (AccessKey) -> Void
  ) -> KeyForm {
    guard !instruction.isNegated, !instruction.whenMissing, instruction.subject != .allMembers else { return .none }
    let field = Int(instruction.field)
    let constant = Int(instruction.constant)
    let isPooled = constant < 0
    let (whole, number) = isPooled ? program.pooled(constant) : (nil, 0)
    let set: KeyForm = instruction.subject == .holdsAll ? .rarest : .each
    let equal = AccessUse(.equal, field: field)
    func emit(_ payload: UInt64, _ use: AccessUse = equal) {
      body(AccessKey(key: use.key(payload, hash), use: use))
    }
    switch instruction.operation {
    case .none: return .each
    case .every, .computed, .textRange, .distance: return .none
    case .integers:
      guard !isPooled, program.length(constant) == 1 else { return .none }
      emit(program.word(constant))
      return .each
    case .integerSet:
      if let whole {
        for value in whole.program.integerSets[number] { emit(UInt64(bitPattern: value)) }
      } else {
        for index in 0..<program.length(constant) { emit(program.word(constant, index)) }
      }
      return set
    case .doubles:
      let (low, high) = (program.word(constant), program.word(constant, 1))
      guard Double(bitPattern: low) == Double(bitPattern: high) else { return .none }
      emit(hash.payload(Double(bitPattern: low)))
      return .each
    case .doubleSet:
      guard let whole else { return .none }
      for value in whole.program.doubleSets[number] { emit(hash.payload(value)) }
      return set
    case .text:
      if let whole {
        let text = whole.program.texts[number]
        let operand = text.operand
        switch text.relation {
        case .equal:
          emit(hash.hash(operand.span), AccessUse(.equal, field: field, level: Int(text.folding.rawValue)))
        case .prefix where text.folding.isEmpty && !operand.isEmpty:
          prefix(operand.span, field) { emit($0, $1) }
        default: return .none
        }
        return .each
      }
      let isEqual = program.length(constant) & 15 == Int(TextTest.Relation.equal.rawValue)
      program.forEachText(.text, constant) { text in
        if isEqual {
          emit(hash.hash(text))
        } else if !text.isEmpty {
          prefix(text, field) { emit($0, $1) }
        }
      }
      return .each
    case .textSet:
      if let whole {
        let texts = whole.program.textSets[number]
        let use = AccessUse(.equal, field: field, level: Int(texts.folding.rawValue))
        for text in texts.texts { emit(hash.hash(text.span), use) }
      } else {
        program.forEachText(.textSet, constant) { emit(hash.hash($0)) }
      }
      return set
    case .references, .recordNames:
      let use = instruction.operation == .references ? equal : AccessUse(.name, field: field)
      if let whole {
        for text in whole.program.references[number] { emit(hash.hash(text.span), use) }
      } else {
        program.forEachText(instruction.operation, constant) { emit(hash.hash($0), use) }
      }
      return set
    case .location:
      emit(
        hash.payload(Double(bitPattern: program.word(constant)), Double(bitPattern: program.word(constant, 1))))
      return .each
    case .tokens:
      if let search = whole?.program.tokens[number] {
        guard search.fields == tokenFields else { return .none }
        for token in search.tokens { emit(hash.hash(token.span), AccessUse(.token)) }
        return search.requiresAll && !search.tokens.isEmpty ? .rarest : .each
      }
      let search = program.search(constant)
      guard search.isOver(tokenFields) else { return .none }
      _ = search.forEachToken { token in
        emit(hash.hash(token), AccessUse(.token))
        return true
      }
      return search.requiresAll && search.count > 0 ? .rarest : .each
    }
  }

  /// The key of a prefix: of its first bytes, where it is long.
  private func prefix(_ text: Span<UInt8>, _ field: FieldNumber, _ body: (UInt64, AccessUse) -> Void) {
    let length = min(text.count, AccessUse.levelCount - 1)
    body(hash.hash(text.extracting(0..<length)), AccessUse(.prefix, field: field, level: length))
  }

  // MARK: Cells

  /// An interval of a slot's codes.
  typealias Interval = AccessStatistics.Interval

  /// The cells of a grid that hold all places that pass a test.
  struct PlaceCells {
    var use: AccessUse
    var rows: ClosedRange<UInt16>
    var columns: [ClosedRange<UInt16>] = []
    var share: Double
  }

  /// The codes of the values that pass a test for an interval.
  func interval(_ program: PackedProgram, _ instruction: Program.Instruction) -> Interval? {
    guard !instruction.isNegated, !instruction.whenMissing,
      instruction.subject == .value || instruction.subject == .anyMember
    else { return nil }
    let constant = Int(instruction.constant)
    let slot = 2 * Int(instruction.field)
    func codes(_ slot: Int, _ low: UInt64, _ high: UInt64) -> Interval {
      Interval(slot: slot, low: statistics.code(slot, low), high: statistics.code(slot, high))
    }
    switch instruction.operation {
    case .integers where constant >= 0:
      let last = program.length(constant) - 1
      return codes(
        slot, ValueCodes.order(Int64(bitPattern: program.word(constant))),
        ValueCodes.order(Int64(bitPattern: program.word(constant, last))))
    case .doubles where constant >= 0:
      return codes(
        slot, ValueCodes.order(Double(bitPattern: program.word(constant))),
        ValueCodes.order(Double(bitPattern: program.word(constant, 1))))
    case .text where constant >= 0:
      guard program.length(constant) & 15 == Int(TextTest.Relation.prefix.rawValue) else { return nil }
      var range: (UInt64, UInt64) = (0, 0)
      program.forEachText(.text, constant) { range = ($0.leadingWord(), $0.leadingWord(padding: 0xFF)) }
      return codes(slot + 1, range.0, range.1)
    case .text:
      let (whole, number) = program.pooled(constant)
      let text = whole.program.texts[number]
      guard text.folding.isEmpty else { return nil }
      let operand = text.operand
      switch text.relation {
      case .less, .lessOrEqual: return codes(slot + 1, 0, operand.span.leadingWord())
      case .greater, .greaterOrEqual: return codes(slot + 1, operand.span.leadingWord(), .max)
      default: return nil
      }
    case .textRange:
      let (whole, number) = program.pooled(constant)
      let range = whole.program.textRanges[number]
      guard range.folding.isEmpty else { return nil }
      let (low, high) = (range.lower.span.leadingWord(), range.upper.span.leadingWord())
      return low <= high ? codes(slot + 1, low, high) : nil
    default: return nil
    }
  }

  /// The one or two cells that hold an interval, on the finest grid that has so few, and their codes.
  static func cells(of interval: Interval) -> (level: Int, rows: ClosedRange<UInt16>, codes: Interval) {
    let (low, high) = (interval.low, interval.high)
    var level = UInt16.bitWidth - (high - low).leadingZeroBitCount
    if level > 0, (high >> UInt16(level - 1)) - (low >> UInt16(level - 1)) <= 1 { level -= 1 }
    let rows = (low >> UInt16(level))...(high >> UInt16(level))
    let from = rows.lowerBound << UInt16(level)
    let to = UInt16(truncatingIfNeeded: (UInt32(rows.upperBound) + 1) << UInt32(level) - 1)
    return (level, rows, Interval(slot: interval.slot, low: from, high: max(to, high)))
  }

  func placeCells(_ program: PackedProgram, _ instruction: Program.Instruction) -> PlaceCells? {
    let constant = Int(instruction.constant)
    guard instruction.operation == .distance, !instruction.isNegated, !instruction.whenMissing, constant >= 0,
      program.isNearer(constant),
      instruction.subject == .value || instruction.subject == .anyMember
    else { return nil }
    let slot = 2 * Int(instruction.field)
    guard let (latitudes, longitudes) = codes(ofCircle: program, constant) else { return nil }
    func count(_ range: ClosedRange<UInt16>, _ level: Int) -> Int {
      Int(range.upperBound >> UInt16(level)) - Int(range.lowerBound >> UInt16(level)) + 1
    }
    var level = 0
    while count(latitudes, level) > 2 || longitudes.contains(where: { count($0, level) > 2 }) { level += 1 }
    func cells(_ range: ClosedRange<UInt16>) -> ClosedRange<UInt16> {
      (range.lowerBound >> UInt16(level))...(range.upperBound >> UInt16(level))
    }
    let shares = (
      statistics.share(Interval(slot: slot, latitudes)),
      longitudes.reduce(0) { $0 + statistics.share(Interval(slot: slot + 1, $1)) }
    )
    return PlaceCells(
      use: AccessUse(.place, field: Int(instruction.field), level: level), rows: cells(latitudes),
      columns: longitudes.map(cells), share: min(shares.0, shares.1, 4 * shares.0 * shares.1))
  }

  /// The codes within which a circle's latitudes and longitudes lie; nil where no place is in it.
  func codes(
    ofCircle program: PackedProgram, _ constant: Int
  ) -> (latitudes: ClosedRange<UInt16>, longitudes: [ClosedRange<UInt16>])? {
    guard let bounds = program.bounds(constant) else { return nil }
    func codes(_ range: ClosedRange<Double>) -> ClosedRange<UInt16> {
      ValueCodes.code(longitude: range.lowerBound)...ValueCodes.code(longitude: range.upperBound)
    }
    let latitudes =
      ValueCodes.code(latitude: bounds.latitudes.lowerBound)...ValueCodes.code(latitude: bounds.latitudes.upperBound)
    return (latitudes, [codes(bounds.longitudes)] + (bounds.longitudesBeyondAntimeridian.map { [codes($0)] } ?? []))
  }
}
