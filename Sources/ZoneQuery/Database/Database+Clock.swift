internal import FoundationEssentials

extension Database {
  /// The time as the system has it.
  @Sendable
  static func systemClock() -> Timestamp { Timestamp(Date()) }
}
