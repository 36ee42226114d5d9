/// The text of a predicate with Swift values in it, as ``QueryPredicate/init(_:)-(PredicateText)`` takes it.
///
/// Each value in `\(…)` is bound as an argument, as `%@` binds one in a format string: it becomes a constant whatever
/// characters it has, never a part of the text. `\(key: name)` puts in a field's name, as `%K` does. A ``Field`` and a
/// ``QueryPredicate`` may be put in too; they stand in the text in parentheses. There is no way to put raw text in.
///
/// ```swift
/// let city = "Seoul' OR TRUEPREDICATE OR '"
/// let predicate = try QueryPredicate("city == \(city) AND start > \(date)")
/// predicate.description    // city == "Seoul' OR TRUEPREDICATE OR '" AND start > CAST(…, "NSDate")
/// ```
public struct PredicateText: ExpressibleByStringInterpolation, Sendable {
  let format: String
  let values: [ArgumentValue]
  let faults: [Diagnostic]

  /// Creates the text of a literal without values.
  public init(stringLiteral value: String) {
    var interpolation = StringInterpolation(literalCapacity: value.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(value)
    self.init(stringInterpolation: interpolation)
  }

  /// Creates the text of a literal with values.
  public init(stringInterpolation: StringInterpolation) {
    format = stringInterpolation.format
    values = stringInterpolation.values
    faults = stringInterpolation.faults
  }

  /// Takes the pieces of a literal.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    fileprivate var format = ""
    fileprivate var values: [ArgumentValue] = []
    fileprivate var faults: [Diagnostic] = []
    /// The quote that the text so far has left open.
    private var quote: UInt8?
    private var isEscaped = false

    /// Creates an empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {
      format.reserveCapacity(literalCapacity + interpolationCount * 2)
      values.reserveCapacity(interpolationCount)
    }

    /// Adds a piece of the literal, which may leave a quote open or close one.
    public mutating func appendLiteral(_ literal: String) {
      let start = format.utf8.count
      for (offset, byte) in literal.utf8.enumerated() {
        if isEscaped {
          isEscaped = false
        } else if let open = quote {
          if byte == UInt8(ascii: "\\") { isEscaped = true } else if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
          quote = byte
        } else if byte == UInt8(ascii: "%") {
          let place = SourceRange(start + offset, start + offset + 1)
          report(
            "conversionInText", "There are no % conversions here: values are put in by interpolation.", place,
            hint: #"Write \(value) for %@, \(key: name) for %K, modulus:by:(a, b) for a remainder."#)
        }
      }
      format += literal
    }

    /// Adds a value as a constant.
    public mutating func appendInterpolation(_ value: some PredicateArgument) {
      values.append(value.predicateArgument)
      put("%@")
    }

    /// Adds a value as a constant, `nil` where there is none.
    public mutating func appendInterpolation<Value: PredicateArgument>(_ value: Value?) {
      values.append(value?.predicateArgument ?? .literal(.null))
      put("%@")
    }

    /// Adds the name of a field, or several joined by points.
    public mutating func appendInterpolation(key name: String) {
      values.append(.literal(.string(name)))
      put("%K")
    }

    /// Adds a predicate, in parentheses.
    public mutating func appendInterpolation(_ predicate: QueryPredicate) {
      faults = Diagnostic.merged(faults, predicate.faults)
      put("(\(predicate.description))")
    }

    /// Adds a field or what is computed from fields, in parentheses unless it is a key or a parameter.
    public mutating func appendInterpolation(_ field: Field) {
      faults = Diagnostic.merged(faults, field.faults)
      switch field.node {
      // As a key from outside, so that letters beside it are not taken for a part of it.
      case .key(let key): appendInterpolation(key: key.components.joined(separator: "."))
      case .variable: put(field.description)
      default: put("(\(field.description))")
      }
    }

    private mutating func put(_ text: String) {
      let start = format.utf8.count
      format += text
      if quote != nil {
        isEscaped = false
        report(
          "interpolationInQuotes", "A value is put in between quotes, where everything is text.",
          SourceRange(start, start + text.utf8.count),
          hint: #"Leave the quotes out: name == \(value). Join the parts of a text in Swift before."#)
      }
    }

    private mutating func report(_ code: String, _ message: String, _ range: SourceRange, hint: String) {
      guard faults.count < Diagnostic.most else { return }
      faults.append(Diagnostic(stage: .arguments, code: code, message: message, range: range, hint: hint))
    }
  }
}

extension QueryPredicate {
  /// Reads a predicate from a literal with Swift values in it.
  ///
  /// ```swift
  /// try QueryPredicate("city == \(city) AND start > \(date)")
  /// try QueryPredicate("\(key: name) IN \(["a", "b"]) AND \(Field("age") > 3)")
  /// ```
  ///
  /// - Throws: A ``ZoneQueryError`` of stage `syntax` with line and column of the first twenty faults. The text it
  ///   shows has `%@` in place of each value and `%K` in place of each name, as the equal format string would have; predicates and
  ///   fields stand in it as they print.
  ///
  /// Complexity: linear in the text and the values.
  public init(_ text: PredicateText) throws(ZoneQueryError) {
    guard text.faults.isEmpty else {
      throw ZoneQueryError(.syntax, .syntax, diagnostics: text.faults, source: SourceText(text.format))
    }
    do throws(SyntaxError) {
      self.init(try PredicateParser().parse(text.format, values: text.values))
    } catch {
      throw ZoneQueryError(error)
    }
  }
}
