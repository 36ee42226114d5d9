import Foundation
import Testing

struct OtherCommandTests {
  @Test func generateIsTheSameForASeed() throws {
    let first = try ToolProcess.run(["generate", "--type", "Event", "--count", "300", "--seed", "7"])
    let again = try ToolProcess.run(["generate", "--type", "Event", "--count", "300", "--seed", "7"])
    let other = try ToolProcess.run(["generate", "--type", "Event", "--count", "300", "--seed", "8"])
    #expect(first.status == 0 && first.output == again.output && first.output != other.output)
    let records = try first.objects()
    #expect(records.count == 300)
    #expect(Set(records.compactMap { $0["recordName"] as? String }).count == 300)
    #expect(records.allSatisfy { ($0["recordName"] as? String)?.utf8.count == 36 })
    let fields = try records.map { try #require($0["fields"] as? [String: [String: Any]]) }
    #expect(
      fields[0].keys.sorted() == [
        "attendees", "body", "city", "location", "name", "owner", "price", "rating", "start", "tags", "title",
      ])
    #expect(Set(fields.compactMap { $0["start"]?["value"] as? Int }).count == 300)
    let back = try ToolProcess.run(["query", "--records", "-", "--type", "Event", "--count"], input: first.output)
    #expect(back.output == "300\n" && back.errors.isEmpty)
  }

  /// The first record of seed 1, so that a change of what a seed means is noticed.
  @Test func generateStaysTheSame() throws {
    let result = try ToolProcess.run(["generate", "--type", "Event", "--count", "1000"])
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in result.output.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    #expect(String(hash, radix: 16) == "579afce6a4a4284e")
  }

  @Test func generateFollowsASchema() throws {
    for type in ["Session", "Speaker", "Venue"] {
      let records = try ToolProcess.run(
        ["generate", "--schema", ToolProcess.schema, "--type", type, "--count", "50", "--seed", "3"])
      #expect(records.lines.count == 50)
      let back = try ToolProcess.run(
        ["query", "--records", "-", "--schema", ToolProcess.schema, "--type", type, "--count"], input: records.output)
      #expect(back.output == "50\n", "\(back.errors)")
    }
    #expect(try ToolProcess.run(["generate", "--type", "Venue"]).status == 64)
    let unknown = try ToolProcess.run(["generate", "--type", "Nothing", "--schema", ToolProcess.schema])
    #expect(unknown.status == 1 && unknown.errors.contains("its types are Session, Speaker, Venue"))
    let slip = try ToolProcess.run(["generate", "--type", "Sesion", "--schema", ToolProcess.schema])
    #expect(slip.errors.contains("hint: Session is one"))
  }

  @Test func schema() throws {
    let first = try ToolProcess.run(["schema", ToolProcess.schema])
    #expect(first.status == 0 && first.output.hasPrefix("DEFINE SCHEMA\n"))
    #expect(try ToolProcess.run(["schema", "-"], input: first.output).output == first.output)
    let broken = try ToolProcess.run(["schema", "-"], input: "DEFINE SCHEMA\r\n RECORD TYPE T ( a STRING ),")
    #expect(broken.status == 1 && broken.errors.hasPrefix("standard input:2:"))
    let bytes = try ToolProcess.shell(#"printf 'DEFINE\n\377' | "$0" schema -"#)
    #expect(bytes.status == 1 && bytes.errors == "standard input:2: the text is not UTF-8\n")
    #expect(try ToolProcess.run(["schema"]).status == 64)
  }

  @Test func tokenize() throws {
    let result = try ToolProcess.run(["tokenize", "The Café, 3.14 €", "cafe"])
    #expect(
      result.output == """
        dropped, stop word           the   'The'
        token                        cafe  'Café'
        dropped, no letter or digit        ', '
        token                        3.14  '3.14'
        dropped, no letter or digit        ' € '
        token, again                 cafe  'cafe'

        """)
    #expect(try ToolProcess.run(["tokenize", "-"], input: "東京").lines.count == 2)
    let none = try ToolProcess.run(["tokenize", "to be"])
    #expect(none.status == 0 && none.errors.contains("no token is left"))
  }

  @Test func distance() throws {
    #expect(try ToolProcess.run(["distance", "0,0", "0,1"]).output == "111319.490793\n")
    #expect(try ToolProcess.run(["distance", "--", "-30,0", "29.9,179.8"]).output == "19989832.827610\n")
    #expect(try ToolProcess.run(["distance", "-90,0", "90,45"]).output == "20003931.458625\n")
    #expect(try ToolProcess.run(["distance", "1,2", "1,2"]).output == "0.000000\n")
    for arguments in [["1,2"], ["1,2", "nan,0"], ["1,2", "91,0"], ["1,2", "3,4", "5,6"]] {
      #expect(try ToolProcess.run(["distance"] + arguments).status == 64, "\(arguments)")
    }
  }

  @Test func helpAndVersion() throws {
    let version = try ToolProcess.run(["--version"])
    #expect(version.status == 0 && version.output.hasPrefix("zonequery 0."))
    let help = try ToolProcess.run(["--help"])
    #expect(help.status == 0 && help.errors.isEmpty)
    for command in ["query", "match", "watch", "parse", "generate", "schema", "tokenize", "distance"] {
      #expect(help.output.contains("\n  \(command) "))
      let one = try ToolProcess.run([command, "--help"])
      #expect(one.status == 0 && one.output.contains("Usage: zonequery \(command)"))
      #expect(try ToolProcess.run(["help", command]).output == one.output)
    }
    let nothing = try ToolProcess.run([])
    #expect(nothing.status == 64 && nothing.output.isEmpty && nothing.errors.contains("Usage: zonequery"))
    let unknown = try ToolProcess.run(["quury"])
    #expect(unknown.status == 64 && unknown.errors == "zonequery: there is no command 'quury'\nhint: query is one\n")
    #expect(try ToolProcess.run(["help", "help"]).output == help.output)
    #expect(try ToolProcess.run(["help", "--help"]).output == help.output)
    let two = try ToolProcess.run(["help", "query", "match"])
    #expect(two.status == 64 && two.errors.hasPrefix("zonequery: help: there is no use for 'match'"))
    #expect(try ToolProcess.run(["query", "--help", "--records"]).output.contains("Usage: zonequery query"))
    #expect(try ToolProcess.run(["query", "--recrods", "x"]).errors.contains("hint: --records is one"))
  }

  @Test func argumentsThatAreNoText() throws {
    let result = try ToolProcess.shell(#"exec "$0" tokenize "$(printf 'a\377')""#)
    #expect(result.status == 64 && result.errors == "zonequery: argument 2 is not UTF-8\n")
  }

  @Test func closedOutputEndsQuietly() throws {
    let pipe = try ToolProcess.shell(
      #""$0" generate --type Event --count 20000 | head -n 1 | wc -l"#)
    #expect(pipe.status == 0 && pipe.errors.isEmpty && pipe.output.contains("1"))
    let never = try ToolProcess.shell(#"exec "$0" --version >&-"#)
    #expect(never.status == 1 && never.errors == "zonequery: standard output: Bad file descriptor\n")
    let full = try ToolProcess.shell(#"test -e /dev/full || exit 1; exec "$0" --version > /dev/full"#)
    #expect(full.status == 1)
  }
}
