extension Parser {
  /// conversion = "%@" | "%d" | … , each with its argument.
  mutating func conversion() throws(Abandoned) -> Built<ExpressionNode> {
    let found = token
    position += 1
    let span = SourceSpan(found.range)
    guard let argument = argument(found) else {
      return try constant(.null, span)
    }
    if found.kind == .objectConversion { return try value(argument, span: span, level: 1) }
    return try constant(number(argument, found), span)
  }

  /// The argument a conversion takes; reports one that is missing.
  private mutating func argument(_ token: Token) -> ArgumentValue? {
    let index = Int(token.payload)
    if let argument = arguments[index] { return argument }
    let given = arguments.count == 1 ? "is 1 argument" : "are \(arguments.count) arguments"
    argumentMistake(
      "missingArgument",
      "Nothing is passed for this conversion: it is number \(index + 1), and there \(given).", token)
    return nil
  }

  private mutating func argumentMistake(
    _ code: String, _ message: String, _ token: Token, hint: String? = nil
  ) {
    report(stage: .arguments, code, message, range: token.range, hint: hint)
  }

  /// The expression for an argument of `%@`.
  private mutating func value(
    _ argument: ArgumentValue, span: SourceSpan, level: Int, isInList: Bool = false
  ) throws(Abandoned) -> Built<ExpressionNode> {
    switch argument {
    case .literal(let literal):
      if let reason = refusal(literal) {
        report(
          stage: .arguments, "unsupportedArgument", "This argument cannot be used: \(reason).",
          range: span.range ?? token.range)
      }
      return try constant(literal, span)
    case .unsupported(let reason):
      report(
        stage: .arguments, "unsupportedArgument", "This argument cannot be used: \(reason).",
        range: span.range ?? token.range)
      return try constant(.null, span)
    case .list(let values):
      guard values.count <= limits.listElements else { throw listTooLong(span.range ?? token.range) }
      // The height is checked on the way down: no deeper list is walked than may be built.
      _ = try grow(over: level)
      var elements: [ExpressionNode] = []
      elements.reserveCapacity(values.count)
      var height = 0
      for value in values {
        let element = try self.value(value, span: span, level: level + 1, isInList: true)
        // A list within a list counts, with its elements, so that lists that share their parts come to an end.
        if case .list = value {} else if !isInList { uncountElement() }
        elements.append(element.node)
        height = max(height, element.height)
        if isStopped { throw Abandoned() }
      }
      return Built(node: .list(ListNode(elements, span: span)), height: height + 1)
    }
  }

  /// Why a constant cannot be part of a predicate.
  private func refusal(_ literal: Literal) -> String? {
    if case .string(let text) = literal, text.utf8.count > limits.stringLength {
      return "the text has \(text.utf8.count) bytes, and at most \(limits.stringLength) are taken"
    }
    return literal.fault
  }

  /// The number for an argument of `%d`, `%f` and their like.
  private mutating func number(_ argument: ArgumentValue, _ token: Token) -> Literal {
    let wantsInteger = token.kind == .integerConversion
    let spelling = text(token)
    switch argument {
    case .literal(.integer(let value)): return .integer(value)
    case .literal(.double(let value)):
      if let literal = Literal.number(value) {
        if !wantsInteger { return literal }
        if case .integer = literal { return literal }
      }
      argumentMistake(
        "argumentType",
        value.isNaN
          ? "\(spelling) cannot take NaN, which is no number."
          : "\(spelling) takes a whole number, and the argument is \(value).", token,
        hint: value.isNaN ? nil : "Use %f or %@.")
    case .unsupported(let reason):
      argumentMistake("unsupportedArgument", "This argument cannot be used: \(reason).", token)
    default:
      let wanted = wantsInteger ? "a whole number" : "a number"
      argumentMistake(
        "argumentType", "\(spelling) takes \(wanted), and the argument is \(describe(argument)).", token,
        hint: "Use %@, which takes any value.")
    }
    return .null
  }

  /// The names of the key that is passed for a `%K`.
  mutating func keyComponents(_ token: Token) throws(Abandoned) -> [String] {
    guard let argument = argument(token) else { return [text(token)] }
    guard case .literal(.string(let path)) = argument else {
      if case .unsupported(let reason) = argument {
        argumentMistake("unsupportedArgument", "This argument cannot be used: \(reason).", token)
      } else {
        argumentMistake(
          "keyArgument", "%K takes the name of a key as a string, and the argument is \(describe(argument)).",
          token, hint: "Values are put in with %@.")
      }
      return [text(token)]
    }
    let isTooLong = path.utf8.count > limits.stringLength
    // The names are counted before they are made: each takes far more than its letter and its point.
    if !isTooLong { try countBytes(KeyNode.weight(of: path), range: token.range, hint: SyntaxLimits.shorterKeys) }
    guard !isTooLong, let components = KeyNode.components(of: path) else {
      let bytes = Array(path.utf8.prefix(64))
      let shown = SyntaxError.excerpt(bytes, SourceRange(0, bytes.count))
      argumentMistake(
        "invalidKey", "The argument for %K is no key: \"\(shown)\".", token,
        hint: "A key is a letter or _, then letters, digits and _; several are joined by points.")
      return [text(token)]
    }
    return components
  }

  private func describe(_ argument: ArgumentValue) -> String {
    switch argument {
    case .list: "a list"
    case .unsupported(let reason): reason
    case .literal(.null): "nil"
    case .literal(.integer): "an integer"
    case .literal(.double): "a double"
    case .literal(.string): "a string"
    case .literal(.date): "a date"
    case .literal(.location): "a location"
    case .literal(.reference): "a reference"
    }
  }
}
