/// Reads schema text by recursive descent: a function a production of `Grammar/Schema.ebnf`.
///
/// A fault is reported and reading goes on where the text makes sense again: behind the word at fault, or at the next
/// `,`, `)` or `;`. Every token is passed once, so time is linear.
struct SchemaReader {
  let source: SourceText
  let options: SchemaTextOptions
  private let tokens: [SchemaToken]
  private var position = 0
  private let faults: FaultList
  private var schema = Schema()
  /// Whether the text neither begins as a schema does nor defines anything: what else is wrong with it says nothing.
  private var definesNothing = false
  private var typeCount = 0
  private var roleNames: Set<ByteKey> = []
  private var typeNames: [ByteKey: SourceRange] = [:]

  /// The code of the fault of a text that does not begin as a schema does.
  private static let noSchema = "expectedDefineSchema"

  /// The roles that exist without being created.
  static let standingRoles = ["_creator", "_world", "_icloud"]

  /// Reads a schema, or throws everything that is wrong with its text.
  static func read(_ source: SourceText, options: SchemaTextOptions) throws(ZoneQueryError) -> Schema {
    var reader = SchemaReader(source, options: options)
    reader.schemaText()
    var diagnostics = reader.faults.inOrder
    if reader.definesNothing, let first = diagnostics.first(where: { sameBytes($0.code, noSchema) }) {
      diagnostics = [first]
    }
    guard diagnostics.isEmpty else {
      throw ZoneQueryError(.schema, .invalidSchema, diagnostics: diagnostics, source: source)
    }
    return reader.schema
  }

  private init(_ source: SourceText, options: SchemaTextOptions) {
    self.source = source
    self.options = options
    var lexer = SchemaLexer(source.bytes)
    lexer.run()
    tokens = lexer.tokens
    faults = FaultList(lexer.diagnostics)
  }

  // MARK: Tokens

  /// The next token. The last one, the end of the text, is never passed.
  var token: SchemaToken { tokens[position] }

  /// The token behind the next.
  var following: SchemaToken { tokens[min(position + 1, tokens.count - 1)] }

  /// Where something is missing: just behind what was read last.
  var gap: SourceRange {
    guard position > 0 else { return token.range }
    let end = tokens[position - 1].range.upperBound
    return SourceRange(end, end)
  }

  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  func isAt(_ mark: Unicode.Scalar) -> Bool { token.kind == .mark(UInt8(ascii: mark)) }

  func isAt(_ word: SchemaWord) -> Bool { token.kind == .word(word) }

