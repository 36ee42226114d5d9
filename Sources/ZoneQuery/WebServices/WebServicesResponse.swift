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
    /// One that is there: the token of its changes, if it tracks them, and whether it takes all of a batch or none.
    case zone(ChangeToken?, isAtomic: Bool)
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

  /// Writes what changed in some zones; in place of a zone that there was no room for that there is more coming.
  mutating func write(_ zones: [(WebServicesRequest.ZoneChanges.Zone, Result<RecordZoneChanges?, ZoneQueryError>)]) {
    write(zones: zones.map { zone, result in (zone.zoneID, result.map { (zone, $0) }) }) { response, item in
      let (zone, changes) = item
      response.json.member("syncToken", changes?.changeToken.description ?? zone.syncToken)
      response.json.member("moreComing", changes?.moreComing ?? true)
      let saved = (changes?.records ?? []).map { Result<Item, ZoneQueryError>.success(.record($0)) }
      let deleted = (changes?.deletions ?? []).map {
        Result<Item, ZoneQueryError>.success(.deleted($0.recordID, recordType: $0.recordType))
      }
      response.write(saved + deleted, numbersAsStrings: zone.numbersAsStrings)
    }
  }

  /// Writes which zones changed.
  mutating func write(_ changes: DatabaseChanges) {
    let zones = changes.changedZoneIDs.map { ($0, false) } + changes.deletedZoneIDs.map { ($0, true) }
    write(zones: zones.map { ($0, .success($1)) }) { response, isDeleted in
      if isDeleted { response.json.member("deleted", true) }
    }
    json.member("syncToken", changes.changeToken.description)
    json.member("moreComing", changes.moreComing)
  }

  /// Writes zones as they are, or that they were deleted.
  mutating func write(_ zones: [(ZoneID, Result<ZoneItem, ZoneQueryError>)]) {
    write(zones: zones) { response, item in
      switch item {
      case .zone(let token, let isAtomic):
        response.json.member("syncToken", token?.description)
        response.json.member("atomic", isAtomic)
      case .deleted: response.json.member("deleted", true)
      }
    }
  }

  /// Writes the dictionaries of zones, with the members that `members` writes, and error dictionaries in place of those that
  /// there are none of.
  private mutating func write<Item>(
    zones: [(ZoneID, Result<Item, ZoneQueryError>)], members: (inout WebServicesResponse, Item) -> Void
  ) {
    json.key("zones")
    json.beginArray()
    for (id, result) in zones {
      switch result {
      case .success(let item):
        json.beginObject()
        json.member("zoneID", id)
        members(&self, item)
        json.endObject()
      case .failure(let error): error.write(webServicesTo: &json, zoneID: id)
      }
    }
    json.endArray()
  }

  /// Writes subscriptions, that one was deleted where there is none, and error dictionaries.
  mutating func write(
    _ subscriptions: [(String, Result<Subscription?, ZoneQueryError>)], _ writer: WebServicesSubscriptionWriter
  ) {
    json.key("subscriptions")
    json.beginArray()
    for (id, result) in subscriptions {
      switch result {
      case .success(let subscription?): writer.write(subscription, to: &json)
      case .success(nil):
        json.beginObject()
        json.member("subscriptionID", id)
        json.member("deleted", true)
        json.endObject()
      case .failure(let error): error.write(webServicesTo: &json, subscriptionID: id)
      }
    }
    json.endArray()
  }

  /// Writes users, of whom no more than their names is known.
  mutating func write(users: [String]) {
    json.key("users")
    json.beginArray()
    for user in users {
      json.beginObject()
      write(user: user)
      json.endObject()
    }
    json.endArray()
  }

  /// Writes a user's name.
  mutating func write(user: String) { json.member("userRecordName", user) }

  /// The whole text.
  mutating func text(continuationMarker: String? = nil) -> String {
    json.member("continuationMarker", continuationMarker)
    json.endObject()
    return json.text
  }
}
