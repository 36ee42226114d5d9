public import FoundationEssentials

extension ZoneQueryError: LocalizedError {
  /// What ``description`` says, for those who ask any error for its `localizedDescription`. It is not translated.
  public var errorDescription: String? { description }
}
