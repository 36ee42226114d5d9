/// One side of a comparison: a constant, a key, or something computed from them.
public indirect enum ExpressionNode: Sendable, Hashable {
  /// A constant.
  case literal(LiteralNode)
  /// A field's name, or a path of names.
  case key(KeyNode)
  /// `SELF` alone.
  case selfReference(SelfNode)
  /// `$name`.
  case variable(VariableNode)
  /// `{a, b, …}`.
  case list(ListNode)
  /// `-a` or `~a`, where `a` is no number literal.
  case unary(UnaryNode)
  /// `a + b` and its like.
  case binary(BinaryNode)
  /// A path that starts from something other than a key: `(a + b).c`.
  case property(PropertyNode)
  /// `a[0]`, `a[FIRST]`, `a[LAST]`, `a[SIZE]`.
  case index(IndexNode)
  /// A built-in function, whichever way it was spelled.
  case function(FunctionNode)
  /// `FUNCTION(target, "selector", …)`.
  case customFunction(CustomFunctionNode)
  /// `SUBQUERY(collection, $v, predicate)`.
  case subquery(SubqueryNode)
  /// `TERNARY(predicate, a, b)`.
  case ternary(TernaryNode)
  /// `CAST(a, "type")` for the types that have no literal.
  case cast(CastNode)
  /// `$v := a`.
  case assignment(AssignmentNode)

  /// The place the node was read from.
  public var span: SourceSpan {
    switch self {
    case .literal(let node): node.span
    case .key(let node): node.span
    case .selfReference(let node): node.span
    case .variable(let node): node.span
    case .list(let node): node.span
    case .unary(let node): node.span
    case .binary(let node): node.span
    case .property(let node): node.span
    case .index(let node): node.span
    case .function(let node): node.span
    case .customFunction(let node): node.span
    case .subquery(let node): node.span
    case .ternary(let node): node.span
    case .cast(let node): node.span
    case .assignment(let node): node.span
    }
  }
}

/// A constant and its place.
public struct LiteralNode: Sendable, Hashable {
  /// The constant.
  public var value: Literal
  /// The place it was read from: its text, or the conversion (`%@`) that an argument was put in for.
  public var span: SourceSpan

  /// Creates a literal; a double that is whole becomes an integer, a reference's default zone is left out.
  public init(_ value: Literal, span: SourceSpan = .none) {
    self.value = value.normalized
    self.span = span
  }
}

/// A key: one name or several joined by points. `SELF.a` is the key `a`.
public struct KeyNode: Sendable, Hashable {
  /// The first name: an identifier that may begin with `@`; without the `#` that escapes a reserved word.
  public let name: String
  /// The names after the first, of the same form; empty for a field's name.
  public let path: [String]
  /// The place of the whole path.
  public var span: SourceSpan

  /// All the names, at least one. Where the first is enough, ``name`` costs less.
  public var components: [String] { [name] + path }

  /// Creates the key of one name.
  public init(_ name: String, span: SourceSpan = .none) {
    self.name = name
    self.path = []
    self.span = span
  }

  /// Creates the key of a path; `components` holds at least one name.
  package init(components: [String], span: SourceSpan = .none) {
    self.name = components[0]
    self.path = components.count == 1 ? [] : Array(components.dropFirst())
    self.span = span
  }

  /// Whether the names are the same bytes.
  public static func == (left: KeyNode, right: KeyNode) -> Bool {
    sameBytes(left.name, right.name) && left.path.elementsEqual(right.path, by: sameBytes)
  }

  /// Feeds the names by their bytes.
  public func hash(into hasher: inout Hasher) {
    hashBytes(name, into: &hasher)
    for component in path { hashBytes(component, into: &hasher) }
  }
}

/// `SELF`.
public struct SelfNode: Sendable, Hashable {
  /// The place of the word.
  public var span: SourceSpan

  /// Creates the node.
  public init(span: SourceSpan = .none) { self.span = span }
}

