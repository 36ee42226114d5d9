/// The literal `nil` on the right side of `==` or `!=`.
public struct FieldNil: ExpressibleByNilLiteral, Sendable {
  /// Creates the operand that stands for a missing value.
  public init(nilLiteral: ()) {}

  var operand: Field { Field(node: .literal(LiteralNode(.null)), size: .leaf, faults: []) }
}

// Each operator has one generic overload for values and one for fields, so that the type checker has little to try.

extension Field {
  /// `field == value`.
  public static func == (left: Field, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.equal, to: .value(right))
  }

  /// `field == other`, for a parameter, `now()`, or in the extended dialect another field.
  public static func == (left: Field, right: Field) -> QueryPredicate { left.comparing(.equal, to: right) }

  /// `field == nil`: the record lacks the field. The extended dialect alone takes it.
  public static func == (left: Field, right: FieldNil) -> QueryPredicate { left.comparing(.equal, to: right.operand) }

  /// `field != value`.
  public static func != (left: Field, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.notEqual, to: .value(right))
  }

  /// `field != other`.
  public static func != (left: Field, right: Field) -> QueryPredicate { left.comparing(.notEqual, to: right) }

  /// `field != nil`: the record has the field. The extended dialect alone takes it.
  public static func != (left: Field, right: FieldNil) -> QueryPredicate {
    left.comparing(.notEqual, to: right.operand)
  }

  /// `field < value`.
  public static func < (left: Field, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.less, to: .value(right))
  }

  /// `field < other`.
  public static func < (left: Field, right: Field) -> QueryPredicate { left.comparing(.less, to: right) }

  /// `field <= value`.
  public static func <= (left: Field, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.lessOrEqual, to: .value(right))
  }

  /// `field <= other`.
  public static func <= (left: Field, right: Field) -> QueryPredicate { left.comparing(.lessOrEqual, to: right) }

  /// `field > value`.
  public static func > (left: Field, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.greater, to: .value(right))
  }

  /// `field > other`.
  public static func > (left: Field, right: Field) -> QueryPredicate { left.comparing(.greater, to: right) }

  /// `field >= value`.
  public static func >= (left: Field, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.greaterOrEqual, to: .value(right))
  }

  /// `field >= other`.
  public static func >= (left: Field, right: Field) -> QueryPredicate { left.comparing(.greaterOrEqual, to: right) }
}

// MARK: - Any operator

extension Field {
  /// The comparison with any operator of the language and its option letters, which the extended dialect alone takes.
  ///
  /// ```swift
  /// Field("name").comparing(.equal, to: "seoul", options: .caseInsensitive)   // name ==[c] "seoul"
  /// ```
  public func comparing(
    _ comparison: ComparisonOperator, to value: some PredicateArgument, options: ComparisonOptions = []
  ) -> QueryPredicate {
    comparing(comparison, to: .value(value), options: options)
  }

  /// The comparison with a parameter, `now()` or another field.
  public func comparing(
    _ comparison: ComparisonOperator, to other: Field, options: ComparisonOptions = []
  ) -> QueryPredicate {
    QueryPredicate(comparing: self, comparison, other, options: options)
  }
}

extension QueryPredicate {
  /// One comparison, unless a side has a fault or the tree would pass a limit.
  init(
    comparing left: Field, _ comparison: ComparisonOperator, _ right: Field, options: ComparisonOptions = [],
    quantifier: Quantifier? = nil
  ) {
    var faults = Diagnostic.merged(left.faults, right.faults)
    let size = TreeSize.over(left.size, right.size)
    if !options.isEmpty, !OperatorTable.facts(of: comparison).takesOptions {
      faults = Diagnostic.merged(
        faults, [.argument("optionsNotAllowed", "\(comparison.rawValue) takes no options.")])
    }
    if faults.isEmpty, let fault = size.fault { faults = [fault] }
    guard faults.isEmpty else {
      self.init(root: .false, size: .leaf, faults: faults)
      return
    }
    let node = ComparisonNode(quantifier, left.node, comparison, options: options, right.node)
    self.init(root: .comparison(node), size: size, faults: [])
  }
}

// MARK: - Membership and ranges

extension Field {
  /// `field IN {…}`: the value is one of these. An empty list matches nothing.
  ///
  /// ```swift
  /// Field("city").isIn(["Seoul", "Busan"])   // city IN {"Seoul", "Busan"}
  /// ```
  public func isIn<Element: PredicateArgument>(_ values: some Sequence<Element>) -> QueryPredicate {
    comparing(.in, to: .list(values))
  }

  /// `field IN {…}`, the values in an order that depends on nothing but themselves.
  public func isIn<Element: PredicateArgument>(_ values: Set<Element>) -> QueryPredicate {
    comparing(.in, to: .value(values))
  }

  /// `field IN list`, for a parameter that is a list, or in the extended dialect a list field.
  public func isIn(_ list: Field) -> QueryPredicate { comparing(.in, to: list) }

