#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The files of the Unicode Character Database as Debian's package `unicode-data` installs them.
enum UnicodeFiles {
  static let folder = "/usr/share/unicode/"

  /// The file's lines as bytes, without comments and empty lines, or nil, with a message, where it is absent.
  static func lines(_ name: String) -> [ArraySlice<UInt8>]? {
    let path = folder + name
    guard let bytes = contents(path) else {
      print("skipped: \(path) is absent (Debian's package unicode-data has it)")
      return nil
    }
    return bytes.split(separator: 0x0A).compactMap { line in
      let content = line.prefix { $0 != 0x23 }
      return content.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? nil : content
    }
  }

  /// Runs a test where files are there that not every machine has; elsewhere it is told as skipped.
  static func areThere(_ names: String...) -> Bool { names.allSatisfy { contents(folder + $0) != nil } }

  /// A file's bytes; a name that ends in `.bz2` is unpacked by `bzcat`.
  static func contents(_ path: String) -> [UInt8]? {
    guard unsafe access(path, R_OK) == 0 else { return nil }
    let packed = path.utf8.suffix(4).elementsEqual(".bz2".utf8)
    guard let file = unsafe packed ? popen("bzcat '\(path)'", "r") : fopen(path, "r") else { return nil }
    defer { _ = unsafe packed ? pclose(file) : fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return bytes.isEmpty ? nil : bytes
  }
}

extension ArraySlice<UInt8> {
  /// The parts between semicolons, without the spaces around them.
  var fields: [ArraySlice<UInt8>] {
    split(separator: 0x3B, omittingEmptySubsequences: false).map { field in
      let space: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
      guard let last = field.lastIndex(where: { !space($0) }) else { return field[field.endIndex...] }
      return field[...last].drop(while: space)
    }
  }

  /// The hexadecimal numbers between spaces.
  var scalars: [UInt32] {
    split(separator: 0x20).map { digits in
      digits.reduce(0) { $0 << 4 | UInt32($1 < 0x41 ? $1 - 0x30 : ($1 & 0x5F) - 0x37) }
    }
  }

  /// The range written as `0041` or `0041..005A`.
  var range: ClosedRange<UInt32> {
    let ends = split(separator: 0x2E).flatMap(\.scalars)
    return (ends.first ?? 0)...(ends.last ?? 0)
  }

  var string: String { String(decoding: self, as: UTF8.self) }
}

extension [UInt32] {
  /// The scalars as UTF-8.
  var utf8: [UInt8] {
    flatMap { value -> [UInt8] in
      guard let scalar = Unicode.Scalar(value) else { return [] }
      return [UInt8](UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }
}
