import Testing
import ZoneQuery

@Suite("JSON lines")
struct JSONLinesTests {
  private struct ReadFailure: Error, Equatable {}

  private func collect(_ text: String) throws -> [(Int, Int, String)] {
    var lines = JSONLines(Array(text.utf8))
    var result: [(Int, Int, String)] = []
    while let line = try lines.next() {
      result.append((line.number, line.offset, String(decoding: line.bytes, as: UTF8.self)))
    }
    return result
  }

  @Test("lines end with or without a carriage return, the last with nothing; blank ones only count")
  func splits() throws {
    let lines = try collect("1\n\n 2\r\n \t\r\n\r\n\"a\rb\"\r\n3")
    #expect(lines.map(\.0) == [1, 3, 6, 7])
    #expect(lines.map(\.1) == [0, 3, 13, 20])
    #expect(lines.map(\.2) == ["1", " 2", "\"a\rb\"", "3"])
    #expect(try collect("").isEmpty)
    #expect(try collect("\n\n").isEmpty)
    #expect(try collect("1\r").map(\.2) == ["1"])
    #expect(try collect("1\n").map(\.2) == ["1"])
  }

  @Test("chunks of every size give the lines of the whole")
  func splitsChunks() throws {
    let text = "{\"a\":1}\r\n\n[2,\"東京\"]\n\r\n  \nnull\n\n\n7"
    let bytes = Array(text.utf8)
    let expected = try collect(text)
    var checks = 0
    for size in 1...bytes.count {
      for emptyEvery in [0, 2] {
        var place = 0
        var calls = 0
        var lines = JSONLines<Never>(source: { () throws(Never) -> [UInt8]? in
          calls += 1
          if emptyEvery > 0, calls % emptyEvery == 0 { return [] }
          guard place < bytes.count else { return nil }
          let chunk = Array(bytes[place..<min(place + size, bytes.count)])
          place += size
          return chunk
        })
        var found: [(Int, Int, String)] = []
        while let line = try lines.next() {
          found.append((line.number, line.offset, String(decoding: line.bytes, as: UTF8.self)))
        }
        #expect(found.elementsEqual(expected, by: ==), "\(size)")
        #expect(try lines.next() == nil)
        checks += 1
      }
    }
    #expect(checks >= 60)
  }

  @Test("a line beyond the limit is named and passed over, in a buffer and in chunks")
  func limitsLines() throws {
    let text = "12345\r\n123456\n1234567890123\n\n12345\n123456"
    let bytes = Array(text.utf8)
    for size in 1...bytes.count + 1 {
      var lines =
        size > bytes.count
        ? JSONLines(bytes, maximumLineLength: 5) : JSONLines(bytes, inChunksOf: size, maximumLineLength: 5)
      var events: [String] = []
      var isDone = false
      while !isDone {
        do {
          if let line = try lines.next() {
            events.append("\(line.number)@\(line.offset):\(line.bytes.count)")
          } else {
            isDone = true
          }
        } catch {
          switch error {
          case .lineTooLong(let error): events.append("\(error.line)@\(error.offset)!")
          }
        }
      }
      #expect(events == ["1@0:5", "2@7!", "3@14!", "5@29:5", "6@35!"], "\(size)")
    }
  }

  @Test("a failing source is told apart, and may be asked again")
  func passesSourceFailuresOn() throws {
    var calls = 0
    var lines = JSONLines<ReadFailure>(source: { () throws(ReadFailure) -> [UInt8]? in
      calls += 1
      switch calls {
      case 1: return Array("[1,".utf8)
      case 2: throw ReadFailure()
      case 3: return Array("2]".utf8)
      default: return nil
      }
    })
    do {
      _ = try lines.next()
      Issue.record("no failure")
    } catch {
      guard case .source(let failure) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(failure == ReadFailure())
    }
    #expect(try lines.next()?.read() == [1, 2])
  }

  @Test("an error in a line names the line and the offset in the whole")
  func namesTheLine() throws {
    var lines = JSONLines(Array("1\n{\"é\" 1}\n".utf8))
    #expect(try lines.next()?.read() == 1)
    let line = try #require(try lines.next())
    do {
      _ = try line.read()
      Issue.record("taken")
    } catch {
      #expect(error.description == "line 2, column 6: expected ':' after a key, found '1'")
      #expect(error.offset == 8)
    }
  }

  @Test("a long line in small chunks takes linear time")
  func splitsLongLinesFast() throws {
    let chunk = [UInt8](repeating: 0x20, count: 64)
    var sent = 0
    var lines = JSONLines<Never>(source: { () throws(Never) -> [UInt8]? in
      sent += 1
      return sent <= 50_000 ? chunk : sent == 50_001 ? [0x31] : nil
    })
    var value: JSONValue?
    let time = try threadTime { value = try lines.next()?.read() }
    #expect(value == 1)
    #expect(time < .seconds(5), "\(time)")
  }
}

extension JSONLines<Never> {
  /// A splitter of bytes that come by and by, so many at a time.
  init(_ bytes: [UInt8], inChunksOf size: Int, maximumLineLength: Int) {
    var place = 0
    self.init(
      maximumLineLength: maximumLineLength,
      source: { () throws(Never) -> [UInt8]? in
        guard place < bytes.count else { return nil }
        defer { place += size }
        return Array(bytes[place..<min(place + size, bytes.count)])
      })
  }
}
