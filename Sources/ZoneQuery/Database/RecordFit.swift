/// A record's fields as its type has them.
struct RecordFit: Sendable {
  /// The position of each of the record's fields in the type, in the record's order; -1 for one the type does not have.
  var positions: [Int32] = []
  /// The positions of fields that it is to lose where the stored record's others stay.
  var lost: [Int32] = []
  /// Roughly how many bytes names and values count towards the size of the record.
  var size = 0

  /// The positions of the fields of which the record says what becomes of them.
  var decided: [Int32] { lost.isEmpty ? positions : positions + lost }
}

extension RecordType {
  /// Brings a record's values to the types of its fields.
  ///
  /// - Returns: Where the fields are; nil where the record has a field that the type does not have (yet).
  /// - Throws: `invalidRecord` where a value cannot be stored, or not under the field's type.
  ///
  /// Complexity: linear in the record's fields, where they come in the type's order; else a search for each.
  func fit(_ record: inout Record) throws(ZoneQueryError) -> RecordFit? {
    record.makeValues()
    var fit = RecordFit()
    fit.positions.reserveCapacity(record.fieldCount)
    var next = 0
    for index in 0..<record.fieldCount {
      let value = record.value(at: index)
      let name = record.name(at: index)
      if let fault = value.fault { throw Database.unstorable(fault, in: name, record) }
      guard let position = position(of: name, near: next) else { return nil }
      next = position + 1
      fit.positions.append(Int32(truncatingIfNeeded: position))
      fit.size += name.utf8.count + value.size
      let type = fields[position].type
      if value.type == type { continue }
      guard let converted = value.converted(to: type) else {
        throw Database.unfitting(value, fields[position], self, record)
      }
      record.replaceValue(at: index, with: converted)
    }
    return fit
  }

  /// Says what is wrong with a record whose values cannot be stored under the type's fields. Fields that the type does not have
  /// are passed over.
  ///
  /// - Throws: `invalidRecord`.
  package func check(_ record: Record) throws(ZoneQueryError) {
    for (name, value) in record.fields { _ = try takes(value, in: name, of: record) }
  }

  /// Whether the type has a field of a record, under whose type the value can be stored then.
  ///
  /// - Throws: `invalidRecord` where the value cannot be stored, under that type or at all.
  func takes(_ value: FieldValue, in name: String, of record: Record) throws(ZoneQueryError) -> Bool {
    if let fault = value.fault { throw Database.unstorable(fault, in: name, record) }
    guard let field = field(name) else { return false }
    if value.converted(to: field.type) == nil { throw Database.unfitting(value, field, self, record) }
    return true
  }

  /// Where a record's fields are, whatever their values.
  func positions(of record: Record) -> [Int32] {
    var next = 0
    return record.fieldNames.map { name in
      guard let position = position(of: name, near: next) else { return -1 }
      next = position + 1
      return Int32(truncatingIfNeeded: position)
    }
  }
}

// Of a table's type, which is many references: by functions of their own, so that none of them is counted.

extension TableShape {
  /// Brings a record's values to the types of the fields, as ``RecordType/fit(_:)``.
  @inline(never)
  func fit(_ record: inout Record) throws(ZoneQueryError) -> RecordFit? { try layout.recordType.fit(&record) }

  /// The positions of the fields that were taken away from a record.
  @inline(never)
  func lostPositions(of record: Record) -> [Int32] {
    record.removed.names.compactMap { name in
      layout.recordType.position(of: name.text).map { Int32(truncatingIfNeeded: $0) }
    }
  }
}

extension Database {
  static func unfitting(
    _ value: FieldValue, _ field: FieldDefinition, _ type: RecordType, _ record: Record
  ) -> ZoneQueryError {
    let hint: String? =
      switch (value, field.type) {
      case (.int64(let number), .double): "a DOUBLE does not hold \(number) exactly"
      case (.double, .int64):
        "a field of fractions is DOUBLE, in a schema or from its first value on: in JSON with \"type\": \"DOUBLE\""
      default: nil
      }
    return invalid(
      "invalid attempt to set value type \(value.type) for field '\(field.name)' for type "
        + "'\(type.name)', defined to be: \(field.type)", record, hint: hint)
  }
}
