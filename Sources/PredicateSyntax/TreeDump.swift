/// Writes trees with one node a line, indented by depth, for debugging and for tests.
///
///     and
///       comparison ==
///         key city
///         literal "Seoul"
///       comparison >
///         key start
///         literal 5
struct TreeDump {
  private var output = ""
  private var depth = 0

  static func dump(_ predicate: PredicateNode) -> String {
    var dump = TreeDump()
    dump.predicate(predicate)
    return dump.output
  }

  static func dump(_ expression: ExpressionNode) -> String {
    var dump = TreeDump()
    dump.expression(expression)
    return dump.output
  }

  private mutating func line(_ text: String) {
    output += String(repeating: "  ", count: depth)
    output += text
    output += "\n"
  }

  private mutating func line(_ text: String, below: (inout TreeDump) -> Void) {
    line(text)
    depth += 1
    below(&self)
    depth -= 1
  }

  private mutating func predicate(_ node: PredicateNode) {
    switch node {
    case .constant(let constant): line(constant.value ? "true" : "false")
    case .not(let not): line("not") { $0.predicate(not.operand) }
    case .and(let compound): line("and") { dump in compound.parts.forEach { dump.predicate($0) } }
    case .or(let compound): line("or") { dump in compound.parts.forEach { dump.predicate($0) } }
    case .comparison(let comparison):
      var title = "comparison "
      if let quantifier = comparison.quantifier { title += quantifier.rawValue + " " }
      title += comparison.comparison.rawValue
      if !comparison.options.isEmpty {
        title += "["
        for (letter, option) in OperatorTable.options where comparison.options.contains(option) {
          title.append(letter)
        }
        title += "]"
      }
      line(title) { dump in
        dump.expression(comparison.left)
        dump.expression(comparison.right)
      }
    }
  }

  private mutating func expressions(_ title: String, _ nodes: [ExpressionNode]) {
    line(title) { dump in nodes.forEach { dump.expression($0) } }
  }

  private mutating func expression(_ node: ExpressionNode) {
    switch node {
    case .literal: line("literal " + node.predicateFormat)
    case .key: line("key " + node.predicateFormat)
    case .selfReference: line("self")
    case .variable: line("variable " + node.predicateFormat)
    case .list(let list): expressions("list of \(list.elements.count)", list.elements)
    case .unary(let unary): expressions("unary " + unary.operation.rawValue, [unary.operand])
    case .binary(let binary): expressions("binary " + binary.operation.rawValue, [binary.left, binary.right])
    case .property(let property):
      expressions("property " + property.components.joined(separator: "."), [property.base])
    case .index(let index):
      switch index.selector {
      case .first: expressions("index FIRST", [index.base])
      case .last: expressions("index LAST", [index.base])
      case .size: expressions("index SIZE", [index.base])
      case .at(let number): expressions("index", [index.base, number])
      }
    case .function(let function):
      expressions("function " + function.function.rawValue, function.arguments)
    case .customFunction(let function):
      expressions("custom function " + function.selector, [function.target] + function.arguments)
    case .subquery(let subquery):
      line("subquery") { dump in
        dump.expression(subquery.collection)
        dump.expression(.variable(subquery.variable))
        dump.predicate(subquery.predicate)
      }
    case .ternary(let ternary):
      line("ternary") { dump in
        dump.predicate(ternary.condition)
        dump.expression(ternary.then)
        dump.expression(ternary.otherwise)
      }
    case .cast(let cast): expressions("cast " + cast.typeName, [cast.value])
    case .assignment(let assignment):
      expressions("assignment", [.variable(assignment.variable), assignment.value])
    }
  }
}

extension PredicateNode {
  /// The tree with one node a line, indented by depth; for people, and no format to read back.
  public var treeDescription: String { TreeDump.dump(self) }
}

extension ExpressionNode {
  /// The tree with one node a line, indented by depth; for people, and no format to read back.
  public var treeDescription: String { TreeDump.dump(self) }
}
