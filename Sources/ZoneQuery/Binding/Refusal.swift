/// A construct that the dialect in force does not take: its code, the rule it breaks, and what to write instead.
struct Refusal {
  let code: String
  let message: String
  let hint: String?
  /// What the extended dialect makes of it, told only where that dialect takes the whole comparison.
  let beyond: String?

  private init(_ code: String, _ message: String, _ hint: String? = nil, beyond: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.beyond = beyond
  }

  // Refused by CloudKit's dialect alone.

  static let or = Refusal(
    "orNotSupported",
    "CloudKit's dialect has no OR: a predicate is one comparison, or several joined by AND.",
    "Run one query for each alternative and merge the records by ID.",
    beyond: "The extended dialect takes OR.")
  static let negatedOr = Refusal(
    or.code, or.message, "That none of several holds is `NOT a AND NOT b`.", beyond: or.beyond)
  static let doubleNegation = Refusal(
    "doubleNegation", "CloudKit's dialect takes NOT before one comparison only, not before another NOT.",
    "Leave both out; NONE is NOT ANY, so that `NOT NONE tags = 'a'` is `ANY tags = 'a'`.")
  static let negatedConstant = Refusal(
    "negatedConstant",
    "CloudKit's dialect takes NOT before one comparison only, not before TRUEPREDICATE or FALSEPREDICATE.",
    "Write the other constant.")
  static let negatedConjunction = Refusal(
    "negatedConjunction", "CloudKit's dialect takes NOT before one comparison only, not before AND.",
    "Negate the comparisons one by one; NOT (a AND b) is NOT a OR NOT b, which takes two queries.")
  static let negatedBetween = Refusal(
    "negatedBetween", "CloudKit's dialect does not take NOT before BETWEEN.",
    "Run one query with `x < lower` and one with `x > upper`.")
  static let negatedTokens = Refusal(
    "negatedTokenSearch", "CloudKit's dialect does not take NOT before a token search.",
    nil,
    beyond: "The extended dialect does.")
  static let negatedDistance = Refusal(
    "negatedDistance", "CloudKit's dialect does not take NOT before a distance comparison.",
    nil,
    beyond: "The extended dialect does.")
  static let distanceOutside = Refusal(
    "distanceOutside",
    "CloudKit's dialect takes a distance within a radius only, `<` or `<=`.",
    nil,
    beyond: "The extended dialect takes `>`, `>=` and `=`.")
  static let nilOperand = Refusal(
    "nilOperand", "CloudKit's dialect has no nil: nothing can be asked about missing values.",
    nil,
    beyond: "The extended dialect takes `x == nil` and `x != nil`.")
  static let nilInList = Refusal(
    "nilOperand", "CloudKit's dialect has no nil, not inside a list either.",
    "Without it the list asks for its other values alone.",
    beyond: "The extended dialect takes it.")
  static let nilBound = Refusal(
    "nilOperand", "CloudKit's dialect has no nil, and BETWEEN no range that is open at one end.",
    "Write `field >= lower`, or `field <= upper`.")
  static let fieldToField = Refusal(
    "fieldToField",
    "CloudKit's dialect compares a field with a constant, not with another field.",
    "Put quotes around a text, or pass the value as an argument for %@.",
    beyond: "The extended dialect compares fields.")
  static let twoConstants = Refusal(
    "noField", "CloudKit's dialect compares a field with a constant; neither side here is a field.",
    "A field's name given as an argument needs %K; %@ puts in a value. One that is a word of the language needs # before it."
  )
  static let substringContains = Refusal(
    "substring",
    "CloudKit's CONTAINS tests membership in a list; it finds no part of a text.",
    "Use BEGINSWITH for a prefix, or `allTokens TOKENMATCHES[cdl] \"words\"` for whole words.",
    beyond: "The extended dialect finds substrings.")
  static let substringIn = Refusal(
    "substring", "CloudKit's IN tests membership in a list; it finds no part of a text.",
    "`field IN {a, b}` asks for one of several texts, `value IN listField` for a member of a list.",
    beyond: "The extended dialect finds substrings.")
  static let endsWith = Refusal(
    "operatorNotSupported", "CloudKit's dialect has no ENDSWITH.",
    "Keep the reversed text in a field of its own and use BEGINSWITH.",
    beyond: "The extended dialect takes ENDSWITH.")
  static let like = Refusal(
    "operatorNotSupported", "CloudKit's dialect has no LIKE.",
    "Use BEGINSWITH for a pattern that ends in *.",
    beyond: "The extended dialect takes LIKE.")
  static let options = Refusal(
    "optionsNotSupported",
    "CloudKit's dialect takes option letters after TOKENMATCHES only; comparisons are exact.",
    "Leave the brackets out.",
    beyond: "The extended dialect takes [c], [d] and [cd].")
  static let quantifierOperator = Refusal(
    "quantifierOperator",
    "CloudKit's dialect takes ANY, SOME and NONE with =, IN and BEGINSWITH only.",
    nil,
    beyond: "The extended dialect takes ANY with every comparison.")
  static let allQuantifier = Refusal(
    "allQuantifier",
    "CloudKit's dialect takes ALL in `ALL {…} IN list` and `ALL tokenize(…) IN allTokens` only.",
    nil,
    beyond: "The extended dialect takes ALL with every comparison.")
  static let arithmetic = Refusal(
    "computedValue", "CloudKit's dialect compares stored fields with constants; it computes nothing.",
    "Compute the constant before and pass it as an argument.",
    beyond: "The extended dialect computes.")
  /// What is written in place of a computed value that fields take part in.
  static let storedValue = "Store the computed value in a field of its own."
  static let dateAsArithmetic = Refusal(
    "computedValue", "This reads as two subtractions, not as a date, and CloudKit's dialect computes nothing.",
    "Pass a date as an argument for %@, or write CAST(seconds since 2001, \"NSDate\").")
  static let function = Refusal(
    "functionNotSupported",
    "CloudKit's dialect has the functions distanceToLocation:fromLocation:, tokenize and now only.",
    storedValue,
    beyond: "The extended dialect takes it.")
  static let locationEquality = Refusal(
    "locationEquality", "CloudKit's dialect compares locations by distance only.",
    "What lies near a place is `distanceToLocation:fromLocation:(field, %@) < metres`.",
    beyond: "The extended dialect takes = and !=.")
  static let locationMembership = Refusal(
    "locationEquality", "CloudKit's dialect compares locations by distance only, and members of a list not at all.",
    "Keep the place to search for in a LOCATION field.",
    beyond: "The extended dialect takes CONTAINS.")

