/// Tells whether tokens form a sentence of a grammar, by Earley's algorithm: any context-free grammar, ambiguous ones
/// included, in cubic time at worst.
struct EarleyRecogniser: Sendable {
  /// A set of kinds of token, as bits.
  private struct Kinds: Sendable {
    var low: UInt64 = 0
    var high: UInt64 = 0

    mutating func insert(_ kind: Int) {
      if kind < 64 { low |= 1 << UInt64(kind) } else { high |= 1 << UInt64(kind - 64) }
    }

    mutating func formUnion(_ other: Kinds) {
      low |= other.low
      high |= other.high
    }

    func meets(_ other: Kinds) -> Bool { low & other.low | high & other.high != 0 }
  }

  /// The symbol after a dot: a rule's end, a production (from 0), or a kind of token (below −1).
  private static let end = -1

  private var kinds: [String: Int] = [:]
  private var production: [String: Int] = [:]
  /// For each production the items its rules begin with.
  private var starts: [[Int]] = []
  /// For each item the symbol after its dot; items of one rule follow one another.
  private var symbols: [Int] = []
  /// For each item the production of its rule.
  private var owners: [Int] = []
  private var isNullable: [Bool] = []
  private var firsts: [Kinds] = []
  /// For each item that begins a rule, what the rule's sentences may begin with, and whether one is empty.
  private var itemFirsts: [Kinds] = []
  private var itemIsNullable: [Bool] = []
  private let root: Int

  /// Creates the recogniser of the sentences of `root`; `terminals` are the names that are kinds of token, not
  /// productions.
  init(_ grammar: EBNFGrammar, root: String, terminals: Set<String>) {
    var names = Array(grammar.reachable(from: root, stopping: terminals)).sorted()
    names.removeAll { terminals.contains($0) }
    var rows: [(owner: Int, symbols: [Int])] = []
    for (row, name) in names.enumerated() { production[name] = row }
    self.root = production[root] ?? 0
    var count = names.count
    var builder = RuleBuilder(kinds: [:], production: production, count: count)
    for (row, name) in names.enumerated() {
      if let body = grammar[name] { builder.add(body, to: row) }
    }
    rows = builder.rules
    kinds = builder.kinds
    count = builder.count

    starts = [[Int]](repeating: [], count: count)
    for rule in rows {
      starts[rule.owner].append(symbols.count)
      symbols += rule.symbols + [Self.end]
      owners += [Int](repeating: rule.owner, count: rule.symbols.count + 1)
    }
    findFirsts(rows, count)
  }

  private mutating func findFirsts(_ rules: [(owner: Int, symbols: [Int])], _ count: Int) {
    isNullable = [Bool](repeating: false, count: count)
    firsts = [Kinds](repeating: Kinds(), count: count)
    var changes = true
    while changes {
      changes = false
      for rule in rules {
        let (kinds, isEmpty) = first(of: rule.symbols)
        let before = firsts[rule.owner]
        firsts[rule.owner].formUnion(kinds)
        let after = firsts[rule.owner]
        if before.low != after.low || before.high != after.high { changes = true }
        if isEmpty, !isNullable[rule.owner] {
          isNullable[rule.owner] = true
          changes = true
        }
      }
    }
    itemFirsts = [Kinds](repeating: Kinds(), count: symbols.count)
    itemIsNullable = [Bool](repeating: false, count: symbols.count)
    var item = 0
    for rule in rules {
      (itemFirsts[item], itemIsNullable[item]) = first(of: rule.symbols)
      item += rule.symbols.count + 1
    }
  }

  private func first(of symbols: [Int]) -> (Kinds, Bool) {
    var kinds = Kinds()
    for symbol in symbols {
      if symbol < Self.end {
        kinds.insert(Self.kind(symbol))
        return (kinds, false)
      }
      kinds.formUnion(firsts[symbol])
      if !isNullable[symbol] { return (kinds, false) }
    }
    return (kinds, true)
  }

  private static func kind(_ symbol: Int) -> Int { -2 - symbol }

