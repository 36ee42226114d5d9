extension Binder {
  /// `distanceToLocation:fromLocation:(field, place)`, the two in either order.
  mutating func distanceOperand(_ call: FunctionNode) -> Operand {
    guard call.arguments.count == 2 else {
      refuse(.distanceArguments, call.span)
      return .failed
    }
    let first = operand(call.arguments[0])
    let second = operand(call.arguments[1])
    switch (first, second) {
    case (.failed, _), (_, .failed): return .failed
    case (.field(let field), let place) where place.isConstant: return distance(field, place, call.span)
    case (let place, .field(let field)) where place.isConstant: return distance(field, place, call.span)
    default:
      refuse(.distanceArguments, call.span)
      return .failed
    }
  }

  private mutating func distance(_ field: FieldHandle, _ place: Operand, _ span: SourceSpan) -> Operand {
    var field = field
    if case .known(let type) = field.knowledge, type != .location {
      if case .shape = scope {
        field.knowledge = .absent
      } else {
        fail(
          "typeMismatch", "'\(field.name)' is \(type); a distance needs a LOCATION field.", field.span)
        return .failed
      }
    }
    switch place {
    case .constant(.location(let latitude, let longitude), _):
      return .distance(field, latitude: latitude, longitude: longitude, span)
    case .parameter: return .distance(field, latitude: 0, longitude: 0, span)
    case .constant(let literal, let placeSpan):
      fail(
        "typeMismatch", "A distance is measured from a location, not from \(Binder.describe(literal)).", placeSpan,
        hint: "Pass a location as an argument for %@, or write CAST(\"latitude,longitude\", \"CLLocation\").")
      return .failed
    default:
      refuse(.distanceArguments, span)
      return .failed
    }
  }

  /// `distance < metres`.
  mutating func bindDistance(_ comparison: Comparison) -> BoundPredicate {
    var comparison = comparison
    if case .distance = comparison.right {
      if case .distance = comparison.left {
        return isCloudKit ? refuse(.arithmetic, comparison.span) : bindComputed(comparison)
      }
      guard let mirrored = comparison.relation.mirrored else {
        return fail(
          "operandOrder", "The distance stands before \(comparison.relation.rawValue).",
          comparison.operatorSpan)
      }
      comparison.relation = mirrored
      swap(&comparison.left, &comparison.right)
    }
    guard case .distance(let field, let latitude, let longitude, _) = comparison.left else {
      return .constant(false)
    }
    if comparison.quantifier != nil {
      return fail("quantifierOperand", "\(comparison.quantifierWord) does not take a distance.", comparison.span)
    }
    let relation: GeodesicRadiusTest.Comparison
    switch comparison.relation {
    case .less: relation = .lessThan
    case .lessOrEqual: relation = .lessThanOrEqual
    case .greater: relation = .greaterThan
    case .greaterOrEqual: relation = .greaterThanOrEqual
    default: return isCloudKit ? refuse(.distanceOutside, comparison.operatorSpan) : bindComputed(comparison)
    }
    if isCloudKit {
      if relation == .greaterThan || relation == .greaterThanOrEqual {
        return refuse(.distanceOutside, comparison.operatorSpan)
      }
      if comparison.isNegated { return refuse(.negatedDistance, comparison.span) }
    }
    let radius: Double
    switch comparison.right {
    case .constant(.integer(let metres), _): radius = Double(metres)
    case .constant(.double(let metres), _): radius = metres
    case .parameter: return .constant(false)
    case .constant(.null, let span) where isCloudKit: return refuse(.nilOperand, span)
    case .constant(let literal, let span):
      return fail(
        "typeMismatch", "A distance is compared with a number of metres, not with \(Binder.describe(literal)).",
        span)
    case .list(_, let span):
      return fail("listOperand", "A distance is compared with one number of metres.", span)
    case .field where isCloudKit: return refuse(.fieldToField, comparison.span)
    default: return isCloudKit ? refuse(.arithmetic, comparison.span) : bindComputed(comparison)
    }
    switch field.knowledge {
    case .unknown: return .constant(false)
    case .absent: return .constant(whenMissing(comparison))
    case .known:
      let test = CircleTest(latitude: latitude, longitude: longitude, radius: radius, relation: relation)
      return .comparison(
        BoundComparison(
          condition: .value(field.number, .distance(test)), isNegated: comparison.isNegated,
          whenMissing: whenMissing(comparison)))
    }
  }
}
