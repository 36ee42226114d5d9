/// A file, or standard input under the name `-`, read in chunks.
final class InputFile {
  /// The name, as messages have it.
  let name: String
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private var isAtBeginning = true
  private var isAtEnd = false

  private static let chunkSize = 256 << 10

  /// Opens a file.
  init(_ path: String) throws(Stop) {
    if Spelling.isSame(path, "-") {
      name = RecordLines.name(of: path)
      descriptor = SystemCalls.standardInput
      ownsDescriptor = false
      return
    }
    name = RecordLines.name(of: path)
    ownsDescriptor = true
    do throws(SystemCalls.Failure) {
      descriptor = try SystemCalls.open(path)
    } catch {
      throw .failed("\(name): \(error.message)")
    }
  }

  deinit {
    if ownsDescriptor { SystemCalls.close(descriptor) }
  }

  /// The next bytes, nil at the end. A byte order mark at the beginning, as some editors write it, is left out.
  func chunk() throws(Stop) -> [UInt8]? {
    guard isAtBeginning else { return try read() }
    isAtBeginning = false
    guard var bytes = try read() else { return nil }
    // Who writes less at a time is waited for only where it may be one.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    while bytes.count < mark.count, mark.starts(with: bytes), let more = try read() { bytes += more }
    return bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
  }

  private func read() throws(Stop) -> [UInt8]? {
    if isAtEnd { return nil }
    do throws(SystemCalls.Failure) {
      let bytes = try SystemCalls.read(descriptor, atMost: Self.chunkSize)
      if !bytes.isEmpty { return bytes }
    } catch {
      throw .failed("\(name): \(error.message)")
    }
    isAtEnd = true
    return nil
  }

  /// All bytes to the end; an error where there are more than `limit`.
  func contents(limit: Int) throws(Stop) -> [UInt8] {
    var bytes: [UInt8] = []
    while let next = try chunk() {
      bytes += next
      if bytes.count > limit { throw .failed("\(name): the file has more than \(limit) bytes") }
    }
    return bytes
  }

  /// The most bytes of a text that is read whole, where its language sets no limit of its own.
  static let textLimit = 64 << 20

  /// All text to the end; an error where it is no UTF-8.
  func text(limit: Int) throws(Stop) -> String {
    let bytes = try contents(limit: limit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      var line = 1
      var rest = bytes[...]
      while let end = rest.firstIndex(of: 0x0A), String(validating: rest[..<end], as: UTF8.self) != nil {
        line += 1
        rest = rest[(end + 1)...]
      }
      throw .failed("\(name):\(line): the text is not UTF-8")
    }
    return text
  }
}
