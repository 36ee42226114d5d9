import Testing
import ZoneQuery

/// Every form that CloudKit's dialect refuses: the rule it names and the place it shows.
struct CloudKitRefusalsTests {
  @Test func logic() {
    for (format, code, place) in [
      ("name = 'a' OR name = 'b'", "orNotSupported", "OR"), ("name = 'a' || name = 'b'", "orNotSupported", "||"),
      ("NOT (name = 'a' OR age = 1)", "orNotSupported", "OR"),
      ("NOT NOT name = 'a'", "doubleNegation", "NOT NOT name = 'a'"),
      ("NOT TRUEPREDICATE", "negatedConstant", "NOT TRUEPREDICATE"),
      ("NOT (name = 'a' AND age = 1)", "negatedConjunction", "NOT (name = 'a' AND age = 1)"),
      ("NOT age BETWEEN {1, 2}", "negatedBetween", "age BETWEEN {1, 2}"),
      ("NOT (self CONTAINS 'a')", "negatedTokenSearch", "self CONTAINS 'a'"),
      ("NONE tokenize('a', 'cdl') IN allTokens", "negatedTokenSearch", "NONE tokenize('a', 'cdl') IN allTokens"),
    ] {
      Subject.expectRefused(format, code, at: place, message: "CloudKit", [.cloudKit])
    }
    let here = Location(latitude: 0, longitude: 0)
    let distance = "distanceToLocation:fromLocation:(Location, %@)"
    Subject.expectRefused("NOT \(distance) < 5", [here], "negatedDistance", at: "\(distance) < 5", [.cloudKit])
    Subject.expectRefused("\(distance) > 5", [here], "distanceOutside", at: ">", [.cloudKit])
    Subject.expectRefused("5 <= \(distance)", [here], "distanceOutside", at: "<=", [.cloudKit])
    Subject.expectRefused("\(distance) = 5", [here], "distanceOutside", at: "=", [.cloudKit])
  }

  @Test func operandsAndOperators() {
    for (format, code, place) in [
      ("name = nil", "nilOperand", "nil"), ("name != NULL", "nilOperand", "NULL"),
      ("age IN {1, nil}", "nilOperand", "{1, nil}"),
      ("tags CONTAINS nil", "nilOperand", "nil"), ("nil = name", "nilOperand", "nil"),
      ("name = city", "fieldToField", "name = city"), ("age IN counts", "fieldToField", "age IN counts"),
      ("1 = 1", "noField", "1 = 1"), ("%@ = %@", "noField", "%@ = %@"), ("'a' IN {'a'}", "noField", "'a' IN {'a'}"),
      ("name CONTAINS 'a'", "substring", "CONTAINS"), ("'a' IN name", "substring", "IN"),
      ("name IN 'abc'", "substring", "IN"), ("name ENDSWITH 'a'", "operatorNotSupported", "ENDSWITH"),
      ("name LIKE 'a*'", "operatorNotSupported", "LIKE"), ("name ==[c] 'a'", "optionsNotSupported", "==[c]"),
      ("name BEGINSWITH[cd] 'a'", "optionsNotSupported", "BEGINSWITH[cd]"),
      ("ANY tags != 'a'", "quantifierOperator", "!="), ("ANY counts < 3", "quantifierOperator", "<"),
      ("ANY tags CONTAINS 'a'", "quantifierOperator", "CONTAINS"), ("ANY {1, 2} < age", "quantifierOperator", "<"),
      ("ALL tags = 'a'", "allQuantifier", "ALL tags = 'a'"), ("ALL {1} = age", "allQuantifier", "ALL {1} = age"),
      ("age + 1 = 2", "computedValue", "age + 1"), ("age = 1 + 1", "computedValue", "1 + 1"),
      ("-age = 1", "computedValue", "-age"), ("tags[0] = 'a'", "computedValue", "tags[0]"),
      ("TERNARY(age = 1, 2, 3) = 2", "computedValue", "TERNARY(age = 1, 2, 3)"),
      ("uppercase(name) = 'A'", "functionNotSupported", "uppercase"),
      ("count(tags) = 1", "functionNotSupported", "count"), ("Location = %@", "locationEquality", "="),
    ] {
      let arguments: [(any PredicateArgument)?] =
        format.hasPrefix("%@") ? ["a", "b"] : format.contains("%@") ? [Location(latitude: 1, longitude: 2)] : []
      Subject.expectRefused(format, arguments, code, at: place, [.cloudKit])
    }
  }

