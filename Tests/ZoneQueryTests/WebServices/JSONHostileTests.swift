import Testing
import ZoneQuery

@Suite("JSON from hostile hands")
struct JSONHostileTests {
  static let samples = [
    #"{"recordName":"a\"b","recordType":"Talk","fields":{"title":{"value":"Straße 東京 😀","type":"STRING"}}}"#,
    #"[{"latitude":-16.8,"longitude":179.98e0},[true,false,null],"\u00e9\uD83D\uDE00\n",-0,1e-7,{"":[{}]}]"#,
    "{\"a\" : [ 1 , 2.50 ,\t-3E+2 ] ,\r\n \"\u{5D0}\" : \"\\\\\\/\" }",
  ]

  @Test("a text cut short is an error wherever it is cut")
  func refusesTruncations() {
    var checks = 0
    for sample in Self.samples {
      let bytes = Array(sample.utf8)
      #expect(throws: Never.self) { try JSONReader.read(bytes) }
      for length in 0..<bytes.count {
        #expect(throws: JSONError.self, "\(length)") { try JSONReader.read(bytes[..<length]) }
        checks += 1
      }
    }
    print("JSON truncations refused: \(checks)")
    #expect(checks >= 250)
  }

  @Test("changed bytes end in a value that survives a round trip or in an error within the text")
  func survivesMutations() {
    var generator = JSONTestGenerator(seed: 5)
    let samples = Self.samples.map { Array($0.utf8) }
    let telling = Array("\"\\{}[]:,.eE+-019tfn/u\u{0}\n ".utf8) + [0x80, 0xC3, 0xED, 0xA0, 0xF4, 0xFF]
    var taken = 0
    for round in 0..<TestAmount.of(20_000) {
      var bytes = samples[round % samples.count]
      for _ in 0...generator.below(3) {
        let place = generator.below(bytes.count)
        let byte =
          generator.below(2) == 0
          ? telling[generator.below(telling.count)] : UInt8(truncatingIfNeeded: generator.next())
        switch generator.below(4) {
        case 0: bytes.insert(byte, at: place)
        case 1: bytes.remove(at: place)
        case 2: bytes.append(contentsOf: bytes[place...].prefix(8))
        default: bytes[place] = byte
        }
      }
      do {
        let value = try JSONReader.read(bytes)
        let again = try JSONReader.read(value.text)
        #expect(again == value)
        taken += 1
      } catch {
        #expect(error.offset >= 0 && error.offset <= bytes.count && error.line >= 1 && error.column >= 1)
        #expect(!error.message.isEmpty)
      }
    }
    print("JSON mutations: 20000, of which taken: \(taken)")
    #expect(taken >= TestAmount.of(500))
  }

  @Test("random bytes never trap the reader or the splitter")
  func survivesNoise() {
    var generator = JSONTestGenerator(seed: 6)
    let alphabet = Array("{}[]\",:\\u0123eE-+.tfnrals \n\r".utf8) + [0xEF, 0xBB, 0xBF, 0xC3, 0xA9]
    for _ in 0..<TestAmount.of(10_000) {
      let bytes = (0..<generator.below(40)).map { _ in alphabet[generator.below(alphabet.count)] }
      _ = try? JSONReader.read(bytes)
      var lines = JSONLines(bytes, maximumLineLength: 8)
      var steps = 0
      while steps < 100, let line = try? lines.next() {
        _ = try? line.read()
        steps += 1
      }
      #expect(steps < 100)
    }
  }

  @Test("a hundred thousand keys, and one of them twice, stay fast")
  func findsDuplicatesFast() throws {
    var text = Array("{".utf8)
    for index in 0..<100_000 { text += Array("\"key number \(index)\":0,".utf8) }
    let whole = text.dropLast() + Array("}".utf8)
    var value = JSONValue.null
    let time = try threadTime { value = try JSONReader.read(whole) }
    #expect(value.object?.count == 100_000)
    #expect(time < .seconds(5), "\(time)")
    let twice = text + Array("\"key number 5\":1,\"key number 99\":1}".utf8)
    do {
      _ = try JSONReader.read(twice)
      Issue.record("taken")
    } catch {
      #expect(error.offset == text.count)
      #expect(error.message.contains("\"key number 5\" occurs twice"))
    }
  }

  @Test("duplicates are found at every size about the change of method, wherever they stand")
  func findsDuplicatesAtEverySize() {
    for count in 1...40 {
      for first in 0..<count {
        let keys = (0..<count).map { "\"k\($0)\":0" } + ["\"k\(first)\":0"]
        let whole = "{" + keys.dropLast().joined(separator: ",") + "}"
        #expect(throws: Never.self) { try JSONReader.read(whole) }
        do {
          _ = try JSONReader.read("{" + keys.joined(separator: ",") + "}")
          Issue.record("taken: \(count), \(first)")
        } catch {
          #expect(error.offset == whole.utf8.count, "\(error)")
        }
      }
    }
  }

  @Test("keys and strings that cost Swift's own equality quadratic time cost linear time here")
  func readsCombiningMarksFast() throws {
    // Marks of falling and rising combining class force a normalising comparison to sort each run.
    let marks = String(repeating: "\u{301}\u{316}", count: 100_000)
    let text = "{\"a\(marks)\":1,\"b\(marks)\":2,\"\(marks)\":\"\(marks)\"}"
    var value = JSONValue.null
    let time = try threadTime { value = try JSONReader.read(text) }
    #expect(value["b" + marks] == 2)
    #expect(time < .seconds(5), "\(time)")
  }

  @Test("long numbers take linear time")
  func readsLongNumbersFast() throws {
    let digits = String(repeating: "7", count: 1_000_000)
    let start = threadTime()
    #expect(try JSONReader.read("0.\(digits)").number?.double == 7.0 / 9.0)
    #expect(throws: JSONError.self) { try JSONReader.read(digits) }
    #expect(throws: JSONError.self) { try JSONReader.read("1e\(digits)") }
    #expect(try JSONReader.read("1e-\(digits)").number?.double == 0)
    let time = threadTime() - start
    #expect(time < .seconds(5), "\(time)")
  }
}
