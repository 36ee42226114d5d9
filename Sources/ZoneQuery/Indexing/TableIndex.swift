// An unsafe leaf: the slots of leaves by pointers, while the caller holds the version; what an index is on, without
// holding it.
//
// Invariant: what an index is on is held by the ``TableIndexes`` it is one of, and asked for while these are held.

/// An index of a table: what it is on, and its entries. A version is a copy, for which no references are counted.
@safe
struct TableIndex: Sendable {
  enum Entries: Sendable {
    case one(OrderedIndex<Key1>)
    case two(OrderedIndex<Key2>)
    case three(OrderedIndex<Key3>)
    case four(OrderedIndex<Key4>)
    case postings(PostingIndex)
  }

  @unsafe private var reference: Unmanaged<IndexShape>
  @inline(__always)
  var shape: IndexShape { withShape { $0 } }
  var entries: Entries
  /// How many rows have the first field and lack another, so that they have no entry.
  var incomplete = 0

  /// Calls `body` with what it is on, without counting a reference.
  @inline(__always)
  func withShape<Result>(_ body: (IndexShape) -> Result) -> Result { unsafe reference._withUnsafeGuaranteedRef(body) }

  /// Whether any of its fields is in a set.
  func isOn(_ fields: FieldSet) -> Bool { withShape { $0.isOn(fields) } }

  /// Says what it is on, which its ``TableIndexes`` is to hold.
  @unsafe
  mutating func refer(to shape: IndexShape) { unsafe reference = .passUnretained(shape) }

  /// An index without entries on what its ``TableIndexes`` is to hold.
  @unsafe
  init(_ shape: IndexShape) {
    unsafe reference = .passUnretained(shape)
    switch shape.kind {
    case .members, .references, .tokens: entries = .postings(PostingIndex())
    case .location: entries = .one(OrderedIndex(shape: .number))
    case .ordered:
      let keys = KeyShape(shape.components.map { $0.wordCount == 2 ? .text : .number })
      switch shape.wordCount {
      case 1: entries = .one(OrderedIndex(shape: keys))
      case 2: entries = .two(OrderedIndex(shape: keys))
      case 3: entries = .three(OrderedIndex(shape: keys))
      default: entries = .four(OrderedIndex(shape: keys))
      }
    }
  }

  /// Whether its entries are the slots that have a term.
  var holdsPostings: Bool { if case .postings = entries { true } else { false } }

  /// How many entries there are; for postings, how many postings.
  var count: Int { entries.count }
}

/// A run of an ordered index's entries, between two places.
struct IndexSpan: Sendable {
  var lower: IndexPosition
  var upper: IndexPosition
  /// Whether all entries have one key, so that their slots ascend.
  var isPoint: Bool

  var count: Int { max(0, upper.rank - lower.rank) }

  /// How many entries some spans have.
  static func count(_ spans: [IndexSpan]) -> Int { spans.reduce(0) { $0 + $1.count } }

  /// Leaves out what a walk comes to before a place.
  mutating func begin(at place: IndexPosition, isDescending: Bool) {
    if isDescending {
      if place.rank < upper.rank { upper = place.rank < lower.rank ? lower : place }
    } else if place.rank > lower.rank {
      lower = place.rank > upper.rank ? upper : place
    }
  }
}

/// A place between entries, for keys of any number of words.
struct SpanBound: Sendable {
  var words = Key4()
  var count = 0
  var isAfter = false
  /// The bytes of the first and the second text among the words, where they are long.
  var text: [UInt8]?
  var secondText: [UInt8]?
  private var texts = 0
  /// How many components it has values of.
  private(set) var fields = 0

  init() {}

  /// The place of short values of an index's first components, given by their words.
  init(_ words: Key4, _ components: ArraySlice<IndexShape.Component>) {
    for component in components {
      for word in component.word..<component.word + component.wordCount { self.words[word] = words[word] }
      count += component.wordCount
      if component.wordCount == 2 { texts += 1 }
      fields += 1
    }
  }

