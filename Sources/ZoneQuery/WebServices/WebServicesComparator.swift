/// A comparator of the filters of CloudKit Web Services: its name, and the native form it stands for.
struct WebServicesComparator: Sendable {
  /// What is made of a field and a value.
  enum Form: Sendable, Equatable {
    /// `field < value`.
    case comparison(ComparisonOperator)
    /// `field IN {…}`.
    case isIn
    /// `list CONTAINS value`.
    case contains
    /// `ANY list IN {…}`.
    case containsAny
    /// `ALL {…} IN list`.
    case containsAll
    /// `field BEGINSWITH value`.
    case hasPrefix
    /// `ANY list BEGINSWITH value`.
    case memberHasPrefix
    /// `distanceToLocation:fromLocation:(field, value) < distance`.
    case near
    /// `ALL tokenize(value, "Cdl") IN allTokens`.
    case allTokens
    /// `ANY tokenize(value, "Cdl") IN allTokens`.
    case anyToken
  }

  let name: String
  let form: Form
  /// Whether the form is negated as a whole.
  let isNegated: Bool

  private init(_ name: String, _ form: Form, isNegated: Bool = false) {
    (self.name, self.form, self.isNegated) = (name, form, isNegated)
  }

  /// All there are.
  static let all: [WebServicesComparator] = [
    WebServicesComparator("EQUALS", .comparison(.equal)),
    WebServicesComparator("NOT_EQUALS", .comparison(.notEqual)),
    WebServicesComparator("LESS_THAN", .comparison(.less)),
    WebServicesComparator("LESS_THAN_OR_EQUALS", .comparison(.lessOrEqual)),
    WebServicesComparator("GREATER_THAN", .comparison(.greater)),
    WebServicesComparator("GREATER_THAN_OR_EQUALS", .comparison(.greaterOrEqual)),
    WebServicesComparator("NEAR", .near),
    WebServicesComparator("CONTAINS_ALL_TOKENS", .allTokens),
    WebServicesComparator("CONTAINS_ANY_TOKENS", .anyToken),
    WebServicesComparator("IN", .isIn),
    WebServicesComparator("NOT_IN", .isIn, isNegated: true),
    WebServicesComparator("BEGINS_WITH", .hasPrefix),
    WebServicesComparator("NOT_BEGINS_WITH", .hasPrefix, isNegated: true),
    WebServicesComparator("LIST_CONTAINS", .contains),
    WebServicesComparator("NOT_LIST_CONTAINS", .contains, isNegated: true),
    WebServicesComparator("LIST_CONTAINS_ANY", .containsAny),
    WebServicesComparator("NOT_LIST_CONTAINS_ANY", .containsAny, isNegated: true),
    WebServicesComparator("LIST_CONTAINS_ALL", .containsAll),
    WebServicesComparator("NOT_LIST_CONTAINS_ALL", .containsAll, isNegated: true),
    WebServicesComparator("LIST_MEMBER_BEGINS_WITH", .memberHasPrefix),
    WebServicesComparator("NOT_LIST_MEMBER_BEGINS_WITH", .memberHasPrefix, isNegated: true),
  ]

  /// The comparator of a form; nil where there is none, of a negated distance or search for words.
  init?(_ form: Form, isNegated: Bool = false) {
    guard let known = Self.all.first(where: { $0.form == form && $0.isNegated == isNegated }) else { return nil }
    self = known
  }

  /// Whether it searches all searchable texts, and no field of its own.
  var isTokenSearch: Bool {
    switch form {
    case .allTokens, .anyToken: true
    default: false
    }
  }

  /// Whether it is of fields that are lists; nil where it is of no field at all.
  var isOfLists: Bool? {
    switch form {
    case .contains, .containsAny, .containsAll, .memberHasPrefix: true
    case .comparison, .isIn, .hasPrefix, .near: false
    case .allTokens, .anyToken: nil
    }
  }

  /// The comparator that asks the same of a list's members, or of a field that is none, if one does.
  var counterpart: String? {
    let name: String? =
      switch form {
      case .comparison(.equal): "LIST_CONTAINS"
      case .comparison(.notEqual): "NOT_LIST_CONTAINS"
      case .isIn: "LIST_CONTAINS_ANY"
      case .hasPrefix: "LIST_MEMBER_BEGINS_WITH"
      case .contains: "EQUALS"
      case .containsAny: "IN"
      case .memberHasPrefix: "BEGINS_WITH"
      default: nil
      }
    return name.map { isNegated ? "NOT_" + $0 : $0 }
  }

  /// Whether its value is a list.
  var takesList: Bool {
    switch form {
    case .isIn, .containsAny, .containsAll: true
    case .comparison, .contains, .hasPrefix, .memberHasPrefix, .near, .allTokens, .anyToken: false
    }
  }

  /// The type of a value beside a field of a type, where the value does not name its own.
  func valueType(beside fieldType: FieldType?) -> FieldType? {
    switch form {
    case .comparison, .contains: fieldType.map { FieldType($0.scalar) }
    case .isIn, .containsAny, .containsAll: fieldType.map { .list($0.scalar) }
    case .near: .location
    case .hasPrefix, .memberHasPrefix, .allTokens, .anyToken: .string
    }
  }

  /// The condition on a field that a value of the form's kind makes; `distance` is in metres.
  func predicate(_ field: Field, _ value: ArgumentValue, distance: Double?) -> QueryPredicate {
    let operand = Field.value(value)
    let predicate =
      switch form {
      case .comparison(let comparison): field.comparing(comparison, to: operand)
      case .isIn: field.isIn(operand)
      case .contains: field.contains(operand)
      case .containsAny: field.containsAny(operand)
      case .containsAll: field.containsAll(operand)
      case .hasPrefix: field.hasPrefix(operand)
      case .memberHasPrefix: field.any.hasPrefix(operand)
      case .near: field.distance(to: operand) < (distance ?? 0)
      case .allTokens: QueryPredicate.allTokens(operand)
      case .anyToken: QueryPredicate.anyToken(operand)
      }
    return isNegated ? !predicate : predicate
  }
}
