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

/// The code of the error that an expression throws; nil where it throws none.
func failureCode(_ body: () throws -> some Any) -> ZoneQueryError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? ZoneQueryError)?.code
  }
}
