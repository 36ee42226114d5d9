extension ArgumentValue: PredicateArgument {
  /// The value itself.
  public var predicateArgument: ArgumentValue { self }
}

extension Literal: PredicateArgument {
  /// The constant.
  public var predicateArgument: ArgumentValue { .literal(self) }
}

extension ArgumentValue {
  /// The argument for a whole number of any width; unsupported beyond `Int64`.
  fileprivate init(whole value: some BinaryInteger) {
    if let whole = Int64(exactly: value) {
      self = .literal(.integer(whole))
    } else {
      self = .unsupported("whole numbers beyond \(Int64.max) cannot be stored")
    }
  }

  /// The argument for a number; unsupported where it is none.
  fileprivate init(number value: Double) {
    if let literal = Literal.number(value) {
      self = .literal(literal)
    } else {
      self = .unsupported("NaN is no number and equals nothing")
    }
  }
}

extension Int: PredicateArgument {
  /// The number.
  public var predicateArgument: ArgumentValue { ArgumentValue(whole: self) }
}

extension Int8: PredicateArgument {
  /// The number.
  public var predicateArgument: ArgumentValue { ArgumentValue(whole: self) }
}

extension Int16: PredicateArgument {
  /// The number.
  public var predicateArgument: ArgumentValue { ArgumentValue(whole: self) }
}

extension Int32: PredicateArgument {
  /// The number.
  public var predicateArgument: ArgumentValue { ArgumentValue(whole: self) }
}

extension Int64: PredicateArgument {
  /// The number.
  public var predicateArgument: ArgumentValue { .literal(.integer(self)) }
}

extension UInt: PredicateArgument {
  /// The number; unsupported beyond `Int64.max`.
  public var predicateArgument: ArgumentValue { ArgumentValue(whole: self) }
}

extension UInt8: PredicateArgument {
  /// The number.
  public var predicateArgument: ArgumentValue { ArgumentValue(whole: self) }
}

extension UInt16: PredicateArgument {
  /// The number.
  public var predicateArgument: ArgumentValue { ArgumentValue(whole: self) }
}

extension UInt32: PredicateArgument {
  /// The number.
  public var predicateArgument: ArgumentValue { ArgumentValue(whole: self) }
}

extension UInt64: PredicateArgument {
  /// The number; unsupported beyond `Int64.max`.
  public var predicateArgument: ArgumentValue { ArgumentValue(whole: self) }
}

extension Double: PredicateArgument {
  /// The number, as an integer where it is whole; NaN is unsupported.
  public var predicateArgument: ArgumentValue { ArgumentValue(number: self) }
}

extension Float: PredicateArgument {
  /// The number, widened exactly; NaN is unsupported.
  public var predicateArgument: ArgumentValue { ArgumentValue(number: Double(self)) }
}

extension Bool: PredicateArgument {
  /// The integer 1 or 0.
  public var predicateArgument: ArgumentValue { .literal(.integer(self ? 1 : 0)) }
}

extension String: PredicateArgument {
  /// The text.
  public var predicateArgument: ArgumentValue { .literal(.string(self)) }
}

extension Substring: PredicateArgument {
  /// The text.
  public var predicateArgument: ArgumentValue { .literal(.string(String(self))) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  /// The value, or `nil`.
  public var predicateArgument: ArgumentValue { self?.predicateArgument ?? .literal(.null) }
}

extension Array: PredicateArgument where Element: PredicateArgument {
  /// A list of the elements.
  public var predicateArgument: ArgumentValue { .list(map(\.predicateArgument)) }
}

extension Set: PredicateArgument where Element: PredicateArgument {
  /// A list of the elements in the order of their printed text, so that equal sets give equal predicates.
  public var predicateArgument: ArgumentValue {
    let keyed = map { element in
      let value = element.predicateArgument
      return (key: value.orderingKey, value: value)
    }
    let sorted = keyed.sorted { left, right in left.key.lexicographicallyPrecedes(right.key) }
    return .list(sorted.map(\.value))
  }
}

extension ArgumentValue {
  /// Bytes that put arguments into some order which depends on nothing but their values.
  fileprivate var orderingKey: [UInt8] {
    switch self {
    case .literal(.integer(let value)):
      // Flipping the sign bit makes the big-endian bytes of integers sort as the integers do.
      [0] + Self.bigEndian(UInt64(bitPattern: value) ^ (1 << 63))
    case .literal(let literal): [1] + Array(ExpressionNode.literal(LiteralNode(literal)).predicateFormat.utf8)
    case .list(let elements): [2] + elements.flatMap { $0.orderingKey + [0] }
    case .unsupported(let reason): [3] + Array(reason.utf8)
    }
  }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
  }
}
