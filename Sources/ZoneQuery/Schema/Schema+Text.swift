extension Schema {
  /// Reads the text of a schema in CloudKit's schema language, as `cktool export-schema` writes it.
  ///
  /// ```swift
  /// let schema = try Schema(ckdb: """
  ///   DEFINE SCHEMA
  ///     RECORD TYPE Event ( name STRING QUERYABLE, start TIMESTAMP QUERYABLE SORTABLE );
  ///   """)
  /// schema["Event"]?.field("name")?.indexes   // .queryable
  /// ```
  ///
  /// What Apple's page about the language leaves open is decided so: the language's words are read in any letter case,
  /// names are case-sensitive; where a name is expected a word in capitals is reserved and stands in quotation marks,
  /// in which `""` is one mark and control characters are refused; a type may have no items; an index must be one
  /// that can serve the field's type (``SchemaTextOptions/uselessIndexes``). An encrypted field has none.
  ///
  /// - Throws: ``ZoneQueryError`` of the stage `schema` and the code `invalidSchema`, whose diagnostics name every
  ///   fault found, up to twenty, with its place; a text that is too long has a message alone.
  /// - Complexity: linear in the length of the text.
  public init(ckdb text: String, options: SchemaTextOptions = SchemaTextOptions()) throws(ZoneQueryError) {
    guard text.utf8.count <= options.textLength else {
      throw ZoneQueryError(
        .schema, .invalidSchema,
        "The text of a schema has at most \(options.textLength) bytes; this one has \(text.utf8.count).")
    }
    self = try SchemaReader.read(SourceText(text), options: options)
  }

  /// The schema as text in CloudKit's schema language, in one canonical form.
  ///
  /// For every schema that the language can express, reading the text gives the schema again. It cannot express
  /// indexes of `parent` and `share`, control characters in a name, a field whose name begins with three underscores,
  /// an encrypted reference or asset, indexes that can serve no query (of a field of bytes, say), and a grant of no right:
  /// the first and the last two are left out.
  ///
  /// - Complexity: linear in the length of the text.
  public var ckdb: String { SchemaWriter.text(of: self) }
}
