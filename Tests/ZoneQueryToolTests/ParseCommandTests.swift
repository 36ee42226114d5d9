import Foundation
import Testing

struct ParseCommandTests {
  @Test func canonicalTextAndDialects() throws {
    let taken = try ToolProcess.run(["parse", "%K=%@", "--arguments", #"["city", "Seoul"]"#])
    #expect(taken.status == 0 && taken.output == "city == \"Seoul\"\n\ncloudkit: taken\nextended: taken\n")
    let half = try ToolProcess.run(["parse", "a = 1 OR b = 2"])
    #expect(half.status == 0 && half.lines[1] == "cloudkit: refused")
    #expect(half.lines[2].hasPrefix("cloudkit:1:7: ") && half.lines[4] == "        ^^")
    #expect(half.lines.last == "extended: taken")
    #expect(try ToolProcess.run(["parse", "a = 1 OR b = 2", "--dialect", "cloudkit"]).status == 1)
    #expect(try ToolProcess.run(["parse", "a MATCHES 'x'"]).status == 1)
    let tree = try ToolProcess.run(["parse", "a = 1 AND b = 2", "--tree"])
    #expect(tree.output.contains("\n\nand\n  comparison ==\n    key a\n    literal 1\n"))
  }

  @Test func faults() throws {
    let result = try ToolProcess.run(["parse", "a == 'x"])
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("FORMAT:1:6: ") && result.errors.contains("\n       ^"))
    let surplus = try ToolProcess.run(["parse", "a = 1", "--arguments", "[1]"])
    #expect(surplus.status == 0 && surplus.errors.contains("warning"))
    #expect(try ToolProcess.run(["parse"]).status == 64)
    #expect(try ToolProcess.run(["parse", "a", "=", "1"]).status == 64)
    #expect(try ToolProcess.run(["parse", "--batch", "--tree"]).status == 64)
  }

  @Test func batch() throws {
    let input = [
      #"{"id": 1, "format": "city = %@", "arguments": ["Seoul"]}"#,
      #"{"id": "b", "format": "a = 1 OR b = 2", "arguments": []}"#,
      #"{"id": 3, "format": "a MATCHES 'x'"}"#,
      #"{"id": 4, "format": "a ==\n 'x"}"#,
      #"{"id": 5, "format": "a = %@", "arguments": []}"#,
      #"{"id": 6, "format": 7}"#,
      #"{"id": "se\"ven", "for"#,
      #"{"format": "a = $x"}"#,
      #"{"id": 9, "format": "a = %@", "arguments": [[[1]]]}"#,
      "{}",
      #"{"id": 11, "format": "\#(String(repeating: "(", count: 500))"}"#,
      #"{"id": 12, "format": "a = $x", "arguments": {"x": {"value": 5, "type": "INT64"}}}"#,
      #"{"id": 13, "format": "a = $x", "arguments": {"$x": 5}}"#,
    ]
    let result = try ToolProcess.run(["parse", "--batch"], input: input.joined(separator: "\n"))
    #expect(result.status == 0 && result.errors.isEmpty)
    let answers = try result.objects()
    try #require(answers.count == input.count)
    #expect(
      result.lines[0]
        == #"{"id":1,"cloudKit":true,"extended":true,"text":"city == \"Seoul\"","diagnostics":[]}"#)
    let flags = answers.map { [$0["cloudKit"] as? Bool, $0["extended"] as? Bool] }
    #expect(flags[1] == [false, true] && flags[2] == [false, false] && flags[7] == [true, true])
    #expect(answers[11]["text"] as? String == "a == 5")
    for index in [3, 4, 5, 6, 8, 9, 10, 12] {
      #expect(flags[index] == [false, false] && answers[index]["text"] is NSNull, "\(index)")
      #expect((answers[index]["diagnostics"] as? [Any])?.isEmpty == false, "\(index)")
    }
    #expect(answers[6]["id"] as? String == "se\"ven" && answers[7]["id"] is NSNull)
    let or = try #require((answers[1]["diagnostics"] as? [[String: Any]])?.first)
    #expect(or["stage"] as? String == "binder" && or["code"] as? String == "orNotSupported")
    #expect(or["line"] as? Int == 1 && or["column"] as? Int == 7 && or["length"] as? Int == 2)
    #expect(or["message"] is String && or["hint"] is String)
    let quote = try #require((answers[3]["diagnostics"] as? [[String: Any]])?.first)
    #expect(quote["line"] as? Int == 2 && quote["column"] as? Int == 2)
    #expect((answers[2]["diagnostics"] as? [Any])?.count == 1, "what both dialects refuse is said once")
    #expect((answers[4]["diagnostics"] as? [[String: Any]])?.first?["stage"] as? String == "arguments")
  }

  /// A program that waits for each answer before it sends the next line must not wait for ever.
  @Test func batchAnswersEachLineAtOnce() throws {
    let result = try ToolProcess.shell(
      """
      dir=$(mktemp -d); mkfifo "$dir/in" "$dir/out"
      "$0" parse --batch < "$dir/in" > "$dir/out" &
      exec 3> "$dir/in" 4< "$dir/out"; rm -r "$dir"
      for i in 1 2 3; do echo "{\\"id\\": $i, \\"format\\": \\"a = $i\\"}" >&3; read -r line <&4; echo "$line"; done
      exec 3>&-; wait
      """)
    #expect(try result.objects().map { $0["id"] as? Int } == [1, 2, 3])
  }
}
