/// The arguments of a format string, turned into the language's own values one by one as conversions take them.
enum ParserArguments {
  case values([ArgumentValue])
  case swift([(any PredicateArgument)?])

  var count: Int {
    switch self {
    case .values(let values): values.count
    case .swift(let values): values.count
    }
  }

  /// The argument at `index`; `nil` where there is none.
  subscript(index: Int) -> ArgumentValue? {
    switch self {
    case .values(let values): index < values.count ? values[index] : nil
    case .swift(let values): index < values.count ? values[index]?.predicateArgument ?? .literal(.null) : nil
    }
  }
}
