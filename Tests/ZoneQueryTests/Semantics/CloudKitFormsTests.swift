import Testing
import ZoneQuery

/// Every form that CloudKit's dialect takes, and what it means.
struct CloudKitFormsTests {
  let date = Timestamp(milliseconds: 725_760_000_000)

  @Test func relationsOfTexts() {
    let seoul: [String: FieldValue] = ["name": "Seoul"]
    for (format, holds) in [
      ("name = 'Seoul'", true), ("name == \"Seoul\"", true), ("name != 'Seoul'", false), ("name <> 'Busan'", true),
      ("name < 'Seoum'", true), ("name < 'Seoul'", false), ("name <= 'Seoul'", true), ("name =< 'Seoul'", true),
      ("name > 'Seou'", true), ("name >= 'Seoul'", true), ("name => 'Seoum'", false), ("'Seoul' = name", true),
      ("'A' < name", true), ("'Z' < name", false), ("'Z' >= name", true), ("name = 'seoul'", false),
      ("name BEGINSWITH 'Seo'", true), ("name BEGINSWITH 'seo'", false), ("name beginswith 'Seoul'", true),
      ("name BEGINSWITH 'Seoul!'", false), ("name BEGINSWITH ''", false), ("NOT name BEGINSWITH 'B'", true),
      ("NOT (name BEGINSWITH '')", true), ("name IN {'Busan', 'Seoul'}", true), ("name IN {'Busan'}", false),
      ("name IN {}", false), ("NOT (name IN {})", true), ("NOT (name IN {'Busan'})", true), ("! name = 'x'", true),
      ("name BETWEEN {'A', 'Z'}", true), ("name BETWEEN {'Seoul', 'Seoul'}", true), ("name BETWEEN {'Z', 'A'}", false),
      ("ANY {'Seoul', 'x'} = name", true), ("ANY {'x', 'y'} == name", false), ("SOME {'Seoul'} = name", true),
      ("NONE {'Seoul'} = name", false), ("NONE {'x'} = name", true),
    ] {
      Subject.expect(format, seoul, is: holds)
    }
  }

  @Test func textsCompareByCodePoints() {
    Subject.expect("name = %@", ["e\u{301}"], ["name": "\u{e9}"], is: false)
    Subject.expect("name = %@", ["\u{e9}"], ["name": "\u{e9}"], is: true)
    Subject.expect("name BEGINSWITH 'e'", ["name": "e\u{301}a"], is: true)
    Subject.expect("name < %@", ["\u{10000}"], ["name": "\u{FFFF}"], is: true)
    Subject.expect("name > 'Z'", ["name": "a"], is: true)
    Subject.expect("name = %@", ["a\u{0}b"], ["name": "a\u{0}b"], is: true)
    Subject.expect("name = %@", [""], ["name": ""], is: true)
  }

  @Test func relationsOfNumbers() {
    for (format, holds) in [
      ("age = 30", true), ("age == 30.0", true), ("age != 30", false), ("age != 30.5", true), ("age = 30.5", false),
      ("age < 30.5", true), ("age < 30", false), ("age <= 30", true), ("age > 29.5", true), ("age >= 30.5", false),
      ("30 = age", true), ("29 < age", true), ("age BETWEEN {30, 40}", true), ("age BETWEEN {29.5, 30.5}", true),
      ("age BETWEEN {31, 29}", false), ("age IN {1, 30}", true), ("age IN {30.5, 1}", false), ("age IN {30.0}", true),
      ("NOT (age = 30)", false), ("NOT age < 30", true), ("age = TRUE", false), ("age > YES", true),
      ("age = 0x1E", true), ("age = 0b11110", true), ("age = 0o36", true), ("age = 3e1", true),
      ("ANY {30, 31} = age", true),
    ] {
      Subject.expect(format, ["age": 30], is: holds)
    }
    for (format, holds) in [
      ("price = 9.5", true), ("price < 10", true), ("price > 9", true), ("price >= 9.5", true), ("price > 9.5", false),
      ("price BETWEEN {9, 10}", true), ("price IN {9.5, 1}", true), ("price != 9", true), ("price = 9", false),
    ] {
      Subject.expect(format, ["price": 9.5], is: holds)
    }
  }

