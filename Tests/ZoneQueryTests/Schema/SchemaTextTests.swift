import Testing
import ZoneQuery

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A schema like those people have, for truncations and mutations.
let placesText = """
  DEFINE SCHEMA

      CREATE ROLE editor;

      RECORD TYPE Airport (
          "___createTime" TIMESTAMP QUERYABLE SORTABLE,
          "___recordID"   REFERENCE QUERYABLE,
          icao            STRING QUERYABLE SORTABLE, // the code
          name            STRING QUERYABLE SEARCHABLE SORTABLE,
          elevation       NUMBER PREFERRED AS DOUBLE QUERYABLE SORTABLE,
          runways         LIST<INT64> QUERYABLE, -- how many
          secret          ENCRYPTED BYTES,
          location        LOCATION QUERYABLE, /* where */
          GRANT WRITE, READ TO "_creator",
          GRANT READ TO "_world"
      );

      RECORD TYPE "Two words" (
          "STRING" STRING
      );

  """

/// The diagnostics of a text that is no schema; none where it is one.
func schemaFaults(_ text: String, _ options: SchemaTextOptions = SchemaTextOptions()) -> [Diagnostic] {
  do {
    _ = try Schema(ckdb: text, options: options)
    return []
  } catch {
    #expect(error.stage == .schema)
    #expect(error.code == .invalidSchema)
    return error.diagnostics
  }
}

