/// The oracles over the engine, by name.
///
/// ```swift
/// Oracles.all.map(\.name)   // ["evaluator", "matcher", "partition", …]
/// ```
public enum Oracles {
  /// Every oracle. What the engine learns to do later adds its own rows here.
  public static let all: [any Oracle] = [
    EvaluatorOracle(), MatcherOracle(), PartitionOracle(), PivotOracle(), AlgebraOracle(), RewriteOracle(),
    TextOracle(), ArgumentOracle(), OrderOfInsertionOracle(), ZoneOracle(), SortOracle(), PageOracle(),
    DesiredKeysOracle(), SchemaTextOracle(), RecordJSONOracle(), PlanOracle(), EstimateOracle(), DeletionOracle(),
    FilterOracle(),
  ]

  /// The oracle of a name.
  public static func named(_ name: String) -> (any Oracle)? {
    all.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
