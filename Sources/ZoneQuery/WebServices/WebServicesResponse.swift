/// A response of CloudKit Web Services, as it is written.
struct WebServicesResponse {
  /// What an operation ended in.
  enum Item {
    case record(Record)
    /// A record that was saved, whatever JSON can carry of it.
    case saved(Record)
    /// One that is not there any more; the name of its type where that is told.
    case deleted(RecordID, recordType: String? = nil)
  }

  /// What an operation on a zone ended in.
  enum ZoneItem {
    /// One that is there, and the token of its changes, if it tracks them.
    case zone(ChangeToken?)
    case deleted
  }

  private var json = JSONWriter()
  private let numbersAsStrings: Bool

  init(numbersAsStrings: Bool = false) {
    self.numbersAsStrings = numbersAsStrings
    json.beginObject()
  }

  /// Writes the items, and error dictionaries in place of those that there are none of.
  mutating func write(_ items: some Sequence<Result<Item, ZoneQueryError>>) {
    write(items, numbersAsStrings: numbersAsStrings)
  }

  private mutating func write(_ items: some Sequence<Result<Item, ZoneQueryError>>, numbersAsStrings: Bool) {
    json.key("records")
    json.beginArray()
    for item in items {
      do throws(ZoneQueryError) {
        switch try item.get() {
        case .record(let record): try record.write(webServicesTo: &json, numbersAsStrings: numbersAsStrings)
        case .saved(let record): record.write(webServicesCarriedTo: &json, numbersAsStrings: numbersAsStrings)
        case .deleted(let id, let type): write(deleted: id, type)
        }
      } catch {
        error.write(webServicesTo: &json)
      }
    }
    json.endArray()
  }

  private mutating func write(deleted id: RecordID, _ recordType: String?) {
    json.beginObject()
    json.members(of: id)
    json.member("recordType", recordType)
    json.member("deleted", true)
    json.endObject()
  }

  /// Writes what changed in some zones, and error dictionaries in place of those that there is no telling of; in place of a
  /// zone that there was no room for that there is more coming.
  mutating func write(_ zones: [(WebServicesRequest.ZoneChanges.Zone, Result<RecordZoneChanges?, ZoneQueryError>)]) {
    json.key("zones")
    json.beginArray()
    for (zone, result) in zones {
      do throws(ZoneQueryError) {
        let changes = try result.get()
        json.beginObject()
        json.member("zoneID", zone.zoneID)
        json.member("syncToken", changes?.changeToken.description ?? zone.syncToken)
        json.member("moreComing", changes?.moreComing ?? true)
        let saved = (changes?.records ?? []).map { Result<Item, ZoneQueryError>.success(.record($0)) }
        let deleted = (changes?.deletions ?? []).map {
          Result<Item, ZoneQueryError>.success(.deleted($0.recordID, recordType: $0.recordType))
        }
        write(saved + deleted, numbersAsStrings: zone.numbersAsStrings)
        json.endObject()
      } catch {
        error.write(webServicesTo: &json, zoneID: zone.zoneID)
      }
    }
    json.endArray()
  }

  /// Writes which zones changed.
  mutating func write(_ changes: DatabaseChanges) {
    json.key("zones")
    json.beginArray()
    for (ids, areDeleted) in [(changes.changedZoneIDs, false), (changes.deletedZoneIDs, true)] {
      for id in ids {
        json.beginObject()
        json.member("zoneID", id)
        if areDeleted { json.member("deleted", true) }
        json.endObject()
      }
    }
    json.endArray()
    json.member("syncToken", changes.changeToken.description)
    json.member("moreComing", changes.moreComing)
  }

  /// Writes zones as they are, or that they were deleted, and error dictionaries in place of those that there are none of.
  mutating func write(_ zones: [(ZoneID, Result<ZoneItem, ZoneQueryError>)]) {
    json.key("zones")
    json.beginArray()
    for (id, result) in zones {
      do throws(ZoneQueryError) {
        let item = try result.get()
        json.beginObject()
        json.member("zoneID", id)
        switch item {
        case .zone(let token):
          json.member("syncToken", token?.description)
          json.member("atomic", !id.isDefault)
        case .deleted: json.member("deleted", true)
        }
        json.endObject()
      } catch {
        error.write(webServicesTo: &json, zoneID: id)
      }
    }
    json.endArray()
  }

  /// The whole text.
  mutating func text(continuationMarker: String? = nil) -> String {
    json.member("continuationMarker", continuationMarker)
    json.endObject()
    return json.text
  }
}
