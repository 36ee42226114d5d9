import Testing

struct RequestCommandTests {
  @Test func whatIsAnswered() throws {
    let whole = try ToolProcess.run([
      "request", "--type", "Session", "--where", "city = %@ AND level BETWEEN {1, 2}", "--arguments", #"["Seoul"]"#,
      "--sort", "start:desc", "--limit", "3", "--keys", "title,start", "--zone", "anna/trips",
    ])
    let expected =
      #"{"query":{"recordType":"Session","filterBy":[{"comparator":"EQUALS","fieldName":"city","fieldValue":{"value":"Seoul","type":"STRING"}},"#
      + #"{"comparator":"GREATER_THAN_OR_EQUALS","fieldName":"level","fieldValue":{"value":1,"type":"INT64"}},"#
      + #"{"comparator":"LESS_THAN_OR_EQUALS","fieldName":"level","fieldValue":{"value":2,"type":"INT64"}}],"#
      + #""sortBy":[{"fieldName":"start","ascending":false}]},"zoneID":{"zoneName":"trips","ownerRecordName":"anna"},"#
      + #""resultsLimit":3,"desiredKeys":["title","start"]}"#
    #expect(whole.status == 0 && whole.output == expected + "\n" && whole.errors.isEmpty)
    let wide = try ToolProcess.run(["request", "--type", "Venue", "--near", "place:1,2", "--zone-wide"])
    #expect(wide.output.contains(#""relativeLocation":{"latitude":1.0,"longitude":2.0}}]},"zoneWide":true}"#))
  }

  @Test func whatIsPrintedIsAnsweredAsTheQuery() throws {
    let records = ToolProcess.records
    let question = ["--type", "Session", "--where", "self CONTAINS 'map maps' AND capacity >= 100", "--sort", "start"]
    let request = try ToolProcess.run(["request"] + question + ["--keys", "title"])
    let answer = try ToolProcess.run(["answer", "records/query", "--records", records], input: request.output)
    let names = answer.output.split(separator: #"{"recordName":""#).dropFirst().compactMap {
      $0.split(separator: "\"").first.map(String.init)
    }
    let found = try ToolProcess.run(
      ["query", "--records", records] + question + ["--format", "jsonl", "--keys", "title"])
    let expected = found.output.split(separator: "\n").compactMap {
      $0.split(separator: "\"").dropFirst(3).first.map(String.init)
    }
    #expect(answer.status == 0 && !names.isEmpty && names == expected)
  }

  @Test func whatIsRefused() throws {
    let schema = ToolProcess.schema
    for (words, message) in [
      (["--where", "level = 1 OR level = 2"], "--where:1:11: CloudKit's dialect has no OR"),
      (["--where", "level = 1 OR room = 'a'"], "hint: Run one query for each alternative"),
      (["--where", "level = $x"], "--where:1:9: The parameter $x has no value."),
      (["--where", "FALSEPREDICATE"], "--where:1:1: No filter finds nothing"),
      (["--where", "lavel = 1", "--schema", schema], "hint: Did you mean 'level'?"),
      (["--sort", "lavel", "--schema", schema], "lavel"),
    ] {
      let run = try ToolProcess.run(["request", "--type", "Session"] + words)
      #expect(run.status == 1 && run.output.isEmpty && run.errors.contains(message), "\(run.errors)")
      #expect(!run.errors.contains("extended"), "\(run.errors)")
    }
    let misuse = try ToolProcess.run(["request", "--type", "T", "--zone", "a", "--zone-wide"])
    #expect(misuse.status == 64 && misuse.errors.contains("--zone is of one zone"))
  }
}
