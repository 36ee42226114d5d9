internal import ZoneQuery

/// Reads files of CloudKit's schema language.
enum SchemaFile {
  static func read(_ path: String) throws(Stop) -> Schema {
    let file = try InputFile(path)
    let text = try file.text(limit: SchemaTextOptions().textLength)
    do throws(ZoneQueryError) {
      let schema = try Schema(ckdb: text)
      // What no database takes, such as a field with a system field's name, is told of wherever the schema is read.
      _ = try Database(schema: schema)
      return schema
    } catch {
      throw .failed(EngineMessage.text(error, at: file.name))
    }
  }
}
