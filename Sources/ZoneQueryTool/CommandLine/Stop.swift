/// Why a command did not run to its end.
enum Stop: Error, Sendable {
  /// The command line is wrong: exit status 64.
  case misuse(String, hint: String?)
  /// The input is wrong or cannot be read, or the output cannot be written. The text is complete, place and all.
  case failed(String)
  /// Whoever read the output has closed it: the command ends quietly.
  case outputClosed
}

/// How a process tells what became of it.
enum ExitStatus {
  static let success: Int32 = 0
  static let failure: Int32 = 1
  static let misuse: Int32 = 64
  /// `match`, like grep: nothing matched.
  static let noMatch: Int32 = 1
  /// `match`, like grep: an error.
  static let matchFailure: Int32 = 2
}