  @Test func numbersCompareExactly() {
    let big: Int64 = 1 << 53
    Subject.expect("age = 9007199254740992.0", ["age": .int64(big + 1)], is: false)
    Subject.expect("age > 9007199254740992.0", ["age": .int64(big + 1)], is: true)
    Subject.expect("price = %ld", [big + 1], ["price": .double(Double(big))], is: false)
    Subject.expect("price < %ld", [big + 1], ["price": .double(Double(big))], is: true)
    Subject.expect("age < 9223372036854775808.0", ["age": .int64(Int64.max)], is: true)
    Subject.expect("age >= 9223372036854775808.0", ["age": .int64(Int64.max)], is: false)
    Subject.expect("age = 9223372036854775808.0", ["age": .int64(Int64.max)], is: false)
    Subject.expect("price > %ld", [Int64.max], ["price": .double(0x1p63)], is: true)
    Subject.expect("age = -9223372036854775808", ["age": .int64(Int64.min)], is: true)
    Subject.expect("age >= -9223372036854775808.0", ["age": .int64(Int64.min)], is: true)
    Subject.expect("age < -9223372036854775808", ["age": .int64(Int64.min)], is: false)
    Subject.expect("age > %@", [Int64.max], ["age": .int64(Int64.max)], is: false)
    Subject.expect("price = 0", ["price": .double(-0.0)], is: true)
    Subject.expect("price = %@", [-0.0], ["price": 0.0], is: true)
    Subject.expect("price > 1e300", ["price": .double(.infinity)], is: true)
    Subject.expect("age < %@", [Double.infinity], ["age": .int64(Int64.max)], is: true)
    Subject.expect("age > %@", [-Double.infinity], ["age": .int64(Int64.min)], is: true)
    Subject.expect("price = %@", [Double.infinity], ["price": .double(.infinity)], is: true)
  }

  @Test func datesCompareToTheMillisecond() {
    let fields: [String: FieldValue] = ["start": .timestamp(date)]
    Subject.expect("start = %@", [date.date], fields, is: true)
    Subject.expect("start > %@", [date.date], fields, is: false)
    Subject.expect("start >= %@", [date.date], fields, is: true)
    Subject.expect("start > %@", [Timestamp(milliseconds: date.milliseconds - 1).date], fields, is: true)
    // 725,760,000 s since 1970 are −252,547,200 s since 2001.
    Subject.expect("start = CAST(-252547200, \"NSDate\")", fields, is: true)
    Subject.expect("start = CAST(-252547199.9996, 'NSDate')", fields, is: true)
    Subject.expect("start = CAST(-252547199.9994, 'NSDate')", fields, is: false)
    Subject.expect("start BETWEEN {CAST(-252547200, 'NSDate'), CAST(0, 'NSDate')}", fields, is: true)
    Subject.expect("start IN {%@}", [date.date], fields, is: true)
    Subject.expect("start < now()", fields, is: true)
    Subject.expect("start > now()", fields, is: false)
    Subject.expect("start = now()", ["start": .timestamp(Subject.now)], is: true)
    Subject.expect("now() <= start", ["start": .timestamp(Subject.now)], is: true)
  }

