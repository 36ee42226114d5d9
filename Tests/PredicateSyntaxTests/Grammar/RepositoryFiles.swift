#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Files of this repository, found from where this source file lies, whatever the working directory is.
enum RepositoryFiles {
  /// The repository's folder, without a slash at its end.
  static let root: String = {
    var path = Substring(#filePath)
    for _ in 0..<4 { path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
    return String(path)
  }()

  /// The text of the file at `path` within the repository; `nil` where there is none.
  static func text(_ path: String) -> String? {
    guard let file = unsafe fopen(root + "/" + path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  /// Writes a file of the repository.
  static func write(_ text: String, to path: String) -> Bool {
    guard let file = unsafe fopen(root + "/" + path, "w") else { return false }
    let bytes = Array(text.utf8)
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    return unsafe fclose(file) == 0 && written == bytes.count
  }

  /// The names of the files in the folder at `path`, in order.
  static func names(in path: String, ending suffix: String) -> [String] {
    guard let folder = unsafe opendir(root + "/" + path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name.hasSuffix(suffix) { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether an environment variable is set to `1`.
  static func isSet(_ variable: String) -> Bool { value(of: variable) == "1" }

  /// What an environment variable is set to.
  static func value(of variable: String) -> String? {
    guard let value = unsafe getenv(variable) else { return nil }
    return unsafe String(cString: value)
  }
}
