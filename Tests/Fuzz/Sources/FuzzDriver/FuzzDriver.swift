import ZoneQueryTesting

// libFuzzer brings a main function of its own, which SwiftPM does not let it be; so main is ours and calls its driver.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Runs libFuzzer over one target.
public enum FuzzDriver {
  nonisolated(unsafe) private static var target = FuzzTarget.predicate

  /// Runs until libFuzzer's own options end it. A broken rule is a crash, as libFuzzer has it.
  public static func run(_ target: FuzzTarget) {
    self.target = target
    var count = CommandLine.argc
    var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    _ = runDriver(&count, &words) { bytes, length in
      do {
        try FuzzDriver.target.check(Array(UnsafeBufferPointer(start: bytes, count: length)))
      } catch {
        fatalError("\(error)")
      }
      return 0
    }
  }
}