  /// `field BETWEEN {lower, upper}`, both bounds included.
  ///
  /// ```swift
  /// Field("age").isBetween(18...30)   // age BETWEEN {18, 30}
  /// ```
  public func isBetween<Bound: PredicateArgument>(_ range: ClosedRange<Bound>) -> QueryPredicate {
    isBetween(range.lowerBound, and: range.upperBound)
  }

  /// `field BETWEEN {lower, upper}`, both bounds included; reversed bounds match nothing.
  public func isBetween(_ lower: some PredicateArgument, and upper: some PredicateArgument) -> QueryPredicate {
    comparing(.between, to: .value(ArgumentValue.list([lower.predicateArgument, upper.predicateArgument])))
  }

  /// `field BETWEEN {lower, upper}` with parameters or, in the extended dialect, other fields for bounds.
  ///
  /// ```swift
  /// Field("age").isBetween(.parameter("least"), and: .parameter("most"))   // age BETWEEN {$least, $most}
  /// ```
  public func isBetween(_ lower: Field, and upper: Field) -> QueryPredicate {
    comparing(.between, to: Field(over: [lower, upper]) { .list(ListNode([lower.node, upper.node])) })
  }

  /// `list CONTAINS value`: the list has the element. In the extended dialect, on a text: it has the part.
  ///
  /// ```swift
  /// Field("tags").contains("maps")                                   // tags CONTAINS "maps"
  /// Field("name").contains("seoul", options: [.caseInsensitive])     // name CONTAINS[c] "seoul"
  /// ```
  public func contains(_ value: some PredicateArgument, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.contains, to: .value(value), options: options)
  }

  /// `list CONTAINS other`.
  public func contains(_ other: Field, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.contains, to: other, options: options)
  }

  /// `ANY list IN {…}`: the list has at least one of these.
  public func containsAny<Element: PredicateArgument>(_ values: some Sequence<Element>) -> QueryPredicate {
    any.isIn(values)
  }

  /// `ANY list IN {…}`, the values in an order that depends on nothing but themselves.
  public func containsAny<Element: PredicateArgument>(_ values: Set<Element>) -> QueryPredicate { any.isIn(values) }

  /// `ANY list IN $values`: the list has at least one of a parameter's values.
  public func containsAny(_ values: Field) -> QueryPredicate { any.isIn(values) }

  /// `ALL $values IN list`: the list has every one of a parameter's values.
  public func containsAll(_ values: Field) -> QueryPredicate {
    QueryPredicate(comparing: values, .in, self, quantifier: .all)
  }

  /// `ALL {…} IN list`: the list has every one of these.
  public func containsAll<Element: PredicateArgument>(_ values: some Sequence<Element>) -> QueryPredicate {
    QueryPredicate(comparing: .list(values), .in, self, quantifier: .all)
  }

  /// `ALL {…} IN list`, the values in an order that depends on nothing but themselves.
  public func containsAll<Element: PredicateArgument>(_ values: Set<Element>) -> QueryPredicate {
    QueryPredicate(comparing: .value(values), .in, self, quantifier: .all)
  }

  /// The list of a sequence's elements, of which no more are read than a list may have.
  static func list<Element: PredicateArgument>(_ values: some Sequence<Element>) -> Field {
    var elements: [ArgumentValue] = []
    for value in values {
      if elements.count == TreeSize.limits.listElements { return Field(fault: .listTooLong) }
      elements.append(value.predicateArgument)
    }
    return .value(ArgumentValue.list(elements))
  }
}

// MARK: - Texts

extension Field {
  /// `field BEGINSWITH prefix`. An empty prefix matches nothing.
  public func hasPrefix(_ prefix: some PredicateArgument, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.beginsWith, to: .value(prefix), options: options)
  }

  /// `field BEGINSWITH other`.
  public func hasPrefix(_ prefix: Field, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.beginsWith, to: prefix, options: options)
  }

  /// `field ENDSWITH suffix`, in the extended dialect.
  public func hasSuffix(_ suffix: some PredicateArgument, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.endsWith, to: .value(suffix), options: options)
  }

  /// `field ENDSWITH other`, in the extended dialect.
  public func hasSuffix(_ suffix: Field, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.endsWith, to: suffix, options: options)
  }

  /// `field LIKE pattern`, in the extended dialect: `?` stands for one character, `*` for any run of them, and `\`
  /// before either for the character itself. A character is a Unicode code point, of the folded texts where the options
  /// ignore case or marks: there `ß` is `ss`, for which stands `??`.
  public func isLike(_ pattern: some PredicateArgument, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.like, to: .value(pattern), options: options)
  }

  /// `field LIKE other`, in the extended dialect.
  public func isLike(_ pattern: Field, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.like, to: pattern, options: options)
  }

  /// `field ==[cd] value`: equality that ignores letter case, marks or both, in the extended dialect.
  public func isEqual(to value: some PredicateArgument, options: ComparisonOptions) -> QueryPredicate {
    comparing(.equal, to: .value(value), options: options)
  }
}