  /// Passes over a mark, if it is the next token.
  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard isAt(mark) else { return false }
    advance()
    return true
  }

  /// Passes over a word, if it is the next token.
  mutating func take(_ word: SchemaWord) -> Bool {
    guard isAt(word) else { return false }
    advance()
    return true
  }

  /// The word of the language the next token spells, if it does.
  var word: SchemaWord? {
    if case .word(let word?) = token.kind { return word }
    return nil
  }

  /// Passes over what cannot be read, up to the next `,`, `)` or `;` or what begins a definition.
  mutating func skipItem() {
    while token.kind != .end, !isAt(","), !isAt(")"), !isAt(";"), !beginsDefinition { advance() }
  }

  /// Passes over what cannot be read, up to the next `;` or what begins a definition.
  private mutating func skipDefinition() {
    while token.kind != .end, !isAt(";"), !beginsDefinition { advance() }
  }

  /// Whether a definition begins here.
  var beginsDefinition: Bool {
    (isAt(.record) && following.kind == .word(.type)) || (isAt(.create) && following.kind == .word(.role))
  }

  // MARK: Faults

  /// Reports a fault. Message and hint are made only while there is room for more.
  func report(
    _ code: String, _ range: SourceRange, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
  ) {
    // Where a comment has swallowed the rest of the text, what is missing at its end is no fault of its own.
    guard !faults.isFull, !(token.kind == .end && faults.hasLostEnd) else { return }
    faults.append(Diagnostic(stage: .parser, code: code, message: message(), range: range, hint: hint()))
  }

  /// A piece of the text, short and printable.
  func excerpt(_ range: SourceRange) -> String { SyntaxError.excerpt(source.bytes, range) }

  /// The next token as a message calls it.
  var found: String { token.kind == .end ? "the text ends" : "found \(excerpt(token.range))" }

  func bytes(of token: SchemaToken) -> ArraySlice<UInt8> {
    source.bytes[token.range.lowerBound..<token.range.upperBound]
  }

  /// Which line a place is on, for hints that point elsewhere.
  func line(of range: SourceRange) -> Int { source.position(at: range.lowerBound).line }

  // MARK: Productions

  private mutating func schemaText() {
    if !(take(.define) && take(.schema)) {
      report(
        SchemaReader.noSchema, token.range, "Expected DEFINE SCHEMA, \(found).",
        hint: "A schema begins with DEFINE SCHEMA.")
      definesNothing = true
      skipDefinition()
    }
    while token.kind != .end {
      if beginsDefinition { definesNothing = false }
      if isAt(.create) {
        createRole()
      } else if isAt(.record) {
        recordType()
      } else if isAt(";") {
        report("strayMark", token.range, "There is nothing before this semicolon.", hint: "Remove it.")
        advance()
        continue
      } else {
        report(
          "expectedDefinition", token.range, "Expected RECORD TYPE or CREATE ROLE, \(found).",
          hint: nearestHint(["RECORD", "CREATE"]))
        // The token itself is passed even where it could begin a definition, so that reading always goes on.
        advance()
        skipDefinition()
        _ = take(";")
        continue
      }
      endDefinition()
    }
  }

  /// Reads the semicolon behind a definition.
  private mutating func endDefinition() {
    if take(";") { return }
    report("missingSemicolon", gap, "Expected ; behind the definition, \(found).", hint: "Write ; here.")
    skipDefinition()
    _ = take(";")
  }

  private mutating func createRole() {
    advance()
    guard take(.role) else {
      report("expectedRole", token.range, "Expected ROLE behind CREATE, \(found).", hint: nearestHint(["ROLE"]))
      skipDefinition()
      return
    }
    let range = token.range
    guard let name = name("a role's name") else {
      skipDefinition()
      return
    }
    if Self.standingRoles.contains(where: { sameBytes($0, name) }) {
      report("duplicateRole", range, "The role \(excerpt(range)) exists always.", hint: "Leave the definition out.")
    } else if name.utf8.first == UInt8(ascii: "_") {
      report("invalidRole", range, "The name of a role does not begin with an underscore.")
    } else if !roleNames.insert(ByteKey(name)).inserted {
      report("duplicateRole", range, "The role \(excerpt(range)) is created twice.")
    } else if schema.roles.count >= options.roles {
      report("tooManyRoles", range, "A schema creates at most \(options.roles) roles.")
    } else {
      schema.roles.append(name)
    }
  }

  private mutating func recordType() {
    advance()
    guard take(.type) else {
      report("expectedType", token.range, "Expected TYPE behind RECORD, \(found).", hint: nearestHint(["TYPE"]))
      skipDefinition()
      return
    }
    let range = token.range
    let name = name("a record type's name")
    if let name {
      if let first = typeNames[ByteKey(name)] {
        report(
          "duplicateType", range, "The record type \(excerpt(range)) is defined twice.",
          hint: "The first definition is on line \(line(of: first)).")
      } else {
        typeNames[ByteKey(name)] = range
      }
    }
    guard take("(") else {
      report("expectedItems", gap, "Expected ( and the fields of the type, \(found).", hint: "Write ( here.")
      skipDefinition()
      return
    }
    var draft = SchemaTypeDraft(name ?? "")
    items(&draft)
    typeCount += 1
    if typeCount - 1 == max(options.recordTypes, 0) {
      report("tooManyTypes", range, "A schema has at most \(options.recordTypes) record types.")
    }
    if typeCount <= options.recordTypes, name != nil { schema[draft.type.name] = draft.type }
  }

  /// Reads the items of a type and the `)` behind them.
  private mutating func items(_ draft: inout SchemaTypeDraft) {
    if take(")") { return }
    while true {
      if isAt(";") || token.kind == .end || beginsDefinition {
        report("missingParenthesis", gap, "Expected ) behind the items of the type, \(found).", hint: "Write ) here.")
        return
      }
      item(&draft)
      if isAt(",") {
        let comma = token.range
        advance()
        if isAt(")") { report("trailingComma", comma, "No item follows this comma.", hint: "Remove it.") }
      } else if beginsItem {
        report("missingComma", gap, "Expected , or ), \(found).", hint: "Write , between two items.")
        continue
      } else if !isAt(")"), !isAt(";"), token.kind != .end, !beginsDefinition {
        report("unexpectedToken", token.range, "Expected an index, , or ), \(found).")
        skipItem()
        if take(",") { continue }
      }
      if take(")") { return }
    }
  }

  /// Whether the next token can be a field's name with its type behind it, or begins a grant.
  var beginsItem: Bool {
    if isAt(.grant) { return true }
    switch (token.kind, following.kind) {
    case (.quoted, .word): return true
    case (.word(let word), .word(let next?)): return word?.index == nil && next.beginsType
    default: return false
    }
  }

  // MARK: Names

  /// Whether bytes are a name that needs no quotation marks: a letter, then letters, digits and `_`, all of ASCII, and
  /// no word of the language in capitals.
  static func isPlainName(_ bytes: ArraySlice<UInt8>) -> Bool {
    isIdentifier(bytes.span) && !isReserved(bytes)
  }

  /// Whether bytes are a letter, then letters, digits and `_`, all of ASCII.
  static func isIdentifier(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices {
      let byte = bytes[index]
      let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
      if !isLetter, index == 0 || !(byte >= 0x30 && byte <= 0x39 || byte == 0x5F) { return false }
    }
    return !bytes.isEmpty
  }

  private static func isReserved(_ bytes: ArraySlice<UInt8>) -> Bool {
    SchemaWord(bytes).map { bytes.elementsEqual($0.rawValue.utf8) } ?? false
  }

  /// Whether the next token is a word of the language in capitals.
  var isAtReservedWord: Bool { word != nil && Self.isReserved(bytes(of: token)) }

  /// Reads a name, plain or quoted. A faulty one is reported and read all the same; `nil` where there is none.
  mutating func name(_ what: String) -> String? {
    let range = token.range
    let bytes = bytes(of: token)
    switch token.kind {
    case .mark, .end:
      report("expectedName", range, "Expected \(what), \(found).")
      return nil
    case .quoted:
      advance()
      let inner = Self.unquoted(bytes)
      if inner.isEmpty { report("emptyName", range, "A name is not empty.") }
      if inner.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        report("controlCharacter", range, "A name has no control characters.")
      }
      return checked(inner, range)
    case .word:
      if !Self.isIdentifier(bytes.span) {
        // The lexer has spoken of other quotation marks already.
        let first = bytes.first
        if first != UInt8(ascii: "'"), first != UInt8(ascii: "`"), first != UInt8(ascii: "\"") {
          report(
            first == UInt8(ascii: "_") ? "leadingUnderscore" : "invalidName", range,
            first == UInt8(ascii: "_")
              ? "A name that begins with an underscore must be quoted."
              : "A name of other characters than letters, digits and _ must be quoted.",
            hint: "Write \"\(excerpt(range))\".")
        }
      } else if Self.isReserved(bytes) {
        report(
          "reservedWord", range, "\(excerpt(range)) is a word of the language; as \(what) it must be quoted.",
          hint: "Write \"\(excerpt(range))\".")
      }
      advance()
      return checked(Array(bytes), range)
    }
  }

  private mutating func checked(_ bytes: [UInt8], _ range: SourceRange) -> String {
    if bytes.count > options.identifierLength {
      report("nameTooLong", range, "A name has at most \(options.identifierLength) bytes; this one has \(bytes.count).")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What stands between the marks, `""` as one mark.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isSecond = false
    for byte in bytes.dropFirst().dropLast() {
      if byte == UInt8(ascii: "\""), !isSecond {
        isSecond = true
      } else {
        isSecond = false
        result.append(byte)
      }
    }
    // Pairs are folded by keeping the second of each, so no mark is lost: the lexer lets pairs alone inside.
    return result
  }

  /// The hint that names the nearest of some spellings to the next token.
  func nearestHint(_ candidates: [String]) -> String? {
    guard case .word = token.kind else { return nil }
    return SchemaWord.nearest(to: bytes(of: token), among: candidates).map { "Write \($0)." }
  }
}

extension SchemaReader {
  /// The faults found so far. An object, so that what reports one need not change the reader.
  private final class FaultList {
    private var diagnostics: [Diagnostic]

    /// Whether a comment does not end.
    let hasLostEnd: Bool

    init(_ diagnostics: [Diagnostic]) {
      self.diagnostics = diagnostics
      hasLostEnd = diagnostics.last?.code == SchemaLexer.unterminatedComment
    }

    /// Twice the number shown: faults of the lexer are found first, yet may stand behind those of the reader.
    var isFull: Bool { diagnostics.count >= 2 * Diagnostic.most }

    func append(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// As many as are shown, in the order of the text.
    var inOrder: [Diagnostic] {
      let sorted = diagnostics.enumerated().sorted { left, right in
        let places = (left.element.range?.lowerBound ?? 0, right.element.range?.lowerBound ?? 0)
        return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
      }
      return Array(sorted.map(\.element).prefix(Diagnostic.most))
    }
  }
}

/// A record type as it is being read.
struct SchemaTypeDraft {
  var type: RecordType
  /// Where each name, system fields among them, was defined.
  var places: [ByteKey: SourceRange] = [:]
  var fieldCount = 0

  init(_ name: String) { type = RecordType(name) }
}
