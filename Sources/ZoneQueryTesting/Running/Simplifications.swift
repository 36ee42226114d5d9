internal import PredicateSyntax
internal import ZoneQuery

extension PredicateNode {
  /// Predicates that are a step plainer, the boldest step first.
  var simplifications: [PredicateNode] {
    switch self {
    case .constant(let node): return node.value ? [] : [.true]
    case .not(let node):
      return [node.operand] + node.operand.simplifications.map { .not(NotNode($0)) }
    case .and(let node): return Self.simplifications(of: node.parts) { .and(CompoundNode(parts: $0)) }
    case .or(let node): return Self.simplifications(of: node.parts) { .or(CompoundNode(parts: $0)) }
    case .comparison(let node): return [.true] + node.simplifications.map { .comparison($0) }
    }
  }

  private static func simplifications(
    of parts: [PredicateNode], _ make: ([PredicateNode]) -> PredicateNode
  ) -> [PredicateNode] {
    var results = parts
    for index in parts.indices where parts.count > 1 {
      var fewer = parts
      fewer.remove(at: index)
      results.append(fewer.count == 1 ? fewer[0] : make(fewer))
    }
    for index in parts.indices {
      for part in parts[index].simplifications {
        var others = parts
        others[index] = part
        results.append(make(others))
      }
    }
    return results
  }
}

extension ComparisonNode {
  var simplifications: [ComparisonNode] {
    var results: [ComparisonNode] = []
    func changed(_ change: (inout ComparisonNode) -> Void) {
      var node = self
      change(&node)
      results.append(node)
    }
    if !options.isEmpty { changed { $0.options = [] } }
    for left in left.simplifications { changed { $0.left = left } }
    for right in right.simplifications { changed { $0.right = right } }
    return results
  }
}

extension ExpressionNode {
  var simplifications: [ExpressionNode] {
    switch self {
    case .literal(let node): return node.value.simplifications.map { .literal(LiteralNode($0)) }
    case .list(let node):
      var results: [ExpressionNode] = []
      if node.elements.count > 2 {
        results.append(.list(ListNode(Array(node.elements.prefix(node.elements.count / 2)))))
        results.append(.list(ListNode(Array(node.elements.dropFirst(node.elements.count / 2)))))
      }
      for index in node.elements.indices {
        var fewer = node.elements
        fewer.remove(at: index)
        results.append(.list(ListNode(fewer)))
      }
      for index in node.elements.indices {
        for element in node.elements[index].simplifications {
          var others = node.elements
          others[index] = element
          results.append(.list(ListNode(others)))
        }
      }
      return results
    case .binary(let node):
      return [node.left, node.right]
        + node.right.simplifications.map { .binary(BinaryNode(node.left, node.operation, $0)) }
    case .function(let node):
      var results: [ExpressionNode] = []
      for index in node.arguments.indices {
        for argument in node.arguments[index].simplifications {
          var arguments = node.arguments
          arguments[index] = argument
          results.append(.function(FunctionNode(node.function, arguments)))
        }
      }
      return results
    case .ternary(let node):
      return [node.then, node.otherwise]
    default: return []
    }
  }
}

extension Literal {
  var simplifications: [Literal] {
    switch self {
    case .integer(let value): value.simplifications.map { .integer($0) }
    case .double(let value): value.simplifications.compactMap { Literal.number($0) }
    case .string(let value): value.simplifications.map { .string($0) }
    case .date(let milliseconds): milliseconds.simplifications.map { .date(milliseconds: $0) }
    case .location(let latitude, let longitude):
      latitude.simplifications.map { .location(latitude: $0, longitude: longitude) }
        + longitude.simplifications.map { .location(latitude: latitude, longitude: $0) }
    case .reference(let name, let zone, let owner):
      zone == nil && owner == nil ? [] : [.reference(recordName: name, zoneName: nil, ownerName: nil)]
    case .null: []
    }
  }
}

extension Int64 {
  /// Numbers nearer to nought.
  fileprivate var simplifications: [Int64] {
    if self == 0 { return [] }
    var results: [Int64] = [0]
    if self != 1, self != -1 { results += [1, self / 2, self - signum()] }
    return results
  }
}

extension Double {
  /// Numbers nearer to nought or with fewer digits.
  fileprivate var simplifications: [Double] {
    if self == 0 { return sign == .minus ? [0] : [] }
    var results: [Double] = [0]
    if self != 1 { results.append(1) }
    if isFinite, rounded(.towardZero) != self { results.append(rounded(.towardZero)) }
    if isFinite, abs(self) > 1 { results.append((self / 2).rounded(.towardZero)) }
    return results.filter { $0 != self }
  }
}

extension String {
  /// Shorter texts, and the text with an `a` in place of a character.
  fileprivate var simplifications: [String] {
    let scalars = Array(unicodeScalars)
    func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      return String(view)
    }
    if scalars.isEmpty { return [] }
    var results = ["", text(scalars.prefix(scalars.count / 2)), text(scalars.dropFirst((scalars.count + 1) / 2))]
    for index in scalars.indices.prefix(32) {
      var fewer = scalars
      fewer.remove(at: index)
      results.append(text(fewer))
      if scalars[index] != "a" {
        var plain = scalars
        plain[index] = "a"
        results.append(text(plain))
      }
    }
    return results
  }
}

extension FieldValue {
  /// Values of the same type that are a step plainer.
  var simplifications: [FieldValue] {
    switch self {
    case .string(let value): value.simplifications.map { .string($0) }
    case .int64(let value): value.simplifications.map { .int64($0) }
    case .double(let value): value.simplifications.map { .double($0) }
    case .timestamp(let value): value.milliseconds.simplifications.map { .timestamp(Timestamp(milliseconds: $0)) }
    case .stringList(let values): Self.lists(values).map { .stringList($0) }
    case .int64List(let values): Self.lists(values).map { .int64List($0) }
    case .doubleList(let values): Self.lists(values).map { .doubleList($0) }
    case .timestampList(let values): Self.lists(values).map { .timestampList($0) }
    case .locationList(let values): Self.lists(values).map { .locationList($0) }
    case .referenceList(let values): Self.lists(values).map { .referenceList($0) }
    case .location(let value):
      value.latitude.simplifications.map { .location(Location(latitude: $0, longitude: value.longitude)) }
        + value.longitude.simplifications.map { .location(Location(latitude: value.latitude, longitude: $0)) }
    default: []
    }
  }

  private static func lists<Member>(_ members: [Member]) -> [[Member]] {
    members.indices.map { index in
      var fewer = members
      fewer.remove(at: index)
      return fewer
    }
  }
}

extension Record {
  /// The record with a field less, without a parent, or in the default zone under its own name.
  var simplifications: [Record] {
    var results: [Record] = []
    for name in fieldNames {
      var fewer = self
      fewer[name] = nil
      results.append(fewer)
    }
    if parent != nil {
      var orphan = self
      orphan.parent = nil
      results.append(orphan)
    }
    if !recordID.zoneID.isDefault {
      var moved = Record(recordType: recordType, recordID: RecordID(recordName: recordID.recordName))
      for (name, value) in fields { moved[name] = value }
      results.append(moved)
    }
    return results
  }
}
