import Testing
import ZoneQuery

/// What is built in Swift has the tree of its text, and prints it.
@Suite("Predicates built in Swift")
struct BuilderTreeTests {
  static let date = Timestamp(milliseconds: 725_760_000_000)
  static let place = Location(latitude: 37.5, longitude: 127)

  /// Compares predicates with texts, and counts how many.
  final class Pairs {
    private(set) var count = 0

    func check(
      _ predicate: QueryPredicate, _ text: String, _ arguments: (any PredicateArgument)?...,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      count += 1
      #expect(predicate.faults.isEmpty, sourceLocation: sourceLocation)
      do {
        let read = try QueryPredicate(format: text, arguments: arguments)
        #expect(predicate == read, "\(predicate) for \(text)", sourceLocation: sourceLocation)
        #expect(predicate.hashValue == read.hashValue, sourceLocation: sourceLocation)
        #expect(predicate.description == read.description, sourceLocation: sourceLocation)
        let printed = try QueryPredicate(format: predicate.description)
        #expect(printed == predicate, sourceLocation: sourceLocation)
      } catch {
        Issue.record("\(text): \(error)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test func relations() {
    let pairs = Pairs()
    pairs.check(Field("name") == "x", "name = 'x'")
    pairs.check(Field("name") != "x", "name <> 'x'")
    pairs.check(Field("age") < 5, "age < 5")
    pairs.check(Field("age") <= 5, "age =< 5")
    pairs.check(Field("age") > 5, "age > 5")
    pairs.check(Field("age") >= 5, "age => 5")
    pairs.check(Field("price") == 2.5, "price == 2.5")
    pairs.check(Field("price") == 3.0, "price == 3")
    pairs.check(Field("age") == -5, "age == -5")
    pairs.check(Field("age") == Int64.min, "age == -9223372036854775808")
    pairs.check(Field("age") == UInt8(7), "age == 7")
    pairs.check(Field("flag") == true, "flag == YES")
    pairs.check(Field("flag") != false, "flag != NO")
    pairs.check(Field("start") > Self.date, "start > %@", Self.date)
    pairs.check(Field("start") > Self.date.date, "start > %@", Self.date.date)
    pairs.check(Field("start") == Self.date, "start == CAST(-252547200, 'NSDate')")
    pairs.check(Field("place") == Self.place, "place == %@", Self.place)
    pairs.check(Field("owner") == RecordID(recordName: "anna"), "owner == CAST('anna', 'CKReference')")
    pairs.check(
      Field("owner") == Reference(RecordID(recordName: "a/b")), "owner == CAST('_defaultZone/a/b', 'CKReference')")
    pairs.check(Field("name") == nil, "name == nil")
    pairs.check(Field("name") != nil, "name != NULL")
    pairs.check(Field("name") == String?.none, "name == nil")
    pairs.check(Field("name") == Optional("x"), "name == 'x'")
    pairs.check(Field("name") == "x"[...], "name == 'x'")
    pairs.check(Field("age") < Field("depth"), "age < depth")
    pairs.check(Field("age") == Field("depth"), "age = depth")
    pairs.check(Field("age") != Field("depth"), "age != depth")
    pairs.check(Field("age") <= Field("depth"), "age <= depth")
    pairs.check(Field("age") > Field("depth"), "age > depth")
    pairs.check(Field("age") >= Field("depth"), "age >= depth")
    pairs.check(Field.value(5) < Field("age"), "5 < age")
    pairs.check(Field.value("x") == "x", "'x' == 'x'")
    pairs.check(Field("start") <= .now, "start <= now()")
    pairs.check(Field("start") > Field.now, "start > now()")
    pairs.check(Field("city") == .parameter("city"), "city == $city")
    pairs.check(Field("city") != .parameter("in"), "city != $#in")
    pairs.check(Field("price") == Double.infinity, "price == CAST('infinity', 'NSNumber')")
    pairs.check(Field("name") == "a\"b\\c\n%@", #"name == "a\"b\\c\n%@""#)
    #expect(pairs.count >= 35)
  }

  @Test func keys() {
    let pairs = Pairs()
    pairs.check(Field("in") == 1, "#in == 1")
    pairs.check(Field("SELF") == 1, "#SELF == 1")
    pairs.check(Field("größe") > 1, "größe > 1")
    pairs.check(Field("_a1") > 1, "_a1 > 1")
    pairs.check(Field("venue.city") == "x", "venue.city == 'x'")
    pairs.check(Field("list.@count") == 2, "list.@count == 2")
    pairs.check(Field.recordID == RecordID(recordName: "a"), "recordID == CAST('a', 'CKReference')")
    pairs.check(Field.creationDate < .now, "creationDate < now()")
    pairs.check(Field.modificationDate < .now, "modificationDate < now()")
    pairs.check(Field.creatorUserRecordID == .parameter("me"), "creatorUserRecordID == $me")
    pairs.check(Field.lastModifiedUserRecordID == .parameter("me"), "lastModifiedUserRecordID == $me")
    pairs.check(Field.parent == .parameter("p"), "parent == $p")
    pairs.check(Field.share != .parameter("s"), "share != $s")
    #expect(pairs.count >= 13)
  }

  @Test func membership() {
    let pairs = Pairs()
    pairs.check(Field("city").isIn(["Seoul", "Busan"]), "city IN {'Seoul', 'Busan'}")
    pairs.check(Field("city").isIn([String]()), "city IN {}")
    pairs.check(Field("age").isIn(1...3), "age IN {1, 2, 3}")
    pairs.check(Field("age").isIn([1, 2.5]), "age IN {1, 2.5}")
    pairs.check(Field("age").isIn([1, nil]), "age IN {1, nil}")
    pairs.check(Field("age").isIn(Set([10, 9, -1])), "age IN {-1, 9, 10}")
    pairs.check(Field("city").isIn(.parameter("cities")), "city IN $cities")
    pairs.check(Field("name").isIn(Field("tags")), "name IN tags")
    pairs.check(Field.value("x").isIn(Field("tags")), "'x' IN tags")
    pairs.check(Field("age").isBetween(18...30), "age BETWEEN {18, 30}")
    pairs.check(Field("age").isBetween(30, and: 18.5), "age BETWEEN {30, 18.5}")
    pairs.check(Field("name").isBetween("a"..."b"), "name BETWEEN {'a', 'b'}")
    pairs.check(Field("start").isBetween(Self.date...Self.date), "start BETWEEN {%@, %@}", Self.date, Self.date)
    pairs.check(Field("tags").contains("x"), "tags CONTAINS 'x'")
    pairs.check(Field("tags").contains(.parameter("tag")), "tags CONTAINS $tag")
    pairs.check(Field("age").isBetween(.parameter("a"), and: .parameter("b")), "age BETWEEN {$a, $b}")
    pairs.check(Field("age").isBetween(Field("price"), and: .value(3)), "age BETWEEN {price, 3}")
    pairs.check(Field("tags").containsAny(.parameter("a")), "ANY tags IN $a")
    pairs.check(Field("tags").containsAll(.parameter("a")), "ALL $a IN tags")
    pairs.check(Field("tags").containsAny(["a", "b"]), "ANY tags IN {'a', 'b'}")
    pairs.check(Field("tags").containsAll(["a", "b"]), "ALL {'a', 'b'} IN tags")
    pairs.check(Field("counts").containsAny(Set([10, 9, -1])), "ANY counts IN {-1, 9, 10}")
    pairs.check(Field("counts").containsAll(Set([10, 9, -1])), "ALL {-1, 9, 10} IN counts")
    pairs.check(Field("tags").any == "x", "ANY tags = 'x'")
    pairs.check(Field("tags").any == "x", "SOME tags = 'x'")
    pairs.check(Field("tags").none == "x", "NONE tags = 'x'")
    pairs.check(Field("counts").all > 0, "ALL counts > 0")
    pairs.check(Field("counts").all >= 0, "ALL counts >= 0")
    pairs.check(Field("counts").any < 2, "ANY counts < 2")
    pairs.check(Field("counts").any <= 2, "ANY counts <= 2")
    pairs.check(Field("counts").any != 2, "ANY counts != 2")
    pairs.check(Field("counts").none > 2, "NOT (ANY counts > 2)")
    pairs.check(Field("tags").any == .parameter("tag"), "ANY tags == $tag")
    pairs.check(Field("tags").any.isIn(["a"]), "ANY tags IN {'a'}")
    pairs.check(Field("tags").any.isIn(Set(["b", "a"])), "ANY tags IN {'a', 'b'}")
    pairs.check(Field("tags").none.isIn(["a"]), "NONE tags IN {'a'}")
    pairs.check(Field("tags").any.isIn(.parameter("t")), "ANY tags IN $t")
    pairs.check(Field("tags").any.hasPrefix("m"), "ANY tags BEGINSWITH 'm'")
    pairs.check(Field("tags").any.hasSuffix("m"), "ANY tags ENDSWITH 'm'")
    pairs.check(Field("tags").any.contains("m", options: .caseInsensitive), "ANY tags CONTAINS[c] 'm'")
    pairs.check(Field("tags").all.isLike("m*"), "ALL tags LIKE 'm*'")
    pairs.check(Field("counts").any.isBetween(1...2), "ANY counts BETWEEN {1, 2}")
    pairs.check(Field("counts").any != .parameter("a"), "ANY counts != $a")
    pairs.check(Field("counts").any < .parameter("a"), "ANY counts < $a")
    pairs.check(Field("counts").any <= .parameter("a"), "ANY counts <= $a")
    pairs.check(Field("counts").all > .parameter("a"), "ALL counts > $a")
    pairs.check(Field("counts").all >= .now, "ALL counts >= now()")
    pairs.check(Field("tags").any.hasPrefix(.parameter("a")), "ANY tags BEGINSWITH $a")
    #expect(pairs.count >= 35)
  }

  @Test func texts() {
    let pairs = Pairs()
    let marks: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
    pairs.check(Field("name").hasPrefix("x"), "name BEGINSWITH 'x'")
    pairs.check(Field("name").hasPrefix(.parameter("p")), "name BEGINSWITH $p")
    pairs.check(Field("name").hasPrefix("x", options: marks), "name BEGINSWITH[cd] 'x'")
    pairs.check(Field("name").hasSuffix("x"), "name ENDSWITH 'x'")
    pairs.check(Field("name").hasSuffix(Field("city")), "name ENDSWITH city")
    pairs.check(Field("name").contains("x", options: marks), "name CONTAINS[dc] 'x'")
    pairs.check(Field("name").contains(Field("city")), "name CONTAINS city")
    pairs.check(Field("name").isLike("a?*"), "name LIKE 'a?*'")
    pairs.check(Field("name").isLike(#"a\*"#), #"name LIKE 'a\\*'"#)
    pairs.check(Field("name").isLike(.parameter("p"), options: .caseInsensitive), "name LIKE[c] $p")
    pairs.check(Field("name").isEqual(to: "x", options: .caseInsensitive), "name ==[c] 'x'")
    pairs.check(Field("name").comparing(.notEqual, to: "x", options: marks), "name !=[cd] 'x'")
    pairs.check(Field("name").comparing(.less, to: "x", options: .caseInsensitive), "name <[c] 'x'")
    pairs.check(Field("name").comparing(.matches, to: "x.*"), "name MATCHES 'x.*'")
    pairs.check(QueryPredicate.allTokens("a b"), "ALL tokenize('a b', 'Cdl') IN allTokens")
    pairs.check(.anyToken("a b"), "ANY tokenize(\"a b\", 'Cdl') IN allTokens")
    pairs.check(.allTokens(.parameter("words")), "ALL tokenize($words, 'Cdl') IN allTokens")
    pairs.check(.anyToken(.parameter("words")), "ANY tokenize($words, 'Cdl') IN allTokens")
    pairs.check(!.anyToken("a"), "NONE tokenize('a', 'Cdl') IN allTokens")
    pairs.check(
      Field("allTokens").comparing(
        .tokenMatches, to: "a", options: [.localeSensitive, .caseInsensitive, .diacriticInsensitive]),
      "allTokens TOKENMATCHES[cdl] 'a'")
    #expect(pairs.count >= 20)
  }

  @Test func computation() {
    let pairs = Pairs()
    let age = Field("age")
    pairs.check(
      Field("place").distance(to: Self.place) < 1000, "distanceToLocation:fromLocation:(place, %@) < 1000", Self.place)
    pairs.check(
      Field("place").distance(to: Self.place) <= 1.5, "distanceToLocation:fromLocation(place, %@) <= 1.5", Self.place)
    pairs.check(
      Field("place").distance(to: .parameter("here")) < 5, "distanceToLocation:fromLocation:(place, $here) < 5")
    pairs.check(age + 1 == 2, "age + 1 == 2")
    pairs.check(age - Field("depth") == 2, "age - depth == 2")
    pairs.check((age + 1) * 2 == 2, "(age + 1) * 2 == 2")
    pairs.check(age + Field("depth") * 2 == 2, "age + depth * 2 == 2")
    pairs.check(age / 2 > 1.5, "age / 2 > 1.5")
    pairs.check(age / Field("depth") > 1, "age / depth > 1")
    pairs.check(age * Field("depth") > 1, "age * depth > 1")
    pairs.check(age + Field("depth") > 1, "age + depth > 1")
    pairs.check(age - 1 > 1, "age - 1 > 1")
    pairs.check(-age == -7, "-age == -7")
    pairs.check(-Field.value(7) == 7, "-7 == 7")
    pairs.check(~age == -8, "~age == -8")
    pairs.check(age.applying(.bitAnd, 3) == 3, "age & 3 == 3")
    pairs.check(age.applying(.shiftLeft, Field("depth")) == 3, "age << depth == 3")
    pairs.check(age.raised(to: 2) == 49, "age ** 2 == 49")
    pairs.check(age.remainder(dividingBy: 4) == 3, "modulus:by:(age, 4) == 3")
    pairs.check(age.remainder(dividingBy: Field("depth")) == 3, "modulus:by:(age, depth) == 3")
    pairs.check(age.absoluteValue == 3, "abs(age) == 3")
    pairs.check(age.squareRoot < 3, "sqrt:(age) < 3")
    pairs.check(age.floor < 3, "floor(age) < 3")
    pairs.check(age.ceiling < 3, "ceiling(age) < 3")
    pairs.check(age.truncated < 3, "trunc(age) < 3")
    pairs.check(age.logarithm < 3, "log(age) < 3")
    pairs.check(age.naturalLogarithm < 3, "ln(age) < 3")
    pairs.check(age.exponential < 3, "exp(age) < 3")
    pairs.check(Field("name").uppercased == "A", "uppercase(name) == 'A'")
    pairs.check(Field("name").lowercased.hasPrefix("a"), "lowercase(name) BEGINSWITH 'a'")
    pairs.check(Field("name").length > 3, "length(name) > 3")
    pairs.check(Field("tags").count == 2, "count(tags) == 2")
    pairs.check(Field("counts").sum == 2, "sum(counts) == 2")
    pairs.check(Field("counts").minimum == 2, "min(counts) == 2")
    pairs.check(Field("counts").maximum == 2, "max(counts) == 2")
    pairs.check(Field("counts").average == 2, "average(counts) == 2")
    pairs.check(Field("counts").median == 2, "median(counts) == 2")
    pairs.check(Field("counts").mode == 2, "mode(counts) == 2")
    pairs.check(Field("counts").standardDeviation == 2, "stddev(counts) == 2")
    pairs.check(Field("tags").first == "a", "tags[FIRST] == 'a'")
    pairs.check(Field("tags").last == "a", "tags[LAST] == 'a'")
    pairs.check(Field("tags")[0] == "a", "tags[0] == 'a'")
    pairs.check(Field("tags")[age - 1] == "a", "tags[age - 1] == 'a'")
    pairs.check(
      Field.choice(age > 5 && age < 9, .value("old"), Field("name")) == "old",
      "TERNARY(age > 5 AND age < 9, 'old', name) == 'old'")
    #expect(pairs.count >= 44)
  }

  @Test func logic() {
    let pairs = Pairs()
    let (a, b, c, d) = (Field("a") == 1, Field("b") == 2, Field("c") == 3, Field("d") == 4)
    pairs.check(a && b, "a = 1 AND b = 2")
    pairs.check(a && b && c, "a = 1 && b = 2 && c = 3")
    pairs.check(a && (b && c), "a = 1 AND b = 2 AND c = 3")
    pairs.check(a || b || c, "a = 1 OR b = 2 || c = 3")
    pairs.check(a || b && c, "a = 1 OR b = 2 AND c = 3")
    pairs.check((a || b) && c, "(a = 1 OR b = 2) AND c = 3")
    pairs.check(a && b || c && d, "a = 1 AND b = 2 OR c = 3 AND d = 4")
    pairs.check(!a, "NOT a = 1")
    pairs.check(!(!a), "NOT NOT a = 1")
    pairs.check(!(a && b), "NOT (a = 1 AND b = 2)")
    pairs.check(!a && !(b || c), "! a = 1 AND NOT (b = 2 OR c = 3)")
    pairs.check(a.and(b).or(c), "a = 1 AND b = 2 OR c = 3")
    pairs.check(.not(a.or(b)), "NOT (a = 1 OR b = 2)")
    pairs.check(.all(of: [a, b && c, d]), "a = 1 AND b = 2 AND c = 3 AND d = 4")
    pairs.check(.any(of: [a, b || c, d && a]), "a = 1 OR b = 2 OR c = 3 OR (d = 4 AND a = 1)")
    pairs.check(.all(of: [a]), "a = 1")
    pairs.check(.any(of: [a]), "a = 1")
    pairs.check(.all(of: [QueryPredicate]()), "TRUEPREDICATE")
    pairs.check(.any(of: [QueryPredicate]()), "FALSEPREDICATE")
    pairs.check(.true && a, "TRUEPREDICATE AND a = 1")
    pairs.check(!.false, "NOT FALSEPREDICATE")
    pairs.check(.all(of: (1...5).lazy.map { Field("a") != $0 }), "a != 1 AND a != 2 AND a != 3 AND a != 4 AND a != 5")
    #expect(pairs.count >= 22)
  }

  /// Ten terms in one expression, which the type checker must take in its stride.
  @Test func longExpression() {
    let date = Self.date
    let predicate =
      Field("start") > date && Field("end") < date && Field("name") == "x" && Field("age") >= 18 && Field("price") < 2.5
      && Field("city") == .parameter("city") && Field("tags").any == "maps" && Field("deleted") != true
      && Field("owner") == RecordID(recordName: "anna") && !(Field("depth") * 2 + 1 == 7)
    #expect(predicate.description.hasSuffix("AND NOT depth * 2 + 1 == 7") == false)
    let pairs = Pairs()
    pairs.check(
      predicate,
      """
      start > %@ AND end < %@ AND name = 'x' AND age >= 18 AND price < 2.5 AND city = $city AND ANY tags = 'maps' AND \
      deleted != TRUE AND owner = CAST('anna', 'CKReference') AND NOT depth * 2 + 1 = 7
      """, date, date)
  }

  @Test func parsedAndBuiltCombine() throws {
    let read = try QueryPredicate(format: "a = 1 AND b = 2")
    Pairs().check(read && Field("c") == 3, "a = 1 AND b = 2 AND c = 3")
    Pairs().check(!read || read, "NOT (a = 1 AND b = 2) OR (a = 1 AND b = 2)")
  }

  @Test func builtPredicatesMatch() throws {
    let matcher = try Matcher(Field("age") > 5 && Field("tags").any == "maps")
    #expect(try matcher.matches(["age": 7, "tags": .stringList(["sea", "maps"])] as [String: FieldValue]))
    #expect(try !matcher.matches(["age": 5, "tags": .stringList(["maps"])] as [String: FieldValue]))
  }
}