  @Test func bothDialects() {
    for (format, code, place) in [
      ("name MATCHES 'a+'", "operatorNotSupported", "MATCHES"), ("owner.name = 'a'", "keyPath", "owner.name"),
      ("tags.@sum = 3", "collectionOperator", "tags.@sum"),
      ("tags.@max.name = 3", "collectionOperator", "tags.@max.name"),
      ("tags.@count.name = 3", "keyPath", "tags.@count.name"),
      ("SUBQUERY(tags, $x, $x = 'a')[SIZE] > 0", "", ""),
      ("FUNCTION(name, 'hash') = 1", "customSelector", "FUNCTION(name, 'hash')"),
      ("random() < 1", "functionNotSupported", "random()"),
      ("CAST(name, 'NSNumber') = 1", "castType", "CAST(name, 'NSNumber')"),
      ("$x := 1 = 2", "", ""), ("nope = 1", "unknownField", "nope"), ("Name = 'a'", "unknownField", "Name"),
      ("start > 5", "typeMismatch", "5"), ("age = '30'", "typeMismatch", "'30'"), ("name = 1", "typeMismatch", "1"),
      ("price = 'x'", "typeMismatch", "'x'"), ("owner = 'anna'", "typeMismatch", "'anna'"),
      ("age BEGINSWITH 'a'", "operatorType", "BEGINSWITH"), ("age BEGINSWITH 1", "typeMismatch", "1"),
      ("owner < %@", "operatorType", "<"), ("tags = 'a'", "listField", "tags"), ("tags IN {'a'}", "listField", "tags"),
      ("tags < 'a'", "listField", "tags"), ("age CONTAINS 1", "notList", "age"), ("ANY age = 1", "notList", "age"),
      ("ANY {1} IN age", "notList", "age"), ("{'a'} IN tags", "quantifierMissing", "{'a'}"),
      ("age BETWEEN {1}", "betweenBounds", "{1}"), ("age BETWEEN 1", "betweenBounds", "1"),
      ("age BETWEEN {1, 'a'}", "mixedList", "{1, 'a'}"), ("age = {1, 2}", "listOperand", "{1, 2}"),
      ("age IN 1", "inList", "1"), ("age IN {1, 'a'}", "mixedList", "{1, 'a'}"),
      ("blob = 'a'", "typeNotQueryable", "blob"), ("file = 'a'", "typeNotQueryable", "file"),
      ("secret = 'a'", "encryptedField", "secret"),
      ("allTokens = 'a'", "tokenForm", "allTokens"), ("name TOKENMATCHES[cdl] 'a'", "tokenForm", "TOKENMATCHES[cdl]"),
      ("self = 'a'", "tokenForm", "self"),
      ("tokenize('a', 'cdl') IN allTokens", "tokenForm", "tokenize('a', 'cdl') IN allTokens"),
      ("allTokens TOKENMATCHES 'a'", "tokenOptions", "TOKENMATCHES"),
      ("allTokens TOKENMATCHES[cd] 'a'", "tokenOptions", "TOKENMATCHES[cd]"),
      ("allTokens TOKENMATCHES[cdln] 'a'", "tokenOptions", "TOKENMATCHES[cdln]"),
      ("ALL tokenize('a', 'cd') IN allTokens", "tokenOptions", "'cd'"),
      ("ALL tokenize('a', 'cdln') IN allTokens", "tokenOptions", "'cdln'"),
      ("ALL tokenize(name, 'cdl') IN allTokens", "typeMismatch", "name"),
      ("'a' BEGINSWITH name", "", ""), ("name ==[n] 'a'", "optionsNotSupported", "==[n]"),
      ("distanceToLocation:fromLocation:(name, %@) < 5", "typeMismatch", "name"),
      ("distanceToLocation:fromLocation:(Location, 5) < 5", "typeMismatch", "5"),
      (
        "distanceToLocation:fromLocation:(Location, Location) < 5", "distanceArguments",
        "distanceToLocation:fromLocation:(Location, Location)"
      ),
      ("distanceToLocation:fromLocation:(Location, %@) < 'a'", "typeMismatch", "'a'"),
      ("Location < %@", "operatorType", "<"),
    ] where !code.isEmpty {
      let here = Location(latitude: 1, longitude: 2)
      let arguments: [(any PredicateArgument)?] = format.hasPrefix("owner") ? [RecordID(recordName: "a")] : [here]
      Subject.expectRefused(format, format.contains("%@") ? arguments : [], code, at: place)
    }
  }

  @Test func withoutFieldsTheFormsAreChecked() throws {
    for (format, cloudKit, extended) in [
      ("ANY x = nil", false, false), ("x BETWEEN {}", false, false), ("x BETWEEN {1}", false, false),
      ("x BETWEEN {nil, 1}", false, false), ("recordID = 'name'", false, true), ("creationDate > 5", false, false),
      ("_x = 1", false, true), ("größe = 1", false, true), ("x_1 = 1", true, true), ("xé = 1", false, true),
      ("___recordID = $id", true, true), ("x IN {1, 'a'}", false, false),
      ("ALL {1, 'a'} IN x", false, false), ("x = {1, 2}", false, false), ("x CONTAINS 'a'", true, true),
      ("x = $a AND y BETWEEN $b AND z IN $c", true, true), ("ANY {1, nil} IN x", false, false),
      ("x BEGINSWITH 5", false, false), ("x BEGINSWITH nil", false, false), ("x = nil", false, true),
      ("x BEGINSWITH {}", false, false), ("{1} = x", false, false), ("x < nil", false, false),
      ("x < CAST('a', 'CKReference')", false, false), ("x IN {nil}", false, true),
    ] {
      let predicate = try QueryPredicate(format: format)
      for (dialect, taken) in [(Dialect.cloudKit, cloudKit), (.extended, extended)] {
        let accepted = (try? predicate.check(PredicateOptions(dialect: dialect))) != nil
        #expect(accepted == taken, "\(format) (\(dialect))")
      }
    }
  }

