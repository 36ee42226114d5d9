/// A predicate after binding: typed, two-valued, without `NOT`, `ANY` words, names or dialect.
///
/// ```
/// NOT (city = "Seoul" AND start > 5)      city and start being fields 8 and 9
/// or
///   field 8  is "Seoul"            negated  missing: false
///   field 9  in 6...9223372036…    negated  missing: false
/// ```
///
/// Every comparison says for itself what it is for a record that lacks its field, so nothing downstream knows
/// "unknown".
indirect enum BoundPredicate: Sendable, Hashable {
  case constant(Bool)
  case comparison(BoundComparison)
  /// Two or more parts, none itself an `and`.
  case and([BoundPredicate])
  /// Two or more parts, none itself an `or`.
  case or([BoundPredicate])

  /// Whether the value of a field is held against constants somewhere. Complexity: linear in the comparisons.
  func comparesValue(of field: FieldNumber) -> Bool {
    switch self {
    case .constant: false
    case .comparison(let comparison): if case .value(field, _) = comparison.condition { true } else { false }
    case .and(let parts), .or(let parts): parts.contains { $0.comparesValue(of: field) }
    }
  }

  /// The conjunction with constants taken out and nested conjunctions merged.
  static func all(of parts: [BoundPredicate]) -> BoundPredicate {
    var flat: [BoundPredicate] = []
    for part in parts {
      switch part {
      case .constant(true): continue
      case .constant(false): return .constant(false)
      case .and(let inner): flat += inner
      default: flat.append(part)
      }
    }
    return flat.count > 1 ? .and(flat) : flat.first ?? .constant(true)
  }

  /// The disjunction with constants taken out and nested disjunctions merged.
  static func any(of parts: [BoundPredicate]) -> BoundPredicate {
    var flat: [BoundPredicate] = []
    for part in parts {
      switch part {
      case .constant(false): continue
      case .constant(true): return .constant(true)
      case .or(let inner): flat += inner
      default: flat.append(part)
      }
    }
    return flat.count > 1 ? .or(flat) : flat.first ?? .constant(false)
  }
}

/// The number a field has after binding: the system fields by their raw values, then the type's fields in order.
typealias FieldNumber = Int

/// One comparison: a condition, whether it is negated, and the answer for records that lack the field.
struct BoundComparison: Sendable, Hashable {
  var condition: Condition
  var isNegated: Bool
  /// The answer where the field (any field of a computed value, every field of a token search) is missing;
  /// negation does not touch it.
  var whenMissing: Bool

  enum Condition: Sendable, Hashable {
    /// The field's one value passes the test.
    case value(FieldNumber, ValueTest)
    /// Some member of the field's list passes the test.
    case anyMember(FieldNumber, ValueTest)
    /// Every member of the field's list passes the test.
    case allMembers(FieldNumber, ValueTest)
    /// Every value of the test, which is a set or one value, is a member of the field's list.
    case holdsAll(FieldNumber, ValueTest)
    /// Words of the searchable fields.
    case tokens(TokenSearch)
    /// Two values computed from the record.
    case computed(BoundExpression, ComputedRelation, BoundExpression)
  }
}

/// What a single value is held against. The operand has the field's own type: the binder rewrites a mixed number
/// and adjusts the bound, so that no test casts.
enum ValueTest: Sendable, Hashable {
  /// No value passes.
  case none
  /// Every value passes.
  case every
  /// `INT64` or `TIMESTAMP` (milliseconds) within the bounds, both included.
  case integers(ClosedRange<Int64>)
  /// `INT64` or `TIMESTAMP` among the values, which are sorted and distinct.
  case integerSet([Int64])
  /// `DOUBLE` within the bounds, both included.
  case doubles(ClosedRange<Double>)
  /// `DOUBLE` among the values, which are sorted and distinct.
  case doubleSet([Double])
  /// `STRING` in a relation to a text.
  case text(TextTest)
  /// `STRING` among the texts, compared as folded; sorted and distinct.
  case textSet([[UInt8]], TextFolding)
  /// `STRING` within the bounds, both included, compared as folded.
  case textRange(lower: [UInt8], upper: [UInt8], TextFolding)
  /// `REFERENCE` to one of the records, in their encoding; sorted and distinct.
  case referenceSet([[UInt8]])
  /// `REFERENCE` to a record of one of the names, in whichever zone; sorted and distinct.
  case recordNameSet([[UInt8]])
  /// `LOCATION` of these degrees, which are those of ``Location/distinct(latitude:longitude:)``.
  case location(latitude: Double, longitude: Double)
  /// `LOCATION` within a distance of a place, or beyond it.
  case distance(CircleTest)
}

