/// One side of a comparison, written in Swift: a field of the record under its key, or what is computed from fields.
///
/// Operators and methods of `Field` make a ``QueryPredicate`` with exactly the tree that the predicate's text gives.
///
/// ```swift
/// let predicate = Field("start") > date && Field("name") == "x"
/// predicate.description                       // start > CAST(725760000.000000, "NSDate") AND name == "x"
///
/// Field("tags").any == "maps"                 // ANY tags == "maps"
/// Field("price") * 2 < 10                     // price * 2 < 10
/// Field("city") == .parameter("city")         // city == $city
/// Field.value(5) < Field("age")               // 5 < age
/// ```
///
/// Values are whatever a format string takes as an argument (`PredicateArgument`), and are bound, never spliced into
/// text. A field has no value type in Swift: the schema knows it, a whole number may stand where a double is meant, and
/// the binder's error names the field and both types.
///
/// A name that is no identifier, or a value no predicate can hold, such as NaN, traps nowhere: the predicate carries
/// the fault (``QueryPredicate/faults``) and is refused with it where it is used. Trees keep to the default
/// `SyntaxLimits`; what would pass them is a fault too, and the tree it stands in is not built.
public struct Field: Sendable {
  /// The expression; `nil` of the language where there is a fault.
  let node: ExpressionNode
  let size: TreeSize
  let faults: [Diagnostic]

  /// The field of a key: an identifier, also one that the language reserves (`in`, `size`), or several joined by
  /// points, which no dialect follows but for `list.@count`.
  ///
  /// ```swift
  /// Field("capacity") > 100     // capacity > 100
  /// Field("in") == 1            // #in == 1
  /// Field("first name") == 1    // carries the fault `invalidKey`
  /// ```
  public init(_ key: String) {
    guard key.utf8.count <= 4096, let node = KeyNode(path: key) else {
      self.init(
        fault: .argument(
          "invalidKey", "'\(SyntaxError.excerpt(key))' is no key.",
          hint: "A key is a letter or _, then letters, digits and _; several are joined by points."))
      return
    }
    self.init(node: .key(node), size: .leaf, faults: [])
  }

  init(node: ExpressionNode, size: TreeSize, faults: [Diagnostic]) {
    self.node = node
    self.size = size
    self.faults = faults
  }

  init(fault: Diagnostic) {
    self.init(node: .literal(LiteralNode(.null)), size: .leaf, faults: [fault])
  }

  /// The node made of parts, unless a part has a fault or the whole would pass a limit.
  init(over parts: [Field], _ make: () -> ExpressionNode) {
    var faults: [Diagnostic] = []
    var size = TreeSize.leaf
    for part in parts {
      faults = Diagnostic.merged(faults, part.faults)
      size.grow(over: part.size)
    }
    if faults.isEmpty, let fault = size.fault { faults = [fault] }
    if faults.isEmpty {
      self.init(node: make(), size: size, faults: [])
    } else {
      self.init(node: .literal(LiteralNode(.null)), size: .leaf, faults: faults)
    }
  }
}

// MARK: - System fields

extension Field {
  /// The record's ID: `recordID`.
  public static let recordID = Field(SystemField.recordID.key)
  /// When the record was first saved: `creationDate`.
  public static let creationDate = Field(SystemField.creationDate.key)
  /// When it was last saved: `modificationDate`.
  public static let modificationDate = Field(SystemField.modificationDate.key)
  /// The user who first saved it: `creatorUserRecordID`.
  public static let creatorUserRecordID = Field(SystemField.creatorUserRecordID.key)
  /// The user who last saved it: `lastModifiedUserRecordID`.
  public static let lastModifiedUserRecordID = Field(SystemField.lastModifiedUserRecordID.key)
  /// The record it belongs to in a sharing hierarchy: `parent`.
  public static let parent = Field(SystemField.parent.key)
  /// The share it takes part in: `share`.
  public static let share = Field(SystemField.share.key)
}

// MARK: - Other operands

extension Field {
  /// A constant, for the left side of an operator: `Field.value(5) < Field("age")` is `5 < age`.
  ///
  /// A value that no predicate can hold (NaN, a place off the Earth, a text beyond the limit) makes a fault.
  public static func value(_ value: some PredicateArgument) -> Field {
    constant(value.predicateArgument, level: 1)
  }

  /// A parameter that gets its value where the query is run: `$name`.
  ///
  /// ```swift
  /// Field("city") == .parameter("city")    // city == $city
  /// ```
  public static func parameter(_ name: String) -> Field {
    guard name.utf8.count <= 4096, name.utf8.first != UInt8(ascii: "@"), !name.utf8.contains(UInt8(ascii: ".")),
      KeyNode(path: name) != nil
    else {
      return Field(
        fault: .argument(
          "invalidParameter", "'\(SyntaxError.excerpt(name))' is no name of a parameter.",
          hint: "A name is a letter or _, then letters, digits and _."))
    }
    return Field(node: .variable(VariableNode(name)), size: .leaf, faults: [])
  }

  /// The moment the query is run: `now()`, read once for a query.
  public static let now = Field(over: []) { .function(FunctionNode(.now, [])) }

  private static func constant(_ argument: ArgumentValue, level: Int) -> Field {
    switch argument {
    case .literal(let literal):
      if let reason = fault(of: literal) { return unsupported(reason) }
      return Field(node: .literal(LiteralNode(literal)), size: .constant(literal), faults: [])
    case .unsupported(let reason): return unsupported(reason)
    case .list(let values):
      if level >= TreeSize.limits.nesting { return Field(fault: .nestingTooDeep) }
      guard values.count <= TreeSize.limits.listElements else { return Field(fault: .listTooLong) }
      var elements: [ExpressionNode] = []
      elements.reserveCapacity(values.count)
      var size = TreeSize.leaf
      for value in values {
        let element = constant(value, level: level + 1)
        if !element.faults.isEmpty { return element }
        elements.append(element.node)
        size.grow(over: element.size)
        // A list is one part of the predicate, however long; one within a list counts, with its elements.
        if case .list(let inner) = value { size.nodes += inner.count } else { size.nodes -= 1 }
        if let fault = size.fault { return Field(fault: fault) }
      }
      return Field(node: .list(ListNode(elements)), size: size, faults: [])
    }
  }

  private static func unsupported(_ reason: String) -> Field {
    Field(fault: .argument("unsupportedArgument", "This argument cannot be used: \(reason)."))
  }

  /// Why a constant cannot be part of a predicate.
  private static func fault(of literal: Literal) -> String? {
    switch literal {
    case .string(let text) where text.utf8.count > TreeSize.limits.stringLength:
      "the text is longer than \(TreeSize.limits.stringLength) bytes"
    case .location(let latitude, let longitude): Location(latitude: latitude, longitude: longitude).fault
    default: literal.fault
    }
  }
}

extension Diagnostic {
  /// A list has too many elements.
  static let listTooLong = argument(
    "listTooLong", "A list has \(TreeSize.limits.listElements) elements at most.",
    hint: "Split the list over several queries.")
}

extension Field: CustomStringConvertible {
  /// The expression's text; for one with a fault what is wrong, in angle brackets.
  public var description: String { faults.first.map { "<\($0.message)>" } ?? node.predicateFormat }
}

extension Timestamp: PredicateArgument {
  /// The date.
  public var predicateArgument: ArgumentValue { .literal(.date(milliseconds: milliseconds)) }
}
