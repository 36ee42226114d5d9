/// Says in words what a plan does to a table: which index, which values, which conditions.
struct PlanText {
  let layout: FieldLayout
  /// The text of each conjunct.
  let conditions: [String]
  let sort: [SortKey]
  let table: Table
  let conjuncts: [PlannedConjunct]

  /// The most values named of a list of them.
  private static let mostNamed = 6

  // MARK: Conditions

  /// The conditions of some conjuncts, in the order in which they are tried.
  func conditions(_ set: ConjunctSet, _ attempts: [Int]) -> String {
    var (seen, named): (Set<ByteKey>, [String]) = ([], [])
    for number in attempts where set.contains(number) && number < conditions.count {
      // BETWEEN is two conjuncts of one text.
      if seen.insert(ByteKey(conditions[number])).inserted { named.append(conditions[number]) }
    }
    return named.prefix(Self.mostNamed).joined(separator: " AND ")
      + (named.count > Self.mostNamed ? " and \(named.count - Self.mostNamed) more" : "")
  }

  /// The order asked for.
  var order: String {
    sort.map { key in
      if let origin = key.origin { return "distance of \(key.key) from \(origin.latitude), \(origin.longitude)" }
      return "\(key.key) \(key.order == .ascending ? "ascending" : "descending")"
    }.joined(separator: ", ")
  }

  // MARK: Accesses

  /// Some indexes of the table, each once, in the order in which they are read first.
  func indexes(_ numbers: [Int]) -> [IndexDefinition] {
    numbers.enumerated().filter { !numbers[..<$0.offset].contains($0.element) }.map {
      IndexDefinition(table.indexes[$0.element].shape, layout)
    }
  }

  /// The index of a walk, and the part of it that is walked.
  func walk(_ walk: Plan.Walk, _ covered: ConjunctSet) -> String {
    let shape = table.indexes[walk.index].shape
    let values = values(shape, covered)
    return "\(name(shape)) \(walk.isDescending ? "descending" : "ascending")"
      + (values.isEmpty ? "" : ": \(values.joined(separator: ", "))")
  }

  /// An access, where some conjuncts are answered by it.
  func access(_ access: Access, _ covered: ConjunctSet, form: Sargable? = nil) -> String {
    switch access {
    case .nothing: return ""
    case .slots: return named(forms(covered, form).flatMap { $0.names }.map { ValueText.text($0) })
    case .spans(let index, _), .tested(let index, _, _):
      let shape = table.indexes[index].shape
      var asked = values(shape, covered, form)
      // What was found by all texts of the index is in no form.
      let tested = conjuncts.indices.filter { conjuncts[$0].form == nil && !conjuncts[$0].isImplied }
      let condition = form == nil ? conditions(covered, tested) : ""
      if !condition.isEmpty { asked.append("each text \(condition)") }
      return "\(name(shape)): \(asked.joined(separator: ", "))"
    case .overlap(let runs):
      return runs.map { run in
        let shape = table.indexes[run.index].shape
        return "\(name(shape)): \(values(shape, covered, form).joined(separator: ", "))"
      }.joined(separator: "; ")
    case .lists(let index, let lists, let requiresAll):
      let shape = table.indexes[index].shape
      var terms = forms(covered, form).flatMap { $0.terms(shape) }
      // A conjunct may be held against each row all the same.
      if terms.isEmpty { terms = conjuncts.compactMap(\.form).flatMap { $0.terms(shape) } }
      return "\(name(shape)): \(lists.count == 1 ? "" : requiresAll ? "all of " : "any of ")\(named(terms))"
    case .circle(let index, _, let circle):
      if covered.isEmpty, form == nil {
        // No condition asks for it, but the sort.
        let limit =
          circle.radius < CircleTest.radiusOfAll
          ? ", up to those of other zones \(Int(circle.radius.rounded(.up))) metres away" : ""
        return "\(name(table.indexes[index].shape)): the nearest to \(circle.latitude), \(circle.longitude)\(limit)"
      }
      return
        "\(name(table.indexes[index].shape)): within \(circle.radius) metres of \(circle.latitude), \(circle.longitude)"
    case .rest:
      return form == nil ? conditions(covered, Array(conjuncts.indices)) : "all but those of some lists"
    case .union: return form == nil ? conditions(covered, Array(conjuncts.indices)) : ""
    }
  }

  private func name(_ shape: IndexShape) -> String { "(\(shape.name))" }

