/// The evaluator: runs compiled instructions over a record, wherever they and their constants lie, in a ``Program``'s
/// arrays or in the words of a ``PackedProgram``. It alone decides truth.
///
/// Complexity: at most each comparison once.
protocol ProgramCode {
  /// Where to begin, or the answer.
  var entry: Int32 { get }
  func instruction(at index: Int32) -> Program.Instruction

  func passes(_ operation: Program.Operation, _ constant: Int, _ value: Int64) -> Bool
  func passes(_ operation: Program.Operation, _ constant: Int, _ value: Double) -> Bool
  func passes(_ operation: Program.Operation, _ constant: Int, _ latitude: Double, _ longitude: Double) -> Bool
  func passes(_ operation: Program.Operation, _ constant: Int, _ text: Span<UInt8>) -> Bool
  /// Whether a `LOCATION` that is present passes a test of its distance.
  func passesDistance<Row: ProgramRow>(_ constant: Int, _ field: FieldNumber, _ row: Row) -> Bool
  /// Whether a field's list holds every value of a set.
  func holdsAll<Row: ProgramRow>(
    _ operation: Program.Operation, _ field: FieldNumber, _ constant: Int, _ row: Row
  ) -> Bool
  /// A token search or a relation of computed values; nil where what they read is missing.
  func passesWhole<Row: ProgramRow>(_ operation: Program.Operation, _ constant: Int, _ row: Row) -> Bool?
}

extension ProgramCode {
  /// Whether the predicate holds for the record.
  @inline(__always)
  func matches<Row: ProgramRow>(_ row: Row) -> Bool {
    var next = entry
    while next >= 0 {
      let instruction = instruction(at: next)
      next = answer(instruction, row) ? instruction.ifTrue : instruction.ifFalse
    }
    return next == Program.accept
  }

  /// What one comparison says of a record.
  @inline(__always)
  func answer<Row: ProgramRow>(_ instruction: Program.Instruction, _ row: Row) -> Bool {
    let field = Int(instruction.field)
    let constant = Int(instruction.constant)
    let result: Bool?
    switch instruction.operation {
    case .tokens, .computed: result = passesWhole(instruction.operation, constant, row)
    default:
      guard row.isPresent(field) else { return instruction.whenMissing }
      switch instruction.subject {
      case .value: result = value(instruction.operation, field, constant, row)
      case .anyMember: result = anyMember(instruction.operation, field, constant, row, expecting: true)
      case .allMembers: result = !anyMember(instruction.operation, field, constant, row, expecting: false)
      case .holdsAll: result = holdsAll(instruction.operation, field, constant, row)
      }
    }
    guard let result else { return instruction.whenMissing }
    return result != instruction.isNegated
  }

  /// Whether a field's single value passes.
  @inline(__always)
  private func value<Row: ProgramRow>(
    _ operation: Program.Operation, _ field: FieldNumber, _ constant: Int, _ row: Row
  ) -> Bool {
    switch operation {
    case .none, .tokens, .computed: false
    case .every: true
    case .integers, .integerSet: passes(operation, constant, row.integer(field))
    case .doubles, .doubleSet: passes(operation, constant, row.double(field))
    case .text, .textSet, .textRange, .references, .recordNames:
      row.withBytes(field) { passes(operation, constant, $0) }
    case .distance: passesDistance(constant, field, row)
    case .location:
      {
        let (latitude, longitude) = row.degrees(field)
        return passes(operation, constant, latitude, longitude)
      }()
    }
  }

  /// Whether some member of a field's list passes, or fails.
  func anyMember<Row: ProgramRow>(
    _ operation: Program.Operation, _ field: FieldNumber, _ constant: Int, _ row: Row, expecting wanted: Bool
  ) -> Bool {
    switch operation {
    case .none, .every, .tokens, .computed:
      row.anyMember(field) && wanted == (operation == .every)
    case .integers, .integerSet: row.anyInteger(field) { passes(operation, constant, $0) == wanted }
    case .doubles, .doubleSet: row.anyDouble(field) { passes(operation, constant, $0) == wanted }
    case .text, .textSet, .textRange, .references, .recordNames:
      row.anyBytes(field) { passes(operation, constant, $0) == wanted }
    case .location, .distance: row.anyDegrees(field) { passes(operation, constant, $0, $1) == wanted }
    }
  }
}