/// A distance held against a radius.
struct CircleTest: Sendable, Hashable {
  /// Degrees.
  var latitude: Double
  var longitude: Double
  /// Metres.
  var radius: Double
  var relation: GeodesicRadiusTest.Comparison

  /// The radius, in metres, of the circle that stands for all places where the nearest of all are looked for.
  static let radiusOfAll = 2 * GeodesicEllipsoid.greatestDistance
}

/// What is ignored where two texts are compared.
struct TextFolding: OptionSet, Sendable, Hashable {
  let rawValue: UInt8
  /// Letter case.
  static let `case` = TextFolding(rawValue: 1)
  /// Combining marks.
  static let marks = TextFolding(rawValue: 2)

  /// What the options of a comparison ignore.
  init(_ options: ComparisonOptions) {
    self = []
    if options.contains(.caseInsensitive) { insert(.case) }
    if options.contains(.diacriticInsensitive) { insert(.marks) }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// What is ignored; nil where that is nothing.
  var folding: Folding? { Folding(ignoringCase: contains(.case), ignoringMarks: contains(.marks)) }

  /// The text's bytes as they are compared.
  func fold(_ bytes: [UInt8]) -> [UInt8] {
    folding?.folded(bytes) ?? bytes
  }
}

/// A text held against a text.
struct TextTest: Sendable, Hashable {
  enum Relation: UInt8, Sendable, Hashable {
    case equal, less, lessOrEqual, greater, greaterOrEqual, prefix, suffix, substring, pattern
  }

  var relation: Relation
  /// The operand, already folded; for `pattern` the pattern's text, in which what stands for itself is.
  var operand: [UInt8]
  var folding: TextFolding

  /// The test of `value relation text`.
  init(_ relation: Relation, _ text: [UInt8], folding: TextFolding) {
    self.relation = relation
    operand = relation == .pattern ? LikePattern.folded(text, folding) : folding.fold(text)
    self.folding = folding
  }
}

/// A search for words.
struct TokenSearch: Sendable, Hashable {
  /// The fields whose words count, in ascending order.
  var fields: [FieldNumber]
  /// The words, folded, distinct and in order.
  let tokens: [[UInt8]]
  /// Whether the record needs all of them, or one; of one word all.
  let requiresAll: Bool

  /// A search for words, in any order.
  init(fields: [FieldNumber], tokens: [[UInt8]], requiresAll: Bool) {
    self.fields = fields
    self.tokens = ValueTest.sorted(tokens)
    self.requiresAll = requiresAll || self.tokens.count == 1
  }
}

/// The relation between two computed values.
struct ComputedRelation: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// The left value is there; the right one is not looked at.
    case present
    case equal, less, lessOrEqual, greater, greaterOrEqual
    /// The left value is a member of the right list.
    case member
    case text(TextTest.Relation)
  }

  var kind: Kind
  var folding: TextFolding
  /// What equality says of two missing values: true where missing fields read as nil.
  var missingEqualsMissing = false
}

/// A value computed from a record.
indirect enum BoundExpression: Sendable, Hashable {
  case constant(ComputedValue)
  case field(FieldNumber, FieldType)
  case arithmetic(ArithmeticOperator, BoundExpression, BoundExpression)
  case negated(BoundExpression)
  case complement(BoundExpression)
  /// A function that rounds may have two arguments: it is then one of their quotient.
  case function(BuiltinFunction, [BoundExpression])
  case ternary(BoundCondition, BoundExpression, BoundExpression)
  case element(BoundExpression, Element)
  /// The number of members of a list.
  case count(BoundExpression)
  /// Metres from a location field to a place.
  case distance(FieldNumber, latitude: Double, longitude: Double)

  enum Element: Sendable, Hashable {
    case first, last
    case at(BoundExpression)
  }
}

/// What an expression has come to for one record.
enum ComputedValue: Sendable, Hashable {
  /// A field was missing, or the operation has no result (a division by zero, the square root of −1).
  case missing
  case integer(Int64)
  case double(Double)
  case text([UInt8])
  case timestamp(Int64)
  case reference([UInt8])
  case location(latitude: Double, longitude: Double)
  case list([ComputedValue])

  /// A place by the degrees that tell it from others.
  static func place(_ latitude: Double, _ longitude: Double) -> ComputedValue {
    let place = Location.distinct(latitude: latitude, longitude: longitude)
    return .location(latitude: place.latitude, longitude: place.longitude)
  }
}
