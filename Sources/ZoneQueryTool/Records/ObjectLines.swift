internal import ZoneQuery

/// Reads a file of JSON lines, an object each, and goes on behind a line that is none.
struct ObjectLines {
  /// An object, or what is wrong with the line, and where it stands.
  struct Line {
    let number: Int
    /// File and line, as messages have them.
    let place: String
    let content: Result<JSONObject, ObjectFault>
  }

  let fileName: String
  private var lines: JSONLines<Stop>

  /// Opens a file; `console` sends what is written before more is waited for.
  init(_ path: String, flushing console: Console? = nil) throws(Stop) {
    let file = try InputFile(path)
    fileName = file.name
    lines = JSONLines<Stop> { () throws(Stop) -> [UInt8]? in
      try console?.flush()
      return try file.chunk()
    }
  }

  /// The next line that is not blank; nil behind the last.
  mutating func next() throws(Stop) -> Line? {
    do {
      guard let line = try lines.next() else { return nil }
      let place = "\(fileName):\(line.number)"
      do throws(JSONError) {
        let value = try line.read()
        guard let object = value.object else {
          return Line(
            number: line.number, place: place,
            content: .failure(ObjectFault("a line holds an object; this is \(value.kind)")))
        }
        return Line(number: line.number, place: place, content: .success(object))
      } catch {
        return Line(
          number: line.number, place: "\(place):\(error.column)", content: .failure(ObjectFault(error.message)))
      }
    } catch {
      switch error {
      case .source(let stop): throw stop
      case .lineTooLong(let fault):
        return Line(
          number: fault.line, place: "\(fileName):\(fault.line)", content: .failure(ObjectFault(fault.message)))
      }
    }
  }
}