  private func named(_ values: [String]) -> String {
    values.prefix(Self.mostNamed).joined(separator: ", ")
      + (values.count > Self.mostNamed ? " and \(values.count - Self.mostNamed) more" : "")
  }

  private func forms(_ covered: ConjunctSet, _ form: Sargable?) -> [Sargable] {
    if case .narrowest(let parts)? = form { return parts }
    return form.map { [$0] } ?? forms(covered)
  }

  /// What some conjuncts ask indexes for.
  func forms(_ covered: ConjunctSet) -> [Sargable] {
    conjuncts.indices.filter { covered.contains($0) && $0 < ConjunctSet.rest }.compactMap { conjuncts[$0].form }
  }

  /// The member of a list, or the record referred to, that the entries are of: it may be told apart from others only by the
  /// row, so that no access answers the conjunct.
  private func member(of component: IndexShape.Component) -> String? {
    let field = layout.name(of: component.field)
    for conjunct in conjuncts {
      switch conjunct.form {
      case .members(component.field, let terms, _)? where terms.count == 1:
        return "\(field) CONTAINS \(ValueText.text(term: terms[0], component.type))"
      case .references(component.field, let encodings)? where encodings.count == 1:
        return "\(field) = \(ValueText.text(term: encodings[0], component.type))"
      default: continue
      }
    }
    return nil
  }

  /// What is asked of the components of an ordered index: values, then perhaps an interval, then what each entry is held
  /// against.
  private func values(_ shape: IndexShape, _ covered: ConjunctSet, _ form: Sargable? = nil) -> [String] {
    let forms = forms(covered, form)
    var texts: [String] = []
    /// Whether the entries are in no order by the component.
    var isBehind = false
    for component in shape.components {
      let field = layout.name(of: component.field)
      var point: String?
      var asked: [ValueInterval]?
      for form in forms {
        switch form {
        case .members(component.field, let terms, _) where component.isList && texts.isEmpty:
          point = "\(field) CONTAINS \(named(terms.map { ValueText.text(term: $0, component.type) }))"
        case .references(component.field, let encodings) where !component.isList && texts.isEmpty:
          point = "\(field) = \(named(encodings.map { ValueText.text(term: $0, .reference) }))"
        default:
          guard !component.isList, let (field, intervals) = form.intervals, field == component.field else { continue }
          asked = asked.map { ValueInterval.common($0, intervals) } ?? intervals
        }
      }
      if !component.isInOrder, point == nil, form == nil { point = member(of: component) }
      let common = asked.map { values(field, $0, component.type) }
      if isBehind {
        if let common { texts.append("each entry \(common)") }
        continue
      }
      if let text = point ?? common { texts.append(text) }
      isBehind = point == nil && asked?.allSatisfy(\.isPoint) != true
    }
    return texts.isEmpty && !forms.isEmpty && form != nil ? ["all"] : texts
  }

  /// What is asked of a field: a value, one of several, or intervals.
  private func values(_ field: String, _ intervals: [ValueInterval], _ type: FieldType.Scalar) -> String {
    if intervals.count == 1 || !intervals.allSatisfy(\.isPoint) {
      let named = intervals.prefix(Self.mostNamed).map { ValueText.relation(field, $0, type) }.joined(separator: " or ")
      return named + (intervals.count > Self.mostNamed ? " and \(intervals.count - Self.mostNamed) more" : "")
    }
    return "\(field) IN \(named(intervals.compactMap(\.lower).map { ValueText.text($0, type) }))"
  }
}

extension Sargable {
  fileprivate var names: [[UInt8]] { if case .names(let names) = self { names } else { [] } }

  /// The terms looked up in an index.
  fileprivate func terms(_ shape: IndexShape) -> [String] {
    switch self {
    case .members(shape.field, let terms, _) where shape.kind == .members:
      terms.map { ValueText.text(term: $0, shape.components[0].type) }
    case .someMembers(shape.field, let test) where shape.kind == .members:
      switch test {
      case .text(let text) where text.relation == .equal: [ValueText.text(text.operand)]
      case .textSet(let texts, _): texts.map { ValueText.text($0) }
      default: ["the members that pass"]
      }
    case .references(shape.field, let encodings) where shape.kind == .references:
      encodings.map { ValueText.text(term: $0, .reference) }
    case .tokens(let tokens, _) where shape.kind == .tokens: tokens.map { ValueText.text($0) }
    default: []
    }
  }
}
