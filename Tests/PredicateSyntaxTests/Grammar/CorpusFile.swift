@testable import PredicateSyntax

/// A file of `Grammar/Corpus`, in the form its README tells.
struct CorpusFile: Sendable {
  struct Case: Sendable {
    /// The lines before the expectation as they stand in the file: comments, text, arguments.
    var head: [String] = []
    var input = ""
    var arguments: [ArgumentValue] = []
    /// The lines of the expectation.
    var expected: [String] = []
  }

  /// The path within the repository.
  let name: String
  let isValid: Bool
  /// The comment at the file's top.
  private(set) var title: [String] = []
  private(set) var cases: [Case] = []
  /// The lines that could not be read.
  private(set) var mistakes: [String] = []

  static let all: [CorpusFile] = ["valid", "invalid"].flatMap { folder in
    RepositoryFiles.names(in: "Grammar/Corpus/" + folder, ending: ".txt").compactMap { name in
      let path = "Grammar/Corpus/\(folder)/\(name)"
      return RepositoryFiles.text(path).map { CorpusFile(path, $0) }
    }
  }

  init(_ name: String, _ text: String) {
    self.name = name
    isValid = name.contains("/valid/")
    var item: Case?
    var hasText = false
    for line in Self.lines(text) {
      if line.isEmpty {
        if let done = item, hasText { cases.append(done) } else { title += item?.head ?? [] }
        item = nil
        hasText = false
        continue
      }
      var current = item ?? Case()
      let content = String(line.dropFirst(2))
      switch line.first {
      case "#": current.head.append(line)
      case "?":
        let text = line.hasPrefix("?j ") ? (try? CorpusArgument.string(String(line.dropFirst(3)))) : content
        if text == nil { mistakes.append(line) }
        current.input += (hasText ? "\n" : "") + (text ?? "")
        current.head.append(line)
        hasText = true
      case "@":
        if let value = try? CorpusArgument.read(content) {
          current.arguments.append(value)
        } else {
          mistakes.append(line)
        }
        current.head.append(line)
      case ">", "|", "!", "~": current.expected.append(line)
      default: mistakes.append(line)
      }
      item = current
    }
    if let item, hasText { cases.append(item) }
  }

  /// The lines of a text, cut at line feeds alone: a carriage return is part of its line.
  static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: Array($0), as: UTF8.self)
    }
  }

  /// What the parser makes of a case, in the form of the file.
  static func outcome(_ item: Case) -> (lines: [String], isValid: Bool) {
    do throws(SyntaxError) {
      let read = try PredicateParser().parse(item.input, values: item.arguments)
      var lines = ["> " + read.root.predicateFormat]
      lines += Self.lines(read.root.treeDescription).dropLast().map { "| " + $0 }
      lines += read.warnings.flatMap { Self.lines(of: $0, in: read.source) }
      return (lines, true)
    } catch {
      return (error.diagnostics.flatMap { Self.lines(of: $0, in: error.source) }, false)
    }
  }

  private static func lines(of diagnostic: Diagnostic, in source: SourceText) -> [String] {
    var place = "-"
    if let line = diagnostic.line(in: source), let column = diagnostic.column(in: source),
      let length = diagnostic.length(in: source)
    {
      place = "\(line):\(column)+\(length)"
    }
    let first = "! \(diagnostic.stage.rawValue) \(diagnostic.code) \(place) \(diagnostic.message)"
    return [first] + (diagnostic.hint.map { ["~ " + $0] } ?? [])
  }

  /// The file's text with each expectation as the parser has it now.
  var regenerated: String {
    var blocks = title.isEmpty ? [] : [title.joined(separator: "\n")]
    blocks += cases.map { ($0.head + Self.outcome($0).lines).joined(separator: "\n") }
    return blocks.joined(separator: "\n\n") + "\n"
  }
}
