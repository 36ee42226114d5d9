internal import CSQLite

/// FTS5's tokenizer by itself: unicode61, which folds case and removes marks of Latin letters.
final class SQLiteTokenizer {
  private let connection: SQLiteConnection
  private var methods = fts5_tokenizer()
  private var instance: OpaquePointer?

  init() throws {
    connection = try SQLiteConnection()
    guard let api = csqlite_fts5(connection.handle) else { throw BenchmarkError("this SQLite has no FTS5") }
    var data: UnsafeMutableRawPointer?
    guard api.pointee.xFindTokenizer(api, "unicode61", &data, &methods) == SQLITE_OK,
      methods.xCreate(data, nil, 0, &instance) == SQLITE_OK
    else { throw BenchmarkError("FTS5 has no tokenizer unicode61") }
  }

  deinit { methods.xDelete(instance) }

  /// Adds the sum of all tokens' lengths to `total`.
  func touchTokens(of text: String, _ total: inout Int) {
    withUnsafeMutablePointer(to: &total) { total in
      run(text, total) { context, _, _, length, _, _ in
        context?.assumingMemoryBound(to: Int.self).pointee += Int(length)
        return SQLITE_OK
      }
    }
  }

  /// The distinct tokens.
  func tokens(of text: String) -> Set<String> {
    var tokens: Set<String> = []
    withUnsafeMutablePointer(to: &tokens) { tokens in
      run(text, tokens) { context, _, token, length, _, _ in
        if let token {
          let bytes = UnsafeRawBufferPointer(start: token, count: Int(length))
          context?.assumingMemoryBound(to: Set<String>.self).pointee.insert(String(decoding: bytes, as: UTF8.self))
        }
        return SQLITE_OK
      }
    }
    return tokens
  }

  private func run(
    _ text: String, _ context: UnsafeMutableRawPointer,
    _ each: @convention(c) (UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, CInt, CInt, CInt) -> CInt
  ) {
    text.withBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        _ = methods.xTokenize(
          instance, context, FTS5_TOKENIZE_DOCUMENT, bytes.baseAddress, CInt(bytes.count), each)
      }
    }
  }
}