  @Test func references() {
    let anna = RecordID(recordName: "anna")
    let other = RecordID(recordName: "anna", zoneID: ZoneID(zoneName: "Work"))
    let fields: [String: FieldValue] = ["owner": .reference(Reference(anna))]
    Subject.expect("owner = %@", [anna], fields, is: true)
    Subject.expect("owner = %@", [Reference(anna, action: .deleteSelf)], fields, is: true)
    Subject.expect("owner = %@", [other], fields, is: false)
    Subject.expect("owner != %@", [other], fields, is: true)
    Subject.expect("owner = CAST('anna', 'CKReference')", fields, is: true)
    Subject.expect("owner = CAST('Work/anna', 'CKReference')", fields, is: false)
    Subject.expect("owner IN %@", [[other, anna]], fields, is: true)
    Subject.expect("recordID = %@", [RecordID(recordName: "thing")], [:], is: true)
    Subject.expect("___recordID = %@", [RecordID(recordName: "thing")], [:], is: true)
    Subject.expect("recordID = %@", [anna], [:], is: false)
    Subject.expect(
      "owners CONTAINS %@", [anna],
      ["owners": .referenceList([Reference(RecordID(recordName: "ben")), Reference(anna)])], is: true)
  }

  @Test func lists() {
    let fields: [String: FieldValue] = [
      "tags": .stringList(["maps", "sea", "night"]), "counts": .int64List([1, 2, 3]),
      "ratios": .doubleList([0.5, 2]), "dates": .timestampList([date]),
    ]
    for (format, holds) in [
      ("tags CONTAINS 'sea'", true), ("tags CONTAINS 'se'", false), ("'sea' IN tags", true), ("'x' IN tags", false),
      ("ANY tags = 'sea'", true), ("SOME tags == 'sea'", true), ("NONE tags = 'sea'", false), ("NONE tags = 'x'", true),
      ("NOT tags CONTAINS 'x'", true), ("NOT (tags CONTAINS 'sea')", false), ("ANY tags IN {'x', 'sea'}", true),
      ("ANY tags IN {'x'}", false), ("NONE tags IN {'x'}", true), ("ALL {'maps', 'sea'} IN tags", true),
      ("ALL {'maps', 'x'} IN tags", false), ("ALL {} IN tags", true), ("ANY {} IN tags", false),
      ("ANY {'x', 'sea'} IN tags", true), ("NOT (ALL {'maps', 'x'} IN tags)", true), ("ANY tags BEGINSWITH 'ni'", true),
      ("ANY tags BEGINSWITH 'x'", false), ("NONE tags BEGINSWITH 'x'", true), ("ANY tags BEGINSWITH ''", false),
      ("ANY tags IN {}", false), ("counts CONTAINS 2", true), ("counts CONTAINS 2.0", true),
      ("counts CONTAINS 2.5", false),
      ("4 IN counts", false), ("ratios CONTAINS 2", true), ("ratios CONTAINS 0.5", true),
      ("ALL {1, 2.0} IN counts", true),
      ("ALL {1, 1, 1} IN counts", true), ("ALL {1, 2.5} IN counts", false), ("ALL {3, 2, 1} IN counts", true),
      ("ALL {3, 2, 1, 0} IN counts", false), ("ALL {2, 0.5} IN ratios", true), ("ALL {2, 9} IN ratios", false),
      ("ALL {'night'} IN tags", true), ("NOT (ALL {1, 2.5} IN counts)", true),
      ("dates CONTAINS CAST(-252547200, 'NSDate')", true),
    ] {
      Subject.expect(format, fields, is: holds)
    }
  }

  @Test func emptyAndMissingLists() {
    let empty: [String: FieldValue] = ["tags": .stringList([])]
    for format in ["ANY tags = 'a'", "tags CONTAINS 'a'", "ANY tags IN {'a'}", "ALL {'a'} IN tags"] {
      Subject.expect(format, empty, is: false)
      Subject.expect(format, [:], is: false)
      Subject.expect("NOT (\(format))", empty, is: true)
      Subject.expect("NOT (\(format))", [:], is: false)
    }
    Subject.expect("ALL {} IN tags", empty, is: true)
    Subject.expect("ALL {} IN tags", [:], is: false)
    Subject.expect("NONE tags = 'a'", empty, is: true)
    Subject.expect("NONE tags = 'a'", [:], is: false)
  }

