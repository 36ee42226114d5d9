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
  /// A list of the elements in an order that depends on nothing but their values, so that equal sets give equal
  /// predicates. A set whose elements are lists of more than a predicate takes by default, or that nest deeper, is
  /// unsupported.
  public var predicateArgument: ArgumentValue {
    var keys = OrderingKeys()
    var keyed: [(key: [UInt8], value: ArgumentValue)] = []
    keyed.reserveCapacity(count)
    for element in self {
      let value = element.predicateArgument
      guard let key = keys.key(of: value) else {
        return .unsupported("the lists within the set hold more, or nest deeper, than a predicate may by default")
      }
      keyed.append((key, value))
    }
    keyed.sort { left, right in left.key.lexicographicallyPrecedes(right.key) }
    return .list(keyed.map(\.value))
  }
}

/// Bytes that put arguments into some order which depends on nothing but their values: different ones for different
/// values, and such that a list comes behind its beginning.
///
/// Lists can share their parts, and so stand for exponentially many constants: of one set's lists no more is written
/// than a predicate may hold by default.
private struct OrderingKeys {
  private var bytesLeft = SyntaxLimits().constantBytes
  private static let levels = SyntaxLimits().nesting

  /// What each argument's bytes begin with; the end of a list has one too.
  private enum Tag {
    static let end: UInt8 = 0
    static let integer: UInt8 = 1
    static let other: UInt8 = 2
    static let list: UInt8 = 3
    static let unsupported: UInt8 = 4
  }

  /// The bytes of an argument; nil where its lists hold too much.
  mutating func key(of argument: ArgumentValue) -> [UInt8]? {
    var key: [UInt8] = []
    return write(argument, to: &key, level: 0) ? key : nil
  }

  private mutating func write(_ argument: ArgumentValue, to key: inout [UInt8], level: Int) -> Bool {
    if level > 0 {
      let weight = if case .literal(let literal) = argument { literal.weight } else { Literal.null.weight }
      bytesLeft -= weight
      if bytesLeft < 0 { return false }
    }
    switch argument {
    case .literal(.integer(let value)):
      // Flipping the sign bit makes the big-endian bytes of integers sort as the integers do.
      let bits = UInt64(bitPattern: value) ^ (1 << 63)
      key.append(Tag.integer)
      for byte in 0..<8 { key.append(UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64(byte)))) }
    case .literal(.string(let text)):
      key += [Tag.other, UInt8(ascii: "\"")]
      write(text.utf8, to: &key)
    case .literal(let literal):
      key.append(Tag.other)
      write(ExpressionNode.literal(LiteralNode(literal)).predicateFormat.utf8, to: &key)
    case .list(let elements):
      guard level < OrderingKeys.levels else { return false }
      key.append(Tag.list)
      for element in elements {
        if !write(element, to: &key, level: level + 1) { return false }
      }
      key.append(Tag.end)
    case .unsupported(let reason):
      key.append(Tag.unsupported)
      write(reason.utf8.prefix(64), to: &key)
    }
    return true
  }

  /// Writes bytes that end where no others do: a zero byte among them is followed by 255, the end is two zeros.
  private func write(_ bytes: some Sequence<UInt8>, to key: inout [UInt8]) {
    for byte in bytes {
      key.append(byte)
      if byte == 0 { key.append(255) }
    }
    key += [0, 0]
  }
}
