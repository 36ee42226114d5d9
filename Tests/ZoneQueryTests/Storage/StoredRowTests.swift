import Testing

@testable import ZoneQuery

struct StoredRowTests {
  /// What is said of a record's size without a look at its values is never less than what they count.
  @Test func mostBytesIsABound() {
    var samples = StorageSamples(random: SplitMix(seed: 99))
    let zone = Zone(ZoneID(zoneName: "Z"))
    var (checks, least) = (0, Int.max)
    for step in 0..<(TestAmount.isLong ? 400 : TestAmount.isFull ? 60 : 30) {
      zone.commit { state in
        for _ in 0..<20 {
          let record = samples.record("r\(samples.below(600))", zoneID: zone.id, filled: step % 11)
          if samples.below(6) == 0 {
            _ = state.delete(record.recordID.recordName)
          } else {
            _ = state.store(record, as: StorageSamples.type)
          }
        }
      }
      zone.read { state in
        guard let table = state.table("T") else { return }
        for slot in 0..<table.slotCount where table.isLive(slot) {
          let stored = table.stored(slot)
          let slack = stored.mostBytes - stored.bytes(but: [])
          if slack < 0 { Issue.record("slot \(slot) counts \(-slack) bytes more than the bound") }
          least = min(least, slack)
          checks += 1
        }
      }
    }
    print("bytes of stored rows: \(checks) checks, at least \(least) below the bound")
    #expect(checks > (TestAmount.isFull ? 5_000 : 2_000))
  }
}
