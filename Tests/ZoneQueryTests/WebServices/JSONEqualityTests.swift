import Testing

@testable import ZoneQuery

/// JSON values are equal where kind and content are.
struct JSONEqualityTests {
  @Test func values() throws {
    let texts = [
      "null", "true", "false", "0", "1", "-0", "1.5", "1.0", "2.5", "9223372036854775808", "9223372036854775809e3",
      #""""#, #""a""#, #""b""#, "[]", "[1]", "[2]", "[1,1]", "[[1]]", "{}", #"{"a":1}"#, #"{"a":2}"#, #"{"b":1}"#,
      #"{"a":1,"b":1}"#, #"{"a":[1]}"#, #"{"a":null}"#,
    ]
    let values = try texts.map { try JSONReader.read($0) }
    for (place, value) in values.enumerated() {
      for (other, copy) in values.enumerated() {
        #expect((value == copy) == (place == other), "\(texts[place]) \(texts[other])")
      }
      #expect(try value == JSONReader.read(texts[place]))
    }
  }

  @Test func objectsKeepTheirOrder() {
    let one: JSONValue = ["a": 1, "b": 2]
    let turned: JSONValue = ["b": 2, "a": 1]
    #expect(one == ["a": 1, "b": 2] && one != turned)
  }
}
