extension Decoder {
  /// What `read` makes of the one text that was encoded; a `DecodingError` that holds its error where it throws one.
  func decodeText<Value>(_ read: (String) throws(ZoneQueryError) -> Value) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    do {
      return try read(text)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: error.message, underlyingError: error))
    }
  }
}