  /// Adds a component's value behind those there are.
  mutating func append(_ end: ValueInterval.End, _ component: IndexShape.Component) {
    words[count] = end.first
    if component.wordCount == 2 {
      words[count + 1] = end.second
      if texts == 0 { text = end.text } else { secondText = end.text }
      texts += 1
    }
    count += component.wordCount
    fields += 1
  }

  /// Whether this is the place before, and another the place behind, the entries of one key or beginning.
  @inline(__always)
  func isSame(as upper: SpanBound) -> Bool {
    !isAfter && upper.isAfter && count > 0 && count == upper.count && words == upper.words && text == upper.text
      && secondText == upper.secondText
  }

  /// Calls `body` with the place for keys of a number of words.
  @inline(__always)
  func withBound<Key: IndexKey, Result>(_: Key.Type, _ body: (IndexBound<Key>) -> Result) -> Result {
    LentTexts.lend(text, secondText) { texts in
      body(IndexBound(key: Key(words), words: min(count, Key.wordCount), isAfter: isAfter, texts: texts))
    }
  }
}

extension TableIndex {
  /// The entries whose first components are the given values and whose next one, if an interval is given, lies in it.
  func span(_ lead: SpanBound = SpanBound(), _ interval: ValueInterval?, ties: RowTies) -> IndexSpan {
    var (lower, upper) = (lead, lead)
    upper.isAfter = true
    if let interval, lead.fields < shape.components.count {
      let component = shape.components[lead.fields]
      if let end = interval.lower {
        lower.append(end, component)
        lower.isAfter = end.isAfter
      }
      if let end = interval.upper {
        upper.append(end, component)
        upper.isAfter = end.isAfter
      }
    }
    let isPoint =
      lead.fields + (interval?.isPoint == true ? 1 : 0) == shape.components.count
    return span(from: lower, to: upper, isPoint: isPoint, ties: ties)
  }

  func span(from lower: SpanBound, to upper: SpanBound, isPoint: Bool, ties: RowTies) -> IndexSpan {
    switch entries {
    case .one(let index): index.span(lower, upper, isPoint)
    case .two(let index): index.span(lower, upper, isPoint, ties)
    case .three(let index): index.span(lower, upper, isPoint, ties)
    case .four(let index): index.span(lower, upper, isPoint, ties)
    case .postings:
      IndexSpan(lower: OrderedIndex<Key1>.nowhere, upper: OrderedIndex<Key1>.nowhere, isPoint: isPoint)
    }
  }

  /// Calls `body` with every page: for checks.
  func forEachPage(_ body: (UnsafeMutableRawPointer) -> Void) {
    switch entries {
    case .one(let index): unsafe index.forEachPage(body)
    case .two(let index): unsafe index.forEachPage(body)
    case .three(let index): unsafe index.forEachPage(body)
    case .four(let index): unsafe index.forEachPage(body)
    case .postings(let index): unsafe index.forEachPage(body)
    }
  }
}

extension TableIndex.Entries {
  /// How many there are; for postings, how many postings.
  var count: Int {
    switch self {
    case .one(let index): index.count
    case .two(let index): index.count
    case .three(let index): index.count
    case .four(let index): index.count
    case .postings(let index): index.postings
    }
  }

  /// Reads where the root of an ordered index begins. What is returned says nothing.
  func touchRoot() -> UInt64 {
    switch self {
    case .one(let index): index.touchRoot()
    case .two(let index): index.touchRoot()
    case .three(let index): index.touchRoot()
    case .four(let index): index.touchRoot()
    case .postings: 0
    }
  }

  /// Asks for the node above the leaf at the end of a way, all of which is copied with the leaf.
  func prefetchNode(above way: IndexPosition) {
    switch self {
    case .one(let index): index.prefetchNode(above: way)
    case .two(let index): index.prefetchNode(above: way)
    case .three(let index): index.prefetchNode(above: way)
    case .four(let index): index.prefetchNode(above: way)
    case .postings: break
    }
  }

  /// Asks for the leaf at the end of a way.
  func prefetchLeaf(_ way: IndexPosition) {
    switch self {
    case .one(let index): index.prefetchLeaf(way)
    case .two(let index): index.prefetchLeaf(way)
    case .three(let index): index.prefetchLeaf(way)
    case .four(let index): index.prefetchLeaf(way)
    case .postings: break
    }
  }

