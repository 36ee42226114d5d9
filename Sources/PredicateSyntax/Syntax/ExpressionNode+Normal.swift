extension ExpressionNode {
  /// The negation of `operand` in the tree's normal form: of a number literal the negative literal, of anything
  /// else the operation `-`. The negation of −2⁶³ is the double 2⁶³.
  public static func negated(_ operand: ExpressionNode, span: SourceSpan = .none) -> ExpressionNode {
    if case .literal(let node) = operand {
      switch node.value {
      case .integer(let value):
        let (negative, overflow) = Int64(0).subtractingReportingOverflow(value)
        return .literal(LiteralNode(overflow ? .double(-Double(value)) : .integer(negative), span: span))
      case .double(let value):
        if let literal = Literal.number(-value) { return .literal(LiteralNode(literal, span: span)) }
      default: break
      }
    }
    return .unary(UnaryNode(.negate, operand, span: span))
  }

  /// The bitwise complement `~operand`.
  public static func complemented(_ operand: ExpressionNode, span: SourceSpan = .none) -> ExpressionNode {
    .unary(UnaryNode(.complement, operand, span: span))
  }

  /// The path `base.a.b` in the tree's normal form: a key grows longer, `SELF.a` is the key `a`, and a path
  /// from anything else has one list of names. `components` are identifiers, which `@` may precede; with none
  /// the result is `base`.
  package static func path(
    from base: ExpressionNode, _ components: [String], span: SourceSpan = .none
  ) -> ExpressionNode {
    if components.isEmpty { return base }
    switch base {
    case .key(let node): return .key(KeyNode(components: node.components + components, span: span))
    case .selfReference: return .key(KeyNode(components: components, span: span))
    case .property(let node):
      return .property(PropertyNode(node.base, node.components + components, span: span))
    default: return .property(PropertyNode(base, components, span: span))
    }
  }

  /// `CAST(value, "typeName")` in the tree's normal form: a date, location, reference or infinite number where
  /// it spells one, else a cast. `nil` where it should spell one and does not, such as
  /// `CAST("north", "CLLocation")`.
  public static func casting(
    _ value: ExpressionNode, as typeName: String, span: SourceSpan = .none
  ) -> ExpressionNode? {
    if case .literal(let node) = value, let kind = CastLiteral(typeName), kind.reads(node.value) {
      guard let literal = kind.literal(node.value) else { return nil }
      return .literal(LiteralNode(literal, span: span))
    }
    return .cast(CastNode(value, typeName, span: span))
  }
}

extension KeyNode {
  /// The key that `path` spells, its names separated by points; `nil` unless each is an identifier, which `@`
  /// may precede.
  ///
  ///     KeyNode(path: "venue.city")   // two names
  ///     KeyNode(path: "first name")   // nil
  public init?(path: String, span: SourceSpan = .none) {
    guard let components = Self.components(of: path) else { return nil }
    self.init(components: components, span: span)
  }

  static func components(of path: String) -> [String]? {
    let bytes = Array(path.utf8)
    guard let firstPoint = bytes.firstIndex(of: UInt8(ascii: ".")) else {
      return IdentifierRules.isComponent(bytes, from: 0, to: bytes.count) ? [path] : nil
    }
    var components: [String] = []
    var start = 0
    var end = firstPoint
    while true {
      guard IdentifierRules.isComponent(bytes, from: start, to: end) else { return nil }
      components.append(String(decoding: bytes[start..<end], as: UTF8.self))
      if end == bytes.count { return components }
      start = end + 1
      end = bytes[start...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
    }
  }
}

extension Literal {
  /// The same constant by the rule of the type: a whole double becomes an integer, and the default zone and
  /// owner of a reference are left out.
  package var normalized: Literal {
    switch self {
    case .double(let value): return .number(value) ?? self
    case .reference(let record, let zone, let owner):
      let owner = owner.flatMap { $0.utf8.isEmpty ? nil : $0 }
      let isDefault = zone.map { $0.utf8.isEmpty || sameBytes($0, Literal.defaultZoneName) } ?? true
      return .reference(recordName: record, zoneName: isDefault ? nil : zone, ownerName: owner)
    default: return self
    }
  }

  /// The name of the zone that a reference without one means.
  package static let defaultZoneName = "_defaultZone"
}
