// An unsafe leaf: reads an encoding's arrays by pointers. Invariant: see `RecordEncoding`, which lends the row.

/// A record in its encoding, as programs read it.
@safe
struct EncodedRow: ProgramRow {
  @unsafe let presence: UnsafePointer<Bool>
  @unsafe let words: UnsafePointer<UInt64>
  @unsafe let members: UnsafePointer<UInt64>
  @unsafe let bytes: UnsafePointer<UInt8>
  @unsafe let encoding: UnsafePointer<RecordEncoding>

  @inline(__always)
  func isPresent(_ field: FieldNumber) -> Bool { unsafe presence[field] }
  @inline(__always)
  func integer(_ field: FieldNumber) -> Int64 { Int64(bitPattern: unsafe words[field]) }
  @inline(__always)
  func double(_ field: FieldNumber) -> Double { Double(bitPattern: unsafe words[field]) }

  func degrees(_ field: FieldNumber) -> (latitude: Double, longitude: Double) {
    let start = Int(unsafe words[field] >> 32)
    return (Double(bitPattern: unsafe members[start]), Double(bitPattern: unsafe members[start + 1]))
  }

  @inline(__always)
  func withBytes<Result>(_ field: FieldNumber, _ body: (Span<UInt8>) -> Result) -> Result {
    unsafe withText(words[field], body)
  }

  @inline(__always)
  private func withText<Result>(_ place: UInt64, _ body: (Span<UInt8>) -> Result) -> Result {
    let text = unsafe UnsafeBufferPointer(start: bytes + Int(place >> 32), count: Int(place & 0xFFFF_FFFF))
    return body(unsafe Span(_unsafeElements: text))
  }

  private func range(_ field: FieldNumber) -> Range<Int> {
    let start = Int(unsafe words[field] >> 32)
    return unsafe start..<start + Int(words[field] & 0xFFFF_FFFF)
  }

  func anyInteger(_ field: FieldNumber, where predicate: (Int64) -> Bool) -> Bool {
    range(field).contains { predicate(Int64(bitPattern: unsafe members[$0])) }
  }

  func anyDouble(_ field: FieldNumber, where predicate: (Double) -> Bool) -> Bool {
    range(field).contains { predicate(Double(bitPattern: unsafe members[$0])) }
  }

  func anyDegrees(_ field: FieldNumber, where predicate: (Double, Double) -> Bool) -> Bool {
    let start = range(field).lowerBound
    return range(field).contains {
      let place = start + 2 * ($0 - start)
      return predicate(Double(bitPattern: unsafe members[place]), Double(bitPattern: unsafe members[place + 1]))
    }
  }

  func anyBytes(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    range(field).contains { unsafe withText(members[$0], predicate) }
  }

  func anyText(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    unsafe encoding.pointee.isList[field] ? anyBytes(field, where: predicate) : withBytes(field, predicate)
  }

  /// By the words that were split off while encoding, where the search sees the same fields.
  func passes(_ search: TokenMatcher) -> Bool? {
    guard unsafe search.fields == encoding.pointee.tokenFields else { return search.matches(self) }
    guard search.fields.contains(where: isPresent) else { return nil }
    for token in search.tokens {
      let hash = unsafe encoding.pointee.hash.hash(token.span)
      if unsafe encoding.pointee.tokens.contains(token.span, hash: hash) != search.requiresAll {
        return !search.requiresAll
      }
    }
    return search.requiresAll && !search.tokens.isEmpty
  }

  func passes(_ search: PackedSearch) -> Bool? {
    guard unsafe search.isOver(encoding.pointee.tokenFields) else { return search.matcher.matches(self) }
    guard unsafe encoding.pointee.tokenFields.contains(where: isPresent) else { return nil }
    let requiresAll = search.requiresAll
    let isDecided = !search.forEachToken { token in
      let hash = unsafe encoding.pointee.hash.hash(token)
      return unsafe encoding.pointee.tokens.contains(token, hash: hash) == requiresAll
    }
    return isDecided ? !requiresAll : requiresAll && search.count > 0
  }
}
