import Testing
import ZoneQuery

@Suite("JSON writer")
struct JSONWriterTests {
  @Test("what is written is read back as the same value, compact and indented")
  func roundTrips() throws {
    var generator = JSONTestGenerator(seed: 1)
    var checks = 0
    for _ in 0..<TestAmount.of(20_000) {
      let value = generator.value()
      let compact = value.text
      #expect(try JSONReader.read(compact) == value)
      if checks % 8 == 0 { #expect(try JSONReader.read(value.prettyText) == value) }
      checks += 1
    }
    print("JSON round trips: \(checks)")
    #expect(checks >= TestAmount.of(20_000))
  }

  @Test("doubles take the fewest digits and stay doubles")
  func writesDoubles() throws {
    let expected: [(Double, String)] = [
      (3, "3.0"), (0, "0.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e15, "1000000000000000.0"), (1e16, "1e+16"),
      (1e-5, "1e-05"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.leastNonzeroMagnitude, "5e-324"),
      (9_007_199_254_740_992, "9007199254740992.0"), (-1.5, "-1.5"),
    ]
    for (value, text) in expected {
      let written = JSONValue.number(try #require(JSONNumber(value)))
      #expect(written.text == text)
      let read = try #require(try JSONReader.read(text).number)
      #expect(read.double.bitPattern == value.bitPattern && !read.isWhole)
    }
  }

  @Test("whole numbers beyond Int64 stay whole")
  func writesLargeWholeNumbers() throws {
    for value in [9.3e18, 1e19, -1e19, 1.2345678901234567e25, 1e300, -.greatestFiniteMagnitude] {
      let number = try #require(JSONNumber(wholeBeyondInt64: value))
      let text = JSONValue.number(number).text
      let digits = text.utf8.dropFirst(value < 0 ? 1 : 0)
      #expect(digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }, "\(text)")
      #expect(try JSONReader.read(text).number == number)
    }
  }

  @Test("escapes are the least the RFC demands")
  func escapesLittle() {
    var text = ""
    for scalar in 0..<UInt8(0x80) { text.unicodeScalars.append(Unicode.Scalar(scalar)) }
    var expected = "\""
    for scalar in 0..<UInt8(0x20) {
      expected += (scalar < 16 ? "\\u000" : "\\u00") + String(scalar, radix: 16, uppercase: true)
    }
    expected +=
      ##" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"##
    #expect(JSONValue.string(text).text == expected + "\u{7F}\"")
    #expect(JSONValue.string("é/\u{2028}😀").text == "\"é/\u{2028}😀\"")
  }

  @Test("the indented form breaks lines at members and leaves the empty whole")
  func indents() {
    let value: JSONValue = ["a": [1, true], "b": [:], "c": [], "d": ["e": nil]]
    #expect(
      value.prettyText == """
        {
          "a": [
            1,
            true
          ],
          "b": {},
          "c": [],
          "d": {
            "e": null
          }
        }
        """)
    #expect(value.text == #"{"a":[1,true],"b":{},"c":[],"d":{"e":null}}"#)
  }

  @Test("pieces and whole values mix, and lines follow each other")
  func writesPieces() {
    var writer = JSONWriter(appendingTo: Array("# ".utf8))
    writer.beginObject()
    writer.key("n")
    writer.integer(-7)
    writer.key("list")
    writer.beginArray()
    writer.null()
    writer.bool(false)
    writer.write(["k": "v"])
    writer.beginArray()
    writer.endArray()
    writer.endArray()
    writer.key("s")
    writer.string("x")
    writer.endObject()
    writer.endLine()
    writer.write(2)
    writer.endLine()
    let first = writer.takeBytes()
    #expect(
      String(decoding: first, as: UTF8.self)
        == "# {\"n\":-7,\"list\":[null,false,{\"k\":\"v\"},[]],\"s\":\"x\"}\n2\n")
    writer.write([1])
    #expect(writer.bytes == Array("[1]".utf8))
  }
}
