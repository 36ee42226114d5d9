extension ComparisonNode {
  /// The comparison with a few elements of each of its lists, one of each kind among them: it is taken where the
  /// comparison is, and refused for a reason of the same place.
  ///
  /// Complexity: linear in the comparison.
  var withFewElements: ComparisonNode {
    var few = self
    (few.left, few.right) = (left.withFewElements, right.withFewElements)
    return few
  }
}

extension ExpressionNode {
  fileprivate var withFewElements: ExpressionNode {
    switch self {
    case .list(let list): return .list(list.withFewElements)
    case .function(var call) where [.distance, .tokenize].contains(call.function):
      call.arguments = call.arguments.map(\.withFewElements)
      return .function(call)
    default: return self
    }
  }
}

extension ListNode {
  /// What the binder tells elements apart by.
  private enum Kind: Hashable {
    case null, integer, double, string, date, location, reference
    /// A constant that is none of its kind's values, and a reference that no record can hold.
    case unsound, unencodable
    case variable(ByteKey)
    case key(ByteKey)
    case list
  }

  /// No list of so many elements is taken or refused for their number.
  private static let fewest = 3

  fileprivate var withFewElements: ListNode {
    var seen: Set<Kind> = []
    var kept: [ExpressionNode] = []
    for element in elements {
      let kind = Self.kind(element)
      let isNew = kind.map { seen.insert($0).inserted } ?? true
      if isNew || kept.count < Self.fewest { kept.append(element.withFewElements) }
    }
    return ListNode(kept, span: span)
  }

  /// The kind of an element; nil of one that is like no other.
  private static func kind(_ element: ExpressionNode) -> Kind? {
    switch element {
    case .literal(let literal): kind(literal.value)
    case .variable(let variable): .variable(ByteKey(variable.name))
    case .key(let key) where key.path.isEmpty: .key(ByteKey(key.name))
    case .list: .list
    default: nil
    }
  }

  private static func kind(_ literal: Literal) -> Kind {
    if literal.fault != nil { return .unsound }
    switch literal {
    case .null: return .null
    case .integer: return .integer
    case .double: return .double
    case .string: return .string
    case .date: return .date
    case .location: return .location
    case .reference(let name, let zoneName, let ownerName):
      let id = RecordID(recordName: name, zoneName: zoneName, ownerName: ownerName)
      return id.encodingFault == nil ? .reference : .unencodable
    }
  }
}
