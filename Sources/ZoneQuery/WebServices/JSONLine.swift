/// One line of JSON lines, and where it stands.
package struct JSONLine: Sendable {
  /// The number of the line, from 1; blank lines count.
  package let number: Int
  /// How many bytes lie before the line.
  package let offset: Int
  /// The line without its end.
  package let bytes: ArraySlice<UInt8>

  /// Reads the line's value; an error names the line and the offset in the whole input.
  package func read(limits: JSONReader.Limits = JSONReader.Limits()) throws(JSONError) -> JSONValue {
    do {
      return try JSONReader.read(bytes, limits: limits)
    } catch {
      throw JSONError(
        message: error.message, offset: error.offset + offset, line: number, column: error.column)
    }
  }
}
