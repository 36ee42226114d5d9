import Foundation
import Testing

@testable import ZoneQuery

/// Ordered indexes beside a sorted array, under random changes in commits.
@Suite struct OrderedIndexTests {
  /// How many checks each of the drills below does.
  private static let target = TestAmount.isLong ? 600_000 : 20_000

  /// A number of any size, or one of a few.
  private static func wide(_ part: KeyShape.Component, _ random: inout SplitMix) -> ModelValue {
    let number = Int64(bitPattern: random.next())
    switch random.below(20) {
    case 0: return .number([.min, .max, 0, -1][random.below(4)])
    case 1..<4: return .number(number >> 56)
    default: return .number(number)
    }
  }

  /// What texts begin with: the codes of 12 bytes end with the first word, those of 24 with the second.
  private static let stem = [UInt8]("the five boxing farmers jump".utf8)

  @Test func textsEndWithWords() {
    #expect(KeyEncoding.words(Array(Self.stem.prefix(12))).first & 1 == 1)
    #expect(KeyEncoding.words(Array(Self.stem.prefix(12))).second == 0)
    #expect(
      KeyEncoding.words(Array(Self.stem.prefix(13))).first == KeyEncoding.words(Array(Self.stem.prefix(12))).first)
    #expect(KeyEncoding.words(Array(Self.stem.prefix(24))).second & 3 == 2)
    #expect(KeyEncoding.isLong(KeyEncoding.words(Array(Self.stem.prefix(25))).second))
  }

  /// A value of a handful, of which texts share beginnings of any length.
  private static func narrow(_ part: KeyShape.Component, _ random: inout SplitMix) -> ModelValue {
    if part == .number { return .number(Int64(random.below(9)) - 4) }
    return text(part, &random)
  }

  private static func text(_ part: KeyShape.Component, _ random: inout SplitMix) -> ModelValue {
    if part == .number { return wide(part, &random) }
    var text = Array(stem.prefix([0, 3, 11, 12, 13, 21, 22, 23, 24, 24, 25, 28][random.below(12)]))
    for _ in 0..<random.below(4) { text.append([0, 0x20, 0x61, 0xFF][random.below(4)]) }
    return .text(text)
  }

  private func drill<Key: IndexKey>(
    _ type: Key.Type, _ parts: [KeyShape.Component], most: Int, share: Double = 1,
    _ value: @escaping (KeyShape.Component, inout SplitMix) -> ModelValue
  ) {
    let target = Int(Double(Self.target) * share)
    var drill = OrderedIndexDrill<Key>(parts, most: most, seed: UInt64(most), value: value)
    drill.run(checks: target)
    print("ordered index of \(Key.self) \(parts.map { "\($0)" }.joined(separator: ", ")): \(drill.checks) checks")
    #expect(drill.checks >= target)
  }

  @Test func numbers() {
    drill(Key1.self, [.number], most: 600, share: 1, Self.wide)
    // In a long run the tree gets a third level of nodes.
    drill(Key1.self, [.number], most: Self.target > 100_000 ? 40_000 : 3000, share: 4, Self.wide)
  }

  @Test func fewNumbers() {
    drill(Key1.self, [.number], most: 1500, Self.narrow)
    drill(Key1.self, [.number], most: 900) { _, _ in .number(7) }
    drill(Key1.self, [.number], most: 12, share: 0.5, Self.narrow)
  }

  @Test func pairs() {
    drill(Key2.self, [.number, .number], most: 1200, Self.narrow)
    drill(Key2.self, [.number, .number], most: 800, share: 0.5, Self.wide)
  }

  @Test func texts() {
    drill(Key2.self, [.text], most: 1000, share: 2, Self.text)
  }

  @Test func textsAndNumbers() {
    drill(Key3.self, [.text, .number], most: 700, Self.narrow)
    drill(Key3.self, [.number, .text], most: 701, share: 1.5, Self.narrow)
    drill(Key3.self, [.number, .number, .number], most: 703, share: 0.5, Self.narrow)
  }

  @Test func fourWords() {
    drill(Key4.self, [.text, .text], most: 700, Self.text)
    drill(Key4.self, [.number, .text, .number], most: 702, share: 1, Self.narrow)
    drill(Key4.self, [.number, .number, .number, .number], most: 703, share: 0.5, Self.narrow)
  }
}