  /// Whether the tokens are a sentence; each may be of several kinds.
  func accepts(_ tokens: [[String]]) -> Bool {
    var inputs: [Kinds] = []
    for classes in tokens {
      var set = Kinds()
      for name in classes { if let kind = kinds[name] { set.insert(kind) } }
      inputs.append(set)
    }
    let width = tokens.count + 1
    var seen = [Int32](repeating: -1, count: symbols.count * width)
    // For each column and production, the last item that waits for it; then the one before, by its place.
    var waiting = [Int32](repeating: -1, count: starts.count * width)
    var items: [Int32] = []
    var origins: [Int32] = []
    var earlier: [Int32] = []
    var scanned: [(item: Int, origin: Int)] = starts[root].map { ($0, 0) }

    for column in 0..<width {
      let columnStart = items.count
      let input = column < inputs.count ? inputs[column] : Kinds()
      // An item is added once a column; its symbol decides what is done with it.
      func add(_ item: Int, _ origin: Int) {
        let place = item * width + origin
        if seen[place] == Int32(column) { return }
        seen[place] = Int32(column)
        items.append(Int32(item))
        origins.append(Int32(origin))
        earlier.append(-1)
      }
      for entry in scanned { add(entry.item, entry.origin) }
      scanned.removeAll(keepingCapacity: true)
      var index = columnStart
      while index < items.count {
        let item = Int(items[index])
        let origin = Int(origins[index])
        let symbol = symbols[item]
        if symbol == Self.end {
          // Empty rules are dealt with where they are predicted.
          if origin != column {
            var waiter = waiting[origin * starts.count + owners[item]]
            while waiter >= 0 {
              add(Int(items[Int(waiter)]) + 1, Int(origins[Int(waiter)]))
              waiter = earlier[Int(waiter)]
            }
          }
        } else if symbol < Self.end {
          var wanted = Kinds()
          wanted.insert(Self.kind(symbol))
          if wanted.meets(input) { scanned.append((item + 1, origin)) }
        } else {
          let slot = column * starts.count + symbol
          let isFirst = waiting[slot] < 0
          earlier[index] = waiting[slot]
          waiting[slot] = Int32(index)
          if isFirst {
            for start in starts[symbol] where itemIsNullable[start] || itemFirsts[start].meets(input) {
              add(start, column)
            }
          }
          if isNullable[symbol] { add(item + 1, origin) }
        }
        index += 1
      }
      if items.count == columnStart { return false }
      if column == width - 1 {
        for index in columnStart..<items.count
        where origins[index] == 0 && symbols[Int(items[index])] == Self.end && owners[Int(items[index])] == root {
          return true
        }
      }
    }
    return false
  }
}

/// Rewrites productions as plain rules: what stands in brackets and braces becomes a production of its own.
private struct RuleBuilder {
  var kinds: [String: Int]
  let production: [String: Int]
  var count: Int
  var rules: [(owner: Int, symbols: [Int])] = []

  mutating func add(_ body: EBNF, to owner: Int) {
    if case .choice(let parts) = body {
      for part in parts { add(part, to: owner) }
    } else {
      rules.append((owner, symbols(body)))
    }
  }

  private mutating func symbols(_ body: EBNF) -> [Int] {
    switch body {
    case .sequence(let parts): return parts.flatMap { symbols($0) }
    case .terminal(let text): return [kind(text)]
    case .special(let text), .exception(.special(let text), _): return [kind("?" + text)]
    case .name(let name): return [production[name] ?? kind(name)]
    case .choice: return [fresh { builder, owner in builder.add(body, to: owner) }]
    case .option(let inner):
      return [
        fresh { builder, owner in
          builder.rules.append((owner, []))
          builder.add(inner, to: owner)
        }
      ]
    case .repetition(let inner):
      return [
        fresh { builder, owner in
          let element = builder.symbols(inner)
          builder.rules.append((owner, []))
          builder.rules.append((owner, [owner] + element))
        }
      ]
    case .exception(let inner, _): return symbols(inner)
    }
  }

  private mutating func fresh(_ fill: (inout RuleBuilder, Int) -> Void) -> Int {
    let owner = count
    count += 1
    fill(&self, owner)
    return owner
  }

  private mutating func kind(_ name: String) -> Int {
    if let kind = kinds[name] { return -2 - kind }
    let kind = kinds.count
    kinds[name] = kind
    return -2 - kind
  }
}
