import Testing
import ZoneQuery

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A faulty text, in which « » enclose what the first diagnostic marks.
struct SchemaFault: Sendable, CustomTestStringConvertible {
  let text: String
  let code: String
  let hint: String?
  let isAlone: Bool

  var testDescription: String { text }

  /// A fault in a whole text.
  init(_ text: String, _ code: String, hint: String? = nil, alone: Bool = true) {
    self.text = text
    self.code = code
    self.hint = hint
    self.isAlone = alone
  }

  /// A fault in the items of a type.
  static func items(_ items: String, _ code: String, hint: String? = nil, alone: Bool = true) -> SchemaFault {
    SchemaFault("DEFINE SCHEMA RECORD TYPE T (\(items));", code, hint: hint, alone: alone)
  }
}

private let faults: [SchemaFault] = [
  // The schema and its definitions.
  SchemaFault("«»", "expectedDefineSchema"),
  SchemaFault("«SELECT» a", "expectedDefineSchema"),
  SchemaFault(
    #"{«"a"»: {"b": "c"}, "d": [1, 2], "e": "}"}"#, "expectedDefineSchema", hint: "A schema begins with DEFINE SCHEMA."),
  SchemaFault("«a»; b = c RECORD TYPE T ();", "expectedDefineSchema", alone: false),
  SchemaFault("DEFINE «SCHEMAS» RECORD TYPE T (a STRING);", "expectedDefineSchema"),
  SchemaFault("«RECORD» TYPE T (a STRING);", "expectedDefineSchema"),
  SchemaFault("DEFINE SCHEMA«»  RECORD TYPE T", "", hint: nil).with(
    "expectedItems", place: "DEFINE SCHEMA  RECORD TYPE T«»", alone: false),
  SchemaFault("DEFINE SCHEMA «RECRD» TYPE T (a STRING);", "expectedDefinition", hint: "Write RECORD."),
  SchemaFault("DEFINE SCHEMA «TABLE» T (a STRING);", "expectedDefinition"),
  SchemaFault("DEFINE SCHEMA RECORD «TYP» T (a STRING);", "expectedType", hint: "Write TYPE."),
  SchemaFault("DEFINE SCHEMA CREATE «ROL» x;", "expectedRole", hint: "Write ROLE."),
  SchemaFault("DEFINE SCHEMA CREATE ROLE «;»", "expectedName"),
  SchemaFault("DEFINE SCHEMA CREATE ROLE x; CREATE ROLE «x»;", "duplicateRole"),
  SchemaFault("DEFINE SCHEMA CREATE ROLE «\"_world\"»;", "duplicateRole"),
  SchemaFault("DEFINE SCHEMA CREATE ROLE «\"_mine\"»;", "invalidRole"),
  SchemaFault("DEFINE SCHEMA «;»", "strayMark", hint: "Remove it."),
  SchemaFault(
    "DEFINE SCHEMA RECORD TYPE T (a STRING)«»\nRECORD TYPE U (b STRING);", "missingSemicolon", hint: "Write ; here."),
  SchemaFault("DEFINE SCHEMA RECORD TYPE T (a STRING)«»", "missingSemicolon"),
  SchemaFault("DEFINE SCHEMA CREATE ROLE x«» CREATE ROLE y;", "missingSemicolon"),
  SchemaFault("DEFINE SCHEMA RECORD TYPE «(»a STRING);", "expectedName", alone: true),
  SchemaFault("DEFINE SCHEMA RECORD TYPE T«» a STRING;", "expectedItems", hint: "Write ( here."),
  SchemaFault("DEFINE SCHEMA RECORD TYPE T (a STRING«»;", "missingParenthesis", hint: "Write ) here."),
  SchemaFault("DEFINE SCHEMA RECORD TYPE T (a STRING«»\nRECORD TYPE U (b STRING);", "missingParenthesis", alone: false),
  SchemaFault(
    "DEFINE SCHEMA RECORD TYPE T ();\nRECORD TYPE «T» ();", "duplicateType", hint: "The first definition is on line 1."),
  // Items.
  .items("a STRING«» b INT64", "missingComma", hint: "Write , between two items."),
  .items("a STRING QUERYABLE«» \"b\" INT64", "missingComma"),
  .items("a STRING«» GRANT READ TO x", "missingComma"),
  .items("a STRING«,»", "trailingComma", hint: "Remove it."),
  .items("«,» a STRING", "expectedName"),
  .items("a STRING «<» b", "unexpectedToken"),
  .items("a STRING, b INT64,\n «a» DOUBLE", "duplicateField", hint: "The first definition is on line 1."),
  .items("\"___etag\" STRING, «\"___etag\"» STRING", "duplicateField"),
  .items("a STRING, «QUERYABLE», b INT64", "misplacedIndex"),
  .items("«STRING» a, b INT64", "typeBeforeName", hint: "Write a STRING."),
  // Names.
  .items("«STRING» STRING", "reservedWord", hint: "Write \"STRING\"."),
  .items("«TYPE» STRING", "reservedWord", hint: "Write \"TYPE\"."),
  SchemaFault("DEFINE SCHEMA RECORD TYPE «RECORD» (a STRING);", "reservedWord", hint: "Write \"RECORD\"."),
  .items("«_hidden» STRING", "leadingUnderscore", hint: "Write \"_hidden\"."),
  .items("«___etag» STRING", "leadingUnderscore", hint: "Write \"___etag\"."),
  .items("«été» STRING", "invalidName", hint: "Write \"été\"."),
  .items("«9lives» STRING", "invalidName", hint: "Write \"9lives\"."),
  SchemaFault(
    "DEFINE SCHEMA RECORD TYPE «cloudkit.share» (a STRING);", "invalidName", hint: "Write \"cloudkit.share\"."),
  .items("«\"\"» STRING", "emptyName"),
  .items("«\"a\tb\"» STRING", "controlCharacter"),
  .items("«'a'» STRING", "wrongQuotationMark"),
  .items("«`a`» STRING", "wrongQuotationMark"),
  .items("«\(String(repeating: "n", count: 256))» STRING", "nameTooLong"),
  SchemaFault("DEFINE SCHEMA RECORD TYPE T («\"a STRING);»\n", "unterminatedName", alone: false),
  .items("a STRING «/*»", "unterminatedComment"),
  .items("a STRING «=» b", "unexpectedCharacter", alone: false),
  // System fields.
  .items("«\"___etags\"» STRING", "unknownSystemField", hint: "Write \"___etag\"."),
  .items("«\"___createdTime\"» TIMESTAMP", "unknownSystemField", hint: "Write \"___createTime\"."),
  .items("\"___etag\" «INT64»", "systemFieldType", hint: "Write STRING."),
  .items("\"___etag\" «ENCRYPTED» STRING", "systemFieldType"),
  .items("\"___recordID\" REFERENCE «SEARCHABLE»", "uselessIndex"),
  // Types.
  .items("a «STRIN»", "unknownType", hint: "Write STRING."),
  .items("a «TEXT»", "unknownType", hint: "Write STRING."),
  .items("a «boolean» QUERYABLE", "unknownType", hint: "Write INT64."),
  .items("a «VARCHAR»(255)", "unknownType", hint: "Write STRING."),
  .items("a «DATE»", "unknownType", hint: "Write TIMESTAMP."),
  .items("a «STRING_LIST»", "unknownType", hint: "Write LIST<STRING>."),
  .items("a «ARRAY»<STRING>", "unknownType", hint: "Write LIST<…>."),
  .items("a «zzzzzz»", "unknownType"),
  .items("a«»", "expectedFieldType"),
  .items("a«», b STRING", "expectedFieldType"),
  .items("a«» QUERYABLE, b STRING", "expectedFieldType"),
  .items("a LIST«», b STRING", "expectedAngle"),
  .items("a LIST«» STRING", "expectedAngle"),
  .items("a LIST<STRING«», b STRING", "expectedAngle", hint: "Write > here."),
  .items("a LIST<«LIST»<STRING>>", "listOfLists"),
  .items("a LIST<STRING>«>», b STRING", "unexpectedToken"),
  .items("a ENCRYPTED «ASSET»", "notEncryptable"),
  .items("a ENCRYPTED «REFERENCE»", "notEncryptable"),
  .items("a ENCRYPTED «NUMBER»", "notEncryptable"),
  .items("a ENCRYPTED «LIST»<STRING>", "notEncryptable", hint: "Write LIST<ENCRYPTED …>."),
  .items("a ENCRYPTED «ENCRYPTED» STRING", "notEncryptable"),
  .items("a NUMBER PREFERRED«» INT64", "expectedAs", hint: "Write AS here."),
  .items("a NUMBER PREFERRED AS «STRING»", "preferredType"),
  // Indexes.
  .items("a STRING «QUERYBLE»", "unknownIndex", hint: "Write QUERYABLE."),
  .items("a STRING «UNIQUE», b STRING", "unknownIndex"),
  .items("a ENCRYPTED STRING «QUERYABLE»", "uselessIndex", hint: "Remove the index or ENCRYPTED."),
  .items("a BYTES «QUERYABLE»", "uselessIndex", hint: "Remove the index."),
  .items("a BYTES «SORTABLE»", "uselessIndex"),
  .items("a ASSET «QUERYABLE»", "uselessIndex"),
  .items("a LIST<BYTES> «QUERYABLE»", "uselessIndex"),
  .items("a LIST<STRING> QUERYABLE «SORTABLE»", "uselessIndex"),
  .items("a LOCATION «SORTABLE»", "uselessIndex", hint: "Write QUERYABLE."),
  .items("a INT64 «SEARCHABLE»", "uselessIndex"),
  .items("a LIST<INT64> «SEARCHABLE»", "uselessIndex"),
  // Grants.
  .items("GRANT «DELETE» TO x", "expectedPermission"),
  .items("GRANT READ, «WRTE» TO x", "expectedPermission", hint: "Write WRITE."),
  .items("GRANT «TO» x", "expectedPermission"),
  .items("GRANT READ«» x", "expectedTo"),
  .items("GRANT READ TO«»", "", hint: nil).with(
    "expectedName", place: "DEFINE SCHEMA RECORD TYPE T (GRANT READ TO«)»;"),
  .items("GRANT READ TO «_world»", "leadingUnderscore", hint: "Write \"_world\"."),
  .items("GRANT READ TO «\"_creater\"»", "unknownRole", hint: "Write \"_creator\"."),
]

extension SchemaFault {
  fileprivate func with(_ code: String, place: String, alone: Bool = true) -> SchemaFault {
    SchemaFault(place, code, hint: hint, alone: alone)
  }
}

@Suite("Schema diagnostics")
struct SchemaDiagnosticTests {
  @Test("A fault is told with its place and what would be right", arguments: faults)
  func faultIsTold(_ fault: SchemaFault) throws {
    let pieces = fault.text.split(separator: "«", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = pieces[1].split(separator: "»", maxSplits: 1, omittingEmptySubsequences: false)
    let start = pieces[0].utf8.count
    let text = String(pieces[0]) + String(rest[0]) + String(rest[1])
    let diagnostics = schemaFaults(text)
    let first = try #require(diagnostics.first)
    #expect(first.code == fault.code, "\(first)")
    #expect(first.range == SourceRange(start, start + rest[0].utf8.count), "\(first)")
    if let hint = fault.hint { #expect(first.hint == hint) }
    if fault.isAlone { #expect(diagnostics.count == 1, "\(diagnostics)") }
  }

  @Test("One pass finds every fault, in the order of the text")
  func severalFaults() {
    let text = """
      DEFINE SCHEMA
        RECORD TYPE A (
          a STRIN QUERYABLE,
          _b INT64
          c BYTES QUERYABLE SORTABLE,
          a DOUBLE,
          GRANT REED TO "_world",
        );
        RECORD TYPE A (
          d = STRING
        )
      """
    let faults = schemaFaults(text)
    let codes = [
      "unknownType", "leadingUnderscore", "missingComma", "uselessIndex", "uselessIndex", "duplicateField",
      "expectedPermission", "trailingComma", "duplicateType", "unexpectedCharacter", "missingSemicolon",
    ]
    #expect(faults.map(\.code) == codes)
    #expect(faults.map(\.stage).filter { $0 == .lexer }.count == 1)
    let source = SourceText(text)
    let lines: [Int?] = faults.map { $0.line(in: source) }
    #expect(lines == [3, 4, 4, 5, 5, 6, 7, 7, 9, 10, 11])
  }

  @Test("An error of schema text shows the line and a caret")
  func shown() throws {
    let error = try #require(throws: ZoneQueryError.self) {
      try Schema(ckdb: "DEFINE SCHEMA\nRECORD TYPE T (\n  a STRIN\n);")
    }
    let source = try #require(error.source)
    let diagnostic = try #require(error.diagnostics.first)
    #expect(
      DiagnosticFormatter(source).format(diagnostic)
        == "3:5: There is no type STRIN.\n    a STRIN\n      ^^^^^\nhint: Write STRING.")
  }

  @Test("At most twenty faults are told")
  func most() {
    let items = Array(repeating: "a =", count: 500).joined(separator: ",")
    #expect(schemaFaults("DEFINE SCHEMA RECORD TYPE T (\(items));").count == Diagnostic.most)
  }

  @Test("Limits are settings")
  func limits() {
    var options = SchemaTextOptions()
    options.fieldsPerType = 2
    options.recordTypes = 1
    options.roles = 1
    options.grantsPerType = 1
    options.identifierLength = 7
    let text = """
      DEFINE SCHEMA CREATE ROLE a; CREATE ROLE b;
      RECORD TYPE T (a STRING, "___etag" STRING, b STRING, c STRING, d STRING, GRANT READ TO a, GRANT READ TO a);
      RECORD TYPE U (abcdefgh STRING); RECORD TYPE V ();
      """
    #expect(
      schemaFaults(text, options).map(\.code)
        == ["tooManyRoles", "tooManyFields", "tooManyGrants", "tooManyTypes", "nameTooLong"])
    options.textLength = 10
    let error = #expect(throws: ZoneQueryError.self) { try Schema(ckdb: text, options: options) }
    #expect(error?.message.hasPrefix("The text of a schema has at most 10 bytes") == true)
  }

  @Test("256 fields are taken, 257 are not")
  func fieldLimit() {
    func text(_ count: Int) -> String {
      "DEFINE SCHEMA RECORD TYPE T (\((0..<count).map { "f\($0) STRING" }.joined(separator: ",")));"
    }
    #expect(schemaFaults(text(256)).isEmpty)
    #expect(schemaFaults(text(257)).map(\.code) == ["tooManyFields"])
  }

  @Test("Indexes that serve nothing can be dropped instead of refused")
  func uselessIndexes() throws {
    var options = SchemaTextOptions()
    options.uselessIndexes = .dropped
    let text = "DEFINE SCHEMA RECORD TYPE T (a BYTES QUERYABLE SORTABLE, b LIST<STRING> QUERYABLE SEARCHABLE SORTABLE);"
    let schema = try Schema(ckdb: text, options: options)
    #expect(schema["T"]?.field("a")?.indexes == [])
    #expect(schema["T"]?.field("b")?.indexes == [.queryable, .searchable])
  }

  @Test("Every production of the grammar names a function that exists")
  func grammar() throws {
    let here = URL(filePath: #filePath)
    let package = (0..<4).reduce(here) { url, _ in url.deletingLastPathComponent() }
    func text(_ path: String) throws -> String {
      String(decoding: try Data(contentsOf: package.appending(path: path)), as: UTF8.self)
    }
    let folder = "Sources/ZoneQuery/Schema/"
    let sources = [
      "SchemaReader": try text(folder + "SchemaReader.swift") + text(folder + "SchemaReader+Items.swift"),
      "SchemaLexer": try text(folder + "SchemaLexer.swift"),
    ]
    var readers = 0
    for line in try text("Grammar/Schema.ebnf").split(separator: "\n") where line.hasPrefix("(* reader: ") {
      let name = line.dropFirst("(* reader: ".count).prefix { $0 != " " }.split(separator: ".")
      let source = try #require(sources[String(name[0])])
      #expect(source.contains("func \(name[1])("), "\(line)")
      readers += 1
    }
    #expect(readers == 18)
  }
}
