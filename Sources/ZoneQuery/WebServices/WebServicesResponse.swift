/// A response of CloudKit Web Services, as it is written.
struct WebServicesResponse {
  /// What an operation ended in.
  enum Item {
    case record(Record)
    /// A record that was saved, whatever JSON can carry of it.
    case saved(Record)
    case deleted(RecordID)
  }

  private var json = JSONWriter()
  private let numbersAsStrings: Bool

  init(numbersAsStrings: Bool) {
    self.numbersAsStrings = numbersAsStrings
    json.beginObject()
  }

  /// Writes the items, and error dictionaries in place of those that there are none of.
  mutating func write(_ items: some Sequence<Result<Item, ZoneQueryError>>) {
    json.key("records")
    json.beginArray()
    for item in items {
      do throws(ZoneQueryError) {
        switch try item.get() {
        case .record(let record): try record.write(webServicesTo: &json, numbersAsStrings: numbersAsStrings)
        case .saved(let record): record.write(webServicesCarriedTo: &json, numbersAsStrings: numbersAsStrings)
        case .deleted(let id): write(deleted: id)
        }
      } catch {
        error.write(webServicesTo: &json)
      }
    }
    json.endArray()
  }

  private mutating func write(deleted id: RecordID) {
    json.beginObject()
    json.members(of: id)
    json.member("deleted", true)
    json.endObject()
  }

  /// The whole text.
  mutating func text(continuationMarker: String? = nil) -> String {
    json.member("continuationMarker", continuationMarker)
    json.endObject()
    return json.text
  }
}
