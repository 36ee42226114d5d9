extension SubscriptionTable {
  /// The events a subscription fires on, as bits of a block's words.
  enum Event {
    static let creation = UInt64(SubscriptionIndex.Events.creation.rawValue)
    static let update = UInt64(SubscriptionIndex.Events.update.rawValue)
    static let deletion = UInt64(SubscriptionIndex.Events.deletion.rawValue)
    static let leaving = UInt64(SubscriptionIndex.Events.leaving.rawValue)
  }

  /// An image of the record that is matched.
  enum Image {
    case before, after
  }

  /// Encodes a record that came into being or changed, and now and then takes it into the sample.
  mutating func encodeAfter(_ record: some RecordSource) {
    let tokenFields = tokenFields
    after.encode(record, layout, fields: fields, tokenFields: tokenFields)
    if sampler.wantsNext {
      sampler.add(after, current.statistics, fields: fields)
    } else {
      sampler.skip()
    }
    if previous == nil {
      if sampler.wantsPlan { reviewGeneration() }
    } else {
      // About as much work as matching is, so that a bad plan is left soon and a good one is not disturbed.
      move(2 + candidates.lastScannedCount / 1_024 + candidates.count / 32)
    }
  }

  mutating func encodeBefore(_ record: some RecordSource) {
    let tokenFields = tokenFields
    before.encode(record, layout, fields: fields, tokenFields: tokenFields)
  }

  /// Finds the blocks of subscriptions that a record may match: all that it does match are among them, some twice.
  mutating func findCandidates(_ image: Image, zone: UInt32) -> Words {
    let words = arena.words
    candidates.removeAll()
    // Each image by itself: as an argument of a method of this one it would be copied.
    switch image {
    case .before:
      current.collect(before, fields: fields, zone, words, into: candidates)
      previous?.collect(before, fields: fields, zone, words, into: candidates)
    case .after:
      current.collect(after, fields: fields, zone, words, into: candidates)
      previous?.collect(after, fields: fields, zone, words, into: candidates)
    }
    candidates.resolve(words)
    return words
  }

  /// Lends the row of an image.
  private func withRow<Result>(of image: Image, _ body: (EncodedRow) -> Result) -> Result {
    switch image {
    case .before: before.withRow(body)
    case .after: after.withRow(body)
    }
  }

  /// The subscriptions that fire on one event and match a record, by slot and generation, ascending.
  mutating func matches(_ image: Image, event: UInt64, zone: UInt32) -> [UInt64] {
    let words = findCandidates(image, zone: zone)
    var found: [UInt64] = []
    found.reserveCapacity(min(candidates.count, 64))
    withRow(of: image) { row in
      for index in 0..<candidates.count {
        let block = candidates[index]
        if words[block + 1] >> 32 & event != 0, isInScope(words, block, zone), matches(words, block, row) {
          found.append(words[block])
        }
      }
    }
    SubscriptionTable.settle(&found)
    return found
  }

  @inline(__always)
  private func isInScope(_ words: Words, _ block: Int, _ zone: UInt32) -> Bool {
    let own = UInt32(truncatingIfNeeded: words[block + 1])
    return own == 0 || own == zone
  }

  /// Sorts what was found and takes it once.
  private static func settle(_ found: inout [UInt64]) {
    if found.count < 2 { return }
    found.sort()
    var end = 1
    for index in 1..<found.count where found[index] != found[end - 1] {
      found[end] = found[index]
      end += 1
    }
    found.removeSubrange(end...)
  }

  /// The subscriptions that a change of a record concerns, each by slot and generation, ascending.
  struct Changes {
    var entered: [UInt64] = []
    var stayed: [UInt64] = []
    var left: [UInt64] = []
  }

  /// What an update, whose images are encoded, means to the subscriptions: what matches afterwards is asked whether it
  /// did before; what matched before is looked for only if somebody wants to know who left.
  mutating func changes(zone: UInt32) -> Changes {
    var changes = Changes()
    var words = findCandidates(.after, zone: zone)
    after.withRow { after in
      before.withRow { before in
        for index in 0..<candidates.count {
          let block = candidates[index]
          guard words[block + 1] >> 32 & Event.update != 0, isInScope(words, block, zone), matches(words, block, after)
          else { continue }
          if matches(words, block, before) {
            changes.stayed.append(words[block])
          } else {
            changes.entered.append(words[block])
          }
        }
      }
    }
    SubscriptionTable.settle(&changes.entered)
    SubscriptionTable.settle(&changes.stayed)
    if leavingCount == 0 { return changes }
    words = findCandidates(.before, zone: zone)
    after.withRow { after in
      before.withRow { before in
        for index in 0..<candidates.count {
          let block = candidates[index]
          if words[block + 1] >> 32 & Event.leaving != 0, isInScope(words, block, zone), matches(words, block, before),
            !matches(words, block, after)
          {
            changes.left.append(words[block])
          }
        }
      }
    }
    SubscriptionTable.settle(&changes.left)
    return changes
  }

  /// All subscriptions that fire on an event and match a record, by asking every one: what the index is measured by.
  func scan(_ image: Image, event: UInt64, zone: UInt32) -> [UInt64] {
    let words = arena.words
    var found: [UInt64] = []
    withRow(of: image) { row in
      forEachBlock { block in
        if words[block + 1] >> 32 & event != 0, isInScope(words, block, zone), matches(words, block, row) {
          found.append(words[block])
        }
      }
    }
    return found
  }
}

extension SubscriptionTable {
  /// Samples records and plans by them.
  mutating func learn(from records: some Sequence<some KeyedFields>) {
    let all = Array(0..<layout.count)
    for record in records {
      after.encode(KeyedSource(record), layout, fields: all, tokenFields: layout.searchable)
      if sampler.wantsNext { sampler.add(after, current.statistics, fields: all) } else { sampler.skip() }
    }
    beginGeneration()
    moveAll()
  }
}
