// An unsafe leaf: the one place where the bytes of a Swift string are read in place.
//
// Invariant: the buffer that `withContiguousStorageIfAvailable` lends lives until its closure returns, and the span
// made of it cannot leave the closure, since spans do not escape.

/// Calls `body` with the text's UTF-8 bytes, in place where they lie in one piece (always, for a string that Swift
/// made), else copied.
func withUTF8<Result>(of text: String, _ body: (Span<UInt8>) -> Result) -> Result {
  let inPlace = unsafe text.utf8.withContiguousStorageIfAvailable { buffer in
    body(unsafe Span(_unsafeElements: buffer))
  }
  return inPlace ?? body(Array(text.utf8).span)
}
