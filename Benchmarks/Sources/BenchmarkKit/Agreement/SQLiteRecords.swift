internal import ZoneQuery

/// A field as a column: its value, or 1 for a list, whose members have a table of their own; NULL where it is missing.
struct SQLiteField {
  let number: Int
  let name: String
  let type: FieldType
  var column: String { "f\(number)" }

  /// The fields of a type that have columns, the system's behind its own.
  static func all(of type: RecordType) -> [SQLiteField] {
    let own = type.fields.filter {
      !$0.isEncrypted && $0.type.scalar != .bytes && $0.type.scalar != .asset && $0.type.scalar != .location
    }
    let system: [(name: String, type: FieldType)] = [
      ("recordID", .reference), ("creationDate", .timestamp), ("modificationDate", .timestamp),
      ("creatorUserRecordID", .reference), ("lastModifiedUserRecordID", .reference), ("parent", .reference),
      ("share", .reference),
    ]
    return (own.map { ($0.name, $0.type) } + system).enumerated().map {
      SQLiteField(number: $0.offset, name: $0.element.0, type: $0.element.1)
    }
  }

  static func named(_ name: String, of type: RecordType) -> SQLiteField? {
    all(of: type).first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

/// Records in SQLite's tables: columns without affinity, so that no value changes its type.
struct SQLiteRecords {
  private let connection: SQLiteConnection

  init(_ records: [Record], of type: RecordType) throws {
    connection = try SQLiteConnection()
    let fields = SQLiteField.all(of: type)
    try connection.execute(
      """
      CREATE TABLE record (id TEXT PRIMARY KEY, \(fields.map(\.column).joined(separator: ", ")));
      CREATE TABLE member (field INTEGER, record TEXT, value);
      CREATE INDEX members ON member (field, record);
      """)
    let places = (1...(fields.count + 1)).map { "?\($0)" }.joined(separator: ", ")
    let insertion = try connection.statement("INSERT INTO record VALUES (\(places))")
    let membership = try connection.statement("INSERT INTO member VALUES (?1, ?2, ?3)")
    for record in records {
      let id = SQLiteArguments.Value.text(SQLiteRecords.text(record.recordID))
      var row: [SQLiteArguments.Value?] = [id]
      for field in fields {
        let value = record.fieldValue(forKey: field.name)
        row.append(
          field.type.isList ? value.map { _ in .integer(1) } : value.flatMap { SQLiteRecords.values($0).first })
        if field.type.isList, let value {
          for member in SQLiteRecords.values(value) {
            try SQLiteRecords.run(membership, [.integer(Int64(field.number)), id, member])
          }
        }
      }
      try SQLiteRecords.run(insertion, row)
    }
  }

  /// The records that satisfy an expression.
  func found(_ expression: String, _ values: [SQLiteArguments.Value]) throws -> Set<String> {
    let statement = try connection.statement("SELECT id FROM record WHERE \(expression)")
    let arguments = SQLiteArguments(values)
    arguments.bind(to: statement)
    var found: Set<String> = []
    while try statement.step() { found.insert(String(decoding: statement.text(0), as: UTF8.self)) }
    statement.reset()
    return found
  }

  /// A record's ID: names of zones and owners hold no slash.
  static func text(_ id: RecordID) -> String { "\(id.zoneID.ownerName)/\(id.zoneID.zoneName)/\(id.recordName)" }

  private static func values(_ value: FieldValue) -> [SQLiteArguments.Value] {
    switch value {
    case .string(let value): [.text(value)]
    case .int64(let value): [.integer(value)]
    case .double(let value): [.real(value)]
    case .timestamp(let value): [.integer(value.milliseconds)]
    case .reference(let value): [.text(text(value.recordID))]
    case .stringList(let values): values.map { .text($0) }
    case .int64List(let values): values.map { .integer($0) }
    case .doubleList(let values): values.map { .real($0) }
    case .timestampList(let values): values.map { .integer($0.milliseconds) }
    case .referenceList(let values): values.map { .text(text($0.recordID)) }
    default: []
    }
  }

  private static func run(_ statement: SQLiteStatement, _ values: [SQLiteArguments.Value?]) throws {
    statement.clear()
    for (index, value) in values.enumerated() {
      switch value {
      case nil: break
      case .text(let text)?: statement.bind(index + 1, copying: text)
      case .integer(let number)?: statement.bind(index + 1, number)
      case .real(let number)?: statement.bind(index + 1, number)
      }
    }
    try statement.run()
  }
}