  // Refused by every dialect.

  static let matches = Refusal(
    "operatorNotSupported",
    "MATCHES is not evaluated: a regular expression has no bound on its time for hostile patterns.",
    "Use BEGINSWITH, or LIKE in the extended dialect.")
  static let keyPath = Refusal(
    "keyPath",
    "A key path would follow a reference into another record, which no query does.",
    "Keep the value in a field of this record, or compare the reference itself with a record ID.")
  static let collectionOperator = Refusal(
    "collectionOperator", "Of the collection operators of key paths no dialect takes any but @count.",
    "In the extended dialect functions do it: `sum:(list)`, `average:(list)`, `min:(list)`, `max:(list)`.")
  static let subquery = Refusal(
    "subquery", "SUBQUERY is not evaluated.",
    "Use ANY or ALL over a list field, or a query of its own.")
  static let customFunction = Refusal(
    "customSelector", "FUNCTION calls a method by name, which is not evaluated.",
    "Use one of the language's own functions.")
  static let assignment = Refusal(
    "assignment", "`:=` is not evaluated.", "Write the value where the variable stands.")
  static let random = Refusal(
    "functionNotSupported", "A random value would give every page of a query another answer.",
    "Draw the number before and pass it as an argument.")
  static let normalizedOption = Refusal(
    "optionsNotSupported", "The option n (text is already normalised) is not taken.",
    "Leave it out: text is compared by its code points as it stands.")
  static let localeOption = Refusal(
    "optionsNotSupported", "The option l (compare as the locale would) is taken after TOKENMATCHES only.",
    "Leave it out: comparisons do not depend on a locale.")
  static let tokenUse = Refusal(
    "tokenForm",
    "Words are searched as `ALL tokenize(\"a b\", 'Cdl') IN allTokens`, `ANY tokenize(\"a b\", 'Cdl') IN "
      + "allTokens`, `allTokens TOKENMATCHES[cdl] \"a b\"` or `self CONTAINS \"a b\"`, and in no other form.")
  static let tokenOptions = Refusal(
    "tokenOptions", "A token search needs the option letters c, d and l, and takes no n.",
    "Write 'Cdl' in tokenize, [cdl] after TOKENMATCHES.")
  static let distanceArguments = Refusal(
    "distanceArguments",
    "distanceToLocation:fromLocation: takes one location field and one location constant.",
    "Write `distanceToLocation:fromLocation:(field, %@) < metres` with a location as the argument.")
}