  @Test func missingFields() {
    for format in ["age = 1", "age != 1", "age < 1", "age IN {1}", "age IN {}", "age BETWEEN {0, 1}"] {
      Subject.expect(format, [:], is: false)
    }
    for format in ["NOT (age = 1)", "NOT (age != 1)", "NOT (age IN {1})", "NOT age > 1"] {
      Subject.expect(format, [:], is: false)
    }
    let likeNil = PredicateOptions(missingFields: .likeNSPredicate)
    for (format, holds) in [
      ("age = 1", false), ("age != 1", true), ("NOT (age = 1)", true), ("NOT (age != 1)", false), ("age < 1", false),
      ("NOT age < 1", true), ("age IN {1}", false), ("NOT (age IN {1})", true), ("tags CONTAINS 'a'", false),
      ("NOT (tags CONTAINS 'a')", true), ("NONE tags = 'a'", true), ("ALL {} IN tags", false),
      ("name BEGINSWITH 'a'", false), ("NOT (name BEGINSWITH 'a')", true), ("name BEGINSWITH ''", false),
    ] {
      Subject.expect(format, [:], is: holds, likeNil)
    }
  }

  @Test func conjunctionsAndConstants() {
    let fields: [String: FieldValue] = ["name": "a", "age": 3]
    for (format, holds) in [
      ("TRUEPREDICATE", true), ("FALSEPREDICATE", false), ("name = 'a' AND age = 3", true),
      ("name = 'a' && age = 4", false), ("(name = 'a') AND (age > 1 AND age < 9)", true),
      ("TRUEPREDICATE AND age = 3", true), ("FALSEPREDICATE AND age = 3", false),
      ("NOT name = 'b' AND age = 3", true), ("name='a'AND age=3", true),
    ] {
      Subject.expect(format, fields, is: holds)
    }
  }

  @Test func caseInsensitiveEquality() {
    let options = PredicateOptions(stringEquality: .caseInsensitive)
    let fields: [String: FieldValue] = ["name": "Straße", "tags": .stringList(["Sea"])]
    for (format, holds) in [
      ("name = 'STRASSE'", true), ("name != 'strasse'", false), ("name IN {'x', 'STRASSE'}", true),
      ("tags CONTAINS 'SEA'", true), ("ANY tags IN {'sEa', 'x'}", true), ("name BEGINSWITH 's'", false),
      ("name > 'a'", false), ("name BETWEEN {'a', 'z'}", false), ("ANY tags BEGINSWITH 's'", false),
    ] {
      Subject.expect(format, fields, is: holds, options)
    }
  }

  @Test func distances() {
    let lyon: [String: FieldValue] = ["Location": .location(Location(latitude: 45.764, longitude: 4.8357))]
    let paris = Location(latitude: 48.8566, longitude: 2.3522)
    // The geodesic from Paris to Lyon is 392.2 km.
    for (format, holds) in [
      ("distanceToLocation:fromLocation:(Location, %@) < 393000", true),
      ("distanceToLocation:fromLocation:(Location, %@) < 391000", false),
      ("distanceToLocation:fromLocation:(Location, %@) <= 393000.5", true),
      ("distanceToLocation:fromLocation:(%@, Location) < 393000", true),
      ("393000 > distanceToLocation:fromLocation:(Location, %@)", true),
      ("391000 >= distanceToLocation:fromLocation:(Location, %@)", false),
      ("distanceToLocation:fromLocation:(Location, %@) < -1", false),
      ("distanceToLocation:fromLocation(Location, %@) < 393000", true),
    ] {
      Subject.expect(format, [paris], lyon, is: holds)
    }
    Subject.expect(
      "distanceToLocation:fromLocation:(Location, CAST(\"48.8566,2.3522\", \"CLLocation\")) < 393000", lyon, is: true)
    Subject.expect("distanceToLocation:fromLocation:(Location, %@) < 1e9", [paris], [:], is: false)
    let fiji: [String: FieldValue] = ["Location": .location(Location(latitude: -16.8, longitude: 179.99))]
    Subject.expect(
      "distanceToLocation:fromLocation:(Location, %@) < 3000", [Location(latitude: -16.8, longitude: -179.99)], fiji,
      is: true)
  }