/// A variable: in a prepared query the parameter of that name.
public struct VariableNode: Sendable, Hashable {
  /// The name, without `$` and without the `#` that escapes a reserved word.
  public let name: String
  /// The place from the `$`.
  public var span: SourceSpan

  /// Creates the variable `$name`.
  public init(_ name: String, span: SourceSpan = .none) {
    self.name = name
    self.span = span
  }

  /// Whether the names are the same bytes.
  public static func == (left: VariableNode, right: VariableNode) -> Bool { sameBytes(left.name, right.name) }

  /// Feeds the name by its bytes.
  public func hash(into hasher: inout Hasher) { hashBytes(name, into: &hasher) }
}

/// `{a, b, …}`, or an argument that is a collection.
public struct ListNode: Sendable, Hashable {
  /// The elements, any expressions, in the order written.
  public var elements: [ExpressionNode]
  /// The place of the braces and all between, or of the conversion.
  public var span: SourceSpan

  /// Creates a list.
  public init(_ elements: [ExpressionNode], span: SourceSpan = .none) {
    self.elements = elements
    self.span = span
  }
}

/// An operator before an expression that is no number literal (a negated number literal is a literal itself;
/// build negations with ``ExpressionNode/negated(_:span:)``).
public struct UnaryNode: Sendable, Hashable {
  /// The operator.
  public let operation: UnaryOperator
  /// What it is applied to.
  public let operand: ExpressionNode
  /// The place of the whole.
  public var span: SourceSpan

  package init(_ operation: UnaryOperator, _ operand: ExpressionNode, span: SourceSpan = .none) {
    self.operation = operation
    self.operand = operand
    self.span = span
  }
}

/// Two expressions and an arithmetic operator.
public struct BinaryNode: Sendable, Hashable {
  /// The expression before the operator.
  public var left: ExpressionNode
  /// The operator.
  public var operation: ArithmeticOperator
  /// The expression after the operator.
  public var right: ExpressionNode
  /// The place of the whole.
  public var span: SourceSpan

  /// Creates the operation.
  public init(
    _ left: ExpressionNode, _ operation: ArithmeticOperator, _ right: ExpressionNode,
    span: SourceSpan = .none
  ) {
    self.left = left
    self.operation = operation
    self.right = right
    self.span = span
  }
}

/// A path from a base that is no key: `(a + b).c`, `a[0].b`.
public struct PropertyNode: Sendable, Hashable {
  /// What the path starts from; never a key, never `SELF` and never a property.
  public let base: ExpressionNode
  /// The names after it, at least one.
  public let components: [String]
  /// The place of the whole.
  public var span: SourceSpan

  package init(_ base: ExpressionNode, _ components: [String], span: SourceSpan = .none) {
    self.base = base
    self.components = components
    self.span = span
  }

  /// Whether base and names are the same, names by their bytes.
  public static func == (left: PropertyNode, right: PropertyNode) -> Bool {
    left.base == right.base && left.components.elementsEqual(right.components, by: sameBytes)
  }

  /// Feeds the names and the base.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(base)
    for component in components { hashBytes(component, into: &hasher) }
  }
}

/// What stands between the brackets of an index.
public enum IndexSelector: Sendable, Hashable {
  /// `[FIRST]`.
  case first
  /// `[LAST]`.
  case last
  /// `[SIZE]`: the number of elements.
  case size
  /// `[n]`, counted from 0.
  case at(ExpressionNode)
}

/// An element of a list, or its length.
public struct IndexNode: Sendable, Hashable {
  /// The list.
  public var base: ExpressionNode
  /// Which element.
  public var selector: IndexSelector
  /// The place of the whole.
  public var span: SourceSpan

  /// Creates the index.
  public init(_ base: ExpressionNode, _ selector: IndexSelector, span: SourceSpan = .none) {
    self.base = base
    self.selector = selector
    self.span = span
  }
}

/// A built-in function with its arguments.
public struct FunctionNode: Sendable, Hashable {
  /// The function.
  public var function: BuiltinFunction
  /// The arguments, in order; how many is the parser's and the binder's concern.
  public var arguments: [ExpressionNode]
  /// The place of the name alone.
  public var nameSpan: SourceSpan
  /// The place of the whole call.
  public var span: SourceSpan

