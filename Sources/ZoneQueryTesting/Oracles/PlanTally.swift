internal import Synchronization

/// The kinds of plans that answered a predicate while oracles judged it.
final class PlanTally: Sendable {
  private let names = Mutex<Set<String>>([])

  var kinds: Set<String> { names.withLock { $0 } }

  func add(_ kinds: Set<String>) { names.withLock { $0.formUnion(kinds) } }
}
