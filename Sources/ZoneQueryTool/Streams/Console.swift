/// Where a command writes: data to standard output, gathered into large pieces, and messages to standard error.
final class Console {
  private var pending: [UInt8] = []
  private let isErrorTerminal = SystemCalls.isTerminal(SystemCalls.standardError)
  private var progress: String?

  private static let pieceSize = 64 << 10

  /// Writes data.
  func write(_ bytes: some Collection<UInt8>) throws(Stop) {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.pieceSize { try flush() }
  }

  /// Writes data and ends the line.
  func writeLine(_ text: String) throws(Stop) {
    try write(text.utf8)
    try write(CollectionOfOne(0x0A))
  }

  /// Sends what is gathered.
  func flush() throws(Stop) {
    if pending.isEmpty { return }
    hideProgress()
    do throws(SystemCalls.Failure) {
      try SystemCalls.write(SystemCalls.standardOutput, pending)
    } catch {
      pending = []
      throw error.isClosed ? .outputClosed : .failed("zonequery: standard output: \(error.message)")
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Writes a message, behind the data that came before it. What cannot be written is lost.
  func note(_ message: String) throws(Stop) {
    try flush()
    complain(message)
  }

  /// Writes a message without regard to the data.
  func complain(_ message: String) {
    hideProgress()
    try? SystemCalls.write(
      SystemCalls.standardError, Array(Printable.text(message, keepingLines: true).utf8) + [0x0A])
  }

  /// Shows how far a long work has come, on a terminal alone; each text takes the place of the one before.
  func show(progress text: @autoclosure () -> String) {
    guard isErrorTerminal else { return }
    let text = Printable.text(text())
    progress = text
    try? SystemCalls.write(SystemCalls.standardError, Array("\r\u{1B}[K\(text)".utf8))
  }

  /// Takes the progress away.
  func hideProgress() {
    if progress == nil { return }
    progress = nil
    try? SystemCalls.write(SystemCalls.standardError, Array("\r\u{1B}[K".utf8))
  }

  /// How many columns a table may have: what the variable COLUMNS says, else the terminal's, else 120.
  var columns: Int {
    if let text = SystemCalls.environment("COLUMNS"), let columns = Int(text), columns > 0 { return columns }
    return SystemCalls.columns(of: SystemCalls.standardOutput) ?? 120
  }
}