@Suite("Schema text")
struct SchemaTextTests {
  @Test("Every production is read")
  func productions() throws {
    let schema = try Schema(ckdb: placesText)
    #expect(schema.roles == ["editor"])
    #expect(schema.recordTypes.map(\.name) == ["Airport", "Two words"])
    let airport = try #require(schema["Airport"])
    #expect(airport.indexes(of: .creationDate) == [.queryable, .sortable])
    #expect(airport.indexes(of: .recordID) == .queryable)
    #expect(airport.field("icao") == FieldDefinition("icao", .string, [.queryable, .sortable]))
    #expect(airport.field("name")?.indexes == [.queryable, .sortable, .searchable])
    #expect(
      airport.field("elevation")
        == FieldDefinition("elevation", .double, [.queryable, .sortable], numberSpelling: .numberPreferred))
    #expect(airport.field("runways")?.type == .list(.int64))
    #expect(airport.field("secret") == FieldDefinition("secret", .bytes, isEncrypted: true))
    #expect(airport.field("location")?.type == .location)
    #expect(
      airport.grants == [
        RecordType.Grant([.write, .read], to: "_creator"), RecordType.Grant([.read], to: "_world"),
      ])
    #expect(schema["Two words"]?.field("STRING")?.type == .string)
  }

  @Test(
    "Every type is read",
    arguments: [
      ("ASSET", FieldType.asset, false, FieldDefinition.NumberSpelling.plain), ("BYTES", .bytes, false, .plain),
      ("DOUBLE", .double, false, .plain), ("INT64", .int64, false, .plain), ("LOCATION", .location, false, .plain),
      ("REFERENCE", .reference, false, .plain), ("STRING", .string, false, .plain),
      ("TIMESTAMP", .timestamp, false, .plain), ("ENCRYPTED STRING", .string, true, .plain),
      ("ENCRYPTED LOCATION", .location, true, .plain), ("NUMBER", .double, false, .number),
      ("NUMBER PREFERRED AS INT64", .int64, false, .numberPreferred),
      ("NUMBER PREFERRED AS DOUBLE", .double, false, .numberPreferred), ("LIST<ASSET>", .list(.asset), false, .plain),
      ("list < encrypted double >", .list(.double), true, .plain),
      ("LIST<NUMBER PREFERRED AS INT64>", .list(.int64), false, .numberPreferred),
    ])
  func types(text: String, type: FieldType, isEncrypted: Bool, spelling: FieldDefinition.NumberSpelling) throws {
    let schema = try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (f \(text));")
    let expected = FieldDefinition("f", type, isEncrypted: isEncrypted, numberSpelling: spelling)
    #expect(schema["T"]?.field("f") == expected)
  }

  @Test("Words are read in any letter case, names in theirs; words in small letters are names")
  func letterCase() throws {
    let schema = try Schema(
      ckdb:
        #"define Schema record type grant (grant string queryable, Grant INT64, type double, grant read to "_world");"#
    )
    let type = try #require(schema["grant"])
    #expect(type.fields.map(\.name) == ["grant", "Grant", "type"])
    #expect(type.grants == [RecordType.Grant([.read], to: "_world")])
    #expect(schema["Grant"] == nil)
  }

  @Test("Blanks, comments, a byte order mark and empty definitions are taken")
  func layout() throws {
    let text = "\u{FEFF}-- one\r\nDEFINE/* two\n** */SCHEMA//three\rRECORD\u{C}TYPE\u{B}T(\ta\tSTRING--four\n);/**/"
    #expect(try Schema(ckdb: text)["T"]?.field("a")?.type == .string)
    #expect(try Schema(ckdb: "DEFINE SCHEMA") == Schema())
    #expect(try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T ();")["T"] == RecordType("T"))
    #expect(try Schema(ckdb: #"DEFINE SCHEMA RECORD TYPE """" ();"#)["\""] != nil)
  }

  @Test("A schema in the writer's form is written as it was read")
  func sampleFile() throws {
    let schema = try Schema(ckdb: try sampleText())
    #expect(schema.recordTypes.map(\.name) == ["Session", "Speaker", "Venue"])
    #expect(schema["Session"]?.fields.count == 17)
    // The file begins with a comment, which a schema does not keep.
    let lines = try sampleText().split(separator: "\n", maxSplits: 1)
    #expect(schema.ckdb == String(lines[1]))
  }

  @Test("The writer's form")
  func writer() throws {
    #expect(
      try Schema(ckdb: placesText).ckdb == """
        DEFINE SCHEMA

            CREATE ROLE editor;

            RECORD TYPE Airport (
                "___createTime" TIMESTAMP QUERYABLE SORTABLE,
                "___recordID"   REFERENCE QUERYABLE,
                icao            STRING QUERYABLE SORTABLE,
                name            STRING QUERYABLE SEARCHABLE SORTABLE,
                elevation       NUMBER PREFERRED AS DOUBLE QUERYABLE SORTABLE,
                runways         LIST<INT64> QUERYABLE,
                secret          ENCRYPTED BYTES,
                location        LOCATION QUERYABLE,
                GRANT WRITE, READ TO "_creator",
                GRANT READ TO "_world"
            );

            RECORD TYPE "Two words" (
                "STRING" STRING
            );

        """)
    #expect(Schema().ckdb == "DEFINE SCHEMA\n")
  }

  @Test("Generated schemas survive writing and reading")
  func roundTrip() throws {
    var generator = SchemaTestGenerator(seed: 8)
    var checks = 0
    for _ in 0..<TestAmount.of(3_500) {
      let schema = generator.schema()
      let text = schema.ckdb
      do {
        let read = try Schema(ckdb: text)
        let isSame = read == schema && read.ckdb == text
        #expect(isSame, "\(text)")
      } catch {
        Issue.record("\(error.diagnostics.map(\.message)) in \(text)")
      }
      checks += 1
    }
    print("schema round trips: \(checks)")
    #expect(checks >= TestAmount.of(3_000))
  }

  @Test("A text cut anywhere but behind a definition is an error")
  func truncations() {
    let bytes = Array(placesText.utf8)
    // Behind a definition the text so far is a schema.
    let definitionEnds = ["DEFINE SCHEMA", "editor;", "    );"].flatMap { piece -> [Int] in
      let needle = Array(piece.utf8)
      return (needle.count...bytes.count).filter { bytes[($0 - needle.count)..<$0].elementsEqual(needle) }
    }
    var errors = 0
    for length in 0...bytes.count {
      let isWhole = definitionEnds.contains { end in
        end <= length && bytes[end..<length].allSatisfy { $0 == 0x20 || $0 == 0x0A }
      }
      let faults = schemaFaults(String(decoding: bytes[..<length], as: UTF8.self))
      #expect(faults.isEmpty == isWhole, "cut at \(length)")
      for fault in faults { #expect((fault.range?.upperBound ?? .max) <= length) }
      if !isWhole { errors += 1 }
    }
    print("schema truncations: \(errors)")
    #expect(errors > 600)
  }

  @Test("Changed bytes end in a schema or in an error")
  func mutations() throws {
    var generator = SchemaTestGenerator(seed: 21)
    let bytes = Array(placesText.utf8)
    let pieces = ["\"", "/*", "--", ",", ";", "(", ")", "<", "GRANT", "LIST<", "\u{301}", "\u{0}", "RECORD TYPE", "_"]
    var schemas = 0
    var checks = 0
    let rounds = TestAmount.of(5_000, long: 20_000)
    for _ in 0..<rounds {
      var changed = bytes
      for _ in 0...generator.below(3) {
        let place = generator.below(changed.count)
        switch generator.below(4) {
        case 0: changed[place] = UInt8(generator.below(256))
        case 1: changed.remove(at: place)
        case 2: changed.insert(contentsOf: generator.pick(pieces).utf8, at: place)
        default: changed.removeSubrange(place..<min(changed.count, place + generator.below(40)))
        }
      }
      let text = String(decoding: changed, as: UTF8.self)
      do {
        let schema = try Schema(ckdb: text)
        schemas += 1
        let isSame = try Schema(ckdb: schema.ckdb) == schema
        #expect(isSame, "\(text)")
      } catch {
        #expect((1...Diagnostic.most).contains(error.diagnostics.count))
      }
      checks += 1
    }
    print("schema mutations: \(checks), of which \(schemas) still schemas")
    #expect(checks == rounds)
    #expect(schemas > rounds / 40)
  }

  @Test(
    "Hostile texts take linear time",
    arguments: ["(", ")", ",", ";", "\"", "\"a", "<", "a ", "a,", "/*", "é", "RECORD TYPE a(", "'", "-", "{"])
  func hostile(piece: String) {
    for prefix in ["", "DEFINE SCHEMA ", "DEFINE SCHEMA RECORD TYPE T (", "DEFINE SCHEMA RECORD TYPE T (a STRING "] {
      let text = prefix + String(repeating: piece, count: TestAmount.of(20_000))
      let faults = schemaFaults(text)
      #expect(!faults.isEmpty || (piece == "-" && prefix == "DEFINE SCHEMA "))
      #expect(faults.count <= Diagnostic.most)
    }
  }

  private func sampleText() throws -> String {
    let here = URL(filePath: #filePath)
    let tests = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return String(decoding: try Data(contentsOf: tests.appending(path: "Samples/conference.ckdb")), as: UTF8.self)
  }
}