  /// The entries of a location index among which all places of a circle are.
  func cover(of circle: CircleTest) -> [IndexSpan] {
    guard case .one(let index) = self else { return [] }
    var spans: [IndexSpan] = []
    for range in LocationKeys.cover(latitude: circle.latitude, longitude: circle.longitude, radius: circle.radius) {
      let places = index.seek(.before(Key1(range.lowerBound)), .after(Key1(range.upperBound)), ties: NoTies())
      let span = IndexSpan(lower: places.lower, upper: places.upper, isPoint: false)
      if span.count > 0 { spans.append(span) }
    }
    return spans
  }

  /// The circle about a place with a radius, in metres, its rim included, and its cover.
  func circle(latitude: Double, longitude: Double, radius: Double) -> (test: CircleTest, cover: [IndexSpan]) {
    let test = CircleTest(latitude: latitude, longitude: longitude, radius: radius, relation: .lessThanOrEqual)
    return (test, cover(of: test))
  }

  /// Appends the slots of a span, in the order of the entries.
  func collect(_ span: IndexSpan, into slots: inout [UInt32]) {
    unsafe forEachSlots(span) { unsafe slots.append(contentsOf: $0) }
  }

  /// Appends the slots of those entries of a span that pass, in the order of the entries.
  func collect(_ span: IndexSpan, passing filter: EntryFilter, into slots: inout [UInt32]) {
    if filter.isEmpty { return collect(span, into: &slots) }
    switch self {
    case .one(let index): index.collect(from: span.lower, to: span.upper, passing: filter, into: &slots)
    case .two(let index): index.collect(from: span.lower, to: span.upper, passing: filter, into: &slots)
    case .three(let index): index.collect(from: span.lower, to: span.upper, passing: filter, into: &slots)
    case .four(let index): index.collect(from: span.lower, to: span.upper, passing: filter, into: &slots)
    case .postings: break
    }
  }

  /// Calls `body` with the slots of a span, in the order of the entries, those of one leaf at a time.
  @inline(__always)
  func forEachSlots(_ span: IndexSpan, _ body: (UnsafeBufferPointer<UInt32>) -> Void) {
    switch self {
    case .one(let index): unsafe index.forEachSlots(span, body)
    case .two(let index): unsafe index.forEachSlots(span, body)
    case .three(let index): unsafe index.forEachSlots(span, body)
    case .four(let index): unsafe index.forEachSlots(span, body)
    case .postings: break
    }
  }
}

extension OrderedIndex {
  @inline(__always)
  fileprivate func forEachSlots(_ span: IndexSpan, _ body: (UnsafeBufferPointer<UInt32>) -> Void) {
    forEachRun(from: span.lower, to: span.upper) { run in
      unsafe body(UnsafeBufferPointer(start: run.slots, count: run.count))
      return true
    }
  }

  fileprivate func touchRoot() -> UInt64 {
    // No leaf is smaller, and no inner node.
    unsafe root.map { unsafe PageHeap.touch($0, Node.leafBytes(4, isCoded: false)) } ?? 0
  }

  /// A place in no index.
  static var nowhere: IndexPosition { unsafe IndexPosition(rank: 0, leaf: nil, index: 0, path: 0) }

  fileprivate func span(_ lower: SpanBound, _ upper: SpanBound, _ isPoint: Bool) -> IndexSpan {
    let places = lower.withBound(Key.self) { lower in
      upper.withBound(Key.self) { seek(lower, $0, ties: NoTies()) }
    }
    return IndexSpan(lower: places.lower, upper: places.upper, isPoint: isPoint)
  }

  fileprivate func span(_ lower: SpanBound, _ upper: SpanBound, _ isPoint: Bool, _ ties: RowTies) -> IndexSpan {
    let places = lower.withBound(Key.self) { bound in
      lower.isSame(as: upper)
        ? self.places(bound, ties: ties) : upper.withBound(Key.self) { seek(bound, $0, ties: ties) }
    }
    return IndexSpan(lower: places.lower, upper: places.upper, isPoint: isPoint)
  }
}
