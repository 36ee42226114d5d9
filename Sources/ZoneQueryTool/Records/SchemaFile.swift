internal import ZoneQuery

/// Reads files of CloudKit's schema language.
enum SchemaFile {
  static func read(_ path: String) throws(Stop) -> Schema {
    let file = try InputFile(path)
    let text = try file.text(limit: SchemaTextOptions().textLength)
    do throws(ZoneQueryError) {
      return try Schema(ckdb: text)
    } catch {
      throw .failed(EngineMessage.text(error, at: file.name))
    }
  }
}
