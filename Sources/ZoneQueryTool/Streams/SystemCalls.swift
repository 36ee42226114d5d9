// The one file that holds pointers: each lives no longer than the call it is given to.
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The few calls of the operating system that the tool makes.
enum SystemCalls {
  /// What a call failed with.
  struct Failure: Error {
    let number: Int32

    /// The system's own words: `No such file or directory`.
    var message: String {
      guard let text = unsafe strerror(number) else { return "error \(number)" }
      return unsafe String(cString: text)
    }

    /// Whether what was written to is closed at its other end: whoever read has enough.
    var isClosed: Bool { number == EPIPE }
  }

  static let standardInput: Int32 = 0
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  /// Opens a file for reading.
  static func open(_ path: String) throws(Failure) -> Int32 {
    if path.utf8.contains(0) { throw Failure(number: ENOENT) }
    while true {
      #if canImport(Darwin)
        let descriptor = unsafe Darwin.open(path, O_RDONLY | O_CLOEXEC)
      #elseif canImport(Musl)
        let descriptor = unsafe Musl.open(path, O_RDONLY | O_CLOEXEC)
      #else
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
      #endif
      if descriptor >= 0 { return descriptor }
      if errno != EINTR { throw Failure(number: errno) }
    }
  }

  /// Closes a file.
  static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  /// Reads what there is, at most `count` bytes; nothing at the end.
  static func read(_ descriptor: Int32, atMost count: Int) throws(Failure) -> [UInt8] {
    while true {
      var failure: Int32 = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        #if canImport(Darwin)
          let result = unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
          let result = unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #else
          let result = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
        filled = max(result, 0)
        if result < 0 { failure = errno }
      }
      if failure == 0 { return bytes }
      if failure != EINTR { throw Failure(number: failure) }
    }
  }

  /// Writes all of the bytes.
  static func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let result = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        #if canImport(Darwin)
          return unsafe Darwin.write(descriptor, rest.baseAddress, rest.count)
        #elseif canImport(Musl)
          return unsafe Musl.write(descriptor, rest.baseAddress, rest.count)
        #else
          return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        #endif
      }
      if result >= 0 {
        written += result
      } else if errno != EINTR {
        throw Failure(number: errno)
      }
    }
  }

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The number of columns of the terminal that a descriptor is.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The value of an environment variable.
  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Lets a write to a closed pipe fail instead of ending the process.
  static func ignoreClosedPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  /// The position of the first argument that is no UTF-8, which Swift would silently repair.
  static func firstMalformedArgument() -> Int? {
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
      if unsafe String(validatingCString: argument) == nil { return index }
    }
    return nil
  }

  /// Ends the process.
  static func end(_ status: Int32) -> Never { exit(status) }
}
