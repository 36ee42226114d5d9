internal import ZoneQuery

/// A rule that a case breaks: the seed it came from, the case made small, and what is wrong with it.
public struct FuzzReport: Sendable, CustomStringConvertible {
  /// The name of the oracle.
  public let oracle: String
  /// What was found, and what should have been, for the small case.
  public let message: String
  /// The small case.
  public let testCase: FuzzCase
  /// The seed of the run that found it.
  public let seed: UInt64
  /// The predicate before it was made small.
  public let original: String

  /// The seed, the small case and a test in Swift that holds it.
  public var description: String {
    """
    oracle \(oracle): \(message)
    seed: \(seed)
    dialect: \(testCase.options.dialect.rawValue), missing fields: \(testCase.options.missingFields.rawValue), \
    string equality: \(testCase.options.stringEquality.rawValue)
    predicate: \(QueryPredicate(testCase.predicate))
    found as: \(original)

    \(swiftTest)
    """
  }

  /// A test for Swift Testing that fails as long as the rule is broken. Where the oracle is not one of ``Oracles/all`` it is
  /// called `yourOracle` there, for you to say which that is.
  public var swiftTest: String {
    let options = testCase.options
    var lines = [
      "@Test func shrunkCase\(testCase.seed)() throws {",
      "  let schema = try Schema(ckdb: \(Self.quoted(Schema([testCase.recordType]).ckdb)))",
      "  var records: [Record] = []",
    ]
    for record in testCase.records { lines += Self.lines(record) }
    lines += [
      "  let predicate = try QueryPredicate(format: \(Self.quoted(QueryPredicate(testCase.predicate).description)))",
      "  let testCase = FuzzCase(",
      "    recordType: schema.recordTypes[0], records: records, predicate: predicate.root,",
      "    options: PredicateOptions(",
      "      dialect: .\(options.dialect), missingFields: .\(options.missingFields), "
        + "stringEquality: .\(options.stringEquality)),",
      "    now: Timestamp(milliseconds: \(testCase.now.milliseconds)), seed: \(testCase.seed))",
      Oracles.named(oracle) == nil
        ? "  let oracle = yourOracle  // the one named \(Self.quoted(oracle))"
        : "  let oracle = try #require(Oracles.named(\(Self.quoted(oracle))))",
      "  #expect(try oracle.check(OracleSubject(testCase)) >= 0)",
      "}",
    ]
    return lines.joined(separator: "\n")
  }

  /// A record is written as JSON, which carries its system fields too, but no infinity.
  private static func lines(_ record: Record) -> [String] {
    var finite = record
    var lines: [String] = []
    for (name, value) in record.fields {
      switch value {
      case .double(let number) where number.isInfinite:
        lines.append("  records[records.count - 1][\(quoted(name))] = .double(\(number < 0 ? "-" : "").infinity)")
      case .doubleList(let numbers) where numbers.contains(where: \.isInfinite):
        let texts = numbers.map { $0.isInfinite ? ($0 < 0 ? "-" : "") + ".infinity" : "\($0)" }
        lines.append("  records[records.count - 1][\(quoted(name))] = .doubleList([\(texts.joined(separator: ", "))])")
      default: continue
      }
      finite[name] = nil
    }
    let json = (try? finite.webServicesJSON) ?? "{}"
    return ["  records.append(try Record(webServicesJSON: \(quoted(json)), schema: schema))"] + lines
  }

  /// A text as a literal of Swift, on one line, nothing but ASCII in it.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      default:
        if scalar.value >= 0x20, scalar.value < 0x7F {
          result.unicodeScalars.append(scalar)
        } else {
          result += "\\u{\(String(scalar.value, radix: 16))}"
        }
      }
    }
    return result + "\""
  }
}

extension FuzzReport {
  /// How long a case is made smaller; all but those of many records are as small as can be long before.
  private static let longestShrinking = Duration.seconds(10)

  /// Makes a case smaller that breaks a rule.
  init(_ testCase: FuzzCase, breaking oracle: any Oracle, seed: UInt64, by shrinker: Shrinker = Shrinker()) {
    func failure(_ candidate: FuzzCase) -> OracleFailure? {
      do throws(OracleFailure) {
        _ = try oracle.check(OracleSubject(candidate))
        return nil
      } catch {
        return error
      }
    }
    // A candidate that the engine rightly refuses, or that cannot be set up, is no failure of the same kind.
    let isRefusal = failure(testCase)?.description.contains("was refused") ?? false
    let start = ContinuousClock.now
    let small = shrinker.shrink(testCase) { candidate in
      // Cases of many records take long to judge.
      guard ContinuousClock.now - start < Self.longestShrinking else { return false }
      guard let failure = failure(candidate), !failure.isSetup else { return false }
      return failure.description.contains("was refused") == isRefusal
    }
    self.init(
      oracle: oracle.name, message: failure(small)?.description ?? "the failure does not repeat", testCase: small,
      seed: seed, original: QueryPredicate(testCase.predicate).description)
  }
}
