internal import ZoneQuery

/// A query on one line of a list: `TYPE | PREDICATE | SORT`, the latter two left out where there are none.
///
/// A bar within quotation marks or brackets, and `||`, belong to the predicate. The sort is a list of `FIELD`,
/// `FIELD desc`, `FIELD:desc` and `near FIELD:LAT,LON`.
struct QueryLine {
  /// Why a line is no query, and which of its bytes are to blame.
  struct Fault: Error {
    let diagnostics: [Diagnostic]
  }

  let query: Query
  /// Where the predicate begins in the line.
  let predicateOffset: Int

  /// Reads a line; nil where it is blank or a comment.
  init?(_ line: [UInt8]) throws(Fault) {
    guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }), first != UInt8(ascii: "#") else { return nil }
    let parts = Self.parts(of: line)
    if parts.count > 3 {
      throw Self.fault(
        "A line has three parts at most: type, predicate and sort.", parts[3].lowerBound - 1..<line.count,
        hint: "Put brackets round a | that is the predicate's own.")
    }
    let type = Self.trimmed(line, parts[0])
    if type.isEmpty { throw Self.fault("The record type is missing.", type, hint: "Write `TYPE | PREDICATE | SORT`.") }
    var predicate = QueryPredicate.true
    var offset = 0
    if parts.count > 1 {
      let range = Self.trimmed(line, parts[1])
      offset = range.lowerBound
      if !range.isEmpty { predicate = try Self.predicate(line, range) }
    }
    let sort = parts.count > 2 ? try Self.sort(line, parts[2]) : []
    query = Query(recordType: Self.text(line, type), predicate: predicate, sort: sort)
    predicateOffset = offset
  }

  /// The line without its bars.
  private static func parts(of line: [UInt8]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0
    var depth = 0
    var quote: UInt8?
    var index = 0
    while index < line.count {
      let byte = line[index]
      if let open = quote {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
        case UInt8(ascii: "|") where index + 1 < line.count && line[index + 1] == byte: index += 1
        case UInt8(ascii: "|") where depth == 0:
          parts.append(start..<index)
          start = index + 1
        default: break
        }
      }
      index += 1
    }
    return parts + [start..<line.count]
  }

  private static func predicate(_ line: [UInt8], _ range: Range<Int>) throws(Fault) -> QueryPredicate {
    do throws(ZoneQueryError) {
      return try QueryPredicate(format: text(line, range))
    } catch {
      throw Fault(diagnostics: moved(error.diagnostics, by: range.lowerBound))
    }
  }

  private static func sort(_ line: [UInt8], _ part: Range<Int>) throws(Fault) -> [SortKey] {
    var pieces: [Range<Int>] = []
    var start = part.lowerBound
    for index in part where line[index] == UInt8(ascii: ",") {
      pieces.append(start..<index)
      start = index + 1
    }
    pieces.append(start..<part.upperBound)
    if pieces.count == 1, trimmed(line, pieces[0]).isEmpty { return [] }
    var keys: [SortKey] = []
    var index = 0
    while index < pieces.count {
      var piece = trimmed(line, pieces[index])
      let words = line[piece].split { $0 == 0x20 || $0 == 0x09 }.map { String(decoding: $0, as: UTF8.self) }
      var key: SortKey?
      if words.count > 1, Spelling.isSame(words[0], "near", ignoringCase: true) {
        // The comma between the degrees is no end of a criterion.
        if index + 1 < pieces.count {
          index += 1
          piece = piece.lowerBound..<trimmed(line, pieces[index]).upperBound
        }
        let start = line[piece].dropFirst(4).firstIndex { $0 != 0x20 && $0 != 0x09 } ?? piece.upperBound
        key = QueryCommand.nearKey(text(line, start..<piece.upperBound))
      } else if words.count <= 2 {
        key = QueryCommand.sortKey(words.joined(separator: ":"))
      }
      guard let key, !key.key.utf8.isEmpty else {
        throw fault(
          "'\(Printable.excerpt(text(line, piece)))' is no sort.", piece,
          hint: "Write FIELD, FIELD desc or near FIELD:LAT,LON, with commas between several.")
      }
      keys.append(key)
      index += 1
    }
    return keys
  }

  /// Diagnostics of a part of the line as diagnostics of the line.
  static func moved(_ diagnostics: [Diagnostic], by offset: Int) -> [Diagnostic] {
    diagnostics.map { diagnostic in
      var moved = diagnostic
      moved.range = diagnostic.range.map { SourceRange($0.lowerBound + offset, $0.upperBound + offset) }
      return moved
    }
  }

  private static func fault(_ message: String, _ range: Range<Int>, hint: String) -> Fault {
    Fault(
      diagnostics: [
        Diagnostic(
          stage: .parser, code: "queryLine", message: message,
          range: SourceRange(range.lowerBound, range.upperBound), hint: hint)
      ])
  }

  private static func trimmed(_ line: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    while start < end, isBlank(line[start]) { start += 1 }
    while end > start, isBlank(line[end - 1]) { end -= 1 }
    return start..<end
  }

  private static func text(_ line: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: line[range], as: UTF8.self)
  }
}
