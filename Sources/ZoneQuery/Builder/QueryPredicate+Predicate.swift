public import FoundationEssentials

extension QueryPredicate {
  /// Converts a Foundation predicate to the same tree that its text would give.
  ///
  /// ```swift
  /// struct Event { var city: String; var capacity: Int; var venue: Venue }
  ///
  /// let predicate = #Predicate<Event> { $0.city == "Seoul" && $0.capacity > 100 }
  /// try QueryPredicate(predicate).description      // city == "Seoul" AND capacity > 100
  ///
  /// let nested = #Predicate<Event> { $0.venue.name == "Hall" }
  /// try QueryPredicate(nested, fields: [\.venue.name: "venueName"]).description   // venueName == "Hall"
  /// ```
  ///
  /// A plain stored property of a structure is the field of its own name. For everything else (computed and nested
  /// properties, properties of classes, fields that are named otherwise) `fields` tells the name; it goes before the
  /// property's own.
  ///
  /// What a record satisfies is then judged by ZoneQuery, not by Swift. The differences: text compares by code points;
  /// the empty text is no prefix and no part of any; a missing value satisfies no comparison unless the predicate
  /// options say ``PredicateOptions/MissingFields/likeNSPredicate``, which is Swift's reading of nil; arithmetic does
  /// not overflow, and what Swift would stop at (a division by zero, an index past the end) is a missing value, a
  /// quotient of doubles by zero too, which Swift takes for infinite; dates are milliseconds, to which those captured are
  /// rounded. A
  /// half-open range is `>=` and `<`, a closed one `BETWEEN`.
  ///
  /// - Parameters:
  ///   - predicate: The predicate.
  ///   - fields: The names of the fields of properties.
  /// - Throws: A ``ZoneQueryError`` of stage `binding` that names the construct which has no counterpart, or the
  ///   property whose field is not known.
  ///
  /// Complexity: linear in the predicate, times how deep it nests.
  public init<Root>(
    _ predicate: Predicate<Root>, fields: [PartialKeyPath<Root>: String] = [:]
  ) throws(ZoneQueryError) {
    try self.init(predicate) { fields[$0] }
  }

  /// Converts a Foundation predicate with a function that tells the field of a property; where it gives nil, a plain
  /// stored property of a structure is the field of its own name.
  ///
  /// - Throws: A ``ZoneQueryError`` of stage `binding` that names what cannot be converted.
  public init<Root>(
    _ predicate: Predicate<Root>, fieldName: (PartialKeyPath<Root>) -> String?
  ) throws(ZoneQueryError) {
    let node = try withoutActuallyEscaping(fieldName) { (fieldName) throws(ZoneQueryError) -> PredicateNode in
      var converter = PredicateConverter(
        record: predicate.variable.key, recordType: "\(Root.self)",
        fieldName: { path in
          guard let path = path as? PartialKeyPath<Root> else { return nil }
          return fieldName(path) ?? PredicateConverter.storedName(path)
        })
      return try converter.predicate(predicate.expression)
    }
    self.init(node)
    if let fault = faults.first ?? knownSize?.fault { throw PredicateConverter.error(fault) }
  }
}

extension PredicateConverter {
  /// The name of a property that is stored in a structure itself.
  ///
  /// A key path's description is its only spelling. It is a plain `\Type.name` for stored properties; what is computed
  /// has no offset, and a program built without reflection metadata shows no identifier.
  static func storedName<Root>(_ path: PartialKeyPath<Root>) -> String? {
    guard MemoryLayout<Root>.offset(of: path) != nil else { return nil }
    let spelling = Array("\(path)".utf8)
    let prefix = Array("\\\(Root.self).".utf8)
    guard spelling.starts(with: prefix) else { return nil }
    let name = String(decoding: spelling.dropFirst(prefix.count), as: UTF8.self)
    guard let key = KeyNode(path: name), key.path.isEmpty, !sameBytes(name, "self") else { return nil }
    return name
  }
}
