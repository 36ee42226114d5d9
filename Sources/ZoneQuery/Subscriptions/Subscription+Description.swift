// Subscriptions and what they tell, each in a line for a log: what is long is cut short, and characters that end a line, steer
// a terminal or turn the direction of a text are shown by name, as in diagnostics.

extension QuerySubscription.Events: CustomStringConvertible {
  /// The kinds of changes: `creation, update`; `no change` of none.
  public var description: String {
    let names: [(Self, String)] = [
      (.creation, "creation"), (.update, "update"), (.deletion, "deletion"), (.leaving, "leaving"),
    ]
    let held = names.filter { contains($0.0) }.map(\.1)
    return held.isEmpty ? "no change" : held.joined(separator: ", ")
  }
}

extension Subscription: CustomStringConvertible {
  /// The subscription in a line: `'s' on Event where city == "Seoul", on creation, update`.
  public var description: String {
    switch self {
    case .query(let subscription): subscription.description
    case .zone(let subscription): subscription.description
    case .database(let subscription): subscription.description
    }
  }

  /// What is told may be long.
  fileprivate static let longest = 400
}

extension QuerySubscription: CustomStringConvertible {
  /// The subscription in a line: `'s' on Event where city == "Seoul", on creation, update`.
  public var description: String {
    var text = "'\(SyntaxError.excerpt(subscriptionID))' on \(SyntaxError.excerpt(recordType))"
    if predicate != .true { text += " where \(SyntaxError.excerpt("\(predicate)", most: Subscription.longest))" }
    if let zoneID { text += " in zone \(LogText.of(zoneID))" }
    return text + ", on \(firesOn)\(firesOnce ? ", once" : "")"
  }
}

extension ZoneSubscription: CustomStringConvertible {
  /// The subscription in a line: `'s' on zone Trip of records of Event`.
  public var description: String {
    "'\(SyntaxError.excerpt(subscriptionID))' on zone \(LogText.of(zoneID))\(LogText.ofRecords(recordType))"
  }
}

extension DatabaseSubscription: CustomStringConvertible {
  /// The subscription in a line: `'s' on the custom zones`.
  public var description: String {
    "'\(SyntaxError.excerpt(subscriptionID))' on the custom zones\(LogText.ofRecords(recordType))"
  }
}

extension SubscriptionNotification: CustomStringConvertible {
  /// The notification in a line: `'s': recordUpdated, r1`.
  public var description: String {
    switch self {
    case .query(let notification): notification.description
    case .zone(let notification): notification.description
    case .database(let notification): notification.description
    }
  }
}

extension QueryNotification: CustomStringConvertible {
  /// The notification in a line: `'s': recordUpdated, r1, which entered`; the fields it brings along are not shown.
  public var description: String {
    let entered = hasEntered == true ? ", which entered" : ""
    let record = SyntaxError.excerpt("\(recordID)", most: Subscription.longest)
    return "'\(SyntaxError.excerpt(subscriptionID))': \(reason.rawValue), \(record)\(entered)"
  }
}

extension ZoneNotification: CustomStringConvertible {
  /// The notification in a line: `'s': changes in zone Trip`.
  public var description: String {
    "'\(SyntaxError.excerpt(subscriptionID))': changes in zone \(LogText.of(zoneID))"
  }
}

extension DatabaseNotification: CustomStringConvertible {
  /// The notification in a line: `'s': changes in the private database`.
  public var description: String {
    "'\(SyntaxError.excerpt(subscriptionID))': changes in the \(databaseScope.rawValue) database"
  }
}

extension DeliveredNotification: CustomStringConvertible {
  /// What was delivered, in a line: `commit 12, to _owner: 's': recordUpdated, r1; 3 of it dropped`.
  public var description: String {
    var text = "commit \(commit), to \(SyntaxError.excerpt(userRecordName)): \(notification)"
    if coalescedCount > 0 { text += "; \(coalescedCount) of it dropped" }
    if lostCount > 0 { text += "; \(lostCount) of others dropped" }
    return text
  }
}

/// Parts of lines.
private enum LogText {
  static func of(_ zoneID: ZoneID) -> String { SyntaxError.excerpt("\(zoneID)", most: Subscription.longest) }

  static func ofRecords(_ recordType: String?) -> String {
    recordType.map { " of records of \(SyntaxError.excerpt($0))" } ?? ""
  }
}
