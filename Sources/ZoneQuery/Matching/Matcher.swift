/// A predicate ready to be asked about records one by one, without a database.
///
/// With a record type it is bound once, to the type's fields. Without one it is bound to the types that each record
/// shows, and what cannot be compared behaves as missing. So does, either way, a value that no record can hold: NaN, and a
/// place off the Earth.
///
/// ```swift
/// let matcher = try Matcher(QueryPredicate(format: "tags CONTAINS 'maps'"), for: schema["Session"])
/// try matcher.matches(record)
/// ```
public struct Matcher: Sendable {
  // One reference a form: a struct of programs would be retained part by part at each question.
  private let form: Form

  private enum Form: Sendable {
    case typed(TypedProgram)
    case shapes(ShapePrograms)
  }

  /// Prepares a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The predicate.
  ///   - recordType: The type of the records to come; nil where each is to be judged by the types it shows.
  ///   - options: Dialect and switches.
  ///   - parameters: The values of `$name` parameters.
  ///   - now: The moment `now()` stands for; the system's time where nil.
  /// - Throws: `invalidPredicate` with the first twenty faults' places.
  public init(
    _ predicate: QueryPredicate, for recordType: RecordType? = nil, options: PredicateOptions = PredicateOptions(),
    parameters: [String: any PredicateArgument] = [:], now: Timestamp? = nil
  ) throws(ZoneQueryError) {
    let now = now ?? Database.systemClock()
    let values = [ByteKey: ArgumentValue](parameters: parameters)
    let keys = PredicateKeys(predicate.root)
    if let recordType {
      let bound = try Binder.bind(
        predicate, scope: .recordType(recordType), options: options, now: now, parameters: values)
      form = .typed(TypedProgram(Program(bound), keys, FieldLayout(recordType: recordType)))
    } else {
      // What is wrong whatever the fields is said here; then an empty shape finds parameters without a value.
      _ = try Binder.bind(
        predicate, scope: .open(ofRecords: false), options: options, now: now, parameters: values)
      let nothing = FieldShape(keys: [], types: [], searchable: [], numbers: [:])
      _ = try Binder.bind(predicate, scope: .shape(nothing), options: options, now: now, parameters: values)
      form = .shapes(ShapePrograms(predicate, options, now, values, keys))
    }
  }

  /// Whether the predicate holds for a value.
  ///
  /// - Throws: `invalidPredicate` where the types the value shows cannot stand together in the predicate; nothing where a
  ///   record type was given.
  ///
  /// Complexity: at most each comparison once.
  public func matches(_ value: some KeyedFields) throws(ZoneQueryError) -> Bool {
    switch form {
    case .typed(let program): program.matches(value)
    case .shapes(let programs): try programs.matches(value)
    }
  }
}

/// A predicate bound to a record type, and the fields it reads.
private final class TypedProgram: Sendable {
  private struct Field {
    let number: FieldNumber
    let name: String
    let type: FieldType
  }

  private let program: Program
  private let fields: [Field]
  /// One more than the greatest number of a field that is read.
  private let width: Int

  init(_ program: Program, _ keys: PredicateKeys, _ layout: FieldLayout) {
    self.program = program
    var named = keys.names.compactMap { layout.number(of: $0.text) }
    if keys.mentionsAllTokens, let field = layout.number(of: "allTokens") { named.append(field) }
    fields = (named + (keys.isTokenSearch ? layout.searchable : [])).map {
      Field(number: $0, name: layout.name(of: $0), type: layout.type(of: $0))
    }
    width = (fields.map(\.number).max() ?? 0) + 1
  }

  func matches(_ value: some KeyedFields) -> Bool {
    var values = [FieldValue?](repeating: nil, count: width)
    for field in fields {
      values[field.number] = value.fieldValue(forKey: field.name)?.sound?.converted(to: field.type)
    }
    return program.matches(ValuesRow(values: values))
  }
}

/// A predicate that is bound to each shape that comes, with the programs of the shapes seen so far.
private final class ShapePrograms: Sendable {
  /// How many shapes' programs are kept; the count starts anew beyond that.
  private static var shapesKept: Int { 64 }

  private let predicate: QueryPredicate
  private let options: PredicateOptions
  private let now: Timestamp
  private let parameters: [ByteKey: ArgumentValue]
  private let keys: [ByteKey]
  private let numbers: [ByteKey: FieldNumber]
  private let isTokenSearch: Bool
  private let programs = Locked<[FieldShape: ShapeProgram]>([:])

  init(
    _ predicate: QueryPredicate, _ options: PredicateOptions, _ now: Timestamp,
    _ parameters: [ByteKey: ArgumentValue], _ keys: PredicateKeys
  ) {
    self.predicate = predicate
    self.options = options
    self.now = now
    self.parameters = parameters
    self.keys = keys.names
    numbers = Dictionary(uniqueKeysWithValues: zip(keys.names, 0...))
    isTokenSearch = keys.isTokenSearch
  }

  func matches(_ value: some KeyedFields) throws(ZoneQueryError) -> Bool {
    var (keys, numbers) = (keys, numbers)
    var searchable: [FieldNumber] = []
    if isTokenSearch {
      for key in value.searchableKeys.map(ByteKey.init) {
        if let known = numbers[key] {
          searchable.append(known)
        } else {
          numbers[key] = keys.count
          searchable.append(keys.count)
          keys.append(key)
        }
      }
    }
    let values = keys.map { value.fieldValue(forKey: $0.text)?.sound }
    let shape = FieldShape(
      keys: keys, types: values.map { $0?.type },
      searchable: searchable.filter { values[$0]?.type.scalar == .string }, numbers: numbers)
    return try program(for: shape).matches(ValuesRow(values: values))
  }

  private func program(for shape: FieldShape) throws(ZoneQueryError) -> ShapeProgram {
    if let known = programs.withLock({ $0[shape] }) { return known }
    let bound = try Binder.bind(
      predicate, scope: .shape(shape), options: options, now: now, parameters: parameters)
    let program = ShapeProgram(Program(bound))
    programs.withLock { programs in
      if programs.count >= ShapePrograms.shapesKept { programs = [:] }
      programs[shape] = program
    }
    return program
  }
}

/// A program of a shape: an object, since a program that is handed on as a value counts the references of all its constants.
private final class ShapeProgram: Sendable {
  private let program: Program

  init(_ program: Program) { self.program = program }

  func matches(_ row: ValuesRow) -> Bool { program.matches(row) }
}

extension QueryPredicate {
  /// Checks the predicate against a record type or, without one, what can be checked without knowing any field: the
  /// dialect, the forms and the constants.
  ///
  /// A parameter may stand without a value; a comparison that no value of it could make right is a fault.
  ///
  /// - Throws: `invalidPredicate` with the first twenty faults' places.
  ///
  /// ```swift
  /// try QueryPredicate(format: "a = 1 OR b = 2").check()
  /// // 1:7: CloudKit's dialect has no OR: a predicate is one comparison, or several joined by AND …
  /// ```
  ///
  /// Complexity: linear in the predicate; a comparison with two parameters is tried with some hundreds of pairs of values at most.
  public func check(
    for recordType: RecordType? = nil, _ options: PredicateOptions = PredicateOptions()
  ) throws(ZoneQueryError) {
    let scope = recordType.map { BindingScope.recordType($0) } ?? .open(ofRecords: true)
    try Binder.check(self, scope: scope, options: options)
  }
}

extension FieldLayout {
  /// The number of the field that a key names.
  func number(of name: String) -> FieldNumber? {
    recordType.position(of: name).map { .position($0) } ?? SystemField(key: name).map { FieldNumber($0) }
  }
}
