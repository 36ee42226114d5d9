/// The condition of a `TERNARY`, and the program that decides it as it decides everything else: compiled once, with the
/// predicate, and shared by its copies. It is the one thing that is bound and knows of matching.
final class BoundCondition: Sendable, Hashable {
  let predicate: BoundPredicate
  let program: Program

  init(_ predicate: BoundPredicate) {
    self.predicate = predicate
    program = Program(predicate)
  }

  static func == (left: BoundCondition, right: BoundCondition) -> Bool { left.predicate == right.predicate }

  func hash(into hasher: inout Hasher) { hasher.combine(predicate) }
}