  /// With the fields known, names are held to the same rule.
  @Test func namesOfFieldsThatThereAre() throws {
    for name in ["größe", "_x", "x"] {
      let type = RecordType("T", fields: [FieldDefinition(name, .int64)])
      for format in ["\(name) = 1", "\(name) IN {1}", "1 = \(name)"] {
        let predicate = try QueryPredicate(format: format)
        #expect((try? Matcher(predicate, for: type)) == nil || name == "x", "\(format)")
        #expect((try? Matcher(predicate, for: type, options: PredicateOptions(dialect: .extended))) != nil, "\(format)")
      }
    }
  }

  @Test func everyFaultIsReportedOnce() throws {
    let predicate = try QueryPredicate(format: "nope = 1 AND age = 'x' OR start > 5")
    let error = #expect(throws: ZoneQueryError.self) { _ = try Matcher(predicate, for: Subject.type) }
    #expect(error?.diagnostics.map(\.code) == ["orNotSupported", "unknownField", "typeMismatch", "typeMismatch"])
    #expect(error?.code == .invalidPredicate)
  }

  @Test func withoutASchemaWhatCannotBeComparedIsMissing() throws {
    let fields: [String: FieldValue] = ["start": 3, "age": "30", "tags": "a"]
    for format in [
      "start > CAST(0, 'NSDate')", "age = 30", "NOT (age = 30)", "age != 30", "tags CONTAINS 'a'", "nope = 1",
    ] {
      #expect(try !Matcher(QueryPredicate(format: format)).matches(fields), "\(format)")
    }
    let likeNil = PredicateOptions(missingFields: .likeNSPredicate)
    for format in ["NOT (age = 30)", "age != 30", "nope != 1"] {
      #expect(try Matcher(QueryPredicate(format: format), options: likeNil).matches(fields), "\(format)")
    }
  }

  /// A list without values says nothing of the field, whose type is checked all the same.
  @Test func emptyLists() throws {
    for (format, code, place) in [
      ("blob IN {}", "typeNotQueryable", "blob"), ("NOT (file IN {})", "typeNotQueryable", "file"),
      ("NONE {} = blob", "typeNotQueryable", "blob"), ("ANY {} = file", "typeNotQueryable", "file"),
    ] {
      Subject.expectRefused(format, code, at: place)
    }
    Subject.expectRefused("NOT (Location IN {})", "locationEquality", at: "IN", [.cloudKit])
    Subject.expectRefused("ANY {} IN places", "locationEquality", at: "IN", [.cloudKit])
    Subject.expectRefused("ALL {} < blob", "typeNotQueryable", at: "blob", [.extended])
    for format in ["ALL {} = tags", "ANY {} < tags", "ALL {} != tags", "ANY {} = tags"] {
      Subject.expectRefused(format, "listField", at: "tags", [.extended])
    }
    let twice = #expect(throws: ZoneQueryError.self) {
      try QueryPredicate(format: "blob IN {nil, 1}").check(for: Subject.type, PredicateOptions(dialect: .extended))
    }
    #expect(twice?.diagnostics.count == 1)
    Subject.expectRefused("ANY {} > owner", "operatorType", at: ">", [.extended])
    for (format, holds) in [("age IN {}", false), ("NOT (age IN {})", true), ("ANY {} IN counts", false)] {
      Subject.expect(format, ["age": 3, "counts": .int64List([1])], is: holds)
    }
    for (format, holds) in [
      ("Location IN {}", false), ("NOT (Location IN {})", true), ("ALL {} < age", true), ("ANY {} < age", false),
    ] {
      let place = FieldValue.location(Location(latitude: 0, longitude: 0))
      Subject.expect(format, ["age": 3, "Location": place], is: holds, PredicateOptions(dialect: .extended))
    }
    // Without a schema a value that no predicate can ask about counts as missing, in every form.
    for missing in PredicateOptions.MissingFields.allCases {
      for format in [
        "blob IN {}", "NOT (blob IN {})", "blob = 5", "blob != 5", "length(blob) = 1", "blob = age", "age != blob",
        "blob + 1 = 2", "blob[0] = 1", "NOT (blob = age)", "TERNARY(age = 3, blob, 1) = 1",
      ] {
        let options = PredicateOptions(dialect: .extended, missingFields: missing)
        let matcher = try Matcher(try QueryPredicate(format: format), options: options)
        #expect(
          try matcher.matches(Subject.record(["age": 3, "blob": .bytes([1])]))
            == matcher.matches(Subject.record(["age": 3])), "\(format)")
      }
    }
  }
}
