internal import Synchronization

/// How many bytes the zones of a database keep in pages to be used again, in all: as long as these are few, each zone may
/// keep many, so that its commits ask the system for none; where they are many, as there are many zones, each keeps few.
final class ReusableMemory: Sendable {
  private let bytes = Atomic<Int>(0)
  private let most: Int

  /// `most` bytes are few.
  init(most: Int = 16 << 20) { self.most = most }

  var isMuch: Bool { bytes.load(ordering: .relaxed) > most }

  func add(_ change: Int) { bytes.add(change, ordering: .relaxed) }
}
