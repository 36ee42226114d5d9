internal import ZoneQuery

/// The options that several commands have.
enum SharedOptions {
  static let schema = ToolOption(
    text: "schema", "FILE", "The schema, in CloudKit's schema language (.ckdb).")
  static let user = ToolOption(
    text: "user", "NAME",
    "The user's record name: zones whose owner it is are the user's own, as in answers of CloudKit.")
  /// Standard input is read once: by one of the files that a command reads at most.
  static func checkInputs(_ paths: [String], of command: String, hint: String? = nil) throws(Stop) {
    if paths.filter({ Spelling.isSame($0, "-") }).count > 1 {
      throw .misuse("\(command): standard input can be read once", hint: hint)
    }
  }

  /// A zone of an option as the user of another names it.
  static func zone(_ zone: ZoneID?, of user: String?) -> ZoneID? {
    zone.map { ZoneID(webServicesName: $0.zoneName, owner: $0.ownerName, user: user) }
  }

  static let arguments = ToolOption(
    text: "arguments", "JSON",
    """
    The values of the format's conversions (%@, %K, %d …) as a JSON list: strings, numbers, true, false, lists, and \
    {"value": …, "type": …} for the rest: {"value": "2026-09-01T09:00:00Z", "type": "TIMESTAMP"}. Or those of its $names as \
    an object: {"city": "Suva"}.
    """)
  static let dialect = ToolOption<Dialect>(
    "dialect", oneOf: Dialect.allCases.map { ($0.rawValue, $0) },
    "What the predicate may say: what CloudKit takes (the default), or OR, nil, substrings, arithmetic and more.")
  static let missing = ToolOption<PredicateOptions.MissingFields>(
    "missing", oneOf: [("excluded", .excluded), ("like-nspredicate", .likeNSPredicate)],
    """
    Whether a comparison finds records that lack its field: never (the default), or, as NSPredicate has it in memory, \
    where it says != or stands under NOT.
    """)
  static let stringEquality = ToolOption<PredicateOptions.StringEquality>(
    "string-equality", oneOf: [("exact", .exact), ("case-insensitive", .caseInsensitive)],
    "How =, !=, IN and list membership compare text; exact is the default.")

  static let predicate: [OptionDefinition] = [
    arguments.definition, dialect.definition, missing.definition, stringEquality.definition,
  ]

  /// The switches that a command line sets.
  static func predicateOptions(_ arguments: ParsedArguments) -> PredicateOptions {
    var options = PredicateOptions()
    if let dialect = arguments.value(dialect) { options.dialect = dialect }
    if let missing = arguments.value(missing) { options.missingFields = missing }
    if let equality = arguments.value(stringEquality) { options.stringEquality = equality }
    return options
  }
}

/// Reads numbers and places of a command line.
enum ArgumentNumbers {
  /// A whole number in decimal digits.
  static func natural(_ text: String) -> Int? {
    guard !text.utf8.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int(text)
  }

  /// A number in decimal notation; never NaN or infinite.
  static func decimal(_ text: String) -> Double? {
    let allowed = text.utf8.allSatisfy { byte in
      byte >= 0x30 && byte <= 0x39 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }
    guard allowed, text.utf8.count <= 64, let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// A place, `LAT,LON` in degrees.
  static func place(_ text: String) -> Location? {
    let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let numbers = parts.compactMap { decimal(Spelling.withoutBlanks($0)) }
    guard numbers.count == 2, numbers[0].magnitude <= 90, numbers[1].magnitude <= 180 else { return nil }
    return Location(latitude: numbers[0], longitude: numbers[1])
  }

  static let placeExpectation = "LAT,LON in degrees, latitude within ±90 and longitude within ±180"
}
