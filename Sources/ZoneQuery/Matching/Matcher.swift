/// A predicate ready to be asked about records one by one, without a database.
///
/// With a record type it is bound once, to the type's fields. Without one it is bound to the types that each record
/// shows, and what cannot be compared behaves as missing.
///
/// ```swift
/// let matcher = try Matcher(QueryPredicate(format: "tags CONTAINS 'maps'"), for: schema["Session"])
/// try matcher.matches(record)
/// ```
public struct Matcher: Sendable {
  private let predicate: QueryPredicate
  private let options: PredicateOptions
  private let now: Timestamp
  private let parameters: [ByteKey: ArgumentValue]
  private let form: Form

  private enum Form: Sendable {
    /// Bound to a record type: the program and the fields it reads.
    case typed(Program, FieldLayout, [FieldNumber])
    /// Bound to each shape that comes; the programs of the shapes seen so far.
    case shapes(keys: [ByteKey], isTokenSearch: Bool, Locked<[FieldShape: Program]>)
  }

  /// How many shapes' programs are kept; the count starts anew beyond that.
  private static var shapesKept: Int { 64 }

  /// Prepares a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The predicate.
  ///   - recordType: The type of the records to come; nil where each is to be judged by the types it shows.
  ///   - options: Dialect and switches.
  ///   - parameters: The values of `$name` parameters.
  ///   - now: The moment `now()` stands for; the system's time where nil.
  /// - Throws: `invalidPredicate` with every fault's place.
  public init(
    _ predicate: QueryPredicate, for recordType: RecordType? = nil, options: PredicateOptions = PredicateOptions(),
    parameters: [String: any PredicateArgument] = [:], now: Timestamp? = nil
  ) throws(ZoneQueryError) {
    self.predicate = predicate
    self.options = options
    self.now = now ?? Database.systemClock()
    var values: [ByteKey: ArgumentValue] = [:]
    for (name, value) in parameters { values[ByteKey(name)] = value.predicateArgument }
    self.parameters = values
    let keys = PredicateKeys(predicate.root)
    if let recordType {
      let bound = try Binder.bind(
        predicate, scope: .recordType(recordType), options: options, now: self.now, parameters: values)
      let layout = FieldLayout(recordType: recordType)
      let named = keys.names.compactMap { layout.number(of: $0.text) }
      form = .typed(Program(bound), layout, named + (keys.isTokenSearch ? layout.searchable : []))
    } else {
      // What is wrong whatever the fields is said here; then an empty shape finds parameters without a value.
      _ = try Binder.bind(
        predicate, scope: .open(ofRecords: false), options: options, now: self.now, parameters: values)
      let nothing = FieldShape(keys: [], types: [], searchable: [])
      _ = try Binder.bind(predicate, scope: .shape(nothing), options: options, now: self.now, parameters: values)
      form = .shapes(keys: keys.names, isTokenSearch: keys.isTokenSearch, Locked([:]))
    }
  }

  /// Whether the predicate holds for a value.
  ///
  /// - Throws: `invalidPredicate` where the types the value shows cannot stand together in the predicate.
  ///
  /// Complexity: at most each comparison once.
  public func matches(_ value: some KeyedFields) throws(ZoneQueryError) -> Bool {
    switch form {
    case .typed(let program, let layout, let fields):
      var values = [FieldValue?](repeating: nil, count: layout.count)
      for field in fields {
        values[field] = value.fieldValue(forKey: layout.name(of: field))?.converted(to: layout.type(of: field))
      }
      return program.matches(ValuesRow(values: values))
    case .shapes(let named, let isTokenSearch, let programs):
      var keys = named
      var searchable: [FieldNumber] = []
      if isTokenSearch {
        var numbers: [ByteKey: FieldNumber] = [:]
        for (number, key) in keys.enumerated() { numbers[key] = number }
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
      let values = keys.map { value.fieldValue(forKey: $0.text) }
      let shape = FieldShape(
        keys: keys, types: values.map { $0?.type },
        searchable: searchable.filter { values[$0]?.type.scalar == .string })
      return try program(for: shape, programs).matches(ValuesRow(values: values))
    }
  }

  private func program(
    for shape: FieldShape, _ programs: Locked<[FieldShape: Program]>
  ) throws(ZoneQueryError) -> Program {
    if let known = programs.withLock({ $0[shape] }) { return known }
    let bound = try Binder.bind(
      predicate, scope: .shape(shape), options: options, now: now, parameters: parameters)
    let program = Program(bound)
    programs.withLock { programs in
      if programs.count >= Matcher.shapesKept { programs = [:] }
      programs[shape] = program
    }
    return program
  }
}

extension QueryPredicate {
  /// Checks the predicate against a record type or, without one, what can be checked without knowing any field: the
  /// dialect, the forms and the constants; then a parameter may stand without a value.
  ///
  /// - Throws: `invalidPredicate` with every fault's place.
  ///
  /// ```swift
  /// try QueryPredicate(format: "a = 1 OR b = 2").check()
  /// // 1:7: CloudKit's dialect has no OR: a predicate is one comparison, or several joined by AND …
  /// ```
  ///
  /// Complexity: linear in the predicate.
  public func check(
    for recordType: RecordType? = nil, _ options: PredicateOptions = PredicateOptions()
  ) throws(ZoneQueryError) {
    let scope = recordType.map { BindingScope.recordType($0) } ?? .open(ofRecords: true)
    _ = try Binder.bind(self, scope: scope, options: options, now: Timestamp(milliseconds: 0))
  }
}

extension FieldLayout {
  /// The number of the field that a key names.
  func number(of name: String) -> FieldNumber? {
    recordType.position(of: name).map { .position($0) } ?? SystemField(key: name).map { FieldNumber($0) }
  }
}
