extension Field {
  /// Some member of a list: `Field("tags").any == "x"` is `ANY tags == "x"`.
  public var any: FieldMembers { FieldMembers(list: self, quantifier: .any, isNegated: false) }

  /// Every member of a list: `Field("counts").all > 0` is `ALL counts > 0`, in the extended dialect.
  public var all: FieldMembers { FieldMembers(list: self, quantifier: .all, isNegated: false) }

  /// No member of a list: `Field("tags").none == "x"` is `NOT ANY tags == "x"`, the tree of `NONE tags == "x"`.
  public var none: FieldMembers { FieldMembers(list: self, quantifier: .any, isNegated: true) }
}

/// Some, all or none of the members of a list field, to be compared; see ``Field/any``.
///
/// CloudKit's dialect takes `any` and `none` with `==`, `isIn` and `hasPrefix`; the extended one
/// takes all of it. ANY over an empty list is false, ALL true, and both are false where the record lacks the list.
public struct FieldMembers: Sendable {
  let list: Field
  let quantifier: Quantifier
  /// Whether the comparison is negated, as `NONE` asks.
  let isNegated: Bool

  /// The comparison of each member, with any operator and its option letters.
  public func comparing(
    _ comparison: ComparisonOperator, to other: Field, options: ComparisonOptions = []
  ) -> QueryPredicate {
    let predicate = QueryPredicate(comparing: list, comparison, other, options: options, quantifier: quantifier)
    return isNegated ? !predicate : predicate
  }

  /// The comparison of each member with a value.
  public func comparing(
    _ comparison: ComparisonOperator, to value: some PredicateArgument, options: ComparisonOptions = []
  ) -> QueryPredicate {
    comparing(comparison, to: .value(value), options: options)
  }

  /// Members equal to a value.
  public static func == (left: FieldMembers, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.equal, to: right)
  }

  /// Members that differ from a value.
  public static func != (left: FieldMembers, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.notEqual, to: right)
  }

  /// Members less than a value.
  public static func < (left: FieldMembers, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.less, to: right)
  }

  /// Members at most a value.
  public static func <= (left: FieldMembers, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.lessOrEqual, to: right)
  }

  /// Members greater than a value.
  public static func > (left: FieldMembers, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.greater, to: right)
  }

  /// Members at least a value.
  public static func >= (left: FieldMembers, right: some PredicateArgument) -> QueryPredicate {
    left.comparing(.greaterOrEqual, to: right)
  }

  /// Members equal to a parameter, `now()` or, in the extended dialect, another field.
  public static func == (left: FieldMembers, right: Field) -> QueryPredicate { left.comparing(.equal, to: right) }

  /// Members that differ from a parameter or `now()`.
  public static func != (left: FieldMembers, right: Field) -> QueryPredicate { left.comparing(.notEqual, to: right) }

  /// Members less than a parameter or `now()`.
  public static func < (left: FieldMembers, right: Field) -> QueryPredicate { left.comparing(.less, to: right) }

  /// Members at most a parameter or `now()`.
  public static func <= (left: FieldMembers, right: Field) -> QueryPredicate { left.comparing(.lessOrEqual, to: right) }

  /// Members greater than a parameter or `now()`.
  public static func > (left: FieldMembers, right: Field) -> QueryPredicate { left.comparing(.greater, to: right) }

  /// Members at least a parameter or `now()`.
  public static func >= (left: FieldMembers, right: Field) -> QueryPredicate {
    left.comparing(.greaterOrEqual, to: right)
  }

  /// Members among these values: `ANY tags IN {…}`.
  public func isIn<Element: PredicateArgument>(_ values: some Sequence<Element>) -> QueryPredicate {
    comparing(.in, to: .list(values))
  }

  /// Members among these values, put in an order that depends on nothing but themselves.
  public func isIn<Element: PredicateArgument>(_ values: Set<Element>) -> QueryPredicate {
    comparing(.in, to: .value(values))
  }

  /// Members among the values of a parameter.
  public func isIn(_ list: Field) -> QueryPredicate { comparing(.in, to: list) }

  /// Members within two bounds, both included.
  public func isBetween<Bound: PredicateArgument>(_ range: ClosedRange<Bound>) -> QueryPredicate {
    comparing(
      .between,
      to: ArgumentValue.list([range.lowerBound.predicateArgument, range.upperBound.predicateArgument]))
  }

  /// Members that have a part, for lists of texts.
  public func contains(_ part: some PredicateArgument, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.contains, to: part, options: options)
  }

  /// Members that begin with a prefix: `ANY tags BEGINSWITH "m"`.
  public func hasPrefix(_ prefix: some PredicateArgument, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.beginsWith, to: prefix, options: options)
  }

  /// Members that begin with a parameter's value.
  public func hasPrefix(_ prefix: Field, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.beginsWith, to: prefix, options: options)
  }

  /// Members that end with a suffix.
  public func hasSuffix(_ suffix: some PredicateArgument, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.endsWith, to: suffix, options: options)
  }

  /// Members that match a pattern of `?` and `*`.
  public func isLike(_ pattern: some PredicateArgument, options: ComparisonOptions = []) -> QueryPredicate {
    comparing(.like, to: pattern, options: options)
  }
}