  /// Creates the call.
  public init(
    _ function: BuiltinFunction, _ arguments: [ExpressionNode], nameSpan: SourceSpan = .none,
    span: SourceSpan = .none
  ) {
    self.function = function
    self.arguments = arguments
    self.nameSpan = nameSpan
    self.span = span
  }
}

/// `FUNCTION(target, "selector", argument, …)`: a method call, which no dialect evaluates.
public struct CustomFunctionNode: Sendable, Hashable {
  /// What the method is called on.
  public var target: ExpressionNode
  /// The method's name.
  public let selector: String
  /// The arguments.
  public var arguments: [ExpressionNode]
  /// The place of the whole.
  public var span: SourceSpan

  /// Creates the call.
  public init(
    _ target: ExpressionNode, _ selector: String, _ arguments: [ExpressionNode], span: SourceSpan = .none
  ) {
    self.target = target
    self.selector = selector
    self.arguments = arguments
    self.span = span
  }

  /// Whether target, selector (by its bytes) and arguments are the same.
  public static func == (left: CustomFunctionNode, right: CustomFunctionNode) -> Bool {
    left.target == right.target && sameBytes(left.selector, right.selector)
      && left.arguments == right.arguments
  }

  /// Feeds the selector and the arguments.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(target)
    hashBytes(selector, into: &hasher)
    hasher.combine(arguments)
  }
}

/// `SUBQUERY(collection, $variable, predicate)`, which no dialect evaluates.
public struct SubqueryNode: Sendable, Hashable {
  /// What is searched.
  public var collection: ExpressionNode
  /// The variable that stands for each element.
  public var variable: VariableNode
  /// The condition on each element.
  public var predicate: PredicateNode
  /// The place of the whole.
  public var span: SourceSpan

  /// Creates the subquery.
  public init(
    _ collection: ExpressionNode, _ variable: VariableNode, _ predicate: PredicateNode,
    span: SourceSpan = .none
  ) {
    self.collection = collection
    self.variable = variable
    self.predicate = predicate
    self.span = span
  }
}

/// `TERNARY(condition, then, otherwise)`.
public struct TernaryNode: Sendable, Hashable {
  /// What decides.
  public var condition: PredicateNode
  /// The value where the condition holds.
  public var then: ExpressionNode
  /// The value where it does not.
  public var otherwise: ExpressionNode
  /// The place of the whole.
  public var span: SourceSpan

  /// Creates the choice.
  public init(
    _ condition: PredicateNode, _ then: ExpressionNode, _ otherwise: ExpressionNode, span: SourceSpan = .none
  ) {
    self.condition = condition
    self.then = then
    self.otherwise = otherwise
    self.span = span
  }
}

/// `CAST(value, "type")` where it is no date, location or reference literal.
public struct CastNode: Sendable, Hashable {
  /// What is cast.
  public let value: ExpressionNode
  /// The name of the type.
  public let typeName: String
  /// The place of the whole.
  public var span: SourceSpan

  package init(_ value: ExpressionNode, _ typeName: String, span: SourceSpan = .none) {
    self.value = value
    self.typeName = typeName
    self.span = span
  }

  /// Whether value and type name (by its bytes) are the same.
  public static func == (left: CastNode, right: CastNode) -> Bool {
    left.value == right.value && sameBytes(left.typeName, right.typeName)
  }

  /// Feeds both.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hashBytes(typeName, into: &hasher)
  }
}

/// `$variable := value`, which no dialect evaluates.
public struct AssignmentNode: Sendable, Hashable {
  /// The variable that is set.
  public var variable: VariableNode
  /// What it is set to.
  public var value: ExpressionNode
  /// The place of the whole.
  public var span: SourceSpan

  /// Creates the assignment.
  public init(_ variable: VariableNode, _ value: ExpressionNode, span: SourceSpan = .none) {
    self.variable = variable
    self.value = value
    self.span = span
  }
}
