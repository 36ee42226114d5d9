/// The memory that the records and indexes of a zone take, in bytes of the pages they lie in: see
/// ``Database/memory(ofZone:)``.
///
/// A reader (the body of `forEachRecord` of a ``PreparedQuery``, say) works on the version of the zone that there was when
/// it began. While it lasts, commits keep what they replace of that version, in ``heldBytes``: for each version that is
/// being read never more than the zone had then, however many commits there are; what they make and replace among
/// themselves is used again. The first commit behind the reader's end makes it ``reusableBytes``, which later commits write
/// to. A zone keeps some 256 KB of them, or an eighth of what is live where that is more; but where a database's zones keep
/// over 16 MB in all, those that are written to from then on keep an eighth, or some 4 KB.
public struct ZoneMemory: Sendable, Hashable {
  /// Bytes of the newest version, its indexes with it.
  public let liveBytes: Int
  /// Bytes that only readers of older versions still need, as of the last commit.
  public let heldBytes: Int
  /// Bytes that no version needs, kept for later commits.
  public let reusableBytes: Int

  /// All of them.
  public var totalBytes: Int { liveBytes + heldBytes + reusableBytes }

  init(liveBytes: Int = 0, heldBytes: Int = 0, reusableBytes: Int = 0) {
    (self.liveBytes, self.heldBytes, self.reusableBytes) = (liveBytes, heldBytes, reusableBytes)
  }

  static func + (left: ZoneMemory, right: ZoneMemory) -> ZoneMemory {
    ZoneMemory(
      liveBytes: left.liveBytes + right.liveBytes, heldBytes: left.heldBytes + right.heldBytes,
      reusableBytes: left.reusableBytes + right.reusableBytes)
  }
}
