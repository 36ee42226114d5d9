internal import FoundationEssentials

// The requests about subscriptions.

extension WebServicesRequest {
  /// A `subscriptions/lookup` request.
  struct SubscriptionLookup {
    let ids: [String]

    /// Reads a request of so many subscriptions at most.
    init(_ text: String, zonesOf user: String, most: Int) throws(ZoneQueryError) {
      ids = try WebServicesRequest.read(text, zonesOf: user, most: most, of: "subscriptions") {
        object, _ throws(WebServicesFault) in
        try object.require("subscriptions") { json throws(WebServicesFault) in
          try WebServicesQueryReader.each(json, "an array of subscriptions") { subscription throws(WebServicesFault) in
            try subscription.require("subscriptionID", WebServicesValueReader().string)
          }
        }
      }
    }
  }

  /// A `subscriptions/modify` request.
  struct SubscriptionModify {
    enum Operation: String, CaseIterable {
      case create, update, delete
    }

    enum Change {
      case save(Subscription, SubscriptionRule)
      case delete(String)

      var subscriptionID: String {
        switch self {
        case .save(let subscription, _): subscription.subscriptionID
        case .delete(let id): id
        }
      }
    }

    let changes: [Change]

    /// Reads a request of so many operations at most.
    init(_ text: String, zonesOf user: String, _ schema: Schema, most: Int) throws(ZoneQueryError) {
      changes = try WebServicesRequest.operations(text, zonesOf: user, most: most, on: "subscription") {
        (operation: Operation, subscription, values) throws(WebServicesFault) in
        let reader = WebServicesSubscriptionReader(schema, values)
        let change = try SubscriptionModify.change(operation, subscription, reader)
        return (ByteKey(change.subscriptionID), change)
      }
    }

    private static func change(
      _ operation: Operation, _ object: JSONObject, _ reader: WebServicesSubscriptionReader
    ) throws(WebServicesFault) -> Change {
      switch operation {
      case .create: return .save(try reader.subscription(object) { UUID().uuidString }, .new)
      case .update: return .save(try reader.subscription(object), .existing)
      case .delete: return .delete(try object.require("subscriptionID", WebServicesValueReader().string))
      }
    }
  }
}
