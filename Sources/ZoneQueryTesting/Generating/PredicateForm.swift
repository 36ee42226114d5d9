internal import PredicateSyntax
internal import ZoneQuery

/// The shapes of comparisons that dialects take, for a field of a type.
enum PredicateForm: String, CaseIterable {
  // CloudKit's.
  case relation, between, isIn, anyOfConstants, listContains, memberOf, anyMember, anyIn, allOf, anyOf, anyPrefix
  case prefix, within, allTokens, anyTokens, tokenMatches, selfContains
  // Beyond it.
  case isNil, inWithNil, suffix, substring, partOf, like, relationWithOptions, anyRelation, allRelation, allIn
  case constantsRelation, anySubstring, outside, distanceBetween, fieldToField, memberField, arithmetic, scalarFunction
  case listFunction, element, ternary, sameLocation, now

  /// Whether CloudKit's dialect takes it.
  var isCloudKits: Bool {
    switch self {
    case .relation, .between, .isIn, .anyOfConstants, .listContains, .memberOf, .anyMember, .anyIn, .allOf, .anyOf,
      .anyPrefix, .prefix, .within, .allTokens, .anyTokens, .tokenMatches, .selfContains, .now:
      true
    default: false
    }
  }

  /// Whether CloudKit's dialect takes NOT before it.
  var isNegatable: Bool {
    switch self {
    case .between, .within, .allTokens, .anyTokens, .tokenMatches, .selfContains: false
    default: isCloudKits
    }
  }

  var isTokenSearch: Bool {
    switch self {
    case .allTokens, .anyTokens, .tokenMatches, .selfContains: true
    default: false
    }
  }

  /// The quantifiers that it is written with, one at a time; none where it is written without.
  var quantifiers: [Quantifier] {
    switch self {
    case .anyOfConstants, .anyMember, .anyIn, .anyOf, .anyPrefix, .anyTokens, .anyRelation, .anySubstring: [.any]
    case .allOf, .allTokens, .allRelation, .allIn: [.all]
    case .constantsRelation: [.any, .all]
    default: []
    }
  }

  /// The operators of the form.
  var operators: [ComparisonOperator] {
    switch self {
    case .relation, .relationWithOptions, .anyRelation, .allRelation, .constantsRelation, .fieldToField, .arithmetic,
      .scalarFunction, .listFunction, .element, .ternary, .now:
      [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    case .sameLocation, .isNil: [.equal, .notEqual]
    case .between, .distanceBetween: [.between]
    case .isIn, .memberOf, .anyIn, .allOf, .anyOf, .inWithNil, .partOf, .allIn, .allTokens, .anyTokens: [.in]
    case .memberField: [.in, .contains]
    case .anyOfConstants, .anyMember: [.equal]
    case .listContains, .substring, .selfContains: [.contains]
    case .anyPrefix, .prefix: [.beginsWith]
    case .suffix: [.endsWith]
    case .anySubstring: [.contains, .endsWith, .like]
    case .like: [.like]
    case .tokenMatches: [.tokenMatches]
    case .within: [.less, .lessOrEqual]
    case .outside: [.greater, .greaterOrEqual]
    }
  }

  /// Whether it asks for a field of the type.
  func takes(_ type: FieldType) -> Bool {
    let scalar = type.scalar
    let isComparable = scalar != .bytes && scalar != .asset && scalar != .location
    let isOrdered = isComparable && scalar != .reference
    let isNumber = scalar == .int64 || scalar == .double
    switch self {
    case .relation, .isIn, .anyOfConstants, .inWithNil, .ternary: return isComparable && !type.isList
    case .isNil: return scalar != .bytes && scalar != .asset
    case .constantsRelation: return isComparable && !type.isList
    case .between: return isOrdered && !type.isList
    case .listContains, .memberOf, .anyMember, .anyIn, .allOf, .anyOf, .anyRelation, .allRelation, .allIn, .element:
      return isComparable && type.isList
    case .anyPrefix, .anySubstring: return type == .list(.string)
    case .prefix, .suffix, .substring, .partOf, .like, .relationWithOptions: return type == .string
    case .within, .outside, .distanceBetween, .sameLocation: return type == .location
    case .allTokens, .anyTokens, .tokenMatches, .selfContains: return false
    case .fieldToField: return isComparable && !type.isList
    case .memberField: return isComparable && !type.isList
    case .arithmetic: return isNumber && !type.isList
    case .scalarFunction: return (isNumber || scalar == .string) && !type.isList
    case .listFunction: return isComparable && type.isList
    case .now: return type == .timestamp
    }
  }
}
