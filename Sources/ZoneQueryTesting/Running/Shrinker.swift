internal import PredicateSyntax
internal import ZoneQuery

/// Makes a failing case smaller, as long as it fails.
///
/// It drops records, halves of them first; then parts of the predicate, unless that is to stay; then fields of the
/// records and of the type; then it makes constants and values plainer; and begins anew until nothing helps.
///
/// ```swift
/// let smallest = Shrinker().shrink(testCase) { candidate in !isRight(candidate) }
/// ```
public struct Shrinker: Sendable {
  /// How many candidates are tried at most.
  public var attempts = 4_000
  /// Whether the predicate stays as it is: it is the one that is asked about, and records alone are made smaller.
  public var keepsPredicate = false

  /// Creates a shrinker.
  public init() {}

  /// Looks for a smaller case that still fails.
  ///
  /// - Parameters:
  ///   - testCase: A case that fails.
  ///   - fails: Whether a candidate fails too; called at most ``attempts`` times.
  /// - Returns: The smallest case found; the case itself where none smaller fails.
  public func shrink(_ testCase: FuzzCase, while fails: @escaping (FuzzCase) -> Bool) -> FuzzCase {
    var search = Search(best: testCase, left: attempts, keepsPredicate: keepsPredicate, fails: fails)
    search.run()
    return search.best
  }

  private struct Search {
    var best: FuzzCase
    var left: Int
    let keepsPredicate: Bool
    let fails: (FuzzCase) -> Bool

    /// Takes a candidate if it fails.
    mutating func take(_ candidate: FuzzCase) -> Bool {
      guard left > 0 else { return false }
      left -= 1
      guard fails(candidate) else { return false }
      best = candidate
      return true
    }

    mutating func run() {
      var hasShrunk = true
      while hasShrunk, left > 0 {
        hasShrunk = dropRecords()
        if !keepsPredicate { hasShrunk = simplifyPredicate() || hasShrunk }
        hasShrunk = dropFields() || hasShrunk
        hasShrunk = simplifyRecords() || hasShrunk
      }
    }

    private mutating func dropRecords() -> Bool {
      var hasShrunk = false
      var size = max(1, best.records.count / 2)
      while size >= 1 {
        var start = 0
        while start < best.records.count {
          var candidate = best
          candidate.records.removeSubrange(start..<min(start + size, best.records.count))
          // Nothing can be told from no record at all, but of the schema.
          if take(candidate) { hasShrunk = true } else { start += size }
        }
        size /= 2
      }
      return hasShrunk
    }

    private mutating func simplifyPredicate() -> Bool {
      var hasShrunk = false
      var isAnew = true
      while isAnew, left > 0 {
        isAnew = false
        for candidate in best.predicate.simplifications where take(best.with(candidate)) {
          hasShrunk = true
          isAnew = true
          break
        }
      }
      return hasShrunk
    }

    private mutating func dropFields() -> Bool {
      var hasShrunk = false
      for field in best.recordType.fields {
        var candidate = best
        let fields = candidate.recordType.fields.filter { !sameBytes($0.name, field.name) }
        candidate.recordType = RecordType(
          best.recordType.name, fields: fields, systemFields: best.recordType.systemFields,
          grants: best.recordType.grants)
        for index in candidate.records.indices { candidate.records[index][field.name] = nil }
        if take(candidate) { hasShrunk = true }
      }
      return hasShrunk
    }

    private mutating func simplifyRecords() -> Bool {
      var hasShrunk = false
      for index in best.records.indices {
        for candidate in best.records[index].simplifications {
          // One that moves to another zone may not take the place of one there.
          let others = best.records.indices.filter { $0 != index }
          if others.contains(where: { best.records[$0].recordID == candidate.recordID }) { continue }
          var other = best
          other.records[index] = candidate
          if take(other) { hasShrunk = true }
        }
        for name in best.records[index].fieldNames {
          var isAnew = true
          while isAnew, left > 0 {
            isAnew = false
            for value in best.records[index][name]?.simplifications ?? [] {
              var candidate = best
              candidate.records[index][name] = value
              guard take(candidate) else { continue }
              hasShrunk = true
              isAnew = true
              break
            }
          }
        }
      }
      return hasShrunk
    }
  }
}
