extension Schema {
  /// The record type of a name.
  ///
  /// - Throws: `unknownRecordType`.
  func recordType(_ name: String, for stage: ZoneQueryError.Stage) throws(ZoneQueryError) -> RecordType {
    if let type = self[name] { return type }
    throw ZoneQueryError(
      stage, .unknownRecordType, "Did not find record type: '\(SyntaxError.excerpt(name))'",
      hint: suggestion(forType: name))
  }

  /// The record type of nearly the same name, or else those there are.
  func suggestion(forType name: String) -> String? {
    let known = recordTypes.prefix(64).map { (name: $0.name, bytes: $0.name.utf8.map { $0 | 0x20 }) }
    if known.isEmpty {
      return "There are no record types yet: a database without a schema learns them from what is saved."
    }
    if name.utf8.count <= 64 {
      let near = EditDistance.nearest(
        to: name.utf8.map { $0 | 0x20 }, among: known, most: min(2, name.utf8.count / 3))
      if let near { return "Did you mean '\(near.name)'?" }
    }
    return "the record types are " + known.prefix(12).map(\.name).joined(separator: ", ")
  }
}
