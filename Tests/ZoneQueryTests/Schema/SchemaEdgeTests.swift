import Testing

@testable import ZoneQuery

/// Schema text at its edges: what ends early, what holds nothing, what is written so that it can be read.
struct SchemaEdgeTests {
  private func codes(_ text: String, _ options: SchemaTextOptions = SchemaTextOptions()) -> [String] {
    do throws(ZoneQueryError) {
      _ = try Schema(ckdb: text, options: options)
      return []
    } catch { return error.diagnostics.map(\.code) }
  }

  /// Texts that end in the midst of something.
  @Test(arguments: [
    ("DEFINE SCHEMA RECORD TYPE T ('a", "wrongQuotationMark"), ("DEFINE SCHEMA RECORD TYPE T (`", "wrongQuotationMark"),
    ("DEFINE SCHEMA RECORD TYPE T ('a'", "wrongQuotationMark"), ("DEFINE SCHEMA RECORD TYPE \"a", "unterminatedName"),
    ("DEFINE SCHEMA RECORD TYPE \"", "unterminatedName"), ("DEFINE SCHEMA RECORD TYPE a-", "invalidName"),
    ("DEFINE SCHEMA RECORD TYPE a--", "expectedItems"), ("DEFINE SCHEMA /", "unexpectedCharacter"),
    ("DEFINE SCHEMA /*", "unterminatedComment"), ("DEFINE SCHEMA /**", "unterminatedComment"),
    ("DEFINE SCHEMA RECORD TYPE T (\"a\rb\" STRING);", "unterminatedName"),
    ("DEFINE SCHEMA RECORD TYPE T (\"a\nb\" STRING);", "unterminatedName"),
    ("DEFINE SCHEMA RECORD TYPE T (\"a\u{7F}b\" STRING);", "controlCharacter"),
    ("DEFINE SCHEMA RECORD TYPE T (\"a\u{1F}b\" STRING);", "controlCharacter"),
    ("DEFINE SCHEMA CREATE", "expectedRole"), ("DEFINE SCHEMA RECORD", "expectedType"),
    ("DEFINE", "expectedDefineSchema"),
  ])
  func endsEarly(text: String, code: String) { #expect(codes(text).first == code) }

  @Test(arguments: [
    "DEFINE SCHEMA", "DEFINE SCHEMA--", "DEFINE SCHEMA -- x\rRECORD TYPE T ();",
    "DEFINE SCHEMA // x\nRECORD TYPE T ();",
    "DEFINE SCHEMA /**/ RECORD TYPE T/***/();", "\u{FEFF}DEFINE SCHEMA", "DEFINE SCHEMA RECORD TYPE T (a STRING--x\n);",
    "DEFINE SCHEMA RECORD TYPE T (\"a \u{20}~\" STRING);",
  ])
  func isRead(text: String) { #expect(codes(text) == []) }

  @Test func aTypeWithoutItemsIsWrittenAndRead() throws {
    var schema = Schema([RecordType("Empty"), RecordType("T", fields: [FieldDefinition("a", .string)])])
    #expect(try Schema(ckdb: schema.ckdb) == schema)
    #expect(!schema.ckdb.contains("(\n\n") && schema.ckdb.contains("RECORD TYPE Empty (\n    );"))
    schema["T"]?.grants = [RecordType.Grant([], to: "_world"), RecordType.Grant([.read, .write], to: "_creator")]
    let read = try Schema(ckdb: schema.ckdb)
    #expect(read["T"]?.grants == [RecordType.Grant([.read, .write], to: "_creator")])
  }

  /// An index that serves no query of a field's type is left out, since no text may ask for it.
  @Test func whateverAFieldIsMarkedItsTextCanBeRead() throws {
    for scalar in FieldType.Scalar.allCases {
      for isList in [false, true] {
        for isEncrypted in [false, true] where !(isEncrypted && [.asset, .reference].contains(scalar)) {
          let type = isList ? FieldType.list(scalar) : FieldType(scalar)
          let field = FieldDefinition("f", type, [.queryable, .sortable, .searchable], isEncrypted: isEncrypted)
          let text = Schema([RecordType("T", fields: [field])]).ckdb
          let read = try #require(try Schema(ckdb: text)["T"]?.field("f"))
          #expect(read.type == type && read.isEncrypted == isEncrypted)
          #expect(read.indexes.contains(.queryable) == (!isEncrypted && type.isQueryable), "\(text)")
          #expect(read.indexes.contains(.sortable) == (!isEncrypted && type.isSortable), "\(text)")
          #expect(read.indexes.contains(.searchable) == (!isEncrypted && scalar == .string), "\(text)")
          #expect(text.contains("SORTABLE") == read.indexes.contains(.sortable))
        }
      }
    }
  }

  @Test func limits() {
    var options = SchemaTextOptions()
    (options.recordTypes, options.roles, options.fieldsPerType, options.identifierLength) = (2, 1, 2, 5)
    func type(_ name: String, _ fields: Int) -> String {
      "RECORD TYPE \(name) (\((0..<fields).map { "f\($0) STRING" }.joined(separator: ", ")));"
    }
    func codes(_ parts: String...) -> [String] {
      self.codes("DEFINE SCHEMA " + parts.joined(separator: " "), options)
    }
    #expect(codes(type("A", 2), type("B", 2), "CREATE ROLE r;") == [])
    #expect(codes(type("A", 3)) == ["tooManyFields"] && codes(type("A", 9)) == ["tooManyFields"])
    #expect(codes(type("A", 1), type("B", 1), type("C", 1), type("D", 1)) == ["tooManyTypes"])
    #expect(codes("CREATE ROLE r; CREATE ROLE s;") == ["tooManyRoles"])
    #expect(codes(type("Abcde", 1)) == [] && codes(type("Abcdef", 1)) == ["nameTooLong"])
    let text = "DEFINE SCHEMA " + type("A", 1)
    options.textLength = text.utf8.count
    #expect(failureCode { try Schema(ckdb: text, options: options) } == nil)
    options.textLength -= 1
    #expect(failureCode { try Schema(ckdb: text, options: options) } != nil)
  }

  /// A definition that cannot be read takes nothing of the next.
  @Test(arguments: [
    "RECORD TYPE ( RECORD TYPE U (a INT64);", "RECORD TYPE T (a STRING x y z RECORD TYPE U (a INT64 SORTABL);",
    "CREATE ROLE ; RECORD TYPE U (a INT64 SORTABL);", "CREATE x RECORD TYPE U (a INT64 SORTABL);",
    "RECORD x CREATE ROLE \"_world\";", "x y z CREATE ROLE \"_world\";",
    "RECORD TYPE T (a) RECORD TYPE U (a INT64 SORTABL);",
  ])
  func faultsOfTheNextDefinition(text: String) {
    let codes = codes("DEFINE SCHEMA " + text)
    #expect(codes.count >= 2, "\(codes)")
  }
}
