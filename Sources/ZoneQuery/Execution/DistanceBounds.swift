/// Tells which rows a sort by distance passes over by their chords alone: those that are certainly farther away than the
/// last of as many rows as are wanted, and those certainly nearer than the end of the page before. The distances of the
/// others are measured, which takes many times as long (``Cost``).
struct DistanceBounds {
  private let origin: GeodesicPoint
  /// What is inside was on the pages before.
  private let passed: GeodesicRadiusTest?
  /// What is outside comes behind the rows kept.
  private var reach: GeodesicRadiusTest?
  /// The word of the distance from which on a nearer last row is worth another test.
  private var farWord = UInt64.max

  /// How much nearer, as a part of the distance, the last row has to be for that: a test takes as long as some distances.
  private static let step = 0.95

  /// The bounds of an answer behind a place; nil where the order is not one of distances.
  init?(_ order: SortOrder, behind place: SortAnchor?) {
    guard let origin = order.descriptors.first?.origin else { return nil }
    self.origin = origin
    // Behind a row without a place none that has one is left.
    passed = place.map { Self.test(origin, $0.key.distance ?? .infinity) }
  }

  private static func test(_ origin: GeodesicPoint, _ radius: Double) -> GeodesicRadiusTest {
    GeodesicRadiusTest(
      latitude: origin.latitude, longitude: origin.longitude, radius: radius, comparison: .lessThanOrEqual)
  }

  /// Whether a row with this place is certainly not to be kept; `last` is the key of the last row kept, once there are as
  /// many as are wanted.
  @inline(__always)
  mutating func passesOver(latitude: Double, longitude: Double, last: RankKey?) -> Bool {
    if let last, last.low < farWord { narrow(to: last) }
    if let reach, case .outside = reach.classify(latitude: latitude, longitude: longitude) { return true }
    if let passed, case .inside = passed.classify(latitude: latitude, longitude: longitude) { return true }
    return false
  }

  /// Whether a row with this place was on the pages before; nil where its chord does not tell.
  @inline(__always)
  func hasPassed(_ degrees: (latitude: Double, longitude: Double)) -> Bool? {
    switch passed?.classify(latitude: degrees.latitude, longitude: degrees.longitude) {
    case .inside?: true
    case .outside?, nil: false
    case .unsure?: nil
    }
  }

  private mutating func narrow(to last: RankKey) {
    guard let distance = last.distance else { return }
    reach = Self.test(origin, distance)
    farWord = KeyEncoding.word(distance * Self.step)
  }
}
