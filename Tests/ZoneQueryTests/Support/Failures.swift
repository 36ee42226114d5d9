import Testing

@testable import ZoneQuery

/// Whether an expression throws an error of a code.
func expectFailure<Value>(
  _ code: ZoneQueryError.Code, _ body: () throws -> Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  do {
    _ = try body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  } catch {
    #expect((error as? ZoneQueryError)?.code == code, sourceLocation: sourceLocation)
  }
}