  @Test func tokenSearches() {
    let fields: [String: FieldValue] = [
      "title": "After the Session", "body": "Maps of the Sea, and Café tables", "keywords": .stringList(["night sky"]),
      "name": "hidden",
    ]
    for (format, holds) in [
      ("ALL tokenize(\"after session\", 'Cdl') IN allTokens", true),
      ("ALL tokenize('AFTER Sea', 'cdl') IN allTokens", true),
      ("ALL tokenize('after moon', 'cdl') IN allTokens", false),
      ("ANY tokenize('after moon', 'CDL') IN allTokens", true), ("ANY tokenize('moon', 'cdl') IN allTokens", false),
      ("allTokens TOKENMATCHES[cdl] 'sea cafe'", true), ("allTokens TOKENMATCHES[cdl] 'sea moon'", false),
      ("self CONTAINS 'moon sea'", true), ("SELF contains 'moon'", false), ("self CONTAINS 'sess'", false),
      ("allTokens TOKENMATCHES[CDL] 'night sky'", true), ("self CONTAINS 'hidden'", false),
      ("self CONTAINS 'the of'", false), ("ALL tokenize('', 'cdl') IN allTokens", false),
      ("ALL tokenize('the sea', 'cdl') IN allTokens", true),
    ] {
      Subject.expect(format, fields, is: holds)
    }
    Subject.expect("self CONTAINS 'hidden'", ["name": "hidden"], is: false)
  }

  @Test func sourceForms() {
    let paris = Location(latitude: 48.8566, longitude: 2.3522)
    let fields: [String: FieldValue] = [
      "name": "x", "start": .timestamp(date), "Location": .location(paris), "title": "after session",
    ]
    let before = Timestamp(milliseconds: date.milliseconds - 1).date
    Subject.expect("name = 'x'", fields, is: true)
    Subject.expect("%K = %@", ["name", "x"], fields, is: true)
    Subject.expect("start > %@", [before], fields, is: true)
    Subject.expect("distanceToLocation:fromLocation:(Location, %@) < 100", [paris], fields, is: true)
    Subject.expect("distanceToLocation:fromLocation(Location, %@) < 100", [paris], fields, is: true)
    Subject.expect("ALL tokenize(\"after session\", 'Cdl') IN allTokens", fields, is: true)
    Subject.expect("ALL tokenize(%@, 'Cdl') IN allTokens", ["after session"], fields, is: true)
    Subject.expect("start > %@ AND name = %@", [before, "x"], fields, is: true)
  }

  @Test func systemFields() throws {
    var configuration = Database.Configuration()
    configuration.clock = { Subject.now }
    configuration.userRecordName = "_me"
    let database = try Database(schema: Schema([Subject.type]), configuration: configuration)
    var child = Subject.record(["age": 1])
    try database.save(Record(recordType: "Thing", recordName: "root"))
    child.parent = Reference(RecordID(recordName: "root"))
    try database.save(child)
    let later = Timestamp(milliseconds: Subject.now.milliseconds + 1).date
    for (format, arguments, count) in [
      ("creationDate = %@", [Subject.now.date], 2), ("___createTime < %@", [later], 2),
      ("modificationDate >= %@", [later], 0), ("___modTime = %@", [Subject.now.date], 2),
      ("creatorUserRecordID = %@", [RecordID(recordName: "_me")], 2),
      ("___modifiedBy = %@", [RecordID(recordName: "_other")], 0),
      ("parent = %@", [RecordID(recordName: "root")], 1), ("share = %@", [RecordID(recordName: "root")], 0),
    ] as [(String, [(any PredicateArgument)?], Int)] {
      let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: format, arguments: arguments))
      #expect(try database.count(matching: query) == count, "\(format)")
    }
  }
}
