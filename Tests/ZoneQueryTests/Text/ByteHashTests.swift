import Testing

@testable import ZoneQuery

/// What tables of names rest on: different bytes, whatever their length, have hashes that look drawn.
@Suite("Byte hash")
struct ByteHashTests {
  @Test(
    "bytes of every length, and those that differ by a bit, have different hashes",
    arguments: [0, 1, 7, .max] as [UInt64])
  func differences(seed: UInt64) {
    let hash = ByteHash(seed: seed)
    var random = SplitMix(seed: seed &+ 1)
    var checks = 0
    // Bytes that differ in nothing but their number.
    for byte: UInt8 in [0, 0xFF, 0x61] {
      let hashes = Set((0...64).map { hash.hash(Array(repeating: byte, count: $0).span) })
      #expect(hashes.count == 65)
      checks += 65
    }
    // Bytes of which one word is the other's with a bit turned, one of them more.
    for _ in 0..<200 {
      let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let seven = Array(bytes[0..<7])
      let eight = [bytes[3] ^ 1, bytes[4], bytes[5], bytes[6]] + bytes[0..<4]
      #expect(hash.hash(seven.span) != hash.hash(eight.span))
      let fifteen = Array(bytes[0..<15])
      let sixteen = [bytes[0] ^ 1] + bytes[1..<8] + bytes[7..<15]
      #expect(hash.hash(fifteen.span) != hash.hash(sixteen.span))
      checks += 2
    }
    var changed = Array(repeating: 0, count: 64)
    var flips = 0
    for length in 1...40 {
      var bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let before = hash.hash(bytes.span)
      for bit in 0..<length * 8 {
        bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
        let difference = hash.hash(bytes.span) ^ before
        bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
        // The half that buckets are chosen by.
        #expect(UInt32(truncatingIfNeeded: difference) != 0)
        for place in 0..<64 { changed[place] += Int(difference >> UInt64(place) & 1) }
        flips += 1
      }
    }
    // Each bit of the hash turns with about half of them: of 6,560 draws, eight standard deviations are 324.
    for place in 0..<64 { #expect(abs(changed[place] - flips / 2) < 324, "bit \(place)") }
    checks += flips
    print("byte hash of seed \(seed): \(checks) checks")
    #expect(checks >= 7_100)
  }

  @Test("names that are counted up, and such as clients draw, spread over buckets", arguments: [3, 99] as [UInt64])
  func spread(seed: UInt64) {
    let hash = ByteHash(seed: seed)
    var random = SplitMix(seed: seed)
    let names: [(Int) -> String] = [
      { "\($0)" }, { "record-\($0)" }, { "0000000000000000\($0)" }, { "\($0)-of-a-name-that-is-longer-than-most" },
      { _ in String(random.next(), radix: 16) + "-" + String(random.next(), radix: 16) },
    ]
    for name in names {
      var buckets = Array(repeating: 0, count: 8192)
      for number in 0..<98_304 {
        let value = withUTF8(of: name(number)) { hash.hash($0) }
        buckets[Int(value & 8191)] += 1
      }
      // Twelve in each, by chance: more than 48 in any has a chance below one in a billion; the squares' sum is 8,191,
      // give or take 128.
      #expect(buckets.max() ?? 0 <= 48)
      let chi = buckets.reduce(0.0) { $0 + Double(($1 - 12) * ($1 - 12)) / 12 }
      #expect(abs(chi - 8191) < 8 * 128, "\(name(7)): \(chi)")
    }
  }
}
